"""Proves on IREE's stream level that no state is copied in a step, or names the op that does.

After the phase `stream` every buffer is a resource, and every access to one is written down: a
dispatch says which resources it reads and writes, everything else is a `stream.cmd.copy`. A state
is a `util.global` resource. It is updated in place when no other resource is stored to the global,
and no command moves all of it. A dispatch moves what its body loads from the state and stores
unchanged: copied, turned, converted, packed for a product, chosen by a mask. Arithmetic and
products make new values. A dispatch without a body here is one of our own kernels, which read a
state where it lies and write parts of it.

`get.N` and `set.N` are no steps.
"""

# IREE's bindings have no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import prod
from typing import Any

from linnet.backends._states import StateCopy, StateReport, Verdict, is_small, join_reports
from linnet.backends._states import report_of as _report
from linnet.signature import Member

_READ, _WRITE = 1, 2
# Tensor ops whose result holds elements of their operands, no new ones.
_MOVES = frozenset(
    [
        "iree_encoding.set_encoding",
        "iree_encoding.unset_encoding",
        "tensor.expand_shape",
        "tensor.collapse_shape",
        "tensor.extract_slice",
        "tensor.insert_slice",
        "tensor.cast",
        "tensor.concat",
        "tensor.pad",
        "tensor.reshape",
        "linalg.copy",
        "linalg.transpose",
        "linalg.broadcast",
        "linalg.pack",
        "linalg.unpack",
        "linalg.reverse",
        "iree_linalg_ext.pack",
        "iree_linalg_ext.unpack",
        "iree_linalg_ext.gather",
    ]
)
# Scalar ops that hand on an operand.
_HANDS_ON = frozenset(
    [
        "arith.select",
        "arith.extf",
        "arith.truncf",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "arith.bitcast",
    ]
)


@dataclass(frozen=True, slots=True)
class _Move:
    """What a dispatch moves: elements read from one of its resources and stored to another."""

    source: int
    target: int
    count: int


def check_states(text: str, functions: Sequence[str], states: Sequence[Member]) -> StateReport:
    """Return the verdicts on all states in all functions of a module at the stream level.

    `functions[N]` is the name of `call.N`, `states[N]` the state in the global `state.N`.
    """
    ir: Any = import_module("iree.compiler.ir")
    context = ir.Context()
    module = ir.Module.parse(text, context=context)
    bodies: dict[str, Any] = {}
    steps: dict[str, Any] = {}
    for view in module.body.operations:
        op = view.operation
        if op.name == "stream.executable":
            for inner in _inside(op):
                if inner.name == "func.func":
                    bodies[_text(inner, "sym_name")] = inner
        elif op.name == "util.func":
            steps[_text(op, "sym_name")] = op
    moves: dict[str, list[_Move]] = {}
    reports: list[StateReport] = []
    for number, function in enumerate(functions):
        found = steps.get(f"call.{number}")
        if found is not None:
            step = _Step(found, steps, bodies, moves, states)
            copies = [
                StateCopy(function, states[state].path, op)
                for (state, op) in dict.fromkeys(step.copies)
                if not is_small(states[state])
            ]
            reports.append(_report(function, states, step.verdicts(), copies))
    return join_reports(reports)


def _inside(op: Any) -> Iterator[Any]:
    """The ops in an op, outermost first."""
    for region in op.regions:
        for block in region.blocks:
            for view in block.operations:
                yield view.operation
                yield from _inside(view.operation)


def _text(op: Any, name: str) -> str:
    return str(op.attributes[name]).strip('"@')


def _segments(op: Any) -> list[list[Any]]:
    """The operands of an op by its segments."""
    sizes = [int(size) for size in op.attributes["operandSegmentSizes"]]
    groups: list[list[Any]] = []
    operands, start = list(op.operands), 0
    for size in sizes:
        groups.append(operands[start : start + size])
        start += size
    return groups


def _constant(value: Any) -> int | None:
    owner = value.owner
    op = getattr(owner, "operation", None)
    if op is None or op.name != "arith.constant":
        return None
    return _integer(op.attributes["value"])


def _integer(attribute: Any) -> int:
    """The value of an attribute that prints as `4 : i32`."""
    return int(str(attribute).partition(":")[0])


