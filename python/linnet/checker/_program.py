"""The typed program: what the checker gives and `emit` walks.

Plain data, one class for each form. Names are resolved to the objects they stand for,
every expression has its type, literals have adopted a dtype, and what spec section 4 leaves
implicit is a node of its own: `Broadcast`, `Ascribe`, `Require`. Nodes compare by identity.
A field `claim` is the record that words the refusal, should the prover not settle the claim.
The classes are one list of the program's forms, hence the length of this file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Literal as OneOf
from typing import cast

from linnet.checker._claims import Claim
from linnet.checker._dims import Constraint, Dim
from linnet.checker._types import EnumType, GenericArg, Shape, Type
from linnet.source import Span
from linnet.syntax import Block as BlockSyntax
from linnet.syntax import Function as FunctionSyntax
from linnet.syntax import Kind, ReduceOp, StoreOp

# Declarations -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Generic:
    """A generic. `symbol` is its name in dims, packs and dtypes; unlike `name` it is unique
    in a block and each of its methods."""

    name: str
    symbol: str
    kind: Kind
    default: GenericArg | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Where:
    """One constraint of a `where` clause and where it is written."""

    constraint: Constraint
    text: str
    span: Span


@dataclass(slots=True, eq=False)
class Local:
    """A named value of a body: parameter, `let`, `var`, loop variable, pattern name.

    `ci` is set for a symbolic `let` that stays a compile-time integer [TYP-14].
    """

    name: str
    type: Type
    span: Span
    mutable: bool = False
    ci: Dim | None = None
    used: bool = False
    lint: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """A parameter; a default is checked anew at every call that leaves it out."""

    local: Local
    has_default: bool
    span: Span

    @property
    def name(self) -> str:
        """The name that callers may write."""
        return self.local.name

    @property
    def type(self) -> Type:
        """The declared type."""
        return self.local.type


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of a struct; its type is over the generics of the struct."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Struct:
    """A struct [TYP-6]. `generics` are those of its types, of an enclosing block first."""

    name: str
    symbol: str
    generics: tuple[Generic, ...]
    fields: tuple[Field, ...]
    span: Span


FunctionKind = OneOf["fn", "op", "entry"]
# The clauses and items that are checked as functions, though nothing calls them.
Role = OneOf["function", "gradient", "kernel"]
MemberKind = OneOf["param", "buffer", "state", "sub"]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """The signature of a function. `symbol` is `module::name`, or the bare name in a block."""

    kind: FunctionKind
    public: bool
    name: str
    symbol: str
    module: str
    block: "Block | None"
    generics: tuple[Generic, ...]
    params: tuple[Param, ...]
    result: Type | None
    where: tuple[Where, ...]
    requires: "tuple[Require, ...]"
    syntax: FunctionSyntax
    kernel: "KernelBinding | None" = None
    role: Role = "function"


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A kernel [LAT-9]. `function` is its body as a function of `inputs` and of `ids`, its
    coordinates in the grid; it gives nothing, for what it stores goes to `results`."""

    function: Function
    inputs: tuple[Param, ...]
    results: tuple[Param, ...]
    grid: tuple[Dim, ...]
    ids: tuple[Param, ...]


@dataclass(frozen=True, slots=True, eq=False)
class KernelBinding:
    """The kernel of an op and its generics: what a backend may launch [LAT-11]."""

    kernel: Kernel
    generics: tuple[GenericArg, ...]


@dataclass(slots=True, eq=False)
class DataMember:
    """A `param`, `buffer`, `state` or `sub` of a block, and whether anything uses it."""

    kind: MemberKind
    name: str
    type: Type
    span: Span
    claim: Claim | None = None
    used: bool = False


@dataclass(slots=True, eq=False)
class Block:
    """A block. Members and methods are filled in after every block of a module has a name."""

    public: bool
    name: str
    symbol: str
    module: str
    syntax: BlockSyntax
    generics: tuple[Generic, ...] = ()
    where: tuple[Where, ...] = ()
    requires: "list[Require]" = field(default_factory=list["Require"])
    members: dict[str, DataMember] = field(default_factory=dict[str, DataMember])
    methods: dict[str, FunctionSyntax] = field(default_factory=dict[str, FunctionSyntax])


# Expressions ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """What every expression has."""

    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Invalid(Node):
    """Stands where a problem was reported; never in a program that is handed on."""


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Node):
    """A literal with the dtype it adopted; not yet rounded or wrapped to it [TYP-13]."""

    value: int | float | bool


