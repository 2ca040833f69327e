"""Documents of statements, items and whole files."""

from itertools import pairwise
from typing import final

from linnet.formatter._document import (
    Assign,
    Chain,
    CommentLine,
    Doc,
    HardLine,
    Row,
    Rows,
    concat,
)
from linnet.formatter._expressions import ExpressionBuilder
from linnet.formatter._reader import MismatchError
from linnet.syntax import (
    Alias,
    Block,
    BlockMember,
    Body,
    BufferMember,
    Const,
    Constraint,
    Enum,
    Expr,
    Field,
    For,
    Function,
    Gradient,
    IntLiteral,
    Item,
    Kernel,
    Let,
    LetIndexed,
    Module,
    Param,
    ParamMember,
    Return,
    StateMember,
    StaticFor,
    Stmt,
    Store,
    Struct,
    SubMember,
    TupleType,
    Type,
    Use,
    UseItems,
    UseModule,
    UseName,
    Var,
    While,
    Yield,
)
from linnet.syntax import Assign as AssignStmt

_SHORT = (Const, Alias)
_DATA = (ParamMember, BufferMember, StateMember, SubMember)


class StatementBuilder(ExpressionBuilder):
    """Bodies and statements."""

    def body(self, node: Body) -> Doc:
        """Statements between braces, one a line."""
        return self.braces(node.statements, self._stmt)

    def _stmt(self, node: Stmt) -> Doc:
        match node:
            case Let(pattern, type_, value):
                left = concat(self.tok("let"), " ", self.pattern(pattern), self._annotation(type_))
                return self._set(left, value)
            case LetIndexed(indices=indices, value=value):
                name = concat(self.tok("let"), " ", self.tok())
                return self._set(concat(name, self.listing(indices, self.out_index, "[]")), value)
            case Var(type=type_, value=value):
                left = concat(self.tok("var"), " ", self.tok(), self._annotation(type_))
                return self._set(left, value)
            case AssignStmt(value=value):
                return self._set(self.tok(), value)
            case Return(value):
                word = self.tok("return")
                return word if value is None else concat(word, " ", self._value(value))
            case StaticFor(pattern, subject, stop, body):
                words = concat(self.toks("static", "for"), " ", self.pattern(pattern), " ")
                where = concat(words, self.tok("in"), " ", self.expr(subject))
                if stop is not None:
                    where = concat(where, self.tok(".."), self.expr(stop))
                return concat(where, " ", self.body(body))
            case While(condition, body):
                head = concat(self.tok("while"), " ", self.expr(condition), " ")
                return concat(head, self.body(body))
            case For():
                return self._for(node)
            case Yield(value):
                return concat(self.tok("yield"), " ", self.expr(value))
            case Store(target=target, value=value, mask=mask):
                parts = (target, value) if mask is None else (target, value, mask)
                return concat(self.tok(), self.listing(parts, self.expr, "()", eager=True))

    def _annotation(self, node: Type | None) -> Doc:
        return "" if node is None else concat(self.tok(":"), " ", self.type(node))

    def _for(self, node: For) -> Doc:
        head = concat(self.tok("for"), " ", self.tok(), " ", self.tok("in"), " ")
        limits = concat(self.expr(node.start), self.tok(".."), self.expr(node.stop))
        return concat(head, limits, " ", self.body(node.body))

    def _value(self, value: Expr | For) -> Doc:
        return self._for(value) if isinstance(value, For) else self.expr(value)

    def _set(self, left: Doc, value: Expr | For) -> Doc:
        if isinstance(value, For):
            # Its body breaks where a body does, never after the `=`.
            return concat(left, " ", self.tok("="), " ", self._for(value))
        return self.assigned(concat(left, " ", self.tok("=")), value)