class _Step:
    """The commands of a function and of those that it calls."""

    def __init__(
        self,
        function: Any,
        functions: dict[str, Any],
        bodies: dict[str, Any],
        moves: dict[str, list[_Move]],
        states: Sequence[Member],
    ) -> None:
        self._bodies = bodies
        self._moves = moves
        self._sizes = [prod(state.shape) for state in states]
        self._widths = [state.numpy.itemsize for state in states]
        self._written: set[int] = set()
        self._replaced: set[int] = set()
        # Elements of states that were moved to a resource, and by what.
        self._arrived: dict[Any, list[tuple[int, int, str]]] = {}
        self.copies: list[tuple[int, str]] = []
        ops = list(_inside(function))
        called = {
            _text(op, "callee"): functions[_text(op, "callee")]
            for op in ops
            if op.name == "util.call" and _text(op, "callee") in functions
        }
        for callee in called.values():
            ops += _inside(callee)
        self._homes = _homes(ops, called)
        for op in ops:
            if op.name == "stream.cmd.dispatch":
                self._dispatch(op)
            elif op.name == "stream.cmd.copy":
                self._copy(op)
        for op in ops:
            if op.name == "util.global.store":
                self._store(op)

    def verdicts(self) -> list[Verdict]:
        """Return a verdict for each state, copies aside."""
        return [
            Verdict.REPLACED
            if number in self._replaced
            else Verdict.IN_PLACE
            if number in self._written
            else Verdict.UNTOUCHED
            for number in range(len(self._sizes))
        ]

    def _states_in(self, value: Any) -> list[int]:
        return sorted(home for home in self._homes.get(value, ()) if isinstance(home, int))

    def _note(self, source: Any, target: Any, count: int, shown: str) -> None:
        """Record that elements of `source` go to `target`."""
        for state in self._states_in(source):
            if count >= self._sizes[state]:
                self.copies.append((state, shown))
            for home in self._homes.get(target, ()):
                self._arrived.setdefault(home, []).append((state, count, shown))

    def _dispatch(self, op: Any) -> None:
        _, _, resources, *_ = _segments(op)
        accesses = [_integer(access) for access in op.attributes["resource_accesses"]]
        for resource, access in zip(resources, accesses, strict=True):
            if access & _WRITE:
                self._written |= set(self._states_in(resource))
        if not any(self._states_in(resource) for resource in resources):
            return
        for entry in op.attributes["entry_points"]:
            name = str(entry).rpartition("::@")[2]
            if name not in self._bodies:
                continue
            if name not in self._moves:
                self._moves[name] = list(_moves_of(self._bodies[name], len(resources)))
            for move in self._moves[name]:
                shown = f"dispatch `{name}`"
                self._note(resources[move.source], resources[move.target], move.count, shown)

    def _copy(self, op: Any) -> None:
        source, _, _, target, _, _, length = op.operands
        self._written |= set(self._states_in(target))
        size = _constant(length)
        for state in {*self._states_in(source), *self._states_in(target)}:
            count = self._sizes[state] if size is None else size // self._widths[state]
            if 2 * count >= self._sizes[state]:
                self.copies.append((state, "`stream.cmd.copy`"))
            for home in self._homes.get(target, ()):
                self._arrived.setdefault(home, []).append((state, count, "`stream.cmd.copy`"))

    def _store(self, op: Any) -> None:
        state = _state_number(_text(op, "global"))
        value = op.operands[0]
        if state is None or state in self._homes.get(value, ()):
            return
        self._replaced.add(state)
        for home in self._homes.get(value, ()):
            for _, count, shown in self._arrived.get(home, ()):
                if 2 * count >= self._sizes[state]:
                    self.copies.append((state, shown))


def _state_number(name: str) -> int | None:
    number = name.removeprefix("state.")
    return int(number) if name.startswith("state.") and number.isdigit() else None


def _homes(ops: Sequence[Any], called: dict[str, Any]) -> dict[Any, set[Any]]:
    """Which memory each resource is: the number of a state, or the value that allocated it."""
    homes: dict[Any, set[Any]] = {}
    edges: list[tuple[Any, Any]] = []
    for op in ops:
        name = op.name
        if name == "util.global.load":
            state = _state_number(_text(op, "global"))
            if state is not None:
                homes[op.results[0]] = {state}
        elif name == "stream.resource.alloca":
            homes[op.results[0]] = {op.results[0]}
        elif name == "stream.cmd.execute":
            edges += zip(_segments(op)[0], op.regions[0].blocks[0].arguments, strict=False)
        elif name == "stream.timepoint.await":
            edges += zip(_segments(op)[0], op.results, strict=False)
        elif name in ("cf.br", "cf.cond_br"):
            edges += _branch(op)
        elif name == "util.call" and _text(op, "callee") in called:
            callee = called[_text(op, "callee")]
            edges += zip(op.operands, callee.regions[0].blocks[0].arguments, strict=False)
            for inner in _inside(callee):
                if inner.name == "util.return":
                    edges += zip(inner.operands, op.results, strict=False)
        elif name == "arith.select":
            edges += [(operand, op.results[0]) for operand in list(op.operands)[1:]]
        elif name.startswith("scf."):
            edges += _structured(op)
        elif len(op.operands) == len(op.results) == 1:
            edges.append((op.operands[0], op.results[0]))
    changed = True
    while changed:
        changed = False
        for source, target in edges:
            new = homes.get(source, set()) - homes.get(target, set())
            if new:
                homes.setdefault(target, set()).update(new)
                changed = True
    return homes


