"""`std.nn.sampling` once more, for the host: the token that the device would draw.

It takes the same steps in whole numbers, with a sort in place of the searches, so that a token
drawn here, after a prompt or in single steps, is the one that a loop on the device draws from the
same logits. `std/nn/sampling.linnet` explains the numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_FAR = 31 << 24
_LOGARITHMS = np.float32(24204406.0)
# 2^-x for 0 <= x < 1, with 30 bits.
_POWERS = (116451, 1366736, 10283013, 59581192, 257938491, 744260935, 1073741824)
_MASK = (1 << 32) - 1
_TURNS = ((13, 15, 26, 6), (17, 29, 16, 24))


def sample(
    logits: Array,
    key: tuple[int, int],
    position: int,
    row: int = 0,
    *,
    temperature: float,
    top_k: int = 0,
    top_p: float = 1.0,
) -> int:
    """Return the token of one row of logits [V], of any float dtype; see `std.nn.sampling`."""
    wide = logits.astype(np.float32)
    heat = np.float32(temperature)
    if not heat > 0:
        return int(wide.argmax())
    distance = _distances(wide, heat)
    if 0 < top_k < distance.size:
        last = np.partition(distance, top_k - 1)[top_k - 1]
        distance = np.where(distance <= last, distance, _FAR)
    mass = _masses(distance)
    kept_p = np.float32(top_p)
    if kept_p < 1:
        total = int(mass.sum())
        part = int(max(kept_p, np.float32(0)) * np.float32(2**31))
        mass = np.where(distance <= _edge(distance, mass, max(total * part >> 31, 1)), mass, 0)
    sums = np.cumsum(mass)
    target = int(sums[-1]) * (_word(key, position, row) >> 1) >> 31
    return int(np.searchsorted(sums, target, side="right"))


def _edge(distance: Array, mass: Array, limit: int) -> int:
    """Return the distance of the furthest token that less than `limit` of the mass precedes."""
    weighty = mass > 0
    order = np.argsort(distance[weighty], kind="stable")
    nearest = distance[weighty][order]
    sums = np.cumsum(mass[weighty][order])
    # Equal distances are preceded by what lies before the first of them.
    firsts = np.searchsorted(nearest, nearest, side="left")
    nearer = np.where(firsts > 0, sums[firsts - 1], 0)
    return int(nearest[np.searchsorted(nearer, limit, side="left") - 1])


def _distances(wide: Array, heat: np.float32) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        scale = min(_LOGARITHMS / heat, np.float32(1e38))
        return np.minimum((wide.max() - wide) * scale, np.float32(_FAR)).astype(np.int32)


def _masses(distance: Array) -> Array:
    rest = (distance & ((1 << 24) - 1)).astype(np.int64)
    power = np.full_like(rest, _POWERS[0])
    for factor in _POWERS[1:]:
        power = factor - (rest * power >> 24)
    return power >> (distance >> 24)


def _word(key: tuple[int, int], position: int, row: int) -> int:
    """Return `bits(fold_in(key, position))[row]`."""
    left, right = _threefry(_threefry(key, (0, position & _MASK)), (0, row))
    return left ^ right


def _threefry(key: tuple[int, int], counter: tuple[int, int]) -> tuple[int, int]:
    words = (*key, 0x1BD11BDA ^ key[0] ^ key[1])
    x, y = ((word + of) & _MASK for word, of in zip(counter, key, strict=True))
    for turn in range(5):
        for by in _TURNS[turn % 2]:
            x = (x + y) & _MASK
            y = ((y << by) | (y >> (32 - by))) & _MASK ^ x
        x = (x + words[(turn + 1) % 3]) & _MASK
        y = (y + words[(turn + 2) % 3] + turn + 1) & _MASK
    return x, y
