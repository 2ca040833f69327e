"""The cursor: where the parser stands in the tokens, and how it reports what is wrong there.

A rule of the grammar that cannot go on raises `RuleError`; the statement, member or item
around it catches it, reports it and goes on at the next one. Nothing of this leaves the room.
"""

from typing import Final, NoReturn

from linnet.diagnostics import Diagnostic, Label
from linnet.source import SourceFile, Span
from linnet.syntax._lexer import (
    BAD,
    END,
    FLOAT,
    IDENT,
    INT,
    KEYWORDS,
    MOST_PROBLEMS,
    RESERVED,
    STRING,
    WITHOUT_SYNTAX,
    Tokens,
)
from linnet.syntax._meant import Meant, replacement
from linnet.syntax._tree import Name, Path

# Brackets, operands and bodies inside one another. The limits keep every recursion over a
# tree, here and in later stages, within what Python allows, whatever a file holds.
DEEPEST: Final = 100
# Levels of one expression; a chain such as `a + b + c` has one for each operator.
HIGHEST: Final = 200

_CLOSERS: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}


class RuleError(Exception):
    """The rule at hand cannot go on. Without a diagnostic its cause is already reported."""

    def __init__(self, at: int, diagnostic: Diagnostic | None) -> None:
        super().__init__(at)
        self.at = at
        self.diagnostic = diagnostic


