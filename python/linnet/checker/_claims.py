"""What the prover is asked, with what a refusal needs to say: spans and shown values.

A claim is recorded where the checker makes it and worded by `refuse` only if the prover
does not settle it.
"""

from dataclasses import dataclass

from linnet.diagnostics import Label
from linnet.source import Span


@dataclass(frozen=True, slots=True)
class DivisorPositive:
    """A written `/` or `%` over compile-time integers [DIM-6].

    `fact` is what is known that divides by the same, and says nothing of its sign [DIM-5].
    """

    span: Span
    divisor: str
    fact: str | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """What a generic of a callee or block stands for, and the text that made it so."""

    name: str
    value: str
    place: Span | None


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a value that meets a required type.

    `name` reads like "axis 1"; `written` is the size as the declaration has it and `place`
    where; `bindings` are the generics that the written size mentions.
    """

    name: str
    needed: str
    found: str
    written: str | None = None
    place: Span | None = None
    bindings: tuple[Binding, ...] = ()


@dataclass(frozen=True, slots=True)
class ShapesAgree:
    """A value meets a required type [DIM-10, TYP-8]. `site` reads like "the result of `f`".

    `axes` are in the order of the claims; `origin` is where the value got its shape.
    """

    code: str
    span: Span
    site: str
    needed: str
    found: str
    declared: Label | None = None
    origin: Label | None = None
    axes: tuple[Axis, ...] = ()


@dataclass(frozen=True, slots=True)
class CountsAgree:
    """`reshape` keeps the number of elements [DIM-7]. Both shapes are given by their factors."""

    span: Span
    operand: Span
    source: tuple[str, ...]
    target: tuple[str, ...]
    origin: Label | None = None


@dataclass(frozen=True, slots=True)
class WhereHolds:
    """A callee's or block's `where` at a use [DIM-9].

    One text, span and list of bindings a constraint.
    """

    span: Span
    name: str
    texts: tuple[str, ...]
    places: tuple[Span, ...]
    bindings: tuple[tuple[Binding, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Broadcasts:
    """Two operands of one operation align [DIM-8, DIM-18]; `axis` counts from the right."""

    span: Span
    what: str
    left: Span
    left_shape: tuple[str, ...]
    right: Span
    right_shape: tuple[str, ...]
    axis: int | None = None
    origins: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtentsAgree:
    """One index on several axes [DIM-11]. `of` reads like "axis 0 of `b`"."""

    span: Span
    index: str
    extent: str
    of: str
    first: Span
    first_extent: str
    first_of: str
    origins: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class InRange:
    """A compile-time position inside its axis or array [DIM-12]."""

    span: Span
    position: str
    size: str
    what: str
    origin: Label | None = None


@dataclass(frozen=True, slots=True)
class BoundNotNegative:
    """A slice bound [DIM-13]."""

    span: Span
    bound: str


@dataclass(frozen=True, slots=True)
class JoinAgrees:
    """`concat` off the joined axis [DIM-14]; `axes` gives for each claim operand and axis."""

    span: Span
    shapes: tuple[str, ...]
    places: tuple[Span, ...]
    axis: int
    axes: tuple[tuple[int, int], ...] = ()
    origins: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class RangeForward:
    """The range of a counted loop [LAT-4]."""

    span: Span
    start: str
    stop: str


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
    | RangeForward
)
