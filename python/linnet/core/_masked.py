"""Finds writes that leave some rows as they are, in the form of `linnet-narrow-masked-writes`."""

from collections.abc import Mapping

from linnet.core._records import Op, Value


def chosen_rows(
    made_by: Mapping[Value, Op], op: Op, axis: int, part: str
) -> tuple[Value, Value] | None:
    """Return a mask and rows where the value that `update_slice` writes is a choice between these
    rows and those that are there.

    What is there then need not be read to be written back. `made_by` gives the op of each value,
    `part` the size of the value along the axis.
    """
    return _Reader(made_by).chosen_rows(op, axis, part)


class _Reader:
    def __init__(self, made_by: Mapping[Value, Op]) -> None:
        self._made_by = made_by

    def chosen_rows(self, op: Op, axis: int, part: str) -> tuple[Value, Value] | None:
        target, value = op.operands[:2]
        select = self._made("select", value)
        if select is None:
            return None
        mask, rows, old = select.operands
        spread, take = self._made("broadcast", mask), self._made("take", old)
        if spread is None or take is None or spread.attributes["axes"] != (axis,):
            return None
        if take.operands[0] is not target or take.attributes["axis"] != axis:
            return None
        places, start = self._made("add", take.operands[1]), op.operands[2 + axis]
        if places is None or not self._inside(start, f"{target.type.shape[axis]} - {part}"):
            return None
        for counted, first in (places.operands, reversed(places.operands)):
            begin = self._made("broadcast", first)
            if begin is not None and begin.operands[0] is start and self._made("iota", counted):
                return spread.operands[0], rows
        return None

    def _made(self, name: str, value: Value) -> Op | None:
        """Return the op of this name that makes a value."""
        op = self._made_by.get(value)
        return op if op is not None and op.name == name else None

    def _inside(self, start: Value, last: str) -> bool:
        """Whether a start is written as clamped from 0 to an expression."""
        clamped = self._made("max", start)
        if clamped is None:
            return False
        value, low = clamped.operands
        zero = self._made("constant", low)
        if zero is None or zero.attributes["literal"] != 0:
            return False
        narrowed = self._made("cast", value)
        below = self._made("min", value if narrowed is None else narrowed.operands[0])
        if below is None:
            return False
        given, high = below.operands
        if narrowed is not None:
            # What was widened before it was clamped is no longer than it was.
            widened = self._made("cast", given)
            if widened is None or widened.operands[0].type.dtype != start.type.dtype:
                return False
        size = self._made("dim_constant", high)
        return size is not None and size.attributes["value"] == last
