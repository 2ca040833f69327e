"""Keeps IREE 3.13 from reading unsigned factors of a product as signed.

A contraction whose operand is a cast of a `bool` or an unsigned integer is folded there into one
that takes the narrow operand itself and widens it as a signed number: true counts as -1, 200 as
-56. A barrier behind the cast keeps the two apart.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from typing import Any

from jaxlib.mlir import ir

# What moves elements and changes none: a cast behind it reaches the contraction all the same.
_MOVES = frozenset(
    f"stablehlo.{name}"
    for name in (
        "transpose",
        "reshape",
        "dynamic_reshape",
        "broadcast_in_dim",
        "dynamic_broadcast_in_dim",
        "slice",
        "real_dynamic_slice",
        "convert",
    )
)


def part_casts_from_products(function: ir.Operation) -> None:
    """Put a barrier behind each cast of an unsigned value that a contraction takes, in place."""
    for region in function.regions:
        for block in region.blocks:
            for view in list(block.operations):
                op = view.operation
                part_casts_from_products(op)
                if (
                    op.name == "stablehlo.convert"
                    and _is_unsigned(op.operands[0].type)
                    and _reaches_product(op.results[0])
                ):
                    _bar(op)


def _is_unsigned(type_: ir.Type) -> bool:
    element = ir.RankedTensorType(type_).element_type
    return isinstance(element, ir.IntegerType) and (element.is_unsigned or element.width == 1)


def _reaches_product(value: Any) -> bool:
    for use in value.uses:
        owner = use.owner.operation
        if owner.name == "stablehlo.dot_general":
            return True
        if owner.name in _MOVES and any(map(_reaches_product, owner.results)):
            return True
    return False


def _bar(op: ir.Operation) -> None:
    result = op.results[0]
    users = [use.owner for use in result.uses]
    made = ir.Operation.create(
        "stablehlo.optimization_barrier",
        results=[result.type],
        operands=[result],
        ip=ir.InsertionPoint.after(op),
    )
    for user in users:
        for index, operand in enumerate(user.operands):
            if operand == result:
                user.operands[index] = made.results[0]
