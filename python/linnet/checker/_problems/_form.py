"""The form that every worded problem shares."""

from linnet.diagnostics import Diagnostic, Edit, Label
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
    meant: str | None = None,
) -> Diagnostic:
    """A diagnostic; a label that is None is left out. `meant` is what to write at the span."""
    edit = None
    if help is None and meant is not None:
        help, edit = f"did you mean `{meant}`?", Edit(span, meant)
    return Diagnostic(
        code,
        message,
        Label(span, label),
        also=tuple(entry for entry in also if entry is not None),
        related=tuple(entry for entry in related if entry is not None),
        notes=() if note is None else (note,),
        help=help,
        edit=edit,
    )


def counted(number: int, noun: str) -> str:
    """`1 argument`, `2 arguments`, `2 axes`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun.removesuffix('is')}es" if noun == "axis" else f"{number} {noun}s"