@final
class FileBuilder(StatementBuilder):
    """Items and files."""

    def file(self, node: Module) -> tuple[list[Row], list[CommentLine]]:
        """The rows of a file and the comments at its end."""
        rows = [self.row(self._module_line, node)]
        for number, use in enumerate(node.uses):
            row = self.row(self._use, use)
            row.part(number == 0)
            rows.append(row)
        for number, item in enumerate(node.items):
            row = self.row(self._item, item)
            before = node.items[number - 1] if number else None
            together = isinstance(item, _SHORT) and isinstance(before, _SHORT)
            if not together:
                row.part()
            rows.append(row)
        same, tail = self.closing()
        rows[-1].after += same
        if self.kinds[self.at] != "END":
            raise MismatchError(f"tokens left over at {self.starts[self.at]}")
        return rows, tail

    def _module_line(self, node: Module) -> Doc:
        return concat(self.tok("module"), " ", self.path(node.path))

    def _use(self, node: Use) -> Doc:
        path = concat(self.tok("use"), " ", self.path(node.path))
        match node:
            case UseModule():
                return path
            case UseItems(names=names):
                path = concat(path, self.tok("::"))
                if self.kinds[self.at] != "{":
                    return concat(path, self.tok())
                return concat(path, self.listing(names, self._use_name, "{}", eager=True))

    def _use_name(self, node: UseName) -> Doc:
        if node.alias is None:
            return self.tok()
        return concat(self.tok(), " ", self.tok("as"), " ", self.tok())

    # Items

    def _item(self, node: Item) -> Doc:
        public = concat(self.tok("pub"), " ") if node.public else ""
        word = concat(public, self.tok(), " ", self.tok())
        match node:
            case Const(type=type_, value=value):
                return self._set(concat(word, self._annotation(type_)), value)
            case Alias(generics=generics, target=target):
                left = concat(word, self.generics(generics), " ", self.tok("="))
                after, above = self.after(), self.above()
                hugs = isinstance(target, TupleType)
                return Assign(left, self.type(target), hugs=hugs, after=after, above=above)
            case Struct(generics=generics, fields=fields):
                head = concat(word, self.generics(generics), " ")
                return concat(head, self.braces(fields, self._field))
            case Enum(generics=generics, variants=variants):
                head = concat(word, self.generics(generics), " ")
                return concat(head, self.braces(variants, self.name, commas=True))
            case Function():
                return self._function(node, word)
            case Kernel():
                return self._kernel(node, word)
            case Block(generics=generics, where=where, members=members):
                head = concat(word, self.generics(generics), self._where(where))
                return concat(head, self._members(members))

    def _function(self, node: Function, word: Doc) -> Doc:
        head = concat(word, self.generics(node.generics))
        head = concat(head, self.listing(node.params, self._param, "()", eager=True))
        if node.result is not None:
            head = concat(head, " ", self.tok("->"), " ", self.type(node.result))
        if node.kernel is not None:
            head = concat(head, " ", self.tok("kernel"), " ", self.tok())
            head = concat(head, self.generic_args(node.kernel.args))
        found = concat(head, self._where(node.where), self.body(node.body))
        return found if node.gradient is None else concat(found, self._gradient(node.gradient))

    def _gradient(self, node: Gradient) -> Doc:
        head = concat(" ", self.tok(), self.listing((node.value, node.incoming), self.name, "()"))
        return concat(head, " ", self.body(node.body))

    def _kernel(self, node: Kernel, word: Doc) -> Doc:
        head = concat(word, self.generics(node.generics))
        head = concat(head, self.listing(node.params, self._param, "()", eager=True))
        head = concat(head, " ", self.tok("->"), " ")
        if self.kinds[self.at] == "(":
            head = concat(head, self.listing(node.results, self._field, "()", eager=True))
        else:
            head = concat(head, self._field(node.results[0]))
        head = concat(head, " ", self.tok(), self.listing(node.grid, self.expr, "()"))
        for hint in (node.warps, node.stages):
            if hint is not None:
                head = concat(head, " ", self._hint(hint))
        return concat(head, self._where(node.where), self.body(node.body))

    def _hint(self, node: IntLiteral) -> Doc:
        return concat(self.tok(), self.tok("("), self.expr(node), self.tok(")"))

    def _param(self, node: Param) -> Doc:
        found = concat(self.tok(), self.tok(":"), " ", self.type(node.type))
        return found if node.default is None else self._set(found, node.default)

    def _field(self, node: Field) -> Doc:
        return concat(self.tok(), self.tok(":"), " ", self.type(node.type))

    def _where(self, where: tuple[Constraint, ...]) -> Doc:
        """What stands between a signature and its `{`: a space, or the constraints.

        One constraint shares its line with `where` and `{`; several have a line each. No comma
        stands behind the last one.
        """
        if not where:
            return " "
        before = self._open("where")
        behind = self.after()
        rows: list[Row] = []
        above: list[CommentLine] = []
        for constraint in where:
            row = Row(concat(), [*above, *self.above()])
            row.doc = self._constraint(constraint)
            rows.append(row)
            row.after = self.after()
            above = self.comma(row) if self.kinds[self.at] == "," else []
        tail = above + self.above()
        listed = Rows(
            "where",
            rows,
            "",
            trailing=False,
            pad=" ",
            forced=len(where) > 1,
            after_opening=behind,
            tail=tail,
        )
        return concat(before, HardLine(), listed)

    def _constraint(self, node: Constraint) -> Doc:
        return Chain(self.expr(node.left), [self.link(node.right)])

    # Blocks

    def _members(self, members: tuple[BlockMember, ...]) -> Doc:
        """Members with a line each; functions stand between blank lines."""
        lines = [isinstance(member, (*_DATA, *_SHORT)) for member in members]
        parted = [
            number
            for number, (before, this) in enumerate(pairwise(lines), 2)
            if not (before and this)
        ]
        return self.braces(members, self._member, parted=parted)

    def _member(self, node: BlockMember) -> Doc:
        match node:
            case ParamMember(type=type_, value=value) | SubMember(type=type_, value=value):
                left = concat(self.tok(), " ", self.tok(), self._annotation(type_))
                return left if value is None else self._set(left, value)
            case BufferMember(type=type_) | StateMember(type=type_):
                return concat(self.tok(), " ", self.tok(), self._annotation(type_))
            case Const() | Alias() | Struct() | Enum() | Function():
                return self._item(node)
