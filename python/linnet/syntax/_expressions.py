"""The parser's rules for expressions (spec section 3.4), by precedence climbing.

Every form may hold every other, hence one class and the length of this file.
"""

from abc import abstractmethod
from typing import Final, NoReturn, cast

from linnet.diagnostics import Diagnostic, Label
from linnet.source import SourceFile, Span
from linnet.syntax._cursor import RuleError
from linnet.syntax._lexer import (
    FLOAT,
    IDENT,
    INT,
    KEYWORDS,
    RESERVED,
    STRING,
    WITHOUT_SYNTAX,
    Tokens,
    integer_value,
    string_value,
)
from linnet.syntax._meant import CHOICE
from linnet.syntax._tree import (
    Arg,
    Arm,
    Binary,
    BinaryOp,
    BoolLiteral,
    Call,
    EllipsisPart,
    Expr,
    FloatLiteral,
    For,
    GenericArg,
    If,
    Index,
    IndexPart,
    IntLiteral,
    Match,
    Member,
    Name,
    NoneExpr,
    ReduceOp,
    Reduction,
    ShapeElem,
    ShapeLiteral,
    SlicePart,
    SomeExpr,
    Spread,
    StringLiteral,
    TupleExpr,
    Unary,
    UnaryOp,
)
from linnet.syntax._types import TypeParser

PRECEDENCE: Final[dict[str, int]] = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "|": 5,
    "^": 6,
    "&": 7,
    "+": 8,
    "-": 8,
    "*": 9,
    "/": 9,
    "%": 9,
}
REDUCTIONS: Final = frozenset(("sum", "prod", "max", "min", "any", "all"))
_PREFIXES: Final = frozenset("!-+")
_BRACKETS: Final = {")": "(", "]": "[", ">": "<"}
# Where the search for the `>` of generic arguments gives up [GRM-6].
_NO_GENERICS: Final = frozenset(("END", "{", "}", "=", "&&", "||", "==", "!=", "<=", ">=")) | (
    (KEYWORDS | RESERVED) - {"true", "false", "none", "some"}
)
_OPERAND_NOTE: Final = "`if` and `match` are operands only inside parentheses"


def loop_in_expression(head: Span) -> Diagnostic:
    """[LAT-6]"""
    message = "a `for` cannot stand inside a larger expression"
    note = "its value is the whole of a `let`, `var`, assignment or `return`"
    help_ = "take the value with a `let` of its own first"
    label = Label(head, "part of an expression")
    return Diagnostic("E2124", message, label, notes=(note,), help=help_)


