"""Struct values: built by field names, read by member [LAT-1, LAT-2]."""

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._convert import as_value, coerce
from linnet.checker._infer import Matcher, is_contextual, write_generics
from linnet.checker._names import ItemEntity, own_arg
from linnet.checker._program import Build, Expr, FieldRead, Struct
from linnet.checker._substitute import Substitution
from linnet.checker._types import ErrorType, Pack, StructType, TensorType, Type, show_type
from linnet.checker._values import Value, invalid, is_invalid
from linnet.syntax import Call, Name
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import Struct as StructSyntax


def infer_struct(ctx: Context, item: ItemEntity, call: Call) -> Value:
    """The value that `Pair(left = a, right = b)` builds; its generics written or inferred."""
    struct = ctx.declared.struct(item)
    own = ctx.declared.struct_generics(item)
    placed = _arrange(ctx, struct, call)
    values = {id(arg.value): as_value(ctx, ctx.infer(arg.value)) for arg in call.args}
    if placed is None or any(is_invalid(value) for value in values.values()):
        return invalid(call.span)
    if ctx.elements is not None:
        ctx.report(problems.not_in_elements(call.span, f"a struct `{struct.name}`"))
        return invalid(call.span)
    bound = Substitution()
    outer = struct.generics[: len(struct.generics) - len(own)]
    for generic in outer:
        bound.bind(generic.symbol, own_arg(generic))
    assert isinstance(item.syntax, StructSyntax)
    written = {field.name.text: field.type for field in item.syntax.fields}
    matcher = Matcher(ctx, struct.name, own, bound, written, outer, "field")
    if not write_generics(ctx, matcher, call):
        return invalid(call.span)
    given = {name: values[id(expr)] for name, expr in placed.items()}
    matched = True
    for late in (False, True):
        for field in struct.fields:
            value = given[field.name]
            if is_contextual(value) == late:
                matched = matcher.match(field, field.type, value) and matched
    if not matched or not matcher.finish(call.callee.span):
        return invalid(call.span)
    nodes: list[Expr] = []
    for field in struct.fields:
        required = matcher.bound.type(field.type)
        nodes.append(coerce(ctx, given[field.name], required, matcher.site(field)))
    if any(isinstance(node.type, ErrorType) for node in nodes):
        return invalid(call.span)
    args = tuple(matcher.bound.arg(own_arg(generic)) for generic in struct.generics)
    return Build(StructType(struct.symbol, args), call.span, tuple(nodes))


def _arrange(ctx: Context, struct: Struct, call: Call) -> dict[str, ExprSyntax] | None:
    """The value of each field, or None with `E2102` reported: every field once, by name."""
    names = [field.name for field in struct.fields]
    placed: dict[str, ExprSyntax] = {}
    for arg in call.args:
        if arg.name is None:
            ctx.report(problems.field_by_position(arg.span, struct.name, names))
            return None
        if arg.name.text not in names:
            ctx.report(problems.unknown_field(arg.name, struct.name, names))
            return None
        if arg.name.text in placed:
            ctx.report(problems.repeated_argument(arg.name, struct.name))
            return None
        placed[arg.name.text] = arg.value
    missing = [name for name in names if name not in placed]
    if missing:
        ctx.report(problems.missing_fields(call.span, struct.name, missing))
        return None
    return placed


def read_field(ctx: Context, value: Expr, type_: StructType, name: Name) -> Value:
    """`value.name`; a field that the struct does not have is `E2107`."""
    struct = ctx.declared.struct_of(type_.symbol)
    span = value.span.to(name.span)
    names = [field.name for field in struct.fields]
    if name.text not in names:
        ctx.report(problems.unknown_member(name, show_type(type_), names, struct.span))
        return invalid(span)
    position = names.index(name.text)
    found = field_types(struct, type_)[position]
    if isinstance(found, TensorType):
        for element in found.shape:
            if not isinstance(element, Pack) and not ctx.accept_dim(element, span):
                return invalid(span)
    return FieldRead(found, span, value, position)


def field_types(struct: Struct, type_: StructType) -> tuple[Type, ...]:
    """The types of the fields of a struct type, in order of declaration."""
    bound = Substitution()
    for generic, arg in zip(struct.generics, type_.args, strict=True):
        bound.bind(generic.symbol, arg)
    return tuple(bound.type(field.type) for field in struct.fields)
