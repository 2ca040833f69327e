"""Numbers to compute with: ordinary ones, and the ends and corners of each dtype."""

from typing import Any

import numpy as np

from linnet.signature import numpy_dtype
from stablehlo._case import FLOATS, SIGNED, UNSIGNED, Array, Inputs, Shape

INF, NAN = np.inf, np.nan


def ordinary(dtype: str, shape: Shape, seed: int = 0, least: float = -4) -> Array:
    """Small numbers of both signs, where the dtype has two."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype in FLOATS:
        return rng.uniform(least, 4, shape).astype(numpy_dtype(dtype))
    return rng.integers(0 if dtype in UNSIGNED else -5, 9, shape).astype(numpy_dtype(dtype))


def corners(dtype: str) -> Array:
    """Both ends, what is next to them, zeros, infinities and NaN."""
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return np.array([False, True])
    if dtype in FLOATS:
        most = {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028e38, "f64": 1.7976e308}[dtype]
        values = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.5, 3.0, -7.25, 0.1, 1e-3, most, -most]
        return np.array(values, np.float64).astype(kind)
    limits = np.iinfo(kind)
    values = [limits.min, limits.min + 1, 0, 1, 2, 3, 7, 100, limits.max - 1, limits.max]
    if dtype in SIGNED:
        values += [-1, -2, -3, -7, -100]
    return np.array(values, kind)


def pairs(dtype: str) -> tuple[Array, Array]:
    """Every corner with every corner."""
    values = corners(dtype)
    return values.repeat(len(values)), np.tile(values, len(values))


def divisible(dtype: str) -> tuple[Array, Array]:
    """Pairs whose quotient is defined: no integer division by zero [NUM-3]."""
    left, right = pairs(dtype)
    kept = (right != 0) | (dtype in FLOATS)
    return left[kept], right[kept]


def shifts(dtype: str) -> tuple[Array, Array]:
    """Every corner by every amount below the width [PRE-5]."""
    values, amounts = corners(dtype), np.arange(numpy_dtype(dtype).itemsize * 8)
    return values.repeat(len(amounts)), np.tile(amounts, len(values)).astype(values.dtype)


def each(*shapes: Shape, least: float = -4) -> Inputs:
    """Ordinary numbers of the dtype in each shape."""
    return lambda dtype: [ordinary(dtype, shape, n, least) for n, shape in enumerate(shapes)]


def same(*arrays: Any) -> Inputs:
    """The same arrays whatever the dtype."""
    return lambda dtype: arrays


def castable(source: str, target: str) -> Array:
    """Numbers of `source` that have a value in `target` [NUM-5]."""
    if source not in FLOATS or target in FLOATS or target == "bool":
        values = corners(source)
        if source in FLOATS:
            return values
        if target in FLOATS and source != "bool":
            # Where a float of the target's width has to round, ties among them.
            limits = np.iinfo(values.dtype)
            more = [257, 258, 259, 2049, 2051, 16777217, 16777219, 2**53 + 1, 2**60 + 2**36 + 1]
            kept = [n for n in more if n <= limits.max]
            return np.concatenate([values, np.array(kept, values.dtype)])
        return values
    limits = np.iinfo(numpy_dtype(target))
    line = [0.0, -0.0, 0.5, 0.99, 1.0, 1.5, 2.5, 99.75, 127.0, 200.5, 255.5, 1e4, 3e9, 1e18]
    with np.errstate(over="ignore"):
        both = np.array([*line, *(-x for x in line)], np.float64).astype(numpy_dtype(source))
    wide = both.astype(np.float64)
    # -0.5 truncates to zero, which every dtype has.
    return both[(np.trunc(wide) >= limits.min) & (np.trunc(wide) < float(limits.max))]
