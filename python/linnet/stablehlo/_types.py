"""Linnet's dtypes and constants as StableHLO's."""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

from collections.abc import Callable

import numpy as np
from jaxlib.mlir import ir

from linnet.core import TensorType

_ELEMENTS: dict[str, Callable[[], ir.Type]] = {
    "bool": lambda: ir.IntegerType.get_signless(1),
    "i8": lambda: ir.IntegerType.get_signless(8),
    "i16": lambda: ir.IntegerType.get_signless(16),
    "i32": lambda: ir.IntegerType.get_signless(32),
    "i64": lambda: ir.IntegerType.get_signless(64),
    "u8": lambda: ir.IntegerType.get_unsigned(8),
    "u16": lambda: ir.IntegerType.get_unsigned(16),
    "u32": lambda: ir.IntegerType.get_unsigned(32),
    "u64": lambda: ir.IntegerType.get_unsigned(64),
    "f16": ir.F16Type.get,
    "bf16": ir.BF16Type.get,
    "f32": ir.F32Type.get,
    "f64": ir.F64Type.get,
}


def is_float(dtype: str) -> bool:
    """Whether a Linnet dtype is a float."""
    return dtype in ("f16", "bf16", "f32", "f64")


def is_unsigned(dtype: str) -> bool:
    """Whether a Linnet dtype is an unsigned integer."""
    return dtype[0] == "u"


def width(dtype: str) -> int:
    """Return the bits of an integer dtype."""
    return int(dtype[1:])


def tensor_type(type_: TensorType) -> ir.RankedTensorType:
    """Return the builtin tensor type; an open size is dynamic."""
    dynamic = ir.ShapedType.get_dynamic_size()
    shape = [size if isinstance(size, int) else dynamic for size in type_.shape]
    return ir.RankedTensorType.get(shape, _ELEMENTS[type_.dtype]())


def splat(literal: bool | int | float, type_: TensorType) -> ir.DenseElementsAttr:
    """Return the constant that holds `literal` everywhere, rounded or wrapped [TYP-13]."""
    result = tensor_type(type_)
    element: ir.Attribute
    if is_float(type_.dtype):
        value = float(literal)
        if type_.dtype == "f32":
            with np.errstate(over="ignore"):
                value = float(np.float32(value))
        element = ir.FloatAttr.get(result.element_type, value)
    elif type_.dtype == "bool":
        element = ir.BoolAttr.get(bool(literal))
    else:
        bits = width(type_.dtype)
        wrapped = int(literal) & ((1 << bits) - 1)
        if not is_unsigned(type_.dtype) and wrapped >> (bits - 1):
            wrapped -= 1 << bits
        # The builder takes signed numbers; the bits are the same.
        if is_unsigned(type_.dtype) and wrapped >> 63:
            wrapped -= 1 << 64
        element = ir.IntegerAttr.get(result.element_type, wrapped)
    return ir.DenseElementsAttr.get_splat(result, element)


def lowest(dtype: str) -> int | float:
    """Return the value from which a maximum starts [IDX-10]."""
    if is_float(dtype):
        return float("-inf")
    return 0 if is_unsigned(dtype) else -(1 << (width(dtype) - 1))


def highest(dtype: str) -> int | float:
    """Return the value from which a minimum starts [IDX-10]."""
    if is_float(dtype):
        return float("inf")
    return (1 << width(dtype)) - 1 if is_unsigned(dtype) else (1 << (width(dtype) - 1)) - 1
