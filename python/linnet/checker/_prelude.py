"""Calls of the prelude functions (spec section 8)."""

from collections.abc import Callable

from linnet.checker import _problems as problems
from linnet.checker._arguments import arrange
from linnet.checker._claims import CountsAgree, JoinAgrees
from linnet.checker._context import Context
from linnet.checker._convert import adopt, adopts, settle, typed, value_of
from linnet.checker._dims import Outcome, as_constant, constant
from linnet.checker._names import UNARY_FUNCTIONS
from linnet.checker._operators import (
    broadcast,
    broadcast_into,
    ci_extreme,
    pending_of,
    share_dtype,
)
from linnet.checker._origins import origin_of, origins_of
from linnet.checker._program import (
    Binary,
    BinaryName,
    Cast,
    Concat,
    Cumsum,
    Expr,
    Iota,
    Reshape,
    Select,
    Splat,
    Transpose,
    Unary,
)
from linnet.checker._resolve import dtype_arg, resolve_shape
from linnet.checker._types import (
    BOOL,
    I64,
    Dtype,
    ErrorType,
    Pack,
    Shape,
    TensorType,
    belongs,
    is_scalar,
    scalar,
    show_shape,
    show_sizes,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Pending, Value, invalid, is_invalid
from linnet.source import Span
from linnet.syntax import Call, Kind, ShapeLiteral, Spread
from linnet.syntax import Expr as ExprSyntax

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "cast": ("x",),
    **dict.fromkeys(UNARY_FUNCTIONS, ("x",)),
    "min": ("a", "b"),
    "max": ("a", "b"),
    "shl": ("x", "bits"),
    "shr": ("x", "bits"),
    "select": ("c", "a", "b"),
    "reshape": ("x", "shape"),
    "broadcast_to": ("x", "shape"),
    "permute": ("x", "axes"),
    "iota": ("n",),
    "fill": ("shape", "value"),
}
_BINARY: dict[str, BinaryName] = {"min": "min", "max": "max", "shl": "shl", "shr": "shr"}
_ELEMENTWISE = UNARY_FUNCTIONS | {"cast", "min", "max", "shl", "shr", "select"}


def infer_prelude(ctx: Context, name: str, call: Call) -> Value:
    """The value of a call of a prelude function."""
    if name in ("pad", "gather", "scatter"):
        ctx.report(problems.not_implemented(call.span, f"`{name}`", problems.instead_of(name)))
        return invalid(call.span)
    if ctx.elements is not None and name not in _ELEMENTWISE:
        ctx.report(problems.not_in_elements(call.span, f"`{name}(…)`"))
        return invalid(call.span)
    if len(call.generics) > (1 if name in ("cast", "iota", "fill") else 0):
        allowed = 1 if name in ("cast", "iota", "fill") else 0
        ctx.report(problems.too_many_generics(call.span, name, allowed, len(call.generics)))
        return invalid(call.span)
    if name == "concat":
        return _concat(ctx, call)
    if name == "cumsum":
        return _cumsum(ctx, call)
    names = _PARAMETERS[name]
    placed = arrange(ctx, name, names, frozenset(), call)
    if placed is None:
        return invalid(call.span)
    args = [placed[parameter] for parameter in names]
    return _FUNCTIONS[name](ctx, name, call, args)


_Handler = Callable[[Context, str, Call, list[ExprSyntax]], Value]


def _tensor(ctx: Context, expr: ExprSyntax, name: str) -> Expr | None:
    """A typed tensor or scalar operand; another kind of value is `E2101`."""
    node = typed(ctx, expr)
    if isinstance(node.type, ErrorType):
        return None
    if not isinstance(node.type, TensorType):
        ctx.report(
            problems.type_mismatch(
                "E2101", expr.span, f"the argument of `{name}`", "a scalar or tensor",
                f"`{show_type(node.type)}`",
            )
        )  # fmt: skip
        return None
    return node


def _in_class(ctx: Context, node: Expr, kind: Kind, name: str) -> bool:
    assert isinstance(node.type, TensorType)
    if belongs(node.type.dtype, kind):
        return True
    ctx.report(problems.outside_class(node.span, f"`{name}`", kind, node.type.dtype.name))
    return False


