"""Imports that a command can do without."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


@contextmanager
def left_out(name: str) -> Generator[None]:
    """Let `import name` fail within, as where the module is not installed, unless it is loaded.

    MLIR's bindings take NumPy where there is one, for attributes that checking never makes; it
    takes a third of the time of `linnet check`.
    """
    if name in sys.modules:
        yield
        return
    modules = cast(dict[str, object], sys.modules)
    modules[name] = None
    try:
        yield
    finally:
        del modules[name]
