"""Formatting a source file: the text in the one style of section 15, or what refuses it."""

from dataclasses import dataclass

from linnet.diagnostics import Diagnostic
from linnet.errors import InternalError
from linnet.formatter._items import FileBuilder
from linnet.formatter._printer import print_rows
from linnet.formatter._verify import first_difference
from linnet.source import SourceFile, decode
from linnet.syntax import parse_with_tokens


@dataclass(frozen=True, slots=True)
class Formatted:
    """The text of a file in the one style, or the diagnostics that left it alone; never both."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def format_source(source: SourceFile) -> Formatted:
    """Format a file by section 15; its syntax errors are returned and it is left alone.

    The text has LF line ends and no byte-order mark. It was parsed again: its tokens (commas
    before a closer apart), comments and tree are those of the source. InternalError otherwise,
    which is a bug of ours.
    """
    parsed, tokens = parse_with_tokens(source)
    if parsed.tree is None:
        return Formatted(None, parsed.diagnostics)
    builder = FileBuilder(source.text, tokens)
    rows, tail = builder.file(parsed.tree)
    text = print_rows(rows, tail)
    if text != source.text:
        again = decode(text.encode("utf-8"), source.path)
        parsed_again, tokens_again = parse_with_tokens(again)
        wrong = first_difference(
            (source, tokens, parsed.tree), (again, tokens_again, parsed_again.tree)
        )
        if wrong is not None:
            raise InternalError(f"formatting {source.path} would change {wrong}; it is left alone")
    return Formatted(text, ())
