"""Indexing and slicing outside index notation [EXP-9..EXP-11], and positions of arrays [BLK-3]."""

from dataclasses import dataclass

from linnet.checker import _problems as problems
from linnet.checker._claims import InRange
from linnet.checker._context import Context
from linnet.checker._convert import as_value, settle
from linnet.checker._dims import (
    ONE,
    ZERO,
    Dim,
    as_constant,
    constant,
    dim_max,
    dim_min,
    show_dim,
)
from linnet.checker._origins import axis_name, name_of
from linnet.checker._program import ElementOf, Expr, Reshape, Slice, Take
from linnet.checker._types import (
    ErrorType,
    InstanceArrayType,
    Pack,
    Shape,
    TensorType,
    belongs,
    is_scalar,
    show_shape,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Value, invalid, is_invalid
from linnet.source import Span
from linnet.syntax import EllipsisPart, Index, IndexPart, Kind, SlicePart, Spread


@dataclass(slots=True)
class _Axis:
    """What happens to one element of the shape."""

    extent: Dim | Pack
    start: Dim = ZERO
    step: int = 1
    static: bool = False
    runtime: Expr | None = None


def infer_index(ctx: Context, syntax: Index) -> Value:
    """The value of `base[parts]` in ordinary code."""
    base = ctx.infer(syntax.base)
    if is_invalid(base):
        return invalid(syntax.span)
    if isinstance(base, Contextual):
        ctx.report(problems.not_indexable(syntax.base.span, "a literal"))
        return invalid(syntax.span)
    match base.type:
        case InstanceArrayType():
            return _array_element(ctx, syntax, base, base.type)
        case TensorType(shape, _) if shape:
            return _tensor(ctx, syntax, base, base.type)
        case other:
            ctx.report(problems.not_indexable(syntax.base.span, f"`{show_type(other)}`"))
            return invalid(syntax.span)


def _array_element(ctx: Context, syntax: Index, base: Expr, type_: InstanceArrayType) -> Value:
    part = syntax.parts[0]
    if len(syntax.parts) != 1:
        ctx.report(
            problems.too_many_parts(
                syntax.parts[1].span, len(syntax.parts), syntax.base.span.text, 1
            )
        )
        return invalid(syntax.span)
    if isinstance(part, SlicePart | EllipsisPart | Spread):
        ctx.report(problems.array_position(part.span))
        return invalid(syntax.span)
    position = ctx.dimension(part)
    if position is None:
        return invalid(syntax.span)
    what = f"`{syntax.base.span.text}`"
    record = InRange(part.span, show_dim(position), show_dim(type_.length), what)
    at, size = as_constant(position), as_constant(type_.length)
    if at is not None and (at < 0 or (size is not None and at >= size)):
        ctx.require_inside(position, type_.length, part.span, what)
        return invalid(syntax.span)
    return ElementOf(type_.element, syntax.span, base, position, record)


def _tensor(ctx: Context, syntax: Index, base: Expr, type_: TensorType) -> Value:
    placed = _place(ctx, syntax, type_.shape)
    if placed is None:
        return invalid(syntax.span)
    axes: list[_Axis] = []
    complete = True
    for at, (element, part) in enumerate(zip(type_.shape, placed, strict=True)):
        of = f"{axis_name(type_.shape, at)} of {name_of(syntax.base.span.text)}"
        axis = _axis(ctx, element, part, of)
        complete = complete and axis is not None
        axes.append(axis or _Axis(element))
    if not complete:
        return invalid(syntax.span)
    return _build(syntax.span, base, type_, axes)


def _place(ctx: Context, syntax: Index, shape: Shape) -> list[IndexPart | None] | None:
    """The part that addresses each element of the shape; None is a whole axis."""
    parts = syntax.parts
    dots = [at for at, part in enumerate(parts) if isinstance(part, EllipsisPart)]
    if len(dots) > 1:
        ctx.report(problems.two_ellipses(parts[dots[1]].span))
        return None
    front = list(parts[: dots[0]]) if dots else list(parts)
    back = list(parts[dots[0] + 1 :]) if dots else []
    spread = next((part for part in parts if isinstance(part, Spread)), None)
    if spread is not None:
        ctx.report(problems.spread_outside_notation(spread.span))
        return None
    touched = [
        *zip(shape, front, strict=False),
        *zip(reversed(shape), reversed(back), strict=False),
    ]
    for element, part in touched:
        if isinstance(element, Pack):
            ctx.report(problems.index_in_pack(part.span, element.name, show_shape(shape)))
            return None
    rank = len(shape)
    if len(front) + len(back) > rank:
        ctx.report(
            problems.too_many_parts(
                # Around a `...` nobody can say which part is the one too many.
                syntax.span if dots else parts[rank].span,
                len(front) + len(back),
                syntax.base.span.text,
                rank,
            )
        )
        return None
    middle: list[IndexPart | None] = [None] * (rank - len(front) - len(back))
    return [*front, *middle, *back]


def _axis(ctx: Context, element: Dim | Pack, part: IndexPart | None, of: str) -> _Axis | None:
    if part is None:
        return _Axis(element)
    assert not isinstance(element, Pack)
    assert not isinstance(part, EllipsisPart)
    if isinstance(part, Spread):
        ctx.report(problems.spread_outside_notation(part.span))
        return None
    if isinstance(part, SlicePart):
        return _slice(ctx, element, part)
    value = as_value(ctx, ctx.infer(part))
    if is_invalid(value):
        return None
    if isinstance(value, Ci):
        if not ctx.require_inside(value.dim, element, part.span, of):
            return None
        return _Axis(ONE, value.dim, static=True)
    node = settle(ctx, value)
    if isinstance(node.type, ErrorType):
        return None
    if (
        not isinstance(node.type, TensorType)
        or not is_scalar(node.type)
        or not belongs(node.type.dtype, Kind.INTEGER)
    ):
        ctx.report(problems.index_not_integer(part.span, show_type(node.type)))
        return None
    return _Axis(element, runtime=node)


def _slice(ctx: Context, size: Dim, part: SlicePart) -> _Axis | None:
    """A slice of one axis and its extent [EXP-10]."""
    step = 1
    if part.step is not None:
        value = ctx.infer(part.step)
        if is_invalid(value):
            return None
        number = as_constant(value.dim) if isinstance(value, Ci) else None
        if number is None or number <= 0:
            ctx.report(problems.bad_step(part.step.span, part.step.span.text))
            return None
        step = number
    start, stop = ZERO, size
    for bound, is_start in ((part.start, True), (part.stop, False)):
        if bound is None:
            continue
        dim = ctx.dimension(bound)
        if dim is None or not ctx.require_bound(dim, bound.span):
            return None
        if is_start:
            start = dim
        else:
            stop = dim
    return _Axis(extent(ctx, size, start, stop, step), start, step)


def extent(ctx: Context, size: Dim, start: Dim, stop: Dim, step: int) -> Dim:
    """`max(0, (min(stop, size) - start + step - 1) / step)`, with what the facts decide."""
    if stop != size:
        if ctx.at_most(stop, size):
            pass
        elif ctx.at_most(size, stop):
            stop = size
        else:
            stop = dim_min(stop, size)
    length = stop - start
    if length == ZERO or (start != ZERO and not ctx.at_most(start, stop)):
        if ctx.at_most(stop, start):
            return ZERO
        length = dim_max(ZERO, length)
    if step == 1:
        return length
    return ctx.simplify((length + constant(step - 1)) // constant(step))


def _build(span: Span, base: Expr, type_: TensorType, axes: list[_Axis]) -> Value:
    node = base
    sliced = tuple(axis.extent for axis in axes)
    if sliced != type_.shape or any(axis.step != 1 or axis.start != ZERO for axis in axes):
        node = Slice(
            TensorType(sliced, type_.dtype), span, node,
            tuple(axis.start for axis in axes), tuple(axis.step for axis in axes),
        )  # fmt: skip
    kept = [axis for axis in axes if not axis.static]
    if len(kept) != len(axes):
        shape = tuple(axis.extent for axis in kept)
        node = Reshape(TensorType(shape, type_.dtype), span, node, None)
    for position in reversed(range(len(kept))):
        index = kept[position].runtime
        if index is not None:
            del kept[position]
            shape = tuple(axis.extent for axis in kept)
            node = Take(TensorType(shape, type_.dtype), span, node, index, position)
    return node
