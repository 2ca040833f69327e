"""The printer: syntax trees in the canonical style of section 15, each on one line.

`parse` reads what `show` prints back to the same tree. Parentheses stand only where the
grammar needs them.
"""

from collections.abc import Iterable
from typing import Final, final

from linnet.syntax._expressions import PRECEDENCE, REDUCTIONS
from linnet.syntax._tree import (
    Alias,
    Arg,
    Arm,
    ArrayType,
    Assign,
    Binary,
    Block,
    BlockMember,
    Body,
    BoolLiteral,
    BufferMember,
    Call,
    Const,
    Constraint,
    EllipsisPart,
    Enum,
    Expr,
    Field,
    FloatLiteral,
    For,
    Function,
    Generic,
    GenericArg,
    Gradient,
    If,
    Index,
    IndexPart,
    IntLiteral,
    Item,
    Kernel,
    KernelUse,
    Let,
    LetIndexed,
    Match,
    Member,
    Module,
    Name,
    NamedType,
    NamePattern,
    NoneExpr,
    NonePattern,
    OptionalType,
    OutIndex,
    Param,
    ParamMember,
    Path,
    Pattern,
    Reduction,
    Return,
    ShapeElem,
    ShapeLiteral,
    SlicePart,
    SomeExpr,
    SomePattern,
    Spread,
    StateMember,
    StaticFor,
    Stmt,
    Store,
    StringLiteral,
    Struct,
    SubMember,
    TensorType,
    TupleExpr,
    TuplePattern,
    TupleType,
    Type,
    Unary,
    Undecided,
    Use,
    UseItems,
    UseModule,
    UseName,
    Var,
    While,
    Yield,
)
from linnet.syntax._types import ARITHMETIC

Node = (
    Module
    | Use
    | UseName
    | Item
    | BlockMember
    | Field
    | Generic
    | Param
    | Constraint
    | Gradient
    | KernelUse
    | Body
    | Stmt
    | OutIndex
    | Pattern
    | Type
    | GenericArg
    | ShapeElem
    | IndexPart
    | Arg
    | Arm
    | Path
)

_LOOSEST: Final = 0  # `if`, `match` and all that binds tighter.
_UNARY: Final = 10
_POSTFIX: Final = 11


def show(node: Node) -> str:
    """The node as canonical source text, on one line but for the items of a module."""
    printer = _Printer(careful=False)
    text = printer.node(node)
    if not printer.risky:
        return text
    return _Printer(careful=True).node(node)


def show_signature(function: Function) -> str:
    """`pub fn name<generics>(params) -> result`, without `where` and body."""
    return _Printer(careful=False).signature(function)


def show_generics(generics: Iterable[Generic]) -> str:
    """`<H: Dim, *S: Shape, T: Float = f32>`, or nothing where there are none."""
    return _Printer(careful=False).generics(tuple(generics))


