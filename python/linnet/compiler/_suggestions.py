"""Refusals as they are told: one for each missing fact, with an edit that was tried.

Takes the problems of a program; gives them in source order. Claims of one declaration that
lack the same fact become one report. A `where` line is suggested only after the whole program
was checked with it: the claims are proven, nothing new fails in the declaration, and what then
fails in callers is said. The number of such checks is bounded by counts, never by a clock.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

from linnet.checker import Constraint, check
from linnet.compiler._where_edit import where_edit
from linnet.diagnostics import Diagnostic, Edit, Label, Severity, in_source_order
from linnet.emit import emit, verify
from linnet.source import SourceFile, Span
from linnet.syntax import Block, Function, Kind, Program, with_text

_CHECKS = 8
_CHARACTERS = 1_500_000  # In all programs that are checked again.
_ALSO = 3  # Further claims that are shown with their line.


def taught(program: Program, problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The problems with those that share a missing fact joined, and with tried suggestions."""
    given = in_source_order(problems)
    places = _Places(program)
    groups: dict[object, _Group] = {}
    for at, problem in enumerate(given):
        scope = places.scope(problem)
        target = None if scope is None else scope.states(problem.missing)
        key: object = at
        if scope is not None and problem.claim is not None:
            owner = target or scope.innermost
            key = (owner, *_told(problem))
        groups.setdefault(key, _Group(scope, target, [])).members.append(problem)
    tried = _Trials(program, given, places)
    tried.together(groups.values())
    # A short clause is likelier to be what was forgotten, and the checks are few.
    order = sorted(groups.values(), key=lambda group: len(group.members[0].missing))
    helped = {id(group): tried.with_help(group) for group in order}
    return in_source_order(_joined(group, helped[id(group)]) for group in groups.values())


@dataclass(slots=True, eq=False)
class _Group:
    """Claims of one declaration that rest on one fact; `target` is what could state it."""

    scope: "_Scope | None"
    target: "Function | Block | None"
    members: list[Diagnostic]


def _told(problem: Diagnostic) -> tuple[object, ...]:
    """The missing facts of a problem, whatever their form, or else what was claimed."""
    facts = [_parsed(line) for line in problem.missing]
    if not facts:
        return (problem.code, problem.claim)
    return tuple(
        frozenset((fact.lhs, fact.rhs)) if fact is not None and fact.relation == "==" else str(fact)
        for fact in facts
    )


def _joined(group: _Group, first: Diagnostic) -> Diagnostic:
    """The first of a group, with how many more there are and where the next few stand."""
    others = group.members[1:]
    if not others or first.primary is None:
        return first
    owner = group.target or (group.scope and group.scope.innermost)
    assert owner is not None
    taken = {first.primary.span, *(label.span for label in first.also)}
    spans = dict.fromkeys(other.primary.span for other in others if other.primary is not None)
    shown = [span for span in spans if span not in taken][:_ALSO]
    also = tuple(Label(span, "same fact") for span in shown)
    claims = "1 more claim" if len(others) == 1 else f"{len(others)} more claims"
    rest = "rests" if len(others) == 1 else "rest"
    note = f"and {claims} in `{owner.name.text}` {rest} on the same fact"
    return replace(first, also=(*first.also, *also), notes=(*first.notes, note))


# Declarations -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """The declarations around a place: a function, a block, or a method in its block."""

    function: Function | None
    block: Block | None

    @property
    def innermost(self) -> Function | Block:
        """The declaration that a reader would name."""
        found = self.function or self.block
        assert found is not None
        return found

    def states(self, lines: Sequence[str]) -> Function | Block | None:
        """The outermost declaration whose `where` clause can state these constraints [DIM-5]."""
        names: set[str] = set()
        for line in lines:
            constraint = _parsed(line)
            if constraint is None or not _is_sensible(constraint):
                return None
            names |= set(constraint.symbols())
        own = set[str]() if self.function is None else _sizes(self.function)
        outer = set[str]() if self.block is None else _sizes(self.block) - own
        if not names:
            return None
        if self.block is not None and names <= outer:
            return self.block
        return self.function if names <= own | outer else None


def _sizes(declaration: Function | Block) -> set[str]:
    return {g.name.text for g in declaration.generics if g.kind is Kind.DIM}


def _parsed(line: str) -> Constraint | None:
    try:
        return Constraint.parse(line)
    except ValueError:
        return None


