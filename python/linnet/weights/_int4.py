"""Half bytes in groups, as `Int4GroupLinear` of `std.quant` has them.

The rows of a matrix lie along the outputs of its product, each in groups of elements that are
summed together. A group has a scale and a zero in f32, so that its least element is `q = 0` and its
largest `q = 15`: `scale = (max - min) / 15`, `zero = -min / scale`, and `(q - zero) * scale` is off
by half a scale at most, up to f32's own rounding. Of a group of equal elements `q` is 0, `zero` -1
and `scale` the element. Element `2k` of a group is the low half of byte `k`, `2k + 1` the high one.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]
Floats = NDArray[np.float32]

# The sizes of groups that there are; what a sum is no multiple of takes the next smaller one.
GROUPS = (256, 128, 64, 32, 16)
DEFAULT_GROUP = 64

_LEVELS = 15
# Numbers in a piece: 1 MiB of f32, which stays in a core's cache.
_PIECE = 1 << 18
# A step below f32's normal numbers says nothing; such elements are as good as equal.
_TINY = np.finfo(np.float32).tiny


def group_of(extent: int, wanted: int) -> int | None:
    """Return the largest group of at most `wanted` elements of which `extent` is a multiple."""
    return next((g for g in GROUPS if g <= wanted and extent % g == 0), None)


def packed_shape(
    shape: tuple[int, ...], axis: int, group: int
) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """Return the shapes of the bytes and of the scales of a matrix that keeps `axis`."""
    rows, groups = shape[axis], shape[1 - axis] // group
    return (rows, groups, group // 2), (rows, groups)


def to_groups(
    array: Array, axis: int, group: int
) -> tuple[NDArray[np.uint8], Floats, Floats, float]:
    """Return the bytes, scales and zeros of a floating matrix whose rows lie along `axis`.

    The last result is its largest absolute value, not finite if it holds what is not; then the
    others mean nothing.
    """
    packed, each = packed_shape(array.shape, axis, group)
    values = np.empty(packed, np.uint8)
    scales, zeros = np.empty(each, np.float32), np.empty(each, np.float32)
    rows = array if axis == 0 else array.T
    step = max(1, _PIECE // max(1, rows.shape[1]))
    largest = 0.0
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        piece: Floats = np.ascontiguousarray(rows[part], np.float32)
        piece = piece.reshape(len(piece), -1, group)
        if not piece.size:
            continue
        low, high = piece.min(-1), piece.max(-1)
        # NaN stays NaN.
        largest = float(np.maximum(largest, np.maximum(high.max(), -low.min())))
        if not np.isfinite(largest):
            break
        scale = high / np.float32(_LEVELS) - low / np.float32(_LEVELS)
        flat = scale < _TINY
        divisor = np.where(flat, np.float32(1), scale)
        # By halves, since a difference of two numbers may be beyond f32.
        steps = piece * np.float32(0.5) - (low * np.float32(0.5))[..., None]
        steps /= (divisor * np.float32(0.5))[..., None]
        np.rint(steps, out=steps)
        q = np.clip(steps, 0, _LEVELS, out=steps).astype(np.uint8)
        q[flat] = 0
        values[part] = q[..., 0::2] | np.left_shift(q[..., 1::2], 4, dtype=np.uint8)
        scales[part] = np.where(flat, low, scale)
        zeros[part] = np.where(flat, np.float32(-1), -low / divisor)
    return values, scales, zeros, largest


def from_groups(values: Array, scale: Floats, zero: Floats, axis: int) -> Floats:
    """Return the f32 matrix that bytes, scales and zeros stand for."""
    packed = values.astype(np.uint8, copy=False)
    wide = np.empty((*packed.shape, 2), np.float32)
    wide[..., 0] = packed & 15
    wide[..., 1] = packed >> 4
    numbers = wide.reshape(*scale.shape, -1)
    numbers -= zero[..., None]
    numbers *= scale[..., None]
    rows = numbers.reshape(len(scale), -1)
    return rows if axis == 0 else np.ascontiguousarray(rows.T)
