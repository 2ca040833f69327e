"""Names and members as values: locals, generics, constants, variants, block members [EXP-14]."""

from dataclasses import replace

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._names import (
    Entity,
    GenericEntity,
    ItemEntity,
    MemberEntity,
    MethodEntity,
    ModuleEntity,
    PreludeEntity,
    Unresolved,
    entity_word,
)
from linnet.checker._program import EnumValue, Local, LocalRef, MemberRead
from linnet.checker._resolve import module_item
from linnet.checker._structs import read_field
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    Dtype,
    EnumType,
    GenericArg,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    StructType,
    TensorType,
    is_scalar,
    kind_word,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Value, invalid, is_invalid
from linnet.source import Span
from linnet.syntax import Const, Enum, Expr, Member, Name


def infer_name(ctx: Context, name: Name) -> Value:
    """The value of a bare name."""
    if ctx.elements is None:
        if ctx.around is not None and ctx.around.find(name.text) and not ctx.lookup(name.text):
            ctx.report(problems.index_as_value(name.span, name.text))
            return invalid(name.span)
        return entity_value(ctx, ctx.resolve(name), name)
    index = ctx.elements.find(name.text)
    entity = ctx.lookup(name.text)
    if index is None:
        return _element(ctx, entity_value(ctx, ctx.resolve(name), name), name.span)
    # An index is no value, unless a scalar of its name is in scope [IDX-6].
    if entity is not None and _is_scalar_entity(ctx, entity):
        return entity_value(ctx, entity, name)
    ctx.report(problems.index_as_value(name.span, name.text))
    return invalid(name.span)


def _is_scalar_entity(ctx: Context, entity: Entity) -> bool:
    match entity:
        case Local(type=TensorType((), _)):
            return True
        case GenericEntity(_, arg):
            return not isinstance(arg, Dtype | tuple)
        case ItemEntity(_, Const()):
            value = ctx.declared.constant(entity, entity.syntax.span)
            return isinstance(value, Contextual) or is_scalar(value.type)
        case _:
            return False


def _element(ctx: Context, value: Value, span: Span) -> Value:
    """What a name or member is inside index notation: a scalar, or `E3104` [IDX-2]."""
    if isinstance(value, Contextual) or is_invalid(value):
        return value
    if isinstance(value.type, EnumType) or (
        isinstance(value.type, TensorType) and not value.type.shape
    ):
        return value
    ctx.report(problems.not_in_elements(span, f"{kind_word(value.type)} `{show_type(value.type)}`"))
    return invalid(span)


def entity_value(ctx: Context, entity: Entity | None, name: Name) -> Value:
    """The value that a name stands for; a name of another kind is `E1208`."""
    span = name.span
    match entity:
        case None | Unresolved():
            return invalid(span)
        case Local():
            entity.used = True
            if ctx.kernel is not None and ctx.kernel.holds(entity):
                ctx.report(problems.memory_as_value(span, name.text, entity.span))
                return invalid(span)
            return (
                Ci(entity.ci, span)
                if entity.ci is not None
                else LocalRef(entity.type, span, entity)
            )
        case GenericEntity(_, arg) if not isinstance(arg, Dtype | tuple):
            return Ci(arg, span)
        case MemberEntity(_, member):
            if member.kind == "state":
                ctx.touches_state = True
            return MemberRead(member.type, span, ctx.self_instance(span), member.name)
        case ItemEntity(_, Const()):
            return ctx.declared.constant(entity, span)
        case GenericEntity() | MethodEntity() | ItemEntity() | ModuleEntity() | PreludeEntity():
            ctx.report(problems.not_a_value(span, name.text, entity_word(entity)))
            return invalid(span)


