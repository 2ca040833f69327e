"""An estimate of what an entry needs beside its arguments, from CORE alone.

Walks the ops in order and keeps the sum of what is alive. A code generator computes views and
single-use element-wise ops where they are used, so those take nothing but keep their operands
alive; a state is written in place. Real compilers fuse more in one place and less in another: the
figure is an estimate and is called so.
"""

from collections.abc import Mapping
from math import prod

from linnet.core import Function, Op, Region, TensorType, Value
from linnet.signature import numpy_dtype

_VIEWS = frozenset(["constant", "iota", "splat", "broadcast", "reshape", "transpose", "slice"])
_WHOLE = frozenset(["contract", "reduce", "concat", "take", "update_slice", "while", "if", "pad"])


def size_of(type_: TensorType) -> int:
    """Return the bytes of a tensor."""
    return prod(type_.fixed) * numpy_dtype(type_.dtype).itemsize


def estimate(function: Function) -> int:
    """Return the most bytes alive at once, results included, parameters and states not."""
    first_state = len(function.signature.inputs) + len(function.signature.params)
    states = frozenset(function.body.arguments[first_state:])
    return _region(function.body, states)


def _region(region: Region, states: frozenset[Value]) -> int:
    uses = _uses(region)
    in_place = set(states)
    taken: dict[Value, int] = {}
    stands_on: dict[Value, tuple[Value, ...]] = {}
    for op in region.ops:
        if op.name == "update_slice" and op.operands[0] in in_place:
            in_place.update(op.results)
        for result in op.results:
            if result in in_place:
                continue
            if _is_fused(op, uses):
                stands_on[result] = op.operands
            else:
                taken[result] = size_of(result.type)
    last = _last_uses(region, stands_on)
    most = alive = 0
    ending: dict[int, list[Value]] = {}
    for value, at in last.items():
        ending.setdefault(at, []).append(value)
    for at, op in enumerate(region.ops):
        alive += sum(taken.get(result, 0) for result in op.results)
        inner = max((_region(each, states) for each in op.regions), default=0)
        most = max(most, alive + inner)
        alive -= sum(taken.get(value, 0) for value in ending.get(at, ()))
    return most


def _uses(region: Region) -> Mapping[Value, int]:
    found: dict[Value, int] = {}
    for op in region.ops:
        for operand in op.operands:
            found[operand] = found.get(operand, 0) + 1
        for inner in op.regions:
            for value, count in _uses(inner).items():
                found[value] = found.get(value, 0) + count
    return found


def _is_fused(op: Op, uses: Mapping[Value, int]) -> bool:
    if op.name in _VIEWS:
        return True
    return op.name not in _WHOLE and uses.get(op.results[0], 0) == 1 if op.results else True


def _last_uses(region: Region, stands_on: Mapping[Value, tuple[Value, ...]]) -> Mapping[Value, int]:
    """The op after which each value is needed no more; what stands on a value needs it too."""
    last: dict[Value, int] = {}
    for at, op in enumerate(region.ops):
        named = [*op.operands]
        for inner in op.regions:
            named += _uses(inner)
        while named:
            value = named.pop()
            last[value] = at
            named += stands_on.get(value, ())
    return last
