"""Comments: where they stand between the tokens, and what they are attached to.

A comment ends a line, or a line of code goes on after it; that and whether it begins its line
decide where it is printed. No comment ever leaves its place between two tokens (a comma of a
list apart), so a second pass sees what the first one saw.
"""

import re
from dataclasses import dataclass
from typing import Final

_EDGE: Final = re.compile(r"/\*|\*/")
_LINE_END: Final = re.compile(r"\r\n|\n")
_BLANK: Final = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment of the source, its lines without white space at their ends.

    `own_line`: nothing but white space stands before it on its line. `ends_line`: nothing stands
    behind it. `blank`: a blank line stands above. `column` is the 0-based one of its start.
    """

    text: str
    own_line: bool
    ends_line: bool
    blank: bool
    column: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The comments before one token; `blank` tells of a blank line right above the token."""

    comments: tuple[Comment, ...]
    blank: bool


def gap_between(text: str, start: int, end: int) -> Gap:
    """Read the white space and comments from one token's end to the next one's start."""
    found: list[Comment] = []
    at = start
    newlines = 2 if start == 0 else 0  # The beginning of a file begins a line.
    while True:
        while at < end and text[at] in _BLANK:
            newlines += text[at] == "\n"
            at += 1
        if at == end:
            break
        begin, at = at, _comment_end(text, at, end)
        lines = _LINE_END.split(text[begin:at])
        rest = text[at:end].lstrip(" \t\r")
        found.append(
            Comment(
                text="\n".join(line.rstrip() for line in lines),
                own_line=newlines > 0,
                ends_line=rest.startswith("\n") or (not rest and end == len(text)),
                blank=newlines > 1 and begin > 0,
                column=begin - text.rfind("\n", 0, begin) - 1,
            )
        )
        newlines = 0
    return Gap(tuple(found), newlines > 1 and start > 0)


def comments_of(text: str, starts: list[int], ends: list[int]) -> dict[int, Gap]:
    """The gaps that hold a comment, by the number of the token behind them."""
    gaps: dict[int, Gap] = {}
    before = 0
    for number, start in enumerate(starts):
        # Between tokens only white space and comments stand.
        if start - before > 1 and text.find("/", before, start) >= 0:
            gaps[number] = gap_between(text, before, start)
        before = ends[number]
    return gaps


def _comment_end(text: str, start: int, end: int) -> int:
    """The offset behind the comment that begins at `start`."""
    if text.startswith("//", start):
        newline = text.find("\n", start, end)
        return end if newline < 0 else newline
    depth = 0
    for edge in _EDGE.finditer(text, start, end):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    raise ValueError("a comment is not closed")