def infer_member(ctx: Context, syntax: Member) -> Value:
    """The value of `base.name`."""
    owner = _owner(ctx, syntax.base)
    match owner:
        case Unresolved():
            return invalid(syntax.span)
        case ModuleEntity():
            found = entity_value(ctx, module_item(ctx, owner, syntax.name), syntax.name)
            return found if ctx.elements is None else _element(ctx, found, syntax.span)
        case ItemEntity(_, Enum()):
            type_ = ctx.declared.enum(owner)
            if syntax.name.text not in type_.variants:
                ctx.report(problems.unknown_variant(syntax.name, owner.name, type_.variants))
                return invalid(syntax.span)
            args = _enum_args(ctx, owner, syntax)
            if args is None:
                return invalid(syntax.span)
            return EnumValue(replace(type_, args=args), syntax.span, syntax.name.text)
        case _:
            value = member_base(ctx, syntax.base)
            if is_invalid(value):
                return invalid(syntax.span)
            found = instance_member(ctx, value, syntax.name, syntax.base.span)
            return found if ctx.elements is None else _element(ctx, found, syntax.span)


def member_base(ctx: Context, base: Expr) -> Value:
    """The value before a dot."""
    kept, ctx.use = ctx.use, "owner"
    try:
        return ctx.outside_elements(base)
    finally:
        ctx.use = kept


def _owner(ctx: Context, base: object) -> Entity | None:
    """The module or enum that a member's base names, if it is not a value."""
    match base:
        case Name():
            entity = ctx.lookup(base.text)
            owns = isinstance(entity, ModuleEntity | Unresolved)
            owns = owns or (isinstance(entity, ItemEntity) and isinstance(entity.syntax, Enum))
            return entity if owns else None
        case Member(inner, name, _):
            owner = _owner(ctx, inner)
            if not isinstance(owner, ModuleEntity):
                return owner if isinstance(owner, Unresolved) else None
            item = owner.module.items.get(name.text)
            if item is None or not isinstance(item.syntax, Enum):
                return None
            found = module_item(ctx, owner, name)
            return found
        case _:
            return None


def _enum_args(ctx: Context, item: ItemEntity, syntax: Member) -> tuple[GenericArg, ...] | None:
    """The generic arguments of a variant: their defaults, for none can be written [GRM-6]."""
    bound = Substitution()
    args: list[GenericArg] = []
    for generic in ctx.declared.enum_generics(item):
        if generic.default is None:
            ctx.report(
                problems.variant_without_generic(syntax.span, item.name, generic.name, generic.span)
            )
            return None
        args.append(bound.arg(generic.default))
        bound.bind(generic.symbol, args[-1])
    return tuple(args)


def instance_member(ctx: Context, value: Value, name: Name, base_span: Span) -> Value:
    """The member of an instance; what has no such member is `E2107`."""
    if isinstance(value, Contextual):
        ctx.report(problems.no_member(name, "a literal", ()))
        return invalid(name.span)
    span = base_span.to(name.span)
    match value.type:
        case InstanceType(symbol, args):
            block = ctx.declared.block_of(symbol)
            member = ctx.declared.members(block).get(name.text)
            if member is None:
                if name.text in block.methods:
                    ctx.report(problems.not_a_value(name.span, name.text, "a method"))
                else:
                    known = [*ctx.declared.members(block), *block.methods]
                    ctx.report(problems.no_member(name, f"block `{block.name}`", known))
                return invalid(span)
            if block.module == ctx.module.name:
                member.used = True
            if member.kind == "state":
                ctx.touches_state = True
            bound = Substitution()
            for generic, arg in zip(block.generics, args, strict=True):
                bound.bind(generic.symbol, arg)
            return MemberRead(bound.type(member.type), span, value, name.text)
        case InstanceArrayType():
            ctx.report(problems.array_member(name, base_span.text))
        case OptionalType(InstanceType()):
            ctx.report(problems.optional_member(name, base_span.text))
        case StructType():
            return read_field(ctx, value, value.type, name)
        case other:
            owner = f"{kind_word(other)} `{show_type(other)}`"
            help_ = problems.familiar_member(name.text)
            ctx.report(problems.no_member(name, owner, (), help_))
    return invalid(span)
