"""Claims that the prover did not settle, worded for the user."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import cast

from linnet.checker import (
    CheckResult,
    Claim,
    CountsAgree,
    JoinAgrees,
    Outcome,
    ShapesAgree,
    TypedProgram,
    WhereHolds,
    refuse,
)
from linnet.diagnostics import Diagnostic, in_source_order
from linnet.emit._emit import Emitted, emit
from linnet.emit._follow import following
from linnet.mlir.dialects import linnet
from linnet.source import SourceFile, Span

# Codes of claims about sizes alone, which say the same wherever they stand.
_FACTS = ("E2205", "E2206", "E2209")


def diagnose(result: CheckResult) -> tuple[Diagnostic, ...]:
    """All that there is to say of a checked program, proofs included, in source order.

    The sound part of a program with errors is proven too; warnings stand only alone.
    """
    program = result.program or result.sound
    refused = () if program is None else verify(emit(program))
    if result.program is not None and refused:
        return refused
    return in_source_order((*result.diagnostics, *refused))


def verify(emitted: Emitted) -> tuple[Diagnostic, ...]:
    """Prove every claim of an emitted module; what fails, in source order [DIM-16].

    What only follows from a wrong shape is silent. A missing fact about a divisor, a
    position or a callee's constraint is told once in a declaration, and a claim that lacks no
    more than a divisor's sign is silent beside that divisor.
    """
    places = _Places(emitted.program)
    told: list[Diagnostic] = []
    failures = [
        (emitted.claims.get(failure.claim_id) if failure.claim_id is not None else None, failure)
        for failure in linnet.verify_obligations(emitted.module)
    ]
    divisors = {
        (places.declaration(claim), failure.claim)
        for claim, failure in failures
        if claim is not None and failure.code == "E2205"
    }
    groups: dict[object, tuple[Claim, list[Outcome]]] = {}
    for claim, failure in failures:
        witness = _witness(failure.witness)
        status = "refuted" if failure.status == "refuted" else "unknown"
        settles = _lines(failure.settles or "")
        others = tuple(map(_lines, failure.alternatives))
        outcome = Outcome(
            failure.claim, status, witness, settles, failure.index, others, failure.is_cut_short
        )
        if claim is None:
            message = f"cannot prove `{failure.claim}`"
            told.append(Diagnostic(failure.code, message, None, witness=witness))
            continue
        follows = (places.declaration(claim), failure.settles) in divisors
        if failure.code != "E2205" and follows:
            continue
        key: object = failure.claim_id
        if failure.code in _FACTS:
            needs = claim.name if isinstance(claim, WhereHolds) else ""
            key = (*places.declaration(claim), failure.code, failure.claim, needs)
        first, outcomes = groups.setdefault(key, (claim, []))
        if first is claim:
            outcomes.append(outcome)
    refused = list(groups.values())
    wrong = (claim for claim, outcomes in refused if _is_wrong(claim, outcomes))
    silent = following(emitted.program, wrong)
    for claim, (first, *others) in refused:
        if id(claim) not in silent:
            told.append(refuse(claim, first, others))
    return in_source_order(told)


def _is_wrong(claim: Claim, outcomes: list[Outcome]) -> bool:
    """Whether a value has another shape than it should, and no fact about sizes makes it right."""
    if not isinstance(claim, ShapesAgree | CountsAgree | JoinAgrees):
        return False
    return any(
        not outcome.settles or any("==" in line and "%" not in line for line in outcome.settles)
        for outcome in outcomes
    )


def _lines(text: str) -> tuple[str, ...]:
    """The constraints of a list; the commas inside `min(a, b)` separate none."""
    out: list[str] = []
    depth = start = 0
    for at, char in enumerate(f"{text},"):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            out.append(text[start:at].strip())
            start = at + 1
    return tuple(line for line in out if line)


def _witness(found: object) -> dict[str, int] | None:
    """The sizes of a failure record."""
    if not isinstance(found, dict):
        return None
    sizes = cast(dict[str, int], found)
    return dict(sorted(sizes.items()))


class _Places:
    """Which declaration of a program a claim stands in."""

    def __init__(self, program: TypedProgram) -> None:
        # A function stands inside its block, so blocks come last.
        self._functions = _Sorted(function.syntax.span for function in program.bodies)
        self._blocks = _Sorted(block.syntax.span for block in program.blocks.values())

    def declaration(self, claim: Claim) -> tuple[SourceFile, int]:
        """The file and start of the innermost declaration around a claim."""
        at = claim.span
        for spans in (self._functions, self._blocks):
            start = spans.around(at)
            if start is not None:
                return at.file, start
        return at.file, -1


class _Sorted:
    """Spans that do not overlap, by file."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._ends: dict[SourceFile, dict[int, int]] = {}
        for span in spans:
            self._ends.setdefault(span.file, {})[span.start] = span.end
        self._starts = {file: sorted(ends) for file, ends in self._ends.items()}

    def around(self, at: Span) -> int | None:
        """Where the span begins that holds the start of another."""
        starts = self._starts.get(at.file, [])
        place = bisect_right(starts, at.start) - 1
        if place < 0 or self._ends[at.file][starts[place]] <= at.start:
            return None
        return starts[place]
