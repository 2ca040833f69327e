"""Keeps a slice with steps, or from a run-time position, apart from a gather that reads it.

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
                if _is_scattered(op) and _is_gathered(op):
                    _hold(op)


def _is_scattered(op: ir.Operation) -> bool:
    """Whether the op is a slice whose elements IREE addresses one by one."""
    if op.name == "stablehlo.slice":
        return any(step != 1 for step in ir.DenseI64ArrayAttr(op.attributes["strides"]))
    return op.name == "stablehlo.dynamic_slice"


def _is_gathered(op: ir.Operation) -> bool:
    """Whether a gather reads the op's result, or what is computed from it."""
    seen: set[ir.Operation] = set()
    found = [op]
    for _ in range(_FAR):
        found = [
            user
            for one in found
            for result in one.results
            for use in result.uses
            if (user := use.owner.operation) not in seen and not seen.add(user)
        ]
        if any(user.name == "stablehlo.gather" for user in found):
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
            signless = ir.IntegerType.get_signless(ir.IntegerType(element).width)
            held = stablehlo.bitcast_convert(ir.RankedTensorType.get(given.shape, signless), held)
        held = ir.Operation.create("util.optimization_barrier", [held.type], [held]).result
        if unsigned:
            held = stablehlo.bitcast_convert(given, held)
    for user, number in uses:
        user.operands[number] = held
