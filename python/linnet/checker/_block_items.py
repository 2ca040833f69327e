"""The insides of a block: names once each, members of types they can have [BLK-1]."""

from linnet.checker import _problems as problems
from linnet.checker._claims import Binding, WhereHolds
from linnet.checker._context import Context
from linnet.checker._declared import Declared
from linnet.checker._names import PRELUDE, ItemEntity, ModuleScope
from linnet.checker._program import Block, DataMember, MemberKind
from linnet.checker._resolve import resolve_type
from linnet.checker._types import (
    ErrorType,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    TensorType,
    Type,
    show_arg,
    show_type,
)
from linnet.source import Span
from linnet.syntax import ArrayType as ArraySyntax
from linnet.syntax import (
    BufferMember,
    Function,
    NoneExpr,
    ParamMember,
    StateMember,
    SubMember,
)
from linnet.syntax import DataMember as MemberSyntax
from linnet.syntax import OptionalType as OptionalSyntax
from linnet.syntax import Type as TypeSyntax


def declare_block_names(
    declared: Declared, module: ModuleScope, block: Block
) -> dict[str, ItemEntity]:
    """Fill in the methods of a block and give its constants and types; `E1205` for repeats."""
    items: dict[str, ItemEntity] = {}
    seen: dict[str, Span] = {}
    for member in block.syntax.members:
        name = member.name
        if name.text in PRELUDE:
            declared.report(problems.prelude_redeclared(name.text, name.span))
        if name.text in seen:
            declared.report(problems.duplicate(name, "member", seen[name.text]))
            continue
        seen[name.text] = name.span
        match member:
            case Function():
                block.methods[name.text] = member
            case ParamMember() | BufferMember() | StateMember() | SubMember():
                pass
            case _:
                items[name.text] = ItemEntity(module, member, block)
    return items


def resolve_members(ctx: Context, block: Block) -> None:
    """Fill in the data members of a block."""
    for member in block.syntax.members:
        match member:
            case ParamMember() | BufferMember() | StateMember() | SubMember():
                if member.name.text not in block.members:
                    block.members[member.name.text] = _member(ctx, member)
            case _:
                pass


def _member(ctx: Context, member: MemberSyntax) -> DataMember:
    name, span = member.name.text, member.name.span
    kind = _KINDS[type(member)]
    type_ = resolve_type(ctx, member.type, sub=True)
    if isinstance(type_, ErrorType):
        return DataMember(kind, name, type_, span, used=True)
    problem = _type_problem(member, type_)
    if problem is not None:
        ctx.report(problems.member_type(member.type.span, kind, name, problem, show_type(type_)))
        return DataMember(kind, name, ErrorType(), span, used=True)
    value = member.value if isinstance(member, ParamMember | SubMember) else None
    if value is not None:
        _initializer(ctx, member, type_)
    return DataMember(kind, name, type_, span, _where(ctx, type_, _block_span(member.type)))


_KINDS: dict[type[MemberSyntax], MemberKind] = {
    ParamMember: "param",
    BufferMember: "buffer",
    StateMember: "state",
    SubMember: "sub",
}


def _type_problem(member: MemberSyntax, type_: Type) -> str | None:
    """What a member's type should have been, if it is something else."""
    optional = isinstance(type_, OptionalType)
    inner = type_.inner if isinstance(type_, OptionalType) else type_
    tensor = isinstance(inner, TensorType) and bool(inner.shape)
    match member:
        case ParamMember():
            return None if tensor else "a tensor or an optional tensor"
        case BufferMember() | StateMember():
            return None if tensor and not optional else "a tensor"
        case SubMember():
            if isinstance(inner, InstanceType):
                return None
            if isinstance(inner, InstanceArrayType) and not optional:
                return None
            return "a block, an optional block or an array of blocks"


def _initializer(ctx: Context, member: MemberSyntax, type_: Type) -> None:
    assert isinstance(member, ParamMember | SubMember)
    assert member.value is not None
    name, span = member.name.text, member.value.span
    if isinstance(member.value, NoneExpr):
        if not isinstance(type_, OptionalType):
            kind = _KINDS[type(member)]
            ctx.report(problems.none_for_required(span, kind, name, show_type(type_)))
    elif isinstance(member, ParamMember):
        ctx.report(problems.param_value(span, name))
    else:
        ctx.report(problems.sub_value(span, name))


def _block_span(type_: TypeSyntax) -> Span:
    """Where the block of a `sub` is named, without the array or the `?` around it."""
    match type_:
        case OptionalSyntax(inner, _):
            return _block_span(inner)
        case ArraySyntax(element, _, _):
            return _block_span(element)
        case _:
            return type_.span


def _where(ctx: Context, type_: Type, span: Span) -> WhereHolds | None:
    """The claim that a `sub` makes about the constraints of its block [BLK-4]."""
    inner = type_.inner if isinstance(type_, OptionalType) else type_
    inner = inner.element if isinstance(inner, InstanceArrayType) else inner
    if not isinstance(inner, InstanceType):
        return None
    block = ctx.declared.block_of(inner.symbol)
    if not block.where:
        return None
    known = {
        generic.symbol: Binding(generic.name, show_arg(arg), None)
        for generic, arg in zip(block.generics, inner.args, strict=True)
    }
    return WhereHolds(
        span,
        block.name,
        tuple(where.text for where in block.where),
        tuple(where.span for where in block.where),
        tuple(
            tuple(known[name] for name in where.constraint.symbols() if name in known)
            for where in block.where
        ),
    )
