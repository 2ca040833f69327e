"""What the prover is asked, with what a refusal needs to say: spans and shown values.

A claim is recorded where the checker makes it and worded by `refuse` only if the prover
does not settle it.
"""

from dataclasses import dataclass

from linnet.checker._dims import Outcome
from linnet.diagnostics import Diagnostic, Label
from linnet.source import Span


@dataclass(frozen=True, slots=True)
class DivisorPositive:
    """A written `/` or `%` over compile-time integers [DIM-6]."""

    span: Span
    divisor: str


@dataclass(frozen=True, slots=True)
class ShapesAgree:
    """A value meets a required type [DIM-10, TYP-8]. `site` reads like "the result of `f`"."""

    code: str
    span: Span
    site: str
    needed: str
    found: str
    declared: Label | None = None
    also: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class CountsAgree:
    """`reshape` keeps the number of elements [DIM-7]."""

    span: Span
    operand: Span
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class WhereHolds:
    """A callee's or block's `where` at a use [DIM-9]. One text and span a constraint."""

    span: Span
    name: str
    texts: tuple[str, ...]
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Broadcasts:
    """Two operands of one operation align [DIM-8, DIM-18]."""

    span: Span
    what: str
    left: Span
    left_shape: str
    right: Span
    right_shape: str


@dataclass(frozen=True, slots=True)
class ExtentsAgree:
    """One index on several axes [DIM-11]."""

    span: Span
    index: str
    extent: str
    first: Span
    first_extent: str


@dataclass(frozen=True, slots=True)
class InRange:
    """A compile-time position inside its axis or array [DIM-12]."""

    span: Span
    position: str
    size: str
    what: str


@dataclass(frozen=True, slots=True)
class BoundNotNegative:
    """A slice bound [DIM-13]."""

    span: Span
    bound: str


@dataclass(frozen=True, slots=True)
class JoinAgrees:
    """`concat` off the joined axis [DIM-14]."""

    span: Span
    shapes: tuple[str, ...]
    places: tuple[Span, ...]


Claim = (
    DivisorPositive
    | ShapesAgree
    | CountsAgree
    | WhereHolds
    | Broadcasts
    | ExtentsAgree
    | InRange
    | BoundNotNegative
    | JoinAgrees
)


def refuse(claim: Claim, outcome: Outcome) -> Diagnostic:
    """Word the refusal of a claim that the prover refuted or could not settle."""
    help_ = None
    if outcome.settles is not None:
        help_ = f"`where {outcome.settles}` settles it"
    code, message, primary, also, related, rule = _parts(claim, outcome)
    return Diagnostic(
        code,
        message,
        primary,
        also=also,
        related=related,
        notes=(rule,),
        help=help_,
        witness=outcome.witness or None,
    )


_Parts = tuple[str, str, Label, tuple[Label, ...], tuple[Label, ...], str]


def _parts(claim: Claim, outcome: Outcome) -> _Parts:
    match claim:
        case DivisorPositive(span, divisor):
            written = divisor.removeprefix("-").isdigit()
            found = f"`{divisor}`" if written else f"no proof of `{divisor} > 0`"
            return (
                "E2205",
                f"divisor `{divisor}` needs to be positive, found {found}",
                Label(span, "is not positive" if written else "may be 0 here"),
                (),
                (),
                "a compile-time integer is divided only by what is provably positive",
            )
        case ShapesAgree(code, span, site, needed, found, declared, also):
            return (
                code,
                f"{site} needs {needed}, found {found}",
                Label(span, f"this is {found}"),
                also,
                () if declared is None else (declared,),
                f"the types agree only if `{outcome.claim}`",
            )
        case CountsAgree(span, operand, source, target):
            return (
                "E2203",
                f"`reshape` needs equal element counts, found {source} for {target}",
                Label(span, f"target {target}"),
                (Label(operand, f"has shape {source}"),),
                (),
                f"the counts agree only if `{outcome.claim}`",
            )
        case WhereHolds(span, name, texts, places):
            index = min(outcome.index, len(texts) - 1)
            same = outcome.claim == texts[index]
            found = "it" if same else f"`{outcome.claim}`"
            return (
                "E2206",
                f"`{name}` needs `{texts[index]}`, found no proof of {found}",
                Label(span, "not provable here" if same else f"here it reads `{outcome.claim}`"),
                (),
                (Label(places[index], f"`{name}` states its constraint here"),),
                "a `where` clause is proven at every use",
            )
        case Broadcasts(span, what, left, left_shape, right, right_shape):
            return (
                "E2207",
                f"{what} needs shapes that broadcast, found {left_shape} and {right_shape}",
                Label(span, ""),
                (Label(left, left_shape), Label(right, right_shape)),
                (),
                "axes align from the right; each pair is equal or one is provably 1",
            )
        case ExtentsAgree(span, index, extent, first, first_extent):
            return (
                "E2201",
                f"index `{index}` needs one extent, found {first_extent} and {extent}",
                Label(span, f"here it ranges over {extent}"),
                (Label(first, f"here it ranges over {first_extent}"),),
                (),
                "the axes that an index addresses directly have one extent; 1 does not stretch",
            )
        case InRange(span, position, size, what):
            return (
                "E2209",
                f"position `{position}` needs to be inside {what} of size `{size}`",
                Label(span, f"not provably at least 0 and below `{size}`"),
                (),
                (),
                "a compile-time position is provably inside; nothing counts from the end",
            )
        case BoundNotNegative(span, bound):
            return (
                "E2209",
                f"slice bound `{bound}` needs to be at least 0, found no proof of it",
                Label(span, "may be negative"),
                (),
                (),
                "slice bounds are provably not negative; past the end they clamp",
            )
        case JoinAgrees(span, shapes, places):
            return (
                "E2202",
                "`concat` needs equal sizes off the joined axis, found "
                + " and ".join(dict.fromkeys(shapes)),
                Label(span, ""),
                tuple(Label(place, shape) for place, shape in zip(places, shapes, strict=True)),
                (),
                f"they agree only if `{outcome.claim}`",
            )
