"""The machine form of diagnostics: one JSON object (spec section 17)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from linnet.diagnostics._codes import Severity
from linnet.diagnostics._diagnostic import Diagnostic, Edit, Label
from linnet.source import Span

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]


def to_json(diagnostics: Iterable[Diagnostic]) -> dict[str, JsonValue]:
    """Return the object that `--json` prints, in the order given.

    Its schema is `diagnostics.schema.json` beside this file.
    """
    given = list(diagnostics)
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in given)
    return {
        "version": 1,
        "diagnostics": [_entry(diagnostic) for diagnostic in given],
        "summary": {"errors": errors, "warnings": len(given) - errors},
    }


def schema_text() -> str:
    """The JSON schema of `to_json`'s result, as text."""
    return Path(__file__).with_name("diagnostics.schema.json").read_text("utf-8")


def _entry(diagnostic: Diagnostic) -> dict[str, JsonValue]:
    primary = diagnostic.primary
    witness: JsonValue = None
    if diagnostic.witness is not None:
        witness = {
            name: size if isinstance(size, int) else list(size)
            for name, size in diagnostic.witness.items()
        }
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": _printable(diagnostic.message),
        "label": _printable(primary.text) if primary and primary.text else None,
        "location": _location(primary.span) if primary else None,
        "related": [_related(label) for label in (*diagnostic.also, *diagnostic.related)],
        "notes": [_printable(note) for note in diagnostic.notes],
        "help": None if diagnostic.help is None else _printable(diagnostic.help),
        "witness": witness,
        "edit": None if diagnostic.edit is None else _edit(diagnostic.edit),
    }


def _edit(edit: Edit) -> dict[str, JsonValue]:
    return {**_location(edit.span), "replacement": _printable(edit.replacement)}


def _related(label: Label) -> dict[str, JsonValue]:
    return {"label": _printable(label.text), "location": _location(label.span)}


def _location(span: Span) -> dict[str, JsonValue]:
    start, end = span.file.position(span.start), span.file.position(span.end)
    return {"file": span.file.path, "start": start._asdict(), "end": end._asdict()}


def _printable(text: str) -> str:
    """Text that encodes: a byte that was not UTF-8 becomes the replacement character."""
    return text.encode("utf-8", "replace").decode("utf-8")
