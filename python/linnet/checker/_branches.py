"""`if` and `match` [EXP-7, EXP-8], and the patterns of `let` and `some(…)` [EXP-13]."""

from collections.abc import Callable

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._convert import Site, adopt, as_value, coerce, join, typed
from linnet.checker._program import (
    Binding,
    Expr,
    If,
    Local,
    LocalRef,
    MatchEnum,
    MatchOptional,
    Scoped,
)
from linnet.checker._types import (
    BOOL,
    ERROR,
    Dtype,
    EnumType,
    ErrorType,
    OptionalType,
    TupleType,
    Type,
    scalar,
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
    is_invalid,
)
from linnet.source import Span
from linnet.syntax import (
    Arm,
    Match,
    Member,
    Name,
    NamePattern,
    NonePattern,
    Pattern,
    SomePattern,
    TuplePattern,
)
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import If as IfSyntax

_Build = Callable[[tuple[Expr, ...], Type], Expr]


def condition(ctx: Context, expr: ExprSyntax, what: str) -> Expr | None:
    """A scalar `bool`, else `E2114`."""
    node = typed(ctx, expr)
    if isinstance(node.type, ErrorType):
        return None
    if node.type != scalar(BOOL):
        ctx.report(problems.condition_not_bool(expr.span, what, show_type(node.type)))
        return None
    return node


def infer_if(ctx: Context, syntax: IfSyntax) -> Value:
    """The value of an `if`."""
    test = condition(ctx, syntax.condition, "`if`")
    branches = tuple(as_value(ctx, ctx.infer(branch)) for branch in (syntax.then, syntax.otherwise))
    if test is None or any(is_invalid(branch) for branch in branches):
        return invalid(syntax.span)
    return _choose(
        ctx, syntax.span, branches, "the other branch",
        lambda nodes, type_: If(type_, syntax.span, test, nodes[0], nodes[1]),
    )  # fmt: skip


def _choose(
    ctx: Context, span: Span, branches: tuple[Value, ...], what: str, build: _Build
) -> Value:
    """Branches of one type: contextual as a whole, or typed by the first typed one [TYP-11]."""
    scalars = [branch for branch in branches if isinstance(branch, Ci | Pending)]
    if len(scalars) == len(branches):
        floating = any(isinstance(branch, Pending) and branch.floating for branch in scalars)

        def scalar_build(dtype: Dtype) -> Expr:
            nodes = tuple(adopt(ctx, branch, dtype) for branch in scalars)
            return build(nodes, scalar(dtype))

        return Pending(floating, None, scalar_build, span)
    type_ = join(branches)
    if type_ is None:
        forms = [_form(branch) for branch in branches]
        for branch, form in zip(branches, forms, strict=True):
            if form != forms[0]:
                ctx.report(problems.type_mismatch("E2115", branch.span, what, forms[0], form))
                return invalid(span)
        return PendingChoice(branches, build, span)
    site = Site("branch", what)
    nodes = tuple(coerce(ctx, branch, type_, site) for branch in branches)
    if any(isinstance(node.type, ErrorType) for node in nodes):
        return invalid(span)
    return build(nodes, type_)


def _form(value: Value) -> str:
    """What sort of thing a contextual value will be, whatever its context."""
    match value:
        case PendingNone() | PendingSome():
            return "an optional"
        case PendingTuple(values, _):
            return f"a tuple of {len(values)}"
        case PendingChoice(branches, _, _):
            return _form(branches[0])
        case _:
            return "a scalar"


def infer_match(ctx: Context, syntax: Match) -> Value:
    """The value of a `match` over an optional, an optional sub or an enum."""
    subject = syntax.scrutinee
    outside = isinstance(subject, Name | Member)
    value = ctx.outside_elements(subject) if outside else ctx.infer(subject)
    if is_invalid(value):
        return _arms_alone(ctx, syntax)
    if not isinstance(value, Contextual):
        if isinstance(value.type, OptionalType):
            return _match_optional(ctx, syntax, value, value.type)
        if isinstance(value.type, EnumType):
            return _match_enum(ctx, syntax, value, value.type)
    else:
        value = typed(ctx, subject) if not isinstance(value, Ci | Pending) else value
        if not isinstance(value, Contextual):
            if isinstance(value.type, OptionalType):
                return _match_optional(ctx, syntax, value, value.type)
            if isinstance(value.type, ErrorType):
                return _arms_alone(ctx, syntax)
    found = "a literal" if isinstance(value, Contextual) else f"`{show_type(value.type)}`"
    ctx.report(problems.match_subject(subject.span, found))
    return _arms_alone(ctx, syntax)


