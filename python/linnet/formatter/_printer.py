"""The printer: a document to text of at most 100 columns, where that is possible.

A column is a code point, as in every other position that Linnet counts. What fits on its line
stays there; what does not breaks at its outermost places first (after Wadler, "A prettier
printer", with lists and operator chains as the only shapes).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, final

from linnet.formatter._comments import Comment
from linnet.formatter._document import (
    MARK,
    Assign,
    Chain,
    CommentLine,
    Concat,
    Doc,
    HardLine,
    IfElse,
    LineComment,
    LongComment,
    Node,
    Row,
    Rows,
)

WIDTH: Final = 100
INDENT: Final = 4

_MARKS: Final = re.compile(rf"(?<=[\s(\[{{<]){MARK}|^{MARK}", re.MULTILINE)


def print_rows(rows: Sequence[Row], tail: Sequence[CommentLine]) -> str:
    """The text of a file: its rows, the comments at its end, and one line end."""
    printer = _Printer()
    printer.rows(rows, tail, 0, "", last="", begun=False)
    text = "".join(printer.out)
    if MARK in text:
        text = _MARKS.sub("", text).replace(MARK, " ")
    return text.lstrip("\n") + "\n" if text else ""


@final
class _Printer:
    """What was printed so far, and where the last line stands."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.column = 0
        # Set by a comment that ends its line: the indent at which whatever follows begins.
        self._owed: int | None = None
        self._spaced = True  # Whether the last character is white space.

    # Text and lines

    def write(self, text: str) -> None:
        """Add text to the line; behind a comment that ended it, to the next one."""
        if self._owed is not None:
            text = text.lstrip(" ")
            if not text:
                return
            self.newline(self._owed)
        if text:
            self.out.append(text)
            self.column += len(text)
            self._spaced = text[-1] == " "

    def newline(self, indent: int, blank: bool = False) -> None:
        """End the line and indent the next one."""
        self._owed = None
        if self._spaced and self.out:
            self.out[-1] = self.out[-1].rstrip(" ")
            if self.out[-1].endswith("\n"):
                self.out.pop()  # Nothing stands on the line: it begins anew.
        self.out.append(("\n\n" if blank else "\n") + " " * indent)
        self.column = indent
        self._spaced = True

    def _comment(self, comment: Comment, indent: int | None) -> None:
        """Print a comment; at an indent, its further lines move along with its first one."""
        first, *others = comment.text.split("\n")
        self.write(first)
        if not others:
            return
        shift = 0 if indent is None or not comment.own_line else indent - comment.column
        for line in others:
            bare = line.lstrip(" ")
            kept = max(len(line) - len(bare) + shift, 0) if bare else 0
            self.out.append(f"\n{' ' * kept}{bare}")
            self.column = kept + len(bare)
        self._spaced = False

    def _line_end(self, comments: Iterable[Comment], indent: int) -> None:
        """Print the comments that end a line behind what stands on it.

        What would follow a `//` goes on a line of its own.
        """
        closed = False
        for comment in comments:
            if closed:
                self.newline(indent)
            elif not self._spaced:
                self.write(" ")
            self._comment(comment, indent if closed else None)
            closed = comment.text.startswith("//")

    def _comment_lines(self, lines: Iterable[CommentLine], indent: int, *, begun: bool) -> bool:
        """Print comments on lines of their own; whether anything stands above now."""
        for line in lines:
            self.newline(indent, line.blank and begun)
            for number, comment in enumerate(line.comments):
                if number:
                    self.write(" ")
                self._comment(comment, indent)
            begun = True
        return begun

    # Documents

    def put(self, doc: Doc, indent: int, rest: int) -> None:
        """Print a document; `rest` is the width of what must follow on its last line."""
        if isinstance(doc, str):
            self.write(doc)
            return
        if doc.flat is not None and self._fits(len(doc.flat) + rest):
            self.write(doc.flat)
            return
        match doc:
            case Concat():
                self._concat(doc.parts, indent, rest)
            case Rows():
                self._broken_rows(doc, indent)
            case Chain():
                self._chain(doc, indent, indent + INDENT, rest)
            case Assign():
                self._assign(doc, indent, rest)
            case IfElse():
                self._if_else(doc, indent)
            case HardLine():
                self.newline(indent)
            case LineComment(comment=comment):
                if comment.own_line:
                    self.newline(indent + INDENT)
                    self._comment(comment, indent + INDENT)
                else:
                    self._line_end((comment,), indent)
                self._owed = indent + INDENT
            case LongComment(comment=comment):
                self._line_end((comment,), indent)
                self.write(" ")

    def _fits(self, width: int) -> bool:
        return self.column + width <= WIDTH and self._owed is None

    def _fits_but_for_bodies(self, doc: Node, indent: int, rest: int) -> bool:
        """Whether what has bodies inside needs no line ends but those of the bodies."""
        return (
            doc.wide is None
            and doc.braced
            and self._fits(doc.first)
            and indent + doc.last + rest <= WIDTH
        )

    def _concat(self, parts: Sequence[Doc], indent: int, rest: int) -> None:
        rests: list[int] = []
        for part in reversed(parts):
            rests.append(rest)
            if isinstance(part, str):
                rest += len(part)
            else:
                rest = part.reach + (0 if part.opens else rest)
        for part, follows in zip(parts, reversed(rests), strict=True):
            self.put(part, indent, follows)

    def _broken_rows(self, doc: Rows, indent: int) -> None:
        """A row on each line."""
        self.write(doc.opening)
        if not (doc.rows or doc.tail or doc.after_opening):
            self.write(doc.closing)
            return
        self._line_end(doc.after_opening, indent + INDENT)
        last = doc.separator if doc.trailing else ""
        self.rows(doc.rows, doc.tail, indent + INDENT, doc.separator, last, begun=False)
        self.newline(indent)
        self.write(doc.closing)

    def rows(
        self,
        rows: Sequence[Row],
        tail: Sequence[CommentLine],
        indent: int,
        separator: str,
        last: str,
        *,
        begun: bool,
    ) -> None:
        """Rows on lines of their own, then comments. A blank line stands above no first one."""
        for number, row in enumerate(rows, 1):
            begun = self._comment_lines(row.above, indent, begun=begun)
            self.newline(indent, row.blank and begun)
            begun = True
            end = separator if number < len(rows) else last
            self.put(row.doc, indent, len(end))
            self.write(end)
            self._line_end(row.after, indent)
        self._comment_lines(tail, indent, begun=begun)

    def _chain(self, doc: Chain, indent: int, inner: int, rest: int) -> None:
        """A chain whose further lines begin at `inner`; tighter chains lie one level deeper."""
        inline = not doc.forced and self._fits_but_for_bodies(doc, indent, rest)
        self._operand(doc.start, indent, inner, inline, _width(doc.links[0].operator) + 1)
        for number, link in enumerate(doc.links, 1):
            more = number < len(doc.links)
            follows = _width(doc.links[number].operator) + 1 if more else rest
            # Behind a comment that ended its line, the operator itself begins the next.
            led = isinstance(link.operator, Node) and link.operator.flat is None
            self.write(" ")
            self.put(link.operator, inner - INDENT, 0)
            if link.after or link.above or not (inline or led):
                self._line_end(link.after, inner)
                self._comment_lines(link.above, inner, begun=False)
                self.newline(inner)
            else:
                self.write(" ")
            self._operand(link.operand, indent if inline else inner, inner, inline, follows)

    def _operand(self, doc: Doc, indent: int, inner: int, inline: bool, rest: int) -> None:
        if isinstance(doc, Chain) and not inline:
            if doc.flat is not None and self._fits(len(doc.flat) + rest):
                self.write(doc.flat)
            else:
                self._chain(doc, inner, inner + INDENT, rest)
        else:
            self.put(doc, indent, rest)

    def _assign(self, doc: Assign, indent: int, rest: int) -> None:
        value = doc.value
        if not doc.forced and self._fits_but_for_bodies(doc, indent, rest):
            self.put(doc.left, indent, 0)
            self.write(" ")
            self.put(value, indent, rest)
            return
        self.put(doc.left, indent, 0)
        reach = len(value) if isinstance(value, str) else value.reach
        if doc.hugs and not doc.forced and self._fits(reach + 1):
            self.write(" ")
            self.put(value, indent, rest)
            return
        inner = indent + INDENT
        self._line_end(doc.after, inner)
        self._comment_lines(doc.above, inner, begun=False)
        self.newline(inner)
        if isinstance(value, Chain) and not (
            value.flat is not None and self._fits(len(value.flat) + rest)
        ):
            self._chain(value, inner, inner, rest)
        else:
            self.put(value, inner, rest)

    def _if_else(self, doc: IfElse, indent: int) -> None:
        middle, otherwise = doc.otherwise
        self.put(doc.condition, indent, 1)
        self._broken_rows(doc.then, indent)
        self.put(middle, indent, 1)
        self._broken_rows(otherwise, indent)


def _width(doc: Doc) -> int:
    return len(doc) if isinstance(doc, str) else doc.first
