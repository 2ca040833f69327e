"""Types as the checker knows them: dtypes with classes, shapes of dims and packs, nominal types.

Plain frozen data. Dimensions are the prover's canonical `Dim`s, so structural equality of
types is `==`; whether two different dimensions agree is a claim for the prover [TYP-3].
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.checker._dims import Dim, show_dim
from linnet.syntax import Kind


@dataclass(frozen=True, slots=True)
class Dtype:
    """A scalar dtype, or a dtype generic when `variable`; `kind` is its class [TYP-2]."""

    name: str
    kind: Kind
    variable: bool = False


DTYPES: Mapping[str, Dtype] = {
    "bool": Dtype("bool", Kind.DTYPE),
    **{name: Dtype(name, Kind.INTEGER) for name in ("i8", "i16", "i32", "i64")},
    **{name: Dtype(name, Kind.INTEGER) for name in ("u8", "u16", "u32", "u64")},
    **{name: Dtype(name, Kind.FLOAT) for name in ("f16", "bf16", "f32", "f64")},
}
BOOL, I32, I64, F64 = (DTYPES[name] for name in ("bool", "i32", "i64", "f64"))

_CLASSES = {
    Kind.DTYPE: {Kind.DTYPE, Kind.NUMERIC, Kind.INTEGER, Kind.FLOAT},
    Kind.NUMERIC: {Kind.NUMERIC, Kind.INTEGER, Kind.FLOAT},
    Kind.INTEGER: {Kind.INTEGER},
    Kind.FLOAT: {Kind.FLOAT},
}


def belongs(dtype: Dtype, kind: Kind) -> bool:
    """Whether a dtype is in a class; `bool` is only in `DType` [TYP-2]."""
    return dtype.kind in _CLASSES[kind]


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack generic in a shape: a sequence of zero or more dimensions."""

    name: str


Shape = tuple[Dim | Pack, ...]


@dataclass(frozen=True, slots=True)
class TensorType:
    """A tensor; rank 0 is a scalar [TYP-1]."""

    shape: Shape
    dtype: Dtype


@dataclass(frozen=True, slots=True)
class TupleType:
    """A tuple of one or more elements."""

    elements: "tuple[Type, ...]"


@dataclass(frozen=True, slots=True)
class OptionalType:
    """`A?`. An optional sub is an optional of an instance."""

    inner: "Type"


@dataclass(frozen=True, slots=True)
class EnumType:
    """A closed list of names [TYP-5]; `symbol` is `module::Name`.

    Variants carry nothing, so generics only tell types of one declaration apart.
    """

    symbol: str
    variants: tuple[str, ...] = field(compare=False)
    args: "tuple[GenericArg, ...]" = ()


@dataclass(frozen=True, slots=True)
class StructType:
    """A nominal record [TYP-6]. A struct of a block has the generics of the block first."""

    symbol: str
    args: "tuple[GenericArg, ...]"


@dataclass(frozen=True, slots=True)
class InstanceType:
    """A block with its generic arguments: the type of a `sub`, never of a value [BLK-1]."""

    symbol: str
    args: "tuple[GenericArg, ...]"


@dataclass(frozen=True, slots=True)
class InstanceArrayType:
    """`[Block<…>; N]` [BLK-3]."""

    element: InstanceType
    length: Dim


@dataclass(frozen=True, slots=True)
class UnitType:
    """What a call of a function without a result gives; not a value [EXP-6]."""


@dataclass(frozen=True, slots=True)
class ErrorType:
    """The type of what was already reported; it silences what follows from it."""


Type = (
    TensorType
    | TupleType
    | OptionalType
    | EnumType
    | StructType
    | InstanceType
    | InstanceArrayType
    | UnitType
    | ErrorType
)
GenericArg = Dim | Shape | Dtype

ERROR = ErrorType()
UNIT = UnitType()


def scalar(dtype: Dtype) -> TensorType:
    """The scalar type of a dtype."""
    return TensorType((), dtype)


def is_scalar(type_: Type) -> bool:
    """Whether a type is a rank-0 tensor."""
    return isinstance(type_, TensorType) and not type_.shape


def show_element(element: Dim | Pack) -> str:
    """One element of a shape as the user writes it."""
    return f"*{element.name}" if isinstance(element, Pack) else show_dim(element)


def show_shape(shape: Shape) -> str:
    """`[A, *S, 3]`."""
    return f"[{', '.join(map(show_element, shape))}]"


def show_sizes(shape: Shape) -> tuple[str, ...]:
    """The elements of a shape, each as the user writes it."""
    return tuple(map(show_element, shape))


def show_arg(arg: GenericArg) -> str:
    """A generic argument as the user writes it."""
    if isinstance(arg, tuple):
        return show_shape(arg)
    return arg.name if isinstance(arg, Dtype) else show_dim(arg)


def _named(symbol: str, args: tuple[GenericArg, ...]) -> str:
    name = symbol.rsplit("::", 1)[-1]
    return f"{name}<{', '.join(map(show_arg, args))}>" if args else name


def show_type(type_: Type) -> str:
    """A type as the user writes it."""
    match type_:
        case TensorType((), dtype):
            return dtype.name
        case TensorType(shape, dtype):
            return f"Tensor[{', '.join(map(show_element, shape))}; {dtype.name}]"
        case TupleType(elements):
            inner = ", ".join(map(show_type, elements))
            return f"({inner},)" if len(elements) == 1 else f"({inner})"
        case OptionalType(inner):
            return f"{show_type(inner)}?"
        case EnumType(symbol, _, args) | StructType(symbol, args) | InstanceType(symbol, args):
            return _named(symbol, args)
        case InstanceArrayType(element, length):
            return f"[{show_type(element)}; {show_dim(length)}]"
        case UnitType():
            return "no value"
        case ErrorType():
            return "an unknown type"


def kind_word(type_: Type) -> str:
    """What sort of thing a type describes, for a message."""
    match type_:
        case TensorType((), _):
            return "a scalar"
        case TensorType():
            return "a tensor"
        case TupleType():
            return "a tuple"
        case OptionalType():
            return "an optional"
        case EnumType():
            return "an enum"
        case StructType():
            return "a struct"
        case InstanceType():
            return "a block"
        case InstanceArrayType():
            return "an array of blocks"
        case UnitType():
            return "no value"
        case ErrorType():
            return "an unknown type"