def _arms_alone(ctx: Context, syntax: Match) -> Value:
    """Check the arms of a `match` whose subject has a problem; its names stay silent."""
    for arm in syntax.arms:
        with ctx.nested():
            match arm.pattern:
                case NamePattern(name, span):
                    # A variant of any name, or what catches the rest.
                    ctx.declare(Local(name.text, ErrorType(), span), check_prelude=False)
                case _:
                    _silence(ctx, arm.pattern)
            ctx.infer(arm.value)
    return invalid(syntax.span)


def _match_optional(ctx: Context, syntax: Match, subject: Expr, type_: OptionalType) -> Value:
    whole = Local("", type_, subject.span, lint=False)
    payload = Local("", type_.inner, subject.span, lint=False)
    some: Value | None = None
    none: Value | None = None
    some_bindings: tuple[Binding, ...] = ()
    none_bindings: tuple[Binding, ...] = ()
    complete = True
    for arm in syntax.arms:
        pattern = arm.pattern
        with ctx.nested():
            match pattern:
                case SomePattern(inner, _):
                    bindings = bind_pattern(ctx, inner, LocalRef(type_.inner, inner.span, payload))
                    value = as_value(ctx, ctx.infer(arm.value))
                    complete = complete and bindings is not None and not is_invalid(value)
                    if some is not None:
                        ctx.report(problems.arm_never_matches(pattern.span, "`some` is covered"))
                        complete = False
                    some, some_bindings = value, bindings or ()
                case NonePattern():
                    value = as_value(ctx, ctx.infer(arm.value))
                    complete = complete and not is_invalid(value)
                    if none is not None:
                        ctx.report(problems.arm_never_matches(pattern.span, "`none` is covered"))
                        complete = False
                    none = value
                case NamePattern():
                    bindings = bind_pattern(ctx, pattern, LocalRef(type_, pattern.span, whole))
                    value = as_value(ctx, ctx.infer(arm.value))
                    complete = complete and not is_invalid(value)
                    if some is not None and none is not None:
                        ctx.report(
                            problems.arm_never_matches(pattern.span, "every case is covered")
                        )
                        complete = False
                    if some is None:
                        some, some_bindings = value, bindings or ()
                    if none is None:
                        none, none_bindings = value, bindings or ()
                case TuplePattern():
                    ctx.infer(arm.value)
                    ctx.report(problems.pattern_kind(pattern.span, show_type(type_)))
                    complete = False
    if not complete:
        return invalid(syntax.span)
    if some is None or none is None:
        missing = "`some(…)`" if some is None else "`none`"
        ctx.report(problems.missing_cases(syntax.span, syntax.scrutinee.span, [missing]))
        return invalid(syntax.span)

    def build(nodes: tuple[Expr, ...], result: Type) -> Expr:
        return MatchOptional(
            result, syntax.span, subject, whole, payload,
            _scoped(some_bindings, nodes[0]), _scoped(none_bindings, nodes[1]),
        )  # fmt: skip

    order = (some, none)
    return _choose(ctx, syntax.span, order, "the other arm", build)


def _scoped(bindings: tuple[Binding, ...], node: Expr) -> Expr:
    return Scoped(node.type, node.span, bindings, node) if bindings else node


