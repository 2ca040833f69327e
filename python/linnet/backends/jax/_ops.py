"""Every op of CORE as JAX, with Linnet's numerics where the two differ.

Elementwise ops broadcast in JAX as in CORE after its `broadcast`s, so those become views with axes
of one element. One table, so that what an op lacks is seen beside the others.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from linnet.backends.jax._numbers import is_float, jax_dtype
from linnet.core import Op, TensorType, Value
from linnet.outline import (
    AND,
    ATOM,
    COMPARE,
    OR,
    PRODUCT,
    SHIFT,
    SUM,
    UNARY,
    XOR,
    Body,
    Expr,
    bounded,
    equation,
    folded,
    hole,
    index_text,
    inserted,
    ints,
    list_text,
    literal_text,
    matmul,
    placed,
    range_text,
    selected,
    shape_text,
    size_text,
    together,
)
from linnet.signature import Shape, Size

Build = Callable[[Op, Sequence[Expr], Body], Expr]

_FUNCTIONS = {
    "exp": "jnp.exp",
    "log": "jnp.log",
    "sqrt": "jnp.sqrt",
    "rsqrt": "lax.rsqrt",
    "sin": "jnp.sin",
    "cos": "jnp.cos",
    "tanh": "jnp.tanh",
    "abs": "jnp.abs",
}
_SIGNS: Mapping[str, tuple[str, int]] = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "and": ("&", AND),
    "or": ("|", OR),
    "xor": ("^", XOR),
    "shl": ("<<", SHIFT),
    "shr": (">>", SHIFT),
}
_PREDICATES = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _axis(op: Op) -> int:
    return cast(int, op.attributes["axis"])


def as_array(expr: Expr, type_: TensorType) -> Expr:
    """A Python number as an array without axes; anything else as it is."""
    if not expr.literal:
        return expr
    return Expr(f"jnp.asarray({expr.text}, {jax_dtype(type_.dtype)})", (), cost=1)


def exactly(expr: Expr, type_: TensorType) -> Expr:
    """An array of all of the type's shape."""
    if expr.literal:
        if not type_.shape:
            return as_array(expr, type_)
        dtype, shape = jax_dtype(type_.dtype), shape_text(type_.shape)
        if expr.text in ("0", "0.0"):
            made = f"jnp.zeros({shape}, {dtype})"
        else:
            made = f"jnp.full({shape}, {expr.text}, {dtype})"
        return Expr(made, type_.shape, cost=1)
    if expr.shape == type_.shape:
        return expr
    return expr.of(f"jnp.broadcast_to({expr.text}, {shape_text(type_.shape)})", shape=type_.shape)