def _is_sensible(constraint: Constraint) -> bool:
    """Whether somebody would write the line: it ties sizes to one another, and fixes none."""
    left, right = constraint.lhs, constraint.rhs
    if constraint.relation != "==":
        above = constraint.relation in ("<", "<=") and right.value is not None and left.name
        below = constraint.relation in (">", ">=") and left.value is not None and right.name
        return not (above or below)
    if set(left.symbols()) & set(right.symbols()):
        return False
    fixed = left.value is not None or right.value is not None
    return not (fixed and (left.name or right.name))


@final
class _Places:
    """The declarations of a program that a user may edit: all but those of `std`."""

    def __init__(self, program: Program) -> None:
        scopes = [
            scope
            for module in program.modules
            if not module.name.startswith("std.") or module is program.root
            for scope in _scopes(module.tree.items)
        ]

        self._by_file: dict[SourceFile, list[_Scope]] = {}
        for each in scopes:
            self._by_file.setdefault(each.innermost.span.file, []).append(each)
        for found in self._by_file.values():
            found.sort(key=lambda each: each.innermost.span.start)

    def scope(self, problem: Diagnostic) -> _Scope | None:
        """The innermost declaration around a problem."""
        if problem.primary is None:
            return None
        at = problem.primary.span
        scopes = self._by_file.get(at.file, [])
        place = bisect_right(scopes, at.start, key=lambda each: each.innermost.span.start)
        # A method stands behind the start of its block; what ends before is passed over.
        for each in reversed(scopes[:place]):
            if _holds(each.innermost.span, at):
                return each
            if each.block is None or each.function is None:
                return None
        return None


def _scopes(items: Iterable[object]) -> Iterator[_Scope]:
    for item in items:
        if isinstance(item, Function):
            yield _Scope(item, None)
        elif isinstance(item, Block):
            for member in item.members:
                if isinstance(member, Function):
                    yield _Scope(member, item)
            yield _Scope(None, item)


def _holds(outer: Span, inner: Span) -> bool:
    return outer.file is inner.file and outer.start <= inner.start < outer.end


# Trials -----------------------------------------------------------------------------------


_Key = tuple[str, str, int, str]


