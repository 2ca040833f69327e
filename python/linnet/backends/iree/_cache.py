"""Finds where one position of a cache is written, as `std.nn.cache::write_at` arrives."""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from dataclasses import dataclass

from linnet.backends.iree._match import (
    Value,
    broadcast_of,
    element_of,
    maker,
    number_of,
    same,
    shape_of,
)


@dataclass(frozen=True, slots=True)
class Write:
    """`rows` [B, H, D], or with axes of extent 1 between, enter `cache` [B, H, T, D] at the i32
    position `at`; a position outside of it writes nothing."""

    cache: Value
    rows: Value
    at: Value


def write_of(value: Value) -> Write | None:
    """Return the write of one position that makes a value, if one does.

    It is an update at the clamped position, by the old row where that is not the position given.
    """
    update = maker(value, "dynamic_update_slice")
    if update is None or len(shape_of(value)) != 4:
        return None
    cache, row, *starts = update.operands
    shape = shape_of(cache)
    if -1 in shape or shape_of(row) != [shape[0], shape[1], 1, shape[3]]:
        return None
    place = starts.pop(2)
    if any(number_of(start) != 0 for start in starts) or element_of(place) != "i32":
        return None
    choice = maker(row, "select")
    at = _position(place, shape[2])
    if choice is None or at is None:
        return None
    inside, new, _ = choice.operands
    test = broadcast_of(inside)
    compare = None if test is None else maker(test[0], "compare")
    if compare is None or "EQ" not in str(compare.attributes["comparison_direction"]):
        return None
    sides = [broadcast_of(side) for side in compare.operands]
    scalars = [side[0] if side is not None else None for side in sides]
    if not same(scalars[0], place) or not same(scalars[1], at):
        return None
    return Write(cache, _unlengthened(new), at)


def _position(place: Value, count: int) -> Value | None:
    """Return the i of `max(min(i, count - 1), 0)`."""
    low = maker(place, "maximum")
    if low is None or number_of(low.operands[1]) != 0:
        return None
    high = maker(low.operands[0], "minimum")
    if high is None or number_of(high.operands[1]) != count - 1:
        return None
    return high.operands[0]


def _unlengthened(rows: Value) -> Value:
    """Return the tensor of which `rows` has the elements, in their order."""
    while (found := broadcast_of(rows)) is not None:
        inner, axes = found
        kept = [extent for extent in shape_of(inner) if extent != 1]
        if sorted(axes) != axes or kept != [extent for extent in shape_of(rows) if extent != 1]:
            break
        rows = inner
    return rows