def _cast(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    if not call.generics:
        ctx.report(problems.cast_without_dtype(call.callee.span))
        return invalid(call.span)
    dtype = dtype_arg(ctx, call.generics[0], "T", name)
    node = _tensor(ctx, args[0], name)
    if dtype is None or node is None:
        return invalid(call.span)
    assert isinstance(node.type, TensorType)
    return Cast(TensorType(node.type.shape, dtype), call.span, node)


def _unary(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = _tensor(ctx, args[0], name)
    if node is None:
        return invalid(call.span)
    kind = Kind.NUMERIC if name == "abs" else Kind.FLOAT
    if not _in_class(ctx, node, kind, name):
        return invalid(call.span)
    return Unary(node.type, call.span, name, node)  # type: ignore[arg-type]


def _two(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    values = [value_of(ctx, arg) for arg in args]
    if any(is_invalid(value) for value in values):
        return invalid(call.span)
    left, right = values
    shift = name in ("shl", "shr")
    if isinstance(left, Ci | Pending) and isinstance(right, Ci | Pending):
        return _two_contextual(ctx, name, call.span, left, right)
    nodes = share_dtype(ctx, values)
    for node, arg in zip(nodes, args, strict=True):
        if isinstance(node.type, ErrorType):
            return invalid(call.span)
        if not isinstance(node.type, TensorType):
            ctx.report(
                problems.type_mismatch(
                    "E2101", arg.span, f"the argument of `{name}`", "a scalar or tensor",
                    f"`{show_type(node.type)}`",
                )
            )  # fmt: skip
            return invalid(call.span)
        if not _in_class(ctx, node, Kind.INTEGER if shift else Kind.NUMERIC, name):
            return invalid(call.span)
    if not _same_dtype(ctx, call, name, nodes):
        return invalid(call.span)
    stretched = broadcast(ctx, nodes, call.callee.span, f"`{name}`")
    if stretched is None:
        return invalid(call.span)
    shape, operands = stretched
    assert isinstance(nodes[0].type, TensorType)
    type_ = TensorType(shape, nodes[0].type.dtype)
    return Binary(type_, call.span, _BINARY[name], operands[0], operands[1])


def _two_contextual(
    ctx: Context, name: str, span: Span, left: Ci | Pending, right: Ci | Pending
) -> Value:
    op = _BINARY[name]
    floating = any(isinstance(side, Pending) and side.floating for side in (left, right))
    if name in ("shl", "shr"):
        if floating:
            ctx.report(problems.outside_class(span, f"`{name}`", Kind.INTEGER, "f64"))
            return invalid(span)
        if isinstance(left, Ci) and isinstance(right, Ci):
            a, b = as_constant(left.dim), as_constant(right.dim)
            if a is not None and b is not None and 0 <= b < 64:
                return Ci(constant(a << b if name == "shl" else a >> b), span)
    elif isinstance(left, Ci) and isinstance(right, Ci):
        return Ci(ci_extreme(name, left.dim, right.dim), span)
    numbers = [
        as_constant(side.dim) if isinstance(side, Ci) else side.value for side in (left, right)
    ]
    number = None
    if floating and numbers[0] is not None and numbers[1] is not None:
        number = (min if name == "min" else max)(float(numbers[0]), float(numbers[1]))

    def build(dtype: Dtype) -> Expr:
        return Binary(scalar(dtype), span, op, adopt(ctx, left, dtype), adopt(ctx, right, dtype))

    return pending_of(floating, number, span, build)


def _same_dtype(ctx: Context, call: Call, name: str, nodes: list[Expr]) -> bool:
    first = nodes[0].type
    for node in nodes[1:]:
        assert isinstance(first, TensorType)
        assert isinstance(node.type, TensorType)
        if node.type.dtype != first.dtype:
            ctx.report(
                problems.dtypes_differ(
                    call.callee.span, f"`{name}`", nodes[0].span, first.dtype.name, node.span,
                    node.type.dtype.name,
                )
            )  # fmt: skip
            return False
    return True


def _select(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    condition = typed(ctx, args[0])
    values = [value_of(ctx, arg) for arg in args[1:]]
    if isinstance(condition.type, ErrorType) or any(is_invalid(value) for value in values):
        return invalid(call.span)
    if not isinstance(condition.type, TensorType) or condition.type.dtype != BOOL:
        ctx.report(problems.condition_not_bool(args[0].span, "`select`", show_type(condition.type)))
        return invalid(call.span)
    left, right = values
    if (
        isinstance(left, Ci | Pending)
        and isinstance(right, Ci | Pending)
        and is_scalar(condition.type)
    ):
        floating = any(isinstance(side, Pending) and side.floating for side in (left, right))
        return Pending(
            floating, None,
            lambda dtype: Select(
                scalar(dtype), call.span, condition, adopt(ctx, left, dtype),
                adopt(ctx, right, dtype),
            ),
            call.span,
        )  # fmt: skip
    nodes = share_dtype(ctx, values)
    for node, arg in zip(nodes, args[1:], strict=True):
        if isinstance(node.type, ErrorType):
            return invalid(call.span)
        if not isinstance(node.type, TensorType):
            ctx.report(
                problems.type_mismatch(
                    "E2101", arg.span, "the argument of `select`", "a scalar or tensor",
                    f"`{show_type(node.type)}`",
                )
            )  # fmt: skip
            return invalid(call.span)
    if not _same_dtype(ctx, call, name, nodes):
        return invalid(call.span)
    stretched = broadcast(ctx, [condition, *nodes], call.callee.span, "`select`")
    if stretched is None:
        return invalid(call.span)
    shape, operands = stretched
    assert isinstance(nodes[0].type, TensorType)
    return Select(TensorType(shape, nodes[0].type.dtype), call.span, *operands)


def shape_argument(ctx: Context, expr: ExprSyntax, name: str) -> Shape | None:
    """A shape literal as an argument [EXP-12]; anything else is `E2101`."""
    if isinstance(expr, ShapeLiteral):
        return resolve_shape(ctx, expr.elements)
    value = ctx.infer(expr)
    if not is_invalid(value):
        ctx.report(problems.shape_needed(expr.span, name))
    return None


def _reshape(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = _tensor(ctx, args[0], name)
    shape = shape_argument(ctx, args[1], name)
    if node is None or shape is None:
        return invalid(call.span)
    assert isinstance(node.type, TensorType)
    record = CountsAgree(
        args[1].span, args[0].span, show_sizes(node.type.shape), show_sizes(shape),
        origin_of(ctx, node),
    )  # fmt: skip
    return Reshape(TensorType(shape, node.type.dtype), call.span, node, record)


def _broadcast_to(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = _tensor(ctx, args[0], name)
    shape = shape_argument(ctx, args[1], name)
    if node is None or shape is None:
        return invalid(call.span)
    axes = _written_axes(args[1])
    made = broadcast_into(ctx, node, shape, args[1].span, "`broadcast_to`", axes)
    return made or invalid(call.span)


def _written_axes(target: ExprSyntax) -> list[Span]:
    """Where the axes of a target are written, from the right up to a pack."""
    elements = target.elements if isinstance(target, ShapeLiteral) else ()
    out: list[Span] = []
    for element in reversed(elements):
        if isinstance(element, Spread):
            break
        out.append(element.span)
    return out


def _permute(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = _tensor(ctx, args[0], name)
    axes = args[1]
    if not isinstance(axes, ShapeLiteral):
        shape_argument(ctx, axes, name)
        return invalid(call.span)
    order = [
        None if isinstance(element, Spread) else ctx.whole_constant(element)
        for element in axes.elements
    ]
    if node is None:
        return invalid(call.span)
    assert isinstance(node.type, TensorType)
    shape = node.type.shape
    if any(isinstance(element, Pack) for element in shape):
        ctx.report(problems.permute_pack(args[0].span, show_shape(shape)))
        return invalid(call.span)
    known = _permutation(ctx, axes, order, shape)
    if known is None:
        return invalid(call.span)
    result = TensorType(tuple(shape[axis] for axis in known), node.type.dtype)
    return Transpose(result, call.span, node, tuple(known))


def _permutation(
    ctx: Context, axes: ShapeLiteral, order: list[int | None], shape: Shape
) -> list[int] | None:
    """The axis numbers of a permutation; the first that makes it none is reported."""
    rank = len(shape)
    seen: dict[int, Span] = {}
    for element, axis in zip(axes.elements, order, strict=True):
        first = None
        if axis is None:
            what = "is no constant"
        elif axis < 0:
            what = "is negative; axes count from 0"
        elif axis >= rank:
            what = f"is no axis of rank {rank}"
        elif axis in seen:
            what, first = f"axis {axis} again", seen[axis]
        else:
            seen[axis] = element.span
            continue
        ctx.report(
            problems.bad_permutation(
                element.span, axes.span.text, show_shape(shape), rank, what, first
            )
        )
        return None
    if len(order) != rank:
        missing = next(axis for axis in range(rank) if axis not in seen)
        ctx.report(
            problems.bad_permutation(
                axes.span, axes.span.text, show_shape(shape), rank, f"axis {missing} is missing"
            )
        )
        return None
    return [axis for axis in order if axis is not None]


def _iota(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    dtype: Dtype | None = I64
    if call.generics:
        dtype = dtype_arg(ctx, call.generics[0], "T", name)
        if dtype is not None and not belongs(dtype, Kind.NUMERIC):
            ctx.report(
                problems.outside_class(call.generics[0].span, "`iota`", Kind.NUMERIC, dtype.name)
            )
            dtype = None
    size = ctx.dimension(args[0])
    if size is None or dtype is None or not ctx.accept_dim(size, args[0].span):
        return invalid(call.span)
    return Iota(TensorType((size,), dtype), call.span)


def _fill(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    shape = shape_argument(ctx, args[0], name)
    value = value_of(ctx, args[1])
    dtype: Dtype | None = None
    if call.generics:
        dtype = dtype_arg(ctx, call.generics[0], "T", name)
        if dtype is None:
            return invalid(call.span)
    if shape is None or is_invalid(value):
        return invalid(call.span)
    if isinstance(value, Contextual):
        if dtype is None:
            ctx.report(problems.fill_without_dtype(call.callee.span, args[1].span))
            return invalid(call.span)
        scalar_value = isinstance(value, Ci | Pending) and adopts(value, dtype)
        node = adopt(ctx, value, dtype) if scalar_value else settle(ctx, value)  # type: ignore[arg-type]
    else:
        node = value
    if isinstance(node.type, ErrorType):
        return invalid(call.span)
    if not isinstance(node.type, TensorType) or node.type.shape:
        ctx.report(
            problems.type_mismatch(
                "E2101", args[1].span, "the value of `fill`", "a scalar",
                f"`{show_type(node.type)}`",
            )
        )  # fmt: skip
        return invalid(call.span)
    if dtype is not None and node.type.dtype != dtype:
        ctx.report(
            problems.type_mismatch(
                "E2103", args[1].span, "the value of `fill`", f"dtype `{dtype.name}`",
                f"dtype `{node.type.dtype.name}`",
            )
        )  # fmt: skip
        return invalid(call.span)
    return Splat(TensorType(shape, node.type.dtype), call.span, node) if shape else node


def _concat(ctx: Context, call: Call) -> Value:
    tensors = [arg for arg in call.args if arg.name is None]
    axis_arg = None
    seen_named = False
    for arg in call.args:
        if arg.name is None:
            if seen_named:
                ctx.report(problems.positional_after_named(arg.span))
                return invalid(call.span)
            continue
        seen_named = True
        if arg.name.text != "axis":
            ctx.report(problems.unknown_argument(arg.name, "concat", ["axis"]))
            return invalid(call.span)
        if axis_arg is not None:
            ctx.report(problems.repeated_argument(arg.name, "concat"))
            return invalid(call.span)
        axis_arg = arg
    nodes = [_tensor(ctx, arg.value, "concat") for arg in tensors]
    if len(tensors) < 2:
        ctx.report(problems.concat_needs_two(call.span, len(tensors)))
        return invalid(call.span)
    if axis_arg is None:
        ctx.report(problems.missing_argument(call.span, "concat", "axis"))
        return invalid(call.span)
    operands = [node for node in nodes if node is not None]
    if len(operands) != len(nodes):
        return invalid(call.span)
    if not _same_dtype(ctx, call, "concat", operands):
        return invalid(call.span)
    shapes = [node.type.shape for node in operands if isinstance(node.type, TensorType)]
    first = shapes[0]
    number = ctx.whole_constant(axis_arg.value)
    position = None if number is None else _axis(number, first)
    if position is None:
        place = axis_arg.value.span
        ctx.report(
            problems.bad_axis(
                place, "concat", place.text, show_shape(first), *_no_axis(number, first)
            )
        )
        return invalid(call.span)
    assert number is not None
    total = first[position]
    record = JoinAgrees(
        call.callee.span, tuple(map(show_shape, shapes)), tuple(node.span for node in operands),
        position,
        tuple(
            (operand, at)
            for operand, shape in enumerate(shapes)
            for at, element in enumerate(shape)
            if at != position and not isinstance(element, Pack)
        ),
        origins_of(ctx, tuple(operands)),
    )  # fmt: skip
    for shape in shapes[1:]:
        same_rank = len(shape) == len(first) and all(
            isinstance(a, Pack) == isinstance(b, Pack) and (a == b or not isinstance(a, Pack))
            for a, b in zip(shape, first, strict=True)
        )
        if not same_rank:
            ctx.refuse(record, Outcome("the ranks agree", "refuted", index=-1))
            return invalid(call.span)
        joined = shape[position]
        assert not isinstance(joined, Pack)
        assert not isinstance(total, Pack)
        total = total + joined
    assert isinstance(operands[0].type, TensorType)
    result = (*first[:position], total, *first[position + 1 :])
    type_ = TensorType(result, operands[0].type.dtype)
    return Concat(type_, call.span, tuple(operands), position, record)


def _cumsum(ctx: Context, call: Call) -> Value:
    """[LAT-12]: `axis` is named and required, as in `concat`."""
    positional = [arg for arg in call.args if arg.name is None]
    if len(positional) > 1:
        ctx.report(problems.axis_unnamed(positional[1].span, "cumsum"))
        return invalid(call.span)
    placed = arrange(ctx, "cumsum", ("x", "axis"), frozenset(), call)
    if placed is None:
        return invalid(call.span)
    node = _tensor(ctx, placed["x"], "cumsum")
    if node is None or not _in_class(ctx, node, Kind.NUMERIC, "cumsum"):
        return invalid(call.span)
    assert isinstance(node.type, TensorType)
    axis, shape = placed["axis"], node.type.shape
    number = ctx.whole_constant(axis)
    position = None if number is None else _axis(number, shape)
    if position is None:
        ctx.report(
            problems.bad_axis(
                axis.span, "cumsum", axis.span.text, show_shape(shape), *_no_axis(number, shape)
            )
        )
        return invalid(call.span)
    return Cumsum(node.type, call.span, node, position)


def _axis(number: int, shape: Shape) -> int | None:
    """The shape element that an axis number names; None if out of range or past a pack."""
    position = number if number >= 0 else len(shape) + number
    if not 0 <= position < len(shape):
        return None
    counted = shape[: position + 1] if number >= 0 else shape[position:]
    return None if any(isinstance(element, Pack) for element in counted) else position


def _no_axis(number: int | None, shape: Shape) -> tuple[str, str | None]:
    """Why an axis number names no axis of a shape: a label and a note."""
    rank = len(shape)
    if number is None:
        return "is no constant integer", None
    if rank == 0:
        return "a scalar has no axis", None
    packs = [element for element in shape if isinstance(element, Pack)]
    if not packs:
        return f"out of range; it may be {-rank} to {rank - 1}", None
    side = "the front" if number >= 0 else "the back"
    other = "below 0 counts from the back" if number >= 0 else "0 or more counts from the front"
    return f"counts from {side} across the pack `*{packs[0].name}`", f"an axis {other}"


_FUNCTIONS: dict[str, _Handler] = {
    "cast": _cast,
    **dict.fromkeys(UNARY_FUNCTIONS, _unary),
    "min": _two,
    "max": _two,
    "shl": _two,
    "shr": _two,
    "select": _select,
    "reshape": _reshape,
    "broadcast_to": _broadcast_to,
    "permute": _permute,
    "iota": _iota,
    "fill": _fill,
}
