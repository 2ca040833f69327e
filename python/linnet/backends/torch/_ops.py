"""Every op of CORE as PyTorch, with Linnet's numerics where the two differ.

Elementwise ops broadcast in PyTorch as in CORE after its `broadcast`s, so those become views with
axes of one element. Longer than other files: one table, so that what an op lacks is seen beside
the others.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from linnet.backends.torch._numbers import WIDE, is_float, literal_text, torch_dtype
from linnet.core import Op, TensorType, Value
from linnet.outline import (
    AND,
    ATOM,
    COMPARE,
    DEVICE,
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
    matmul,
    placed,
    range_text,
    selected,
    shape_text,
    size_less,
    size_text,
    together,
)
from linnet.signature import Shape, Size

if TYPE_CHECKING:
    Build = Callable[[Op, Sequence[Expr], Body], Expr]

_FLOAT_METHODS = {"exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs"}
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


def _int(op: Op, name: str) -> int:
    return cast(int, op.attributes[name])


def as_tensor(expr: Expr, type_: TensorType, body: Body) -> Expr:
    """A Python number as a tensor without axes; anything else as it is."""
    return _number(expr, type_) if expr.literal else expr


def exactly(expr: Expr, type_: TensorType, body: Body) -> Expr:
    """A tensor of all of the type's shape."""
    if expr.literal:
        if not type_.shape:
            return _number(expr, type_)
        dtype = torch_dtype(type_.dtype)
        shape = shape_text(type_.shape)
        made = f"torch.full({shape}, {expr.text}, dtype={dtype}, device={DEVICE})"
        if type_.dtype == "u64":
            made = f"torch.full({shape}, {expr.text}, device={DEVICE}).to({dtype})"
        if expr.text in ("0", "0.0"):
            made = f"torch.zeros({shape}, dtype={dtype}, device={DEVICE})"
        return Expr(made, type_.shape, cost=1)
    if expr.shape == type_.shape:
        return expr
    return expr.of(f"{expr.atom}.expand({list_text(type_.shape)})", shape=type_.shape)


def _number(expr: Expr, type_: TensorType) -> Expr:
    dtype = torch_dtype(type_.dtype)
    if type_.dtype == "u64":
        text = f"torch.tensor({expr.text}, device={DEVICE}).to({dtype})"
        return Expr(text, (), cost=1)
    return Expr(f"torch.tensor({expr.text}, dtype={dtype}, device={DEVICE})", (), cost=1)


# Elementwise.


def _wide(expr: Expr, dtype: str) -> Expr:
    """An operand in the dtype that PyTorch computes an unsigned one in."""
    if expr.literal or dtype not in WIDE:
        return expr
    return expr.of(f"{expr.atom}.to({WIDE[dtype]})")


def _narrow(text: str, binding: int, dtype: str) -> tuple[str, int]:
    if dtype not in WIDE:
        return text, binding
    inner = text if binding == ATOM else f"({text})"
    return f"{inner}.to({torch_dtype(dtype)})", ATOM


