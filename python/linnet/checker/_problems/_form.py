"""The form that every worded problem shares."""

from collections.abc import Iterable
from difflib import get_close_matches

from linnet.diagnostics import Diagnostic, Label
from linnet.source import Span


def problem(
    code: str,
    message: str,
    span: Span,
    label: str = "",
    *,
    also: tuple[Label | None, ...] = (),
    related: tuple[Label | None, ...] = (),
    note: str | None = None,
    help: str | None = None,
) -> Diagnostic:
    """A diagnostic; a label that is None is left out."""
    return Diagnostic(
        code,
        message,
        Label(span, label),
        also=tuple(entry for entry in also if entry is not None),
        related=tuple(entry for entry in related if entry is not None),
        notes=() if note is None else (note,),
        help=help,
    )


def closest(name: str, known: Iterable[str]) -> str | None:
    """A help line that names what was probably meant."""
    candidates = sorted({entry for entry in known if entry and entry != name})
    for entry in candidates:
        if entry.lower() == name.lower():
            return f"did you mean `{entry}`?"
    close = get_close_matches(name, candidates, n=1, cutoff=0.7)
    return f"did you mean `{close[0]}`?" if close else None


def counted(number: int, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
