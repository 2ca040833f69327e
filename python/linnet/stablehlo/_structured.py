"""Ops that move, combine or look up elements. Each function takes the CORE op and the built
operands, and gives the result."""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

from collections.abc import Callable
from typing import cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.core import Op, TensorType
from linnet.signature import Size
from linnet.stablehlo._contract import contract_flat, needs_flat_axes
from linnet.stablehlo._elementwise import Build, constant
from linnet.stablehlo._open import size_value, sizes_tensor
from linnet.stablehlo._take import LARGEST, positions, take
from linnet.stablehlo._types import highest, lowest, tensor_type


def _ints(op: Op, name: str) -> tuple[int, ...]:
    return cast(tuple[int, ...], op.attributes[name])


def _sizes(op: Op, name: str) -> tuple[Size, ...]:
    return cast("tuple[Size, ...]", op.attributes[name])


def _int(op: Op, name: str) -> int:
    return cast(int, op.attributes[name])


def _zero(type_: TensorType) -> ir.Value:
    """Build a tensor of zeros, or of `false`."""
    return constant(False if type_.dtype == "bool" else 0, type_)


def _constant(op: Op, operands: list[ir.Value]) -> ir.Value:
    return constant(cast("bool | int | float", op.attributes["literal"]), op.results[0].type)


def _dim_constant(op: Op, operands: list[ir.Value]) -> ir.Value:
    """A size as a number of the result's type, which wraps or rounds it [TYP-13]."""
    value = size_value(cast(str, op.attributes["value"]))
    return stablehlo.ConvertOp(tensor_type(op.results[0].type), value).result


def _iota(op: Op, operands: list[ir.Value]) -> ir.Value:
    type_ = op.results[0].type
    if type_.is_open:
        sizes = sizes_tensor(type_.shape)
        return stablehlo.DynamicIotaOp(tensor_type(type_), sizes, _int(op, "axis")).result
    return stablehlo.IotaOp(tensor_type(op.results[0].type), _int(op, "axis")).result


def _splat(op: Op, operands: list[ir.Value]) -> ir.Value:
    return _spread(op, operands[0], ())


def _broadcast(op: Op, operands: list[ir.Value]) -> ir.Value:
    return _spread(op, operands[0], _ints(op, "axes"))


def _spread(op: Op, operand: ir.Value, axes: tuple[int, ...]) -> ir.Value:
    type_ = op.results[0].type
    result = tensor_type(type_)
    if not type_.is_open:
        return stablehlo.BroadcastInDimOp(result, operand, list(axes)).result
    # What the types tell is lost in the shape operand, so it is said again.
    sizes = op.operands[0].type.shape
    stretched = [
        number
        for number, (size, axis) in enumerate(zip(sizes, axes, strict=True))
        if size == 1 and type_.shape[axis] != 1
    ]
    return stablehlo.DynamicBroadcastInDimOp(
        result,
        operand,
        sizes_tensor(type_.shape),
        list(axes),
        known_expanding_dimensions=stretched,
        known_nonexpanding_dimensions=[n for n in range(len(axes)) if n not in stretched],
    ).result


def _reshape(op: Op, operands: list[ir.Value]) -> ir.Value:
    type_ = op.results[0].type
    if type_.is_open or op.operands[0].type.is_open:
        sizes = sizes_tensor(type_.shape)
        return stablehlo.DynamicReshapeOp(tensor_type(type_), operands[0], sizes).result
    return stablehlo.ReshapeOp(tensor_type(op.results[0].type), operands[0]).result


