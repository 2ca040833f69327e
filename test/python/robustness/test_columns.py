"""Places in programs with other scripts, tabs and odd line ends: code points in JSON, and a caret
under the text in a terminal."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from linnet.cli._main import run

Capture = pytest.CaptureFixture[str]

BEFORE = {
    "ascii": "plain",
    "cjk": "日本語テキスト",
    "wide": "ｆｕｌｌ",
    "combining": "e\u0301a\u0308 n\u0303",
    "emoji": "🦜🎉",
    "family": "👩‍👩‍👧",
    "flag": "🇨🇭",
    "arabic": "مرحبا",
    "zero_width": "a\u200bb\u200dc",
    "tab": "\ta\t\tb",
    "no_break": "a\u00a0b",
}


def only_problem(path: Path, capsys: Capture) -> dict[str, Any]:
    """The one diagnostic of a file, as JSON."""
    assert run(["check", "--json", str(path)]) == 1
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    return found


def width(text: str) -> int:
    """Columns of a terminal, for text without tabs and joined emoji."""
    total = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        total += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return total


@pytest.mark.parametrize("name", BEFORE)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_place_after_odd_text(name: str, end: str, tmp_path: Path, capsys: Capture) -> None:
    text = BEFORE[name]
    line = f"    /* {text} */ return missing"
    program = end.join(["module m", "", "fn f(x: f32) -> f32 {", line, "}", ""])
    path = tmp_path / "p.linnet"
    path.write_bytes(program.encode())
    found = only_problem(path, capsys)
    start, stop = found["location"]["start"], found["location"]["end"]
    column = line.index("missing") + 1
    assert (start["line"], start["column"]) == (4, column)
    assert (stop["line"], stop["column"]) == (4, column + len("missing"))
    offset = program.encode().index(b"missing")
    assert (start["offset"], stop["offset"]) == (offset, offset + len("missing"))
    assert run(["check", str(path)]) == 1
    shown = capsys.readouterr().err.splitlines()
    assert shown[1] == f" --> {path}:4:{column}"
    (source,) = [each for each in shown if each.startswith("4 |")]
    (caret,) = [each for each in shown if each.lstrip(" |").startswith("^")]
    assert "\t" not in source
    if name not in ("family", "flag"):  # What a terminal makes of those differs.
        assert width(source[: source.index("missing")]) == caret.index("^")
    assert caret.strip(" |").startswith("^" * len("missing"))


@pytest.mark.parametrize("name", BEFORE)
def test_odd_text_in_a_string_is_read(name: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.linnet"
    line = f'    let a = "{BEFORE[name]}" return x'
    path.write_bytes(f"module m\nfn f(x: f32) -> f32 {{\n{line}\n}}\n".encode())
    found = only_problem(path, capsys)
    assert found["code"] == "E2190"  # No type holds a string [LEX-8].
    start, stop = found["location"]["start"], found["location"]["end"]
    assert (start["column"], stop["column"]) == (13, line.index("return"))


def test_a_lone_carriage_return_ends_no_line(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.linnet"
    path.write_bytes(b"module m\rfn f(x: f32) -> f32 {\r return missing\r}\r")
    found = only_problem(path, capsys)
    assert found["location"]["start"]["line"] == 1
    assert found["location"]["start"]["offset"] == 39


def test_a_byte_order_mark_counts_in_offsets_alone(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.linnet"
    path.write_bytes("\ufeffmodule m fn f(x: f32) -> f32 { return missing }".encode())
    found = only_problem(path, capsys)
    assert found["location"]["start"] == {"line": 1, "column": 39, "offset": 41}
