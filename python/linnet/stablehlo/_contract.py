"""Contractions over open sizes with several axes in one role: batch, free or summed.

IREE merges the axes of a role before it multiplies, but none that are dynamic. So they are merged
here: to one batch axis, one free axis and one summed axis for each operand.
"""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

from collections.abc import Sequence
from typing import cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.core import Op, TensorType
from linnet.signature import Shape
from linnet.stablehlo._open import product, sizes_tensor
from linnet.stablehlo._types import tensor_type


def _axes(op: Op, name: str) -> tuple[int, ...]:
    return cast("tuple[int, ...]", op.attributes[name])


def _roles(op: Op, side: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the batch, free and summed axes of an operand."""
    name = "lhs" if side == 0 else "rhs"
    batch, summed = _axes(op, f"{name}_batch"), _axes(op, f"{name}_contract")
    rank = len(op.operands[side].type.shape)
    free = tuple(axis for axis in range(rank) if axis not in (*batch, *summed))
    return batch, free, summed


def needs_flat_axes(op: Op) -> bool:
    """Whether a size is open and a role has several axes."""
    if not any(operand.type.is_open for operand in op.operands):
        return False
    return any(len(axes) > 1 for side in (0, 1) for axes in _roles(op, side))


def contract_flat(op: Op, operands: Sequence[ir.Value]) -> ir.Value:
    """Build the contraction over merged axes."""
    (left, left_shape, left_sum), (right, right_shape, right_sum) = (
        _merged(op, side, operands[side]) for side in (0, 1)
    )
    batches = list(range(len(left_shape) - 2))
    dimensions = stablehlo.DotDimensionNumbers.get(
        lhs_batching_dimensions=batches,
        rhs_batching_dimensions=batches,
        lhs_contracting_dimensions=[left_sum],
        rhs_contracting_dimensions=[right_sum],
    )
    result = op.results[0].type
    free = [
        next(size for at, size in enumerate(shape) if at not in (*batches, summed))
        for shape, summed in ((left_shape, left_sum), (right_shape, right_sum))
    ]
    flat = TensorType(result.dtype, (*left_shape[: len(batches)], *free))
    dot = stablehlo.DotGeneralOp(tensor_type(flat), left, right, dimensions).result
    return _reshape(dot, flat.shape, result)


def _merged(op: Op, side: int, operand: ir.Value) -> tuple[ir.Value, Shape, int]:
    """Return the operand with merged axes, its shape, and which axis is summed."""
    type_ = op.operands[side].type
    batch, free, summed = _roles(op, side)
    # A matrix of weights stays as it is stored.
    roles = (
        [free, summed]
        if [*batch, *free, *summed] == sorted([*batch, *free, *summed])
        or [*batch, *summed, *free] != sorted([*batch, *summed, *free])
        else [summed, free]
    )
    order = [*batch, *roles[0], *roles[1]]
    turned = operand
    if order != sorted(order):
        turned = stablehlo.TransposeOp(operand, order).result
    groups = [batch, *roles] if batch else roles
    shape: Shape = tuple(product([type_.shape[axis] for axis in axes]) for axes in groups)
    ordered = tuple(type_.shape[axis] for axis in order)
    merged = _reshape(turned, ordered, TensorType(type_.dtype, shape))
    return merged, shape, len(groups) - (1 if roles[1] is summed else 2)


def _reshape(value: ir.Value, given: Shape, type_: TensorType) -> ir.Value:
    if given == type_.shape:
        return value
    if not type_.is_open and all(isinstance(size, int) for size in given):
        return stablehlo.ReshapeOp(tensor_type(type_), value).result
    return stablehlo.DynamicReshapeOp(tensor_type(type_), value, sizes_tensor(type_.shape)).result
