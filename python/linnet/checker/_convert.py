"""A value meets a required type: literals adopt dtypes, shapes are ascribed [TYP-8..TYP-15]."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from linnet.checker import _problems as problems
from linnet.checker._claims import ShapesAgree
from linnet.checker._context import Context
from linnet.checker._dims import Constraint, Dim, as_constant, compare
from linnet.checker._origins import Written, axes_of, origin_of
from linnet.checker._program import (
    Ascribe,
    Constant,
    DimValue,
    Expr,
    NoneValue,
    Some,
    Tuple,
)
from linnet.checker._types import (
    F64,
    I64,
    Dtype,
    EnumType,
    ErrorType,
    GenericArg,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    Pack,
    Shape,
    StructType,
    TensorType,
    TupleType,
    Type,
    UnitType,
    belongs,
    is_scalar,
    kind_word,
    scalar,
    show_shape,
    show_sizes,
    show_type,
)
from linnet.checker._values import (
    Ci,
    Contextual,
    Pending,
    PendingChoice,
    PendingNone,
    PendingSome,
    PendingTuple,
    Value,
    invalid,
)
from linnet.diagnostics import Label
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import Kind
from linnet.syntax import OptionalType as OptionalSyntax
from linnet.syntax import TupleType as TupleSyntax

Difference = Literal["kind", "dtype", "shape"]
Column = Literal["argument", "required", "assignment", "branch", "field"]
_CODES: dict[Column, tuple[str, str, str]] = {
    "argument": ("E2101", "E2103", "E2202"),
    "required": ("E2101", "E2101", "E2202"),
    "assignment": ("E2109", "E2109", "E2109"),
    "branch": ("E2115", "E2115", "E2115"),
    "field": ("E2101", "E2101", "E2101"),
}
_FLOAT_LIMITS = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38}


@dataclass(frozen=True, slots=True)
class Site:
    """Where a type is required: the column of [TYP-8], its name, and where it is declared.

    `written` is the type as it stands there.
    """

    column: Column
    name: str
    declared: Label | None = None
    written: Written | None = None

    def code(self, difference: Difference) -> str:
        """The code of a difference."""
        return _CODES[self.column][("kind", "dtype", "shape").index(difference)]


def adopts(value: Ci | Pending, dtype: Dtype) -> bool:
    """Whether a contextual scalar can take a dtype [TYP-10]."""
    floating = isinstance(value, Pending) and value.floating
    return belongs(dtype, Kind.FLOAT if floating else Kind.NUMERIC)


def default_dtype(value: Ci | Pending) -> Dtype:
    """The dtype without context [TYP-12]."""
    return F64 if isinstance(value, Pending) and value.floating else I64


def adopt(ctx: Context, value: Ci | Pending, dtype: Dtype) -> Expr:
    """The node of a contextual scalar with a dtype it can take; out of range is `E2105`."""
    number = value.value if isinstance(value, Pending) else as_constant(value.dim)
    if number is not None and not _fits(number, dtype):
        ctx.report(problems.literal_range(value.span, number, dtype.name))
        return invalid(value.span)
    if isinstance(value, Pending):
        return value.build(dtype)
    if number is not None:
        return Constant(scalar(dtype), value.span, number)
    return DimValue(scalar(dtype), value.span, value.dim)


def _fits(number: float | int, dtype: Dtype) -> bool:
    if dtype.variable:
        return True
    if dtype.kind is Kind.FLOAT:
        limit = _FLOAT_LIMITS.get(dtype.name)
        if limit is None or number in (float("inf"), float("-inf")):
            return True
        # Values that round down to the limit still fit [TYP-13].
        slack = {"f16": 16.0, "bf16": 2.0**119, "f32": 2.0**103}[dtype.name]
        return abs(number) < limit + slack
    if dtype.kind is Kind.INTEGER and isinstance(number, int):
        bits = int(dtype.name.lstrip("iu"))
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1)
        if dtype.name.startswith("u"):
            low, high = 0, (1 << bits) - 1
        return low <= number <= high
    return True


def settle(ctx: Context, value: Value) -> Expr:
    """The node of a value that has no context [TYP-12, TYP-15]."""
    match value:
        case Ci() | Pending():
            return adopt(ctx, value, default_dtype(value))
        case PendingNone(span):
            ctx.report(problems.none_without_type(span))
            return invalid(span)
        case PendingSome(inner_value, span):
            inner = settle(ctx, inner_value)
            if isinstance(inner.type, ErrorType):
                return inner
            return Some(OptionalType(inner.type), span, inner)
        case PendingTuple(values, span):
            elements = tuple(settle(ctx, element) for element in values)
            if any(isinstance(element.type, ErrorType) for element in elements):
                return invalid(span)
            return Tuple(TupleType(tuple(e.type for e in elements)), span, elements)
        case PendingChoice(branches, build, _):
            first = next((b for b in branches if not isinstance(b, PendingNone)), branches[0])
            known = settle(ctx, first)
            if isinstance(known.type, ErrorType):
                return known
            site = Site("branch", "every branch")
            nodes = tuple(
                known if branch is first else coerce(ctx, branch, known.type, site)
                for branch in branches
            )
            return build(nodes, known.type)
        case _:
            return value


def coerce(ctx: Context, value: Value, required: Type, site: Site) -> Expr:
    """The node of a value where a type is required; a difference is reported by [TYP-8]."""
    if isinstance(required, ErrorType):
        return value if not isinstance(value, Contextual) else invalid(value.span)
    match value:
        case Ci() | Pending():
            if (
                isinstance(required, TensorType)
                and not required.shape
                and adopts(value, required.dtype)
            ):
                return adopt(ctx, value, required.dtype)
            return meet(ctx, settle(ctx, value), required, site)
        case PendingNone(span):
            if isinstance(required, OptionalType):
                return NoneValue(required, span)
            ctx.report(problems.none_without_type(span, show_type(required)))
            return invalid(span)
        case PendingSome(inner_value, span) if isinstance(required, OptionalType):
            inner = coerce(ctx, inner_value, required.inner, site)
            return (
                invalid(span) if isinstance(inner.type, ErrorType) else Some(required, span, inner)
            )
        case PendingTuple(values, span) if isinstance(required, TupleType) and len(
            required.elements
        ) == len(values):
            elements = tuple(
                coerce(ctx, element, type_, site)
                for element, type_ in zip(values, required.elements, strict=True)
            )
            if any(isinstance(element.type, ErrorType) for element in elements):
                return invalid(span)
            return Tuple(required, span, elements)
        case PendingChoice(branches, build, span):
            nodes = tuple(coerce(ctx, branch, required, site) for branch in branches)
            if any(isinstance(node.type, ErrorType) for node in nodes):
                return invalid(span)
            return build(nodes, required)
        case PendingSome() | PendingTuple():
            return meet(ctx, settle(ctx, value), required, site)
        case _:
            return meet(ctx, value, required, site)


def meet(ctx: Context, value: Expr, required: Type, site: Site) -> Expr:
    """A typed value where a type is required: itself, ascribed, or a reported difference."""
    found = value.type
    if found == required or isinstance(found, ErrorType):
        return value
    difference = differ(found, required)
    if difference not in ("kind", None):
        inner = _meet_inside(ctx, value, required, site)
        if inner is not None:
            return inner
    if difference == "dims":
        record = ShapesAgree(
            site.code("shape"),
            value.span,
            site.name,
            _describe(required, found),
            _describe(found, required),
            site.declared,
            origin_of(ctx, value),
            tuple(axes_of(found, required, site.written)),
        )
        for claim in _nominal_claims(found, required):
            if not ctx.require(claim, site.code("shape"), record):
                return invalid(value.span)
        return Ascribe(required, value.span, value, site.code("shape"), record)
    if difference is None:
        return value
    if difference == "shape" and isinstance(found, TensorType) and isinstance(required, TensorType):
        ctx.report(
            problems.ranks_differ(
                site.code("shape"), value.span, site.name, show_sizes(required.shape),
                show_sizes(found.shape), (site.declared, origin_of(ctx, value)),
            )
        )  # fmt: skip
        return invalid(value.span)
    ctx.report(
        problems.type_mismatch(
            site.code(difference),
            value.span,
            site.name,
            _needs(required, difference),
            _needs(found, difference),
            site.declared,
        )
    )
    return invalid(value.span)


def _meet_inside(ctx: Context, value: Expr, required: Type, site: Site) -> Expr | None:
    """A written tuple or `some` element by element, so that what differs is pointed at."""
    match value, required:
        case Tuple(_, span, elements), TupleType(types) if len(elements) == len(types):
            met = tuple(
                meet(ctx, element, type_, _part(site, at))
                for at, (element, type_) in enumerate(zip(elements, types, strict=True))
            )
            if any(isinstance(element.type, ErrorType) for element in met):
                return invalid(span)
            return Tuple(required, span, met)
        case Some(_, span, inner), OptionalType(type_):
            node = meet(ctx, inner, type_, _part(site, None))
            if isinstance(node.type, ErrorType):
                return invalid(span)
            return Some(required, span, node)
        case _:
            return None


def _part(site: Site, at: int | None) -> Site:
    """The place where one element of a tuple, or what is inside an optional, is required."""
    written = site.written or Written(None)
    syntax, pattern = written.syntax, written.pattern
    if at is None:
        syntax = syntax.inner if isinstance(syntax, OptionalSyntax) else None
        pattern = pattern.inner if isinstance(pattern, OptionalType) else None
        name = site.name
    else:
        syntax = syntax.elements[at] if isinstance(syntax, TupleSyntax) else None
        pattern = pattern.elements[at] if isinstance(pattern, TupleType) else None
        name = f"element {at} of {site.name}"
    return replace(site, name=name, written=Written(syntax, pattern, written.bindings))


def _describe(type_: Type, other: Type) -> str:
    """What to show of a type next to another: the shape alone, if that is all that differs."""
    if isinstance(type_, TensorType) and isinstance(other, TensorType):
        return f"shape {_shape_text(type_)}"
    return f"`{show_type(type_)}`"


def _shape_text(type_: TensorType) -> str:
    return show_shape(type_.shape)


def _needs(type_: Type, difference: str) -> str:
    if difference == "dtype" and isinstance(type_, TensorType):
        return f"dtype `{type_.dtype.name}`"
    if difference == "shape" and isinstance(type_, TensorType):
        return f"shape {_shape_text(type_)}"
    return f"`{show_type(type_)}`"


def differ(found: Type, required: Type) -> Difference | Literal["dims"] | None:
    """How two types differ; "dims" if only in dimensions that may still be provably equal."""
    match found, required:
        case (ErrorType(), _) | (_, ErrorType()):
            return None
        case TensorType(), TensorType():
            return _differ_tensor(found, required)
        case OptionalType(inner), OptionalType(other):
            return differ(inner, other)
        case TupleType(elements), TupleType(others):
            if len(elements) != len(others):
                return "kind"
            worst: Difference | Literal["dims"] | None = None
            for element, other in zip(elements, others, strict=True):
                step = differ(element, other)
                if step in ("kind", "dtype", "shape"):
                    return step
                worst = worst or step
            return worst
        case (StructType(), StructType()) | (EnumType(), EnumType()):
            return _differ_args(found, required) if found.symbol == required.symbol else "kind"
        case _:
            return None if found == required else "kind"


def _differ_args(
    found: StructType | EnumType, required: StructType | EnumType
) -> Difference | Literal["dims"] | None:
    """How types of one declaration differ; they are equal if their arguments are [TYP-3]."""
    worst: Difference | Literal["dims"] | None = None
    for arg, other in zip(found.args, required.args, strict=True):
        if arg == other:
            continue
        if isinstance(arg, Dtype) or isinstance(other, Dtype):
            return "dtype"
        if not isinstance(arg, tuple) or not isinstance(other, tuple):
            worst = "dims"
        elif _differ_shape(arg, other) == "shape":
            return "shape"
        else:
            worst = "dims"
    return worst


def _nominal_claims(found: Type, required: Type) -> Iterator[Constraint]:
    """That the sizes agree which structs and enums of two types have as arguments.

    The fields alone do not tell: a generic may stand in none of them, or only in a quotient.
    """
    match found, required:
        case OptionalType(inner), OptionalType(other):
            yield from _nominal_claims(inner, other)
        case TupleType(elements), TupleType(others):
            for element, other in zip(elements, others, strict=True):
                yield from _nominal_claims(element, other)
        case (StructType(), StructType()) | (EnumType(), EnumType()):
            for arg, other in zip(found.args, required.args, strict=True):
                pairs = zip(*(_sizes(one) for one in (arg, other)), strict=True)
                yield from (compare("==", a, b) for a, b in pairs if a != b)
        case _:
            return


def _sizes(arg: GenericArg) -> tuple[Dim, ...]:
    if isinstance(arg, Dtype):
        return ()
    if not isinstance(arg, tuple):
        return (arg,)
    return tuple(element for element in arg if not isinstance(element, Pack))


def _differ_tensor(found: TensorType, required: TensorType) -> Difference | Literal["dims"] | None:
    if is_scalar(found) != is_scalar(required):
        return "kind"
    if found.dtype != required.dtype:
        return "dtype"
    return _differ_shape(found.shape, required.shape)


def _differ_shape(found: Shape, required: Shape) -> Literal["shape", "dims"] | None:
    if found == required:
        return None
    if len(found) != len(required):
        return "shape"
    for left, right in zip(found, required, strict=True):
        if left != right and (isinstance(left, Pack) or isinstance(right, Pack)):
            return "shape"
    return "dims"


def value_of(ctx: Context, expr: ExprSyntax) -> Value:
    """Infer an expression that must be a value: no block, array of blocks or missing result."""
    return as_value(ctx, ctx.infer(expr))


def as_value(ctx: Context, value: Value) -> Value:
    """Refuse what is no value: a block, an array of blocks, a call without a result."""
    if isinstance(value, Contextual):
        return value
    type_ = value.type.inner if isinstance(value.type, OptionalType) else value.type
    if isinstance(type_, InstanceType | InstanceArrayType):
        ctx.report(problems.block_as_value(value.span, kind_word(type_), show_type(type_)))
        return invalid(value.span)
    if isinstance(type_, UnitType):
        ctx.report(problems.no_result(value.span))
        return invalid(value.span)
    return value


def typed(ctx: Context, expr: ExprSyntax) -> Expr:
    """Infer an expression that has no context."""
    return settle(ctx, value_of(ctx, expr))


def require_type(ctx: Context, expr: ExprSyntax, required: Type, site: Site) -> Expr:
    """Infer an expression where a type is required."""
    return coerce(ctx, value_of(ctx, expr), required, site)


def join(values: tuple[Value, ...]) -> Type | None:
    """The type that branches share, taken from the first typed one; None if all are contextual."""
    for value in values:
        if not isinstance(value, Contextual) and not isinstance(value.type, ErrorType):
            return value.type
    return None
