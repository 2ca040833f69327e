"""Calls of functions, ops, entries and methods [EXP-6, BLK-3]."""

from dataclasses import dataclass

from linnet.checker import _problems as problems
from linnet.checker._arguments import arrange
from linnet.checker._claims import WhereHolds
from linnet.checker._context import Context
from linnet.checker._convert import as_value, coerce
from linnet.checker._infer import Matcher, is_contextual, write_generics
from linnet.checker._kernels import READS, WRITES, infer_kernel_call
from linnet.checker._members import instance_member, member_base
from linnet.checker._names import (
    PRELUDE_FUNCTIONS,
    GenericEntity,
    ItemEntity,
    MemberEntity,
    MethodEntity,
    ModuleEntity,
    PreludeEntity,
    Unresolved,
    entity_word,
)
from linnet.checker._prelude import infer_prelude
from linnet.checker._program import Call, CallMethod, Expr, Function, Local
from linnet.checker._resolve import module_item
from linnet.checker._structs import infer_struct
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    UNIT,
    ErrorType,
    InstanceType,
    Pack,
    TensorType,
    Type,
    is_scalar,
    show_type,
)
from linnet.checker._values import Contextual, Value, invalid, is_invalid
from linnet.source import Span
from linnet.syntax import Call as CallSyntax
from linnet.syntax import Enum, Kernel, Member, Name, ShapeLiteral, Struct
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import Function as FunctionSyntax


@dataclass(frozen=True, slots=True)
class _Callee:
    """A function to call, and the instance it runs on if it is a method."""

    function: Function
    instance: Expr | None


def infer_call(ctx: Context, call: CallSyntax) -> Value:
    """The value of a call."""
    prelude = _prelude_name(ctx, call.callee)
    if prelude is not None:
        return infer_prelude(ctx, prelude, call)
    kernel_form = _kernel_form(ctx, call.callee)
    if kernel_form is not None:
        return infer_kernel_call(ctx, kernel_form, call)
    callee = _resolve_callee(ctx, call.callee)
    if callee is None:
        # The arguments are independent of the callee; their own problems still count.
        # A shape literal is fine as an argument of what it was written for.
        for arg in call.args:
            if not isinstance(arg.value, ShapeLiteral):
                ctx.infer(arg.value)
        return invalid(call.span)
    if isinstance(callee, ItemEntity):
        return infer_struct(ctx, callee, call)
    return _call(ctx, callee, call)


def _kernel_form(ctx: Context, callee: ExprSyntax) -> str | None:
    """`load` and the like, in a kernel, or where nothing else has the name."""
    if not isinstance(callee, Name) or callee.text not in READS | WRITES:
        return None
    return callee.text if ctx.kernel is not None or ctx.lookup(callee.text) is None else None


def _prelude_name(ctx: Context, callee: ExprSyntax) -> str | None:
    if not isinstance(callee, Name) or callee.text not in PRELUDE_FUNCTIONS:
        return None
    entity = ctx.lookup(callee.text)
    return entity.name if isinstance(entity, PreludeEntity) else None


def _resolve_callee(ctx: Context, callee: ExprSyntax) -> _Callee | ItemEntity | None:
    """What is called: a function, or the item of a struct."""
    match callee:
        case Name():
            entity = ctx.resolve(callee, "call")
            return _entity_callee(ctx, entity, callee, callee.span)
        case Member(base, name, _):
            if isinstance(base, Name):
                entity = ctx.lookup(base.text)
                if isinstance(entity, ModuleEntity):
                    return _entity_callee(ctx, module_item(ctx, entity, name), name, callee.span)
                if isinstance(entity, Unresolved):
                    return None
                if isinstance(entity, ItemEntity) and isinstance(entity.syntax, Enum):
                    variant = ctx.infer(callee)
                    if not is_invalid(variant):
                        ctx.report(problems.not_callable(callee.span, "an enum value"))
                    return None
            return _method(ctx, base, name)
        case _:
            value = ctx.infer(callee)
            if not is_invalid(value):
                ctx.report(problems.not_callable(callee.span, _describe(value)))
            return None


def _describe(value: Value) -> str:
    return "a literal" if isinstance(value, Contextual) else f"`{show_type(value.type)}`"


def _entity_callee(
    ctx: Context, entity: object, name: Name, span: Span
) -> _Callee | ItemEntity | None:
    function: Function | None = None
    match entity:
        case None | Unresolved():
            return None
        case ItemEntity(_, FunctionSyntax()):
            function = ctx.declared.function(entity)
        case MethodEntity(block, syntax):
            function = ctx.declared.method(block, syntax)
            if function is None:
                return None
            return _Callee(function, ctx.self_instance(span))
        case ItemEntity(_, Struct()):
            return entity
        case ItemEntity(_, Kernel() as kernel):
            ctx.report(problems.kernel_called(span, kernel.name.text, kernel.name.span))
            return None
        case Local(type=type_):
            entity.used = True
            if isinstance(type_, ErrorType):
                return None
            ctx.report(problems.not_callable(span, f"`{show_type(type_)}`"))
            return None
        case MemberEntity() | GenericEntity() | ItemEntity() | PreludeEntity() | ModuleEntity():
            ctx.report(problems.not_callable(span, entity_word(entity)))
            return None
        case _:
            raise AssertionError(f"{name.text} stands for something unknown")
    return None if function is None else _Callee(function, None)


