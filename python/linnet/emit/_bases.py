"""What index notation reads from, in order of evaluation: tensors under accesses, fields."""

from collections.abc import Iterator

from linnet.checker import (
    Access,
    Ascribe,
    Binary,
    Call,
    CallMethod,
    Cast,
    Compare,
    Expr,
    FieldRead,
    If,
    IndexVar,
    Local,
    LocalRef,
    MatchEnum,
    MatchOptional,
    Reduce,
    Scoped,
    Select,
    Unary,
    nodes_in,
)


def bases_of(node: Expr) -> Iterator[Expr]:
    """The base of each access in an element expression."""
    match node:
        case Access(_, _, base, parts):
            yield base
            for part in parts:
                if not isinstance(part, IndexVar):
                    yield from bases_of(part)
        case FieldRead():
            yield node
        case Unary(operand=operand) | Cast(operand=operand) | Ascribe(operand=operand):
            yield from bases_of(operand)
        case Binary(left=left, right=right) | Compare(left=left, right=right):
            yield from bases_of(left)
            yield from bases_of(right)
        case Select(condition=a, then=b, otherwise=c) | If(condition=a, then=b, otherwise=c):
            yield from bases_of(a)
            yield from bases_of(b)
            yield from bases_of(c)
        case Call(args=args):
            for arg in args:
                yield from bases_of(arg)
        case CallMethod(instance=instance, args=args):
            yield instance
            for arg in args:
                yield from bases_of(arg)
        case Scoped(bindings=bindings, body=body):
            for binding in bindings:
                yield from bases_of(binding.value)
            yield from bases_of(body)
        case MatchOptional(scrutinee=a, some=b, none=c):
            yield from bases_of(a)
            yield from bases_of(b)
            yield from bases_of(c)
        case MatchEnum(scrutinee=a, cases=cases, default=default):
            yield from bases_of(a)
            for _, value in cases:
                yield from bases_of(value)
            if default is not None:
                yield from bases_of(default)
        case Reduce(body=body):
            yield from bases_of(body)
        case _:
            return


def free_locals(node: Expr) -> set[Local]:
    """The locals that an expression mentions and does not bind itself."""
    mentioned: set[Local] = set()
    bound: set[Local] = set()
    for inner in nodes_in(node):
        match inner:
            case LocalRef(local=local):
                mentioned.add(local)
            case MatchOptional(whole=whole, payload=payload):
                bound |= {whole, payload}
            case Scoped(bindings=bindings):
                bound |= {local for binding in bindings for local in binding.locals}
            case _:
                pass
    return mentioned - bound