def _unary(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    if (number := folded(op, operands)) is not None:
        return number
    x = as_array(operands[0], op.operands[0].type)
    match op.name:
        case "neg":
            return x.of(f"-{x.at(UNARY)}", UNARY)
        case "not":
            return x.of(f"~{x.at(UNARY)}", UNARY)
        case name:
            return x.of(f"{_FUNCTIONS[name]}({x.text})")


def _binary(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    if (number := folded(op, operands)) is not None:
        return number
    dtype = op.results[0].type.dtype
    a, b = operands
    if a.literal and b.literal:
        a = as_array(a, op.operands[0].type)
    if op.name in ("shl", "shr") and a.literal:
        a = as_array(a, op.operands[0].type)
    shape = together(a.shape, b.shape)
    if op.name in ("min", "max"):
        return Expr(f"jnp.{op.name}imum({a.text}, {b.text})", shape)
    if op.name == "rem" or (op.name == "div" and not is_float(dtype)):
        name = "_remainder" if op.name == "rem" else "_divide"
        return Expr(f"{name}({a.text}, {b.text})", shape)
    if op.name in ("shl", "shr"):
        # Python's operator would compute in a wider dtype with a number on the right.
        b = as_array(b, op.operands[1].type)
        name = "left" if op.name == "shl" else "right"
        return Expr(f"jnp.{name}_shift({a.text}, {b.text})", shape)
    sign, binding = _SIGNS[op.name]
    # Rounding forbids to drop parentheses on the right.
    return Expr(f"{a.at(binding)} {sign} {b.at(binding - 1)}", shape, binding)


def _compare(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    a, b = operands
    if a.literal and b.literal:
        a = as_array(a, op.operands[0].type)
    # Comparisons chain in Python: an operand that is one stands in parentheses.
    sign = _PREDICATES[str(op.attributes["predicate"])]
    return Expr(f"{a.at(OR)} {sign} {b.at(OR)}", together(a.shape, b.shape), COMPARE)


def _select(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    c, a, b = operands
    c = as_array(c, op.operands[0].type)
    if a.literal and b.literal:
        a = as_array(a, op.results[0].type)
    shape = together(c.shape, a.shape, b.shape)
    return Expr(f"jnp.where({c.text}, {a.text}, {b.text})", shape)


def _cast(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    if (number := folded(op, operands)) is not None:
        return number
    x = operands[0]
    from_, to = op.operands[0].type.dtype, op.results[0].type.dtype
    x = as_array(x, op.operands[0].type)
    if from_ == to:
        return x
    if to == "bool":
        return x.of(f"{x.at(OR)} != 0", COMPARE)
    if is_float(from_) and not is_float(to):
        return x.of(f"_to_integer({x.text}, {jax_dtype(to)})")
    return x.of(f"{x.atom}.astype({jax_dtype(to)})")


def _constant(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    literal = cast("bool | int | float", op.attributes["literal"])
    text = literal_text(literal, op.results[0].type.dtype)
    number = text.removesuffix(".0")
    if number.isdigit() and int(number) > 1 and not isinstance(literal, bool):
        text = hole(cast(int, text))
    return Expr(text, (), UNARY if text.startswith("-") else ATOM, literal=True)


def _dim_constant(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    return Expr(hole(str(op.attributes["value"])), (), literal=True)


def _iota(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_, axis = op.results[0].type, _axis(op)
    size = type_.shape[axis]
    made = f"jnp.arange({size_text(size)}, dtype={jax_dtype(type_.dtype)})"
    if type_.dtype == "bool" or type_.dtype in ("i8", "u8", "f16", "bf16"):
        made = f"jnp.arange({size_text(size)}).astype({jax_dtype(type_.dtype)})"
    return placed(Expr(made, (size,), cost=1), (axis,), len(type_.shape))


def _splat(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    return operands[0]


def _broadcast(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    x = operands[0]
    if x.literal or not x.shape or body.is_kept(op.operands[0]):
        return x
    axes, rank = ints(op, "axes"), len(op.results[0].type.shape)
    turned = placed(x, axes, rank)
    return turned.of(turned.text.replace(".permute(", ".transpose("), turned.binding)


def _reshape(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_ = op.results[0].type
    x = operands[0]
    if x.literal:
        return x
    if not (not x.shape and not [s for s in type_.shape if s != 1]):
        x = exactly(x, op.operands[0].type)
        chosen = selected(x, type_.shape)
        if chosen is not None:
            return chosen
    if not x.shape and not type_.shape:
        return x
    new = inserted(x.shape, type_.shape)
    if new is not None and new == len(type_.shape) - 1:
        return x.of(f"{x.atom}[..., None]", shape=type_.shape)
    if new is not None:
        lead = [":"] * new
        return x.of(f"{x.atom}[{', '.join([*lead, 'None'])}]", shape=type_.shape)
    if len(type_.shape) == 1:
        return x.of(f"{x.atom}.reshape(-1)", shape=type_.shape)
    return x.of(f"{x.atom}.reshape({list_text(type_.shape)})", shape=type_.shape)


def _transpose(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    perm, type_, x = ints(op, "perm"), op.results[0].type, operands[0]
    if x.literal:
        return x
    x = exactly(x, op.operands[0].type)
    moved = [axis for axis, source in enumerate(perm) if axis != source]
    if not moved:
        return x
    if len(perm) == 2:
        return x.of(f"{x.atom}.T", shape=type_.shape)
    if len(moved) == 2:
        one, two = moved
        if two == len(perm) - 1 and one == two - 1:
            one, two = -2, -1
        return x.of(f"{x.atom}.swapaxes({one}, {two})", shape=type_.shape)
    return x.of(f"{x.atom}.transpose({', '.join(map(str, perm))})", shape=type_.shape)


def _slice(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_, from_, x = op.results[0].type, op.operands[0].type, operands[0]
    if x.literal:
        return x
    x = exactly(x, from_)
    starts = cast("tuple[Size, ...]", op.attributes["starts"])
    parts = [
        range_text(start, step, size, whole)
        for start, step, size, whole in zip(
            starts, ints(op, "steps"), type_.shape, from_.shape, strict=True
        )
    ]
    return x.of(f"{x.atom}[{index_text(parts)}]", shape=type_.shape) if parts else x


def _concat(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    axis, type_ = _axis(op), op.results[0].type
    at = -1 if axis == len(type_.shape) - 1 else axis
    parts = [exactly(x, v.type).text for x, v in zip(operands, op.operands, strict=True)]
    return Expr(f"jnp.concatenate([{', '.join(parts)}], axis={at})", type_.shape)


def _take(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    table_type, index_type = op.operands[0].type, op.operands[1].type
    axis, type_ = _axis(op), op.results[0].type
    if table_type.shape[axis] == 0:
        return exactly(Expr("False" if type_.dtype == "bool" else "0", literal=True), type_)
    if operands[0].literal:
        return operands[0]
    table = exactly(operands[0], table_type)
    index = exactly(operands[1], index_type)
    if index_type.dtype == "u64":
        # The largest would turn negative on their way to positions.
        index = index.of(f"jnp.minimum({index.text}, {size_text(table_type.shape[axis])})")
    if bounded(op.operands[1], table_type.shape[axis], 1, body):
        inner = ", ".join([*[":"] * axis, index.text])
        return Expr(f"{table.atom}[{inner}]", type_.shape, cost=2)
    # Positions outside of an axis stop at its ends [EXP-11].
    text = f'jnp.take({table.text}, {index.text}, axis={axis}, mode="clip")'
    return Expr(text, type_.shape, cost=2)


def _update_slice(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    whole, part = op.operands[0].type, op.operands[1].type
    target, value = exactly(operands[0], whole), exactly(operands[1], part)
    starts = [
        "0" if size == span else as_array(at, index.type).text if at.literal else at.text
        for size, span, at, index in zip(
            whole.shape, part.shape, operands[2:], op.operands[2:], strict=True
        )
    ]
    if whole.shape == part.shape:
        return value
    text = f"_write({target.text}, {value.text}, {', '.join(starts)})"
    return Expr(text, whole.shape, cost=2)


def _contract(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    result = op.results[0].type
    a, b = (exactly(x, v.type) for x, v in zip(operands, op.operands, strict=True))
    wider = op.operands[0].type.dtype != result.dtype
    plain = None if wider else matmul(op, a, b, "swapaxes")
    if plain is not None:
        return Expr(plain, result.shape, PRODUCT)
    more = f", preferred_element_type={jax_dtype(result.dtype)}" if wider else ""
    return Expr(f'jnp.einsum("{equation(op)}", {a.text}, {b.text}{more})', result.shape)


def _reduce(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_, result = op.operands[0].type, op.results[0].type
    axes, kind = ints(op, "axes"), str(op.attributes["kind"])
    x = exactly(operands[0], type_)
    if not axes:
        return x
    rank = len(type_.shape)
    kept = body.is_kept(op.results[0])
    shape: Shape = result.shape
    if kept:
        shape = tuple(1 if a in axes else size for a, size in enumerate(type_.shape))
    if kind in ("max", "min") and any(type_.shape[axis] == 0 for axis in axes):
        lowest = literal_text(-math.inf if kind == "max" else math.inf, type_.dtype)
        return exactly(Expr(lowest, literal=True), result)
    # Counted from the end, so that it reads the same for any number of leading axes.
    dims = [axis - rank for axis in axes]
    if len(dims) == rank and not kept:
        given = ""
    elif len(dims) == 1:
        given = f"axis={dims[0]}"
    else:
        given = f"axis=({', '.join(map(str, dims))})"
    keep = "keepdims=True" if kept else ""
    # JAX would sum small whole numbers in wider ones.
    narrow = kind in ("sum", "prod") and not is_float(type_.dtype)
    dtype = f"dtype={jax_dtype(type_.dtype)}" if narrow else ""
    inner = ", ".join(part for part in (given, keep, dtype) if part)
    return x.of(f"{x.atom}.{kind}({inner})", ATOM, shape)


EXPRESSIONS: dict[str, Build] = {
    **dict.fromkeys(("neg", "not", *_FUNCTIONS), _unary),
    **dict.fromkeys((*_SIGNS, "rem", "min", "max"), _binary),
    "compare": _compare,
    "select": _select,
    "cast": _cast,
    "constant": _constant,
    "dim_constant": _dim_constant,
    "iota": _iota,
    "splat": _splat,
    "broadcast": _broadcast,
    "reshape": _reshape,
    "transpose": _transpose,
    "slice": _slice,
    "concat": _concat,
    "take": _take,
    "update_slice": _update_slice,
    "contract": _contract,
    "reduce": _reduce,
}

__all__ = ["EXPRESSIONS", "Value", "as_array", "exactly"]
