"""Writes the body of one call: statements with the names of the source, the rest inlined.

Longer than other files: the walk, its names and its effects are one state machine.

An expression that is used once stands where it is used, unless it has a name in the source, grows
too long, or a state that it reads is written before. States are read and written in the order
of CORE; an old version that is still needed after a write is copied first.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from linnet.core import Op, Region, Value
from linnet.errors import InternalError
from linnet.outline._analysis import (
    VIEWS,
    Facts,
    is_state_result,
    kept_in,
    text_of,
    texts_of,
    uses_in,
)
from linnet.outline._framework import Framework
from linnet.outline._names import python_name, singular, suggested
from linnet.outline._records import Line, Occurrence
from linnet.outline._rolls import Roll, find_rolls
from linnet.outline._text import Expr, shown

if TYPE_CHECKING:
    from linnet.outline._calls import Calls

_WIDEST = 84
_COSTLIEST = 8
_SHORT_VIEW = 24


class Body:
    """The text of an occurrence, as it grows. Frameworks ask it for what an op stands among."""

    def __init__(self, calls: "Calls", occurrence: Occurrence, framework: Framework) -> None:
        self.calls = calls
        self.occurrence = occurrence
        self.facts: Facts = occurrence.facts
        self.lines: list[Line] = []
        self._framework = framework
        self._values: dict[Value, Expr] = {}
        self._pending: dict[Value, None] = {}
        self._left: dict[Value, int] = {}
        self._kept: dict[Value, tuple[int, ...]] = {}
        self._current: dict[str, Value] = {}
        self._donated: dict[str, str] = {}
        self._elements: dict[str, str] = {}
        self._protected: set[str] = set()
        self._depth = 0
        self._reads: set[str] = set()
        self._writes: set[str] = set()

    # What the parts of a framework ask.

    def definition(self, value: Value) -> Op | None:
        """The op that gives a value, or None for an argument."""
        return self.facts.definitions.get(value)

    def uses(self, value: Value) -> int:
        """How often a value is still to be used."""
        return self._left.get(value, 0)

    def is_kept(self, value: Value) -> bool:
        """Whether the axes that were reduced are still there, with one element each."""
        return value in self._kept

    def version(self, value: Value) -> str | None:
        """The state that a value is a version of, or the donated parameter."""
        return self.occurrence.versions.get(value) or self.facts.versions.get(value)

    def number(self, value: Value) -> Expr:
        """The text of a number that is known before the program runs."""
        op = self.facts.definitions[value]
        return self._framework.expression(op, [self.number(v) for v in op.operands], self)

    def member(self, path: str) -> str:
        """The text of a member or an instance by its path."""
        for prefix, text in self._elements.items():
            if path == prefix:
                return text
            if path.startswith(f"{prefix}."):
                return text + self._attributes(path[len(prefix) + 1 :])
        if path in self._donated:
            return self._donated[path]
        own = self.occurrence.path
        if self.occurrence.kind != "method":
            raise InternalError(f"a function that knows no instance needs `{path}`")
        if path == own:
            return "self"
        relative = path[len(own) + 1 :] if own else path
        return "self" + self._attributes(relative)

    def _attributes(self, path: str) -> str:
        """`attn.0.weight` behind an instance."""
        text = ""
        for part in path.split("."):
            name = self._framework.member_name(part)
            text += f"[{part}]" if part.isdigit() else f".{name}"
        return text

    # Walking.

    def run(self) -> None:
        """Write the whole occurrence."""
        region = self.occurrence.region
        self._count(region)
        self._left = uses_in(region, self.facts)
        for param in self.occurrence.params:
            alias = f"%{param.name}"
            expr = Expr(param.name, param.value.type.shape, literal=param.number)
            self._values[param.value] = replace(expr, aliases=frozenset({alias}))
        for index, key in self.occurrence.donated.items():
            param = self.occurrence.params[index]
            self._donated[key] = param.name
            self._current[key] = param.value
        self._ops(region.ops[:-1])
        self._finish(region.ops[-1])
        self.occurrence.lines = self.lines
        self.occurrence.reads = frozenset(self._reads)
        self.occurrence.writes = frozenset(self._writes)

    def _finish(self, end: Op) -> None:
        """Write the `return`, after the states that are no op's own result."""
        occurrence = self.occurrence
        states = self._state_results(end)
        self._late_writes([(path, value) for path, value in states.items()])
        kept = end.operands[: len(end.operands) - len(states)]
        parts: list[str] = []
        aliases: frozenset[str] = frozenset()
        for value in kept:
            expr = self._framework.exactly(self._take(value), value.type, self)
            if occurrence.is_entry and self._framework.in_place and self._is_state(expr):
                expr = self._framework.copied(expr)
            aliases |= expr.aliases
            parts.append(expr.text)
        occurrence.returned = len(kept)
        occurrence.aliases = aliases
        if parts:
            shape = kept[0].type.shape if len(kept) == 1 and not parts[0].isidentifier() else None
            self._emit(f"return {', '.join(parts)}", shape)
        elif not self.lines:
            self._emit("pass")

    def _is_state(self, expr: Expr) -> bool:
        return any(not alias.startswith("%") for alias in expr.aliases)

    def _state_results(self, end: Op) -> dict[str, Value]:
        occurrence = self.occurrence
        if occurrence.op is not None:
            states = texts_of(occurrence.op, "states")
        else:
            states = tuple(member.path for member in self.facts.function.signature.states)
        return dict(zip(states, end.operands[len(end.operands) - len(states) :], strict=True))

    def _late_writes(self, given: Sequence[tuple[str, Value]]) -> None:
        """Write the states whose new value no op here has written."""
        kept = [(path, value) for path, value in given if not self._is_now(path, value)]
        for path, value in given:
            if (path, value) not in kept:
                self._use(value)
        # What is still to be read of them is read before.
        own = [value for _, value in kept] if len(kept) == 1 else []
        self._settle(frozenset(), frozenset(path for path, _ in kept), own)
        late = [
            (path, self._framework.exactly(self._take(value), value.type, self))
            for path, value in kept
        ]
        for path, expr in late:
            self._emit(self._framework.write_state(self.member(path), expr.text))
            self._writes.add(path)

    def _is_now(self, path: str, value: Value) -> bool:
        """Whether the state's storage holds this value."""
        current = self._current.get(path)
        if current is None:
            return self.version(value) == path and self._is_outer(value)
        return current is value

    def _is_outer(self, value: Value) -> bool:
        return value in self.facts.members or value in self.facts.free[self.occurrence.region]

    def _ops(self, ops: Sequence[Op]) -> None:
        rolls = {roll.start: roll for roll in self._find(ops)}
        index = 0
        while index < len(ops):
            roll = rolls.get(index)
            if roll is None:
                self._op(ops[index])
                index += 1
            else:
                self._roll(ops, roll)
                index = roll.end

    def _find(self, ops: Sequence[Op]) -> list[Roll]:
        if self.occurrence.kind != "method":
            return []
        opened = [self.occurrence.path, *self._elements]
        return find_rolls(ops, self.facts, self.calls, opened)

    def _op(self, op: Op) -> None:
        match op.name:
            case "scope":
                self._scope(op)
            case "if":
                self._if(op)
            case "while":
                self._while(op)
            case _:
                self._plain(op)

    def _plain(self, op: Op) -> None:
        result = op.results[0]
        path = self.version(result)
        if path is not None and op in self.calls.donating and self._framework.in_place:
            self._settle(frozenset(), frozenset({path}), (result, op.operands[0]))
            operands = [self._take(value) for value in op.operands]
            self._emit(self._framework.donate(op, operands, self))
            self._written(path, result)
            return
        expr = self._build(op.operands, lambda e: self._framework.expression(op, e, self))
        if op.name not in VIEWS and not expr.literal:
            expr = replace(expr, aliases=frozenset())
        self._define(result, expr, op.name)

    def _build(
        self,
        values: Sequence[Value],
        make: Callable[[Sequence[Expr]], Expr],
        names: Sequence[str] = (),
    ) -> Expr:
        """The text over these operands, of which long ones get a name first: that of the
        parameter that they are given for, if there is one."""
        while True:
            exprs = [self._peek(value) for value in values]
            merged = self._joined(make(exprs), exprs)
            if len(shown(merged.text)) <= _WIDEST and merged.cost <= _COSTLIEST:
                break
            waiting = {
                value: len(shown(self._values[value].text))
                for value in dict.fromkeys(values)
                if value in self._pending and self._values[value].text in merged.text
            }
            if not waiting:
                break
            most = max(waiting.values())
            longest = next(value for value, size in waiting.items() if 2 * size > most)
            at = values.index(longest)
            wanted = longest.name or (names[at] if at < len(names) else "")
            self._bind(longest, self._values[longest], wanted or self._suggest(longest))
        for value in values:
            self._use(value)
        return merged

    def _joined(self, made: Expr, operands: Sequence[Expr]) -> Expr:
        def all_of(pick: Callable[[Expr], frozenset[str]]) -> frozenset[str]:
            return frozenset[str]().union(*(pick(operand) for operand in operands))

        cost = max(made.cost, 1 + sum(operand.cost for operand in operands))
        if made.literal or any(made.text == operand.text for operand in operands):
            cost = made.cost
        return replace(
            made,
            cost=cost,
            reads=made.reads | all_of(lambda e: e.reads),
            writes=made.writes | all_of(lambda e: e.writes),
            aliases=made.aliases | all_of(lambda e: e.aliases),
        )

    # Calls.

    def _scope(self, op: Op) -> None:
        call = self.calls.variant(op)
        if call is None:
            self._inline(op)
            return
        values = list(op.operands)
        kernel = self._framework.kernel(op, [self._peek(v) for v in values], self)
        if kernel is not None:
            for value in self.facts.free[op.regions[0]]:
                self._use(value)
            names = texts_of(op, "names")
            expr = self._build(
                values, lambda e: self._framework.kernel(op, e, self) or kernel, names
            )
            self._define(op.results[0], replace(expr, aliases=frozenset()), text_of(op, "callee"))
            return
        occurrence = self.calls.occurrence(op)
        values += occurrence.extras
        donated = self._donated_path(op, occurrence)
        writes = frozenset(occurrence.writes) | frozenset(
            [donated] if donated else frozenset[str]()
        )
        reads = frozenset(occurrence.reads) | writes
        for value in self.facts.free[op.regions[0]]:
            if value not in occurrence.extras:
                self._use(value)
        self._settle(reads, writes, tuple(op.operands))

        def make(exprs: Sequence[Expr]) -> Expr:
            called = self.calls.text(op, self, exprs)
            shared = [
                exprs[i].aliases
                for i, param in enumerate(occurrence.params)
                if f"%{param.name}" in occurrence.aliases
            ]
            own = frozenset(a for a in occurrence.aliases if not a.startswith("%"))
            return Expr(called, cost=2, reads=reads, writes=writes, aliases=own.union(*shared))

        expr = self._build(values, make, [param.name for param in occurrence.params])
        shares = make([self._values.get(v, Expr("")) for v in values]).aliases
        expr = replace(expr, aliases=shares)
        self._reads |= {path for path in reads if not path.startswith("%")}
        self._results(op, expr, donated)

    def _donated_path(self, op: Op, occurrence: Occurrence) -> str | None:
        for index in occurrence.donated:
            return self.version(op.operands[index])
        return None

    def _results(self, op: Op, expr: Expr, donated: str | None) -> None:
        """Bind what a call gives; states have been written by it."""
        if donated is not None:
            self._emit(expr.text)
            self._written(donated, op.results[0])
            return
        given = [r for i, r in enumerate(op.results) if not is_state_result(op, i)]
        states = [r for i, r in enumerate(op.results) if is_state_result(op, i)]
        for path, result in zip(texts_of(op, "states"), states, strict=True):
            self._current[path] = result
            self._writes.add(path)
        suggestion = text_of(op, "path") if text_of(op, "kind") == "method" else ""
        name = suggestion.rpartition(".")[2] if suggestion else text_of(op, "callee")
        if len(given) == 1:
            shape = given[0].type.shape
            self._define(given[0], replace(expr, shape=shape), name)
        elif not given:
            self._emit(expr.text)
        else:
            names: list[str] = []
            for result in given:
                called = "_" if not self.uses(result) else self._pick(result.name or "value")
                names.append(called)
                self._values[result] = Expr(called, result.type.shape, aliases=expr.aliases)
            self._emit(f"{', '.join(names)} = {expr.text}")

    def _inline(self, op: Op) -> None:
        """Write the body of a scope here."""
        region = op.regions[0]
        self._kept.update(kept_in(region, self.facts))
        for value, times in uses_in(region, self.facts).items():
            if value not in self.facts.free[region]:
                self._left[value] = self._left.get(value, 0) + times
            else:
                self._left[value] = self._left.get(value, 0) + times - 1
        for argument, operand in zip(region.arguments, op.operands, strict=True):
            self._alias(argument, operand)
        self._ops(region.ops[:-1])
        ended = region.ops[-1].operands
        for index, (result, value) in enumerate(zip(op.results, ended, strict=True)):
            if is_state_result(op, index):
                path = texts_of(op, "states")[index - len(op.results)]
                self._late_writes([(path, value)])
                self._current[path] = result
            else:
                self._alias(result, value)

    def _alias(self, new: Value, old: Value) -> None:
        """Let a value be another one, which is used once more often for it."""
        expr = self._peek(old)
        if old in self._pending and self.uses(new) != 1:
            expr = self._bind(old, expr, self._suggest(old))
        self._use(old)
        if self.uses(new):
            self._values[new] = expr
            if expr.cost:
                self._pending[new] = None

    # Control.

    def _if(self, op: Op) -> None:
        condition = self._framework_condition(op.operands[0])
        self._settle_all()
        inside = [uses_in(region, self.facts) for region in op.regions]
        old = self._read_in_branches(op, inside)
        names = self._result_names(op)
        now = dict(self._current)
        self._emit(f"if {condition}:")
        for number, region in enumerate(op.regions):
            if number:
                self._emit("else:")
            start = len(self.lines)
            self._current = dict(now)
            # What another branch reads is not read after this one.
            self._left.update({value: inside[number].get(value, 0) for value in old})
            self._depth += 1
            self._count(region)
            self._ops(region.ops[:-1])
            self._branch_end(op, region, names)
            if len(self.lines) == start:
                self._emit("pass")
            self._depth -= 1
        self._current = now
        for result in op.results:
            path = self.version(result)
            if path is not None and self._own_state(path):
                self._current[path] = result
        if self.lines[-1].text == "pass":
            del self.lines[-2:]

    def _read_in_branches(self, op: Op, inside: Sequence[Mapping[Value, int]]) -> list[Value]:
        """The values of states that branches write and nothing reads after them; those that
        something does are copied now."""
        written = {self.version(result) for result in op.results}
        found: list[Value] = []
        for path in written - {None}:
            assert path is not None
            current = self._current.get(path)
            for value in [current] if current is not None else self._versions_of(path):
                if value in self._values:
                    continue
                if self.uses(value) > sum(uses.get(value, 0) for uses in inside):
                    expr = replace(self._peek(value), reads=frozenset())
                    self._bind(value, self._framework.copied(expr), value.name or "before")
                else:
                    found.append(value)
        return found

    def _own_state(self, path: str) -> bool:
        return path.startswith("%") or self.occurrence.kind == "method"

    def _branch_end(self, op: Op, region: Region, names: Mapping[Value, str]) -> None:
        ended = region.ops[-1].operands
        pairs: list[tuple[str, str]] = []
        for result, value in zip(op.results, ended, strict=True):
            path = self.version(result)
            if path is not None and self._own_state(path):
                self._late_writes([(path, value)])
            elif result in names:
                expr = self._framework.exactly(self._take(value), value.type, self)
                pairs.append((names[result], expr.text))
            else:
                self._use(value)
        self._assign(pairs)

    def _assign(self, pairs: Sequence[tuple[str, str]]) -> None:
        kept = [(name, text) for name, text in pairs if name != text]
        earlier: set[str] = set()
        apart = True
        for name, text in kept:
            apart = apart and not earlier & Expr(text).names
            earlier.add(name)
        if apart:
            for name, text in kept:
                self._emit(f"{name} = {text}")
        elif kept:
            left = ", ".join(name for name, _ in kept)
            self._emit(f"{left} = {', '.join(text for _, text in kept)}")

    def _result_names(self, op: Op) -> dict[Value, str]:
        names: dict[Value, str] = {}
        for result in op.results:
            path = self.version(result)
            if not self.uses(result) or (path is not None and self._own_state(path)):
                continue
            names[result] = self._pick(result.name or suggested(op.name))
            self._values[result] = Expr(names[result], result.type.shape)
        return names

    def _framework_condition(self, value: Value) -> str:
        return self._take(value).text

    def _while(self, op: Op) -> None:
        before, body = op.regions
        self._settle_all()
        inits = [
            self._framework.exactly(self._take(value), value.type, self) for value in op.operands
        ]
        names: list[str] = []
        for argument, result in zip(body.arguments, op.results, strict=True):
            name = self._pick(result.name or argument.name or suggested("while"), set(names))
            names.append(name)
            self._left[result] = self._left.get(result, 0) + 1
            self._values[result] = Expr(name, result.type.shape)
        self._assign([(name, init.text) for name, init in zip(names, inits, strict=True)])
        protected = set(self._protected)
        self._protected |= set(names)
        for region in op.regions:
            self._count(region)
            for argument, name in zip(region.arguments, names, strict=True):
                self._values[argument] = Expr(name, argument.type.shape)
                self._left[argument] = self._left.get(argument, 0) + 1
        outer = self.lines
        self.lines = []
        self._depth += 1
        self._ops(before.ops[:-1])
        condition = self._take(before.ops[-1].operands[0])
        if self.lines:
            self._emit(f"if {self._framework.negated(condition)}:")
            self._depth += 1
            self._emit("break")
            self._depth -= 1
        head, self.lines = self.lines, outer
        self._depth -= 1
        self._emit(f"while {'True' if head else condition.text}:")
        self.lines += head
        self._depth += 1
        self._ops(body.ops[:-1])
        ended = [
            self._framework.exactly(self._take(value), value.type, self)
            for value in body.ops[-1].operands
        ]
        self._assign([(name, expr.text) for name, expr in zip(names, ended, strict=True)])
        if not body.ops[:-1] and not head and not ended:
            self._emit("pass")
        self._depth -= 1
        self._protected = protected
        for region in op.regions:
            for argument in region.arguments:
                self._values.pop(argument, None)
        for result in op.results:
            self._left[result] -= 1
            path = self.version(result)
            if path is not None and self._own_state(path):
                self._emit(
                    self._framework.write_state(self.member(path), self._values[result].text)
                )
                self._written(path, result)

    def _count(self, region: Region) -> None:
        """Count the uses of what a region defines; those of others are counted already."""
        self._kept.update(kept_in(region, self.facts))
        for value, times in uses_in(region, self.facts).items():
            if value not in self.facts.free[region]:
                self._left[value] = self._left.get(value, 0) + times

    # Loops over instances.

    def _roll(self, ops: Sequence[Op], roll: Roll) -> None:
        """Write `for layer in self.layers:` for segments that differ in the instance alone."""
        first = ops[roll.start : roll.start + roll.period]
        self._settle_all()
        array = self.member(roll.array)
        element = self._pick(singular(roll.array.rpartition(".")[2]))
        carried: list[tuple[str, Value, Value]] = []
        for start, output, final in roll.carried:
            expr = self._framework.exactly(self._peek(start), start.type, self)
            name = start.name or output.name or "x"
            fresh = self._pick(
                name, free=expr.names if self.uses(start) <= roll.uses(start) else frozenset[str]()
            )
            if expr.text != fresh:
                self._emit(f"{fresh} = {expr.text}", start.type.shape)
            self._pending.pop(start, None)
            carried.append((fresh, output, final))
            self._values[start] = Expr(fresh, start.type.shape)
        last = roll.count + roll.first
        whole = roll.first == 0 and roll.count == roll.total
        cut = "" if whole else f"[{roll.first or ''}:{last if last < roll.total else ''}]"
        self._emit(f"for {element} in {array}{cut}:")
        protected = set(self._protected)
        self._protected |= {element}
        self._elements[f"{roll.array}.{roll.first}"] = element
        kept = {value: self._left.get(value, 0) for value in roll.invariant}
        self._depth += 1
        outputs = {output: name for name, output, _ in carried}
        for start, _, _ in roll.carried:
            self._left[start] = roll.uses(start)
        self._wanted = outputs
        self._ops(first)
        pairs: list[tuple[str, str]] = []
        for name, output, _ in carried:
            expr = self._framework.exactly(self._peek(output), output.type, self)
            pairs.append((name, expr.text))
            self._pending.pop(output, None)
        self._assign(pairs)
        self._wanted = {}
        self._depth -= 1
        self._protected = protected
        del self._elements[f"{roll.array}.{roll.first}"]
        for value, times in kept.items():
            self._left[value] = max(times - roll.count * roll.uses(value), 0)
        for value in [v for op in first for v in op.results]:
            self._values.pop(value, None)
            self._pending.pop(value, None)
        for name, _, final in carried:
            self._values[final] = Expr(name, final.type.shape)
        for op in ops[roll.start : roll.end]:
            for index, result in enumerate(op.results):
                if is_state_result(op, index):
                    path = texts_of(op, "states")[index - len(op.results)]
                    self._current[path] = result
                    self._writes.add(path)

    _wanted: dict[Value, str] = {}  # noqa: RUF012 - replaced, never changed

    # Values.

    def _peek(self, value: Value) -> Expr:
        """The text of a value, still counted as to be used."""
        found = self._values.get(value)
        if found is not None:
            return found
        path = self.version(value)
        if path is not None and (path in self._donated or self._own_state(path)):
            if path in self._current and self._current[path] is not value:
                raise InternalError(f"an old value of the state `{path}` is read after a write")
            self._reads.add(path)
            mark = frozenset({path})
            text = self.member(path)
            if path not in self._donated:
                text = self._framework.member_value(text)
            return Expr(text, value.type.shape, reads=mark, aliases=mark)
        member = self.facts.members.get(value)
        if member is not None:
            text = self._framework.member_value(self.member(member.path))
            return Expr(text, value.type.shape)
        op = self.facts.definitions.get(value)
        if op is not None and self.facts.again(value):
            operands = [self._peek(operand) for operand in op.operands]
            expr = self._framework.expression(op, operands, self)
            return self._joined(expr, operands)
        raise InternalError("a value is used that has no text")

    def _take(self, value: Value) -> Expr:
        expr = self._peek(value)
        self._use(value)
        return expr

    def _use(self, value: Value) -> None:
        left = self._left.get(value, 0) - 1
        self._left[value] = left
        if left <= 0:
            self._values.pop(value, None)
            self._pending.pop(value, None)

    def _define(self, value: Value, expr: Expr, op: str) -> None:
        """Keep a value's text, or name it."""
        path = self.version(value)
        if path is not None and self._own_state(path):
            self._settle(frozenset(), frozenset({path}), ())
            text = self._framework.exactly(expr, value.type, self).text
            self._emit(self._framework.write_state(self.member(path), text))
            self._written(path, value)
            return
        if not self.uses(value):
            if expr.writes:
                self._emit(expr.text)
            return
        wanted = self._wanted.get(value)
        cheap = (
            expr.literal or not expr.cost or (op in VIEWS and len(shown(expr.text)) < _SHORT_VIEW)
        )
        if wanted is not None:
            self._bind(value, expr, wanted)
        elif value.name and not expr.literal and expr.cost:
            self._bind(value, expr, value.name)
        elif cheap and not expr.writes:
            self._values[value] = expr
        elif self.uses(value) == 1:
            self._values[value] = expr
            self._pending[value] = None
        else:
            self._bind(value, expr, self._suggest(value))

    def _suggest(self, value: Value) -> str:
        if value.name:
            return value.name
        op = self.facts.definitions.get(value)
        if op is None:
            return "value"
        if op.name != "scope":
            return suggested(op.name)
        if text_of(op, "kind") == "method":
            last = [p for p in text_of(op, "path").split(".") if not p.isdigit()]
            return last[-1] if last and last[-1] else "value"
        return "value"

    def _bind(self, value: Value, expr: Expr, wanted: str) -> Expr:
        """Name a value by a statement."""
        self._pending.pop(value, None)
        self._values.pop(value, None)
        name = self._pick(wanted)
        if expr.literal:
            expr = self._framework.exactly(expr, value.type, self)
        later = [path for path in expr.aliases if self._writes_left(path)]
        if later and self._framework.in_place:
            expr = replace(self._framework.copied(expr), aliases=frozenset())
        self._emit(f"{name} = {expr.text}", expr.shape)
        bound = Expr(name, expr.shape, aliases=expr.aliases)
        self._values[value] = bound
        return bound

    def _writes_left(self, path: str) -> bool:
        """Whether the state is written in this body, as far as can be told beforehand."""
        return path in self.calls.written_in(self.occurrence)

    def _settle(self, reads: frozenset[str], writes: frozenset[str], but: Sequence[Value]) -> None:
        """Name what has effects that may not wait for these."""
        for value, expr in list(self._values.items()):
            waits = expr.writes & (reads | writes) or expr.reads & writes
            if waits and value not in but and value in self._values:
                aliased = replace(expr, aliases=expr.aliases | expr.reads)
                self._bind(value, aliased, self._suggest(value))
        for path in writes:
            old = self._current.get(path)
            kept = [v for v in self._versions_of(path) if v not in but and self.uses(v) > 0]
            if old is not None and old not in kept and old not in but and self.uses(old) > 0:
                kept.append(old)
            for value in kept:
                if value in self._values:
                    continue
                expr = replace(self._peek(value), reads=frozenset())
                self._bind(value, self._framework.copied(expr), value.name or "before")

    def _versions_of(self, path: str) -> list[Value]:
        if path in self._current:
            return []
        return [
            value for value in self._left if self.version(value) == path and self._is_outer(value)
        ]

    def _settle_all(self) -> None:
        for value in list(self._pending):
            expr = self._values[value]
            if expr.writes or expr.reads:
                self._bind(value, expr, self._suggest(value))

    def _written(self, path: str, value: Value) -> None:
        self._current[path] = value
        if not path.startswith("%"):
            self._writes.add(path)

    def _pick(
        self, wanted: str, also: set[str] | None = None, free: AbstractSet[str] = frozenset()
    ) -> str:
        """A name that nothing still to be used has; `free` are names that may be taken over."""
        base = python_name(wanted.rpartition("::")[2].rpartition(".")[2])
        if base in self._framework.reserved or base in self.calls.function_names:
            base = f"{base}_"
        taken = set(self._protected) | (also or set())
        for value, expr in self._values.items():
            if self.uses(value) > 0 or value in self._pending:
                taken |= expr.names
        taken -= free
        number, name = 0, base
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        return name

    def _emit(self, text: str, shape: "tuple[int | str, ...] | None" = None) -> None:
        self.lines.append(Line(self._depth, text, shape))
