"""Keeps XLA from computing something else where it would rearrange operations on floats.

XLA's algebraic simplifier treats floats as numbers: `(x + c) - c` becomes `x`, `log(exp(x))` too,
`exp(x) * exp(y)` becomes `exp(x + y)`, `sqrt(x * x)` `|x|`, `x / y / z` a quotient by a product,
`x / c` a product with `1 / c`, which is zero where `c` is large. That is more than another order of
a sum [NUM-6]: results are finite that overflow, and rounding that a program is about is gone
[NUM-1]. A barrier between the two operations keeps them; it goes before XLA fuses, so it costs
nothing else. Left to XLA is what differs by the last bits only: a division by a constant whose
inverse is a normal number, one by a square root.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

import math
from collections.abc import Iterator
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

_VIEWS = frozenset(
    f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose", "slice")
)
_CONSTANTS = frozenset(("stablehlo.constant", "stablehlo.iota"))
# An inverse outside of these is rounded to zero or has lost bits; f64 behaves so further out.
_LARGEST = {"f16": 2.0**14, "bf16": 2.0**126, "f32": 2.0**126, "f64": 2.0**1022}


def keep_operations(main: Any) -> None:
    """Put barriers into a function, in place; its context must be current."""
    constant: set[Any] = set()
    for op in list(_ops(main)):
        if op.name in _CONSTANTS or (op.operands and all(v in constant for v in op.operands)):
            if not op.regions:
                constant.update(op.results)
            continue
        if len(op.results) == 1 and _is_float(op.results[0]):
            for number in _guarded(op, constant):
                with ir.InsertionPoint(op), op.location:
                    barrier = stablehlo.OptimizationBarrierOp([op.operands[number]])
                op.operands[number] = barrier.results[0]


def _ops(parent: Any) -> Iterator[Any]:
    for region in parent.regions:
        for block in region.blocks:
            for view in block.operations:
                yield view.operation
                yield from _ops(view.operation)


def _guarded(op: Any, constant: set[Any]) -> Iterator[int]:
    """Yield the operands that need a barrier."""
    name = op.name.removeprefix("stablehlo.")
    sources = [_source(operand) for operand in op.operands]
    match name:
        case "add" | "subtract":
            yield from _chained(op, sources, constant, ("add", "subtract"))
        case "multiply":
            if all(source == "exponential" for source, _ in sources):
                yield 0
            else:
                yield from _chained(op, sources, constant, ("multiply", "divide"))
        case "divide":
            (numerator, _), (denominator, _) = sources
            if numerator == "divide":
                yield 0
            else:
                yield from (n for n in _chained(op, sources, constant, ("multiply",)) if n == 0)
            if denominator in ("divide", "exponential") or _is_large(op.operands[1], constant):
                yield 1
        case "log" if sources[0][0] == "exponential":
            yield 0
        case "sqrt" | "rsqrt" if sources[0][0] == "multiply":
            factors = sources[0][1].operands
            if factors[0] == factors[1]:
                yield 0
        case _:
            pass


def _chained(
    op: Any, sources: list[tuple[str, Any]], constant: set[Any], inner: tuple[str, ...]
) -> Iterator[int]:
    """Yield an operand that combines with a constant, if the other one is a constant too."""
    for number, (name, source) in enumerate(sources):
        others = [value for at, value in enumerate(op.operands) if at != number]
        if name not in inner or others[0] not in constant:
            continue
        if any(operand in constant for operand in source.operands):
            yield number


def _source(value: Any) -> tuple[str, Any]:
    """Return the operation that computes a value, behind views of it, and its name."""
    while not isinstance(value.owner, ir.Block):
        op = value.owner.operation
        if op.name not in _VIEWS:
            return op.name.removeprefix("stablehlo."), op
        value = op.operands[0]
    return "", None


def _is_float(value: Any) -> bool:
    type_ = value.type
    return isinstance(type_, ir.RankedTensorType) and isinstance(
        type_.element_type, ir.F16Type | ir.BF16Type | ir.F32Type | ir.F64Type
    )


def _is_large(value: Any, constant: set[Any]) -> bool:
    """Whether the inverse of a constant may be no normal number."""
    if value not in constant:
        return False
    name, op = _source(value)
    if name != "constant":
        return True
    attribute = ir.DenseElementsAttr(op.attributes["value"])
    if not attribute.is_splat:
        return True
    number = abs(ir.FloatAttr(attribute.get_splat_value()).value)
    return not math.isfinite(number) or number > _LARGEST[str(op.results[0].type.element_type)]
