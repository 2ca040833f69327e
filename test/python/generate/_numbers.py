"""The arithmetic of the language by NumPy, with a bound on what rounding may do to each number.

A float is held as a float64 that no operation rounds, and beside it the largest distance from it
that a target may have: what an implementation that rounds each operation once, in any order of
accumulation [NUM-6], or that keeps more precision between operations, can be off by. So a
comparison with a target needs no tolerance of its own. Integers wrap at their width [NUM-3]; their
bound is 0, or infinite where the value hangs on a float that is not known well enough.

Nothing here reads the compiler: it is the second opinion on what a program means. One file, as
every operation shares the way in which its bound is made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FLOATS = ("f16", "bf16", "f32", "f64")
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED

STORED: dict[str, np.dtype[Any]] = {
    "bool": np.dtype(np.bool_),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    **{f"i{width}": np.dtype(f"int{width}") for width in (8, 16, 32, 64)},
    **{f"u{width}": np.dtype(f"uint{width}") for width in (8, 16, 32, 64)},
}
# Bits of the significand; the float64 of this file is itself rounded, which f64 pays for.
_BITS = {"f16": 11, "bf16": 8, "f32": 24, "f64": 51}
_LARGEST = {name: float(ml_dtypes.finfo(STORED[name]).max) for name in FLOATS}
# What is smaller than a normal number may be flushed to zero.
_TINY = {name: float(ml_dtypes.finfo(STORED[name]).smallest_normal) for name in FLOATS}
# How many units in the last place a library's exp, sin, … may be off [NUM-4].
_LIBRARY = {"f16": 2.0, "bf16": 2.0, "f32": 16.0, "f64": 1024.0}


class Unwanted(Exception):  # noqa: N818 - no error: the program is not to be generated
    """An operation without a defined result, or numbers too large to compare."""


@dataclass(frozen=True, slots=True)
class V:
    """Numbers of one dtype and what a target may be away from each."""

    dtype: str
    data: Array
    off: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def sure(self) -> bool:
        """Whether every target must have exactly these numbers."""
        return not self.off.any()

    def map(self, change: Callable[[Array], Array]) -> "V":
        """The same change of places for numbers and bounds."""
        return V(self.dtype, np.asarray(change(self.data)), np.asarray(change(self.off)))


def held(dtype: str) -> np.dtype[Any]:
    """The NumPy dtype in which numbers of a dtype are held here."""
    return np.dtype(np.float64) if dtype in FLOATS else STORED[dtype]


def exact(dtype: str, data: object) -> V:
    """Numbers that every target has exactly."""
    array = np.asarray(data)
    if dtype in FLOATS:
        array = array.astype(STORED[dtype]).astype(np.float64)
    else:
        array = array.astype(STORED[dtype])
    return V(dtype, array, np.zeros(array.shape))


def _nearest(dtype: str, data: Array) -> Array:
    return data.astype(STORED[dtype]).astype(np.float64)


def _on_grid(data: Array) -> Array:
    """Whether float64 adds and multiplies these without rounding: 26 bits at most."""
    return (np.abs(data) < 2.0**16) & (np.floor(data * 1024.0) == data * 1024.0)


def _finish(dtype: str, data: Array, off: Array, parts: Sequence[V], rounding: Array | float) -> V:
    """The result of one operation of `dtype` on `parts`.

    `off` is what the parts' bounds amount to and `rounding` what the operation adds, which is
    nothing where the parts are exact and the result is a number of the dtype.
    """
    certain = np.ones(data.shape, np.bool_)
    gridded = np.ones(data.shape, np.bool_)
    for part in parts:
        certain &= part.off == 0
        if part.dtype in FLOATS:
            gridded &= _on_grid(part.data)
    finite = np.isfinite(data)
    with np.errstate(all="ignore"):
        fits = _on_grid(data) & (_nearest(dtype, data) == data)
        total = np.where(certain & gridded & fits, 0.0, off + rounding + _TINY[dtype])
        bounded = finite & (np.abs(data) + total < _LARGEST[dtype] * 0.99)
    # Beyond the numbers: an infinity or NaN that exact operands give is the result, what
    # overflowed is left alone.
    infinite = np.where(finite, np.inf, np.where(certain, 0.0, np.inf))
    return V(dtype, data, np.where(bounded, total, infinite))


def _unit(dtype: str) -> float:
    return 2.0 ** -_BITS[dtype]


def _doubt(*parts: V) -> Array:
    """The bound of a number that is no float: infinite where any part is in doubt."""
    shape = np.broadcast_shapes(*(part.shape for part in parts))
    doubt = np.zeros(shape, np.bool_)
    for part in parts:
        doubt |= part.off > 0
    return np.where(doubt, np.inf, 0.0)


# Elementwise operations.


def add(a: V, b: V) -> V:
    return _linear(a, b, np.add)


def sub(a: V, b: V) -> V:
    return _linear(a, b, np.subtract)


def _linear(a: V, b: V, ufunc: Any) -> V:
    with np.errstate(all="ignore"):
        data = np.asarray(ufunc(a.data, b.data))
        if a.dtype not in FLOATS:
            return V(a.dtype, data, _doubt(a, b))
        off = a.off + b.off
        return _finish(a.dtype, data, off, (a, b), _unit(a.dtype) * (np.abs(data) + off))


def mul(a: V, b: V) -> V:
    with np.errstate(all="ignore"):
        data = np.asarray(a.data * b.data)
        if a.dtype not in FLOATS:
            return V(a.dtype, data, _doubt(a, b))
        off = _away(a.off * np.abs(b.data)) + _away(b.off * np.abs(a.data)) + _away(a.off * b.off)
        return _finish(a.dtype, data, off, (a, b), _unit(a.dtype) * (np.abs(data) + off))


def _away(off: Array) -> Array:
    """A bound where an infinite one met a zero: what is in doubt stays so."""
    return np.where(np.isnan(off), np.inf, off)


def div(a: V, b: V) -> V:
    if a.dtype not in FLOATS:
        return V(a.dtype, _truncated(a, b)[0], _doubt(a, b))
    with np.errstate(all="ignore"):
        data = np.asarray(a.data / b.data)
        least = np.abs(b.data) - b.off
        off = (a.off + np.abs(data) * b.off) / least
        off = np.where((least <= 0) | np.isnan(off), np.inf, off)  # No zero divides: its sign.
        # XLA multiplies by the reciprocal where one number divides many: exact for a power of two.
        back = np.asarray(data * b.data == a.data) & _on_grid(data)
        back &= np.abs(np.frexp(b.data)[0]) == 0.5
        rounded = V(a.dtype, np.zeros(data.shape), np.where(back | ~np.isfinite(data), 0.0, 1.0))
        return _finish(a.dtype, data, off, (a, b, rounded), _unit(a.dtype) * 2 * np.abs(data))


def rem(a: V, b: V) -> V:
    if a.dtype not in FLOATS:
        return V(a.dtype, _truncated(a, b)[1], _doubt(a, b))
    with np.errstate(all="ignore"):
        data = np.asarray(np.fmod(a.data, b.data))
        quotient = np.abs(a.data / b.data)
        clear = (a.off == 0) & (b.off == 0) & _on_grid(a.data) & _on_grid(b.data)
        clear &= (quotient < 2.0 ** (_BITS[a.dtype] - 4)) & (b.data != 0) & np.isfinite(quotient)
        return V(a.dtype, data, np.where(clear, 0.0, np.inf))


def _truncated(a: V, b: V) -> tuple[Array, Array]:
    """Quotient and remainder of integers, toward zero [NUM-3]."""
    lowest = np.iinfo(STORED[a.dtype]).min
    if (b.data == 0).any() or b.off.any():
        raise Unwanted("a division by zero")
    if a.dtype in SIGNED and ((a.data == lowest) & (b.data == -1)).any():
        raise Unwanted("an overflow of a division")
    if a.off.any() and a.dtype in SIGNED and (b.data == -1).any():
        raise Unwanted("an overflow of a division")
    with np.errstate(all="ignore"):
        quotient, remainder = np.divmod(a.data, b.data)
        wrong = (remainder != 0) & ((remainder < 0) != (np.asarray(a.data) < 0))
        one = STORED[a.dtype].type(1)
        quotient = np.where(wrong, quotient + one, quotient)
        remainder = np.where(wrong, remainder - b.data, remainder)
    return quotient.astype(STORED[a.dtype]), remainder.astype(STORED[a.dtype])


def least(a: V, b: V) -> V:
    return _extreme(a, b, np.minimum)


def greatest(a: V, b: V) -> V:
    return _extreme(a, b, np.maximum)


def _extreme(a: V, b: V, ufunc: Any) -> V:
    data = np.asarray(ufunc(a.data, b.data))
    if a.dtype not in FLOATS:
        return V(a.dtype, data, _doubt(a, b))
    off = np.maximum(a.off, b.off)
    return V(a.dtype, data, np.where(np.isfinite(data) | (off == 0), off, np.inf))


def bits(operator: str, a: V, b: V) -> V:
    ufunc = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}[operator]
    return V(a.dtype, np.asarray(ufunc(a.data, b.data)), _doubt(a, b))


def shift(name: str, a: V, b: V) -> V:
    width = STORED[a.dtype].itemsize * 8
    if b.off.any() or (b.data < 0).any() or (b.data >= width).any():
        raise Unwanted("a shift beyond the width")
    ufunc = np.left_shift if name == "shl" else np.right_shift
    return V(a.dtype, np.asarray(ufunc(a.data, b.data)), _doubt(a, b))


def neg(a: V) -> V:
    with np.errstate(all="ignore"):
        return V(a.dtype, np.asarray(-a.data), a.off)


def absolute(a: V) -> V:
    with np.errstate(all="ignore"):
        return V(a.dtype, np.asarray(np.abs(a.data)), a.off)


def logic_not(a: V) -> V:
    return V(a.dtype, np.asarray(~a.data), a.off)


_COMPARE = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def compare(operator: str, a: V, b: V) -> V:
    with np.errstate(all="ignore"):
        data = np.asarray(_COMPARE[operator](a.data, b.data))
        if a.dtype not in FLOATS:
            return V("bool", data, _doubt(a, b))
        both = a.off + b.off
        clear = (both == 0) | (np.abs(a.data - b.data) > both)
        return V("bool", data, np.where(clear, 0.0, np.inf))


def choose(c: V, a: V, b: V) -> V:
    """`select`, and the value of an `if`."""
    data = np.where(c.data, a.data, b.data)
    with np.errstate(all="ignore"):
        same = (a.data == b.data) & (a.off == 0) & (b.off == 0)
        apart = np.abs(np.asarray(a.data).astype(np.float64) - np.asarray(b.data).astype(float))
        either = np.maximum(a.off, b.off) + apart
    if a.dtype not in FLOATS:
        either = np.where(same, 0.0, np.inf)
    either = np.where(np.isnan(either), np.inf, either)
    return V(a.dtype, data, np.where(c.off == 0, np.where(c.data, a.off, b.off), either))


def function(name: str, a: V) -> V:
    """`exp`, `log`, … of floats."""
    unit = _unit(a.dtype) * _LIBRARY[a.dtype]
    low, high = a.data - a.off, a.data + a.off
    with np.errstate(all="ignore"):
        match name:
            case "exp":
                data = np.exp(a.data)
                off, rounding = np.exp(high) - np.exp(low), unit * data
            case "log":
                data = np.log(a.data)
                off = np.where(a.off == 0, 0.0, np.where(low > 0, np.log(high / low), np.inf))
                rounding = unit * np.maximum(np.abs(data), 1.0)
            case "sqrt":
                data = np.sqrt(a.data)
                off = np.where(
                    a.off == 0, 0.0, np.where(low > 0, np.sqrt(high) - np.sqrt(low), np.inf)
                )
                rounding = 2 * _unit(a.dtype) * data
                if (low < -_TINY["f32"]).any():
                    rounding = np.where(low < 0, 0.0, rounding)
            case "rsqrt":
                data = 1.0 / np.sqrt(a.data)
                spread = 1.0 / np.sqrt(low) - 1.0 / np.sqrt(high)
                off = np.where(low > 0, spread, np.where(a.data < 0, 0.0, np.inf))
                rounding = unit * data
            case "sin" | "cos":
                if (np.abs(a.data) > 100).any():
                    raise Unwanted("a large angle")
                data = np.sin(a.data) if name == "sin" else np.cos(a.data)
                off, rounding = a.off, np.asarray(unit)
            case _:
                data = np.tanh(a.data)
                off, rounding = a.off, np.asarray(unit)
        off = np.where(np.isnan(off), np.inf, off)
        # Whatever it gives is rounded: no result counts as exact but what is no number.
        rounding = np.where(np.isnan(rounding), 0.0, rounding)
        out = _finish(a.dtype, np.asarray(data), off, (a,), rounding)
        loose = np.where(np.isfinite(data), np.maximum(out.off, rounding), out.off)
        return V(a.dtype, out.data, loose)


def cast(dtype: str, a: V) -> V:
    """[NUM-5]; out of range, from a float to an integer, has no defined result."""
    if dtype == a.dtype:
        return a
    if dtype in FLOATS:
        with np.errstate(all="ignore"):
            wide = np.asarray(a.data).astype(np.float64)
            data = np.asarray(a.data).astype(STORED[dtype]).astype(np.float64)
            if a.dtype == "f64" or a.dtype in INTEGERS:
                # ml_dtypes goes by way of f32, which rounds twice.
                twice = np.abs(wide - data) * 2.0**-6 if dtype in ("bf16", "f16") else 0.0
            else:
                twice = 0.0
            off = np.where(np.isfinite(data), a.off + twice, np.where(a.off == 0, 0.0, np.inf))
            rounding = np.where(a.off == 0, 0.0, _unit(dtype) * (np.abs(data) + a.off))
            off = np.where(np.isfinite(off) & np.isfinite(data), off + rounding, off)
            small = (data != 0) & (np.abs(data) < _TINY[dtype])
            off = np.where(small | ((data == 0) & (wide != 0)), off + _TINY[dtype], off)
            over = np.isfinite(wide) & (np.abs(wide) + a.off > _LARGEST[dtype] * 0.99)
            return V(dtype, data, np.where(over, np.inf, off))
    if dtype == "bool":
        if a.dtype in FLOATS:
            return compare("!=", a, V(a.dtype, a.data * 0, a.off * 0))
        return V("bool", np.asarray(a.data != 0), a.off)
    if a.dtype in FLOATS:
        limits = np.iinfo(STORED[dtype])
        if not (np.isfinite(a.data).all() and np.isfinite(a.off).all()):
            raise Unwanted("an integer from what is no number")
        low, high = np.trunc(a.data - a.off), np.trunc(a.data + a.off)
        if (low < max(limits.min, -(2.0**52))).any() or (high > min(limits.max, 2.0**52)).any():
            raise Unwanted("a number outside of an integer's range")
        return V(dtype, np.trunc(a.data).astype(STORED[dtype]), np.where(low == high, 0.0, np.inf))
    with np.errstate(all="ignore"):
        return V(dtype, np.asarray(a.data).astype(STORED[dtype]), a.off)


# Reductions over the leading axes, as many as `count`.


def reduce(kind: str, a: V, count: int) -> V:
    axes = tuple(range(count))
    size = int(np.prod(a.shape[:count], dtype=np.int64))
    match kind:
        case "sum":
            return _sum(a, axes, size)
        case "prod":
            return _product(a, axes, size)
        case "max" | "min":
            return _extremes(kind, a, axes, size)
        case _:
            return _quantified(kind, a, axes)


def _sum(a: V, axes: tuple[int, ...], size: int) -> V:
    with np.errstate(all="ignore"):
        if a.dtype not in FLOATS:
            data = np.asarray(a.data.sum(axes, dtype=STORED[a.dtype]))
            return V(a.dtype, data, np.where((a.off > 0).any(axes), np.inf, 0.0))
        data = np.asarray(a.data.sum(axes))
        reach = np.asarray(np.abs(a.data).sum(axes) + a.off.sum(axes))
        off = np.asarray(a.off.sum(axes))
        rounding = (size + 1) * _unit(a.dtype) * reach
        if not a.off.any() and np.isfinite(a.data).all():
            for places in range(11):
                scaled = a.data * 2.0**places
                if (np.floor(scaled) == scaled).all():
                    rounding = np.where(reach * 2.0**places <= 2.0 ** _BITS[a.dtype], 0, rounding)
                    break
        return _gathered(a, axes, data, off, rounding, reach)


def _product(a: V, axes: tuple[int, ...], size: int) -> V:
    with np.errstate(all="ignore"):
        if a.dtype not in FLOATS:
            data = np.asarray(a.data.prod(axes, dtype=STORED[a.dtype]))
            return V(a.dtype, data, np.where((a.off > 0).any(axes), np.inf, 0.0))
        data = np.asarray(a.data.prod(axes))
        reach = np.asarray((np.abs(a.data) + a.off).prod(axes))
        off = reach - np.abs(data)
        rounding = (size + 1) * 1.1 * _unit(a.dtype) * reach
        # A partial product may be large though the whole is not.
        widest = np.asarray(np.maximum(np.abs(a.data) + a.off, 1.0).prod(axes))
        return _gathered(a, axes, data, np.where(np.isnan(off), np.inf, off), rounding, widest)


def _gathered(
    a: V, axes: tuple[int, ...], data: Array, off: Array, rounding: Array | float, reach: Array
) -> V:
    certain = ~(a.off > 0).any(axes)
    finite = np.isfinite(a.data).all(axes)
    total = off + rounding
    total = np.where(total > 0, total + _TINY[a.dtype], total)
    bounded = finite & np.isfinite(total) & (reach + total < _LARGEST[a.dtype] * 0.99)
    return V(a.dtype, data, np.where(bounded, total, np.where(~finite & certain, 0.0, np.inf)))


def _extremes(kind: str, a: V, axes: tuple[int, ...], size: int) -> V:
    kept = a.shape[len(axes) :]
    if size == 0:
        if a.dtype in FLOATS:
            start: object = -np.inf if kind == "max" else np.inf
        else:
            limits = np.iinfo(STORED[a.dtype])
            start = limits.min if kind == "max" else limits.max
        return exact(a.dtype, np.full(kept, start, held(a.dtype)))
    ufunc = np.maximum if kind == "max" else np.minimum
    data = np.asarray(ufunc.reduce(a.data, axis=axes))
    off = np.asarray(a.off.max(axes))
    if a.dtype in FLOATS:
        off = np.where(np.isfinite(data) | (off == 0), off, np.inf)
    return V(a.dtype, data, off)


def _quantified(kind: str, a: V, axes: tuple[int, ...]) -> V:
    doubt = a.off > 0
    if kind == "any":
        data = np.asarray(a.data.any(axes))
        settled = (a.data & ~doubt).any(axes)
    else:
        data = np.asarray(a.data.all(axes))
        settled = (~a.data & ~doubt).any(axes)
    return V("bool", data, np.where(~settled & doubt.any(axes), np.inf, 0.0))


def running(a: V, axis: int) -> V:
    """`cumsum`."""
    turned = a.map(lambda array: np.moveaxis(array, axis, 0))
    if not turned.shape[0]:
        return a
    sums = [
        reduce("sum", turned.map(lambda array, end=end: array[: end + 1]), 1)
        for end in range(turned.shape[0])
    ]
    return stacked(a.dtype, turned.shape[1:], sums).map(lambda x: np.moveaxis(x, 0, axis))


def stacked(dtype: str, shape: tuple[int, ...], parts: Sequence[V]) -> V:
    """Values along a new leading axis; `shape` is that of one, for where there is none."""
    if not parts:
        return exact(dtype, np.zeros((0, *shape)))
    data = np.stack([part.data for part in parts])
    return V(dtype, data, np.stack([part.off for part in parts]))


def joined(parts: Sequence[V], axis: int) -> V:
    """`concat`."""
    data = np.concatenate([part.data for part in parts], axis)
    return V(parts[0].dtype, data, np.concatenate([part.off for part in parts], axis))


def difference(found: Array, wanted: V) -> str | None:
    """What is wrong with a target's array, or None."""
    if found.dtype != STORED[wanted.dtype] or found.shape != wanted.shape:
        return f"{found.dtype} {found.shape} for {wanted.dtype} {wanted.shape}"
    known = np.isfinite(wanted.off)
    if wanted.dtype not in FLOATS:
        wrong = known & (found != wanted.data)
    else:
        wide = found.astype(np.float64)
        with np.errstate(all="ignore"):
            near = np.abs(wide - wanted.data) <= wanted.off * (1 + 1e-6)
        same = (wide == wanted.data) | (np.isnan(wide) & np.isnan(wanted.data))
        wrong = known & ~(same | (near & np.isfinite(wanted.data)))
    if not wrong.any():
        return None
    at = tuple(int(place) for place in np.argwhere(wrong)[0])
    return (
        f"element {list(at)} is {found[at]}, must be {wanted.data[at]} ± {wanted.off[at]:.3g} "
        f"({int(wrong.sum())} of {wrong.size} are wrong)"
    )


def known_share(value: V) -> tuple[int, int]:
    """How many numbers a comparison looks at, and of how many."""
    return int(np.isfinite(value.off).sum()), value.off.size
