"""Facts about the values of one entry: who defines them, who uses them, which are states."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from linnet.core import Function, Op, Region, Value
from linnet.signature import Member

# Ops whose result may share the storage of their operand.
VIEWS = frozenset({"reshape", "transpose", "slice", "broadcast", "splat"})
# Ops that may be computed again wherever their result is needed.
_FREE = frozenset({"constant", "dim_constant", "iota"})
_CHEAP = frozenset({"splat", "broadcast", "reshape", "cast", "transpose"})
_AGAIN = 8
# What gives a number where it is given numbers.
_FOLDED = frozenset({"cast", "neg", "sqrt", "rsqrt", "exp", "log", "add", "sub", "mul", "div"})


def text_of(op: Op, name: str) -> str:
    """An attribute that is a text."""
    return cast(str, op.attributes.get(name, ""))


def texts_of(op: Op, name: str) -> tuple[str, ...]:
    """An attribute that lists texts."""
    return cast("tuple[str, ...]", op.attributes.get(name, ()))


@dataclass
class Facts:
    """`members` are the arguments that hold params, buffers and states. `versions` says which
    state a value is at some time; only values that the program has no other name for."""

    function: Function
    members: dict[Value, Member] = field(default_factory=dict[Value, Member])
    definitions: dict[Value, Op] = field(default_factory=dict[Value, Op])
    versions: dict[Value, str] = field(default_factory=dict[Value, str])
    free: dict[Region, tuple[Value, ...]] = field(default_factory=dict[Region, tuple[Value, ...]])

    def is_number(self, value: Value) -> bool:
        """Whether a value without axes is known before the program runs."""
        op = self.definitions.get(value)
        if op is None or value.type.shape:
            return False
        if op.name in ("constant", "dim_constant"):
            return True
        dtypes = {value.type.dtype, *(operand.type.dtype for operand in op.operands)}
        if "bool" in dtypes or (op.name != "cast" and value.type.dtype[0] not in "fb"):
            return False
        return op.name in _FOLDED and all(map(self.is_number, op.operands))

    def again(self, value: Value) -> bool:
        """Whether a value is a constant or a row of positions, not worth an argument."""
        return self._cost(value) <= _AGAIN

    def _cost(self, value: Value) -> int:
        op = self.definitions.get(value)
        if op is None:
            return _AGAIN + 1
        if op.name in _FREE:
            return 1
        if op.name in _CHEAP or (len(op.operands) <= 2 and not op.regions and op.operands):
            return 1 + sum(self._cost(operand) for operand in op.operands)
        return _AGAIN + 1


def facts_of(function: Function) -> Facts:
    """Look through an entry."""
    signature = function.signature
    facts = Facts(function)
    arguments = function.body.arguments[len(signature.inputs) :]
    for member, value in zip((*signature.params, *signature.states), arguments, strict=True):
        facts.members[value] = member
        if member.kind == "state":
            facts.versions[value] = member.path
    _define(function.body, facts)
    mark_scopes(function.body, facts)
    given = function.body.ops[-1].operands[len(signature.results) :]
    for member, value in zip(signature.states, given, strict=True):
        _version(value, member.path, facts)
    return facts


def _define(region: Region, facts: Facts) -> set[Value]:
    """Note the definitions; return what the region uses and does not define."""
    used: dict[Value, None] = {}
    inside = set(region.arguments)
    for op in region.ops:
        for operand in op.operands:
            used.setdefault(operand)
        for inner in op.regions:
            for value in _define(inner, facts):
                used.setdefault(value)
        for result in op.results:
            facts.definitions[result] = op
            inside.add(result)
    facts.free[region] = tuple(value for value in used if value not in inside)
    return set(facts.free[region])


def _version(value: Value, path: str, facts: Facts) -> None:
    """Mark what is the new value of a state, and where it comes from."""
    if value in facts.versions or value in facts.members:
        return
    op = facts.definitions.get(value)
    if op is None:
        return
    facts.versions[value] = path
    if op.name == "scope":
        ended = op.regions[0].ops[-1]
        _version(ended.operands[op.results.index(value)], path, facts)


def is_state_result(op: Op, index: int) -> bool:
    """Whether a result of a scope is the new value of a state."""
    return index >= len(op.results) - len(texts_of(op, "states"))


def mark_scopes(region: Region, facts: Facts) -> None:
    """Mark the states that scopes say they give, also those that a later write replaces."""
    for op in region.ops:
        if op.name == "scope":
            states = texts_of(op, "states")
            first = len(op.results) - len(states)
            for result, path in zip(op.results[first:], states, strict=True):
                _version(result, path, facts)
        for inner in op.regions:
            mark_scopes(inner, facts)


def uses_in(region: Region, facts: Facts) -> dict[Value, int]:
    """How often each value is used in a region, a scope being one use of what it takes from
    outside; what a loop uses counts once more, so that it is computed before."""
    count: dict[Value, int] = {}

    def add(values: Iterable[Value], times: int) -> None:
        for value in values:
            count[value] = count.get(value, 0) + times

    for op in region.ops:
        add(op.operands, 1)
        for inner in op.regions:
            if op.name == "scope":
                add(facts.free[inner], 1)
            else:
                for value, times in uses_in(inner, facts).items():
                    if value in facts.free[inner]:
                        add([value], times + (op.name == "while"))
    return count


_ELEMENTWISE = frozenset(
    [
        "neg",
        "abs",
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tanh",
        "not",
        "add",
        "sub",
        "mul",
        "div",
        "rem",
        "min",
        "max",
        "and",
        "or",
        "xor",
        "shl",
        "shr",
        "compare",
        "select",
        "cast",
    ]
)


def kept_in(region: Region, facts: Facts) -> dict[Value, tuple[int, ...]]:
    """Reductions, and what is computed of them alone, that are only spread along the axes that
    were reduced: their axes may stay, with one element each. Gives those axes."""
    axes: dict[Value, tuple[tuple[int, ...], int]] = {}
    for op in region.ops:
        if op.name == "reduce":
            rank = len(op.operands[0].type.shape)
            axes[op.results[0]] = (cast("tuple[int, ...]", op.attributes["axes"]), rank)
        elif op.name in _ELEMENTWISE and op.results[0].type.shape:
            given = {axes[v] for v in op.operands if v in axes}
            others = [v for v in op.operands if v not in axes]
            if len(given) == 1 and all(_is_even(v, facts) for v in others):
                axes[op.results[0]] = given.pop()
    while True:
        bad: set[Value] = set()
        for op in region.ops:
            for value in [*op.operands, *(v for r in op.regions for v in facts.free[r])]:
                if value in axes and not _keeps(op, value, axes):
                    bad.add(value)
            if op.name in _ELEMENTWISE and op.results[0] in axes:
                given = [axes.get(v) for v in op.operands if not _is_even(v, facts)]
                if any(each != axes[op.results[0]] for each in given):
                    bad.add(op.results[0])
        if not bad:
            return {value: reduced for value, (reduced, _) in axes.items()}
        for value in bad:
            axes.pop(value, None)


def _is_even(value: Value, facts: Facts) -> bool:
    """Whether all elements are one number."""
    op = facts.definitions.get(value)
    if op is None:
        return not value.type.shape
    if op.name == "broadcast":
        return not op.operands[0].type.shape
    return op.name in ("constant", "dim_constant", "splat")


def _keeps(op: Op, value: Value, axes: dict[Value, tuple[tuple[int, ...], int]]) -> bool:
    reduced, rank = axes[value]
    if op.name == "broadcast":
        along = cast("tuple[int, ...]", op.attributes["axes"])
        left = tuple(axis for axis in range(rank) if axis not in reduced)
        return len(op.results[0].type.shape) == rank and along == left
    return op.name in _ELEMENTWISE and axes.get(op.results[0]) == axes[value]
