"""Proves on optimised HLO that no state is copied in a step, or names the op that does.

After XLA's last passes a value that must lie in a certain memory, and cannot, shows as a `copy`; so
where a result lies can be read off the text. The memory of a state is followed from its parameter
through writes of parts in place, tuples, loops, branches and calls to the result that takes that
memory. Beside it is counted how many elements of a state a value holds that were only moved:
copied, turned, converted, chosen by a mask. Arithmetic, sums and products make new values, and
what a fusion computes on its way is never in memory. Then

- an instruction that puts all elements of a state anywhere but into place is a copy, and so is a
  choice by a mask over the whole state, which reads and writes all of it for a few new elements;
- a new value that is not in place and holds half of a state's elements or more is one too;
- a slice that is read, however long, is none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linnet.backends._states import StateCopy, StateReport, Verdict, is_small, report_of
from linnet.backends.xla._hlo import Computation, Hlo, Instruction, Path, read_hlo
from linnet.signature import Member

# Elements go through these one to one, or to fewer places.
_NAMES = """
bitcast bitcast-convert broadcast convert copy copy-done optimization-barrier pad reduce-precision
reshape reverse select clamp concatenate slice dynamic-slice gather transpose dynamic-update-slice
scatter sort
"""
_MOVES = frozenset(_NAMES.split())


@dataclass(frozen=True, slots=True)
class _Fact:
    """The states in whose memory an array lies, and the elements it holds of each."""

    home: frozenset[int] = frozenset()
    moved: tuple[tuple[int, int], ...] = ()


_Facts = dict[Path, _Fact]
_NOTHING = _Fact()


def check_states(
    text: str, function: str, states: Sequence[Member], first_parameter: int, first_result: int
) -> StateReport:
    """Return the verdicts on the states of one executable.

    Parameter `first_parameter + i` of the entry is state `i`, result `first_result + i` its value
    after the step.
    """
    hlo = read_hlo(text)
    walk = _Walk(hlo, [_count(state) for state in states])
    parameters: dict[int, _Facts] = {
        first_parameter + number: {(): _Fact(frozenset({number}))} for number in range(len(states))
    }
    out = walk.run(hlo.entry, parameters, fused=False)
    root = hlo.entry.find(hlo.entry.root)
    copies = dict(walk.copies)
    verdicts: list[Verdict] = []
    for number in range(len(states)):
        is_tuple = root is not None and root.opcode == "tuple"
        path = (first_result + number,) if is_tuple else ()
        fact = out.get(path, _NOTHING)
        last = _element(hlo.entry, root, path)
        if hlo.aliases.get(path) != first_parameter + number:
            copies.setdefault((number, "result"), f"result {path} in memory of its own")
        if number in fact.home:
            untouched = last is not None and last.opcode == "parameter"
            verdicts.append(Verdict.UNTOUCHED if untouched else Verdict.IN_PLACE)
            continue
        verdicts.append(Verdict.REPLACED)
        half = max((2 * count for _, count in walk.moved(fact)), default=0) >= walk.sizes[number]
        if last is not None and (half or _is_copy(hlo, last)):
            copies.setdefault((number, last.name), walk.show(last))
            walk.lines.setdefault(last.name, last.line)
    found = [
        StateCopy(function, states[number].path, shown, walk.lines.get(name))
        for (number, name), shown in copies.items()
        if not is_small(states[number])
    ]
    return report_of(function, states, verdicts, found)


def _count(member: Member) -> int:
    count = 1
    for size in member.shape:
        count *= size
    return count


def _element(entry: Computation, root: Instruction | None, path: Path) -> Instruction | None:
    if root is None or not path:
        return root
    return entry.find(root.operands[path[0]]) if path[0] < len(root.operands) else None


def _is_copy(hlo: Hlo, instruction: Instruction) -> bool:
    """Whether it is a copy, alone or as all that a fusion does."""
    if instruction.opcode == "fusion":
        inner = hlo.computations[instruction.called["calls"]]
        root = inner.find(inner.root)
        instruction = root or instruction
    return instruction.opcode == "copy"


class _Walk:
    """Follows facts through computations; `copies` gathers (state, instruction) and its text."""

    def __init__(self, hlo: Hlo, sizes: Sequence[int]) -> None:
        self.hlo = hlo
        self.sizes = sizes
        self.copies: dict[tuple[int, str], str] = {}
        self.lines: dict[str, int | None] = {}

    def moved(self, fact: _Fact) -> tuple[tuple[int, int], ...]:
        """Return how many elements of which states a value holds."""
        return tuple((state, self.sizes[state]) for state in sorted(fact.home)) or fact.moved

    def show(self, instruction: Instruction) -> str:
        """Return an instruction as messages name it: with what a fusion is made of."""
        shown = f"`{instruction.opcode}` %{instruction.name}"
        if instruction.opcode == "fusion":
            inner = self.hlo.computations[instruction.called["calls"]]
            kinds = dict.fromkeys(
                each.opcode for each in inner.instructions if each.opcode in _MOVES - {"bitcast"}
            )
            shown += f" ({', '.join(kinds)})" if kinds else ""
        return shown

    def run(
        self, computation: Computation, parameters: Mapping[int, _Facts], *, fused: bool
    ) -> _Facts:
        """Return the facts of a computation's result."""
        facts: dict[str, _Facts] = {}
        ends = _ends(computation) if fused else frozenset[str]()
        for each in computation.instructions:
            if each.opcode == "parameter":
                facts[each.name] = dict(parameters.get(each.index, {}))
                continue
            given = [facts.get(name, {}) for name in each.operands]
            if not any(given):
                facts[each.name] = {}
                continue
            found = self._step(each, given, fused, each.name in ends)
            facts[each.name] = {path: fact for path, fact in found.items() if fact != _NOTHING}
            if not fused:
                self._judge(each, facts[each.name])
        return facts.get(computation.root, {})

    def _judge(self, each: Instruction, facts: _Facts) -> None:
        """Note a copy. What is done with the copy is its own affair."""
        for path, fact in facts.items():
            whole = [state for state, count in fact.moved if count >= self.sizes[state]]
            for state in whole:
                self.copies.setdefault((state, each.name), self.show(each))
                self.lines.setdefault(each.name, each.line)
            if whole:
                facts[path] = _NOTHING

    def _step(
        self, each: Instruction, given: Sequence[_Facts], fused: bool, is_end: bool
    ) -> _Facts:
        match each.opcode:
            case "tuple":
                return {
                    (number, *path): fact
                    for number, facts in enumerate(given)
                    for path, fact in facts.items()
                }
            case "get-tuple-element":
                return {
                    path[1:]: fact for path, fact in given[0].items() if path[:1] == (each.index,)
                }
            case "fusion":
                inner = self.hlo.computations[each.called["calls"]]
                out = self.run(inner, dict(enumerate(given)), fused=True)
                return {
                    # A parameter that comes out as it went in is written once more.
                    path: _Fact(moved=self.moved(fact)) if _hands_on(inner, path) else fact
                    for path, fact in out.items()
                }
            case "call" | "async-start":
                called = each.called.get("to_apply") or each.called.get("calls")
                if called is None:
                    return {}
                inner = self.hlo.computations[called]
                return self.run(inner, dict(enumerate(given)), fused=False)
            case "while":
                return self._loop(each, given[0])
            case "conditional":
                return self._branches(each, given[1:])
            case "copy-start":
                moved = self.moved(given[0].get((), _NOTHING))
                return {(0,): _Fact(moved=moved)}
            case "copy-done":
                return {(): given[0].get((0,), _NOTHING)}
            case "custom-call":
                return {path: given[operand].get((), _NOTHING) for path, operand in each.aliases}
            case opcode if opcode in _MOVES:
                firsts = [facts.get((), _NOTHING) for facts in given]
                return {(): self._move(each, firsts, fused, is_end)}
            case _:
                return {}

    def _move(self, each: Instruction, given: Sequence[_Fact], fused: bool, is_end: bool) -> _Fact:
        opcode, room = each.opcode, each.counts.get((), 0)
        if opcode in ("bitcast", "optimization-barrier"):
            return given[0]
        if opcode in ("dynamic-update-slice", "scatter"):
            # Within a fusion only the last write is in place; others compute all elements.
            if given[0].home and (is_end or not fused):
                return _Fact(given[0].home)
            given = [given[0], given[1 if opcode == "dynamic-update-slice" else -1]]
        elif opcode in ("gather", "dynamic-slice", "pad", "broadcast"):
            given = given[:1]
        held: dict[int, int] = {}
        for fact in given:
            for state, count in self.moved(fact):
                before = held.get(state, 0)
                adds = opcode in ("concatenate", "dynamic-update-slice", "scatter")
                held[state] = before + count if adds else max(before, count)
        return _Fact(moved=tuple((state, min(count, room)) for state, count in held.items()))

    def _loop(self, each: Instruction, carried: _Facts) -> _Facts:
        body = self.hlo.computations[each.called["body"]]
        condition = self.hlo.computations[each.called["condition"]]
        self.run(condition, {0: carried}, fused=False)
        after = self.run(body, {0: carried}, fused=False)
        root = body.find(body.root)
        for path, fact in carried.items():
            new = after.get(path, _NOTHING)
            for state in fact.home - new.home:
                counts = [2 * count for _, count in self.moved(new)]
                if max(counts, default=0) >= self.sizes[state]:
                    last = _element(body, root, path) or each
                    self.copies.setdefault((state, last.name), self.show(last))
                    self.lines.setdefault(last.name, last.line)
        # All that a loop carries at one place lies in one memory.
        return {**after, **{path: fact for path, fact in carried.items() if fact.home}}

    def _branches(self, each: Instruction, given: Sequence[_Facts]) -> _Facts:
        out: _Facts = {}
        for name, facts in zip(each.branches, given, strict=False):
            inner = self.hlo.computations[name]
            for path, fact in self.run(inner, {0: facts}, fused=False).items():
                before = out.get(path, _NOTHING)
                out[path] = fact if len(fact.home) > len(before.home) else before
                if not out[path].home:
                    out[path] = max(before, fact, key=lambda f: [n for _, n in f.moved])
        return out


def _hands_on(fused: Computation, path: Path) -> bool:
    """Whether a result of a fusion is one of its parameters."""
    found = _element(fused, fused.find(fused.root), path)
    while found is not None and found.opcode == "bitcast":
        found = fused.find(found.operands[0])
    return found is not None and found.opcode == "parameter"


def _ends(fused: Computation) -> frozenset[str]:
    """The instructions of a fusion whose result is written: its root, seen through bitcasts."""
    ends: set[str] = set()
    waiting = [fused.root]
    while waiting:
        name = waiting.pop()
        found = fused.find(name)
        if found is None or name in ends:
            continue
        ends.add(name)
        if found.opcode in ("tuple", "bitcast"):
            waiting += found.operands
    return frozenset(ends)
