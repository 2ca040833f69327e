"""Formatting a source file: the text in the one style of section 15, or what refuses it."""

from dataclasses import dataclass
from typing import Final

from linnet.diagnostics import Diagnostic
from linnet.errors import InternalError
from linnet.formatter._items import FileBuilder
from linnet.formatter._printer import print_rows
from linnet.formatter._verify import first_difference
from linnet.source import SourceFile, decode
from linnet.syntax import Module, Tokens, parse_with_tokens


@dataclass(frozen=True, slots=True)
class Formatted:
    """The text of a file in the one style, or the diagnostics that left it alone; never both."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


# One pass settles what has no comment inside of a line, two settled all that was ever tried.
_PASSES: Final = 8


def format_source(source: SourceFile) -> Formatted:
    """Format a file by section 15; its syntax errors are returned and it is left alone.

    The text has LF line ends and no byte-order mark, and formatting it again changes nothing. It
    was parsed again: its tokens (commas before a closer apart), comments and tree are those of the
    source. InternalError otherwise, which is a bug of ours.
    """
    parsed, tokens = parse_with_tokens(source)
    if parsed.tree is None:
        return Formatted(None, parsed.diagnostics)
    first = (source, tokens, parsed.tree)
    reading = first
    for _ in range(_PASSES):
        text = _printed(reading)
        if text == reading[0].text:
            return Formatted(text, ())
        again = decode(text.encode("utf-8"), source.path)
        parsed, tokens = parse_with_tokens(again)
        wrong = first_difference(first, (again, tokens, parsed.tree))
        if wrong is not None or parsed.tree is None:
            raise InternalError(f"formatting {source.path} would change {wrong}; it is left alone")
        # Where a comment moved to another line, a list around it may fit no more, or fit now.
        reading = (again, tokens, parsed.tree)
    raise InternalError(f"formatting {source.path} does not come to an end; it is left alone")


def _printed(reading: tuple[SourceFile, Tokens, Module]) -> str:
    source, tokens, tree = reading
    return print_rows(*FileBuilder(source.text, tokens).file(tree))