class ExpressionParser(TypeParser):
    """Rules for expressions.

    `height` is the height of the expression read last.
    """

    def __init__(self, source: SourceFile, tokens: Tokens, problems: list[Diagnostic]) -> None:
        super().__init__(source, tokens, problems)
        self._closers: dict[int, int | None] = {}

    @abstractmethod
    def for_loop(self) -> For:
        """A counted loop, which the rules for statements read."""

    def expression(self) -> Expr:
        """`If | Match | Or`."""
        kind = self.kinds[self.at]
        if kind == "if":
            return self._if()
        if kind == "match":
            return self._match()
        return self.binary(1)

    def binary(self, loosest: int) -> Expr:
        """Operators of at least a precedence; all of them associate to the left [GRM-2]."""
        self.deeper()
        kinds = self.kinds
        start = self.starts[self.at]
        left = self._unary()
        height = self.height
        while (precedence := PRECEDENCE.get(kinds[self.at], 0)) >= loosest:
            at = self.at
            self.at += 1
            right = self.binary(precedence + 1)
            height = self.higher(max(height, self.height), start)
            op_span = Span(self.source, self.starts[at], self.ends[at])
            left = Binary(cast(BinaryOp, kinds[at]), left, right, op_span, self.span(start))
        self.height = height
        self.depth -= 1
        return left

    def _unary(self) -> Expr:
        at = self.at
        kind = self.kinds[at]
        if kind not in _PREFIXES:
            return self._postfix()
        self.at += 1
        if self.kinds[self.at] in _PREFIXES:
            self.fail(
                "an operand",
                "a second prefix operator",
                notes=("an operand takes one prefix operator; parentheses allow another",),
            )
        operand = self._postfix()
        start = self.starts[at]
        self.height = self.higher(self.height, start)
        return Unary(cast(UnaryOp, kind), operand, self.span(start))

    def _postfix(self) -> Expr:
        kinds = self.kinds
        start = self.starts[self.at]
        named = kinds[self.at] == IDENT  # Whether `<` here may open generic arguments.
        found = self._primary()
        height = self.height
        while True:
            kind = kinds[self.at]
            if kind == "(":
                found = self._call(found, (), start, height)
                named = False
            elif kind == "[":
                found = self._index(found, start, height)
                named = False
            elif kind == ".":
                self.at += 1
                if (
                    self.kinds[self.at - 2] == INT
                    and self.ends[self.at - 2] == self.starts[self.at - 1]
                ):
                    whole = self.word(self.at - 2)
                    self.fail("a digit after the point", help=f"a float is written `{whole}.0`")
                name = self.name("a member name after `.`")
                found = Member(found, name, self.span(start))
                self.height = height
                named = True
            elif kind == "<" and named and self._opens_generics(self.at):
                generics = self.generic_args()
                found = self._call(found, generics, start, height)
                named = False
            else:
                self.height = height
                return found
            height = self.higher(self.height, start)

    def _opens_generics(self, opener: int) -> bool:
        close = self._closer(opener)
        return close is not None and self.kinds[close + 1] == "("

    def _closer(self, opener: int) -> int | None:
        """The `>` that a `<` pairs with, or None where the search gives up [GRM-6].

        The answer for each `<` on the way is kept, so that a file is searched once.
        """
        if opener in self._closers:
            return self._closers[opener]
        kinds = self.kinds
        open_brackets: list[int] = []
        at = opener
        while True:
            kind = kinds[at]
            if kind == "<" and at in self._closers:
                known = self._closers[at]
                if known is None:
                    break
                at = known
            elif kind in ("<", "(", "["):
                open_brackets.append(at)
            elif kind in _BRACKETS:
                if kinds[open_brackets[-1]] != _BRACKETS[kind]:
                    break
                pair = open_brackets.pop()
                if kind == ">":
                    self._closers[pair] = at
                if not open_brackets:
                    return at
            elif kind in _NO_GENERICS or (kind == ";" and kinds[open_brackets[-1]] != "["):
                break
            at += 1
        for pair in open_brackets:
            self._closers[pair] = None
        return None

    def _call(
        self, callee: Expr, generics: tuple[GenericArg, ...], start: int, height: int
    ) -> Call:
        opener = self.at
        self.at += 1
        args: list[Arg] = []
        if self.kinds[self.at] != ")":
            while True:
                args.append(self._arg())
                height = max(height, self.height)
                if not self.separate(opener):
                    break
        self.at += 1
        self.height = height
        return Call(callee, generics, tuple(args), self.span(start))

    def _arg(self) -> Arg:
        at = self.at
        start = self.starts[at]
        name = None
        if self.kinds[at + 1] == "=" and (self.kinds[at] == IDENT or self.at_reserved_word()):
            name = self.name("the name of an argument")
            self.at += 1
        value = self.expression()
        return Arg(name, value, self.span(start))

    def _index(self, base: Expr, start: int, height: int) -> Index:
        opener = self.at
        self.at += 1
        parts: list[IndexPart] = []
        while True:
            parts.append(self._index_part())
            height = max(height, self.height)
            if not self.separate(opener):
                break
        self.at += 1
        self.height = height
        return Index(base, tuple(parts), self.span(start))

    def _index_part(self) -> IndexPart:
        kind = self.kinds[self.at]
        start = self.starts[self.at]
        self.height = 0
        if kind == "...":
            self.at += 1
            return EllipsisPart(self.span(start))
        if kind == "*":
            self.at += 1
            return Spread(self.name("the name of a pack index"), self.span(start))
        if kind == "]":
            self.fail("an index", "no index")
        first = None if kind in (":", "::") else self.expression()
        height = self.height
        kind = self.kinds[self.at]
        if kind == "::":
            self.at += 1
            stop, step = None, self._slice_piece()
        elif kind == ":":
            self.at += 1
            stop, step = self._slice_piece(), None
            height = max(height, self.height)
            if self.kinds[self.at] == ":":
                self.at += 1
                step = self._slice_piece()
        elif first is not None:
            return first
        else:
            self.fail("an index")
        self.height = max(height, self.height)
        return SlicePart(first, stop, step, self.span(start))

    def _slice_piece(self) -> Expr | None:
        if self.kinds[self.at] in (",", "]", ":", "::"):
            return None
        return self.expression()

    def _primary(self) -> Expr:
        at = self.at
        kind = self.kinds[at]
        start, end = self.starts[at], self.ends[at]
        self.height = 1
        if kind == IDENT:
            if self.kinds[at + 1] in ("[", "<") and self._opens_reduction(at):
                return self._reduction()
            self.at += 1
            return Name(self.text[start:end], Span(self.source, start, end))
        if kind == INT:
            self.at += 1
            return IntLiteral(integer_value(self.text[start:end]) or 0, self.span(start))
        if kind == FLOAT:
            self.at += 1
            text = self.text[start:end]
            return FloatLiteral(text, float(text), Span(self.source, start, end))
        if kind == "(":
            return self._parenthesised()
        if kind == "[":
            return self._shape_literal()
        if kind == "some":
            self.at += 1
            opener = self.at
            self.expect("(")
            value = self.expression()
            self.expect(")", opener)
            self.height = self.higher(self.height, start)
            return SomeExpr(value, self.span(start))
        if kind in ("none", "true", "false"):
            self.at += 1
            place = Span(self.source, start, end)
            return NoneExpr(place) if kind == "none" else BoolLiteral(kind == "true", place)
        if kind == STRING:
            self.at += 1
            return StringLiteral(string_value(self.text[start:end]), self.span(start))
        if kind in self.taken:
            self.at += 1
            return Name(kind, Span(self.source, start, end))
        if kind == "for":
            loop = self.for_loop()
            self.height = 1
            self.report(loop_in_expression(loop.head_span))
            # The file is not checked further; no tree may be as deep as such loops would be.
            return NoneExpr(loop.span)
        self._no_operand()

    def _no_operand(self) -> NoReturn:
        kind = self.kinds[self.at]
        if kind in ("if", "match"):
            self.fail("an operand", "not an operand here", notes=(_OPERAND_NOTE,))
        if kind == "yield":
            place = Label(self.token_span(self.at), "not an operand")
            message = "`yield` is a statement, not an expression"
            note = "a `for` whose value is taken ends with `yield`"
            raise RuleError(self.at, Diagnostic("E2124", message, place, notes=(note,)))
        if kind in WITHOUT_SYNTAX:
            self.refuse(f"`{kind}` is reserved for syntax that does not exist yet")
        self.fail("an expression")

    def _parenthesised(self) -> Expr:
        opener = self.at
        start = self.starts[opener]
        self.at += 1
        first = self.expression()
        if self.kinds[self.at] == ")":
            self.at += 1
            return first
        elements = [first]
        height = self.height
        while self.separate(opener):
            elements.append(self.expression())
            height = max(height, self.height)
        self.at += 1
        self.height = self.higher(height, start)
        return TupleExpr(tuple(elements), self.span(start))

    def _shape_literal(self) -> ShapeLiteral:
        opener = self.at
        start = self.starts[opener]
        self.at += 1
        elements: list[ShapeElem] = []
        height = 0
        if self.kinds[self.at] != "]":
            while True:
                elements.append(self.shape_element())
                height = max(height, self.height)
                if not self.separate(opener):
                    break
        self.at += 1
        self.height = self.higher(height, start)
        return ShapeLiteral(tuple(elements), self.span(start))

    def _opens_reduction(self, at: int) -> bool:
        """Whether a name begins a reduction: `[` follows, or `<` dtype `>` `[` [GRM-5]."""
        kinds = self.kinds
        if self.word(at) not in REDUCTIONS:
            return False
        if kinds[at + 1] == "[":
            return True
        after = at + 2
        if kinds[after] != IDENT:
            return False
        after += 1
        while kinds[after] == "." and kinds[after + 1] == IDENT:
            after += 2
        if kinds[after] == "<":
            close = self._closer(after)
            if close is None:
                return False
            after = close + 1
        return kinds[after] == ">" and kinds[after + 1] == "["

    def _reduction(self) -> Reduction:
        start = self.starts[self.at]
        op = cast(ReduceOp, self.word(self.at))
        self.at += 1
        accumulator = None
        if self.kinds[self.at] == "<":
            self.at += 1
            accumulator = self.named_type("a dtype")
            self.expect(">")
        opener = self.at
        self.expect("[")
        indices: list[Name] = []
        while True:
            if self.kinds[self.at] not in (IDENT, ",", "]") and not self.at_reserved_word():
                note = f"`{op}[` begins a reduction; a value called `{op}` cannot be indexed"
                self.fail("the name of an index", notes=(note,))
            indices.append(self.name("the name of an index"))
            if not self.separate(opener):
                break
        self.at += 1
        head_span = self.span(start)
        body = self.expression()
        self.height = self.higher(self.height, start)
        return Reduction(op, accumulator, tuple(indices), body, head_span, self.span(start))

    def _if(self) -> If:
        self.deeper()
        start = self.starts[self.at]
        self.at += 1
        condition = self.expression()
        height = self.height
        then = self._branch()
        height = max(height, self.height)
        if self.kinds[self.at] != "else":
            self.fail("`else`", notes=("`if` is an expression: both branches give its value",))
        self.at += 1
        if self.kinds[self.at] == "if":
            self.fail(
                "`{` after `else`",
                "there is no `else if`",
                notes=("nest the `if` inside the braces of the `else`",),
            )
        otherwise = self._branch()
        self.height = self.higher(max(height, self.height), start)
        self.depth -= 1
        return If(condition, then, otherwise, self.span(start))

    def _branch(self) -> Expr:
        opener = self.at
        if self.kinds[opener] != "{":
            self.fail("`{`", help=self.meant.token(opener, "`{`") or CHOICE)
        self.at += 1
        if self.kinds[self.at] in ("let", "var", "return", "while", "static", "}"):
            self.fail("an expression", notes=("a branch of an `if` holds one expression",))
        value = self.expression()
        self.expect("}", opener)
        return value

    def _match(self) -> Match:
        self.deeper()
        start = self.starts[self.at]
        self.at += 1
        scrutinee = self.expression()
        height = self.height
        opener = self.at
        self.expect("{")
        arms = [self._arm()]
        height = max(height, self.height)
        while self.kinds[self.at] != "}":
            if self.kinds[self.at] == ",":
                self.fail("a match arm or `}`", help="remove the `,`: arms have no separator")
            reserved = self.at_reserved_word() and self.kinds[self.at + 1] == "=>"
            if self.kinds[self.at] not in (IDENT, "some", "none") and not reserved:
                self.fail("a match arm or `}`", also=(self.opened(opener),))
            arms.append(self._arm())
            height = max(height, self.height)
        self.at += 1
        self.height = self.higher(height, start)
        self.depth -= 1
        return Match(scrutinee, tuple(arms), self.span(start))

    def _arm(self) -> Arm:
        start = self.starts[self.at]
        kind = self.kinds[self.at]
        if kind == "(":
            note = "a `(` here would read as a call of the arm before; match the tuple in `some(…)`"
            self.fail("the pattern of a match arm", notes=(note,))
        if kind not in ("some", "none", IDENT) and not self.at_reserved_word():
            self.fail("the pattern of a match arm")
        pattern = self.pattern("the pattern of a match arm")
        if self.kinds[self.at] == ".":
            note = "an arm names the variant alone, without its enum"
            self.fail("`=>`", notes=(note,))
        self.expect("=>")
        value = self.expression()
        return Arm(pattern, value, self.span(start))
