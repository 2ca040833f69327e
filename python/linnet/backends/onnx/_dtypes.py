"""Linnet's dtypes in ONNX, and those in which ONNX Runtime's kernels compute.

ONNX Runtime has a kernel of an op for some dtypes only. Where it has none, an op computes in its
`carrier`, a wider dtype that holds every value, between two `Cast`s: integers wrap and floats
round when they come back, so no result differs.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from linnet.signature import numpy_dtype

Array = NDArray[np.generic]
# Whose kernels a model is written for: those of ONNX Runtime's CPU provider, or a GPU's, which
# compute in 16-bit floats.
Kernels = Literal["cpu", "gpu"]

# `TensorProto.DataType`.
ELEMENTS: Mapping[str, int] = {
    "f32": 1,
    "u8": 2,
    "i8": 3,
    "u16": 4,
    "i16": 5,
    "i32": 6,
    "i64": 7,
    "bool": 9,
    "f16": 10,
    "f64": 11,
    "u32": 12,
    "u64": 13,
    "bf16": 16,
}
_CARRIERS = {
    "bool": "i32",
    "i8": "i32",
    "i16": "i32",
    "u8": "i32",
    "u16": "i32",
    "u32": "i64",
    "u64": "i64",
    "f16": "f32",
    "bf16": "f32",
}
_EVERY = frozenset(ELEMENTS)
_WIDE = frozenset({"i32", "i64", "f32", "f64"})
_FLOAT = frozenset({"f32", "f64"})
_WHOLE = frozenset(name for name in ELEMENTS if name[0] in "iu")
# By op, the dtypes that every kernel we use is known to take; other ops move elements of any.
_NATIVE: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Mod", "Min", "Max"), _WIDE | {"u64"}),
    **dict.fromkeys(("Neg", "Abs", "MatMul", "ReduceSum", "ReduceProd"), _WIDE),
    **dict.fromkeys(("ReduceMax", "ReduceMin", "Where"), _WIDE),
    **dict.fromkeys(("Exp", "Log", "Sqrt", "Reciprocal", "Sin", "Cos", "Tanh", "Gemm"), _FLOAT),
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"), _WHOLE),
    **dict.fromkeys(("Less", "LessOrEqual", "Greater", "GreaterOrEqual"), _WIDE | {"u64"}),
    "BitShift": frozenset({"u32", "u64"}),
    "Equal": _WIDE | {"u64", "bool"},
    "Range": frozenset({"i64"}),
    "Expand": _EVERY - {"bf16"},
    **dict.fromkeys(("LayerNormalization", "RMSNormalization", "Softmax", "Sigmoid"), _FLOAT),
    "Gelu": frozenset({"f32"}),
}


def is_float(dtype: str) -> bool:
    """Whether a Linnet dtype is a float."""
    return dtype in ("f16", "bf16", "f32", "f64")


def is_unsigned(dtype: str) -> bool:
    """Whether a Linnet dtype is an unsigned integer."""
    return dtype[0] == "u"


def carrier(op: str, dtype: str, kernels: Kernels) -> str:
    """Return the dtype in which an op on `dtype` computes."""
    if kernels == "gpu" and dtype in ("f16", "bf16"):
        # Before opset 22, `Sin` and `Cos` take no bf16.
        return "f32" if op in ("Sin", "Cos") else dtype
    native = _NATIVE.get(op, _EVERY)
    return dtype if dtype in native else _CARRIERS.get(dtype, dtype)


def rounded(literal: bool | int | float, dtype: str) -> Array:
    """Return a literal as a scalar, rounded or wrapped to the dtype [TYP-13]."""
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return np.asarray(bool(literal))
    with np.errstate(all="ignore"):
        if is_float(dtype):
            return np.asarray(float(literal), np.float64).astype(kind)
        bits = int(dtype[1:])
        wrapped = int(literal) & ((1 << bits) - 1)
        if not is_unsigned(dtype) and wrapped >> (bits - 1):
            wrapped -= 1 << bits
        return np.asarray(wrapped, kind)
