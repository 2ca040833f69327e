"""The largest size that fits: a search over one symbol with few evaluations, each a compilation."""

from collections.abc import Callable
from dataclasses import dataclass

# Sizes of more do not occur; a search that comes here ends.
_MOST = 1 << 40


@dataclass(frozen=True, slots=True)
class _Tried:
    """A size and the share of the budget that it takes."""

    size: int
    share: float


def largest(share: Callable[[int], float], start: int = 1) -> int | None:
    """Return the largest n >= 1 with `share(n) <= 1`, or None where 1 does not.

    `share(n)` is the part of the budget that n takes, and grows with n; infinity stands for a size
    that is refused. It is asked for few n: the next is where a straight line through two that are
    known meets 1.
    """
    before = low = _Tried(0, 0.0)
    high = _Tried(_MOST, float("inf"))
    at, moved, stuck = max(1, start), False, 0
    while high.size - low.size > 1:
        tried = _Tried(at, share(at))
        fits = tried.share <= 1
        stuck = stuck + 1 if fits == moved else 0
        moved = fits
        if fits:
            before, low = low, tried
        else:
            high = tried
        if high.size == _MOST:
            at = _beyond(before, low)
        elif stuck >= 2 or high.share == float("inf"):
            at = (low.size + high.size) // 2  # Of a curve the line finds one end again and again.
        else:
            at = _meeting(low, high)
        at = min(max(at, low.size + 1), high.size - 1)
    return low.size or None


def _beyond(before: _Tried, low: _Tried) -> int:
    """Where to ask while everything fits: a little behind where the line through two meets 1."""
    rise = (low.share - before.share) / (low.size - before.size)
    far = low.size + (1 - low.share) / rise if rise > 0 else float("inf")
    return int(min(far * 1.001, low.size * 64.0))


def _meeting(low: _Tried, high: _Tried) -> int:
    part = (1 - low.share) / (high.share - low.share)
    return low.size + int((high.size - low.size) * part)
