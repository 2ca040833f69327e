"""Where a value got its shape, and which written size each axis of a required type comes from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linnet.checker._claims import Axis, Binding
from linnet.checker._context import Context
from linnet.checker._dims import Dim, show_dim
from linnet.checker._program import Call, CallMethod, Expr, LocalRef, MemberRead
from linnet.checker._types import (
    InstanceType,
    OptionalType,
    Pack,
    Shape,
    TensorType,
    TupleType,
    Type,
    show_element,
    show_shape,
    show_type,
)
from linnet.diagnostics import Label
from linnet.source import Span
from linnet.syntax import OptionalType as OptionalSyntax
from linnet.syntax import Spread
from linnet.syntax import TensorType as TensorSyntax
from linnet.syntax import TupleType as TupleSyntax
from linnet.syntax import Type as TypeSyntax


def origin_of(ctx: Context, node: Expr) -> Label | None:
    """Where the value of a name, a member or a call of the user's got its type."""
    match node:
        case LocalRef(type_, _, local):
            return Label(local.span, f"`{local.name}` has {describe(type_)}")
        case MemberRead(type_, _, base, name):
            if not isinstance(base.type, InstanceType):
                return None
            block = ctx.declared.block_of(base.type.symbol)
            member = ctx.declared.members(block).get(name)
            if member is None:
                return None
            return Label(member.span, f"`{name}` has {describe(type_)}")
        case Call(type_, _, function) | CallMethod(type_, _, _, function):
            result = function.syntax.result
            if result is None or result.span.file is not node.span.file:
                return None
            return Label(result.span, f"`{function.name}` gives {describe(type_)} here")
        case _:
            return None


def origins_of(ctx: Context, nodes: tuple[Expr, ...]) -> tuple[Label, ...]:
    """The origins that are known, each once."""
    found = [origin_of(ctx, node) for node in nodes]
    return tuple(dict.fromkeys(label for label in found if label is not None))


def describe(type_: Type) -> str:
    """`shape [A, B]` of a tensor, else the type."""
    if isinstance(type_, TensorType) and type_.shape:
        return f"shape {show_shape(type_.shape)}"
    return f"type `{show_type(type_)}`"


def name_of(text: str) -> str:
    """A short name for an expression: its text, if that fits a message."""
    return f"`{text}`" if len(text) <= 30 and "\n" not in text else "this value"


def axis_name(shape: Shape, position: int) -> str:
    """`axis 1`; behind a pack it counts from the end, as in `concat`."""
    packed = any(isinstance(element, Pack) for element in shape[:position])
    return f"axis {position - len(shape) if packed else position}"


@dataclass(frozen=True, slots=True)
class Written:
    """A required type as it is declared: unsubstituted, with its text and its bindings."""

    syntax: TypeSyntax | None
    pattern: Type | None = None
    bindings: Mapping[str, Binding] | None = None


def axes_of(found: Type, required: Type, written: Written | None) -> Iterator[Axis]:
    """Every axis that is compared when one type meets another, in the order of the claims."""
    yield from _walk("", found, required, written or Written(None))


def _walk(prefix: str, found: Type, required: Type, written: Written) -> Iterator[Axis]:
    pattern, syntax = written.pattern, written.syntax
    match found, required:
        case OptionalType(inner), OptionalType(other):
            below = Written(
                syntax.inner if isinstance(syntax, OptionalSyntax) else None,
                pattern.inner if isinstance(pattern, OptionalType) else None,
                written.bindings,
            )
            yield from _walk(prefix, inner, other, below)
        case TupleType(elements), TupleType(others):
            for at, (element, other) in enumerate(zip(elements, others, strict=True)):
                below = Written(
                    syntax.elements[at] if isinstance(syntax, TupleSyntax) else None,
                    pattern.elements[at] if isinstance(pattern, TupleType) else None,
                    written.bindings,
                )
                yield from _walk(f"{prefix}element {at}, ", element, other, below)
        case TensorType(), TensorType():
            yield from _tensor(prefix, found, required, written)
        case _:
            pass


def _tensor(
    prefix: str, found: TensorType, required: TensorType, written: Written
) -> Iterator[Axis]:
    pattern = written.pattern.shape if isinstance(written.pattern, TensorType) else ()
    elements = written.syntax.shape if isinstance(written.syntax, TensorSyntax) else ()
    packs = [isinstance(element, Spread) for element in elements]
    declared = [isinstance(element, Pack) for element in pattern]
    rank = len(required.shape)
    for at, (have, need) in enumerate(zip(found.shape, required.shape, strict=True)):
        if isinstance(have, Pack) or isinstance(need, Pack):
            continue
        name = f"{prefix}{axis_name(required.shape, at)}"
        spot = _aligned(packs, rank, at)
        element = None if spot is None else elements[spot]
        spot = _aligned(declared, rank, at)
        size = None if spot is None else pattern[spot]
        bindings: tuple[Binding, ...] = ()
        if isinstance(size, Dim):
            known = written.bindings or {}
            bindings = tuple(known[name] for name in size.symbols() if name in known)
            generic = None if size.name is None else known.get(size.name)
            if generic is not None and generic.name != show_dim(need):
                name = f"{name} (`{generic.name}`)"
        place: Span | None = None if element is None else element.span
        text = None if place is None else place.text
        yield Axis(name, show_dim(need), show_element(have), text, place, bindings)


def _aligned(packs: list[bool], rank: int, at: int) -> int | None:
    """The written element of an axis: counted from the left before a pack, else from the right."""
    first = packs.index(True) if True in packs else len(packs)
    if at < first:
        return at if at < len(packs) else None
    spot = len(packs) - (rank - at)
    last = len(packs) - 1 - packs[::-1].index(True) if True in packs else -1
    return spot if spot >= 0 and spot > last else None
