"""What a program expects to be told, written in it: a code in a comment, text, an empty comment.

`x + /*E2207*/y/**/` expects E2207 with `y` as its place. Marks may nest; white space and marks at
the edges of the marked text do not count.
"""

import re

_MARK = re.compile(r"/\*([EW]\d{4})?\*/")
_EDGE = re.compile(r"(?:\s|/\*(?:[EW]\d{4})?\*/)*")

Expected = tuple[str, int, int]


def expected(text: str) -> list[Expected]:
    """The codes and places that a text marks, in source order."""
    open_: list[tuple[str, int]] = []
    found: list[Expected] = []
    for mark in _MARK.finditer(text):
        if mark[1]:
            open_.append((mark[1], mark.end()))
        else:
            code, start = open_.pop()
            found.append(_trimmed(text, code, start, mark.start()))
    assert not open_, "a mark is not closed"
    return sorted(found, key=lambda one: (one[1], one[2], one[0]))


def _trimmed(text: str, code: str, start: int, end: int) -> Expected:
    edge = _EDGE.match(text, start)
    assert edge is not None
    start = edge.end()
    while (shorter := re.search(r"(?:\s|/\*(?:[EW]\d{4})?\*/)$", text[start:end])) is not None:
        end = start + shorter.start()
    return code, start, end
