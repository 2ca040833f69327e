"""CORE as plain data: what every backend reads. Nothing here knows MLIR."""

from linnet.core._fix import fix_sizes
from linnet.core._pad import pad_sizes
from linnet.core._records import Attribute, CoreModule, Function, Op, Region, TensorType, Value

__all__ = [
    "Attribute",
    "CoreModule",
    "Function",
    "Op",
    "Region",
    "TensorType",
    "Value",
    "fix_sizes",
    "pad_sizes",
]
