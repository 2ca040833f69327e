"""The prelude functions that name axes: permute, concat, cumsum [PRE-9, PRE-10, LAT-12]."""

from linnet.checker import _problems as problems
from linnet.checker._arguments import arrange
from linnet.checker._claims import JoinAgrees
from linnet.checker._context import Context
from linnet.checker._dims import Outcome
from linnet.checker._operands import in_class, same_dtype, shape_argument, tensor_operand
from linnet.checker._origins import origins_of
from linnet.checker._program import (
    Concat,
    Cumsum,
    Transpose,
)
from linnet.checker._types import (
    Pack,
    Shape,
    TensorType,
    show_shape,
)
from linnet.checker._values import Value, invalid
from linnet.source import Span
from linnet.syntax import Call, Kind, ShapeLiteral, Spread
from linnet.syntax import Expr as ExprSyntax


def permute(ctx: Context, name: str, call: Call, args: list[ExprSyntax]) -> Value:
    node = tensor_operand(ctx, args[0], name)
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


def concat(ctx: Context, call: Call) -> Value:
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
    nodes = [tensor_operand(ctx, arg.value, "concat") for arg in tensors]
    if len(tensors) < 2:
        ctx.report(problems.concat_needs_two(call.span, len(tensors)))
        return invalid(call.span)
    if axis_arg is None:
        ctx.report(problems.missing_argument(call.span, "concat", "axis"))
        return invalid(call.span)
    operands = [node for node in nodes if node is not None]
    if len(operands) != len(nodes):
        return invalid(call.span)
    if not same_dtype(ctx, call, "concat", operands):
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


def cumsum(ctx: Context, call: Call) -> Value:
    """[LAT-12]: `axis` is named and required, as in `concat`."""
    positional = [arg for arg in call.args if arg.name is None]
    if len(positional) > 1:
        ctx.report(problems.axis_unnamed(positional[1].span, "cumsum"))
        return invalid(call.span)
    placed = arrange(ctx, "cumsum", ("x", "axis"), frozenset(), call)
    if placed is None:
        return invalid(call.span)
    node = tensor_operand(ctx, placed["x"], "cumsum")
    if node is None or not in_class(ctx, node, Kind.NUMERIC, "cumsum"):
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
