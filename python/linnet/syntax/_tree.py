"""The syntax tree: one class for each form of the grammar (spec section 3).

Plain data without checks. Every node carries the span that it covers; spans of composite
nodes include the parentheses around their parts. Nodes compare and hash by identity, so a
later stage can key tables by node; `same_tree` in the tests compares structure.
The classes are the whole grammar, one after another, hence the length of this file.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from linnet.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """An identifier. Also the expression that is one bare name."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Names joined by dots: `std.nn.linear`, `T`. The first may read `crate`."""

    segments: tuple[Name, ...]
    span: Span

    @property
    def text(self) -> str:
        """The path as the user writes it."""
        return ".".join(segment.text for segment in self.segments)


# Files, imports and items (3.1) ------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class UseName:
    """`x` or `x as y` in an import list."""

    name: Name
    alias: Name | None
    span: Span

    @property
    def bound(self) -> Name:
        """The name that the import binds."""
        return self.alias or self.name


@dataclass(frozen=True, slots=True, eq=False)
class UseItems:
    """`use a.b::{x, y as z}` or `use a.b::x`: binds items of a module [MOD-2]."""

    path: Path
    names: tuple[UseName, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class UseModule:
    """`use a.b`: binds the module under its last segment [MOD-2]."""

    path: Path
    span: Span


class Kind(StrEnum):
    """The kind of a generic [TYP-16]."""

    DIM = "Dim"
    SHAPE = "Shape"
    DTYPE = "DType"
    NUMERIC = "Numeric"
    INTEGER = "Integer"
    FLOAT = "Float"


@dataclass(frozen=True, slots=True, eq=False)
class Generic:
    """`H: Dim`, `*S: Shape`, `T: Float = f32`. `pack` says whether a `*` was written."""

    pack: bool
    name: Name
    kind: Kind
    kind_span: Span
    default: "GenericArg | None"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """A parameter of a function."""

    name: Name
    type: "Type"
    default: "Expr | None"
    span: Span


CompareOp = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """One comparison of a `where` clause."""

    op: CompareOp
    left: "Expr"
    right: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The statements between braces; the span covers the braces."""

    statements: "tuple[Stmt, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """`const N: i32 = 4`; without a type it is a compile-time value [TYP-14]."""

    public: bool
    name: Name
    type: "Type | None"
    value: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Alias:
    """`type Row<N: Dim> = Tensor[N; f32]`."""

    public: bool
    name: Name
    generics: tuple[Generic, ...]
    target: "Type"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of a struct."""

    name: Name
    type: "Type"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Struct:
    """A nominal record [TYP-6]."""

    public: bool
    name: Name
    generics: tuple[Generic, ...]
    fields: tuple[Field, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Enum:
    """A closed list of names [TYP-5]."""

    public: bool
    name: Name
    generics: tuple[Generic, ...]
    variants: tuple[Name, ...]
    span: Span


FunctionKind = Literal["fn", "op", "entry"]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A `fn`, `op` or `entry`, in a module or in a block [FUN-1].

    `head_span` runs from the keyword (or `pub`) to the end of the signature.
    """

    kind: FunctionKind
    public: bool
    name: Name
    generics: tuple[Generic, ...]
    params: tuple[Param, ...]
    result: "Type | None"
    where: tuple[Constraint, ...]
    body: Body
    head_span: Span
    span: Span
    kernel: "KernelUse | None" = None
    gradient: "Gradient | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """`grad(y, dy) { … }` behind the body of an `op` [LAT-7].

    `head_span` covers all but the body.
    """

    value: Name
    incoming: Name
    body: Body
    head_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class KernelUse:
    """`kernel name<args>` behind the result of an `op`: what a backend may launch [LAT-11]."""

    name: Name
    args: "tuple[GenericArg, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A tile program, run once for each cell of its grid [LAT-9]. `results` are what it writes.

    `head_span` runs from the keyword (or `pub`) to the end of the signature.
    """

    public: bool
    name: Name
    generics: tuple[Generic, ...]
    params: tuple[Param, ...]
    results: tuple[Field, ...]
    grid: "tuple[Expr, ...]"
    warps: "IntLiteral | None"
    stages: "IntLiteral | None"
    where: tuple[Constraint, ...]
    body: Body
    head_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ParamMember:
    """`param weight: Tensor[H; T]` in a block; a value other than `= none` is `E4102`."""

    name: Name
    type: "Type"
    value: "Expr | None"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class BufferMember:
    """`buffer table: Tensor[N; f32]`."""

    name: Name
    type: "Type"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class StateMember:
    """`state cache: Tensor[N; f32]`."""

    name: Name
    type: "Type"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SubMember:
    """`sub attn: Attention<H>`, with `= none` on an optional one."""

    name: Name
    type: "Type"
    value: "Expr | None"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A block and its members in order [BLK-1]."""

    public: bool
    name: Name
    generics: tuple[Generic, ...]
    where: tuple[Constraint, ...]
    members: "tuple[BlockMember, ...]"
    head_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A whole file: its `module` line, imports and items. `source` is `span.file`."""

    path: Path
    uses: "tuple[Use, ...]"
    items: "tuple[Item, ...]"
    span: Span


# Types (3.2) -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """`*S`: a pack in a shape, or a pack index in an access."""

    name: Name
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NamedType:
    """A path with generic arguments; no arguments is an empty tuple. Also a dtype name."""

    path: Path
    args: "tuple[GenericArg, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TensorType:
    """`Tensor[*S, H; T]`."""

    shape: "tuple[ShapeElem, ...]"
    dtype: NamedType
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TupleType:
    """`(A, B)` or `(A,)`."""

    elements: "tuple[Type, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ArrayType:
    """`[Block<H>; Layers]`."""

    element: "Type"
    length: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OptionalType:
    """`A?`; `inner` is never optional itself."""

    inner: "Type"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Undecided:
    """A generic argument that is a bare name or dotted path: a type, dtype or dimension.

    Only what the name stands for decides (spec 3.2).
    """

    path: Path
    span: Span


# Expressions (3.4) -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class IntLiteral:
    """An integer; `value` fits i64 [LEX-6]."""

    value: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class FloatLiteral:
    """A float; `text` is its spelling, underscores included."""

    text: str
    value: float
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral:
    """A string, escapes resolved. No type holds one: `E2190` in the checker [LEX-8]."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class BoolLiteral:
    """`true` or `false`."""

    value: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NoneExpr:
    """`none`."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SomeExpr:
    """`some(value)`."""

    value: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TupleExpr:
    """`(a, b)` or `(a,)`."""

    elements: "tuple[Expr, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ShapeLiteral:
    """`[A, *S]`; `[]` is the empty shape [EXP-12]."""

    elements: "tuple[ShapeElem, ...]"
    span: Span


UnaryOp = Literal["!", "-", "+"]


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """A prefix operator."""

    op: UnaryOp
    operand: "Expr"
    span: Span


BinaryOp = Literal[
    "||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "+", "-", "*", "/", "%"
]


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """A binary operator; `op_span` covers the operator alone."""

    op: BinaryOp
    left: "Expr"
    right: "Expr"
    op_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arg:
    """An argument, `axis = 1` or plain."""

    name: Name | None
    value: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`callee<generics>(args)`; no generic arguments is an empty tuple [GRM-6]."""

    callee: "Expr"
    generics: "tuple[GenericArg, ...]"
    args: tuple[Arg, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EllipsisPart:
    """`...` in an index."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SlicePart:
    """`start:stop:step` in an index, any piece left out."""

    start: "Expr | None"
    stop: "Expr | None"
    step: "Expr | None"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`base[parts]`."""

    base: "Expr"
    parts: "tuple[IndexPart, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """`base.name`: a variant, field, block member or module item [EXP-14]."""

    base: "Expr"
    name: Name
    span: Span


ReduceOp = Literal["sum", "prod", "max", "min", "any", "all"]


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """`sum<f32>[i, j] body` [IDX-10]; `head_span` covers all but the body."""

    op: ReduceOp
    accumulator: NamedType | None
    indices: tuple[Name, ...]
    body: "Expr"
    head_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """`if condition { then } else { otherwise }` [GRM-3]."""

    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """`pattern => value` [GRM-4]; the pattern is never a `TuplePattern`."""

    pattern: "Pattern"
    value: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """`match scrutinee { arms }`, with at least one arm."""

    scrutinee: "Expr"
    arms: tuple[Arm, ...]
    span: Span


# Patterns and statements (3.3) -------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class NamePattern:
    """A name to bind; in a `match` over an enum, a variant or `_` [EXP-8]."""

    name: Name
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TuplePattern:
    """`(a, b)`."""

    elements: "tuple[Pattern, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SomePattern:
    """`some(pattern)`."""

    inner: "Pattern"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NonePattern:
    """`none`."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """`let pattern: type = value`."""

    pattern: "Pattern"
    type: "Type | None"
    value: "Expr | For"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OutIndex:
    """An output index of a comprehension: `i` or `*s`."""

    pack: bool
    name: Name
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LetIndexed:
    """`let name[i, *s] = value` [IDX-1]."""

    name: Name
    indices: tuple[OutIndex, ...]
    value: "Expr"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """`var name: type = value`."""

    name: Name
    type: "Type | None"
    value: "Expr | For"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`target = value`."""

    target: Name
    value: "Expr | For"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """`return value` or a bare `return`."""

    value: "Expr | For | None"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class StaticFor:
    """`static for pattern in subject { … }`, or `in subject..stop` when `stop` is given."""

    pattern: "Pattern"
    subject: "Expr"
    stop: "Expr | None"
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while condition { … }`."""

    condition: "Expr"
    body: Body
    span: Span


StoreOp = Literal["store", "atomic_add", "atomic_max", "atomic_min"]


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """`store(target, value, mask)` or one of the `atomic_…` forms, in a kernel [LAT-9]."""

    op: StoreOp
    target: "Expr"
    value: "Expr"
    mask: "Expr | None"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`for name in start..stop { … }`, a counted loop [LAT-4].

    A statement, or a scan: the whole value of a `let`, `var`, assignment or `return`, where
    its body ends with a `Yield` [LAT-5]. `head_span` covers all but the body.
    """

    name: Name
    start: "Expr"
    stop: "Expr"
    body: Body
    head_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Yield:
    """`yield value`; the checker says where it may stand [LAT-6]."""

    value: "Expr"
    span: Span


# The unions that a stage matches over, without `case _` ------------------------------------

Use = UseItems | UseModule
Item = Const | Alias | Struct | Enum | Function | Block | Kernel
DataMember = ParamMember | BufferMember | StateMember | SubMember
BlockItem = Const | Alias | Struct | Enum | Function
BlockMember = DataMember | BlockItem
Type = NamedType | TensorType | TupleType | ArrayType | OptionalType
Expr = (
    Name
    | IntLiteral
    | FloatLiteral
    | StringLiteral
    | BoolLiteral
    | NoneExpr
    | SomeExpr
    | TupleExpr
    | ShapeLiteral
    | Unary
    | Binary
    | Call
    | Index
    | Member
    | Reduction
    | If
    | Match
)
ShapeElem = Expr | Spread
GenericArg = Type | Expr | Undecided
IndexPart = Expr | SlicePart | EllipsisPart | Spread
Pattern = NamePattern | TuplePattern | SomePattern | NonePattern
Stmt = Let | LetIndexed | Var | Assign | Return | StaticFor | While | For | Yield | Store
