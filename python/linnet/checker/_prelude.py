"""Calls of the prelude functions (spec section 8)."""

from collections.abc import Callable

from linnet.checker import _problems as problems
from linnet.checker._arguments import arrange
from linnet.checker._axes import concat, cumsum, permute
from linnet.checker._claims import CountsAgree
from linnet.checker._context import Context
from linnet.checker._convert import adopt, adopts, settle, typed, value_of
from linnet.checker._dims import as_constant, constant, is_lost
from linnet.checker._names import UNARY_FUNCTIONS
from linnet.checker._operands import in_class, same_dtype, shape_argument, tensor_operand
from linnet.checker._operators import (
    broadcast,
    broadcast_into,
    ci_extreme,
    pending_of,
    share_dtype,
)
from linnet.checker._origins import origin_of
from linnet.checker._program import (
    Binary,
    BinaryName,
    Cast,
    Expr,
    Iota,
    Reshape,
    Select,
    Splat,
    Unary,
)
from linnet.checker._resolve import dtype_arg
from linnet.checker._types import (
    BOOL,
    I64,
    Dtype,
    ErrorType,
    TensorType,
    belongs,
    is_scalar,
    scalar,
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
        return concat(ctx, call)
    if name == "cumsum":
        return cumsum(ctx, call)
    names = _PARAMETERS[name]
    placed = arrange(ctx, name, names, frozenset(), call)
    if placed is None:
        return invalid(call.span)
    args = [placed[parameter] for parameter in names]
    return _FUNCTIONS[name](ctx, name, call, args)


_Handler = Callable[[Context, str, Call, list[ExprSyntax]], Value]


def _cast(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    if not call.generics:
        ctx.report(problems.cast_without_dtype(call.callee.span))
        return invalid(call.span)
    dtype = dtype_arg(ctx, call.generics[0], "T", name)
    node = tensor_operand(ctx, args[0], name)
    if dtype is None or node is None:
        return invalid(call.span)
    assert isinstance(node.type, TensorType)
    return Cast(TensorType(node.type.shape, dtype), call.span, node)


def _unary(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = tensor_operand(ctx, args[0], name)
    if node is None:
        return invalid(call.span)
    kind = Kind.NUMERIC if name == "abs" else Kind.FLOAT
    if not in_class(ctx, node, kind, name):
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
        if not in_class(ctx, node, Kind.INTEGER if shift else Kind.NUMERIC, name):
            return invalid(call.span)
    if not same_dtype(ctx, call, name, nodes):
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
                shifted = constant(a << b if name == "shl" else a >> b)
                if is_lost(shifted):
                    ctx.report(problems.integer_too_large(span))
                    return invalid(span)
                return Ci(shifted, span)
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
    if not same_dtype(ctx, call, name, nodes):
        return invalid(call.span)
    stretched = broadcast(ctx, [condition, *nodes], call.callee.span, "`select`")
    if stretched is None:
        return invalid(call.span)
    shape, operands = stretched
    assert isinstance(nodes[0].type, TensorType)
    return Select(TensorType(shape, nodes[0].type.dtype), call.span, *operands)


def _reshape(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = tensor_operand(ctx, args[0], name)
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
    node = tensor_operand(ctx, args[0], name)
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
    "permute": permute,
    "iota": _iota,
    "fill": _fill,
}
