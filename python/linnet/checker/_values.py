"""What an expression may be before context gives it a dtype [TYP-10, TYP-11].

An expression is a typed node, a compile-time integer, or something contextual that builds
its node once a dtype or type is known.
"""

from collections.abc import Callable
from dataclasses import dataclass

from linnet.checker._dims import Dim
from linnet.checker._program import Expr, Invalid
from linnet.checker._types import ERROR, Dtype, ErrorType, Type
from linnet.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Ci:
    """A compile-time integer."""

    dim: Dim
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """A scalar that takes its dtype from context.

    `floating` says that it adopts only a `Float` dtype; `value` is its number, if constant;
    `build` gives the node for a dtype of the right class.
    """

    floating: bool
    value: float | int | None
    build: Callable[[Dtype], Expr]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PendingNone:
    """`none`, whose type only context gives [TYP-15]."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PendingSome:
    """`some(e)` with a contextual `e`."""

    value: "Value"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PendingTuple:
    """A tuple with a contextual element."""

    values: "tuple[Value, ...]"
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PendingChoice:
    """An `if` or `match` whose branches are all contextual and not scalars."""

    branches: "tuple[Value, ...]"
    build: Callable[[tuple[Expr, ...], Type], Expr]
    span: Span


Value = Expr | Ci | Pending | PendingNone | PendingSome | PendingTuple | PendingChoice
Contextual = (Ci, Pending, PendingNone, PendingSome, PendingTuple, PendingChoice)


def invalid(span: Span) -> Invalid:
    """What stands for an expression with a reported problem."""
    return Invalid(ERROR, span)


def is_invalid(value: Value) -> bool:
    """Whether a problem was already reported for a value."""
    if isinstance(value, Contextual):
        return False
    return isinstance(value.type, ErrorType)