@dataclass(frozen=True, slots=True, eq=False)
class DimValue(Node):
    """A compile-time integer as a scalar value."""

    dim: Dim


@dataclass(frozen=True, slots=True, eq=False)
class LocalRef(Node):
    """The value of a local."""

    local: Local


@dataclass(frozen=True, slots=True, eq=False)
class SelfInstance(Node):
    """The block instance that a method runs on."""


@dataclass(frozen=True, slots=True, eq=False)
class MemberRead(Node):
    """A member of an instance; of a `state`, the value at this point [STA-1]."""

    base: "Expr"
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ElementOf(Node):
    """One element of a structural array; claims its position is inside [DIM-12]."""

    base: "Expr"
    position: Dim
    claim: Claim


@dataclass(frozen=True, slots=True, eq=False)
class EnumValue(Node):
    """A variant of an enum."""

    variant: str


UnaryName = OneOf["neg", "abs", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "not"]
BinaryName = OneOf[
    "add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr"
]
CompareName = OneOf["eq", "ne", "lt", "le", "gt", "ge"]


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Node):
    """An elementwise operation of one operand."""

    op: UnaryName
    operand: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Node):
    """An elementwise operation; both operands have the type of the result."""

    op: BinaryName
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Compare(Node):
    """A comparison; both operands have the shape of the result."""

    op: CompareName
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Select(Node):
    """`select`; the three operands have the shape of the result."""

    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    """`cast` to the dtype of the type [NUM-5]."""

    operand: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Broadcast(Node):
    """The operand stretched to the shape of the type, right-aligned [DIM-18]."""

    operand: "Expr"
    claim: Claim


@dataclass(frozen=True, slots=True, eq=False)
class Ascribe(Node):
    """A value that meets a required type with other dimensions; claims they are equal."""

    operand: "Expr"
    code: str
    claim: Claim


@dataclass(frozen=True, slots=True, eq=False)
class Reshape(Node):
    """`reshape`; claims that the counts are equal [DIM-7]."""

    operand: "Expr"
    claim: Claim | None


