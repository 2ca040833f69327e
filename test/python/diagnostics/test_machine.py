"""The JSON form, the order of diagnostics and the table of codes."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from linnet.diagnostics import (
    CODES,
    Diagnostic,
    Edit,
    Label,
    Severity,
    in_source_order,
    schema_text,
    severity_of,
    to_json,
)
from linnet.source import Span, decode

SPEC = Path(__file__).resolve().parents[3].parent / "shared" / "spec" / "language.md"


def test_the_machine_form_fits_its_schema() -> None:
    file = decode("module é\nx".encode(), "a.linnet")
    place = Label(Span(file, 7, 8), "here")
    given = [
        Diagnostic("E2206", "not proven", place, witness={"H": 10, "S": (1, 2)}),
        Diagnostic("W1001", "unused", place, (place,), (place,), ("a",), "b"),
        Diagnostic("E5001", "no manifest", None),
        Diagnostic("E2205", "a", place, help="b", edit=Edit(Span(file, 6, 6), " é")),
    ]
    found = json.loads(json.dumps(to_json(given)))
    jsonschema.validate(found, json.loads(schema_text()))
    assert found["summary"] == {"errors": 3, "warnings": 1}
    assert found["diagnostics"][0] == {
        "code": "E2206",
        "severity": "error",
        "message": "not proven",
        "label": "here",
        "location": {
            "file": "a.linnet",
            "start": {"line": 1, "column": 8, "offset": 7},
            "end": {"line": 1, "column": 9, "offset": 9},
        },
        "related": [],
        "notes": [],
        "help": None,
        "witness": {"H": 10, "S": [1, 2]},
        "edit": None,
    }
    assert found["diagnostics"][2]["location"] is None
    at = {"line": 1, "column": 7, "offset": 6}
    assert found["diagnostics"][3]["edit"] == {
        "file": "a.linnet",
        "start": at,
        "end": at,
        "replacement": " é",
    }


def test_diagnostics_are_ordered_by_file_and_place_and_told_once() -> None:
    one, two = decode(b"abc", "one"), decode(b"abc", "two")

    def at(file: object, start: int, code: str) -> Diagnostic:
        source = one if file is one else two
        return Diagnostic(code, "m", Label(Span(source, start, start + 1)))

    given = [at(two, 1, "E1101"), at(one, 2, "E1101"), at(two, 0, "E1004"), at(two, 1, "E1101")]
    given.append(Diagnostic("E5001", "m", None))
    ordered = in_source_order(given)
    assert [(d.code, d.primary and d.primary.span.start) for d in ordered] == [
        ("E5001", None),
        ("E1004", 0),
        ("E1101", 1),
        ("E1101", 2),
    ]


def test_a_code_outside_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="E9999"):
        Diagnostic("E9999", "m", None)


def test_warnings_begin_with_w() -> None:
    assert severity_of("W1001") is Severity.WARNING
    assert severity_of("E1001") is Severity.ERROR


@pytest.mark.skipif(not SPEC.exists(), reason="the language reference is not at hand")
def test_the_table_holds_the_codes_of_the_reference() -> None:
    rows = re.findall(r"(?m)^\| ([EW]\d{4}) \|", SPEC.read_text("utf-8"))
    assert set(rows) == set(CODES)