def _unary(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    if (number := folded(op, operands)) is not None:
        return number
    type_ = op.operands[0].type
    x = operands[0]
    if x.literal:
        x = as_tensor(x, type_, body)
    x = _wide(x, type_.dtype)
    match op.name:
        case "neg":
            text, binding = f"-{x.at(UNARY)}", UNARY
        case "not":
            text, binding = f"~{x.at(UNARY)}", UNARY
        case "abs" if type_.dtype[0] == "u":
            text, binding = x.text, x.binding
        case name:
            text, binding = f"{x.atom}.{name}()", ATOM
    text, binding = _narrow(text, binding, type_.dtype)
    return x.of(text, binding)


def _binary(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    if (number := folded(op, operands)) is not None:
        return number
    dtype = op.results[0].type.dtype
    a, b = operands
    if a.literal and b.literal:
        a = as_tensor(a, op.operands[0].type, body)
    shape = together(a.shape, b.shape)
    if dtype in WIDE and op.name not in ("and", "or", "xor"):
        return _unsigned(op.name, dtype, a, b, shape)
    if op.name in ("min", "max"):
        return _extreme(op.name, a, b, shape, op, body)
    if op.name == "div" and not is_float(dtype):
        return _divided("divide", a, b, shape)
    if op.name == "rem":
        if is_float(dtype):
            a = as_tensor(a, op.operands[0].type, body)
            return Expr(f"_fmod({a.text}, {b.text})", shape)
        return _divided("remainder", a, b, shape)
    sign, binding = _SIGNS[op.name]
    left = a.at(binding)
    # Rounding forbids to drop parentheses on the right.
    right = b.at(binding - 1)
    return Expr(f"{left} {sign} {right}", shape, binding)


def _divided(name: str, a: Expr, b: Expr, shape: Shape) -> Expr:
    """Whole numbers; the divisor may be zero, where PyTorch would stop [NUM-3]."""
    plain = b.text.strip("\x01\x02")
    if b.literal and plain.isdigit() and plain != "0" and not a.literal:
        if name == "divide":
            return Expr(f'torch.div({a.text}, {b.text}, rounding_mode="trunc")', shape)
        return Expr(f"torch.fmod({a.text}, {b.text})", shape)
    return Expr(f"_{name}({a.text}, {b.text})", shape)


def _unsigned(name: str, dtype: str, a: Expr, b: Expr, shape: Shape) -> Expr:
    a, b = _wide(a, dtype), _wide(b, dtype)
    if dtype == "u64" and name in ("div", "rem", "min", "max", "shr"):
        text = f"_u64_{name}({_tensor(a)}, {b.text})"
        binding = ATOM
    elif name in ("min", "max"):
        text, binding = f"torch.{name}imum({_tensor(a)}, {_tensor(b)})", ATOM
    elif name == "div":
        text, binding = f"_divide({a.text}, {b.text})", ATOM
    elif name == "rem":
        text, binding = f"_remainder({a.text}, {b.text})", ATOM
    else:
        sign, binding = _SIGNS[name]
        text = f"{a.at(binding)} {sign} {b.at(binding - 1)}"
    text, binding = _narrow(text, binding, dtype)
    return Expr(text, shape, binding)


def _tensor(expr: Expr) -> str:
    return f"torch.tensor({expr.text}, device={DEVICE})" if expr.literal else expr.text


def _extreme(name: str, a: Expr, b: Expr, shape: Shape, op: Op, body: Body) -> Expr:
    if a.literal:
        a, b = b, a
    if not b.literal:
        return Expr(f"torch.{name}imum({a.text}, {b.text})", shape)
    bound = "max" if name == "min" else "min"
    if name == "max" and b.text in ("0", "0.0"):
        head, cut, tail = a.text.rpartition(".clamp(max=")
        if (
            cut
            and a.binding == ATOM
            and tail.endswith(")")
            and tail.count(")") == tail.count("(") + 1
        ):
            return Expr(f"{head}.clamp(0, {tail}", shape)
        return Expr(f"{a.atom}.clamp(min=0)", shape)
    return Expr(f"{a.atom}.clamp({bound}={b.text})", shape)


def _compare(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    a, b = operands
    type_ = op.operands[0].type
    predicate = str(op.attributes["predicate"])
    if a.literal and b.literal:
        text = f"{a.at(OR)} {_PREDICATES[predicate]} {b.at(OR)}"
        return Expr(text, (), COMPARE, literal=True)
    shape = together(a.shape, b.shape)
    if type_.dtype in WIDE and predicate not in ("eq", "ne"):
        a, b = _wide(a, type_.dtype), _wide(b, type_.dtype)
        if type_.dtype == "u64":
            a, b = (e.of(f"_u64_order({e.text})") for e in (a, b))
    elif type_.dtype in WIDE:
        a, b = _wide(a, type_.dtype), _wide(b, type_.dtype)
    # Comparisons chain in Python: an operand that is one stands in parentheses.
    left, right = a.at(OR), b.at(OR)
    return Expr(f"{left} {_PREDICATES[predicate]} {right}", shape, COMPARE)


def _select(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    c, a, b = operands
    type_ = op.results[0].type
    if c.literal:
        c = as_tensor(c, op.operands[0].type, body)
    # PyTorch gives two numbers its default dtypes.
    if a.literal and b.literal and type_.dtype not in ("i64", "f32"):
        a = as_tensor(a, type_, body)
    if (a.literal or b.literal) and type_.dtype in WIDE:
        a, b = (as_tensor(e, type_, body) for e in (a, b))
    shape = together(c.shape, a.shape, b.shape)
    return Expr(f"torch.where({c.text}, {a.text}, {b.text})", shape)


def _cast(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    if (number := folded(op, operands)) is not None:
        return number
    x = operands[0]
    from_, to = op.operands[0].type.dtype, op.results[0].type.dtype
    if x.literal:
        x = as_tensor(x, op.operands[0].type, body)
    if from_ == to:
        return x
    if from_ in WIDE and to in ("f16", "bf16"):
        return x.of(f"{x.atom}.to(torch.float64).to({torch_dtype(to)})")
    if to == "bool":
        return x.of(f"{x.at(OR)} != 0", COMPARE)
    if to in WIDE and is_float(from_):
        return x.of(f"_to_unsigned({x.text}, {torch_dtype(to)})")
    short = {"f32": "float", "f64": "double", "f16": "half", "bf16": "bfloat16", "i64": "long"}
    if to in short:
        return x.of(f"{x.atom}.{short[to]}()")
    if from_ in WIDE:
        x = _wide(x, from_)
    return x.of(f"{x.atom}.to({torch_dtype(to)})")


# Constants and shapes.


def _constant(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    literal = cast("bool | int | float", op.attributes["literal"])
    dtype = op.results[0].type.dtype
    text = literal_text(literal, dtype)
    number = text.removesuffix(".0")
    if number.isdigit() and int(number) > 1 and not isinstance(literal, bool):
        text = hole(cast(int, text))
    binding = UNARY if text.startswith("-") else ATOM
    return Expr(text, (), binding, literal=True)


def _dim_constant(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    return Expr(hole(str(op.attributes["value"])), (), literal=True)


def _iota(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_ = op.results[0].type
    axis = _int(op, "axis")
    size = type_.shape[axis]
    dtype = torch_dtype(type_.dtype)
    if type_.dtype == "i64":
        made = f"torch.arange({size_text(size)}, device={DEVICE})"
    elif type_.dtype in ("i32", "f32", "f64"):
        made = f"torch.arange({size_text(size)}, dtype={dtype}, device={DEVICE})"
    else:
        made = f"torch.arange({size_text(size)}, device={DEVICE}).to({dtype})"
    rank = len(type_.shape)
    line = Expr(made, (size,), cost=1)
    return placed(line, (axis,), rank)


def _splat(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    return operands[0]


def _broadcast(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    x = operands[0]
    if x.literal or not x.shape or body.is_kept(op.operands[0]):
        return x
    return placed(x, ints(op, "axes"), len(op.results[0].type.shape))


def _reshape(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_, from_ = op.results[0].type, op.operands[0].type
    x = operands[0]
    if x.literal or (not x.shape and not [s for s in type_.shape if s != 1]):
        return x if x.literal or not type_.shape else _viewed(x, type_.shape)
    x = exactly(x, from_, body)
    return selected(x, type_.shape) or _viewed(x, type_.shape)


def _viewed(x: Expr, shape: Shape) -> Expr:
    gone = inserted(shape, x.shape)
    if gone is not None and shape:
        # The only one is the last one too: so it reads as at other sizes.
        return x.of(f"{x.atom}[{', '.join([*[':'] * gone, '-1'])}]", shape=shape)
    flat = [s for s in shape if s != 1]
    if flat == [s for s in x.shape if s != 1] and len(shape) > len(x.shape):
        new = inserted(x.shape, shape)
        if new is not None and x.text.endswith(f".squeeze({new})"):
            return x.of(x.text.removesuffix(f".squeeze({new})"), shape=shape)
        if new is not None:
            return x.of(f"{x.atom}.unsqueeze({new})", shape=shape)
    if len(shape) == 1:
        return x.of(f"{x.atom}.reshape(-1)" if x.shape else f"{x.atom}.reshape(1)", shape=shape)
    return x.of(f"{x.atom}.reshape({list_text(shape)})", shape=shape)


def _transpose(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    perm = ints(op, "perm")
    type_ = op.results[0].type
    x = operands[0]
    if x.literal:
        return x
    x = exactly(x, op.operands[0].type, body)
    moved = [axis for axis, source in enumerate(perm) if axis != source]
    if not moved:
        return x
    if len(perm) == 2:
        return x.of(f"{x.atom}.T", shape=type_.shape)
    if len(moved) == 2:
        one, two = moved
        if two == len(perm) - 1 and one == two - 1:
            one, two = -2, -1
        return x.of(f"{x.atom}.transpose({one}, {two})", shape=type_.shape)
    return x.of(f"{x.atom}.permute({', '.join(map(str, perm))})", shape=type_.shape)


def _slice(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_, from_ = op.results[0].type, op.operands[0].type
    x = operands[0]
    if x.literal:
        return x
    x = exactly(x, from_, body)
    starts = cast("tuple[Size, ...]", op.attributes["starts"])
    parts = [
        range_text(start, step, size, whole)
        for start, step, size, whole in zip(
            starts, ints(op, "steps"), type_.shape, from_.shape, strict=True
        )
    ]
    return x.of(f"{x.atom}[{index_text(parts)}]", shape=type_.shape) if parts else x


def _concat(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    axis = _int(op, "axis")
    type_ = op.results[0].type
    at = -1 if axis == len(type_.shape) - 1 else axis
    parts = [
        exactly(x, value.type, body).text for x, value in zip(operands, op.operands, strict=True)
    ]
    inner = f"{', '.join(parts)}{',' if len(parts) == 1 else ''}"
    return Expr(f"torch.cat(({inner}), dim={at})", type_.shape)


# Look-ups and products.


def _take(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    table_type, index_type = op.operands[0].type, op.operands[1].type
    axis = _int(op, "axis")
    type_ = op.results[0].type
    size = table_type.shape[axis]
    if size == 0:
        zero = Expr("False" if type_.dtype == "bool" else "0", literal=True)
        return exactly(zero, type_, body)
    if operands[0].literal:
        return operands[0]
    table = _wide(exactly(operands[0], table_type, body), table_type.dtype)
    index = clamped(operands[1], op.operands[1], size, 1, body)
    index = exactly(index, index_type, body)
    lead = [":"] * axis
    if not index_type.shape:
        text = f"{table.atom}.index_select({axis}, {index.atom}.reshape(1)).squeeze({axis})"
    else:
        text = f"{table.atom}[{', '.join([*lead, index.text])}]"
    return Expr(_narrow(text, ATOM, type_.dtype)[0], type_.shape, cost=2)


def clamped(index: Expr, value: Value, size: Size, span: Size, body: Body) -> Expr:
    """Positions inside an axis [EXP-11], as PyTorch takes them."""
    type_ = value.type
    if index.literal:
        index = _number(index, type_)
    last = size_less(size, span)
    if bounded(value, size, span, body):
        return index if type_.dtype in ("i32", "i64") else index.of(f"{index.atom}.long()")
    if type_.dtype == "u64":
        index = index.of(f"_u64_min({index.atom}.to(torch.int64), {last})")
        return index
    if type_.dtype not in ("i32", "i64"):
        index = index.of(f"{index.atom}.long()")
    low = "" if type_.dtype[0] == "u" else "0, "
    inner = f"{index.atom}.clamp({low}{last})" if low else f"{index.atom}.clamp(max={last})"
    return index.of(inner)


def update_parts(op: Op, operands: Sequence[Expr], body: Body) -> tuple[list[int], list[Expr]]:
    """The axes along which an update does not fill its target, and where it starts on them."""
    whole, part = op.operands[0].type.shape, op.operands[1].type.shape
    axes = [axis for axis in range(len(whole)) if whole[axis] != part[axis]]
    starts = [
        clamped(operands[2 + axis], op.operands[2 + axis], whole[axis], part[axis], body)
        for axis in axes
    ]
    return axes, starts


def _places(start: Expr, size: Size) -> str:
    if size == 1:
        return f"{start.atom}.reshape(1).long()"
    return f"{start.text} + torch.arange({size_text(size)}, device={DEVICE})"


def update_call(op: Op, operands: Sequence[Expr], body: Body, in_place: bool) -> str:
    """The update as a call, in place or not; empty where it replaces everything."""
    target_type, value_type = op.operands[0].type, op.operands[1].type
    axes, starts = update_parts(op, operands, body)
    value = exactly(operands[1], value_type, body)
    target = exactly(operands[0], target_type, body)
    mark = "_" if in_place else ""
    if axes and target_type.dtype in WIDE:
        # PyTorch writes no parts of these.
        wide = _wide(target, target_type.dtype), _wide(value, target_type.dtype)
        text = _written(op, axes, starts, *wide, "")
        text = _narrow(text, ATOM, target_type.dtype)[0]
        return f"{target.atom}.copy_({text})" if in_place else text
    if not axes:
        return f"{target.atom}.copy_({value.text})" if in_place else value.text
    return _written(op, axes, starts, target, value, mark)


def _written(
    op: Op, axes: list[int], starts: list[Expr], target: Expr, value: Expr, mark: str
) -> str:
    if len(axes) == 1:
        places = _places(starts[0], op.operands[1].type.shape[axes[0]])
        return f"{target.atom}.index_copy{mark}({axes[0]}, {places}, {value.text})"
    where = ", ".join(f"{axis}: {start.text}" for axis, start in zip(axes, starts, strict=True))
    written = target.text if mark else f"{target.atom}.clone()"
    return f"_write_part({written}, {value.text}, {{{where}}})"


def _update_slice(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    return Expr(update_call(op, operands, body, in_place=False), op.results[0].type.shape, cost=2)


def _contract(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    result = op.results[0].type
    sides: list[Expr] = []
    for x, value in zip(operands, op.operands, strict=True):
        x = exactly(x, value.type, body)
        if value.type.dtype != result.dtype:
            cast_ = "float" if result.dtype == "f32" else None
            x = x.of(
                f"{x.atom}.{cast_}()" if cast_ else f"{x.atom}.to({torch_dtype(result.dtype)})"
            )
        x = _wide(x, result.dtype)
        sides.append(x)
    text, binding = _product(op, sides[0], sides[1])
    text, binding = _narrow(text, binding, result.dtype)
    return Expr(text, result.shape, binding)


def _product(op: Op, a: Expr, b: Expr) -> tuple[str, int]:
    plain = matmul(op, a, b, "transpose") if is_float(op.results[0].type.dtype) else None
    if plain is not None:
        return plain, PRODUCT
    return f'torch.einsum("{equation(op)}", {a.text}, {b.text})', ATOM


def _reduce(op: Op, operands: Sequence[Expr], body: Body) -> Expr:
    type_, result = op.operands[0].type, op.results[0].type
    axes, kind = ints(op, "axes"), str(op.attributes["kind"])
    x = exactly(operands[0], type_, body)
    if not axes:
        return x
    rank = len(type_.shape)
    kept = body.is_kept(op.results[0])
    shape = result.shape
    if kept:
        shape = tuple(1 if a in axes else size for a, size in enumerate(type_.shape))
    if kind in ("max", "min") and any(type_.shape[axis] == 0 for axis in axes):
        lowest = literal_text(-math.inf if kind == "max" else math.inf, type_.dtype)
        return exactly(Expr(lowest, literal=True), result, body)
    # Counted from the end, so that it reads the same for any number of leading axes.
    dims = [axis - rank for axis in axes]
    if len(dims) == rank and rank > 1 and not kept and kind in ("sum", "any", "all", "max", "min"):
        given = ""
    elif len(dims) == 1:
        given = str(dims[0])
    else:
        given = f"({', '.join(map(str, dims))})"
    keep = "keepdim=True" if kept else ""
    dtype = ""
    if kind in ("sum", "prod") and not is_float(type_.dtype):
        x = _wide(x, type_.dtype)
        dtype = f"dtype={WIDE.get(type_.dtype, torch_dtype(type_.dtype))}"
    if type_.dtype in WIDE and kind in ("max", "min"):
        x = _wide(x, type_.dtype)
        if type_.dtype == "u64":
            x = x.of(f"_u64_order({x.text})")
    if kind == "prod":
        text = x.atom + "".join(
            f".prod({', '.join(p for p in (str(axis), keep, dtype) if p)})"
            for axis in sorted(axes, reverse=True)
        )
    else:
        name = {"max": "amax", "min": "amin"}.get(kind, kind)
        text = f"{x.atom}.{name}({', '.join(p for p in (given, keep, dtype) if p)})"
    if type_.dtype == "u64" and kind in ("max", "min"):
        text = f"_u64_order({text})"
    text, _ = _narrow(text, ATOM, type_.dtype)
    return x.of(text, ATOM, shape)


EXPRESSIONS: "dict[str, Build]" = {
    **dict.fromkeys(("neg", "not", *_FLOAT_METHODS), _unary),
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
