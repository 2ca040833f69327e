"""Rounds a floating tensor to the form in which a program holds it.

`bf16` and `f16` round to nearest, ties to even. `int8` is symmetric: for each place along one
axis of a matrix, `scale = max |w| / 127` in f32 and `q = round(w / scale)` in -127..127, so that
`|w - q * scale| <= scale / 2` up to f32's own rounding. A row of zeros has scale 0. `int4` has
groups: see `_int4`.

Works on a few rows at a time, so that what it needs besides its result stays small.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import WeightsError
from linnet.signature import numpy_dtype
from linnet.weights._int4 import DEFAULT_GROUP, from_groups, to_groups

Array = NDArray[np.generic]
Floats = NDArray[np.floating[Any]]

# Numbers in a piece: 1 MiB of f32, which stays in a core's cache.
_PIECE = 1 << 18
_LEVELS = 127


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A tensor in its narrow form; `scale` has one f32 for each place along the scales' axis.

    With a `zero` it is int4: `values` [rows, groups, group / 2], both others [rows, groups].
    """

    values: Array
    scale: NDArray[np.float32] | None = None
    zero: NDArray[np.float32] | None = None

    @property
    def parts(self) -> dict[str, Array]:
        """The arrays beside the values, by the names of their roles."""
        both = {"scale": self.scale, "zero": self.zero}
        return {role: array for role, array in both.items() if array is not None}


def narrow(
    name: str, array: Array, scheme: str, axis: int = 0, group: int = DEFAULT_GROUP
) -> Narrowed:
    """Return a floating array as `bf16`, `f16`, `int8` (a matrix, scales along `axis`) or `int4`
    (one with rows along `axis`, of which the other extent is a multiple of `group`).

    WeightsError for NaN, an infinity, or what overflows: the narrow form would hide it.
    """
    if scheme == "int8":
        return _int8(name, array, axis)
    if scheme == "int4":
        packed, scales, zeros, largest = to_groups(array, axis, group)
        _check(name, largest, "int4")
        return Narrowed(packed, scales, zeros)
    wide: Floats = array  # pyright: ignore[reportAssignmentType]
    values = np.empty(array.shape, numpy_dtype(scheme))
    # A view as raw numbers, since `isfinite` of bf16 is not quick.
    flat, out = wide.reshape(-1), values.reshape(-1)
    for start in range(0, flat.size, _PIECE):
        piece = flat[start : start + _PIECE]
        with np.errstate(over="ignore"):
            out[start : start + _PIECE] = piece
        _check(name, _largest(piece), scheme)
    return Narrowed(values)


def part_shapes(shape: tuple[int, ...], axis: int) -> tuple[tuple[int, ...], ...]:
    """Return the shapes that the scales (or zeros) of a matrix may have in a file: the one that
    tells, by an axis of length one, along which axis of the matrix they lie, and for what is
    given without a word `shape` itself.

    Those of int8, a vector, become a column or a row. Those of int4, [rows, groups], are as
    `std.quant` has them where the rows lie along axis 0, and have an axis before them otherwise.
    """
    if len(shape) == 1:
        return ((*shape, 1) if axis == 0 else (1, *shape), shape)
    return (shape,) if axis == 0 else ((1, *shape),)


def widen(narrowed: Narrowed, axis: int = 0) -> NDArray[np.float32]:
    """Return the f32 numbers that a narrow form stands for."""
    if narrowed.scale is not None and narrowed.zero is not None:
        return from_groups(narrowed.values, narrowed.scale, narrowed.zero, axis)
    wide = narrowed.values.astype(np.float32)
    if narrowed.scale is not None:
        wide *= np.expand_dims(narrowed.scale, 1 - axis)
    return wide


def _largest(piece: Floats) -> float:
    """The largest absolute value; NaN if there is one."""
    return float(np.maximum(piece.max(), -piece.min())) if piece.size else 0.0


def _check(name: str, largest: float, scheme: str) -> None:
    if not np.isfinite(largest):
        raise WeightsError(
            f"tensor `{name}` holds a NaN or an infinity, which {scheme} weights cannot have",
            "find where the weights were spoiled; a float file of them loads without the option",
        )
    if scheme == "f16" and largest >= 65520:
        raise WeightsError(
            f"tensor `{name}` holds {largest:g}, beyond what f16 can hold", "store it as bf16"
        )


def _int8(name: str, array: Array, axis: int) -> Narrowed:
    rows, columns = array.shape
    step = max(1, _PIECE // max(1, columns))
    pieces = [slice(start, start + step) for start in range(0, rows, step)]
    largest = np.zeros(array.shape[axis], np.float32)
    for rows_ in pieces:
        piece = _f32(array[rows_])
        if not piece.size:
            continue
        found = np.maximum(piece.max(1 - axis), -piece.min(1 - axis))
        if axis == 0:
            largest[rows_] = found
        else:
            np.maximum(largest, found, out=largest)
    _check(name, _largest(largest), "int8")
    scale = largest / np.float32(_LEVELS)
    divisor = np.where(scale == 0, np.float32(np.inf), scale)
    values = np.empty(array.shape, np.int8)
    for rows_ in pieces:
        by = divisor[rows_, None] if axis == 0 else divisor
        numbers = _f32(array[rows_]) / by
        np.rint(numbers, out=numbers)
        # Beside a subnormal scale a quotient may come out a little above 127.
        values[rows_] = np.clip(numbers, -_LEVELS, _LEVELS, out=numbers)
    return Narrowed(values, scale)


def _f32(piece: Array) -> NDArray[np.float32]:
    return piece.astype(np.float32, copy=False)
