"""The part of a refused program that can still be proven, so that one run tells everything.

A statement with a problem of its own gives way to a placeholder of its type: what only follows
from it stays silent, and every other claim of its function is proven as if it were right.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from linnet.checker._program import (
    Assign,
    AssignState,
    Binding,
    Block,
    Build,
    Call,
    CallMethod,
    Cast,
    Constant,
    EnumValue,
    Expr,
    For,
    ForEach,
    ForRange,
    FunctionBody,
    NoneValue,
    Require,
    Return,
    Splat,
    Stmt,
    Store,
    Struct,
    Tuple,
    TypedProgram,
    While,
    nodes_in,
)
from linnet.checker._structs import field_types
from linnet.checker._types import (
    BOOL,
    EnumType,
    ErrorType,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    StructType,
    TensorType,
    TupleType,
    Type,
    belongs,
    scalar,
)
from linnet.checker._world import World
from linnet.source import Span
from linnet.syntax import Kind


def sound_part(world: World, root: str) -> TypedProgram | None:
    """What can be proven of a program with problems; None if that is nothing."""
    structs = dict(world.structs())
    if any(isinstance(f.type, ErrorType) for struct in structs.values() for f in struct.fields):
        return None
    blocks = _blocks(world)
    bodies = {
        function: body
        for function, found in world.bodies.items()
        if function not in world.unsure
        and (function.block is None or function.block.symbol in blocks)
        and (body := _body(found, structs)) is not None
    }
    while True:
        kept = {
            function: body
            for function, body in bodies.items()
            if all(callee in bodies for callee, _ in body.calls)
        }
        if len(kept) == len(bodies):
            break
        bodies = kept
    if not bodies and not blocks:
        return None
    return TypedProgram(root, blocks, dict(world.enums), structs, bodies)


def _blocks(world: World) -> dict[str, Block]:
    """Blocks whose facts are known, without the members that have no type."""
    for block in world.blocks.values():
        bad = [name for name, member in block.members.items() if _is_wrong(member.type)]
        for name in bad:
            del block.members[name]
    refused = {block.symbol for block in world.blocks.values() if block in world.unsure}
    while True:
        fresh = {
            block.symbol
            for block in world.blocks.values()
            if block.symbol not in refused
            and any(
                (inner := instance_in(member.type)) is not None and inner.symbol in refused
                for member in block.members.values()
            )
        }
        if not fresh:
            return {s: block for s, block in world.blocks.items() if s not in refused}
        refused |= fresh


def instance_in(type_: Type) -> InstanceType | None:
    """The block that a member instantiates, if it does."""
    match type_:
        case OptionalType(inner):
            return instance_in(inner)
        case InstanceArrayType(element, _):
            return element
        case InstanceType():
            return type_
        case _:
            return None


def _is_wrong(part: object) -> bool:
    """Whether an expression, or a type, has a problem that was reported."""
    if isinstance(part, ErrorType):
        return True
    return any(isinstance(node.type, ErrorType) for node in nodes_in(part))


def _body(body: FunctionBody, structs: Mapping[str, Struct]) -> FunctionBody | None:
    """The body with placeholders; None if its signature is wrong or nothing can stand in."""
    function = body.function
    if any(isinstance(param.type, ErrorType) for param in function.params):
        return None
    if isinstance(function.result, ErrorType):
        return None
    fits = not _is_wrong(body.statements) and not _assigns_wrong(body.statements, function.block)
    if fits and body.statements[-1:] and _returns(body):
        return body
    statements: list[Stmt] = [
        statement
        for statement in _kept(body.statements, function.block, structs)
        if not isinstance(statement, Return)
    ]
    last = body.statements[-1] if body.statements else None
    if isinstance(last, Return) and _returns(body) and not _is_wrong(last.value):
        statements.append(last)
    elif function.result is None:
        statements.append(Return(None, function.syntax.body.span))
    else:
        value = _placeholder(function.result, function.syntax.body.span, structs)
        if value is None:
            return None
        statements.append(Return(value, function.syntax.body.span))
    calls = tuple(
        (node.function, node.span)
        for node in nodes_in(tuple(statements))
        if isinstance(node, Call | CallMethod)
    )
    return FunctionBody(function, tuple(statements), calls)


def _assigns_wrong(statements: Iterable[Stmt], block: Block | None) -> bool:
    """Whether statements assign a state whose declaration is wrong."""
    for statement in statements:
        match statement:
            case AssignState(name=name):
                if block is None or name not in block.members:
                    return True
            case ForEach(body=body) | ForRange(body=body) | While(body=body) | For(body=body):
                if _assigns_wrong(body, block):
                    return True
            case _:
                pass
    return False


def _returns(body: FunctionBody) -> bool:
    """Whether the last statement returns what the signature says."""
    last = body.statements[-1]
    return isinstance(last, Return) and (last.value is None) == (body.function.result is None)


def _kept(
    statements: Iterable[Stmt], block: Block | None, structs: Mapping[str, Struct]
) -> Iterator[Stmt]:
    for statement in statements:
        match statement:
            case Require():
                yield statement
            case Binding(locals_, _, value, span):
                if not _is_wrong(value):
                    yield statement
                    continue
                for local in locals_:
                    stand_in = _placeholder(local.type, span, structs)
                    if stand_in is not None:
                        yield Binding((local,), unpack=False, value=stand_in, span=span)
            case AssignState(name, value, _):
                if block is not None and name in block.members and not _is_wrong(value):
                    yield statement
            case Assign(_, value, _) | Return(value, _):
                if not _is_wrong(value):
                    yield statement
            case Store():
                if not _is_wrong(statement):
                    yield statement
            case ForEach(_, array, inner, _):
                if not _is_wrong(array):
                    yield replace(statement, body=tuple(_kept(inner, block, structs)))
            case ForRange(_, _, _, inner, _):
                yield replace(statement, body=tuple(_kept(inner, block, structs)))
            case While(condition, inner, _):
                if not _is_wrong(condition):
                    yield replace(statement, body=tuple(_kept(inner, block, structs)))
            case For():
                yield from _kept_loop(statement, block, structs)


def _kept_loop(loop: For, block: Block | None, structs: Mapping[str, Struct]) -> Iterator[Stmt]:
    """A counted loop; where what it yields is wrong, something stands in for the stack."""
    body = tuple(_kept(loop.body, block, structs))
    if loop.stack is None or not _is_wrong(loop.element):
        yield replace(loop, body=body)
        return
    yield replace(loop, body=body, element=None, stack=None)
    stand_in = _placeholder(loop.stack.type, loop.span, structs)
    if stand_in is not None:
        yield Binding((loop.stack,), unpack=False, value=stand_in, span=loop.span)


def _placeholder(type_: Type, span: Span, structs: Mapping[str, Struct]) -> Expr | None:
    """Some value of a type that claims nothing; None where there is none."""
    match type_:
        case TensorType((), dtype):
            if belongs(dtype, Kind.NUMERIC):
                return Constant(type_, span, 0)
            false = Constant(scalar(BOOL), span, value=False)
            return false if dtype == BOOL else Cast(type_, span, false)
        case TensorType(_, dtype):
            inner = _placeholder(scalar(dtype), span, structs)
            return None if inner is None else Splat(type_, span, inner)
        case TupleType(elements):
            parts = [_placeholder(element, span, structs) for element in elements]
            known = tuple(part for part in parts if part is not None)
            return Tuple(type_, span, known) if len(known) == len(parts) else None
        case StructType(symbol):
            types = field_types(structs[symbol], type_)
            parts = [_placeholder(inner, span, structs) for inner in types]
            known = tuple(part for part in parts if part is not None)
            return Build(type_, span, known) if len(known) == len(parts) else None
        case OptionalType():
            return NoneValue(type_, span)
        case EnumType(_, variants):
            return EnumValue(type_, span, variants[0]) if variants else None
        case _:
            return None
