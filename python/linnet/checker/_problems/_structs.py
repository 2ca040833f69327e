"""Problems of struct values (E2102, E2107)."""

from collections.abc import Sequence

from linnet.checker._problems._form import problem
from linnet.diagnostics import Diagnostic, Label, did_you_mean
from linnet.source import Span
from linnet.syntax import Name


def field_by_position(span: Span, struct: str, fields: Sequence[str]) -> Diagnostic:
    """[LAT-1]"""
    return problem(
        "E2102", f"the fields of `{struct}` are given by name, found a positional value", span,
        "names no field", note=f"written `{struct}({', '.join(f'{f} = …' for f in fields)})`",
    )  # fmt: skip


def unknown_field(arg: Name, struct: str, fields: Sequence[str]) -> Diagnostic:
    """[LAT-1]"""
    return problem(
        "E2102", f"struct `{struct}` has no field `{arg.text}`", arg.span, "no such field",
        note=_fields(fields), meant=did_you_mean(arg.text, fields),
    )  # fmt: skip


def missing_fields(span: Span, struct: str, missing: Sequence[str]) -> Diagnostic:
    """[LAT-1]"""
    shown = ", ".join(f"`{name}`" for name in missing)
    return problem(
        "E2102", f"`{struct}` needs a value for {shown}", span, f"without {shown}",
        note="a struct value gives every field once",
    )  # fmt: skip


def unknown_member(name: Name, struct: str, fields: Sequence[str], declared: Span) -> Diagnostic:
    """[LAT-2]"""
    return problem(
        "E2107", f"struct `{struct}` has no field `{name.text}`", name.span, "no such field",
        related=(Label(declared, "the struct is declared here"),), note=_fields(fields),
        meant=did_you_mean(name.text, fields),
    )  # fmt: skip


def _fields(fields: Sequence[str]) -> str | None:
    return f"its fields are {', '.join(f'`{name}`' for name in fields)}" if fields else None
