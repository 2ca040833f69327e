"""Elements at run-time positions: one row is a dynamic slice, many are a gather.

Positions clamp to the axis [EXP-11], and an empty axis gives zeros.
"""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

from typing import cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.core import Op, TensorType
from linnet.stablehlo._elementwise import constant
from linnet.stablehlo._open import size_value, sizes_tensor
from linnet.stablehlo._types import highest, is_unsigned, tensor_type

# No axis is longer, where a call decides its size.
LARGEST = 2**31 - 1


def _zero(type_: TensorType) -> ir.Value:
    """Build a tensor of zeros, or of `false`."""
    return constant(False if type_.dtype == "bool" else 0, type_)


def positions(indices: ir.Value, type_: TensorType, last: int) -> tuple[ir.Value, TensorType]:
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


def take(op: Op, operands: list[ir.Value]) -> ir.Value:
    """One row is a dynamic slice, many a gather; both clamp their starts [EXP-11]."""
    table = op.operands[0].type
    if table.is_open:
        return take_open(op, operands)
    axis, rank = cast(int, op.attributes["axis"]), len(op.operands[1].type.shape)
    if table.shape[axis] == 0:
        return _zero(op.results[0].type)
    sizes = list(table.fixed)
    sizes[axis] = 1
    places, indices = positions(operands[1], op.operands[1].type, table.fixed[axis] - 1)
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


def take_open(op: Op, operands: list[ir.Value]) -> ir.Value:
    """Build a gather whose table has open axes.

    An open axis other than the one that is indexed cannot be taken whole: StableHLO wants the
    size of a slice in numbers. So its positions are counted out, as further indices.
    """
    table, indices, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    axis, rank = cast(int, op.attributes["axis"]), len(op.operands[1].type.shape)
    if table.shape[axis] == 0:
        return _zero(result)
    source = operands[0]
    places = _clamped(operands[1], indices, table, axis)
    if isinstance(table.shape[axis], str):
        source = _with_a_row(source, table, axis)

    counted = [at for at, size in enumerate(table.shape) if isinstance(size, str) and at != axis]
    # Where an axis of the table, but the indexed one, lies in the result.
    there = {at: at if at < axis else at - 1 + rank for at in range(len(table.shape)) if at != axis}
    batch = sorted([*range(axis, axis + rank), *(there[at] for at in counted)])
    shape = tuple(result.shape[at] for at in batch)
    whole = TensorType("i64", shape)
    along = [batch.index(at) for at in range(axis, axis + rank)]
    columns = [_spread(places, along, whole)]
    for at in counted:
        columns.append(_counted(batch.index(there[at]), whole))
    index = columns[0]
    if counted:
        column = TensorType("i64", (*shape, 1))
        parts = [_reshaped(each, column) for each in columns]
        index = stablehlo.ConcatenateOp(parts, len(shape)).result
    taken = [axis, *counted]
    dimensions = stablehlo.GatherDimensionNumbers.get(
        offset_dims=[there[at] for at in range(len(table.shape)) if at not in taken],
        collapsed_slice_dims=sorted(taken),
        operand_batching_dims=[],
        start_indices_batching_dims=[],
        start_index_map=taken,
        index_vector_dim=len(shape),
    )
    sizes = [
        size if isinstance(size, int) and at != axis else 1 for at, size in enumerate(table.shape)
    ]
    return stablehlo.GatherOp(
        source, index, dimensions, sizes, results=[tensor_type(result)]
    ).result


def _clamped(indices: ir.Value, type_: TensorType, table: TensorType, axis: int) -> ir.Value:
    """Build the positions as `i64`, from 0 to the last of the axis, or 0 where it is empty."""
    size = table.shape[axis]
    if type_.dtype == "u64":
        indices = stablehlo.MinOp(indices, constant(LARGEST, type_)).result
    wide = TensorType("i64", type_.shape)
    given = stablehlo.ConvertOp(tensor_type(wide), indices).result
    last = stablehlo.SubtractOp(size_value(size), size_value(1)).result
    high = stablehlo.MinOp(given, _spread(last, [], wide)).result
    return stablehlo.MaxOp(high, constant(0, wide)).result


def _with_a_row(source: ir.Value, table: TensorType, axis: int) -> ir.Value:
    """Build the table with one row of zeros behind it, which an empty one is read at."""
    shape = (*table.shape[:axis], 1, *table.shape[axis + 1 :])
    row = _zero(TensorType(table.dtype, shape))
    return stablehlo.ConcatenateOp([source, row], axis).result


def _spread(value: ir.Value, along: list[int], type_: TensorType) -> ir.Value:
    if not type_.is_open:
        return stablehlo.BroadcastInDimOp(tensor_type(type_), value, along).result
    sizes = sizes_tensor(type_.shape)
    return stablehlo.DynamicBroadcastInDimOp(
        tensor_type(type_),
        value,
        sizes,
        along,
        known_expanding_dimensions=[],
        known_nonexpanding_dimensions=list(range(len(along))),
    ).result


def _counted(axis: int, type_: TensorType) -> ir.Value:
    if not type_.is_open:
        return stablehlo.IotaOp(tensor_type(type_), axis).result
    return stablehlo.DynamicIotaOp(tensor_type(type_), sizes_tensor(type_.shape), axis).result


def _reshaped(value: ir.Value, type_: TensorType) -> ir.Value:
    if not type_.is_open:
        return stablehlo.ReshapeOp(tensor_type(type_), value).result
    return stablehlo.DynamicReshapeOp(tensor_type(type_), value, sizes_tensor(type_.shape)).result