def _branch(op: Any) -> list[tuple[Any, Any]]:
    groups = [list(op.operands)] if op.name == "cf.br" else _segments(op)[1:]
    return [
        pair
        for group, block in zip(groups, op.successors, strict=True)
        for pair in zip(group, block.arguments, strict=True)
    ]


def _structured(op: Any) -> list[tuple[Any, Any]]:
    """A loop's or a branch's values, by place: what goes in, round, and out."""
    edges: list[tuple[Any, Any]] = []
    skipped = 3 if op.name == "scf.for" else 0
    for region in op.regions:
        for block in region.blocks:
            arguments = list(block.arguments)[1:] if skipped else list(block.arguments)
            edges += zip(list(op.operands)[skipped:], arguments, strict=False)
            last = list(block.operations)[-1].operation
            given = list(last.operands)[1:] if last.name == "scf.condition" else list(last.operands)
            edges += zip(given, op.results, strict=False)
            for other in op.regions:
                for first in list(other.blocks)[:1]:
                    into = list(first.arguments)[1:] if skipped else list(first.arguments)
                    edges += zip(given, into, strict=False)
    return edges


def _count(value: Any) -> int:
    """The elements of a tensor; 0 for what is none or has open sizes."""
    shape: Sequence[int] | None = getattr(value.type, "shape", None)
    if shape is None or any(size < 0 for size in shape):
        return 0
    return prod(shape)


def _moves_of(function: Any, resources: int) -> Iterator[_Move]:
    """What the body of a dispatch stores as it loaded it; its first arguments are the resources."""
    arguments = list(function.regions[0].blocks[0].arguments)
    binding = {argument: number for number, argument in enumerate(arguments[:resources])}
    # For each tensor, the elements that it holds of each binding.
    held: dict[Any, dict[int, int]] = {}
    views: dict[Any, int] = {}
    for op in _inside(function):
        operands = list(op.operands)
        if op.name == "stream.binding.subspan":
            if operands[0] in binding:
                views[op.results[0]] = binding[operands[0]]
        elif op.name == "iree_tensor_ext.dispatch.tensor.load":
            if operands[0] in views:
                held[op.results[0]] = {views[operands[0]]: _count(op.results[0])}
        elif op.name == "iree_tensor_ext.dispatch.tensor.store":
            for source, count in held.get(operands[0], {}).items():
                if operands[1] in views:
                    yield _Move(source, views[operands[1]], count)
        elif op.name == "linalg.generic":
            _generic(op, held)
        elif op.name in _MOVES or op.name in _HANDS_ON:
            for result in op.results:
                _join(held, result, operands)


def _join(held: dict[Any, dict[int, int]], result: Any, sources: Sequence[Any]) -> None:
    room = _count(result)
    for source in sources:
        for number, count in held.get(source, {}).items():
            mine = held.setdefault(result, {})
            mine[number] = max(mine.get(number, 0), min(count, room))


def _generic(op: Any, held: dict[Any, dict[int, int]]) -> None:
    """A loop nest hands on the operands that its last line yields without arithmetic."""
    block = op.regions[0].blocks[0]
    outer = dict(zip(block.arguments, op.operands, strict=True))
    last = list(block.operations)[-1].operation
    for yielded, result in zip(last.operands, op.results, strict=True):
        _join(held, result, list(_handed_on(yielded, outer)))


def _handed_on(value: Any, outer: dict[Any, Any]) -> Iterator[Any]:
    if value in outer:
        yield outer[value]
        return
    op = getattr(value.owner, "operation", None)
    if op is None:
        return
    if op.name == "tensor.extract":
        yield op.operands[0]
    elif op.name in _HANDS_ON:
        for operand in op.operands:
            yield from _handed_on(operand, outer)
