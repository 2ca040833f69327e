"""Linnet: a typed tensor language whose shapes are proven before anything runs.

`compile`, `load` and `nest` are imported when they are first used: `import linnet` is cheap.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

from linnet.errors import LinnetError

if TYPE_CHECKING:
    from linnet import nest
    from linnet._load import load
    from linnet.runtime import Model, compile

# jaxlib reads it once, when the first of our rooms loads it: its start-up chatter is of no use.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

__version__ = "0.1.0"
__all__ = ["LinnetError", "Model", "__version__", "compile", "load", "nest"]


def __getattr__(name: str) -> object:
    if name == "load":
        return import_module("linnet._load").load
    if name in ("Model", "compile"):
        return getattr(import_module("linnet.runtime"), name)
    if name == "nest":
        return import_module("linnet.nest")
    raise AttributeError(f"module 'linnet' has no attribute {name!r}")
