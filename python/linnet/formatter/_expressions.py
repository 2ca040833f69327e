"""Documents of expressions."""

from linnet.formatter._document import (
    Assign,
    Chain,
    Doc,
    IfElse,
    Link,
    Node,
    Row,
    Rows,
    concat,
)
from linnet.formatter._types import TypeBuilder
from linnet.syntax import (
    PRECEDENCE,
    Arg,
    Arm,
    Binary,
    BoolLiteral,
    Call,
    EllipsisPart,
    Expr,
    FloatLiteral,
    If,
    Index,
    IndexPart,
    IntLiteral,
    Match,
    Member,
    Name,
    NoneExpr,
    Reduction,
    ShapeLiteral,
    SlicePart,
    SomeExpr,
    Spread,
    StringLiteral,
    TupleExpr,
    Unary,
)


def hugs(node: Expr) -> bool:
    """Whether a value stays on the line of its `=` and breaks inside its own brackets."""
    return isinstance(node, (Call, TupleExpr, ShapeLiteral, SomeExpr, If, Match))


class ExpressionBuilder(TypeBuilder):
    """Expressions."""

    def expr(self, node: Expr) -> Doc:
        """An expression, with the parentheses that its author wrote around it."""
        if self.kinds[self.at] != "(" or self.starts[self.at] >= node.span.start:
            return self._bare(node)
        opening = self.tok("(")
        inner = self.expr(node)
        return concat(opening, inner, self.tok(")"))

    def _bare(self, node: Expr) -> Doc:
        match node:
            case (
                Name()
                | IntLiteral()
                | FloatLiteral()
                | StringLiteral()
                | BoolLiteral()
                | NoneExpr()
            ):
                return self.tok()
            case SomeExpr(value):
                return concat(
                    self.tok("some"), self.listing((value,), self.expr, "()", commas=False)
                )
            case TupleExpr(elements):
                return self.listing(elements, self.expr, "()", eager=True, lone_comma=True)
            case ShapeLiteral(elements):
                return self.listing(elements, self.shape_element, "[]", eager=True)
            case Call() | Index() | Member():
                return self._postfix(node)
            case Unary(operand=operand):
                return concat(self.tok(), self.expr(operand))
            case Binary():
                return self._chain(node)
            case Reduction():
                return self._reduction(node)
            case If():
                return self._if(node)
            case Match(scrutinee, arms):
                head = concat(self.tok("match"), " ", self.expr(scrutinee), " ")
                return concat(head, self.braces(arms, self._arm))

    def _postfix(self, node: Call | Index | Member) -> Doc:
        """A call, access or member and all that it applies to, without a call for each."""
        steps: list[Call | Index | Member] = []
        base: Expr = node
        start = node.span.start
        # What stands in parentheses begins behind the node around it.
        while isinstance(base, (Call, Index, Member)) and base.span.start == start:
            steps.append(base)
            base = base.callee if isinstance(base, Call) else base.base
        parts = [self.expr(base)]
        for step in reversed(steps):
            match step:
                case Call(generics=generics, args=args):
                    parts.append(self.generic_args(generics))
                    parts.append(self.listing(args, self._arg, "()", eager=True))
                case Index(parts=indices):
                    parts.append(self.listing(indices, self._index_part, "[]"))
                case Member():
                    # A point right behind an integer would begin a fraction.
                    space = " " if self.kinds[self.at - 1] == "INT" else ""
                    parts += [space, self.tok("."), self.tok()]
        return concat(*parts)

    def _arg(self, node: Arg) -> Doc:
        if node.name is None:
            return self.expr(node.value)
        left = concat(self.tok(), " ", self.tok("="))
        return self.assigned(left, node.value)

    def _index_part(self, node: IndexPart) -> Doc:
        match node:
            case EllipsisPart():
                return self.tok("...")
            case Spread():
                return concat(self.tok("*"), self.tok())
            case SlicePart(start, stop, step):
                parts: list[Doc] = [] if start is None else [self.expr(start)]
                if self.kinds[self.at] == "::":
                    parts.append(self.tok())
                else:
                    parts.append(self.tok(":"))
                    parts += [] if stop is None else [self.expr(stop)]
                    if self.kinds[self.at] == ":":
                        parts.append(self.tok())
                parts += [] if step is None else [self.expr(step)]
                return concat(*parts)
            case _:
                return self.expr(node)

    def _chain(self, node: Binary) -> Doc:
        """All operators of one precedence that follow each other."""
        level = PRECEDENCE[node.op]
        rights: list[Expr] = []
        left: Expr = node
        start = node.span.start
        while (
            isinstance(left, Binary) and PRECEDENCE[left.op] == level and left.span.start == start
        ):
            rights.append(left.right)
            left = left.left
        first = self.expr(left)
        return Chain(first, [self.link(right) for right in reversed(rights)])

    def link(self, right: Expr) -> Link:
        """An operator and its right operand."""
        operator = self.tok()
        after = self.after()
        above = self.above()
        return Link(operator, tuple(after), tuple(above), self.expr(right))

    def _reduction(self, node: Reduction) -> Doc:
        parts = [self.tok()]
        if node.accumulator is not None:
            parts += [self.tok("<"), self.type(node.accumulator), self.tok(">")]
        parts.append(self.listing(node.indices, self.name, "[]"))
        return concat(*parts, " ", self.expr(node.body))

    def _if(self, node: If) -> Doc:
        condition = concat(self.tok("if"), " ", self.expr(node.condition))
        before, then = self._branch(node.then)
        middle = self.tok("else")
        behind, otherwise = self._branch(node.otherwise)
        return IfElse(
            concat(condition, _spaced(before)), then, concat(middle, _spaced(behind)), otherwise
        )

    def _branch(self, node: Expr) -> tuple[Doc, Rows]:
        """The comments before a branch, and its braces."""
        before = self._open("{")
        after = self.after()
        row = Row(concat(), self.above())
        row.doc = self.expr(node)
        row.after = self.after()
        same, tail = self.closing()
        row.after += same
        self.skip("}")
        pad = " "
        rows = Rows("{", [row], "}", separator="", pad=pad, after_opening=after, tail=tail)
        return before, rows

    def _arm(self, node: Arm) -> Doc:
        left = concat(self.pattern(node.pattern), " ", self.tok("=>"))
        return self.assigned(left, node.value)

    def assigned(self, left: Doc, value: Expr) -> Doc:
        """A value behind `left`, which ends in `=` or `=>`."""
        after = self.after()
        above = self.above()
        return Assign(left, self.expr(value), hugs=hugs(value), after=after, above=above)


def _spaced(comments: Doc) -> Doc:
    return concat(" ", comments) if isinstance(comments, Node) or comments else ""
