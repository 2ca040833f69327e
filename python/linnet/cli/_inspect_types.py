"""`linnet inspect --types`: the inferred type of every name and expression of a file."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast

import click

from linnet.checker import (
    Ascribe,
    Broadcast,
    Expr,
    Function,
    Local,
    Scoped,
    SelfInstance,
    Stmt,
    TypedProgram,
    check,
    show_dim,
    show_type,
)
from linnet.cli._inspect_syntax import places
from linnet.cli._report import report
from linnet.diagnostics import JsonValue, Severity
from linnet.errors import ProgramError
from linnet.source import Span
from linnet.syntax import Program

# What the checker adds: it has the span of what the author wrote, and another type.
_IMPLICIT = (Broadcast, Ascribe, Scoped, SelfInstance)
_LONGEST = 48


@dataclass(frozen=True, slots=True)
class _Fact:
    """A name or an expression and its type. `value` is that of a compile-time integer."""

    span: Span
    kind: str
    type: str
    value: str | None


def show_types(program: Program, std: Path | None, as_json: bool) -> int:
    """Print the types of a program's own file; the exit status is returned.

    ProgramError for what the checker refuses. A program whose claims are not proven has types
    all the same: they are printed, and what is not proven is told.
    """
    checked = check(program)
    if checked.program is None:
        raise ProgramError(checked.diagnostics)
    assert program.root is not None
    source = program.root.source
    facts = {
        function: sorted(_facts(checked.program, function), key=_order)
        for function in checked.program.bodies
        if function.module == checked.program.root
    }
    if as_json:
        place = places(source)
        listed: list[JsonValue] = [
            {
                "name": f"{function.block.name}.{function.name}"
                if function.block
                else function.name,
                "types": [
                    {
                        "kind": fact.kind,
                        "text": fact.span.text,
                        "type": fact.type,
                        "value": fact.value,
                        "start": place(fact.span.start),
                        "end": place(fact.span.end),
                    }
                    for fact in found
                ],
            }
            for function, found in facts.items()
        ]
        told = {"version": 1, "file": source.path, "functions": listed}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        everything = sorted((fact for found in facts.values() for fact in found), key=_order)
        for line in _lines(everything):
            click.echo(line)
    return prove(program, std)


def prove(program: Program, std: Path | None) -> int:
    """Tell what the prover refuses; the exit status is returned."""
    from linnet.compiler import check_path

    assert program.root is not None
    found = check_path(program.root.source.path, std, loaded=program).diagnostics
    report(found)
    return 1 if any(one.severity is Severity.ERROR for one in found) else 0


def _order(fact: _Fact) -> tuple[int, int]:
    return fact.span.start, -fact.span.end


def _facts(program: TypedProgram, function: Function) -> Iterator[_Fact]:
    """A fact for each name that a function binds and each expression in its body, once."""
    body = program.bodies[function]
    parts = _parts((tuple(param.local for param in function.params), body.locals, body.statements))
    seen: set[tuple[int, int]] = set()
    for part in parts:
        place = (part.span.start, part.span.end)
        if place in seen or part.span.start == part.span.end:
            continue
        seen.add(place)
        if isinstance(part, Local):
            value = None if part.ci is None else show_dim(part.ci)
            yield _Fact(part.span, "name", show_type(part.type), value)
        else:
            yield _Fact(part.span, "expression", show_type(part.type), None)


def _parts(part: object) -> Iterator[Local | Expr]:
    """Names and expressions inside statements, but for what the checker added itself."""
    if isinstance(part, tuple):
        for entry in cast(tuple[object, ...], part):
            yield from _parts(entry)
        return
    if isinstance(part, Local):
        yield part
        return
    if not isinstance(part, Expr | Stmt):
        return
    if isinstance(part, Expr) and not isinstance(part, _IMPLICIT):
        yield part
    for inner in fields(part):
        yield from _parts(getattr(part, inner.name))


def _lines(facts: list[_Fact]) -> Iterator[str]:
    """Each source line that has facts, and below it the facts that begin there."""
    texts = [_shortened(fact.span.text) for fact in facts]
    width = max(map(len, texts), default=0)
    last = facts[-1].span.file.line_of(facts[-1].span.start) if facts else 0
    gutter = len(str(last))
    shown = 0
    for fact, text in zip(facts, texts, strict=True):
        file = fact.span.file
        line = file.line_of(fact.span.start)
        if line != shown:
            yield f"{line:>{gutter}} | {file.line_text(line)}"
            shown = line
        value = "" if fact.value is None else f" = {fact.value}"
        yield f"{'':>{gutter}} |   {text:<{width}}  {fact.type}{value}"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
