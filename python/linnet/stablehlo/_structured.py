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
from linnet.stablehlo._elementwise import Build, constant
from linnet.stablehlo._types import highest, is_unsigned, lowest, tensor_type


def _ints(op: Op, name: str) -> tuple[int, ...]:
    return cast(tuple[int, ...], op.attributes[name])


def _int(op: Op, name: str) -> int:
    return cast(int, op.attributes[name])


def _zero(type_: TensorType) -> ir.Value:
    """Build a tensor of zeros, or of `false`."""
    return constant(False if type_.dtype == "bool" else 0, type_)


def _constant(op: Op, operands: list[ir.Value]) -> ir.Value:
    return constant(cast("bool | int | float", op.attributes["literal"]), op.results[0].type)


def _iota(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.IotaOp(tensor_type(op.results[0].type), _int(op, "axis")).result


def _splat(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.BroadcastInDimOp(tensor_type(op.results[0].type), operands[0], []).result


def _broadcast(op: Op, operands: list[ir.Value]) -> ir.Value:
    result = tensor_type(op.results[0].type)
    return stablehlo.BroadcastInDimOp(result, operands[0], list(_ints(op, "axes"))).result


def _reshape(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.ReshapeOp(tensor_type(op.results[0].type), operands[0]).result


def _transpose(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.TransposeOp(operands[0], list(_ints(op, "perm"))).result


def _slice(op: Op, operands: list[ir.Value]) -> ir.Value:
    starts, steps = _ints(op, "starts"), _ints(op, "steps")
    sizes = op.results[0].type.shape
    axes = op.operands[0].type.shape
    # An empty part may start past the end, where StableHLO has no position.
    starts = tuple(min(start, axis) for start, axis in zip(starts, axes, strict=True))
    limits = [
        start + (size - 1) * step + 1 if size else start
        for start, step, size in zip(starts, steps, sizes, strict=True)
    ]
    return stablehlo.SliceOp(operands[0], list(starts), limits, list(steps)).result


def _concat(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.ConcatenateOp(operands, _int(op, "axis")).result


def _positions(indices: ir.Value, type_: TensorType, last: int) -> tuple[ir.Value, TensorType]:
    """The indices as `i32` or `i64`, unsigned ones clamped to `last`.

    A position of all ones is the last one [EXP-11], where StableHLO's interpreter reads -1; and
    IREE 3.13 takes an `i8` of -128 for 128.
    """
    if type_.dtype in ("i32", "i64"):
        return indices, type_
    if is_unsigned(type_.dtype):
        limit = constant(min(last, int(highest(type_.dtype))), type_)
        indices = stablehlo.MinOp(indices, limit).result
    wide = TensorType("i64" if type_.dtype in ("u32", "u64") else "i32", type_.shape)
    return stablehlo.ConvertOp(tensor_type(wide), indices).result, wide


def _take(op: Op, operands: list[ir.Value]) -> ir.Value:
    """One row is a dynamic slice, many a gather; both clamp their starts [EXP-11]."""
    table = op.operands[0].type
    axis, rank = _int(op, "axis"), len(op.operands[1].type.shape)
    if table.shape[axis] == 0:
        return _zero(op.results[0].type)
    sizes = list(table.shape)
    sizes[axis] = 1
    places, indices = _positions(operands[1], op.operands[1].type, table.shape[axis] - 1)
    if rank == 0:
        starts = [constant(0, indices)] * len(sizes)
        starts[axis] = places
        row = stablehlo.DynamicSliceOp(operands[0], starts, sizes).result
        return stablehlo.ReshapeOp(tensor_type(op.results[0].type), row).result
    after = range(axis + rank, len(table.shape) - 1 + rank)
    dimensions = stablehlo.GatherDimensionNumbers.get(
        offset_dims=[*range(axis), *after],
        collapsed_slice_dims=[axis],
        operand_batching_dims=[],
        start_indices_batching_dims=[],
        start_index_map=[axis],
        index_vector_dim=rank,
    )
    return stablehlo.GatherOp(operands[0], places, dimensions, sizes).result


def _update_slice(op: Op, operands: list[ir.Value]) -> ir.Value:
    sizes = op.operands[0].type.shape
    starts = [
        _positions(start, value.type, size)[0]
        for start, value, size in zip(operands[2:], op.operands[2:], sizes, strict=True)
    ]
    return stablehlo.DynamicUpdateSliceOp(operands[0], operands[1], starts).result


def _contract(op: Op, operands: list[ir.Value]) -> ir.Value:
    left = op.operands[0].type
    if any(left.shape[axis] == 0 for axis in _ints(op, "lhs_contract")):
        # A sum of nothing, on which StableHLO's interpreter aborts.
        return _zero(op.results[0].type)
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
    "iota": _iota,
    "splat": _splat,
    "broadcast": _broadcast,
    "reshape": _reshape,
    "transpose": _transpose,
    "slice": _slice,
    "concat": _concat,
    "take": _take,
    "update_slice": _update_slice,
    "contract": _contract,
    "reduce": _reduce,
}
