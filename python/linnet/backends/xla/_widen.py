"""Takes weights that are stored narrow as the numbers that they stand for.

XLA:CPU would make the whole matrix floating again in each step, at a quarter of the speed of f32
weights or less. So the argument is given the wide dtype, and the instance converts the array once,
when the code is loaded. The scales of int8 stay where they are, on the results.

A matrix of half bytes has another shape than the numbers that it stands for, and may also be read
by rows. So its arguments stay, and behind all others stands one more for each such matrix: what
the code would make of it, wherever it makes the whole.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from collections.abc import Mapping
from typing import Any

from jaxlib.mlir import ir

from linnet.backends._group_weights import group_weights
from linnet.signature import Member, Signature

_ELEMENTS = {"f16": ir.F16Type, "bf16": ir.BF16Type, "f32": ir.F32Type, "f64": ir.F64Type}


def widened(signature: Signature) -> dict[int, str]:
    """Return the arguments to widen by number, and the program's dtype of each."""
    first = len(signature.inputs)
    return {
        first + number: param.stored.dtype
        for number, param in enumerate(signature.params)
        if param.stored is not None and param.stored.role == "values"
    }


def widen_arguments(main: Any, arguments: Mapping[int, str]) -> None:
    """Give the arguments of a function these dtypes, in place; its context must be current.

    For each of half bytes an argument is added at the end.
    """
    block = main.regions[0].blocks[0]
    for number, dtype in arguments.items():
        argument, element = block.arguments[number], _ELEMENTS[dtype].get()
        given = ir.RankedTensorType(argument.type)
        if str(given.element_type) != "ui8":
            _retype(argument, element)
            continue
        rows, groups, half = given.shape
        type_ = ir.RankedTensorType.get([rows, groups * 2 * half], element)
        _take_whole(main, argument, block.add_argument(type_, ir.Location.unknown()))
    function = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    types = [argument.type for argument in block.arguments]
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, function.results))


def _take_whole(within: Any, packed: Any, wide: Any) -> None:
    """Read `wide` wherever the ops within make all of the numbers in `packed` floating."""
    for region in within.regions:
        for block in region.blocks:
            for view in list(block.operations):
                op = view.operation
                _take_whole(op, packed, wide)
                if op.name != "stablehlo.reshape":
                    continue
                found = group_weights(op.results[0])
                if found is None or found.packed != packed:
                    continue
                for value in [op.results[0], *_casts_of(op.results[0])]:
                    if value.type == wide.type:
                        value.replace_all_uses_with(wide)


def _casts_of(value: Any) -> list[Any]:
    users = [use.owner.operation for use in value.uses]
    return [user.results[0] for user in users if user.name == "stablehlo.convert"]


def whole_matrices(signature: Signature) -> list[Member]:
    """Return the params for which there is one more argument, in the order of those."""
    return [
        param
        for param in signature.params
        if param.stored is not None
        and param.stored.scheme == "int4"
        and param.stored.role == "values"
    ]


def _retype(value: Any, element: ir.Type) -> None:
    """Give `value`, and what only arranges its elements, the element type."""
    value.set_type(ir.RankedTensorType.get(ir.RankedTensorType(value.type).shape, element))
    for use in list(value.uses):
        op = use.owner.operation
        if op.name != "stablehlo.convert":
            # A lookup or a slice of it; what computes stands behind a conversion.
            _retype(op.results[0], element)
        elif op.results[0].type == value.type:
            op.results[0].replace_all_uses_with(value)
            op.erase()
