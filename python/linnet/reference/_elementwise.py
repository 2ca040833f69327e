"""Elementwise operations with the numerics of language section 13.

Arrays in, arrays out, same shape; the dtype is the operands' unless said. `f16` and `bf16` are
computed in `f32` and rounded once to nearest even [NUM-1]; integers wrap [NUM-3].
"""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_NARROW = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether `dtype` is one of `f16 bf16 f32 f64`."""
    return dtype in _NARROW or dtype.kind == "f"


def accumulator(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in which sums over `dtype` are held: `f32` for the 16-bit floats."""
    return np.dtype(np.float32) if dtype in _NARROW else dtype


def _rounded(function: Callable[..., Array]) -> Callable[..., Array]:
    """Return `function`, computed in `f32` for the 16-bit floats and rounded once."""

    def rounded(*operands: Array) -> Array:
        dtype = operands[0].dtype
        wide = accumulator(dtype)
        # 0-d arrays stay arrays.
        result = np.asarray(function(*(operand.astype(wide) for operand in operands)))
        return result.astype(dtype)

    return rounded


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _negate(x: Array) -> Array:
    return np.subtract(np.zeros((), x.dtype), x) if x.dtype.kind in "ui" else np.negative(x)


def _divide(a: Array, b: Array) -> Array:
    """Truncating on integers; by zero, whatever (but no trap) [NUM-3]."""
    if is_float(a.dtype):
        return np.divide(a, b)
    divisor = np.where(b == 0, np.ones((), b.dtype), b)
    quotient = np.floor_divide(a, divisor)
    inexact = np.remainder(a, divisor) != 0
    return quotient + (inexact & ((a < 0) != (divisor < 0))).astype(a.dtype)


def _remainder(a: Array, b: Array) -> Array:
    """`a - trunc(a / b) * b` [NUM-2], which is C's `fmod` on floats."""
    if is_float(a.dtype):
        return np.fmod(a, b)
    divisor = np.where(b == 0, np.ones((), b.dtype), b)
    return a - _divide(a, divisor) * divisor


def _shift(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Keep the amount inside the width: beyond, [PRE-5] defines no result."""

    def shift(x: Array, bits: Array) -> Array:
        return function(x, np.clip(bits, 0, x.dtype.itemsize * 8 - 1))

    return shift


UNARY: dict[str, Callable[[Array], Array]] = {
    "neg": _rounded(_negate),
    "abs": _rounded(np.abs),
    "exp": _rounded(np.exp),
    "log": _rounded(np.log),
    "sqrt": _rounded(np.sqrt),
    "rsqrt": _rounded(_rsqrt),
    "sin": _rounded(np.sin),
    "cos": _rounded(np.cos),
    "tanh": _rounded(np.tanh),
    "not": np.invert,
}

BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": _rounded(np.add),
    "sub": _rounded(np.subtract),
    "mul": _rounded(np.multiply),
    "div": _rounded(_divide),
    "rem": _rounded(_remainder),
    # Both propagate NaN [NUM-2].
    "min": _rounded(np.minimum),
    "max": _rounded(np.maximum),
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "shl": _shift(np.left_shift),
    "shr": _shift(np.right_shift),
}

_COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def compare(predicate: str, a: Array, b: Array) -> Array:
    """Compare elements; a comparison with NaN is false except `ne` [NUM-2]. Gives `bool`."""
    return np.asarray(_COMPARE[predicate](a, b))


def cast(x: Array, dtype: np.dtype[Any]) -> Array:
    """Convert the elements [NUM-5]: integers wrap, floats round to nearest even or truncate."""
    if dtype == np.bool_:
        return np.asarray(x != np.zeros((), x.dtype))
    if is_float(x.dtype) and not is_float(dtype):
        wide = x.astype(np.float64)
        # NaN and what lies out of range have no defined result; zero and the ends are ours.
        limits = np.iinfo(dtype)
        whole = np.trunc(np.nan_to_num(wide, nan=0.0))
        inside = (whole > float(limits.min)) & (whole < float(limits.max))
        ends = np.where(whole <= float(limits.min), limits.min, limits.max).astype(dtype)
        return np.where(inside, np.where(inside, whole, 0.0).astype(dtype), ends)
    if x.dtype == np.float64 and dtype in _NARROW:
        return x.astype(dtype)
    if dtype in _NARROW and not is_float(x.dtype):
        # One rounding: every integer of 32 bits or fewer is exact in f64.
        return x.astype(np.float64).astype(dtype)
    return x.astype(dtype)
