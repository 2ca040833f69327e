"""What the searches for kernels ask of StableHLO values."""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from linnet.backends.iree._kernels import Size

_HOLDERS = ("stablehlo.while", "stablehlo.if", "stablehlo.case")

# An `ir.Value`; the bindings have no types.
Value = Any


def type_of(value: Value) -> ir.RankedTensorType:
    """Return a tensor's type."""
    return ir.RankedTensorType(value.type)


def shape_of(value: Value) -> list[int]:
    """Return a tensor's extents; -1 for one that is known at run time only."""
    type_ = type_of(value)
    return [-1 if type_.is_dynamic_dim(axis) else type_.shape[axis] for axis in range(type_.rank)]


def element_of(value: Value) -> str:
    """Return the element type as text, as in `f32`."""
    return str(type_of(value).element_type)


def size(extents: Sequence[int], operand: int, first: int = 0) -> Size:
    """Return the product of extents, those of an operand's axes from `first` on."""
    known = math.prod(extent for extent in extents if extent >= 0)
    dims = tuple((operand, first + i) for i, extent in enumerate(extents) if extent < 0)
    return Size(known, dims)


def same(first: Value | None, second: Value | None) -> bool:
    """Whether both are there and one value; the bindings compare none with none."""
    return first is not None and second is not None and first == second


def only_user(value: Value) -> ir.Operation | None:
    """Return the op that alone uses a value, and uses it once."""
    users = [use.owner.operation for use in value.uses]
    return users[0] if len(users) == 1 else None


def other_operand(op: ir.Operation, value: Value) -> Value:
    """Return the operand of a binary op that is not `value`."""
    first, second = op.operands
    return second if first == value else first


def maker(value: Value, name: str) -> ir.Operation | None:
    """Return the op `stablehlo.NAME` that makes a value, if one does."""
    if isinstance(value, ir.BlockArgument):
        return None
    op = value.owner.operation
    return op if op.name == f"stablehlo.{name}" else None


def broadcast_of(value: Value) -> tuple[Value, list[int]] | None:
    """Return what a value repeats, and the axes of the value along which it lies."""
    wide = maker(value, "broadcast_in_dim") or maker(value, "dynamic_broadcast_in_dim")
    if wide is None:
        return None
    # An axis whose extent is open may repeat too, unless the op says that it does not.
    name = "known_nonexpanding_dimensions"
    kept = list(ir.DenseI64ArrayAttr(wide.attributes[name])) if name in wide.attributes else []
    given = shape_of(wide.operands[0])
    if any(extent < 0 and axis not in kept for axis, extent in enumerate(given)):
        return None
    axes = list(ir.DenseI64ArrayAttr(wide.attributes["broadcast_dimensions"]))
    return wide.operands[0], axes


def vector_along_last(value: Value) -> Value | None:
    """Return the vector of which every row of a value is a copy."""
    found = broadcast_of(value)
    if found is None:
        return None
    vector, axes = found
    rank = type_of(value).rank
    same = axes == [rank - 1] and shape_of(vector) == shape_of(value)[-1:]
    return vector if same else None


def column_of(value: Value) -> Value | None:
    """Return the value that a tensor repeats along its last axis."""
    found = broadcast_of(value)
    if found is None:
        return None
    column, axes = found
    return column if axes == list(range(type_of(value).rank - 1)) else None


def number_of(value: Value) -> float | None:
    """Return the f32 that a value is everywhere, if it can be told."""
    wide = broadcast_of(value)
    if wide is not None:
        return number_of(wide[0])
    constant = maker(value, "constant")
    if constant is not None:
        elements: Any = ir.DenseElementsAttr(constant.attributes["value"])
        return float(elements.get_splat_value().value) if elements.is_splat else None
    cast = maker(value, "convert")
    if cast is not None:
        return number_of(cast.operands[0])
    root = maker(value, "rsqrt")
    if root is not None:
        inner = number_of(root.operands[0])
        if inner is None or inner <= 0:
            return None
        return float(np.float32(1) / np.sqrt(np.float32(inner)))
    return None


def is_number(value: Value, wanted: float) -> bool:
    """Whether a value is everywhere a number, up to f32."""
    found = number_of(value)
    return found is not None and (found == wanted or math.isclose(found, wanted, rel_tol=1e-6))


def without_number(value: Value, name: str, number: float) -> Value | None:
    """Return x where a value is `NAME(number, x)` or `NAME(x, number)`."""
    op = maker(value, name)
    if op is None:
        return None
    first, second = op.operands
    if is_number(first, number):
        return second
    return first if is_number(second, number) else None


def reduces_last(value: Value, name: str, start: float) -> Value | None:
    """Return what `reduce` makes the value of, by `stablehlo.NAME` along the last axis."""
    op = maker(value, "reduce")
    if op is None or len(op.operands) != 2:
        return None
    given, init = op.operands
    axes = list(ir.DenseI64ArrayAttr(op.attributes["dimensions"]))
    steps = [view.operation.name for view in op.regions[0].blocks[0].operations]
    if axes != [type_of(given).rank - 1] or steps[:1] != [f"stablehlo.{name}"] or len(steps) != 2:
        return None
    return given if number_of(init) == start else None


def dots_within(function: ir.Operation) -> Iterator[ir.Operation]:
    """Yield the products in a function, those in its loops and choices too; they may be erased."""
    for region in function.regions:
        for block in region.blocks:
            for view in list(block.operations):
                op = view.operation
                if op.name == "stablehlo.dot_general":
                    yield op
                yield from dots_within(op)


def erase_unused(function: ir.Operation) -> None:
    """Erase StableHLO ops in a function whose results nothing uses."""
    for region in function.regions:
        for block in region.blocks:
            for view in reversed(list(block.operations)):
                op = view.operation
                used = any(True for result in op.results for _ in result.uses)
                if op.name.startswith("stablehlo.") and op.results and not used:
                    op.erase()
                elif op.name in _HOLDERS:
                    erase_unused(op)
