"""The prover's dimensions, as the checker uses them: a thin adapter, so the algebra exists once.

`Dim`, `Constraint` and `Facts` are the C++ values of `lib/Dims`; dims are canonical and
hashable, so structurally equal sizes are `==`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from linnet.mlir.dialects.linnet import Constraint, Dim, Facts
from linnet.syntax import CompareOp

__all__ = [
    "ONE",
    "ZERO",
    "Constraint",
    "Dim",
    "Facts",
    "Outcome",
    "as_constant",
    "ask",
    "compare",
    "constant",
    "dim_max",
    "dim_min",
    "facts_of",
    "is_lost",
    "parsed",
    "proves",
    "show_dim",
    "simplified",
    "substitute_constraint",
    "substitute_dim",
    "symbol",
]

Status = Literal["proven", "refuted", "unknown"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a claim: its text in the user's symbols, and why it does not hold.

    `settles` are the facts that would do, together, and `alternatives` further lists that would do
    as well, the most telling first. `index` says which of several claims of one record failed.
    `is_cut_short`: an unknown claim, or what the facts say, is too large to decide.
    """

    claim: str
    status: Status
    witness: Mapping[str, int | tuple[int, ...]] | None = None
    settles: tuple[str, ...] = ()
    index: int = 0
    alternatives: tuple[tuple[str, ...], ...] = ()
    is_cut_short: bool = False


def constant(value: int) -> Dim:
    """The dimension of a written integer."""
    return Dim.constant(value)


def symbol(name: str) -> Dim:
    """The dimension of a generic."""
    return Dim.symbol(name)


ZERO, ONE = constant(0), constant(1)


def as_constant(dim: Dim) -> int | None:
    """The value of a dimension that mentions no generic, else None."""
    return dim.value


def is_lost(result: Dim, *operands: Dim) -> bool:
    """Whether a result of constants is beyond what a `Dim` holds, so that it has no value.

    A symbolic size has no such limit: the prover bounds its own work.
    """
    return result.value is None and all(operand.value is not None for operand in operands)


def dim_min(left: Dim, right: Dim) -> Dim:
    """The smaller of two dimensions."""
    return Dim.min(left, right)


def dim_max(left: Dim, right: Dim) -> Dim:
    """The larger of two dimensions."""
    return Dim.max(left, right)


def show_dim(dim: Dim) -> str:
    """A dimension as the user writes it."""
    return str(dim)


def compare(op: CompareOp, left: Dim, right: Dim) -> Constraint:
    """A fact or claim."""
    return Constraint(left, op, right)


def substitute_dim(dim: Dim, values: Mapping[str, Dim]) -> Dim:
    """The dimension with all symbols replaced at once."""
    return dim.substitute(dict(values)) if values else dim


def substitute_constraint(constraint: Constraint, values: Mapping[str, Dim]) -> Constraint:
    """The constraint with all symbols replaced at once."""
    return constraint.substitute(dict(values)) if values else constraint


def facts_of(constraints: Sequence[Constraint]) -> Facts:
    """What is known in a scope [DIM-4]."""
    return Facts(list(constraints))


def proves(facts: Facts, claim: Constraint) -> bool:
    """Whether a claim follows from the facts."""
    return facts.is_provable(claim)


def ask(facts: Facts, claim: Constraint) -> Outcome:
    """The prover's whole answer, a witness or a settling fact included."""
    answer = facts.prove(claim)
    settles = () if answer.is_proven else tuple(map(str, facts.suggest(claim)))
    return Outcome(
        str(claim), answer.status, answer.witness, settles, is_cut_short=answer.is_cut_short
    )


def parsed(text: str) -> Constraint | None:
    """The constraint that a text shows; None if it shows none."""
    try:
        return Constraint.parse(text)
    except ValueError:
        return None


def simplified(facts: Facts, dim: Dim) -> Dim:
    """An equal dimension with minima, maxima and quotients resolved by the facts."""
    return facts.simplify(dim)
