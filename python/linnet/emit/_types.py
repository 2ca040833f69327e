"""Types and attributes of the dialect for the checker's types, each made once.

They are read from the dialect's own text form, which both sides share.
"""

from collections.abc import Iterable, Mapping
from typing import final

from linnet.checker import (
    Constraint,
    Dim,
    Dtype,
    EnumType,
    ErrorType,
    Generic,
    GenericArg,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    Pack,
    Shape,
    Struct,
    StructType,
    TensorType,
    TupleType,
    Type,
    UnitType,
    field_types,
)
from linnet.mlir import ir
from linnet.syntax import Kind

_ELEMENTS = {"bool": "i1", "u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64"}


def dtype_text(dtype: Dtype) -> str:
    """The element type of a dtype; a dtype variable carries its class."""
    if dtype.variable:
        return f"{dtype.name}: {dtype.kind}"
    return _ELEMENTS.get(dtype.name, dtype.name)


def shape_text(shape: Shape) -> str:
    """A shape in brackets, as the dialect writes it."""
    return f"[{', '.join(_element(element) for element in shape)}]"


def _element(element: Dim | Pack) -> str:
    return f"*{element.name}" if isinstance(element, Pack) else str(element)


def _args(args: tuple[GenericArg, ...]) -> str:
    return f"<{', '.join(map(arg_text, args))}>" if args else ""


def arg_text(arg: GenericArg) -> str:
    """A generic argument inside a list of them."""
    if isinstance(arg, Dtype):
        return dtype_text(arg)
    return shape_text(arg) if isinstance(arg, tuple) else str(arg)


def type_text(type_: Type, structs: Mapping[str, Struct]) -> str:
    """A type in the dialect's text form. A struct is the tuple of its fields."""

    def inner(types: Iterable[Type]) -> str:
        return ", ".join(type_text(one, structs) for one in types)

    match type_:
        case TensorType(shape, dtype):
            return f"!linnet.tensor<{shape_text(shape)}, {dtype_text(dtype)}>"
        case TupleType(elements):
            return f"tuple<{inner(elements)}>"
        case StructType(symbol):
            return f"tuple<{inner(field_types(structs[symbol], type_))}>"
        case OptionalType(value):
            return f"!linnet.optional<{type_text(value, structs)}>"
        case EnumType(symbol):
            return f'!linnet.enum<@"{symbol}">'
        case InstanceType(symbol, args):
            return f'!linnet.instance<@"{symbol}"{_args(args)}>'
        case InstanceArrayType(element, length):
            return f"!linnet.array<{type_text(element, structs)}, {length}>"
        case UnitType() | ErrorType():
            raise AssertionError(f"no value has the type {type_}")


@final
class TypeTable:
    """The MLIR types and attributes in use, by what they stand for."""

    def __init__(self, context: ir.Context, structs: Mapping[str, Struct]) -> None:
        self._context = context
        self._structs = structs
        self._types: dict[Type | str, ir.Type] = {}
        self._attributes: dict[str, ir.Attribute] = {}
        self.i64 = ir.IntegerType.get_signless(64, context=context)
        self.i32 = ir.IntegerType.get_signless(32, context=context)
        self.f64 = ir.F64Type.get(context=context)

    def type(self, type_: Type) -> ir.Type:
        """The MLIR type of a value's type."""
        known = self._types.get(type_)
        if known is None:
            known = self._types[type_] = ir.Type.parse(
                type_text(type_, self._structs), self._context
            )
        return known

    def index(self, extent: Shape) -> ir.Type:
        """The type of an index over an extent."""
        text = f"!linnet.index<{shape_text(extent)}>"
        known = self._types.get(text)
        if known is None:
            known = self._types[text] = ir.Type.parse(text, self._context)
        return known

    def parsed(self, text: str) -> ir.Attribute:
        """An attribute by its text."""
        known = self._attributes.get(text)
        if known is None:
            known = self._attributes[text] = ir.Attribute.parse(text, self._context)
        return known

    def dim(self, dim: Dim) -> ir.Attribute:
        """`#linnet.dim<…>`."""
        return self.parsed(f"#linnet.dim<{dim}>")

    def constraint(self, constraint: Constraint) -> ir.Attribute:
        """`#linnet.constraint<"…">`."""
        return self.parsed(f'#linnet.constraint<"{constraint}">')

    def arg(self, arg: GenericArg) -> ir.Attribute:
        """A generic argument: a dim, a shape or a type."""
        if isinstance(arg, Dtype):
            if arg.variable:
                return self.parsed(f"!linnet.dtype<{dtype_text(arg)}>")
            return self.parsed(dtype_text(arg))
        if isinstance(arg, tuple):
            return self.parsed(f"#linnet.shape<{shape_text(arg)}>")
        return self.dim(arg)

    def generic(self, generic: Generic) -> ir.Attribute:
        """`#linnet.generic<T: Float = f32>`."""
        star = "*" if generic.kind is Kind.SHAPE else ""
        text = f"{star}{generic.symbol}: {generic.kind}"
        if generic.default is not None:
            text += f" = {arg_text(generic.default)}"
        return self.parsed(f"#linnet.generic<{text}>")

    def array(self, attributes: list[ir.Attribute]) -> ir.Attribute:
        """An array attribute."""
        # The stub of MLIR leaves the element type open.
        return ir.ArrayAttr.get(attributes, self._context)  # pyright: ignore[reportUnknownMemberType]

    def string(self, text: str) -> ir.Attribute:
        """A string attribute."""
        key = f'"{text}"'
        known = self._attributes.get(key)
        if known is None:
            known = self._attributes[key] = ir.StringAttr.get(text, self._context)
        return known

    def symbol(self, name: str) -> ir.Attribute:
        """A reference to a symbol."""
        key = f"@{name}"
        known = self._attributes.get(key)
        if known is None:
            known = self._attributes[key] = ir.FlatSymbolRefAttr.get(name, self._context)
        return known

    def number(self, value: int) -> ir.Attribute:
        """A 64-bit integer attribute."""
        return ir.IntegerAttr.get(self.i64, value)

    def choice(self, value: int) -> ir.Attribute:
        """A case of one of the dialect's enumerations."""
        return ir.IntegerAttr.get(self.i32, value)

    def numbers(self, values: tuple[int, ...]) -> ir.Attribute:
        """An array of 64-bit integers."""
        return ir.DenseI64ArrayAttr.get(list(values), self._context)
