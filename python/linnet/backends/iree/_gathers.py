"""Keeps a slice with steps apart from a gather that reads it.

IREE 3.13 fuses the two and then fails to translate its own index arithmetic. Between them stands a
barrier, so that the slice is a buffer of its own.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

_FAR = 12  # Ops between the two; farther ones are not fused.


def part_slices_from_gathers(function: ir.Operation) -> None:
    """Insert the barriers in a function, in place; its context must be current and take ops of
    unknown dialects."""
    for region in function.regions:
        for block in region.blocks:
            for view in list(block.operations):
                op = view.operation
                part_slices_from_gathers(op)
                if op.name == "stablehlo.slice" and _has_steps(op) and _is_gathered(op, _FAR):
                    _hold(op)


def _has_steps(op: ir.Operation) -> bool:
    return any(step != 1 for step in ir.DenseI64ArrayAttr(op.attributes["strides"]))


def _is_gathered(op: ir.Operation, far: int) -> bool:
    """Whether a gather reads the op's result, or what is computed from it."""
    if far == 0:
        return False
    for use in op.results[0].uses:
        user = use.owner.operation
        if user.name == "stablehlo.gather" or (user.results and _is_gathered(user, far - 1)):
            return True
    return False


def _hold(op: ir.Operation) -> None:
    value = op.results[0]
    uses = [(use.owner.operation, use.operand_number) for use in value.uses]
    given = ir.RankedTensorType(value.type)
    element = given.element_type
    with ir.InsertionPoint.after(op):
        held = value
        unsigned = isinstance(element, ir.IntegerType) and element.is_unsigned
        if unsigned:  # IREE's own dialect has none.
            signless = ir.IntegerType.get_signless(element.width)
            held = stablehlo.bitcast_convert(ir.RankedTensorType.get(given.shape, signless), held)
        held = ir.Operation.create("util.optimization_barrier", [held.type], [held]).result
        if unsigned:
            held = stablehlo.bitcast_convert(given, held)
    for user, number in uses:
        user.operands[number] = held
