"""The float dtypes under test, and how far a result may lie from a formula evaluated in float64."""

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Wide = NDArray[np.float64]


def exact(x: Array) -> Wide:
    """Return `x` in float64, where formulas are evaluated."""
    return np.asarray(x, np.float64)


@dataclass(frozen=True, slots=True)
class Precision:
    """A dtype; `unit` is its unit roundoff, half the distance from 1 to the next number."""

    name: str
    dtype: np.dtype[Any]
    unit: float

    def random(self, *shape: int, seed: int = 0, scale: float = 1.0) -> Array:
        """Return normal numbers rounded to the dtype."""
        return self.of(np.random.default_rng(seed).standard_normal(shape) * scale)

    def of(self, values: Any) -> Array:
        """Return the values rounded to the dtype."""
        with np.errstate(over="ignore"):
            return np.asarray(values, np.float64).astype(self.dtype)

    def ulp(self, value: Wide) -> Wide:
        """Return the distance to the next number of the dtype at each value."""
        _, exponent = np.frexp(np.where(np.isfinite(value), value, 0.0))
        return np.ldexp(2 * self.unit, np.maximum(exponent - 1, -14))


F32 = Precision("f32", np.dtype(np.float32), 2.0**-24)
BF16 = Precision("bf16", np.dtype(ml_dtypes.bfloat16), 2.0**-8)
F16 = Precision("f16", np.dtype(np.float16), 2.0**-11)
FLOATS = (F32, BF16, F16)


@dataclass(frozen=True, slots=True)
class Expected:
    """A result: its dtype, its value in float64 or exactly, and how far each element may be off."""

    dtype: np.dtype[Any]
    value: Array
    reach: Wide | float = 0.0

    def check(self, found: Array) -> None:
        """Fail unless `found` is within reach; NaN and infinities must stand where they should."""
        assert found.dtype == self.dtype
        assert found.shape == self.value.shape
        if self.dtype.kind in "iub":
            np.testing.assert_array_equal(found, self.value)
            return
        got, want = exact(found), exact(self.value)
        finite = np.isfinite(want)
        np.testing.assert_array_equal(got[~finite], want[~finite])
        reach = np.broadcast_to(np.asarray(self.reach), want.shape)[finite]
        off = np.abs(got[finite] - want[finite])
        # A NaN is within no reach.
        missed = ~(off <= reach)
        assert not missed.any(), (
            f"{missed.sum()} of {missed.size}: found {got[finite][missed][:4]}, "
            f"expected {want[finite][missed][:4]}, off by {off[missed].max()}, "
            f"reach {reach[missed][:4]}"
        )


def exactly(value: Array) -> Expected:
    """What only moves or chooses elements, or computes with integers: every bit."""
    return Expected(value.dtype, value)


def once(p: Precision, value: Wide | float, scale: Any = None, steps: float = 8) -> Expected:
    """ "f32 inside": one rounding to the dtype at the end.

    `steps` roundings in f32 of numbers as large as `scale` (by default the result's largest) come
    before; with them the last rounding may fall to the other side, so it counts a whole ulp.
    """
    value = np.asarray(value, np.float64)
    largest = np.abs(value[np.isfinite(value)]).max(initial=0.0) if scale is None else scale
    inside = steps * F32.unit * np.asarray(largest, np.float64)
    return Expected(p.dtype, value, inside + (0.0 if p == F32 else p.ulp(value)))


def in_f32(value: Wide | float, scale: Any = None, steps: float = 8) -> Expected:
    """A result that is f32 whatever the dtype under test."""
    return once(F32, value, scale, steps)


def stepwise(p: Precision, value: Wide | float, scale: Any, steps: float) -> Expected:
    """ "in T": `steps` roundings to the dtype of numbers no larger than `scale`.

    For a sum of n products that is the classical bound: n + 1 roundings of the sum of the
    absolute products, in whichever order they are added [NUM-6].
    """
    value = np.asarray(value, np.float64)
    return Expected(p.dtype, value, steps * p.unit * np.asarray(scale, np.float64))


def emulated(p: Precision, value: Array, ulps: float = 2) -> Expected:
    """ "in T" by NumPy in the dtype itself, which rounds each operation; `ulps` is what the
    library's `exp` may add [NUM-4]."""
    assert value.dtype == p.dtype
    return Expected(p.dtype, value, ulps * p.ulp(exact(value)))


def product(p: Precision, x: Array, weight: Array, bias: Array | None = None) -> Expected:
    """`x @ weight.T + bias` in T."""
    value, scale = exact(x) @ exact(weight).T, abs(exact(x)) @ abs(exact(weight)).T
    if bias is not None:
        value, scale = value + exact(bias), scale + abs(exact(bias))
    return stepwise(p, value, scale, x.shape[-1] + 2)
