"""All calls of a program: found in CORE, written from the inside out, and merged to functions."""

from collections.abc import Iterator, Mapping, Sequence

from linnet.core import CoreModule, Op, Region, Value
from linnet.outline._analysis import VIEWS, facts_of, text_of, texts_of
from linnet.outline._body import Body
from linnet.outline._framework import Framework
from linnet.outline._merge import group, merge
from linnet.outline._names import python_name, unused
from linnet.outline._records import Line, Occurrence, Param, Variant
from linnet.outline._text import DEVICE, Expr, hole, shown


class Calls:
    """The occurrences by their ops, and the variants that are known so far.

    `donating` are the `update_slice`s whose first operand nothing reads afterwards; `lengths` those
    of the arrays of instances.
    """

    def __init__(self, core: CoreModule, framework: Framework) -> None:
        self.framework = framework
        self.donating: set[Op] = set()
        self.lengths: dict[str, int] = {}
        self.entries: dict[str, Occurrence] = {}
        self.variants: list[Variant] = []
        self.called: dict[Occurrence, list[Variant]] = {}
        # Parameters that are given as numbers.
        self._numbers: set[Value] = set()
        self._occurrences: dict[Op, Occurrence] = {}
        self._variants: dict[Occurrence, Variant] = {}
        self._callers: dict[str, dict[str, None]] = {}
        for name, function in core.functions.items():
            facts = facts_of(function)
            for member in facts.members.values():
                self._length(member.path)
            root = function.signature.root or ""
            entry = Occurrence(f"{root}.{name}", "method", "", function.body, facts)
            entry.is_entry = True
            bound = {**function.signature.bindings, **function.signature.generics}
            entry.generics = {key: str(value) for key, value in bound.items()}
            entry.names = tuple(value.name for value in function.signature.inputs)
            self.entries[name] = entry
            self._collect(entry, function.body, {})
        self.function_names = frozenset(
            python_name(o.callee.rpartition("::")[2])
            for o in self._occurrences.values()
            if o.kind != "method"
        )
        self._write()

    def _length(self, path: str) -> None:
        parts = path.split(".")
        for at, part in enumerate(parts):
            if part.isdigit():
                array = ".".join(parts[:at])
                self.lengths[array] = max(self.lengths.get(array, 0), int(part) + 1)

    # What bodies ask.

    def variant(self, op: Op) -> Variant | None:
        """The function that a scope calls, or None for one to be written in place."""
        occurrence = self._occurrences.get(op)
        return None if occurrence is None else self._variants.get(occurrence)

    def occurrence(self, op: Op) -> Occurrence:
        """The call that a scope is."""
        return self._occurrences[op]

    def captured(self, op: Op) -> tuple[Value, ...]:
        """What a scope takes from outside beside its operands and members."""
        occurrence = self._occurrences.get(op)
        return () if occurrence is None else occurrence.extras

    def written_in(self, occurrence: Occurrence) -> frozenset[str]:
        """The states that a call writes."""
        if occurrence.op is not None:
            return frozenset(texts_of(occurrence.op, "states")) | set(occurrence.donated.values())
        states = occurrence.facts.function.signature.states
        return frozenset(member.path for member in states)

    def text(self, op: Op, body: Body, operands: Sequence[Expr]) -> str:
        """The text of a call; operands, then what is captured."""
        occurrence = self._occurrences[op]
        variant = self._variants[occurrence]
        called = self.called.setdefault(body.occurrence, [])
        if variant not in called:
            called.append(variant)
        arguments: list[str] = []
        values = [*op.operands, *occurrence.extras]
        skipped = False
        for param, value, expr in zip(occurrence.params, values, operands, strict=True):
            if param.number and variant.defaults.get(param.name) == shown(expr.text):
                skipped = True
                continue
            exact = expr if param.number else self.framework.exactly(expr, value.type, body)
            arguments.append(f"{param.name}={exact.text}" if skipped else exact.text)
        arguments += [f"{size.name}={hole(size.values[occurrence])}" for size in variant.sizes]
        if variant.needs_device:
            arguments.append(f"device={DEVICE}")
        if variant.kind != "method":
            return f"{variant.name}({', '.join(arguments)})"
        receiver = body.member(occurrence.path)
        method = "" if variant.name == "forward" else f".{variant.name}"
        return f"{receiver}{method}({', '.join(arguments)})"

    # Finding.

    def _collect(self, parent: Occurrence, region: Region, current: Mapping[str, Value]) -> None:
        """Note the scopes of a region in the order in which they run."""
        now = dict(current)
        facts = parent.facts
        for index, op in enumerate(region.ops):
            if op.name == "scope":
                self._scope(parent, region, index, op, now)
            elif op.name == "update_slice":
                path = self._version(parent, op.results[0])
                same = path is not None and self._version(parent, op.operands[0]) == path
                if same and self._free_after(parent, region, index, op.operands[0]):
                    self.donating.add(op)
            else:
                for inner in op.regions:
                    self._collect(parent, inner, now)
            for result in op.results:
                path = facts.versions.get(result)
                if path is not None:
                    now[path] = result

    def _version(self, occurrence: Occurrence, value: Value) -> str | None:
        return occurrence.versions.get(value) or occurrence.facts.versions.get(value)

    def _scope(
        self,
        parent: Occurrence,
        region: Region,
        index: int,
        op: Op,
        now: Mapping[str, Value],
    ) -> None:
        facts, inner = parent.facts, op.regions[0]
        kind, path = text_of(op, "kind"), text_of(op, "path")
        below = parent.kind == "method" and f"{path}.".startswith(
            f"{parent.path}." if parent.path else ""
        )
        occurrence = Occurrence(text_of(op, "callee"), kind, path, inner, facts, op)
        occurrence.names = texts_of(op, "names")
        occurrence.generics = dict(item.split("=", 1) for item in texts_of(op, "generics"))
        occurrence.versions = dict(parent.versions) if kind != "method" else {}
        occurrence.numbers = frozenset(
            number
            for number, value in enumerate(op.operands)
            if facts.is_number(value) or value in self._numbers
        )
        self._numbers |= {inner.arguments[number] for number in occurrence.numbers}
        if kind != "method":
            self._donate(parent, region, index, op, occurrence)
        fits = self._extras(occurrence, now)
        if (kind == "method" and not below) or not fits:
            self._collect(parent, inner, now)
            return
        self._occurrences[op] = occurrence
        self._callers.setdefault(parent.callee, {}).setdefault(occurrence.callee)
        self._collect(occurrence, inner, now)

    def _extras(self, occurrence: Occurrence, now: Mapping[str, Value]) -> bool:
        """Find what a scope takes from outside; False where a method needs another's members."""
        facts = occurrence.facts
        extras: list[Value] = []
        for value in facts.free[occurrence.region]:
            path = facts.versions.get(value)
            member = facts.members.get(value)
            if path is None and member is not None:
                path = member.path
            own = occurrence.kind == "method" and path is not None
            if own and occurrence.path and not f"{path}.".startswith(f"{occurrence.path}."):
                return False
            if own and (member is None or member.kind == "state"):
                if now.get(path or "", value) is not value:
                    extras.append(value)
                continue
            if own or (path is None and facts.again(value)):
                continue
            extras.append(value)
        occurrence.extras = tuple(extras)
        return True

    def _donate(
        self, parent: Occurrence, region: Region, index: int, op: Op, occurrence: Occurrence
    ) -> None:
        """Let a function change the state that it gives the new value of."""
        if not self.framework.in_place or len(op.results) != 1:
            return
        path = self._version(parent, op.results[0])
        if path is None or (parent.kind != "method" and not path.startswith("%")):
            return
        for number, operand in enumerate(op.operands):
            if self._version(parent, operand) != path:
                continue
            if op.operands.count(operand) > 1 or operand in parent.facts.free[op.regions[0]]:
                continue
            if not self._free_after(parent, region, index, operand):
                continue
            versions = self._writes_in_place(parent, op.regions[0], number)
            if number == 0 and occurrence.callee in self.framework.writers:
                versions = []
            if versions is not None:
                occurrence.donated = {number: f"%{number}"}
                occurrence.versions = dict.fromkeys(versions, f"%{number}")

    def _writes_in_place(
        self, parent: Occurrence, region: Region, number: int
    ) -> list[Value] | None:
        """The versions of an argument, if the region gives nothing but it, updated."""
        given = region.ops[-1].operands
        argument = region.arguments[number]
        op = parent.facts.definitions.get(given[0])
        if len(given) != 1 or op is None or op not in region.ops:
            return None
        if not self._free_after(parent, region, region.ops.index(op), argument):
            return None
        if op.name == "update_slice" and op.operands[0] is argument:
            return [argument, given[0]]
        if op.name == "scope" and text_of(op, "kind") != "method":
            for inner, operand in enumerate(op.operands):
                once = operand is argument and op.operands.count(operand) == 1
                if once and self._writes_in_place(parent, op.regions[0], inner) is not None:
                    return [argument, given[0]]
        return None

    def _free_after(self, parent: Occurrence, region: Region, index: int, value: Value) -> bool:
        """Whether nothing reads a value, or a view of it, at or after an op that takes it."""
        shared = {value}
        facts = parent.facts
        for number, op in enumerate(region.ops):
            used = [*op.operands, *(v for inner in op.regions for v in facts.free[inner])]
            touches = any(v in shared for v in used)
            if number == index:
                if sum(v in shared for v in used) > 1:
                    return False
                continue
            if touches and number > index:
                return False
            if touches and (op.name in VIEWS or op.regions):
                shared |= set(op.results)
        return True

    # Writing.

    def _write(self) -> None:
        by_callee: dict[str, list[Occurrence]] = {}
        for occurrence in self._occurrences.values():
            by_callee.setdefault(occurrence.callee, []).append(occurrence)
        names: dict[str, set[str]] = {}
        for entry in self.entries.values():
            block = entry.callee.rpartition(".")[0]
            name = self.framework.member_name(entry.callee.rpartition(".")[2])
            names.setdefault(block, set()).add(name)
        for callee in self._order():
            occurrences = by_callee.get(callee, [])
            for occurrence in occurrences:
                self._run(occurrence)
            for members in group(occurrences):
                block, base = self._base_name(members[0])
                taken = names.setdefault(block, set())
                name = unused(base, taken)
                taken.add(name)
                self._add(merge(members, name, self.framework))
        for name, entry in self.entries.items():
            self._run(entry)
            self._add(merge([entry], self.framework.member_name(name), self.framework))

    def _base_name(self, occurrence: Occurrence) -> tuple[str, str]:
        if occurrence.kind == "method":
            block, _, name = occurrence.callee.rpartition(".")
            return block, self.framework.member_name(name)
        name = python_name(occurrence.callee.rpartition("::")[2])
        return "", f"{name}_" if occurrence.donated else name

    def _add(self, variant: Variant) -> None:
        self.variants.append(variant)
        for occurrence in variant.occurrences:
            self._variants[occurrence] = variant
        self._defaults(variant)

    def _defaults(self, variant: Variant) -> None:
        """Give the last parameters that are the same number in all calls that number."""
        first = variant.occurrences[0]
        for index in range(len(first.params) - 1, -1, -1):
            if not first.params[index].number or first.op is None:
                break
            texts = {self._number(o, index) for o in variant.occurrences}
            if len(texts) > 1 or "" in texts:
                break
            variant.defaults[first.params[index].name] = texts.pop()

    def _number(self, occurrence: Occurrence, index: int) -> str:
        op = occurrence.op
        if op is None or not occurrence.facts.is_number(op.operands[index]):
            return ""
        return shown(Body(self, occurrence, self.framework).number(op.operands[index]).text)

    def _run(self, occurrence: Occurrence) -> None:
        params: list[Param] = []
        inputs = occurrence.region.arguments
        if occurrence.op is None:
            inputs = inputs[: len(occurrence.names)]
        taken: set[str] = set()
        for number, value in enumerate((*inputs, *occurrence.extras)):
            wanted = occurrence.names[number] if number < len(occurrence.names) else value.name
            member = occurrence.facts.members.get(value)
            if not wanted and member is not None:
                wanted = member.path.rpartition(".")[2]
            name = python_name(wanted or "extra")
            if name in self.framework.reserved or name in self.function_names:
                name = f"{name}_"
            name = unused(name, taken)
            taken.add(name)
            params.append(Param(name, value, number in occurrence.numbers))
        occurrence.params = tuple(params)
        writer = self.framework.writers.get(occurrence.callee)
        if occurrence.donated and writer is not None:
            occurrence.lines = [Line(0, text) for text in writer]
            occurrence.returned = 1
            return
        Body(self, occurrence, self.framework).run()

    def _order(self) -> Iterator[str]:
        """Callees before their callers; what calls itself is written in place."""
        done: dict[str, bool] = {}
        for entry in self.entries.values():
            yield from self._visit(entry.callee, done)

    def _visit(self, callee: str, done: dict[str, bool]) -> Iterator[str]:
        if callee in done:
            return
        done[callee] = False
        for inner in self._callers.get(callee, ()):
            yield from self._visit(inner, done)
        done[callee] = True
        if callee not in {entry.callee for entry in self.entries.values()}:
            yield callee
