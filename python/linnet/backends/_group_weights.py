"""Finds weights of half bytes in groups where StableHLO makes them floating.

`dequantize_int4_groups` of `std.quant` and the pass `linnet-store-weights` give the same ops.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from dataclasses import dataclass
from typing import Any

from jaxlib.mlir import ir

# An `ir.Value`; the bindings have no types.
Value = Any


@dataclass(frozen=True, slots=True)
class GroupWeights:
    """What a matrix [rows, groups * group] is made of: bytes [rows, groups, group / 2], two numbers
    each, and a scale and a zero [rows, groups] in f32."""

    packed: Value
    scale: Value
    zero: Value
    group: int


def group_weights(value: Value) -> GroupWeights | None:
    """Return the parts of an f32 matrix that is `(q - zero) * scale`, if it is such a one."""
    product = _operands(_unshaped(value), "multiply")
    difference = None if product is None else _operands(product[0], "subtract")
    numbers = None if difference is None else _operands(difference[0], "convert")
    if product is None or difference is None or numbers is None:
        return None
    scale, zero = _each_group(product[1]), _each_group(difference[1])
    packed = _packed(numbers[0])
    if scale is None or zero is None or packed is None:
        return None
    shape, wide = _shape(packed), _shape(numbers[0])
    if len(shape) != 3 or len(wide) != 3 or _element(packed) != "ui8":
        return None
    rows, groups, half = shape
    if wide != [rows, groups, 2 * half] or _shape(value) != [rows, groups * 2 * half]:
        return None
    if _shape(scale) != [rows, groups] or _shape(zero) != [rows, groups]:
        return None
    if {_element(each) for each in (value, scale, zero)} != {"f32"}:
        return None
    return GroupWeights(packed, scale, zero, 2 * half)


def _packed(numbers: Value) -> Value | None:
    """Return the bytes whose low and high halves, in turns, are these numbers."""
    joined = _unshaped(numbers)
    halves = _operands(joined, "concatenate")
    if halves is None or len(halves) != 2 or _shape(joined)[-1] != 2:
        return None
    if ir.IntegerAttr(joined.owner.attributes["dimension"]).value != len(_shape(joined)) - 1:
        return None
    low, high = (_shifted(_unshaped(half), "shift_right_logical") for half in halves)
    if low is None or high is None:
        return None
    moved = _shifted(low, "shift_left")
    return _unshaped(high) if moved is not None and moved == high else None


def _shifted(value: Value, name: str) -> Value | None:
    """Return what a value is shifted from by four bits."""
    operands = _operands(value, name)
    return operands[0] if operands is not None and _is_four(operands[1]) else None


def _is_four(value: Value) -> bool:
    wide = _operands(value, "broadcast_in_dim")
    if wide is not None:
        return _is_four(wide[0])
    if _operands(value, "constant") is None:
        return False
    elements: Any = ir.DenseElementsAttr(value.owner.attributes["value"])
    return elements.is_splat and int(elements.get_splat_value().value) == 4


def _each_group(value: Value) -> Value | None:
    """Return what lies along the first two of three axes."""
    wide = _operands(value, "broadcast_in_dim")
    if wide is None or len(_shape(value)) != 3:
        return None
    axes = list(ir.DenseI64ArrayAttr(value.owner.attributes["broadcast_dimensions"]))
    return wide[0] if axes == [0, 1] else None


def _unshaped(value: Value) -> Value:
    """Return what a value is a reshape of."""
    while (source := _operands(value, "reshape")) is not None:
        value = source[0]
    return value


def _operands(value: Value, name: str) -> list[Value] | None:
    """Return the operands of the op `stablehlo.NAME` that makes a value, if one does."""
    if isinstance(value, ir.BlockArgument):
        return None
    op = value.owner
    return list(op.operands) if op.name == f"stablehlo.{name}" else None


def _shape(value: Value) -> list[int]:
    type_ = ir.RankedTensorType(value.type)
    return [-1 if type_.is_dynamic_dim(axis) else type_.shape[axis] for axis in range(type_.rank)]


def _element(value: Value) -> str:
    return str(ir.RankedTensorType(value.type).element_type)
