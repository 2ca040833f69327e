"""Elementwise ops. Each function takes the CORE op and the built operands, and gives the result."""

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
from linnet.stablehlo._open import sizes_tensor
from linnet.stablehlo._types import is_float, is_unsigned, splat, tensor_type

Build = Callable[[Op, list[ir.Value]], ir.Value]


def constant(literal: bool | int | float, type_: TensorType) -> ir.Value:
    """Build a splat of `literal`."""
    if type_.is_open:
        scalar = stablehlo.ConstantOp(splat(literal, TensorType(type_.dtype, ()))).result
        sizes = sizes_tensor(type_.shape)
        return stablehlo.DynamicBroadcastInDimOp(tensor_type(type_), scalar, sizes, []).result
    return stablehlo.ConstantOp(splat(literal, type_)).result


def _unary(function: Callable[[ir.Value], ir.OpView]) -> Build:
    return lambda op, operands: function(operands[0]).result


def _binary(function: Callable[[ir.Value, ir.Value], ir.OpView]) -> Build:
    return lambda op, operands: function(operands[0], operands[1]).result


def _negate(op: Op, operands: list[ir.Value]) -> ir.Value:
    """Minus wraps on unsigned dtypes too [EXP-1], where StableHLO has no `negate`."""
    type_ = op.results[0].type
    if is_unsigned(type_.dtype):
        return stablehlo.SubtractOp(constant(0, type_), operands[0]).result
    return stablehlo.NegOp(operands[0]).result


def _abs(op: Op, operands: list[ir.Value]) -> ir.Value:
    if is_unsigned(op.results[0].type.dtype):
        return operands[0]
    return stablehlo.AbsOp(operands[0]).result


def _shift_right(op: Op, operands: list[ir.Value]) -> ir.Value:
    """Arithmetic on signed, logical on unsigned integers [PRE-5]."""
    if is_unsigned(op.results[0].type.dtype):
        return stablehlo.ShiftRightLogicalOp(*operands).result
    return stablehlo.ShiftRightArithmeticOp(*operands).result


def _cast(op: Op, operands: list[ir.Value]) -> ir.Value:
    source, target = op.operands[0].type, op.results[0].type
    if target.dtype == "bool" and source.dtype != "bool":
        # Number to bool is `x != 0` [NUM-5].
        return _compared("ne", source.dtype, operands[0], constant(0, source))
    return stablehlo.ConvertOp(tensor_type(target), operands[0]).result


def _compared(predicate: str, dtype: str, left: ir.Value, right: ir.Value) -> ir.Value:
    if is_float(dtype):
        kind = "FLOAT"
    else:
        kind = "UNSIGNED" if dtype == "bool" or is_unsigned(dtype) else "SIGNED"
    return stablehlo.CompareOp(
        left,
        right,
        stablehlo.ComparisonDirectionAttr.get(predicate.upper()),
        compare_type=stablehlo.ComparisonTypeAttr.get(kind),
    ).result


def _compare(op: Op, operands: list[ir.Value]) -> ir.Value:
    predicate = cast(str, op.attributes["predicate"])
    return _compared(predicate, op.operands[0].type.dtype, operands[0], operands[1])


def _select(op: Op, operands: list[ir.Value]) -> ir.Value:
    return stablehlo.SelectOp(*operands).result


ELEMENTWISE: dict[str, Build] = {
    "neg": _negate,
    "abs": _abs,
    "exp": _unary(stablehlo.ExpOp),
    "log": _unary(stablehlo.LogOp),
    "sqrt": _unary(stablehlo.SqrtOp),
    "rsqrt": _unary(stablehlo.RsqrtOp),
    "sin": _unary(stablehlo.SineOp),
    "cos": _unary(stablehlo.CosineOp),
    "tanh": _unary(stablehlo.TanhOp),
    "not": _unary(stablehlo.NotOp),
    "add": _binary(stablehlo.AddOp),
    "sub": _binary(stablehlo.SubtractOp),
    "mul": _binary(stablehlo.MulOp),
    "div": _binary(stablehlo.DivOp),
    "rem": _binary(stablehlo.RemOp),
    "min": _binary(stablehlo.MinOp),
    "max": _binary(stablehlo.MaxOp),
    "and": _binary(stablehlo.AndOp),
    "or": _binary(stablehlo.OrOp),
    "xor": _binary(stablehlo.XorOp),
    "shl": _binary(stablehlo.ShiftLeftOp),
    "shr": _shift_right,
    "cast": _cast,
    "compare": _compare,
    "select": _select,
}
