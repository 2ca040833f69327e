"""Dtypes and literals as PyTorch writes them."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from linnet.signature import numpy_dtype

_NAMES: Mapping[str, str] = {
    "bool": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
}
# PyTorch stores these and computes little in them; the dtype that arithmetic goes through, which
# wraps as they do once it is narrowed again.
WIDE: Mapping[str, str] = {"u16": "torch.int32", "u32": "torch.int64", "u64": "torch.int64"}


def torch_name(dtype: str) -> str:
    """`float32` for `f32`."""
    return _NAMES[dtype]


def torch_dtype(dtype: str) -> str:
    """`torch.float32` for `f32`."""
    return f"torch.{_NAMES[dtype]}"


def is_float(dtype: str) -> bool:
    """Whether a dtype is one of `f16 bf16 f32 f64`."""
    return dtype in ("f16", "bf16", "f32", "f64")


def literal_text(literal: bool | int | float, dtype: str) -> str:
    """The number that a literal is in a dtype, rounded or wrapped [TYP-13], as Python has it."""
    if dtype == "bool":
        return str(bool(literal))
    if is_float(dtype):
        with np.errstate(over="ignore"):
            value = float(np.asarray(float(literal), np.float64).astype(numpy_dtype(dtype)))
        if math.isinf(value) or math.isnan(value):
            return f'float("{value}")'
        # The shortest text that is the same number there.
        text = repr(float(str(np.float32(value)))) if dtype == "f32" else repr(value)
        return text.replace("e+", "e")
    if isinstance(literal, float):
        limits: Any = np.iinfo(np.dtype(_NAMES[dtype]))
        if math.isnan(literal):
            return "0"
        if abs(literal) >= 2.0**63:
            literal = int(limits.max if literal > 0 else limits.min)
        literal = max(min(int(literal), int(limits.max)), int(limits.min))
    bits = numpy_dtype(dtype).itemsize * 8
    wrapped = literal % (1 << bits)
    if (dtype[0] == "i" or dtype == "u64") and wrapped >= 1 << (bits - 1):
        wrapped -= 1 << bits
    return str(wrapped)


__all__ = ["WIDE", "is_float", "literal_text", "torch_dtype", "torch_name"]