@dataclass(frozen=True, slots=True, eq=False)
class Transpose(Node):
    """`permute`: axis `k` of the result is axis `order[k]` of the operand [PRE-9]."""

    operand: "Expr"
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Node):
    """One start and step for each element of the shape; a pack is whole [EXP-10]."""

    operand: "Expr"
    starts: tuple[Dim, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Concat(Node):
    """`concat`; `axis` counts shape elements [PRE-10]."""

    operands: "tuple[Expr, ...]"
    axis: int
    claim: Claim


@dataclass(frozen=True, slots=True, eq=False)
class Cumsum(Node):
    """`cumsum`: running sums; `axis` counts shape elements [LAT-12]."""

    operand: "Expr"
    axis: int


@dataclass(frozen=True, slots=True, eq=False)
class Take(Node):
    """A runtime position read from one axis, which goes away [EXP-11]."""

    operand: "Expr"
    index: "Expr"
    axis: int


@dataclass(frozen=True, slots=True, eq=False)
class Iota(Node):
    """`iota` [PRE-11]."""


@dataclass(frozen=True, slots=True, eq=False)
class Splat(Node):
    """`fill`: a scalar in every place [PRE-12]."""

    value: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A call of a free function with every generic and every argument written out."""

    function: Function
    generics: tuple[GenericArg, ...]
    args: "tuple[Expr, ...]"
    claim: Claim


@dataclass(frozen=True, slots=True, eq=False)
class CallMethod(Node):
    """A call of a method of an instance; `generics` bind the method's own."""

    instance: "Expr"
    function: Function
    generics: tuple[GenericArg, ...]
    args: "tuple[Expr, ...]"
    claim: Claim


@dataclass(frozen=True, slots=True, eq=False)
class Some(Node):
    """`some(value)`."""

    value: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class NoneValue(Node):
    """`none`."""


@dataclass(frozen=True, slots=True, eq=False)
class Tuple(Node):
    """`(a, b)`."""

    elements: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Build(Node):
    """A struct value: one value for each field, in order of declaration [LAT-1]."""

    values: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class FieldRead(Node):
    """A field of a struct value, by its place in the declaration [LAT-2]."""

    base: "Expr"
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    """A conditional; only the taken branch's effects happen [EXP-7]."""

    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Scoped(Node):
    """A value under bindings that a pattern made: `locals` take `value` apart, then `body`."""

    bindings: "tuple[Binding, ...]"
    body: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class MatchOptional(Node):
    """A match over an optional. `whole` and `payload` are the names the arms may use."""

    scrutinee: "Expr"
    whole: Local
    payload: Local
    some: "Expr"
    none: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class MatchEnum(Node):
    """A match over an enum; `default` stands for the variants without a case."""

    scrutinee: "Expr"
    cases: "tuple[tuple[str, Expr], ...]"
    default: "Expr | None"


# Index notation ---------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class IndexVar:
    """An index; its extent is known once its direct uses are [IDX-7].

    The first of them gave it: at `extent_span`, from the tensor and axis that `extent_of` names.
    """

    name: str
    pack: bool
    span: Span
    extent: Shape | None = None
    extent_span: Span | None = None
    extent_of: "tuple[Expr, str] | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Access(Node):
    """An element of `base`: one part for each axis, a pack index for several [IDX-4]."""

    base: "Expr"
    parts: "tuple[IndexVar | Expr, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Reduce(Node):
    """A reduction over indices; its type is the accumulator's [IDX-11]."""

    op: ReduceOp
    indices: tuple[IndexVar, ...]
    body: "Expr"


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension(Node):
    """A tensor by its elements; without indices, a reduction in ordinary code."""

    indices: tuple[IndexVar, ...]
    body: "Expr"


Expr = (
    Invalid
    | Constant
    | DimValue
    | LocalRef
    | SelfInstance
    | MemberRead
    | ElementOf
    | EnumValue
    | Unary
    | Binary
    | Compare
    | Select
    | Cast
    | Broadcast
    | Ascribe
    | Reshape
    | Transpose
    | Slice
    | Concat
    | Cumsum
    | Take
    | Iota
    | Splat
    | Call
    | CallMethod
    | Some
    | NoneValue
    | Tuple
    | Build
    | FieldRead
    | If
    | Scoped
    | MatchOptional
    | MatchEnum
    | Access
    | Reduce
    | Comprehension
)

# Statements -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Require:
    """An explicit claim: a divisor, a position, a slice bound."""

    constraint: Constraint
    code: str
    claim: Claim
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`let` or `var`; with several locals the value is a tuple that is taken apart."""

    locals: tuple[Local, ...]
    unpack: bool
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """A new value for a `var`."""

    local: Local
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AssignState:
    """A new value for an own state member."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """The end of a function."""

    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ForEach:
    """`static for` over a structural array."""

    element: Local
    array: Expr
    body: "tuple[Stmt, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ForRange:
    """`static for` over a range of compile-time integers."""

    position: Local
    start: Dim
    stop: Dim
    body: "tuple[Stmt, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while`; the requires inside the condition come before the loop."""

    condition: Expr
    body: "tuple[Stmt, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """A counted loop at run time; claims that its range does not run backwards [LAT-4].

    A scan also has the value that ends its body, and the name of the stack of these values,
    whose type is the value's with a further leading axis in every tensor [LAT-5].
    """

    position: Local
    start: Dim
    stop: Dim
    body: "tuple[Stmt, ...]"
    element: Expr | None
    stack: Local | None
    claim: Claim
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """What a kernel writes to one of its results: a tile at one index an axis [LAT-9]."""

    op: StoreOp
    result: Local
    indices: tuple[Expr, ...]
    value: Expr
    mask: Expr | None
    span: Span


Stmt = Require | Binding | Assign | AssignState | Return | ForEach | ForRange | While | For | Store


def nodes_in(part: object) -> Iterator[Node]:
    """Every expression inside of statements or expressions."""
    if isinstance(part, tuple):
        for entry in cast(tuple[object, ...], part):
            yield from nodes_in(entry)
    elif isinstance(part, Node):
        yield part
        for inner in fields(part):
            yield from nodes_in(getattr(part, inner.name))
    elif isinstance(part, Stmt):
        for inner in fields(part):
            yield from nodes_in(getattr(part, inner.name))


# The program ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class FunctionBody:
    """A checked function.

    `locals` are all names that it binds, those of compile-time integers as well, which no
    statement has.
    """

    function: Function
    statements: tuple[Stmt, ...]
    calls: "tuple[tuple[Function, Span], ...]"
    locals: tuple[Local, ...] = ()


@dataclass(frozen=True, slots=True)
class TypedProgram:
    """Everything that was checked: blocks, enums, structs and function bodies in a stable order.

    `root` names the module that was asked for. Functions of `std` are present only if
    something reaches them.
    """

    root: str
    blocks: dict[str, Block]
    enums: dict[str, EnumType]
    structs: dict[str, Struct]
    bodies: dict[Function, FunctionBody]
