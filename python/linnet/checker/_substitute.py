"""Generic arguments put in the place of generics, all at once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from linnet.checker._dims import Constraint, Dim, substitute_constraint, substitute_dim
from linnet.checker._types import (
    Dtype,
    EnumType,
    ErrorType,
    GenericArg,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    Pack,
    Shape,
    StructType,
    TensorType,
    TupleType,
    Type,
    UnitType,
)


@dataclass(slots=True)
class Substitution:
    """What each generic stands for, by its symbol."""

    dims: dict[str, Dim] = field(default_factory=dict[str, Dim])
    packs: dict[str, Shape] = field(default_factory=dict[str, Shape])
    dtypes: dict[str, Dtype] = field(default_factory=dict[str, Dtype])

    def bind(self, symbol: str, arg: GenericArg) -> None:
        """Let a generic stand for an argument of its kind."""
        if isinstance(arg, Dtype):
            self.dtypes[symbol] = arg
        elif isinstance(arg, tuple):
            self.packs[symbol] = arg
        else:
            self.dims[symbol] = arg

    def get(self, symbol: str) -> GenericArg | None:
        """What a generic stands for, if anything yet."""
        if symbol in self.dims:
            return self.dims[symbol]
        if symbol in self.packs:
            return self.packs[symbol]
        return self.dtypes.get(symbol)

    def copy(self) -> "Substitution":
        """A substitution of its own."""
        return Substitution(dict(self.dims), dict(self.packs), dict(self.dtypes))

    def dtype(self, dtype: Dtype) -> Dtype:
        """A dtype under the substitution."""
        return self.dtypes.get(dtype.name, dtype) if dtype.variable else dtype

    def dim(self, dim: Dim) -> Dim:
        """A dimension under the substitution."""
        return substitute_dim(dim, self.dims)

    def constraint(self, constraint: Constraint) -> Constraint:
        """A constraint under the substitution."""
        return substitute_constraint(constraint, self.dims)

    def shape(self, shape: Shape) -> Shape:
        """A shape under the substitution; a pack spreads what it stands for."""
        out: list[Dim | Pack] = []
        for element in shape:
            if isinstance(element, Pack):
                out.extend(self.packs.get(element.name, (element,)))
            else:
                out.append(self.dim(element))
        return tuple(out)

    def arg(self, arg: GenericArg) -> GenericArg:
        """A generic argument under the substitution."""
        if isinstance(arg, Dtype):
            return self.dtype(arg)
        return self.shape(arg) if isinstance(arg, tuple) else self.dim(arg)

    def args(self, args: Iterable[GenericArg]) -> tuple[GenericArg, ...]:
        """Generic arguments under the substitution."""
        return tuple(self.arg(arg) for arg in args)

    def instance(self, type_: InstanceType) -> InstanceType:
        """An instance type under the substitution."""
        return InstanceType(type_.symbol, self.args(type_.args))

    def type(self, type_: Type) -> Type:
        """A type under the substitution."""
        match type_:
            case TensorType(shape, dtype):
                return TensorType(self.shape(shape), self.dtype(dtype))
            case TupleType(elements):
                return TupleType(tuple(self.type(element) for element in elements))
            case OptionalType(inner):
                return OptionalType(self.type(inner))
            case StructType(symbol, args):
                return StructType(symbol, self.args(args))
            case EnumType(symbol, variants, args):
                return EnumType(symbol, variants, self.args(args)) if args else type_
            case InstanceType():
                return self.instance(type_)
            case InstanceArrayType(element, length):
                return InstanceArrayType(self.instance(element), self.dim(length))
            case UnitType() | ErrorType():
                return type_
