"""Imported before jaxlib: it decides while it loads how much it will log, and may be missing."""

import os
from importlib.util import find_spec

from linnet.errors import CapabilityError

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

if find_spec("jaxlib") is None:
    raise CapabilityError(
        "StableHLO is written by jaxlib, which is not installed",
        "pip install 'linnet-mlir[iree]'",
    )
