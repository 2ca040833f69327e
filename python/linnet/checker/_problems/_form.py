"""The form that every worded problem shares."""

from collections.abc import Iterable

from linnet.diagnostics import Diagnostic, Label, did_you_mean
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
    near = did_you_mean(name, known)
    return None if near is None else f"did you mean `{near}`?"


def counted(number: int, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
