"""`linnet inspect --tokens` and `--ast`: what the lexer and the parser make of one file."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeGuard, cast

import click

from linnet.cli._report import report
from linnet.diagnostics import JsonValue
from linnet.errors import ArgumentError, ProgramError
from linnet.source import SourceFile, Span, Unreadable, read
from linnet.syntax import Tokens, parse, parse_with_tokens

Place = Callable[[int], dict[str, JsonValue]]


def source_of(path: Path) -> SourceFile:
    """The file at a path; ArgumentError where it cannot be read."""
    source = read(path)
    if isinstance(source, Unreadable):
        raise ArgumentError(f"cannot read {path}: {source.reason.lower()}", "check the path")
    return source


def places(source: SourceFile) -> Place:
    """What gives the line, column and byte offset of an offset, as spec section 17 counts them."""
    bytes_before = [0, *accumulate(len(char.encode("utf-8", "replace")) for char in source.text)]
    first = 3 if source.bom else 0

    def place(offset: int) -> dict[str, JsonValue]:
        line, column = source.line_column(offset)
        return {"line": line, "column": column, "offset": bytes_before[offset] + first}

    return place


def show_tokens(path: Path, as_json: bool) -> int:
    """Print the tokens of a file, of a broken one as well; the exit status is returned."""
    source = source_of(path)
    result, tokens = parse_with_tokens(source)
    if as_json:
        place = places(source)
        listed: list[JsonValue] = [
            {"kind": kind, "text": text, "start": place(start), "end": place(end)}
            for kind, text, start, end in _tokens(source, tokens)
        ]
        _print_json({"version": 1, "file": source.path, "tokens": listed})
    else:
        for kind, text, start, end in _tokens(source, tokens):
            span = _span(Span(source, start, end))
            named = kind if kind.isupper() else "KEYWORD" if kind.isalpha() else "PUNCT"
            click.echo(f"{span:<14} {named:<8} {text}")
    report(result.diagnostics)
    return 1 if result.diagnostics else 0


def _tokens(source: SourceFile, tokens: Tokens) -> Iterator[tuple[str, str, int, int]]:
    """Kind, text and offsets of each token but those that stand for the end of the file."""
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind != "END":
            yield kind, source.text[start:end], start, end


def show_tree(path: Path, as_json: bool) -> int:
    """Print the syntax tree of a file with its spans; ProgramError for syntax errors."""
    source = source_of(path)
    result = parse(source)
    if result.tree is None:
        raise ProgramError(result.diagnostics)
    if as_json:
        tree = _as_json(result.tree, places(source))
        _print_json({"version": 1, "file": source.path, "tree": tree})
    else:
        click.echo("\n".join(_lines(result.tree, "", 0)))
    return 0


def _is_node(value: object) -> TypeGuard[object]:
    return is_dataclass(value) and not isinstance(value, type)


def _parts(node: object) -> Iterator[tuple[str, object]]:
    """The fields of a node but its spans."""
    for field in fields(cast("type[object]", node)):  # pyright: ignore[reportArgumentType]
        value = cast(object, getattr(node, field.name))
        if not isinstance(value, Span):
            yield field.name, value


def _lines(value: object, label: str, depth: int) -> Iterator[str]:
    """A node on a line with its plain fields and span, then its parts below."""
    indent = "  " * depth
    if isinstance(value, tuple):
        found = cast(tuple[object, ...], value)
        if found:
            yield f"{indent}{label.rstrip()}"
        for each in found:
            yield from _lines(each, "", depth + 1)
        return
    plain: list[str] = []
    inner: list[tuple[str, object]] = []
    for name, part in _parts(value):
        if _is_node(part) or isinstance(part, tuple):
            inner.append((f"{name}: ", cast(object, part)))
        elif part is not None:
            plain.append(f" {name}={json.dumps(str(part) if isinstance(part, str) else part)}")
    span = cast(Span, getattr(value, "span"))  # noqa: B009 - every node has one
    yield f"{indent}{label}{type(value).__name__}{''.join(plain)} {_span(span)}"
    for name, part in inner:
        yield from _lines(part, name, depth + 1)


def _span(span: Span) -> str:
    """`3:5-3:12`, the lines and columns of its ends."""
    (line, column), (last, end) = map(span.file.line_column, (span.start, span.end))
    return f"{line}:{column}-{last}:{end}"


def _as_json(value: object, place: Place) -> JsonValue:
    if isinstance(value, Span):  # A tuple itself.
        return {"start": place(value.start), "end": place(value.end)}
    if isinstance(value, tuple):
        return [_as_json(each, place) for each in cast(tuple[object, ...], value)]
    if not _is_node(value):
        return cast(JsonValue, value)
    found: dict[str, JsonValue] = {"node": type(value).__name__}
    for field in fields(value):  # pyright: ignore[reportArgumentType]
        found[field.name] = _as_json(getattr(value, field.name), place)
    return found


def _print_json(value: dict[str, JsonValue]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))
