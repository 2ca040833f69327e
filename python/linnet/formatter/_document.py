"""Documents: what is to be printed, with the places where a line may break.

A document is text, or a node that knows how it looks on one line. Each node says with `flat` its
text on one line, or None where a line end stands inside it; then `first` is the width up to its
first line end, `last` that of the widest line behind it. `reach` is the width up to the first
place where it *may* break, and `opens` whether it has such a place.

A list that was too long gets a comma behind its last element, and the next pass must lay it out
the same although the comma alone now asks for it. So nothing but `flat` depends on such commas:
`wide` is the width on one line without regard to them, None where a comment or a body stands
inside, and `braced` says that bodies in braces are all that has line ends.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from linnet.formatter._comments import Comment

# Before a comment inside a line: a space, unless one or an opening bracket stands there. No
# source holds this character: it is half of a surrogate pair.
MARK: Final = "\ud800"


class _Measured:
    """What all documents but text have."""

    __slots__ = ("braced", "first", "flat", "last", "opens", "reach", "wide")

    def __init__(
        self,
        flat: str | None,
        first: int,
        last: int,
        reach: int,
        opens: bool,
        wide: int | None = None,
        braced: bool = False,
    ) -> None:
        self.flat = flat
        self.first = first
        self.last = last
        self.reach = reach
        self.opens = opens
        self.wide = len(flat) if flat is not None else wide
        self.braced = braced


def flat_of(doc: "Doc") -> str | None:
    """The document on one line, if it can stand on one."""
    return doc if isinstance(doc, str) else doc.flat


def wide_of(doc: "Doc") -> int | None:
    """The width on one line, whatever commas ask for."""
    return len(doc) if isinstance(doc, str) else doc.wide


class Concat(_Measured):
    """Documents one after another."""

    __slots__ = ("parts",)

    def __init__(self, parts: "Sequence[Doc]") -> None:
        self.parts = tuple(parts)
        flats = [flat_of(part) for part in self.parts]
        reach, opens = _reach(self.parts)
        if None not in flats:
            text = "".join(flat for flat in flats if flat is not None)
            super().__init__(text, len(text), len(text), reach, opens)
            return
        first: int | None = None
        column = last = 0
        wide: int | None = 0
        braced = True
        for part, flat in zip(self.parts, flats, strict=True):
            width = wide_of(part)
            wide = None if wide is None or width is None else wide + width
            if flat is not None:
                column += len(flat)
                continue
            assert not isinstance(part, str)
            if first is None:
                first = column + part.first
            else:
                last = max(last, column + part.first)
            column = part.last
            braced = braced and part.braced
        last = max(last, column)
        super().__init__(None, first or 0, last, reach, opens, wide, braced)


def _reach(parts: "Iterable[Doc]") -> tuple[int, bool]:
    """The width up to the first place that may break, and whether there is one."""
    width = 0
    for part in parts:
        if isinstance(part, str):
            width += len(part)
        else:
            width += part.reach
            if part.opens:
                return width, True
    return width, False


def concat(*parts: "Doc") -> "Doc":
    """Documents one after another; texts stay a text."""
    text = ""
    found: list[Doc] = []
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            found.append(text)
            text = ""
        if isinstance(part, Concat):
            found.extend(part.parts)
        else:
            found.append(part)
    if not found:
        return text
    if text:
        found.append(text)
    return found[0] if len(found) == 1 else Concat(found)


class HardLine(_Measured):
    """A line end, wherever it stands."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, 0, 0, 0, True)


class LineComment(_Measured):
    """A comment after which a line ends, where no list or body takes care of it."""

    __slots__ = ("comment",)

    def __init__(self, comment: Comment) -> None:
        self.comment = comment
        width = 0 if comment.own_line else len(comment.text) + 1
        super().__init__(None, width, 0, width, True)


class LongComment(_Measured):
    """A comment of several lines, after which its last line goes on."""

    __slots__ = ("comment",)

    def __init__(self, comment: Comment) -> None:
        self.comment = comment
        lines = comment.text.split("\n")
        super().__init__(None, len(lines[0]) + 1, len(lines[-1]) + 1, len(lines[0]) + 1, True)


@dataclass(frozen=True, slots=True)
class CommentLine:
    """Comments that have a line of their own. `blank`: a blank line stands above."""

    comments: tuple[Comment, ...]
    blank: bool


@dataclass(slots=True)
class Row:
    """An element of a list or body: the comments above it, itself, and those that end its line.

    `blank`: a blank line stands right above it, below the comments.
    """

    doc: "Doc"
    above: list[CommentLine] = field(default_factory=list[CommentLine])
    after: list[Comment] = field(default_factory=list[Comment])
    blank: bool = False

    def part(self, blank: bool = True) -> None:
        """Set whether a blank line stands above the row, its comments included."""
        if self.above:
            self.above[0] = CommentLine(self.above[0].comments, blank)
        else:
            self.blank = blank

    @property
    def is_plain(self) -> bool:
        """Whether nothing keeps the row from sharing a line with others."""
        return not self.above and not self.after and flat_of(self.doc) is not None