@final
class _Trials:
    """Checks of the program with one edit each, as many as the budget allows."""

    def __init__(self, program: Program, known: Sequence[Diagnostic], places: _Places) -> None:
        self._program = program
        self._known = {_key(problem) for problem in known}
        self._places = places
        self._left = _CHECKS
        self._settled: dict[_Group, list[str]] = {}
        size = sum(len(module.source.text) for module in program.modules)
        if size * self._left > _CHARACTERS:
            self._left = max(1, _CHARACTERS // size)

    def together(self, groups: Iterable[_Group]) -> None:
        """Try the lines of all declarations that lack one clause each in a single check.

        A claim rests on the facts of its own declaration alone, so each line is judged.
        """
        by_target: dict[Function | Block, list[_Group]] = {}
        for group in groups:
            if group.target is not None and group.members[0].missing:
                by_target.setdefault(group.target, []).append(group)
        edits: dict[_Group, Edit] = {}
        for target, (group, *others) in by_target.items():
            edit = where_edit(target, group.members[0].missing)
            if edit is not None and not others and group.members[0].attempt is None:
                edits[group] = edit
        if len(edits) < 2:
            return
        self._left -= 1
        after = self._after(*edits.values())
        settled = {_key(member) for group in edits for member in group.members}
        if after is None or any(key in settled for key, _ in after):
            return
        follows: dict[_Group, list[Diagnostic]] = {group: [] for group in edits}
        for key, problem in after:
            if key in self._known:
                continue
            owner = _owner(problem, edits)
            inside = [group for group in edits if _stands_in(group, problem, *edits.values())]
            if owner is not None and owner not in inside:
                if owner in follows:
                    follows[owner].append(problem)
            elif inside:
                follows.pop(inside[0], None)  # Its line breaks something else in it.
            else:
                return
        for group, problems in follows.items():
            self._settled[group] = self._callers(problems, *edits.values())

    def with_help(self, group: _Group) -> Diagnostic:
        """The first of a group with the edit that settles all of it, if there is one."""
        first = group.members[0]
        scope = group.scope
        if first.attempt is not None and scope is not None:
            callers = self._try(first.attempt, group, scope.innermost)
            if callers == []:
                made = first.attempt.replacement
                text = f"write `{made}`" if len(made) < 60 else "reorder the axes with `permute`"
                return replace(first, help=text, edit=first.attempt)
        if group.target is None or not first.missing:
            return first
        edit = where_edit(group.target, first.missing)
        callers = self._settled.get(group)
        if callers is None and edit is not None:
            callers = self._try(edit, group, group.target)
        if edit is None or callers is None:
            return first
        word = "block" if isinstance(group.target, Block) else group.target.kind
        lines = ", ".join(first.missing)
        help_ = f"add `where {lines}` to `{word} {group.target.name.text}`"
        if callers:
            help_ += f"\nthen this must state it as well: {', '.join(callers)}"
        return replace(first, help=help_, edit=edit)

    def _try(self, edit: Edit, group: _Group, target: Function | Block) -> list[str] | None:
        """The callers that fail after an edit; None if it settles nothing, or was not tried."""
        if not self._left:
            return None
        self._left -= 1
        after = self._after(edit)
        if after is None:
            return None
        settled = {_key(member) for member in group.members}
        fresh = [problem for key, problem in after if key not in self._known]
        inside = [
            problem
            for problem in fresh
            if problem.primary is not None and _inside(target, problem.primary.span, edit)
        ]
        if inside or any(key in settled for key, _ in after):
            return None
        return self._callers(fresh, edit)

    def _after(self, *edits: Edit) -> list[tuple[_Key, Diagnostic]] | None:
        """The errors of the edited program, each with its key in the program as it was."""
        program: Program | None = self._program
        for file in dict.fromkeys(edit.span.file for edit in edits):
            text = file.text
            own = [edit for edit in edits if edit.span.file is file]
            for edit in sorted(own, key=lambda edit: edit.span.start, reverse=True):
                text = f"{text[: edit.span.start]}{edit.replacement}{text[edit.span.end :]}"
            program = None if program is None else with_text(program, file, text)
        if program is None:
            return None
        checked = check(program)
        part = checked.program or checked.sound
        refused = () if part is None else verify(emit(part))
        return [
            (_key(problem, *edits), problem)
            for problem in (*checked.diagnostics, *refused)
            if problem.severity is Severity.ERROR
        ]

    def _callers(self, problems: Sequence[Diagnostic], *edits: Edit) -> list[str]:
        """The declarations that the problems stand in, with their lines as they are now."""
        found: dict[str, None] = {}
        for problem in problems:
            if problem.primary is None:
                continue
            path = problem.primary.span.file.path
            start = _before(problem.primary.span, *edits)
            now = next(
                module.source for module in self._program.modules if module.source.path == path
            )
            scope = self._places.scope(replace(problem, primary=Label(Span(now, start, start))))
            name = "a use" if scope is None else f"`{scope.innermost.name.text}`"
            where = "" if now is edits[0].span.file else f"{path}, "
            found[f"{name} ({where}line {now.line_of(start)})"] = None
        return list(found)


def _owner(problem: Diagnostic, edits: dict[_Group, Edit]) -> _Group | None:
    """The declaration whose new clause a problem points at as its reason."""
    for group, edit in edits.items():
        _, start, end = edit.span
        for label in (*problem.also, *problem.related):
            same = label.span.file.path == edit.span.file.path
            if same and start <= _before(label.span, *edits.values()) <= end:
                return group
    return None


def _stands_in(group: _Group, problem: Diagnostic, *edits: Edit) -> bool:
    """Whether a problem of the edited program is in the declaration of a group."""
    if group.target is None or problem.primary is None:
        return False
    return _inside(group.target, problem.primary.span, *edits)


def _key(problem: Diagnostic, *edits: Edit) -> _Key:
    """What makes two problems the same, before and after edits."""
    if problem.primary is None:
        return (problem.code, problem.message, -1, "")
    span = problem.primary.span
    return (problem.code, span.file.path, _before(span, *edits), problem.claim or "")


def _before(span: Span, *edits: Edit) -> int:
    """Where a place of the edited program begins in the program as it was."""
    own = [edit for edit in edits if edit.span.file.path == span.file.path]
    at = span.start
    places = sorted((edit.span.start, edit.span.end, edit.replacement) for edit in own)
    for start, end, new in places:
        # Offsets so far are those of the text before this edit and after those to its left.
        if at <= start:
            break
        at = max(start, at - len(new) + (end - start))
    return at


def _inside(target: Function | Block, span: Span, *edits: Edit) -> bool:
    """Whether a place of the edited program is in a declaration of the program as it was."""
    if span.file.path != target.span.file.path:
        return False
    return target.span.start <= _before(span, *edits) < target.span.end