def _method(ctx: Context, base: ExprSyntax, name: Name) -> _Callee | None:
    value = member_base(ctx, base)
    if is_invalid(value):
        return None
    if isinstance(value, Contextual) or not isinstance(value.type, InstanceType):
        # Nothing but an instance has methods; the member lookup words what is there instead.
        found = instance_member(ctx, value, name, base.span)
        if not is_invalid(found):
            ctx.report(problems.not_callable(name.span, _describe(found)))
        return None
    block = ctx.declared.block_of(value.type.symbol)
    syntax = block.methods.get(name.text)
    if syntax is None:
        found = instance_member(ctx, value, name, base.span)
        if not is_invalid(found):
            ctx.report(problems.not_callable(name.span, _describe(found)))
        return None
    if not syntax.public and block.module != ctx.module.name:
        ctx.report(problems.private_item(name, block.symbol, syntax.name.span))
        return None
    function = ctx.declared.method(block, syntax)
    return None if function is None else _Callee(function, value)


def _call(ctx: Context, callee: _Callee, call: CallSyntax) -> Value:
    function = callee.function
    names = [param.name for param in function.params]
    optional = {param.name for param in function.params if param.has_default}
    placed = arrange(ctx, function.name, names, optional, call)
    values = {id(arg.value): as_value(ctx, ctx.infer(arg.value)) for arg in call.args}
    if placed is None or any(is_invalid(value) for value in values.values()):
        return invalid(call.span)
    matcher = Matcher(
        ctx,
        function.name,
        function.generics,
        _instance_bindings(ctx, callee),
        {param.name.text: param.type for param in function.syntax.params},
        () if function.block is None else function.block.generics,
    )
    if not write_generics(ctx, matcher, call):
        return invalid(call.span)
    given = {name: values[id(expr)] for name, expr in placed.items()}
    matched = True
    order = sorted(
        (param for param in function.params if param.name in given),
        key=lambda param: (is_contextual(given[param.name]), given[param.name].span.start),
    )
    for param in order:
        # As they are written, typed arguments before contextual ones [TYP-19].
        matched = matcher.match(param, param.type, given[param.name]) and matched
    if not matched or not matcher.finish(call.callee.span):
        return invalid(call.span)
    ctx.calls.append((function, call.callee.span))
    ctx.declared.need_body(function)
    args: list[Expr] = []
    for param in function.params:
        value = given.get(param.name)
        if value is None:
            value = _default(ctx, matcher, function, param.name)
        args.append(coerce(ctx, value, matcher.bound.type(param.type), matcher.site(param)))
    if any(isinstance(arg.type, ErrorType) for arg in args):
        return invalid(call.span)
    result = UNIT if function.result is None else matcher.bound.type(function.result)
    if not _accept_result(ctx, result, call.span):
        return invalid(call.span)
    if ctx.elements is not None and not _fits_elements(ctx, callee, call, args, result):
        return invalid(call.span)
    return _node(callee, matcher, call, tuple(args), result)


def _node(
    callee: _Callee, matcher: Matcher, call: CallSyntax, args: tuple[Expr, ...], result: Type
) -> Expr:
    function = callee.function
    generics = tuple(
        arg
        for generic in function.generics
        if (arg := matcher.bound.get(generic.symbol)) is not None
    )
    known = matcher.bindings() if function.where else {}
    record = WhereHolds(
        call.callee.span,
        function.name,
        tuple(where.text for where in function.where),
        tuple(where.span for where in function.where),
        tuple(
            tuple(known[name] for name in where.constraint.symbols() if name in known)
            for where in function.where
        ),
    )
    if callee.instance is None:
        return Call(result, call.span, function, generics, args, record)
    return CallMethod(result, call.span, callee.instance, function, generics, args, record)


def _accept_result(ctx: Context, type_: Type, span: Span) -> bool:
    """Whether no dimension of a result is provably negative [DIM-15]."""
    if not isinstance(type_, TensorType):
        return True
    return all(
        isinstance(element, Pack) or ctx.accept_dim(element, span) for element in type_.shape
    )


def _fits_elements(
    ctx: Context, callee: _Callee, call: CallSyntax, args: list[Expr], result: Type
) -> bool:
    """Whether a call may stand in index notation: scalars in and out, no state [IDX-2]."""
    for arg in args:
        if not is_scalar(arg.type):
            ctx.report(problems.not_in_elements(arg.span, f"`{show_type(arg.type)}`"))
            return False
    if not is_scalar(result):
        ctx.report(problems.not_in_elements(call.span, f"`{show_type(result)}`"))
        return False
    if callee.instance is not None and ctx.declared.touches_state(callee.function):
        ctx.report(problems.not_in_elements(call.span, "a method that touches state"))
        return False
    return True


def _instance_bindings(ctx: Context, callee: _Callee) -> Substitution:
    bound = Substitution()
    if callee.instance is not None:
        type_ = callee.instance.type
        assert isinstance(type_, InstanceType)
        block = ctx.declared.block_of(type_.symbol)
        for generic, arg in zip(block.generics, type_.args, strict=True):
            bound.bind(generic.symbol, arg)
    return bound


def _default(ctx: Context, matcher: Matcher, function: Function, name: str) -> Value:
    syntax = next(param for param in function.syntax.params if param.name.text == name)
    generics: dict[str, GenericEntity] = {}
    owners = (*(function.block.generics if function.block else ()), *function.generics)
    for generic in owners:
        arg = matcher.bound.get(generic.symbol)
        if arg is not None:
            generics[generic.name] = GenericEntity(generic, arg)
    return ctx.declared.default_value(function, syntax, generics)
