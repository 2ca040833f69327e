"""Documents of types, generics and patterns."""

from abc import ABC, abstractmethod

from linnet.formatter._document import CommentLine, Doc, Row, Rows, concat
from linnet.formatter._reader import Reader
from linnet.syntax import (
    ArrayType,
    Expr,
    Generic,
    GenericArg,
    Name,
    NamedType,
    NamePattern,
    NonePattern,
    OptionalType,
    OutIndex,
    Path,
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


class TypeBuilder(Reader, ABC):
    """Types; the expressions inside them come from the class below."""

    @abstractmethod
    def expr(self, node: Expr) -> Doc:
        """An expression, with the parentheses around it."""

    def name(self, node: Name) -> Doc:
        """A name, which is one token."""
        return self.tok()

    def path(self, node: Path) -> Doc:
        """Names joined by dots."""
        parts = [self.tok()]
        for _ in node.segments[1:]:
            parts += [self.tok("."), self.tok()]
        return concat(*parts)

    def type(self, node: Type) -> Doc:
        """A type."""
        match node:
            case NamedType(path, args):
                return concat(self.path(path), self.generic_args(args))
            case TensorType():
                return self._tensor(node)
            case TupleType(elements):
                return self.listing(elements, self.type, "()", eager=True, lone_comma=True)
            case ArrayType(element, length):
                return concat(
                    self.tok("["),
                    self.type(element),
                    self.tok(";"),
                    " ",
                    self.expr(length),
                    self.tok("]"),
                )
            case OptionalType(inner):
                return concat(self.type(inner), self.tok("?"))

    def _tensor(self, node: TensorType) -> Doc:
        """`Tensor[A, B; T]`; the last dimension keeps the dtype on its line, and no comma."""
        word = self.tok()
        before = self._open("[")
        behind = self.after()
        rows: list[Row] = []
        above: list[CommentLine] = []
        for number, dimension in enumerate(node.shape, 1):
            row = Row(concat(), [*above, *self.above()])
            row.doc = self.shape_element(dimension)
            rows.append(row)
            if number < len(node.shape):
                above = self.comma(row)
        rows[-1].doc = concat(rows[-1].doc, self.tok(";"), " ", self.type(node.dtype))
        tail = self.close(rows, behind, [])
        self.skip("]")
        shape = Rows("[", rows, "]", trailing=False, after_opening=behind, tail=tail)
        return concat(word, before, shape)

    def shape_element(self, node: ShapeElem) -> Doc:
        """A dimension, or `*S`."""
        if isinstance(node, Spread):
            return concat(self.tok("*"), self.tok())
        return self.expr(node)

    def generic_args(self, args: tuple[GenericArg, ...]) -> Doc:
        """`<A, B>`, or nothing."""
        return self.listing(args, self._generic_arg, "<>") if args else ""

    def _generic_arg(self, node: GenericArg) -> Doc:
        match node:
            case Undecided(path):
                return self.path(path)
            case NamedType() | TensorType() | TupleType() | ArrayType() | OptionalType():
                return self.type(node)
            case _:
                return self.expr(node)

    def generics(self, generics: tuple[Generic, ...]) -> Doc:
        """`<H: Dim, *S: Shape>`, or nothing."""
        return self.listing(generics, self._generic, "<>", eager=True) if generics else ""

    def _generic(self, node: Generic) -> Doc:
        star = self.tok("*") if node.pack else ""
        found = [star, self.tok(), self.tok(":"), " ", self.tok()]
        if node.default is not None:
            found += [" ", self.tok("="), " ", self._generic_arg(node.default)]
        return concat(*found)

    def pattern(self, node: Pattern) -> Doc:
        """A pattern."""
        match node:
            case NamePattern() | NonePattern():
                return self.tok()
            case TuplePattern(elements):
                return self.listing(elements, self.pattern, "()", lone_comma=True)
            case SomePattern(inner):
                return concat(
                    self.tok("some"), self.listing((inner,), self.pattern, "()", commas=False)
                )

    def out_index(self, node: OutIndex) -> Doc:
        """`i` or `*s`."""
        return concat(self.tok("*"), self.tok()) if node.pack else self.tok()
