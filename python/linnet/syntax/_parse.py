"""From the text of one file to its syntax tree, or to what is wrong with it."""

from dataclasses import dataclass

from linnet.diagnostics import Diagnostic, in_source_order
from linnet.source import SourceFile
from linnet.syntax._items import ItemParser
from linnet.syntax._lexer import Tokens, lex
from linnet.syntax._tree import Module


@dataclass(frozen=True, slots=True)
class ParseResult:
    """A tree, or the diagnostics that refused the file; never both [GRM-7]."""

    tree: Module | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: SourceFile) -> ParseResult:
    """Parse a file. Every independent mistake is reported, in the order of the text.

    Never raises: depth, length and encoding of a file only ever lead to diagnostics.
    """
    return parse_with_tokens(source)[0]


def parse_with_tokens(source: SourceFile) -> tuple[ParseResult, Tokens]:
    """Parse a file as `parse` does; return its tokens as well, which have no comments."""
    problems: list[Diagnostic] = []
    tokens = lex(source, problems)
    found = len(problems)
    tree = ItemParser(source, tokens, problems).file()
    if problems or found:
        return ParseResult(None, in_source_order(problems)), tokens
    return ParseResult(tree, ()), tokens
