"""Terminal columns: where the characters of a source line stand once it is printed.

Tabs, wide characters and combining marks keep underlines in place; characters that would
move the cursor or reorder the line are shown as the replacement character.
"""

import unicodedata
from dataclasses import dataclass

_TAB = 4
_LONGEST = 160  # A line wider than this is cut to a window around its labels.
_WINDOW = 120
_BEFORE = 40
_CUT = "..."


@dataclass(frozen=True, slots=True)
class Drawn:
    """A printable line, and the terminal column at which each code point of it begins."""

    text: str
    columns: tuple[int, ...]
    first: int

    def column(self, index: int) -> int:
        """The terminal column of a code point index of the line, kept inside the window."""
        at = min(max(index - self.first, 0), len(self.columns) - 1)
        return self.columns[at]


def draw(line: str, wanted: int) -> Drawn:
    """Return the line as it is printed; a very long one is cut around index `wanted`."""
    first, last = 0, len(line)
    if last > _LONGEST:
        first = max(0, wanted - _BEFORE)
        last = min(last, first + _WINDOW)
    text = _CUT if first else ""
    column = len(text)
    columns: list[int] = []
    shown = [text]
    for char in line[first:last]:
        columns.append(column)
        piece, width = _shown(char, column)
        shown.append(piece)
        column += width
    columns.append(column)
    if last < len(line):
        shown.append(_CUT)
    return Drawn("".join(shown), tuple(columns), first)


def _shown(char: str, column: int) -> tuple[str, int]:
    if " " <= char <= "~":
        return char, 1
    if char == "\t":
        width = _TAB - column % _TAB
        return " " * width, width
    category = unicodedata.category(char)
    if category in ("Mn", "Me"):
        return char, 0
    if category[0] == "C" or category in ("Zl", "Zp"):
        return "\N{REPLACEMENT CHARACTER}", 1
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