def _transpose(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.TransposeOp(operands[0], list(_ints(op, "perm"))).result


def _slice(op: Op, operands: list[ir.Value]) -> ir.Value:
    steps = _ints(op, "steps")
    asked = _sizes(op, "starts")
    types = (op.operands[0].type, op.results[0].type)
    if any(type_.is_open for type_ in types) or any(isinstance(start, str) for start in asked):
        return _open_slice(op, operands[0], asked, steps)
    starts = _ints(op, "starts")
    sizes = op.results[0].type.fixed
    axes = op.operands[0].type.fixed
    # An empty part may start past the end, where StableHLO has no position.
    starts = tuple(min(start, axis) for start, axis in zip(starts, axes, strict=True))
    limits = [
        start + (size - 1) * step + 1 if size else start
        for start, step, size in zip(starts, steps, sizes, strict=True)
    ]
    return stablehlo.SliceOp(operands[0], list(starts), limits, list(steps)).result


def _open_slice(
    op: Op, operand: ir.Value, starts: tuple[Size, ...], steps: tuple[int, ...]
) -> ir.Value:
    type_ = op.results[0].type
    if not type_.is_open and all(step == 1 for step in steps):
        places = [size_value(start) for start in starts]
        return stablehlo.DynamicSliceOp(operand, places, list(type_.fixed)).result
    counts = sizes_tensor(type_.shape)
    first, strides = sizes_tensor(starts), sizes_tensor(steps)
    # Where the last element lies, and one more; an empty axis ends where it starts.
    last = stablehlo.MulOp(counts, strides).result
    if any(step != 1 for step in steps):
        over = sizes_tensor([step - 1 for step in steps])
        empty = sizes_tensor([0] * len(steps))
        last = stablehlo.MaxOp(stablehlo.SubtractOp(last, over).result, empty).result
    limits = stablehlo.AddOp(first, last).result
    return stablehlo.RealDynamicSliceOp(tensor_type(type_), operand, first, limits, strides).result


def _concat(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.ConcatenateOp(operands, _int(op, "axis")).result


def _update_slice(op: Op, operands: list[ir.Value]) -> ir.Value:
    sizes = op.operands[0].type.shape
    starts = [
        positions(start, value.type, size if isinstance(size, int) else LARGEST)[0]
        for start, value, size in zip(operands[2:], op.operands[2:], sizes, strict=True)
    ]
    return stablehlo.DynamicUpdateSliceOp(operands[0], operands[1], starts).result


def _contract(op: Op, operands: list[ir.Value]) -> ir.Value:
    left = op.operands[0].type
    if any(left.shape[axis] == 0 for axis in _ints(op, "lhs_contract")):
        # A sum of nothing, on which StableHLO's interpreter aborts.
        return _zero(op.results[0].type)
    if needs_flat_axes(op):
        return contract_flat(op, operands)
    dimensions = stablehlo.DotDimensionNumbers.get(
        lhs_batching_dimensions=_ints(op, "lhs_batch"),
        rhs_batching_dimensions=_ints(op, "rhs_batch"),
        lhs_contracting_dimensions=_ints(op, "lhs_contract"),
        rhs_contracting_dimensions=_ints(op, "rhs_contract"),
    )
    result = tensor_type(op.results[0].type)
    return stablehlo.DotGeneralOp(result, operands[0], operands[1], dimensions).result


_Combine = Callable[[ir.Value, ir.Value], ir.OpView]
_REDUCTIONS: dict[str, tuple[_Combine, Callable[[str], bool | int | float]]] = {
    "sum": (stablehlo.AddOp, lambda dtype: 0),
    "prod": (stablehlo.MulOp, lambda dtype: 1),
    "max": (stablehlo.MaxOp, lowest),
    "min": (stablehlo.MinOp, highest),
    "any": (stablehlo.OrOp, lambda dtype: False),
    "all": (stablehlo.AndOp, lambda dtype: True),
}


def _reduce(op: Op, operands: list[ir.Value]) -> ir.Value:
    combine, first = _REDUCTIONS[cast(str, op.attributes["kind"])]
    element = TensorType(op.results[0].type.dtype, ())
    start = constant(first(element.dtype), element)
    result = tensor_type(op.results[0].type)
    reduction = stablehlo.ReduceOp([result], [operands[0]], [start], list(_ints(op, "axes")))
    scalar = tensor_type(element)
    block = reduction.regions[0].blocks.append(scalar, scalar)
    with ir.InsertionPoint(block):
        stablehlo.ReturnOp([combine(block.arguments[0], block.arguments[1]).result])
    return reduction.results[0]


STRUCTURED: dict[str, Build] = {
    "constant": _constant,
    "dim_constant": _dim_constant,
    "iota": _iota,
    "splat": _splat,
    "broadcast": _broadcast,
    "reshape": _reshape,
    "transpose": _transpose,
    "slice": _slice,
    "concat": _concat,
    "take": take,
    "update_slice": _update_slice,
    "contract": _contract,
    "reduce": _reduce,
}