def _match_enum(ctx: Context, syntax: Match, subject: Expr, type_: EnumType) -> Value:
    seen: dict[str, Value] = {}
    default: Value | None = None
    complete = True
    for arm in syntax.arms:
        value = as_value(ctx, ctx.infer(arm.value))
        complete = complete and not is_invalid(value)
        name = _variant(ctx, arm, type_)
        if name is None:
            complete = False
            continue
        covered = name in seen or default is not None
        covered = covered or (name == "_" and len(seen) == len(type_.variants))
        if covered:
            ctx.report(problems.arm_never_matches(arm.pattern.span, "every such case is covered"))
            complete = False
        elif name == "_":
            default = value
        else:
            seen[name] = value
    if not complete:
        return invalid(syntax.span)
    missing = [f"`{name}`" for name in type_.variants if name not in seen]
    if missing and default is None:
        ctx.report(problems.missing_cases(syntax.span, syntax.scrutinee.span, missing))
        return invalid(syntax.span)
    names = list(seen)
    branches = (*seen.values(), *(() if default is None else (default,)))

    def build(nodes: tuple[Expr, ...], result: Type) -> Expr:
        cases = tuple(zip(names, nodes, strict=False))
        otherwise = nodes[len(names)] if default is not None else None
        return MatchEnum(result, syntax.span, subject, cases, otherwise)

    return _choose(ctx, syntax.span, branches, "the other arms", build)


def _variant(ctx: Context, arm: Arm, type_: EnumType) -> str | None:
    pattern = arm.pattern
    if not isinstance(pattern, NamePattern):
        ctx.report(problems.pattern_kind(pattern.span, show_type(type_)))
        return None
    name = pattern.name.text
    if name != "_" and name not in type_.variants:
        ctx.report(problems.arm_names_no_variant(pattern.name, show_type(type_), type_.variants))
        return None
    return name


# Patterns ---------------------------------------------------------------------------------


def bind_pattern(ctx: Context, pattern: Pattern, value: Expr) -> tuple[Binding, ...] | None:
    """Declare the names of a pattern and give the bindings that take the value apart."""
    names = list(_names(pattern))
    seen: dict[str, Span] = {}
    for name in names:
        if name.text in seen:
            ctx.report(problems.duplicate(name, "pattern name", seen[name.text]))
        seen[name.text] = name.span
    out: list[Binding] = []
    fits = _bind(ctx, pattern, value, out)
    return tuple(out) if fits else None


def _bind(ctx: Context, pattern: Pattern, value: Expr, out: list[Binding]) -> bool:
    match pattern:
        case NamePattern(name, span):
            local = Local(name.text, value.type, span)
            ctx.declare(local)
            out.append(Binding((local,), unpack=False, value=value, span=span))
            return True
        case TuplePattern(elements, span):
            type_ = value.type
            if isinstance(type_, ErrorType):
                return _silence(ctx, pattern)
            if not isinstance(type_, TupleType) or len(type_.elements) != len(elements):
                ctx.report(
                    problems.pattern_length(span, len(elements), show_type(type_))
                    if isinstance(type_, TupleType)
                    else problems.pattern_kind(span, show_type(type_))
                )
                return _silence(ctx, pattern)
            locals_: list[Local] = []
            inner: list[tuple[Pattern, Local]] = []
            for element, element_type in zip(elements, type_.elements, strict=True):
                if isinstance(element, NamePattern):
                    local = Local(element.name.text, element_type, element.span)
                    ctx.declare(local)
                else:
                    local = Local("", element_type, element.span, lint=False)
                    inner.append((element, local))
                locals_.append(local)
            out.append(Binding(tuple(locals_), unpack=True, value=value, span=span))
            fits = True
            for element, local in inner:
                # Every pattern declares its names, even after one that does not fit.
                fits = _bind(ctx, element, LocalRef(local.type, element.span, local), out) and fits
            return fits
        case SomePattern(_, span) | NonePattern(span):
            ctx.report(problems.pattern_kind(span, show_type(value.type)))
            return _silence(ctx, pattern)


def _silence(ctx: Context, pattern: Pattern) -> bool:
    """Declare the names of a pattern that does not fit, so that their uses stay silent."""
    for name in _names(pattern):
        ctx.declare(Local(name.text, ERROR, name.span, used=True))
    return False


def _names(pattern: Pattern) -> list[Name]:
    match pattern:
        case NamePattern(name, _):
            return [name]
        case TuplePattern(elements, _):
            return [name for element in elements for name in _names(element)]
        case SomePattern(inner, _):
            return _names(inner)
        case NonePattern():
            return []
