"""The reader: walks a file's tokens in step with its tree, and hands out texts and comments.

A tree has neither parentheses nor comments; the tokens have. Each builder takes the tokens of its
node in turn, so nothing can be lost, doubled or reordered without a mismatch, which is a bug of
ours and raises `MismatchError`.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final, TypeVar

from linnet.formatter._comments import Comment, Gap, comments_of
from linnet.formatter._document import (
    MARK,
    CommentLine,
    Doc,
    LineComment,
    LongComment,
    Row,
    Rows,
    concat,
)
from linnet.syntax import Tokens

T = TypeVar("T")
_NOTHING: Final = Gap((), False)
# No space stands between an inline comment and one of these.
_CLOSERS: Final = frozenset((",", ";", ")", "]", "?", "}"))


class MismatchError(Exception):
    """Tokens and tree do not agree."""


class Reader:
    """A place in the tokens of one file."""

    def __init__(self, text: str, tokens: Tokens) -> None:
        self._text = text
        self.kinds = tokens.kinds
        self.starts = tokens.starts
        self._ends = tokens.ends
        # The second token that ends the file stands for nothing.
        self._gaps = comments_of(text, tokens.starts[:-1], tokens.ends[:-1])
        self.at = 0
        self._taken = 0  # How many comments of the gap before the token were handed out.

    # Tokens

    def word(self) -> str:
        """Step over a token and return its text; comments before it must have been taken."""
        at = self.at
        self.at = at + 1
        self._taken = 0
        return self._text[self.starts[at] : self._ends[at]]

    def tok(self, kind: str | None = None) -> Doc:
        """Step over a token, of a kind if one is given; comments before it come along."""
        if kind is not None and self.kinds[self.at] != kind:
            raise MismatchError(f"{kind} expected at {self.starts[self.at]}")
        if self.at not in self._gaps:
            return self.word()
        return concat(*self._inside(self.kinds[self.at] in _CLOSERS), self.word())

    def toks(self, *kinds: str) -> Doc:
        """Step over tokens of these kinds, with a space between two."""
        found: list[Doc] = []
        for kind in kinds:
            found += [" ", self.tok(kind)] if found else [self.tok(kind)]
        return concat(*found)

    def _open(self, kind: str) -> Doc:
        """Step over a bracket, whose text the caller prints; return the comments before it."""
        before = concat(*self._inside(False)) if self.at in self._gaps else ""
        self.skip(kind)
        return before

    def skip(self, kind: str) -> None:
        """Step over a token of a kind whose text the caller prints."""
        if self.kinds[self.at] != kind:
            raise MismatchError(f"{kind} expected at {self.starts[self.at]}")
        self.word()

    def _inside(self, closes: bool) -> Iterator[Doc]:
        """The comments before the token that nobody took, as they stand inside a line.

        `closes`: the token needs no space between them and itself.
        """
        comments = self._rest()
        self._taken += len(comments)
        for number, comment in enumerate(comments, 1):
            if comment.ends_line:
                yield LineComment(comment)
                continue
            space = "" if closes and number == len(comments) else " "
            if "\n" in comment.text:
                yield LongComment(comment)
            else:
                yield f"{MARK}{comment.text}{space}"

    # Comments around elements

    def _gap(self) -> Gap | None:
        return self._gaps.get(self.at)

    def _rest(self) -> tuple[Comment, ...]:
        return self._gaps.get(self.at, _NOTHING).comments[self._taken :]

    def after(self) -> list[Comment]:
        """Take the comments that end the line of the token before."""
        if self.at not in self._gaps:
            return []
        found: list[Comment] = []
        for comment in self._rest():
            if comment.own_line:
                return []
            found.append(comment)
            if comment.ends_line:
                self._taken += len(found)
                return found
        return []

    def above(self) -> list[CommentLine]:
        """Take the comments that stand on lines of their own above the token."""
        if self.at not in self._gaps:
            return []
        comments = self._rest()
        last = 0
        for number, comment in enumerate(comments, 1):
            if comment.ends_line:
                last = number
        self._taken += last
        return lines_of(comments[:last])

    def inline(self) -> Doc:
        """Take what `after` and `above` left before a comma or closer: comments in the line."""
        if self.at not in self._gaps:
            return ""
        return concat(*self._inside(True))

    def closing(self) -> tuple[list[Comment], list[CommentLine]]:
        """Take all comments before a closer: those behind the last element, those below."""
        if self.at not in self._gaps:
            return [], []
        comments = self._rest()
        self._taken += len(comments)
        same = 0
        while same < len(comments) and not comments[same].own_line:
            same += 1
        return list(comments[:same]), lines_of(comments[same:])

    def blank(self) -> bool:
        """Whether a blank line stands above the token and the comments not yet taken."""
        gap = self._gap()
        if gap is not None:
            rest = gap.comments[self._taken :]
            return rest[0].blank if rest else gap.blank
        at = self.at
        return at > 0 and self._text.count("\n", self._ends[at - 1], self.starts[at]) > 1

    # Rows

    def row(self, build: Callable[[T], Doc], node: T) -> Row:
        """An element that has a line of its own, with its comments."""
        blank = self.blank()
        above = self.above()
        if above:
            first = above[0]
            above[0] = CommentLine(first.comments, blank)
            blank = self.blank()
        doc = build(node)
        return Row(doc, above, self.after(), blank)

    def braces(
        self,
        nodes: Sequence[T],
        build: Callable[[T], Doc],
        *,
        commas: bool = False,
        parted: Container[int] = (),
    ) -> Doc:
        """`{ … }` with a line for each element; blank lines between them stay, one at most.

        Above the elements whose numbers are `parted` stands one in any case.
        """
        before = self._open("{")
        behind = self.after()
        rows: list[Row] = []
        above: list[CommentLine] = []
        for number, node in enumerate(nodes, 1):
            row = self.row(build, node)
            row.above[:0] = above
            above = []
            if number in parted:
                row.part()
            rows.append(row)
            if commas and self.kinds[self.at] == ",":
                above = self.comma(row)
        tail = self.close(rows, behind, above)
        closing = self.word()
        separator = "," if commas else ""
        found = Rows(
            "{", rows, closing, separator=separator, body=True, after_opening=behind, tail=tail
        )
        return concat(before, found)

    def comma(self, row: Row) -> list[CommentLine]:
        """Step over the comma behind a row, which takes the comments around it.

        Those that follow one on a line of its own are returned: they stand above what comes next.
        """
        row.after += self.after()
        lines = self.above()
        if lines or row.after:
            same, more = self.closing()
            lines += lines_of(same) + more
        else:
            row.doc = concat(row.doc, self.inline())
        self.word()
        behind = self.after()
        if not lines:
            row.after += behind
        elif behind:
            lines += lines_of(behind)
        return [CommentLine(line.comments, False) for line in lines]

    def close(
        self, rows: Sequence[Row], behind: list[Comment], above: list[CommentLine]
    ) -> list[CommentLine]:
        """The comments that stand below the last row, `above` the first of them.

        Those on the line of the last row, or of the opener where there is none, go there.
        """
        same, tail = self.closing()
        if above:
            return above + lines_of(same) + tail
        if rows:
            rows[-1].after += same
        else:
            behind += same
        return tail

    def listing(
        self,
        nodes: Sequence[T],
        build: Callable[[T], Doc],
        brackets: str,
        *,
        eager: bool = False,
        lone_comma: bool = False,
        commas: bool = True,
    ) -> Doc:
        """A list between brackets [section 15]: on one line, or a line for each element.

        `lone_comma`: a single element keeps its comma, which tells a tuple from parentheses.
        `commas`: the grammar allows one behind the last element.
        """
        before = self._open(brackets[0])
        behind = self.after()
        rows: list[Row] = []
        above: list[CommentLine] = []
        asked = False  # By a comma behind the last element.
        for number, node in enumerate(nodes, 1):
            above += [CommentLine(line.comments, False) for line in self.above()]
            row = Row(build(node), above)
            above = []
            rows.append(row)
            if self.kinds[self.at] == ",":
                above = self.comma(row)
                asked = number == len(nodes) and not (lone_comma and number == 1)
            elif number < len(nodes):
                raise MismatchError(f"no comma at {self.starts[self.at]}")
        tail = self._list_tail(rows, behind, above, asked)
        self.skip(brackets[1])
        found = Rows(
            brackets[0],
            rows,
            brackets[1],
            trailing=commas,
            eager=eager,
            forced=asked,
            lone_comma=lone_comma,
            after_opening=behind,
            tail=tail,
        )
        return concat(before, found)

    def _list_tail(
        self,
        rows: list[Row],
        behind: list[Comment],
        above: list[CommentLine],
        asked: bool,
    ) -> list[CommentLine]:
        """What stands before the closer of a list: below the last element, or behind it."""
        comments = self._rest()
        inside = rows and not above and not asked and not any(one.ends_line for one in comments)
        if inside and not any("\n" in one.text for one in comments):
            rows[-1].doc = concat(rows[-1].doc, self.inline())
            return []
        tail = self.close(rows, behind, above)
        return [CommentLine(line.comments, False) for line in tail]


def lines_of(comments: Sequence[Comment]) -> list[CommentLine]:
    """Comments by the lines that they stand on."""
    found: list[CommentLine] = []
    line: list[Comment] = []
    for comment in comments:
        line.append(comment)
        if comment.ends_line:
            found.append(CommentLine(tuple(line), line[0].blank))
            line = []
    if line:
        found.append(CommentLine(tuple(line), line[0].blank))
    return found
