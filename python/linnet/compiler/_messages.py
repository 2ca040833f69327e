"""What a pass refused, as the error that the user sees.

User errors of passes begin with their kind in brackets: `[E2206] …` a diagnostic, `[usage] …` a
wrong name or value (a note is its hint), `[capability] …` a program that is valid and cannot be
lowered. Anything else is a bug of ours.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from linnet.diagnostics import CODES, Diagnostic, Label
from linnet.errors import CapabilityError, InternalError, LinnetError, ProgramError, UsageError
from linnet.mlir import ir
from linnet.source import SourceFile, Span

# The class is made when the bindings load; their type stubs do not list it.
MLIR_ERROR = cast(type[Exception], ir.MLIRError)  # pyright: ignore
_KIND = re.compile(r"(?:error: )?\[(\w+)\] (.*)", re.DOTALL)


class _Raised(Protocol):
    """An MLIR diagnostic."""

    @property
    def message(self) -> str: ...
    @property
    def location(self) -> ir.Location: ...
    @property
    def notes(self) -> Sequence["_Raised"]: ...


class _Failure(Protocol):
    """What an MLIR_ERROR holds."""

    @property
    def error_diagnostics(self) -> Sequence[_Raised]: ...


def pass_error(stage: str, error: Exception, sources: Mapping[str, SourceFile]) -> LinnetError:
    """Return the error to raise for a failed pass, which raised `error`, an MLIR_ERROR."""
    diagnostics: list[Diagnostic] = []
    for raised in cast(_Failure, error).error_diagnostics:
        found = _KIND.match(raised.message)
        if found is None:
            return InternalError(f"internal error in stage `{stage}`: {raised.message}")
        kind, text = found[1], " ".join(found[2].split())
        if kind == "usage":
            hints = [note.message for note in raised.notes]
            return UsageError(text, hints[0] if hints else None)
        if kind == "capability":
            return CapabilityError(text)
        if kind not in CODES:
            return InternalError(f"internal error in stage `{stage}`: {raised.message}")
        spans = spans_of(raised.location, sources)
        notes = tuple(note.message for note in raised.notes)
        primary = Label(spans[0]) if spans else None
        calls = tuple(Label(span, "called here") for span in spans[1:])
        diagnostics.append(Diagnostic(kind, text, primary, related=calls, notes=notes))
    if not diagnostics:
        return InternalError(f"internal error in stage `{stage}`: {error}")
    return ProgramError(diagnostics)


def spans_of(location: ir.Location, sources: Mapping[str, SourceFile]) -> list[Span]:
    """Return the place that a location names, then the calls that lead there, inmost first."""
    if location.is_a_callsite():
        return spans_of(location.callee, sources) + spans_of(location.caller, sources)
    span = span_of(location, sources)
    return [] if span is None else [span]


def span_of(location: ir.Location, sources: Mapping[str, SourceFile]) -> Span | None:
    """Return the part of a source that a location names."""
    if location.is_a_name():
        return span_of(location.child_loc, sources)
    if not location.is_a_file() or location.filename not in sources:
        return None
    file = sources[location.filename]
    starts = file.line_starts
    if not 0 < location.start_line <= len(starts):
        return None
    start = starts[location.start_line - 1] + max(location.start_col - 1, 0)
    end = start
    if 0 < location.end_line <= len(starts):
        end = starts[location.end_line - 1] + max(location.end_col - 1, 0)
    return Span(file, start, max(end, start))
