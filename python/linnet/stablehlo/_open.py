"""Sizes that the call decides, as scalars that the function computes from its arguments.

``within`` computes every size that a function uses, once, where its body begins; the builders of
ops then ask for them here. Sizes are `i64`, as `get_dimension_size` gives `i32` and sizes are
bounded by that.
"""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

import ast
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.core import Function, Op, Region, TensorType, Value
from linnet.errors import CapabilityError, InternalError
from linnet.signature import Size, names_of, parse_size
from linnet.stablehlo._types import splat, tensor_type

_I64 = TensorType("i64", ())
_SIZES: ContextVar[dict[str, ir.Value] | None] = ContextVar("sizes", default=None)


def size_value(size: Size) -> ir.Value:
    """Return a size as an `i64` scalar."""
    if isinstance(size, int):
        return stablehlo.ConstantOp(splat(size, _I64)).result
    sizes = _SIZES.get()
    if sizes is None:
        raise InternalError(f"the size {size} is used outside of a function")
    return sizes[size] if size in sizes else _compute(parse_size(size))


def product(sizes: Sequence[Size]) -> Size:
    """Return the product of sizes as a size."""
    number, factors = 1, list[str]()
    for size in sizes:
        if isinstance(size, int):
            number *= size
        else:
            factors.append(f"({size})")
    if not factors or number == 0:
        return number
    return " * ".join(factors if number == 1 else [str(number), *factors])


def sizes_tensor(shape: Sequence[Size]) -> ir.Value:
    """Return sizes as an `i64` tensor of one axis."""
    one = tensor_type(TensorType("i64", (1,)))
    if not shape:
        return stablehlo.ConstantOp(splat(0, TensorType("i64", (0,)))).result
    parts = [stablehlo.ReshapeOp(one, size_value(size)).result for size in shape]
    return parts[0] if len(parts) == 1 else stablehlo.ConcatenateOp(parts, 0).result


@contextmanager
def within(function: Function, arguments: Sequence[ir.Value]) -> Generator[None]:
    """Give the sizes of a function while its body is built, which begins here."""
    symbols: dict[str, ir.Value] = {}
    for name in function.signature.symbols:
        size = read_size(function.body.arguments, arguments, name)
        if size is None:
            raise CapabilityError(
                f"entry `{function.signature.entry}` leaves `{name}` open, and no input has an "
                "axis of that size",
                f"give it a number with --bind {function.signature.entry}.{name}=VALUE",
            )
        symbols[name] = size
    with inside(function.body, symbols):
        yield


@contextmanager
def inside(region: Region, symbols: Mapping[str, ir.Value]) -> Generator[None]:
    """Give the sizes of a region of its own, which begins here, where symbols have these values."""
    token = _SIZES.set(dict(symbols))
    try:
        for size in sorted(set(_used(region))):
            sizes = cast("dict[str, ir.Value]", _SIZES.get())
            if size not in sizes:
                sizes[size] = _compute(parse_size(size))
        yield
    finally:
        _SIZES.reset(token)


def read_size(values: Sequence[Value], arguments: Sequence[ir.Value], name: str) -> ir.Value | None:
    """Read a symbol off the first of the values' arguments that has an axis of just its size."""
    for value, argument in zip(values, arguments, strict=False):
        if name in value.type.shape:
            axis = value.type.shape.index(name)
            size = stablehlo.GetDimensionSizeOp(argument, axis).result
            return stablehlo.ConvertOp(tensor_type(_I64), size).result
    return None


def symbols_of(region: Region) -> list[str]:
    """Return the names of the open sizes that a region mentions, sorted."""
    return sorted({name for size in _used(region) for name in names_of(size)})


def _used(region: Region) -> Iterator[str]:
    for argument in region.arguments:
        yield from (size for size in argument.type.shape if isinstance(size, str))
    for op in region.ops:
        yield from _used_by(op)
        for inner in op.regions:
            yield from _used(inner)


def _used_by(op: Op) -> Iterator[str]:
    for value in op.results:
        yield from (size for size in value.type.shape if isinstance(size, str))
    if op.name == "dim_constant" and names_of(str(op.attributes["value"])):
        yield str(op.attributes["value"])
    if op.name == "slice":
        starts = cast("tuple[Size, ...]", op.attributes["starts"])
        yield from (start for start in starts if isinstance(start, str))


def _compute(node: ast.expr) -> ir.Value:
    match node:
        case ast.Constant(value=int(number)):
            return size_value(number)
        case ast.Name(id=name):
            return size_value(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return stablehlo.NegOp(_compute(operand)).result
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, _compute(left), _compute(right))
        case ast.Call(func=ast.Name(id=name), args=[first, *rest]) if name in ("min", "max"):
            found = _compute(first)
            for each in rest:
                build = stablehlo.MinOp if name == "min" else stablehlo.MaxOp
                found = build(found, _compute(each)).result
            return found
        case _:
            raise InternalError(f"no size: {ast.unparse(node)}")


def _binary(op: ast.operator, left: ir.Value, right: ir.Value) -> ir.Value:
    match op:
        case ast.Add():
            return stablehlo.AddOp(left, right).result
        case ast.Sub():
            return stablehlo.SubtractOp(left, right).result
        case ast.Mult():
            return stablehlo.MulOp(left, right).result
        case ast.Mod():
            return _floor_mod(left, right)
        case _:
            rest = _floor_mod(left, right)
            return stablehlo.DivOp(stablehlo.SubtractOp(left, rest).result, right).result


def _floor_mod(left: ir.Value, right: ir.Value) -> ir.Value:
    """Build the remainder of the floor quotient, for a positive divisor."""
    rest = stablehlo.RemOp(left, right).result
    lifted = stablehlo.AddOp(rest, right).result
    return stablehlo.RemOp(lifted, right).result
