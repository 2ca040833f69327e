"""Index notation: comprehensions, accesses and reductions (spec section 7)."""

from linnet.checker import _problems as problems
from linnet.checker._claims import ExtentsAgree
from linnet.checker._context import Context, ElementScope
from linnet.checker._convert import Site, as_value, coerce, settle, value_of
from linnet.checker._dims import Dim, Outcome, ask, compare
from linnet.checker._origins import axis_name, name_of, origins_of
from linnet.checker._program import (
    Access,
    Comprehension,
    DimValue,
    Expr,
    IndexVar,
    Reduce,
)
from linnet.checker._resolve import resolve_dtype_name
from linnet.checker._types import (
    BOOL,
    I64,
    ErrorType,
    Pack,
    Shape,
    TensorType,
    belongs,
    is_scalar,
    kind_word,
    scalar,
    show_element,
    show_shape,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Value, invalid, is_invalid
from linnet.source import Span
from linnet.syntax import (
    EllipsisPart,
    Index,
    IndexPart,
    Kind,
    LetIndexed,
    Name,
    Reduction,
    SlicePart,
    Spread,
)


def infer_comprehension(ctx: Context, syntax: LetIndexed) -> Expr:
    """The tensor that `let y[i, j] = e` defines [IDX-1]."""
    indices = [IndexVar(out.name.text, out.pack, out.span) for out in syntax.indices]
    complete = _unique(ctx, indices)
    kept, ctx.elements = ctx.elements, ElementScope(list(indices), len(ctx.locals))
    try:
        body = _element(ctx, value_of(ctx, syntax.value), syntax.value.span)
    finally:
        ctx.elements = kept
    if isinstance(body.type, ErrorType) or not complete:
        return invalid(syntax.span)
    assert isinstance(body.type, TensorType)
    shape: list[Dim | Pack] = []
    for index in indices:
        if index.extent is None:
            ctx.report(problems.output_index_unused(index.span, index.name))
            complete = False
        else:
            shape.extend(index.extent)
    if not complete:
        return invalid(syntax.span)
    type_ = TensorType(tuple(shape), body.type.dtype)
    return Comprehension(type_, syntax.span, tuple(indices), body)


def _unique(ctx: Context, indices: list[IndexVar], outer: list[IndexVar] | None = None) -> bool:
    """Whether no index repeats in its list or reuses an enclosing one [IDX-8]."""
    seen: dict[str, IndexVar] = {index.name: index for index in outer or []}
    complete = True
    for index in indices:
        if index.name in seen:
            ctx.report(problems.index_twice(index.span, index.name, seen[index.name].span))
            complete = False
        seen[index.name] = index
    return complete


def _element(ctx: Context, value: Value, span: Span) -> Expr:
    """The scalar node of an element expression; anything else is `E3104`."""
    node = settle(ctx, value)
    if isinstance(node.type, ErrorType):
        return node
    if not is_scalar(node.type):
        what = f"{kind_word(node.type)} `{show_type(node.type)}`"
        ctx.report(problems.not_in_elements(span, what))
        return invalid(span)
    return node


def infer_reduction(ctx: Context, syntax: Reduction) -> Value:
    """A reduction, inside index notation or standing alone in ordinary code [IDX-10]."""
    indices = [IndexVar(name.text, pack=False, span=name.span) for name in syntax.indices]
    outer = ctx.elements
    around = outer.indices if outer is not None else []
    accumulator = None
    complete = _unique(ctx, indices, around)
    if syntax.accumulator is not None:
        accumulator = resolve_dtype_name(ctx, syntax.accumulator)
        complete = complete and accumulator is not None
    depth = len(ctx.locals) if outer is None else outer.depth
    unbound = set[str]() if outer is None else outer.unbound
    ctx.elements = ElementScope([*around, *indices], depth, unbound)
    try:
        value = value_of(ctx, syntax.body)
        if accumulator is not None and isinstance(value, Contextual):
            site = Site("argument", f"the body of `{syntax.op}<{accumulator.name}>`")
            value = coerce(ctx, value, scalar(accumulator), site)
        body = _element(ctx, value, syntax.body.span)
    finally:
        ctx.elements = outer
    if isinstance(body.type, ErrorType) or not complete:
        return invalid(syntax.span)
    assert isinstance(body.type, TensorType)
    dtype = body.type.dtype
    logic = syntax.op in ("any", "all")
    if (logic and dtype != BOOL) or (not logic and not belongs(dtype, Kind.NUMERIC)):
        needs = "`bool`s" if logic else "numbers"
        ctx.report(problems.reduction_type(syntax.body.span, syntax.op, needs, dtype.name))
        return invalid(syntax.span)
    if accumulator is not None and syntax.accumulator is not None:
        if logic:
            ctx.report(
                problems.reduction_accumulator(syntax.accumulator.span, syntax.op, accumulator.name)
            )
            return invalid(syntax.span)
        if accumulator != dtype:
            ctx.report(
                problems.accumulator_converts(
                    syntax.body.span, syntax.op, accumulator.name, dtype.name,
                    syntax.accumulator.span,
                )
            )  # fmt: skip
            return invalid(syntax.span)
    for index in indices:
        if index.extent is None:
            ctx.report(problems.reduction_index_unused(index.span, index.name, syntax.op))
            complete = False
    if not complete:
        return invalid(syntax.span)
    node = Reduce(body.type, syntax.span, syntax.op, tuple(indices), body)
    return node if outer is not None else Comprehension(body.type, syntax.span, (), node)


# Accesses ---------------------------------------------------------------------------------


def infer_access(ctx: Context, syntax: Index) -> Value:
    """An element of a tensor inside index notation [IDX-3, IDX-4]."""
    assert ctx.elements is not None
    base = _base(ctx, syntax)
    if is_invalid(base):
        # The parts still bind indices, so that those are not reported as unused.
        _mark_parts(ctx, syntax.parts)
        return invalid(syntax.span)
    assert not isinstance(base, Contextual)
    assert isinstance(base.type, TensorType)
    covered = _cover(ctx, syntax, base.type.shape)
    if covered is None:
        _mark_parts(ctx, syntax.parts)
        return invalid(syntax.span)
    parts: list[IndexVar | Expr] = []
    complete = True
    at = 0
    for part, shape in covered:
        of = f"{axis_name(base.type.shape, at)} of {name_of(syntax.base.span.text)}"
        at += len(shape)
        made = _part(ctx, part, shape, base, of)
        complete = complete and made is not None
        if made is not None:
            parts.append(made)
    if not complete:
        return invalid(syntax.span)
    return Access(scalar(base.type.dtype), syntax.span, base, tuple(parts))


def _base(ctx: Context, syntax: Index) -> Value:
    base = syntax.base
    assert ctx.elements is not None
    if isinstance(base, Name) and ctx.lookup(base.text) is None and ctx.elements.find(base.text):
        ctx.report(problems.index_as_value(base.span, base.text))
        return invalid(base.span)
    value = as_value(ctx, ctx.outside_elements(base))
    if is_invalid(value):
        return value
    if isinstance(value, Contextual):
        ctx.report(problems.not_indexable(base.span, "a literal"))
        return invalid(base.span)
    if not isinstance(value.type, TensorType) or is_scalar(value.type):
        ctx.report(problems.not_indexable(base.span, f"`{show_type(value.type)}`"))
        return invalid(base.span)
    return value


def _mark_parts(ctx: Context, parts: tuple[IndexPart, ...]) -> None:
    assert ctx.elements is not None
    for part in parts:
        name = part.name.text if isinstance(part, Spread) else None
        name = part.text if isinstance(part, Name) else name
        index = ctx.elements.find(name) if name is not None else None
        if index is not None and index.extent is None:
            index.extent = ()


def _cover(ctx: Context, syntax: Index, shape: Shape) -> list[tuple[IndexPart, Shape]] | None:
    """Each part with the shape elements that it covers [IDX-9]."""
    parts = syntax.parts
    for part in parts:
        if isinstance(part, SlicePart | EllipsisPart):
            what = "a slice" if isinstance(part, SlicePart) else "`...`"
            ctx.report(problems.not_in_elements(part.span, what))
            return None
    spreads = [at for at, part in enumerate(parts) if isinstance(part, Spread)]
    if len(spreads) > 1:
        ctx.report(problems.two_pack_indices(parts[spreads[1]].span))
        return None
    plain = len(parts) - len(spreads)
    has_pack = any(isinstance(element, Pack) for element in shape)
    short = plain < len(shape) if not spreads else False
    long = plain > len(shape) if spreads or not has_pack else False
    if short or long:
        ctx.report(
            problems.parts_do_not_cover(
                syntax.span if short or spreads else parts[len(shape)].span,
                len(parts),
                syntax.base.span.text,
                show_shape(shape),
                "leaves axes out" if short else "one part too many",
            )
        )
        return None
    if not spreads:
        out: list[tuple[IndexPart, Shape]] = [
            (part, (element,)) for part, element in zip(parts, shape, strict=False)
        ]
    else:
        at = spreads[0]
        after = len(parts) - at - 1
        end = len(shape) - after
        out = [(part, (element,)) for part, element in zip(parts[:at], shape[:at], strict=True)]
        out.append((parts[at], shape[at:end]))
        out += [
            (part, (element,)) for part, element in zip(parts[at + 1 :], shape[end:], strict=True)
        ]
    for part, elements in out:
        if not isinstance(part, Spread) and isinstance(elements[0], Pack):
            ctx.report(problems.plain_index_on_pack(part.span, part.span.text, elements[0].name))
            return None
    return out


def _part(
    ctx: Context, part: IndexPart, shape: Shape, base: Expr, of: str
) -> IndexVar | Expr | None:
    assert ctx.elements is not None
    assert not isinstance(part, SlicePart | EllipsisPart)
    if isinstance(part, Spread):
        index = ctx.elements.find(part.name.text)
        if index is None:
            _unbound(ctx, part.span, f"*{part.name.text}", pack=True)
            return None
        if not index.pack:
            ctx.report(problems.pack_under_plain_name(part.span, part.name.text, index.span))
            return None
        return index if _bind(ctx, index, shape, part.span, base, of) else None
    if isinstance(part, Name):
        index = ctx.elements.find(part.text)
        if index is not None:
            if index.pack:
                ctx.report(problems.plain_name_of_pack(part.span, part.text, index.span))
                return None
            return index if _bind(ctx, index, shape, part.span, base, of) else None
        if ctx.lookup(part.text) is None:
            _unbound(ctx, part.span, part.text, pack=False)
            return None
    return _computed(ctx, part, shape, of)


def _unbound(ctx: Context, span: Span, name: str, *, pack: bool) -> None:
    """Report an index that nothing binds, once in the notation around it."""
    assert ctx.elements is not None
    if name not in ctx.elements.unbound:
        ctx.elements.unbound.add(name)
        known = ["*" * index.pack + index.name for index in reversed(ctx.elements.indices)]
        ctx.report(problems.unbound_index(span, name, known, pack=pack))


def _computed(ctx: Context, part: IndexPart, shape: Shape, of: str) -> Expr | None:
    assert not isinstance(part, SlicePart | EllipsisPart | Spread)
    value = as_value(ctx, ctx.infer(part))
    if is_invalid(value):
        return None
    size = shape[0]
    assert not isinstance(size, Pack)
    if isinstance(value, Ci):
        if not ctx.require_inside(value.dim, size, part.span, of):
            return None
        return DimValue(scalar(I64), part.span, value.dim)
    node = _element(ctx, value, part.span)
    if isinstance(node.type, ErrorType):
        return None
    if not isinstance(node.type, TensorType) or not belongs(node.type.dtype, Kind.INTEGER):
        ctx.report(problems.index_not_integer(part.span, show_type(node.type)))
        return None
    return node


def _bind(ctx: Context, index: IndexVar, shape: Shape, span: Span, base: Expr, of: str) -> bool:
    """A direct use of an index: gives its extent, or must agree with it [IDX-7]."""
    if index.extent is None or index.extent_span is None:
        index.extent, index.extent_span, index.extent_of = shape, span, (base, of)
        return True
    if index.extent == shape:
        return True
    first_base, first_of = index.extent_of or (base, of)
    record = ExtentsAgree(
        span, index.name, _show(shape), of, index.extent_span, _show(index.extent), first_of,
        origins_of(ctx, (first_base, base)),
    )  # fmt: skip
    if len(index.extent) != len(shape):
        ctx.refuse(record, Outcome("the ranks agree", "refuted"))
        return False
    for first, other in zip(index.extent, shape, strict=True):
        if first == other:
            continue
        if isinstance(first, Pack) or isinstance(other, Pack):
            text = f"{show_element(first)} == {show_element(other)}"
            ctx.refuse(record, Outcome(text, "unknown"))
            return False
        if not ctx.equal(first, other):
            ctx.refuse(record, ask(ctx.facts, compare("==", first, other)))
            return False
    return True


def _show(shape: Shape) -> str:
    return show_element(shape[0]) if len(shape) == 1 else show_shape(shape)
