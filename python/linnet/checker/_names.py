"""Names: the module namespaces, what a name can stand for, and the prelude [MOD-2..MOD-10]."""

from dataclasses import dataclass, field

from linnet.checker._dims import symbol
from linnet.checker._program import Block, DataMember, Generic, Local
from linnet.checker._types import DTYPES, Dtype, GenericArg, Pack
from linnet.source import Span
from linnet.syntax import Alias, Const, Enum, Function, Item, Kernel, Kind, Module, Struct
from linnet.syntax import Block as BlockSyntax

KIND_NAMES = frozenset({"Dim", "Shape", "DType", "Numeric", "Integer", "Float"})
UNARY_FUNCTIONS = frozenset({"exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs"})
PRELUDE_FUNCTIONS = UNARY_FUNCTIONS | {
    "cast",
    "reshape",
    "permute",
    "broadcast_to",
    "concat",
    "pad",
    "iota",
    "fill",
    "gather",
    "scatter",
    "min",
    "max",
    "shl",
    "shr",
    "select",
    "cumsum",
}
PRELUDE = frozenset(DTYPES) | KIND_NAMES | PRELUDE_FUNCTIONS | {"Tensor"}


@dataclass(slots=True, eq=False)
class ModuleScope:
    """The namespace of one module. `checked` modules are checked whole, others on demand."""

    name: str
    syntax: Module
    checked: bool
    items: "dict[str, ItemEntity]" = field(default_factory=dict[str, "ItemEntity"])
    imports: "dict[str, Import]" = field(default_factory=dict[str, "Import"])
    # The modules it imports from, by the paths that its `use` lines give them.
    sources: "dict[str, ModuleScope]" = field(default_factory=dict[str, "ModuleScope"])


@dataclass(frozen=True, slots=True, eq=False)
class ItemEntity:
    """An item of a module, or an item inside a block."""

    module: ModuleScope
    syntax: Item
    block: Block | None = None

    @property
    def name(self) -> str:
        """The name that the item declares."""
        return self.syntax.name.text

    @property
    def public(self) -> bool:
        """Whether other modules may name it [MOD-4]."""
        return self.syntax.public


@dataclass(slots=True, eq=False)
class Import:
    """A name that a `use` binds, and whether anything uses it (W1001)."""

    target: "ItemEntity | ModuleEntity | Unresolved"
    span: Span
    used: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ModuleEntity:
    """A module bound by `use a.b`."""

    module: ModuleScope


@dataclass(frozen=True, slots=True, eq=False)
class Unresolved:
    """A name whose declaration was already reported; stays silent."""


@dataclass(frozen=True, slots=True, eq=False)
class GenericEntity:
    """A generic in scope and what it stands for there."""

    generic: Generic
    arg: GenericArg


@dataclass(frozen=True, slots=True, eq=False)
class MemberEntity:
    """A `param`, `buffer`, `state` or `sub` of the enclosing block."""

    block: Block
    member: DataMember


@dataclass(frozen=True, slots=True, eq=False)
class MethodEntity:
    """A function of the enclosing block."""

    block: Block
    syntax: Function


@dataclass(frozen=True, slots=True, eq=False)
class PreludeEntity:
    """A name of the prelude [MOD-8]."""

    name: str


Entity = (
    Local
    | GenericEntity
    | MemberEntity
    | MethodEntity
    | ItemEntity
    | ModuleEntity
    | PreludeEntity
    | Unresolved
)


def own_arg(generic: Generic) -> GenericArg:
    """What a generic stands for inside its own declaration: itself."""
    match generic.kind:
        case Kind.DIM:
            return symbol(generic.symbol)
        case Kind.SHAPE:
            return (Pack(generic.symbol),)
        case _:
            return Dtype(generic.symbol, generic.kind, variable=True)


def entity_word(entity: Entity) -> str:
    """What a name stands for, for a message."""
    match entity:
        case Local():
            return "a local value"
        case GenericEntity(generic):
            return {"Dim": "a dimension", "Shape": "a pack"}.get(generic.kind.value, "a dtype")
        case MemberEntity(_, member):
            return f"a `{member.kind}`"
        case MethodEntity():
            return "a method"
        case ItemEntity(_, syntax):
            match syntax:
                case Const():
                    return "a constant"
                case Alias():
                    return "a type"
                case Struct():
                    return "a struct"
                case Enum():
                    return "an enum"
                case Function():
                    return "a function"
                case Kernel():
                    return "a kernel"
                case BlockSyntax():
                    return "a block"
        case ModuleEntity():
            return "a module"
        case PreludeEntity(name):
            if name in PRELUDE_FUNCTIONS:
                return "a function"
            return "a kind" if name in KIND_NAMES else "a type"
        case Unresolved():
            return "an undeclared name"
