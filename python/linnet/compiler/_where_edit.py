"""One more line in a `where` clause, as text: where it goes and how it is written."""

import re

from linnet.diagnostics import Edit
from linnet.source import Span
from linnet.syntax import Block, Function


def where_edit(declaration: Function | Block, lines: tuple[str, ...]) -> Edit | None:
    """The edit that states more constraints of a function or block.

    None where a comment stands between the signature and its body.
    """
    edit = _edit(declaration, lines)
    if edit is None or "\r\n" not in edit.span.file.text:
        return edit
    return Edit(edit.span, edit.replacement.replace("\r", "").replace("\n", "\r\n"))


def _edit(declaration: Function | Block, lines: tuple[str, ...]) -> Edit | None:
    file = declaration.span.file
    start = file.line_starts[file.line_of(declaration.head_span.start) - 1]
    indent = _margin(file.text[start : declaration.head_span.start])
    if declaration.where:
        return _longer(declaration.where[-1].span, lines)
    end = declaration.head_span.end
    brace = file.text.find("{", end)
    if brace < 0 or file.text[end:brace].strip():
        return None
    if len(lines) == 1:
        text = f"\n{indent}where {lines[0]} "
    else:
        listed = "".join(f"\n{indent}    {line}," for line in lines)
        text = f"\n{indent}where{listed[:-1]}\n{indent}"
    return Edit(Span(file, end, brace), text)


def _longer(last: Span, lines: tuple[str, ...]) -> Edit:
    """A clause that is there goes on as it is written: on its line, or one a line."""
    file = last.file
    start = file.line_starts[file.line_of(last.start) - 1]
    before = file.text[start : last.start]
    gap = " " if before.strip() else f"\n{before}"
    comma = re.compile(r"\s*,").match(file.text, last.end)
    if comma is not None:
        at, text = comma.end(), "".join(f"{gap}{line}," for line in lines)
    else:
        at, text = last.end, "".join(f",{gap}{line}" for line in lines)
    return Edit(Span(file, at, at), text)


def _margin(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]