class Rows(_Measured):
    """Rows between an opening and a closing text, on one line or a line each.

    `separator` stands between rows, and with `trailing` behind the last too where each has its
    line. `pad` stands inside the brackets where all share one. An `eager` one breaks before a
    line as a whole is too long for what stands to its left. The rows of a `body` never share one.
    """

    __slots__ = (
        "after_opening",
        "closing",
        "forced",
        "opening",
        "rows",
        "separator",
        "tail",
        "trailing",
    )

    def __init__(
        self,
        opening: str,
        rows: Sequence[Row],
        closing: str,
        *,
        separator: str = ",",
        trailing: bool = True,
        pad: str = "",
        eager: bool = False,
        forced: bool = False,
        body: bool = False,
        lone_comma: bool = False,
        after_opening: Sequence[Comment] = (),
        tail: Sequence[CommentLine] = (),
    ) -> None:
        self.opening = opening
        self.rows = tuple(rows)
        self.closing = closing
        self.separator = separator
        self.trailing = trailing
        self.after_opening = tuple(after_opening)
        self.tail = tuple(tail)
        lone = separator if lone_comma and len(rows) == 1 else ""
        pad = pad if rows else ""
        plain = all(row.is_plain for row in rows) and not after_opening and not tail
        self.forced = body or ((not plain or forced) and bool(rows or tail or after_opening))
        if not self.forced:
            inside = f"{separator} ".join(flat_of(row.doc) or "" for row in rows)
            text = f"{opening}{pad}{inside}{lone}{pad}{closing}"
            opens = eager and bool(rows)
            reach = len(opening) if opens else len(text)
            super().__init__(text, len(text), len(text), reach, opens)
            return
        frame = len(opening) + 2 * len(pad) + len(lone) + len(closing)
        widths = [None if row.above or row.after else wide_of(row.doc) for row in rows if not body]
        if body or after_opening or tail or None in widths:
            width = len(opening)
            super().__init__(None, width, len(closing), width, True, braced=body)
            return
        wide = frame + sum(width or 0 for width in widths) + 2 * (len(rows) - 1)
        reach = len(opening) if eager else wide
        super().__init__(None, len(opening), len(closing), reach, eager, wide)


@dataclass(frozen=True, slots=True)
class Link:
    """An operator of a chain and its right operand.

    `after` ends the operator's line; `above` stands over the operand.
    """

    operator: "Doc"
    after: tuple[Comment, ...]
    above: tuple[CommentLine, ...]
    operand: "Doc"


class Chain(_Measured):
    """Operands joined by operators of one precedence; a line breaks behind each operator."""

    __slots__ = ("forced", "links", "start")

    def __init__(self, start: "Doc", links: Sequence[Link]) -> None:
        self.start = start
        self.links = tuple(links)
        self.forced = any(link.after or link.above for link in links)
        inline = [start]
        for link in links:
            inline += [" ", link.operator, " ", link.operand]
        line = Concat(inline)
        reach, _ = _reach((start, " ", links[0].operator))
        flat, wide = (None, None) if self.forced else (line.flat, line.wide)
        super().__init__(flat, line.first, line.last, reach, True, wide, line.braced)


class Assign(_Measured):
    """`left = value`, with a place to break before the value.

    One that `hugs` keeps its value's first bracket on the line and breaks inside the value.
    """

    __slots__ = ("above", "after", "forced", "hugs", "left", "value")

    def __init__(
        self,
        left: "Doc",
        value: "Doc",
        *,
        hugs: bool,
        after: Sequence[Comment] = (),
        above: Sequence[CommentLine] = (),
    ) -> None:
        self.left = left
        self.value = value
        self.after = tuple(after)
        self.above = tuple(above)
        self.forced = bool(after or above)
        self.hugs = hugs
        line = Concat((left, " ", value))
        reach, _ = _reach((left,))
        flat, wide = (None, None) if self.forced else (line.flat, line.wide)
        super().__init__(flat, line.first, line.last, reach, True, wide, line.braced)


class IfElse(_Measured):
    """`if condition { then } else { otherwise }`; both branches break, or none."""

    __slots__ = ("condition", "otherwise", "then")

    def __init__(self, condition: "Doc", then: Rows, middle: "Doc", otherwise: Rows) -> None:
        self.condition = concat(condition, " ")
        self.then = then
        self.otherwise = (concat(" ", middle, " "), otherwise)
        line = Concat((self.condition, then, *self.otherwise))
        reach, _ = _reach((self.condition, then.opening))
        first = line.first if line.flat is not None else _first(self.condition) + 1
        last = line.last if line.flat is not None else len(otherwise.closing)
        braced = isinstance(self.condition, str) or self.condition.braced
        super().__init__(line.flat, first, last, reach, True, line.wide, braced)


def _first(doc: "Doc") -> int:
    return len(doc) if isinstance(doc, str) else doc.first


# Matched without `case _`, so that no document is forgotten.
Node = Concat | HardLine | LineComment | LongComment | Rows | Chain | Assign | IfElse
Doc = str | Node