@final
class _Printer:
    """One rendering. `careful` keeps every `<` from reading as generic arguments [GRM-6].

    `risky` tells that a `>` before a bracket was printed, after which an earlier `<` could.
    """

    def __init__(self, careful: bool) -> None:
        self._careful = careful
        self.risky = False

    def node(self, node: Node) -> str:
        match node:
            case Module(path, uses, items):
                parts = [f"module {self.node(path)}", *map(self.node, (*uses, *items))]
                return "".join(f"{part}\n" for part in parts)
            case UseItems(path, names):
                return f"use {self.node(path)}::{{{self._list(names)}}}"
            case UseModule(path):
                return f"use {self.node(path)}"
            case UseName(name, alias):
                return name.text if alias is None else f"{name.text} as {alias.text}"
            case Path(segments):
                return ".".join(segment.text for segment in segments)
            case Const() | Alias() | Struct() | Enum() | Function() | Block() | Kernel():
                return self._item(node)
            case ParamMember() | BufferMember() | StateMember() | SubMember():
                return self._data_member(node)
            case Field(name, type_):
                return f"{name.text}: {self.node(type_)}"
            case Generic(pack, name, kind, _, default):
                tail = "" if default is None else f" = {self._generic_arg(default)}"
                return f"{'*' if pack else ''}{name.text}: {kind}{tail}"
            case Param(name, type_, default):
                tail = "" if default is None else f" = {self.node(default)}"
                return f"{name.text}: {self.node(type_)}{tail}"
            case Constraint(op, left, right):
                first, second = (self._expr(side, ARITHMETIC, False) for side in (left, right))
                return f"{first} {op} {second}"
            case Gradient(value, incoming, body):
                return f"grad({value.text}, {incoming.text}) {self.node(body)}"
            case KernelUse(name, args):
                return f"kernel {name.text}{self._generic_args(args)}"
            case Body(statements):
                return f"{{ {''.join(f'{self.node(one)} ' for one in statements)}}}"
            case OutIndex(pack, name):
                return f"*{name.text}" if pack else name.text
            case Undecided(path):
                return self.node(path)
            case Spread(name):
                return f"*{name.text}"
            case EllipsisPart():
                return "..."
            case SlicePart():
                return self._slice(node)
            case Arg(name, value):
                return self.node(value) if name is None else f"{name.text} = {self.node(value)}"
            case Arm(pattern, value):
                return f"{self.node(pattern)} => {self.node(value)}"
            case NamePattern() | TuplePattern() | SomePattern() | NonePattern():
                return self._pattern(node)
            case NamedType() | TensorType() | TupleType() | ArrayType() | OptionalType():
                return self._type(node)
            case (
                Let()
                | LetIndexed()
                | Var()
                | Assign()
                | Return()
                | StaticFor()
                | While()
                | For()
                | Yield()
                | Store()
            ):
                return self._statement(node)
            case (
                Name()
                | IntLiteral()
                | FloatLiteral()
                | StringLiteral()
                | BoolLiteral()
                | NoneExpr()
                | SomeExpr()
                | TupleExpr()
                | ShapeLiteral()
                | Unary()
                | Binary()
                | Call()
                | Index()
                | Member()
                | Reduction()
                | If()
                | Match()
            ):
                return self._expr(node, _LOOSEST, True)

    def _list(self, nodes: Iterable[Node]) -> str:
        return ", ".join(map(self.node, nodes))

    def _tuple(self, nodes: tuple[Node, ...]) -> str:
        """One element keeps its comma, which tells it from parentheses."""
        return f"({self._list(nodes)}{',' if len(nodes) == 1 else ''})"

    # Items

    def generics(self, generics: tuple[Generic, ...]) -> str:
        return f"<{self._list(generics)}>" if generics else ""

    def signature(self, function: Function) -> str:
        public = "pub " if function.public else ""
        result = "" if function.result is None else f" -> {self.node(function.result)}"
        head = f"{public}{function.kind} {function.name.text}{self.generics(function.generics)}"
        return f"{head}({self._list(function.params)}){result}"

    def _where(self, where: tuple[Constraint, ...]) -> str:
        return f" where {self._list(where)}" if where else ""

    def _item(self, item: Item) -> str:
        public = "pub " if item.public else ""
        name = item.name.text
        match item:
            case Const(type=type_, value=value):
                annotation = "" if type_ is None else f": {self.node(type_)}"
                return f"{public}const {name}{annotation} = {self.node(value)}"
            case Alias(generics=generics, target=target):
                return f"{public}type {name}{self.generics(generics)} = {self.node(target)}"
            case Struct(generics=generics, fields=fields):
                body = "".join(f"{self.node(field)} " for field in fields)
                return f"{public}struct {name}{self.generics(generics)} {{ {body}}}"
            case Enum(generics=generics, variants=variants):
                body = f" {self._list(variants)} " if variants else ""
                return f"{public}enum {name}{self.generics(generics)} {{{body}}}"
            case Function(where=where, body=body, kernel=kernel, gradient=gradient):
                use = "" if kernel is None else f" {self.node(kernel)}"
                head = f"{self.signature(item)}{use}{self._where(where)}"
                tail = "" if gradient is None else f" {self.node(gradient)}"
                return f"{head} {self.node(body)}{tail}"
            case Kernel():
                return f"{public}{self._kernel(item)} {self.node(item.body)}"
            case Block(generics=generics, where=where, members=members):
                head = f"{public}block {name}{self.generics(generics)}{self._where(where)}"
                return f"{head} {{ {''.join(f'{self.node(one)} ' for one in members)}}}"

    def _kernel(self, kernel: Kernel) -> str:
        results = self._list(kernel.results)
        results = results if len(kernel.results) == 1 else f"({results})"
        head = f"kernel {kernel.name.text}{self.generics(kernel.generics)}"
        head += f"({self._list(kernel.params)}) -> {results} grid({self._list(kernel.grid)})"
        head += "" if kernel.warps is None else f" warps({self.node(kernel.warps)})"
        head += "" if kernel.stages is None else f" stages({self.node(kernel.stages)})"
        return f"{head}{self._where(kernel.where)}"

    def _data_member(self, member: ParamMember | BufferMember | StateMember | SubMember) -> str:
        name, type_ = member.name.text, self.node(member.type)
        match member:
            case ParamMember(value=value):
                kind = "param"
            case BufferMember():
                kind, value = "buffer", None
            case StateMember():
                kind, value = "state", None
            case SubMember(value=value):
                kind = "sub"
        tail = "" if value is None else f" = {self.node(value)}"
        return f"{kind} {name}: {type_}{tail}"

    # Types

    def _type(self, node: Type) -> str:
        match node:
            case NamedType(path, args):
                return f"{self.node(path)}{self._generic_args(args)}"
            case TensorType(shape, dtype):
                return f"Tensor[{self._list(shape)}; {self.node(dtype)}]"
            case TupleType(elements):
                return self._tuple(elements)
            case ArrayType(element, length):
                return f"[{self.node(element)}; {self.node(length)}]"
            case OptionalType(inner):
                return f"{self.node(inner)}?"

    def _generic_args(self, args: tuple[GenericArg, ...]) -> str:
        return f"<{', '.join(map(self._generic_arg, args))}>" if args else ""

    def _generic_arg(self, arg: GenericArg) -> str:
        if isinstance(arg, (NamedType, TensorType, TupleType, ArrayType, OptionalType, Undecided)):
            return self.node(arg)
        return self._expr(arg, ARITHMETIC, False)

    # Statements and patterns

    def _statement(self, node: Stmt) -> str:
        match node:
            case Let(pattern, type_, value):
                annotation = "" if type_ is None else f": {self.node(type_)}"
                return f"let {self.node(pattern)}{annotation} = {self.node(value)}"
            case LetIndexed(name, indices, value):
                return f"let {name.text}[{self._list(indices)}] = {self.node(value)}"
            case Var(name, type_, value):
                annotation = "" if type_ is None else f": {self.node(type_)}"
                return f"var {name.text}{annotation} = {self.node(value)}"
            case Assign(target, value):
                return f"{target.text} = {self.node(value)}"
            case Return(value):
                return "return" if value is None else f"return {self.node(value)}"
            case StaticFor(pattern, subject, stop, body):
                limit = "" if stop is None else f"..{self.node(stop)}"
                subject_text = f"{self.node(subject)}{limit}"
                return f"static for {self.node(pattern)} in {subject_text} {self.node(body)}"
            case While(condition, body):
                return f"while {self.node(condition)} {self.node(body)}"
            case Store(op, target, value, mask):
                parts = (target, value) if mask is None else (target, value, mask)
                return f"{op}({self._list(parts)})"
            case For(name, start, stop, body):
                limits = f"{self.node(start)}..{self.node(stop)}"
                return f"for {name.text} in {limits} {self.node(body)}"
            case Yield(value):
                return f"yield {self.node(value)}"

    def _pattern(self, node: Pattern) -> str:
        match node:
            case NamePattern(name):
                return name.text
            case TuplePattern(elements):
                return f"({self._list(elements)})"
            case SomePattern(inner):
                return f"some({self.node(inner)})"
            case NonePattern():
                return "none"

    # Expressions

    def _expr(self, node: Expr, loosest: int, last: bool) -> str:
        """The text of an expression where one of at least a precedence must stand.

        `last` tells that nothing after it could extend it: a reduction's body, which runs
        as far right as it can, needs no parentheses there [GRM-5].
        """
        match node:
            case Name(text):
                return text
            case IntLiteral() | FloatLiteral() | StringLiteral():
                return node.span.text
            case BoolLiteral(value):
                return "true" if value else "false"
            case NoneExpr():
                return "none"
            case SomeExpr(value):
                return f"some({self.node(value)})"
            case TupleExpr(elements):
                return self._tuple(elements)
            case ShapeLiteral(elements):
                return f"[{self._list(elements)}]"
            case Call(callee, generics, args):
                base = self._base(callee)
                return f"{base}{self._generic_args(generics)}({self._list(args)})"
            case Index(base, parts):
                text = self._base(base)
                if isinstance(base, Name) and base.text in REDUCTIONS:
                    text = f"({text})"
                return f"{text}[{self._list(parts)}]"
            case Member(base, name):
                return f"{self._base(base)}.{name.text}"
            case Unary(op, operand):
                wrapped = loosest > _UNARY
                text = f"{op}{self._expr(operand, _POSTFIX, last or wrapped)}"
                return f"({text})" if wrapped else text
            case Binary():
                return self._binary(node, loosest, last)
            case Reduction(op, accumulator, indices, body):
                dtype = "" if accumulator is None else f"<{self.node(accumulator)}>"
                text = f"{op}{dtype}[{self._list(indices)}] {self.node(body)}"
                return text if last else f"({text})"
            case If(condition, then, otherwise):
                branches = f"{{ {self.node(then)} }} else {{ {self.node(otherwise)} }}"
                text = f"if {self.node(condition)} {branches}"
                return f"({text})" if loosest > _LOOSEST else text
            case Match(scrutinee, arms):
                body = " ".join(map(self.node, arms))
                text = f"match {self.node(scrutinee)} {{ {body} }}"
                return f"({text})" if loosest > _LOOSEST else text

    def _base(self, node: Expr) -> str:
        """What a call, index or member applies to."""
        return self._expr(node, _POSTFIX, False)

    def _binary(self, node: Binary, loosest: int, last: bool) -> str:
        level = PRECEDENCE[node.op]
        wrapped = level < loosest
        left = self._expr(node.left, level, False)
        right = self._expr(node.right, level + 1, last or wrapped)
        if node.op == ">" and right[0] in "([":
            self.risky = True
        if node.op == "<" and self._careful:
            left = f"({left})"
        text = f"{left} {node.op} {right}"
        return f"({text})" if wrapped else text

    def _slice(self, node: SlicePart) -> str:
        pieces = (node.start, node.stop, node.step)
        start, stop, step = ("" if piece is None else self.node(piece) for piece in pieces)
        return f"{start}:{stop}" if node.step is None else f"{start}:{stop}:{step}"
