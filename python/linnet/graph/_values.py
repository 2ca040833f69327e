"""Expressions as nodes. What the checker adds, such as a broadcast, is no node of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Final, cast

from linnet.checker import (
    Access,
    Ascribe,
    Binary,
    Binding,
    Broadcast,
    Build,
    Call,
    CallMethod,
    Cast,
    Compare,
    Comprehension,
    Concat,
    Constant,
    Cumsum,
    DimValue,
    ElementOf,
    EnumValue,
    Expr,
    FieldRead,
    If,
    IndexVar,
    InstanceArrayType,
    InstanceType,
    Invalid,
    Iota,
    Local,
    LocalRef,
    MatchEnum,
    MatchOptional,
    MemberRead,
    NoneValue,
    OptionalType,
    Reduce,
    Reshape,
    Scoped,
    Select,
    SelfInstance,
    Slice,
    Some,
    Splat,
    StructType,
    Take,
    TensorType,
    Transpose,
    Tuple,
    Type,
    Unary,
    show_dim,
)
from linnet.graph._data import Body, NodeKind
from linnet.graph._scope import Fixed, Group, Place, Ref, Scope, Value, shortened
from linnet.source import Span

_WORDS: Final = {
    "neg": "negate",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "rem": "remainder",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}


def bind(scope: Scope, binding: Binding) -> None:
    """Give the names of a binding their values."""
    value = evaluate(scope, binding.value)
    if not binding.unpack:
        scope.bind(binding.locals[0], value)
        return
    parts = scope.elements(value, binding.span)
    for local, part in zip(binding.locals, parts, strict=True):
        scope.bind(local, part)


def evaluate(scope: Scope, node: Expr) -> Value:
    """Add the nodes of an expression and give its value."""
    match node:
        case LocalRef(_, _, local):
            return scope.lookup(local)
        case Constant() | DimValue() | EnumValue() | NoneValue():
            return _fixed(scope, node)
        case SelfInstance():
            return Place("")
        case MemberRead():
            return _member(scope, node)
        case ElementOf(_, _, base, position, _):
            of = evaluate(scope, base)
            assert isinstance(of, Place)
            return Place(f"{of.path}.{show_dim(scope.bound.dim(position))}")
        case Broadcast(_, _, operand, _) | Ascribe(_, _, operand, _, _):
            return evaluate(scope, operand)
        case Some(_, _, value):
            return evaluate(scope, value)
        case Unary(_, _, op, operand):
            return _op(scope, _WORDS.get(op, op), node, (operand,))
        case Binary(_, _, op, left, right):
            return _op(scope, _WORDS.get(op, op), node, (left, right))
        case Compare(_, _, op, left, right):
            return _op(scope, _WORDS.get(op, op), node, (left, right))
        case Select(_, _, condition, then, otherwise):
            return _op(scope, "select", node, (condition, then, otherwise))
        case Cast(_, _, operand):
            return _op(scope, "cast", node, (operand,))
        case Reshape(_, _, operand, _):
            return _op(scope, "reshape", node, (operand,))
        case Transpose(_, _, operand, order):
            return _op(scope, "permute", node, (operand,), str(list(order)))
        case Slice(_, _, operand, _, _):
            return _op(scope, "slice", node, (operand,), _after(operand, node))
        case Take(_, _, operand, index, _):
            return _op(scope, "take", node, (operand, index), _after(operand, node))
        case Concat(_, _, operands, axis, _):
            return _op(scope, "concat", node, operands, f"axis = {axis}")
        case Cumsum(_, _, operand, axis):
            return _op(scope, "cumsum", node, (operand,), f"axis = {axis}")
        case Iota():
            return scope.add("op", "iota", node.span, (), node.type)
        case Splat(_, _, value):
            filled = evaluate(scope, value)
            use = scope.use(filled, node.span)
            return scope.add("op", "fill", node.span, (use,), node.type)
        case Tuple(_, _, elements):
            return Group(tuple(evaluate(scope, element) for element in elements))
        case Build(_, _, values):
            return _op(scope, _struct_name(node.type), node, values)
        case FieldRead(_, _, base, position):
            return _op(scope, f".{_field_name(scope, base.type, position)}", node, (base,))
        case Call() | CallMethod():
            return _call(scope, node)
        case Scoped(_, _, bindings, body):
            for binding in bindings:
                bind(scope, binding)
            return evaluate(scope, body)
        case If() | MatchOptional() | MatchEnum():
            return _choice(scope, node)
        case Comprehension():
            return _comprehension(scope, node)
        case Access() | Reduce() | Invalid():
            raise AssertionError(f"no value outside of elements: {node.span.text!r}")


def _fixed(scope: Scope, node: Expr) -> Fixed:
    return Fixed(shortened(node.span.text), node.type, node.span)


def _after(operand: Expr, node: Expr) -> str:
    """What is written behind the operand: the brackets of a slice."""
    if operand.span.file is not node.span.file or operand.span.end > node.span.end:
        return ""
    return shortened(Span(node.span.file, operand.span.end, node.span.end).text)


def _op(scope: Scope, title: str, node: Expr, operands: Sequence[Expr], detail: str = "") -> Value:
    """An operation; of scalars that are all known before a run, so is the result."""
    values = [evaluate(scope, operand) for operand in operands]
    known = all(isinstance(value, Fixed) for value in values)
    if known and isinstance(node.type, TensorType) and not node.type.shape:
        return _fixed(scope, node)
    uses = [scope.use(value, node.span) for value in values]
    type_ = node.type
    made = scope.add("op", title, node.span, uses, type_, detail=detail, types=(type_,))
    return made.elements[0] if isinstance(made, Group) else made


def _struct_name(type_: Type) -> str:
    return type_.symbol.rpartition("::")[2] if isinstance(type_, StructType) else "struct"


def _field_name(scope: Scope, type_: Type, position: int) -> str:
    if not isinstance(type_, StructType):
        return str(position)
    return scope.frames.program.structs[type_.symbol].fields[position].name


def _member(scope: Scope, node: MemberRead) -> Value:
    base = evaluate(scope, node.base)
    assert isinstance(base, Place)
    path = f"{base.path}.{node.name}" if base.path else node.name
    inner = node.type.inner if isinstance(node.type, OptionalType) else node.type
    if isinstance(inner, InstanceType | InstanceArrayType):
        return Place(path)
    own = node.base.type
    kind: NodeKind = "param"
    if isinstance(own, InstanceType):
        declared = scope.frames.program.blocks[own.symbol].members[node.name].kind
        kind = declared if declared != "sub" else "param"
    if kind == "state" and not base.path:
        held = scope.state(node.name)
        if held is not None:
            return held
    return scope.add(kind, path, node.span, (), node.type, path=path)


# Calls ------------------------------------------------------------------------------------


def _call(scope: Scope, node: Call | CallMethod) -> Value:
    function = node.function
    instance, path, title = None, "", function.name
    if isinstance(node, CallMethod):
        base = evaluate(scope, node.instance)
        assert isinstance(base, Place)
        path = base.path
        title = path or function.name
        own = node.instance.type
        assert isinstance(own, InstanceType)
        instance = scope.bound.instance(own)
    # As they are written, whatever the order of the parameters [STA-2].
    order = sorted(range(len(node.args)), key=lambda at: node.args[at].span.start)
    values = {at: evaluate(scope, node.args[at]) for at in order}
    uses = [
        scope.use(values[at], node.span, param.name) for at, param in enumerate(function.params)
    ]
    frame = scope.frames.of_call(function, instance, scope.bound.args(node.generics))
    label = f"{function.block.name}.{function.name}" if function.block else function.name
    made = scope.add(
        "call", title, node.span, uses, node.type,
        detail=label if function.block else "",
        path=path,
        callee=f"{function.module}::{label}",
        bodies=(Body("", frame, tuple(range(len(uses)))),),
    )  # fmt: skip
    if isinstance(node, CallMethod) and not path:
        scope.forget()  # A method of this instance may write any of its states.
    return made


# Choices ----------------------------------------------------------------------------------


def _choice(scope: Scope, node: If | MatchOptional | MatchEnum) -> Value:
    arms: list[tuple[str, Expr, Local | None, Local | None]]
    match node:
        case If(_, _, condition, then, otherwise):
            subject, title = condition, "if"
            arms = [("then", then, None, None), ("else", otherwise, None, None)]
        case MatchOptional(_, _, scrutinee, whole, payload, some, none):
            subject, title = scrutinee, "match"
            arms = [(_some(some), some, whole, payload), ("none", none, whole, None)]
        case MatchEnum(_, _, scrutinee, cases, default):
            subject, title = scrutinee, "match"
            arms = [(name, body, None, None) for name, body in cases]
            if default is not None:
                arms.append(("_", default, None, None))
    value = evaluate(scope, subject)
    scopes: list[Scope] = []
    for _, body, whole, payload in arms:
        inner = scope.inner()
        for local in (whole, payload):
            if local is not None:
                inner.lent[local] = value
        inner.results(evaluate(inner, body), body.span)
        scopes.append(inner)
    uses = [scope.use(value, subject.span)]
    captured = {ref.id: ref for inner in scopes for ref in inner.captured}
    for ref in captured.values():
        if not isinstance(value, Ref) or ref.id != value.id:
            uses.append(scope.use(ref, node.span, scope.name_of(ref)))
    bodies = [
        Body(
            label,
            scope.frames.of_part("arm", label, scope.block, inner.nodes()),
            inner.takes(uses),
        )
        for (label, _, _, _), inner in zip(arms, scopes, strict=True)
    ]
    made = scope.add(
        "choice", title, node.span, uses, node.type,
        detail=shortened(subject.span.text), bodies=bodies,
    )  # fmt: skip
    scope.forget([name for inner in scopes for name in inner.wrote])
    return made


def _some(body: Expr) -> str:
    """The pattern of the arm of a `some`, whose name the arm binds first."""
    bindings = body.bindings if isinstance(body, Scoped) else ()
    names = [local.name for binding in bindings[:1] for local in binding.locals]
    return f"some({', '.join(names)})" if names else "some"


# Index notation ---------------------------------------------------------------------------


def _comprehension(scope: Scope, node: Comprehension) -> Value:
    """One node for all of it, with what it reads as operands and the source as its detail."""
    operands: dict[Value, str] = {}
    for read in _reads(scope, node.body, set()):
        value = evaluate(scope, read)
        if isinstance(value, Ref):
            operands.setdefault(value, scope.name_of(value))
    reduction = next((one for one in _inside(node.body) if isinstance(one, Reduce)), None)
    title = "elements" if reduction is None else str(reduction.op)
    uses = [scope.use(value, node.span, name) for value, name in operands.items()]
    detail = shortened(node.span.text.removeprefix("let "))
    return scope.add("op", title, node.span, uses, node.type, detail=detail)


def _reads(scope: Scope, node: Expr, own: set[Local]) -> Iterator[Expr]:
    """What an element expression reads that has a value outside of the elements."""
    match node:
        case LocalRef(_, _, local):
            if local not in own and scope.holds(local):
                yield node
        case MemberRead():
            if _is_outside(scope, node, own):
                yield node
        case Access(_, _, base, parts):
            if _is_outside(scope, base, own):
                yield base
            else:
                yield from _reads(scope, base, own)
            for part in parts:
                if not isinstance(part, IndexVar):
                    yield from _reads(scope, part, own)
        case Scoped(_, _, bindings, body):
            for binding in bindings:
                yield from _reads(scope, binding.value, own)
                own = own | set(binding.locals)
            yield from _reads(scope, body, own)
        case MatchOptional(_, _, scrutinee, whole, payload, some, none):
            yield from _reads(scope, scrutinee, own)
            yield from _reads(scope, some, own | {whole, payload})
            yield from _reads(scope, none, own | {whole, payload})
        case _:
            for inner in _children(node):
                yield from _reads(scope, inner, own)


def _is_outside(scope: Scope, node: Expr, own: set[Local]) -> bool:
    mentioned = [one.local for one in _inside(node) if isinstance(one, LocalRef)]
    return all(local not in own and scope.holds(local) for local in mentioned)


def _inside(node: Expr) -> Iterator[Expr]:
    yield node
    for inner in _children(node):
        yield from _inside(inner)


def _children(node: Expr) -> Iterator[Expr]:
    for field in fields(node):
        yield from _expressions(getattr(node, field.name))


def _expressions(part: object) -> Iterator[Expr]:
    if isinstance(part, Expr):
        yield part
    elif isinstance(part, tuple):
        for entry in cast(tuple[object, ...], part):
            yield from _expressions(entry)
