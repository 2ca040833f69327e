"""One problem as plain data: its code, its words, the places it names and the witness."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from linnet.diagnostics._codes import CODES, Severity, severity_of
from linnet.source import SourceFile, Span

# Sizes under which a claim fails: a dimension is a number, a pack a tuple of numbers.
Witness = Mapping[str, int | tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is there. An empty text only underlines."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to put in the place of a span; an empty span only inserts."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem to report.

    `primary` is the least text to edit; it is None only for a problem with no place in any
    file. `also` are underlined in the same snippet (the other half of a conflict), `related`
    are drawn as `note:` snippets of their own, `help` is one edit that solves the problem and
    `edit` that edit as text. `fails` says in words what the witness shows. Of a claim that was
    not proven, `claim` is its text and `missing` the facts that would settle it, as far as the
    prover knows; `attempt` is an edit of the value that may do instead. Both are shown to nobody
    before the checker has accepted the program with them.
    """

    code: str
    message: str
    primary: Label | None
    also: tuple[Label, ...] = ()
    related: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    witness: Witness | None = None
    fails: str | None = None
    edit: Edit | None = None
    claim: str | None = None
    missing: tuple[str, ...] = ()
    attempt: Edit | None = None

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code} is not in the table of codes")

    @property
    def severity(self) -> Severity:
        """Error or warning, as the code says."""
        return severity_of(self.code)


def in_source_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics file by file, each file in the order of its text.

    Files keep the order in which they first occur; problems without a place come first.
    Of several with one code, place and message the first is kept.
    """
    given = list(diagnostics)
    rank: dict[SourceFile, int] = {}
    for diagnostic in given:
        if diagnostic.primary is not None:
            rank.setdefault(diagnostic.primary.span.file, len(rank))

    def key(diagnostic: Diagnostic) -> tuple[int, int, int, str]:
        if diagnostic.primary is None:
            return (-1, 0, 0, diagnostic.code)
        span = diagnostic.primary.span
        return (rank[span.file], span.start, span.end, diagnostic.code)

    kept: dict[tuple[int, int, int, str, str], Diagnostic] = {}
    for diagnostic in sorted(given, key=key):
        kept.setdefault((*key(diagnostic), diagnostic.message), diagnostic)
    return tuple(kept.values())