class Cursor:
    """A position in the tokens. Rules read `kinds[at]` and move `at`."""

    def __init__(self, source: SourceFile, tokens: Tokens, problems: list[Diagnostic]) -> None:
        self.source = source
        self.text = source.text
        self.kinds = tokens.kinds
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.meant = Meant(source, tokens)
        self.at: int = 0
        self.depth: int = 0
        self.height: int = 0
        self.problems = problems
        # Set once a reserved word was taken for a name: what follows may only follow from it.
        self.quiet: bool = False
        # Reserved words that the file uses as names: reported where they were declared.
        self.taken: set[str] = set()
        # Above zero while a reading is tried that may yet be given up: nothing is reported.
        self.trying: int = 0
        self._reported_at = -1

    # Spans and words

    def span(self, start: int) -> Span:
        """The span from an offset to the end of the token before the cursor."""
        return Span(self.source, start, self.ends[self.at - 1])

    def token_span(self, at: int) -> Span:
        """The span of one token; the end of the file is the place after the last token."""
        if self.kinds[at] == END and at:
            end = max(self.ends[at - 1], 0)
            return Span(self.source, end, end)
        return Span(self.source, self.starts[at], self.ends[at])

    def word(self, at: int) -> str:
        """The text of a token."""
        return self.text[self.starts[at] : self.ends[at]]

    def found(self) -> str:
        """The token at the cursor as a message names it."""
        kind = self.kinds[self.at]
        if kind == END:
            return "the end of the file"
        if kind == STRING:
            return "a string"
        word = self.word(self.at)
        if len(word) > 40:
            word = f"{word[:37]}..."
        if kind == IDENT:
            return f"name `{word}`"
        if kind in (INT, FLOAT):
            return f"number `{word}`"
        return f"`{word}`"

    # Reports

    def report(self, diagnostic: Diagnostic, at: int | None = None) -> None:
        """Report a problem at a token, unless one there was reported or the file has many."""
        at = self.at if at is None else at
        if self.quiet or at == self._reported_at or len(self.problems) >= MOST_PROBLEMS:
            return
        self._reported_at = at
        self.problems.append(diagnostic)

    def mention(self, diagnostic: Diagnostic) -> None:
        """Report a problem at the cursor and go on; a reading that is only tried gives up."""
        if self.trying:
            raise RuleError(self.at, diagnostic)
        self.report(diagnostic)

    def unexpected(
        self,
        expected: str,
        label: str = "",
        also: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
    ) -> Diagnostic:
        """An `E1101` at the cursor: what is expected here, and what was found."""
        message = f"expected {expected}, found {self.found()}"
        place = Label(self.token_span(self.at), label or "unexpected")
        help = help or self.meant.token(self.at, expected)
        edit = replacement(help, self.token_span(self.meant.culprit(self.at)))
        return Diagnostic("E1101", message, place, also, notes=notes, help=help, edit=edit)

    def fail(
        self,
        expected: str,
        label: str = "",
        also: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
    ) -> NoReturn:
        """Give up the rule at hand: something else is expected at the cursor."""
        if self.kinds[self.at] == BAD:
            raise RuleError(self.at, None)
        if help is None and not notes and self.kinds[self.at] == ";":
            notes = ("`;` stands only inside tensor and array types",)
        raise RuleError(self.at, self.unexpected(expected, label, also, notes, help))

    def refuse(self, what: str, label: str = "reserved") -> NoReturn:
        """Give up at syntax that is reserved for later [LEX-5]."""
        place = Label(self.token_span(self.at), label)
        help = self.meant.reserved(self.at)
        raise RuleError(self.at, Diagnostic("E1103", what, place, help=help))

    def recover(self, failure: RuleError) -> None:
        """Report a failure that a rule gave up with, and go to where it happened."""
        self.at = max(self.at, failure.at)
        if failure.diagnostic is not None:
            self.report(failure.diagnostic, failure.at)

    def deeper(self) -> None:
        """Enter one more level of brackets or bodies; the caller leaves it again."""
        self.depth += 1
        if self.depth > DEEPEST:
            message = f"nested deeper than {DEEPEST} levels"
            place = Label(self.token_span(self.at), "one level too many")
            raise RuleError(
                self.at,
                Diagnostic("E1101", message, place, notes=("bind the inner parts with `let`",)),
            )

    def higher(self, height: int, start: int) -> int:
        """The height of a node above parts of a height; the start is its own."""
        if height >= HIGHEST:
            message = f"expression has more than {HIGHEST} levels"
            place = Label(Span(self.source, start, self.ends[self.at - 1]), "too long")
            raise RuleError(
                self.at,
                Diagnostic("E1101", message, place, notes=("bind parts of it with `let`",)),
            )
        return height + 1

    # Tokens

    def expect(self, kind: str, opener: int | None = None, help: str | None = None) -> None:
        """Step over a token of a kind; a closer says where its opener stands."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return
        also = () if opener is None else (self.opened(opener),)
        self.fail(f"`{kind}`", also=also, help=help)

    def opened(self, opener: int) -> Label:
        """The label of an opening bracket that misses its closer."""
        return Label(self.token_span(opener), f"`{self.kinds[opener]}` opens here")

    def separate(self, opener: int) -> bool:
        """Step over a comma, or say that the list ends here; then the closer is next."""
        closer = _CLOSERS[self.kinds[opener]]
        kind = self.kinds[self.at]
        if kind == ",":
            self.at += 1
            return self.kinds[self.at] != closer
        if kind == closer:
            return False
        self.fail(f"`,` or `{closer}`", also=(self.opened(opener),))

    def name(self, what: str) -> Name:
        """Step over a name. A reserved word is reported and taken for one [LEX-5]."""
        at = self.at
        kind = self.kinds[at]
        if kind != IDENT:
            if not self.at_reserved_word():
                self.fail(what)
            self.reserved_name(what)
        self.at = at + 1
        return Name(self.word(at), Span(self.source, self.starts[at], self.ends[at]))

    def reserved_name(self, what: str) -> None:
        """Report the reserved word at the cursor, which stands where a name is expected."""
        message = f"expected {what}, found the reserved word `{self.word(self.at)}`"
        note = "reserved words cannot be names, not even in a path"
        if self.kinds[self.at] in WITHOUT_SYNTAX:
            note = f"`{self.word(self.at)}` is kept for syntax that does not exist yet"
        place = Label(self.token_span(self.at), "reserved word")
        help = self.meant.reserved(self.at)
        self.mention(Diagnostic("E1004", message, place, notes=(note,), help=help))
        self.taken.add(self.kinds[self.at])
        self.quiet = True

    def at_reserved_word(self) -> bool:
        """Whether the token at the cursor is a word that cannot be a name."""
        return self.kinds[self.at] in KEYWORDS or self.kinds[self.at] in RESERVED

    def path(self, what: str) -> Path:
        """Names joined by dots."""
        start = self.starts[self.at]
        segments = [self.name(what)]
        while self.kinds[self.at] == ".":
            self.at += 1
            segments.append(self.name("a name after `.`"))
        return Path(tuple(segments), self.span(start))

    def starts_operand(self) -> bool:
        """Whether an expression could begin at the cursor."""
        kind = self.kinds[self.at]
        return kind in _OPERANDS


_OPERANDS: Final = frozenset(
    (IDENT, INT, FLOAT, STRING, "true", "false", "none", "some", "(", "[", "-", "+", "!")
) | {"if", "match"}
