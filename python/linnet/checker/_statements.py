"""Statements and function bodies (spec section 10, [FUN-2])."""

from linnet.checker import _problems as problems
from linnet.checker._branches import bind_pattern, condition
from linnet.checker._claims import RangeForward
from linnet.checker._context import Context
from linnet.checker._convert import Site, coerce, settle, value_of
from linnet.checker._dims import Dim, Outcome, as_constant, compare, show_dim
from linnet.checker._index_notation import infer_comprehension
from linnet.checker._kernels import check_store
from linnet.checker._names import MemberEntity, Unresolved, entity_word
from linnet.checker._origins import Written
from linnet.checker._program import (
    Assign,
    AssignState,
    Binding,
    Expr,
    For,
    ForEach,
    ForRange,
    Function,
    Local,
    LocalRef,
    Return,
    Stmt,
    While,
)
from linnet.checker._refusals import refuse
from linnet.checker._resolve import resolve_type
from linnet.checker._types import (
    ERROR,
    I64,
    ErrorType,
    InstanceArrayType,
    TensorType,
    TupleType,
    Type,
    scalar,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Value, invalid, is_invalid
from linnet.diagnostics import Label
from linnet.source import Span
from linnet.syntax import Assign as AssignSyntax
from linnet.syntax import (
    Body,
    Let,
    LetIndexed,
    Name,
    NamePattern,
    Pattern,
    StaticFor,
    Store,
    Var,
    Yield,
)
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import For as ForSyntax
from linnet.syntax import Return as ReturnSyntax
from linnet.syntax import Stmt as StmtSyntax
from linnet.syntax import While as WhileSyntax


def check_body(ctx: Context, function: Function, body: Body) -> tuple[Stmt, ...]:
    """The statements of a function; `return` is last and single [FUN-2]."""
    last = len(body.statements) - 1
    returned = False
    with ctx.collecting() as out:
        for at, statement in enumerate(body.statements):
            if isinstance(statement, ReturnSyntax) and ctx.kernel is None:
                returned = True
                if at != last:
                    ctx.report(problems.early_return(statement.span))
                    _ignore_value(ctx, statement)
                    continue
                _return(ctx, function, statement)
            else:
                _statement(ctx, statement)
    if function.result is None:
        if not returned:
            out.append(Return(None, body.span))
    elif not returned and not any(map(_returns, body.statements)):
        ctx.report(
            problems.missing_return(function.syntax.name, show_type(function.result), body.span)
        )
    return tuple(out)


def _returns(statement: StmtSyntax) -> bool:
    """Whether a `return` stands inside, where it is reported; none misses at the end then."""
    match statement:
        case ReturnSyntax():
            return True
        case WhileSyntax(body=body) | StaticFor(body=body) | ForSyntax(body=body):
            return any(map(_returns, body.statements))
        case _:
            return False


def _ignore_value(ctx: Context, statement: ReturnSyntax) -> None:
    if statement.value is not None:
        _value(ctx, statement.value)


def _return(ctx: Context, function: Function, statement: ReturnSyntax) -> None:
    result = function.result
    if statement.value is None:
        if result is not None:
            ctx.report(problems.bare_return(statement.span, function.name, show_type(result)))
        ctx.statements.append(Return(None, statement.span))
        return
    if result is None:
        _value(ctx, statement.value)
        ctx.report(problems.value_returned(statement.value.span, function.name))
        return
    declared = function.syntax.result
    label = None if declared is None else Label(declared.span, "the result is declared here")
    site = Site("required", f"the result of `{function.name}`", label, Written(declared))
    value = coerce(ctx, _value(ctx, statement.value), result, site)
    ctx.statements.append(Return(value, statement.span))


def _statement(ctx: Context, statement: StmtSyntax) -> None:
    match statement:
        case Let():
            _let(ctx, statement)
        case LetIndexed(name, _, _, span):
            value = infer_comprehension(ctx, statement)
            local = Local(name.text, value.type, name.span)
            ctx.declare(local)
            ctx.statements.append(Binding((local,), unpack=False, value=value, span=span))
        case Var(name, _, _, span):
            value, type_ = _initial(ctx, name, statement)
            node = settle(ctx, value)
            local = Local(name.text, type_ or node.type, name.span, mutable=True)
            ctx.declare(local)
            ctx.statements.append(Binding((local,), unpack=False, value=node, span=span))
        case AssignSyntax():
            _assign(ctx, statement)
        case ReturnSyntax(_, span):
            in_kernel = ctx.kernel is not None
            ctx.report(
                problems.return_in_kernel(span) if in_kernel else problems.return_in_loop(span)
            )
            _ignore_value(ctx, statement)
        case StaticFor():
            _static_for(ctx, statement)
        case Store():
            made = check_store(ctx, statement)
            if made is not None:
                ctx.statements.append(made)
        case WhileSyntax(test_syntax, body, span):
            test = condition(ctx, test_syntax, "`while`")
            statements = _loop(ctx, body, None)
            if test is not None:
                ctx.statements.append(While(test, statements, span))
        case ForSyntax():
            _for(ctx, statement, taken=False)
        case Yield(value, span):
            value_of(ctx, value)
            ctx.report(problems.yield_misplaced(span))


def _initial(ctx: Context, name: Name, statement: Let | Var) -> tuple[Value, Type | None]:
    """The value of a `let` or `var`, and its type if one is written [CTL-1]."""
    if statement.type is None:
        return _value(ctx, statement.value), None
    required = resolve_type(ctx, statement.type)
    value = _value(ctx, statement.value)
    if isinstance(required, ErrorType):
        return invalid(statement.value.span), ERROR
    label = Label(statement.type.span, "the type is written here")
    site = Site("required", f"`{name.text}`", label, Written(statement.type))
    node = coerce(ctx, value, required, site)
    return node, required


def _let(ctx: Context, statement: Let) -> None:
    pattern = statement.pattern
    name = pattern.name if isinstance(pattern, NamePattern) else None
    shown = name or Name(pattern.span.text, pattern.span)
    value, type_ = _initial(ctx, shown, statement)
    if name is not None and isinstance(value, Ci) and as_constant(value.dim) is None:
        # A symbolic CI stays one, usable in shapes [TYP-14].
        ctx.declare(Local(name.text, scalar(I64), name.span, ci=value.dim))
        return
    node = settle(ctx, value)
    if name is not None:
        local = Local(name.text, type_ or node.type, name.span)
        ctx.declare(local)
        ctx.statements.append(Binding((local,), unpack=False, value=node, span=statement.span))
        return
    bindings = bind_pattern(ctx, pattern, node)
    ctx.statements.extend(bindings or ())


def _assign(ctx: Context, statement: AssignSyntax) -> None:
    target = statement.target
    entity = ctx.resolve(target, "target")
    match entity:
        case None | Unresolved():
            _value(ctx, statement.value)
        case Local() if ctx.kernel is not None and ctx.kernel.holds(entity):
            _value(ctx, statement.value)
            ctx.report(problems.memory_as_value(target.span, target.text, entity.span))
        case Local(type=type_, mutable=True):
            label = Label(entity.span, f"`{target.text}` gets its type here")
            site = Site("assignment", f"the assignment to `{target.text}`", label)
            value = coerce(ctx, _value(ctx, statement.value), type_, site)
            ctx.statements.append(Assign(entity, value, statement.span))
        case MemberEntity(_, member) if member.kind == "state":
            ctx.touches_state = True
            function = ctx.function
            if function is not None and function.kind == "op":
                _value(ctx, statement.value)
                ctx.report(problems.state_from_op(target.span, target.text, function.name))
                return
            label = Label(member.span, f"`{target.text}` gets its type here")
            site = Site("assignment", f"the assignment to `{target.text}`", label)
            value = coerce(ctx, _value(ctx, statement.value), member.type, site)
            ctx.statements.append(AssignState(member.name, value, statement.span))
        case Local():
            _value(ctx, statement.value)
            ctx.report(problems.not_assignable(target, "not a `var`", entity.span))
        case MemberEntity(_, member):
            _value(ctx, statement.value)
            ctx.report(problems.not_assignable(target, f"a `{member.kind}`", member.span))
        case _:
            _value(ctx, statement.value)
            ctx.report(problems.not_assignable(target, entity_word(entity), None))


def _static_for(ctx: Context, statement: StaticFor) -> None:
    if statement.stop is not None:
        _range(ctx, statement)
        return
    subject = ctx.infer(statement.subject)
    if is_invalid(subject):
        _loop(ctx, statement.body, _loop_local(ctx, statement.pattern, ERROR))
        return
    if isinstance(subject, Contextual) or not isinstance(subject.type, InstanceArrayType):
        found = "a literal" if isinstance(subject, Contextual) else f"`{show_type(subject.type)}`"
        ctx.report(problems.static_for_subject(statement.subject.span, found))
        _loop(ctx, statement.body, _loop_local(ctx, statement.pattern, ERROR))
        return
    local = _loop_local(ctx, statement.pattern, subject.type.element)
    body = _loop(ctx, statement.body, local)
    if local is not None:
        ctx.statements.append(ForEach(local, subject, body, statement.span))


def _range(ctx: Context, statement: StaticFor) -> None:
    assert statement.stop is not None
    bounds: list[Ci] = []
    for bound in (statement.subject, statement.stop):
        value = ctx.infer(bound)
        if isinstance(value, Ci):
            bounds.append(value)
        elif not is_invalid(value):
            ctx.report(problems.static_for_bound(bound.span))
    local = _loop_local(ctx, statement.pattern, scalar(I64))
    body = _loop(ctx, statement.body, local)
    if local is not None and len(bounds) == 2:
        start, stop = bounds
        ctx.statements.append(ForRange(local, start.dim, stop.dim, body, statement.span))


def _loop_local(ctx: Context, pattern: Pattern, type_: Type) -> Local | None:
    if isinstance(pattern, NamePattern):
        return Local(pattern.name.text, type_, pattern.span)
    ctx.report(problems.pattern_kind(pattern.span, show_type(type_)))
    return None


def _value(ctx: Context, value: ExprSyntax | ForSyntax) -> Value:
    """The whole value of a statement: an expression, or the stack that a scan gives [LAT-5]."""
    if isinstance(value, ForSyntax):
        return _for(ctx, value, taken=True)
    return value_of(ctx, value)


def _for(ctx: Context, loop: ForSyntax, *, taken: bool) -> Expr:
    """A counted loop; where its value is taken, the stack of what it yields [LAT-4..6]."""
    start, stop = ctx.dimension(loop.start), ctx.dimension(loop.stop)
    position = Local(loop.name.text, scalar(I64), loop.name.span)
    statements = loop.body.statements
    last = statements[-1] if statements else None
    ending = last if isinstance(last, Yield) else None
    element: Expr | None = None
    with ctx.nested(), ctx.collecting() as body:
        ctx.declare(position)
        for statement in statements if ending is None else statements[:-1]:
            _statement(ctx, statement)
        if ending is not None:
            element = settle(ctx, value_of(ctx, ending.value))
    if taken and ending is None and not _yields(loop.body):
        ctx.report(problems.scan_without_yield(loop.head_span, loop.body.span))
    if not taken and ending is not None:
        ctx.report(problems.yield_untaken(ending.span, loop.head_span))
    if start is None or stop is None:
        return invalid(loop.span)
    bounds = Span(loop.span.file, loop.start.span.start, loop.stop.span.end)
    record = RangeForward(bounds, show_dim(start), show_dim(stop))
    low, high = as_constant(start), as_constant(stop)
    if low is not None and high is not None and low > high:
        ctx.report(refuse(record, Outcome(str(compare("<=", start, stop)), "refuted")))
        return invalid(loop.span)
    stack: Local | None = None
    if taken:
        stacked = None if element is None else _stacked(element.type, stop - start)
        if element is not None and stacked is None:
            ctx.report(problems.not_stackable(element.span, show_type(element.type)))
        if stacked is None or isinstance(stacked, ErrorType):
            return invalid(loop.span)
        stack = Local("", stacked, loop.span, lint=False)
    ctx.statements.append(
        For(
            position, start, stop, tuple(body), element if taken else None, stack, record, loop.span
        )
    )
    return invalid(loop.span) if stack is None else LocalRef(stack.type, loop.span, stack)


def _yields(body: Body) -> bool:
    """Whether a body holds a `yield`, which is then reported where it stands."""
    return any(
        isinstance(statement, Yield)
        or (isinstance(statement, ForSyntax | StaticFor | WhileSyntax) and _yields(statement.body))
        for statement in body.statements
    )


def _stacked(type_: Type, count: Dim) -> Type | None:
    """The type of `count` values of a type, one above the other; None if it does not stack."""
    match type_:
        case ErrorType():
            return type_
        case TensorType(shape, dtype):
            return TensorType((count, *shape), dtype)
        case TupleType(elements):
            stacks = [_stacked(element, count) for element in elements]
            known = tuple(stack for stack in stacks if stack is not None)
            return TupleType(known) if len(known) == len(stacks) else None
        case _:
            return None


def _loop(ctx: Context, body: Body, local: Local | None) -> tuple[Stmt, ...]:
    with ctx.nested(), ctx.collecting() as out:
        if local is not None:
            ctx.declare(local)
        for statement in body.statements:
            _statement(ctx, statement)
    return tuple(out)
