"""The parser's rules for types, generics, generic arguments and patterns (spec section 3)."""

from abc import ABC, abstractmethod
from typing import Final

from linnet.diagnostics import Diagnostic, Label
from linnet.source import SourceFile
from linnet.syntax._cursor import Cursor, RuleError
from linnet.syntax._lexer import IDENT, Tokens
from linnet.syntax._tree import (
    ArrayType,
    Expr,
    Generic,
    GenericArg,
    Kind,
    NamedType,
    NamePattern,
    NonePattern,
    OptionalType,
    Pattern,
    ShapeElem,
    SomePattern,
    Spread,
    TensorType,
    TuplePattern,
    TupleType,
    Type,
    Undecided,
)

# A generic argument stops before comparisons: the precedence of `|` in `_expressions`.
ARITHMETIC: Final = 5
_KINDS: Final = {kind.value: kind for kind in Kind}


class TypeParser(Cursor, ABC):
    """Rules for types; the expressions inside them come from the class below."""

    def __init__(self, source: SourceFile, tokens: Tokens, problems: list[Diagnostic]) -> None:
        super().__init__(source, tokens, problems)
        self._known_args: dict[int, tuple[tuple[GenericArg, ...], int] | RuleError] = {}

    @abstractmethod
    def expression(self) -> Expr:
        """Any expression."""

    @abstractmethod
    def binary(self, loosest: int) -> Expr:
        """An expression of operators that bind at least as tight as given."""

    def type(self) -> Type:
        """`BaseType ["?"]`."""
        self.deeper()
        start = self.starts[self.at]
        base = self._base_type()
        if self.kinds[self.at] == "?":
            self.at += 1
            base = OptionalType(base, self.span(start))
            if self.kinds[self.at] == "?":
                self.fail("one `?` at most", "already optional", help="remove this `?`")
        self.depth -= 1
        return base

    def _base_type(self) -> Type:
        at = self.at
        kind = self.kinds[at]
        start = self.starts[at]
        if kind == IDENT:
            if self.kinds[at + 1] == "[" and self.word(at) == "Tensor":
                return self._tensor()
            return self.named_type("a type")
        if kind == "(":
            self.at += 1
            elements = [self.type()]
            if self.kinds[self.at] == ")":
                self.fail(
                    "`,` after the element of a tuple type",
                    also=(self.opened(at),),
                    notes=("a tuple type of one element is written `(A,)`",),
                )
            while self.separate(at):
                elements.append(self.type())
            self.at += 1
            return TupleType(tuple(elements), self.span(start))
        if kind == "[":
            self.at += 1
            element = self.type()
            self.expect(";")
            length = self.expression()
            self.expect("]", at)
            return ArrayType(element, length, self.span(start))
        return self.named_type("a type")

    def _tensor(self) -> TensorType:
        start = self.starts[self.at]
        self.at += 1
        opener = self.at
        self.at += 1
        shape: list[ShapeElem] = []
        if self.kinds[self.at] == ";":
            self.mention(
                Diagnostic(
                    "E1103",
                    "a tensor type without dimensions is reserved",
                    Label(self.token_span(self.at), "no dimension before the `;`"),
                    notes=("a tensor of rank 0 is a scalar, written as its dtype",),
                )
            )
        else:
            shape.append(self.shape_element())
            while self.kinds[self.at] == ",":
                self.at += 1
                if self.kinds[self.at] == ";":
                    self.fail("a dimension after `,`", help="remove the `,` before `;`")
                shape.append(self.shape_element())
            if self.kinds[self.at] == "]":
                self.fail(
                    "`;` and a dtype",
                    "no dtype",
                    also=(self.opened(opener),),
                    notes=("a tensor type is written `Tensor[A, B; f32]`",),
                    help=self.meant.dtype(self.at),
                )
        if self.kinds[self.at] != ";":
            self.fail("`,` or `;`", also=(self.opened(opener),))
        self.at += 1
        dtype = self.named_type("a dtype")
        self.expect("]", opener)
        return TensorType(tuple(shape), dtype, self.span(start))

    def shape_element(self) -> ShapeElem:
        """A dimension, or `*S`."""
        if self.kinds[self.at] == "*":
            start = self.starts[self.at]
            self.at += 1
            return Spread(self.name("the name of a pack"), self.span(start))
        return self.expression()

    def named_type(self, what: str) -> NamedType:
        """A path with generic arguments, if any."""
        start = self.starts[self.at]
        path = self.path(what)
        args = self.generic_args() if self.kinds[self.at] == "<" else ()
        return NamedType(path, args, self.span(start))

    def generic_args(self) -> tuple[GenericArg, ...]:
        """`< list(GenericArg) >`, the cursor at `<`.

        What a place reads as is kept: an argument is tried as a type first, and without that
        a nested list would be read twice at each level.
        """
        opener = self.at
        known = self._known_args.get(opener)
        if isinstance(known, RuleError):
            raise known
        if known is not None:
            args, self.at = known
            return args
        self.at += 1
        try:
            found = [self.generic_arg()]
            while self.separate(opener):
                found.append(self.generic_arg())
        except RuleError as failure:
            self._known_args[opener] = failure
            raise
        self.at += 1
        args = tuple(found)
        if not self.quiet:
            self._known_args[opener] = (args, self.at)
        return args

    def generic_arg(self) -> GenericArg:
        """A type where it can be read as one, else arithmetic; a bare name is neither yet."""
        begin, kinds = self.at, self.kinds
        kind = kinds[begin]
        if kind == IDENT:
            after = begin + 1
            while kinds[after] == "." and kinds[after + 1] == IDENT:
                after += 2
            if kinds[after] in (",", ">"):
                path = self.path("a generic argument")
                return Undecided(path, path.span)
        elif kind not in ("(", "["):
            if self.at_reserved_word() and not self.starts_operand():
                return self.type()
            return self.binary(ARITHMETIC)

        depth, self.trying = self.depth, self.trying + 1
        try:
            found = self.type()
            if kinds[self.at] in (",", ">"):
                return found
            other = RuleError(self.at, self.unexpected("`,` or `>`"))
        except RuleError as failure:
            other = failure
        finally:
            self.trying -= 1
        self.at, self.depth = begin, depth
        try:
            value = self.binary(ARITHMETIC)
        except RuleError as failure:
            raise (other if other.at >= failure.at else failure) from None
        if kinds[self.at] not in (",", ">") and other.at > self.at:
            raise other
        return value

    def generics(self) -> tuple[Generic, ...]:
        """`< list(Generic) >`, or nothing where no `<` stands."""
        if self.kinds[self.at] != "<":
            return ()
        opener = self.at
        self.at += 1
        found = [self._generic()]
        while self.separate(opener):
            found.append(self._generic())
        self.at += 1
        return tuple(found)

    def _generic(self) -> Generic:
        start = self.starts[self.at]
        pack = self.kinds[self.at] == "*"
        if pack:
            self.at += 1
        name = self.name("the name of a generic")
        self.expect(":")
        at = self.at
        kind = _KINDS.get(self.word(at)) if self.kinds[at] == IDENT else None
        if kind is None:
            self.fail(
                f"the kind of generic `{name.text}`",
                notes=(_KIND_NOTE,),
                help=self.meant.kind(self.at, tuple(_KINDS)),
            )
        self.at += 1
        default = None
        if self.kinds[self.at] == "=":
            self.at += 1
            default = self.generic_arg()
        return Generic(pack, name, kind, self.token_span(at), default, self.span(start))

    def pattern(self, what: str) -> Pattern:
        """`IDENT | "(" list(Pattern) ")" | "some" "(" Pattern ")" | "none"`."""
        at = self.at
        kind = self.kinds[at]
        start = self.starts[at]
        if kind == "(":
            self.deeper()
            self.at += 1
            elements = [self.pattern("a pattern")]
            while self.separate(at):
                elements.append(self.pattern("a pattern"))
            self.at += 1
            self.depth -= 1
            return TuplePattern(tuple(elements), self.span(start))
        if kind == "some":
            self.deeper()
            self.at += 1
            self.expect("(")
            inner = self.pattern("a pattern")
            self.expect(")", at + 1)
            self.depth -= 1
            return SomePattern(inner, self.span(start))
        if kind == "none":
            self.at += 1
            return NonePattern(self.span(start))
        name = self.name(what)
        return NamePattern(name, name.span)


_KIND_NOTE: Final = f"the kinds are {', '.join(f'`{kind}`' for kind in _KINDS)}"
