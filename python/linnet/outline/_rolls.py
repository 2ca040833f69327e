"""Finds loops over the instances of an array in straight-line code.

`static for` is expanded in CORE: element `i` of an array has ops of its own. A run of segments
that differ only in the number of the element, each taking what the one before gave, is one loop.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linnet.core import Op, Value
from linnet.outline._analysis import Facts, is_state_result, text_of

if TYPE_CHECKING:
    from linnet.outline._calls import Calls


@dataclass(frozen=True)
class Roll:
    """Segments of `period` ops from `start` to `end` over elements `first`, `first + 1`, ...

    `carried` are, for what goes from segment to segment: the value before the loop, the one that
    the first segment gives, the one that the last gives. `invariant` are other values from before.
    """

    start: int
    end: int
    period: int
    array: str
    first: int
    count: int
    total: int
    carried: tuple[tuple[Value, Value, Value], ...]
    invariant: tuple[Value, ...]
    used: dict[Value, int] = field(default_factory=dict[Value, int])

    def uses(self, value: Value) -> int:
        """How often the first segment uses a value from before."""
        return self.used.get(value, 0)


def find_rolls(
    ops: Sequence[Op], facts: Facts, calls: "Calls", opened: Sequence[str]
) -> list[Roll]:
    """The loops among these ops, in order; they do not overlap.

    `opened` are instances that have a name already: that of the body, and those of loops around.
    """
    marks = [_element(op, facts, calls, opened) for op in ops]
    rolls: list[Roll] = []
    index = 0
    while index < len(ops):
        mark = marks[index]
        found = None
        if mark is not None:
            array, first = mark
            following = [i for i in range(index + 1, len(ops)) if marks[i] == (array, first + 1)]
            if following:
                period = following[0] - index
                low = rolls[-1].end if rolls else 0
                for start in range(index, max(index - period, low - 1), -1):
                    found = _roll(ops, start, period, array, first, facts, calls)
                    if found is not None:
                        break
        if found is None:
            index += 1
        else:
            rolls.append(found)
            index = found.end
    return rolls


def _element(op: Op, facts: Facts, calls: "Calls", opened: Sequence[str]) -> tuple[str, int] | None:
    """The element of an array that an op touches: the outermost one under this body."""
    paths: list[str] = []
    if op.name == "scope":
        if text_of(op, "kind") == "method":
            paths.append(text_of(op, "path"))
        elif calls.variant(op) is None:
            return None
    paths += [facts.members[v].path for v in op.operands if v in facts.members]
    for path in paths:
        parts = path.split(".")
        for at, part in enumerate(parts):
            whole = ".".join(parts[: at + 1])
            if part.isdigit() and not any(f"{o}.".startswith(f"{whole}.") for o in opened):
                return ".".join(parts[:at]), int(part)
    return None


def _roll(
    ops: Sequence[Op],
    start: int,
    period: int,
    array: str,
    first: int,
    facts: Facts,
    calls: "Calls",
) -> Roll | None:
    """The loop whose first segment is this, or None if the second one is no copy of it."""
    segment = ops[start : start + period]
    if len(segment) < period or any(op.regions and op.name != "scope" for op in segment):
        return None
    inside = {result for op in segment for result in op.results}
    outside: dict[Value, int] = {}
    for op in segment:
        values = [*op.operands, *(calls.captured(op) if op.name == "scope" else ())]
        for value in values:
            if value not in inside:
                outside[value] = outside.get(value, 0) + 1
    # What the first segment reads from before -> what the second reads in its place.
    carried: dict[Value, Value] = {}
    maps: list[dict[Value, Value]] = [{value: value for value in inside}]
    count = 1
    while True:
        at = start + count * period
        matched = _match(segment, ops[at : at + period], array, first, count, facts, calls)
        if matched is None:
            break
        results, seen = matched
        steps: dict[Value, Value] = {}
        ok = True
        for value, other in seen.items():
            if value is other or value in facts.members or not outside.get(value):
                continue
            source = next((v for v, w in maps[-1].items() if w is other), None)
            if source is None:
                ok = False
                break
            steps[value] = source
        if not ok:
            break
        if count == 1:
            carried = steps
            if any(
                seen.get(v) is not v and v not in steps
                for v in outside
                if v in seen and v not in facts.members
            ):
                return None
        elif steps != carried:
            break
        maps.append(results)
        count += 1
    if count < 2:
        return None
    end = start + count * period
    last = maps[-1]
    kept = {last[output] for output in carried.values()}
    inner = {r for op in ops[start:end] for r in op.results}
    for later in ops[end:]:
        for value in [*later.operands, *(v for r in later.regions for v in facts.free[r])]:
            if value in inner and value not in kept and not _is_state(value, facts):
                return None
    return Roll(
        start,
        end,
        period,
        array,
        first,
        count,
        calls.lengths.get(array, first + count),
        tuple((value, output, last[output]) for value, output in carried.items()),
        tuple(value for value in outside if value not in carried),
        outside,
    )


def _is_state(value: Value, facts: Facts) -> bool:
    op = facts.definitions.get(value)
    return op is not None and op.name == "scope" and is_state_result(op, op.results.index(value))


def _match(
    segment: Sequence[Op],
    other: Sequence[Op],
    array: str,
    first: int,
    count: int,
    facts: Facts,
    calls: "Calls",
) -> tuple[dict[Value, Value], dict[Value, Value]] | None:
    """The results and the outer operands of `segment` -> those of `other`, if it is a copy."""
    if len(other) < len(segment):
        return None
    old, new = f"{array}.{first}", f"{array}.{first + count}"

    def moved(path: str) -> str:
        return new + path[len(old) :] if path == old or path.startswith(f"{old}.") else path

    results: dict[Value, Value] = {}
    seen: dict[Value, Value] = {}
    for left, right in zip(segment, other, strict=False):
        if left.name != right.name or len(left.results) != len(right.results):
            return None
        if [r.type for r in left.results] != [r.type for r in right.results]:
            return None
        mine, theirs = list(left.operands), list(right.operands)
        if left.name == "scope":
            if moved(text_of(left, "path")) != text_of(right, "path"):
                return None
            a, b = calls.variant(left), calls.variant(right)
            if a is not b:
                return None
            if a is None and text_of(left, "callee") != text_of(right, "callee"):
                return None
            mine += calls.captured(left)
            theirs += calls.captured(right)
        elif dict(left.attributes) != dict(right.attributes):
            return None
        if len(mine) != len(theirs):
            return None
        for value, its in zip(mine, theirs, strict=True):
            if value in results:
                if results[value] is not its:
                    return None
            elif value in facts.members:
                member = facts.members.get(its)
                if member is None or member.path != moved(facts.members[value].path):
                    return None
            elif seen.setdefault(value, its) is not its:
                return None
        results.update(zip(left.results, right.results, strict=True))
    return results, seen
