"""Keeps each bf16 operation rounding its result [NUM-1].

IREE computes a chain of bf16 operations in f32 and rounds once, at the chain's end. A
`reduce_precision` on the f32 value of each result puts the rounding back: it is integer
arithmetic, which no later pass takes for a conversion to be dropped.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

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
            rounded = stablehlo.reduce_precision(wide, 8, 7)
            narrow = stablehlo.convert(type_, rounded)
        owner = wide.owner if isinstance(wide.owner, ir.Operation) else wide.owner.operation
        result.replace_all_uses_except(narrow, owner)
