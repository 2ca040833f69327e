"""Interprets CORE functions, one op after the other.

Takes the records of `linnet.core` and NumPy arrays; gives NumPy arrays. Every op computes in the
dtype that its types say and rounds once (language section 13); a reduction or contraction of
`f16` or `bf16` accumulates in `f32` and rounds its result, one of the orders that [NUM-6] allows.
"""

from collections.abc import Callable, Sequence

import numpy as np

from linnet.core import CoreModule, Function, Op, Region, TensorType, Value, fix_sizes
from linnet.reference._elementwise import BINARY, UNARY, Array, cast, compare
from linnet.reference._structured import STRUCTURED
from linnet.signature import numpy_dtype, solve_sizes

_Environment = dict[Value, Array]


def run(module: CoreModule, entry: str, arguments: Sequence[Array]) -> list[Array]:
    """Call the function of `entry`: inputs, params and buffers, states -> results, states.

    Shapes and dtypes must be those of the signature, which the runtime has checked; another one
    is a ValueError, an unknown entry a KeyError. The sizes of an open entry are those of the
    arguments; an ArgumentError where they break its constraints.
    """
    function = module.functions[entry]
    signature = function.signature
    if signature.symbols:
        shapes = {v.name: a.shape for v, a in zip(signature.inputs, arguments, strict=False)}
        function = fix_sizes(function, solve_sizes(signature, shapes))
    _check(function, arguments)
    environment: _Environment = dict(zip(function.body.arguments, arguments, strict=True))
    # A division by zero or an overflow is a value here, not an event [NUM-2].
    with np.errstate(all="ignore"):
        return _region(function.body, environment)


def _check(function: Function, arguments: Sequence[Array]) -> None:
    wanted = function.body.arguments
    if len(wanted) != len(arguments):
        raise ValueError(f"needs {len(wanted)} arguments, found {len(arguments)}")
    for number, (value, array) in enumerate(zip(wanted, arguments, strict=True)):
        if array.shape != value.type.shape or array.dtype != numpy_dtype(value.type.dtype):
            raise ValueError(
                f"argument {number} needs {value.type.shape} of {value.type.dtype}, "
                f"found {array.shape} of {array.dtype}"
            )


def _region(region: Region, environment: _Environment) -> list[Array]:
    """Run a region and return the operands of its terminator."""
    for op in region.ops[:-1]:
        operands = [environment[operand] for operand in op.operands]
        results = _op(op, operands, environment)
        environment.update(zip(op.results, results, strict=True))
    return [environment[operand] for operand in region.ops[-1].operands]


def _op(op: Op, operands: list[Array], environment: _Environment) -> list[Array]:
    match op.name:
        case "if":
            return _region(op.regions[0 if bool(operands[0]) else 1], environment)
        case "while":
            return _while(op, operands, environment)
        case "scope":
            environment.update(zip(op.regions[0].arguments, operands, strict=True))
            return _region(op.regions[0], environment)
        case _:
            return [_value(op, operands, op.results[0].type)]


def _while(op: Op, carried: list[Array], environment: _Environment) -> list[Array]:
    before, body = op.regions
    while True:
        environment.update(zip(before.arguments, carried, strict=True))
        (again,) = _region(before, environment)
        if not bool(again):
            return carried
        environment.update(zip(body.arguments, carried, strict=True))
        carried = _region(body, environment)


def _value(op: Op, operands: list[Array], result: TensorType) -> Array:
    array = _compute(op, operands, result)
    if array.shape != result.shape or array.dtype != numpy_dtype(result.dtype):
        raise ValueError(
            f"{op.name} gave {array.shape} of {array.dtype}, "
            f"its type says {result.shape} of {result.dtype}"
        )
    return array


def _compute(op: Op, operands: list[Array], result: TensorType) -> Array:
    if op.name in UNARY:
        return UNARY[op.name](operands[0])
    if op.name in BINARY:
        return BINARY[op.name](operands[0], operands[1])
    if op.name == "cast":
        return cast(operands[0], numpy_dtype(result.dtype))
    if op.name == "compare":
        return compare(str(op.attributes["predicate"]), operands[0], operands[1])
    if op.name == "select":
        return np.where(operands[0], operands[1], operands[2])
    structured: Callable[[Op, list[Array], TensorType], Array] = STRUCTURED[op.name]
    return structured(op, operands, result)
