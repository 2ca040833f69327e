"""Keeps each bf16 operation rounding its result [NUM-1].

IREE computes a chain of bf16 operations in f32 and rounds once, at the chain's end. A
`reduce_precision` on the f32 value of each result puts the rounding back: it is integer
arithmetic, which no later pass takes for a conversion to be dropped.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

# Operations whose exact result may not be a bf16; others move or choose elements.
_NAMES = """
add subtract multiply divide remainder power exponential log sqrt rsqrt sine cosine tanh logistic
dot_general reduce
"""
_ROUNDING = frozenset(f"stablehlo.{name}" for name in _NAMES.split())


def round_each_bf16(function: ir.Operation) -> None:
    """Insert the roundings in a function, in place; its context must be current."""
    for region in function.regions:
        for block in region.blocks:
            for view in list(block.operations):
                op = view.operation
                if op.name in _ROUNDING:
                    _round(op)
                if op.name in ("stablehlo.while", "stablehlo.if", "stablehlo.case"):
                    round_each_bf16(op)


def _round(op: ir.Operation) -> None:
    bf16, f32 = ir.BF16Type.get(), ir.F32Type.get()
    for result in op.results:
        type_ = ir.RankedTensorType(result.type)
        if type_.element_type != bf16:
            continue
        wide_type = ir.RankedTensorType.get(type_.shape, f32)
        with ir.InsertionPoint.after(op):
            wide = stablehlo.convert(wide_type, result)
            if ir.ShapedType.get_dynamic_size() in type_.shape:
                rounded = _rounded_bits(wide)
            else:
                rounded = stablehlo.reduce_precision(wide, 8, 7)
            narrow = stablehlo.convert(type_, rounded)
        owner = wide.owner if isinstance(wide.owner, ir.Operation) else wide.owner.operation
        result.replace_all_uses_except(narrow, owner)


def _rounded_bits(wide: Any) -> Any:
    """Build `reduce_precision` to bf16 by bits, as IREE 3.13 has none of a dynamic shape."""
    type_ = ir.RankedTensorType(wide.type)
    i32 = ir.IntegerType.get_signless(32)
    whole = ir.RankedTensorType.get(type_.shape, i32)
    sizes = _sizes(wide, type_)

    def number(value: int) -> Any:
        scalar = ir.RankedTensorType.get([], i32)
        literal = ir.DenseElementsAttr.get_splat(scalar, ir.IntegerAttr.get(i32, value))
        return stablehlo.dynamic_broadcast_in_dim(
            whole, stablehlo.constant(literal), sizes, ir.DenseI64ArrayAttr.get([])
        )

    bits = stablehlo.bitcast_convert(whole, wide)
    # Half of what is cut off, and a tie goes to the even side.
    odd = stablehlo.and_(stablehlo.shift_right_logical(bits, number(16)), number(1))
    lifted = stablehlo.add(stablehlo.add(bits, number(0x7FFF)), odd)
    cut = stablehlo.bitcast_convert(type_, stablehlo.and_(lifted, number(-0x10000)))
    direction = stablehlo.ComparisonDirectionAttr.get("NE")
    return stablehlo.select(stablehlo.compare(wide, wide, direction), wide, cut)


def _sizes(value: Any, type_: ir.RankedTensorType) -> Any:
    i32 = ir.IntegerType.get_signless(32)
    one = ir.RankedTensorType.get([1], i32)
    parts: list[Any] = []
    for axis, size in enumerate(type_.shape):
        if size == ir.ShapedType.get_dynamic_size():
            parts.append(stablehlo.reshape(one, stablehlo.get_dimension_size(value, axis)))
        else:
            literal = ir.DenseElementsAttr.get_splat(one, ir.IntegerAttr.get(i32, size))
            parts.append(stablehlo.constant(literal))
    return parts[0] if len(parts) == 1 else stablehlo.concatenate(parts, 0)
