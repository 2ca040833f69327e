"""Elementwise ops. Each function takes the graph, the CORE op and its operands, maybe with axes of
1 where their types have more, and gives the result in the same way.
"""

from collections.abc import Callable, Sequence
from typing import cast

from linnet.backends.onnx._dtypes import carrier, is_float, is_unsigned
from linnet.backends.onnx._graph import Graph, Ref, broadcast_shape
from linnet.core import Op

Emit = Callable[[Graph, Op, Sequence[Ref]], Ref]


def _joined(*operands: Ref):
    return broadcast_shape(operand.shape for operand in operands)


def apply(graph: Graph, name: str, operands: Sequence[Ref], dtype: str | None = None) -> Ref:
    """Add a node over operands that broadcast."""
    return graph.carried(name, operands, dtype or operands[0].dtype, _joined(*operands))


def _plain(name: str) -> Emit:
    return lambda graph, op, operands: apply(graph, name, operands)


def _neg(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """Minus wraps on unsigned dtypes [EXP-1]."""
    (x,) = operands
    if is_unsigned(x.dtype):
        return apply(graph, "Sub", [graph.literal(0, x.dtype), x])
    return apply(graph, "Neg", [x])


def _abs(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return operands[0] if is_unsigned(operands[0].dtype) else apply(graph, "Abs", operands)


def _rsqrt(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    (x,) = operands
    wide = graph.cast(x, carrier("Sqrt", x.dtype, graph.kernels))
    return graph.cast(apply(graph, "Reciprocal", [apply(graph, "Sqrt", [wide])]), x.dtype)


def _not(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return apply(graph, "Not" if operands[0].dtype == "bool" else "BitwiseNot", operands)


def _div(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    dtype = operands[0].dtype
    if is_float(dtype):
        return apply(graph, "Div", operands)
    held = carrier("Div", dtype, graph.kernels)
    left, right = (graph.cast(each, held) for each in operands)
    return graph.cast(divided(graph, left, right), dtype)


def divided(graph: Graph, left: Ref, right: Ref) -> Ref:
    """Return the truncating quotient. The kernels divide as the processor does, which traps on a
    division by zero and of the least number by -1: then the divisor is 1 [NUM-3].
    """
    dtype = left.dtype
    one = graph.literal(1, dtype)
    if left.literal == 1:
        return _one_over(graph, right)
    if right.literal is not None and right.literal not in (0, -1):
        return apply(graph, "Div", [left, right])
    if is_unsigned(dtype):
        return apply(graph, "Div", [left, apply(graph, "Max", [right, one])])
    minus = apply(graph, "Equal", [right, graph.literal(-1, dtype)], "bool")
    zero = apply(graph, "Equal", [right, graph.literal(0, dtype)], "bool")
    trap = apply(graph, "Or", [minus, zero])
    safe = graph.node("Where", [trap, one, right], dtype, _joined(trap, right))
    quotient = apply(graph, "Div", [left, safe])
    negated = apply(graph, "Neg", [left])
    return graph.node("Where", [minus, negated, quotient], dtype, _joined(minus, quotient))


def _one_over(graph: Graph, x: Ref) -> Ref:
    """Return `1 / x` of integers, without a `Div`: ONNX Runtime makes `1 / x * y` to `y / x`."""
    found = graph.cast(apply(graph, "Equal", [x, graph.literal(1, x.dtype)], "bool"), x.dtype)
    if is_unsigned(x.dtype):
        return found
    minus = apply(graph, "Equal", [x, graph.literal(-1, x.dtype)], "bool")
    return apply(graph, "Sub", [found, graph.cast(minus, x.dtype)])


def _rem(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """`a - trunc(a / b) * b` [NUM-2], which is C's `fmod` on floats."""
    left, right = operands
    shape = _joined(*operands)
    if is_float(left.dtype):
        return graph.carried("Mod", operands, left.dtype, shape, fmod=1)
    held = carrier("Div", left.dtype, graph.kernels)
    a, b = graph.cast(left, held), graph.cast(right, held)
    whole = apply(graph, "Mul", [divided(graph, a, b), b])
    return graph.cast(apply(graph, "Sub", [a, whole]), left.dtype)


def _logical(name: str) -> Emit:
    def emit(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
        return apply(graph, name if operands[0].dtype == "bool" else f"Bitwise{name}", operands)

    return emit


def _shifted(graph: Graph, x: Ref, bits: Ref, direction: str) -> Ref:
    shape = _joined(x, bits)
    return graph.node("BitShift", [x, bits], x.dtype, shape, direction=direction)


def _unsigned(dtype: str) -> str:
    return "u64" if dtype in ("i64", "u64") else "u32"


def _shl(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """ONNX shifts unsigned numbers; the low bits are the same."""
    dtype = operands[0].dtype
    x, bits = (graph.cast(each, _unsigned(dtype)) for each in operands)
    return graph.cast(_shifted(graph, x, bits, "LEFT"), dtype)


def _shr(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """Arithmetic on signed, logical on unsigned integers [PRE-5]."""
    dtype = operands[0].dtype
    bits = graph.cast(operands[1], _unsigned(dtype))
    if is_unsigned(dtype):
        x = graph.cast(operands[0], _unsigned(dtype))
        return graph.cast(_shifted(graph, x, bits, "RIGHT"), dtype)
    # A negative number with its bits flipped is not negative, and shifts in zeros.
    wide = "i64" if dtype == "i64" else "i32"
    x = graph.cast(operands[0], wide)
    negative = apply(graph, "Less", [x, graph.literal(0, wide)], "bool")
    ends = [graph.literal(-1, wide), graph.literal(0, wide)]
    sign = graph.node("Where", [negative, *ends], wide, x.shape)
    flipped = graph.cast(apply(graph, "BitwiseXor", [x, sign]), _unsigned(dtype))
    shifted = graph.cast(_shifted(graph, flipped, bits, "RIGHT"), wide)
    return graph.cast(apply(graph, "BitwiseXor", [shifted, sign]), dtype)


def _cast(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    (x,) = operands
    target = op.results[0].type.dtype
    if x.dtype in ("i32", "i64", "u32", "u64") and target == "bf16":
        # One rounding: the kernel's way is by f32, which rounds a large number once more.
        x = _to_odd(graph, graph.cast(x, "f64"))
    elif x.dtype == "f64" and target in ("f16", "bf16"):
        x = _to_odd(graph, x)
    return graph.cast(x, target)


def _to_odd(graph: Graph, x: Ref) -> Ref:
    """Return an `f64` as `f32`, rounded so that a further rounding gives what one alone would.

    The nearest number, or its neighbour on the side of `x` where that is inexact and ends in a
    zero bit. S. Boldo and G. Melquiond, "When double rounding is odd", 2005.
    """
    near = graph.cast(x, "f32")
    back = graph.cast(near, "f64")
    rest = apply(graph, "Sub", [x, back])
    # What T. J. Dekker's splitting with one bit leaves as it is ends in a zero bit.
    three = apply(graph, "Mul", [near, graph.literal(3, "f32")])
    head = apply(graph, "Sub", [three, apply(graph, "Sub", [three, near])])
    is_even = apply(graph, "Equal", [head, near], "bool")
    zero = graph.literal(0, "f64")
    # Between a half and one and a half units of the last place.
    step = apply(graph, "Mul", [apply(graph, "Abs", [back]), graph.literal(0.75 * 2.0**-23, "f64")])
    above = apply(graph, "Greater", [rest, zero], "bool")
    below = apply(graph, "Less", [rest, zero], "bool")
    up = selected(graph, above, apply(graph, "Add", [back, step]), back)
    either = selected(graph, below, apply(graph, "Sub", [back, step]), up)
    return graph.cast(selected(graph, is_even, either, back), "f32")


_PREDICATES = {
    "eq": "Equal",
    "lt": "Less",
    "le": "LessOrEqual",
    "gt": "Greater",
    "ge": "GreaterOrEqual",
}


def _compare(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    predicate = cast(str, op.attributes["predicate"])
    if predicate == "ne":
        return apply(graph, "Not", [apply(graph, "Equal", operands, "bool")])
    return apply(graph, _PREDICATES[predicate], operands, "bool")


def _select(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return selected(graph, *operands)


def selected(graph: Graph, condition: Ref, yes: Ref, no: Ref) -> Ref:
    """Return `yes` where the condition holds, else `no`."""
    dtype = yes.dtype
    if dtype == "bool":
        left = apply(graph, "And", [condition, yes])
        right = apply(graph, "And", [apply(graph, "Not", [condition]), no])
        return apply(graph, "Or", [left, right])
    held = carrier("Where", dtype, graph.kernels)
    wide = [graph.cast(yes, held), graph.cast(no, held)]
    shape = _joined(condition, *wide)
    return graph.cast(graph.node("Where", [condition, *wide], held, shape), dtype)


ELEMENTWISE: dict[str, Emit] = {
    "neg": _neg,
    "abs": _abs,
    "exp": _plain("Exp"),
    "log": _plain("Log"),
    "sqrt": _plain("Sqrt"),
    "rsqrt": _rsqrt,
    "sin": _plain("Sin"),
    "cos": _plain("Cos"),
    "tanh": _plain("Tanh"),
    "not": _not,
    "add": _plain("Add"),
    "sub": _plain("Sub"),
    "mul": _plain("Mul"),
    "div": _div,
    "rem": _rem,
    "min": _plain("Min"),
    "max": _plain("Max"),
    "and": _logical("And"),
    "or": _logical("Or"),
    "xor": _logical("Xor"),
    "shl": _shl,
    "shr": _shr,
    "cast": _cast,
    "compare": _compare,
    "select": _select,
}
