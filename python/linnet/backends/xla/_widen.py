"""Takes weights that are stored narrow as the numbers that they stand for.

XLA:CPU would make the whole matrix floating again in each step, at a quarter of the speed of f32
weights or less. So the argument is given the wide dtype, and the instance converts the array once,
when the code is loaded. The scales of int8 stay where they are, on the results.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from collections.abc import Mapping
from typing import Any

from jaxlib.mlir import ir

from linnet.signature import Signature

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
    """Give the arguments of a function these dtypes, in place; its context must be current."""
    block = main.regions[0].blocks[0]
    for number, dtype in arguments.items():
        _retype(block.arguments[number], _ELEMENTS[dtype].get())
    function = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    types = [argument.type for argument in block.arguments]
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, function.results))


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
