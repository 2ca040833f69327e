"""`linnet explain`: the page of a code, the list of all, and what it says of no code."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from linnet.cli._main import run
from linnet.diagnostics import CODES
from linnet.explanations import explanation, groups

PACKAGE = Path(__file__).resolve().parents[3] / "python"


def test_a_page_shows_text_and_both_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "E2203"]) == 0
    shown = capsys.readouterr().out
    page = explanation("E2203")
    assert shown.startswith("E2203: `reshape` count not provable\n\n")
    flat = " ".join(shown.split())
    assert all(paragraph in flat for paragraph in page.paragraphs)
    assert "\nA program with this error:\n\n    module heads\n" in shown
    assert "\n        H % N == 0\n    {\n" in shown.split("Repaired:")[1]
    assert "\nRelated: E2202, E2205\n" in shown
    assert max(map(len, shown.splitlines())) <= 110
    assert "\x1b" not in shown


def test_of_a_package_the_repaired_files_are_those_that_change(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["explain", "E1203"]) == 0
    wrong, right = capsys.readouterr().out.split("Repaired:")
    for path in ("linnet.toml", "src/gain.linnet", "src/lib.linnet"):
        assert f"    // {path}\n" in wrong
    assert "// src/gain.linnet\n" in right
    assert "// src/lib.linnet\n" not in right


def test_case_and_repetition_do_not_matter(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "w1002", "e2203", "E2203"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("E2203: ") == 1
    assert shown.index("W1002: ") < shown.index("E2203: ")
    assert "A program with this warning:" in shown


def test_without_a_code_all_are_listed_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[2:7] for line in lines if line.startswith("  ")] == list(CODES)
    assert [line for line in lines if line and not line.startswith("  ")] == list(groups())


def test_json_holds_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--json", "E1203"]) == 0
    found = json.loads(capsys.readouterr().out)
    (page,) = found["codes"]
    assert page["code"] == "E1203"
    assert page["related"] == ["E1201"]
    assert [file["path"] for file in page["wrong"]] == list(explanation("E1203").wrong)
    assert page["right"][1]["text"] == explanation("E1203").right["src/gain.linnet"]


def test_json_without_a_code_holds_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [page["code"] for page in found["codes"]] == list(CODES)
    schema = PACKAGE / "linnet" / "cli" / "explanations.schema.json"
    jsonschema.validate(found, json.loads(schema.read_text("utf-8")))


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("E2230", "did you mean `E2203`?"),
        ("2203", "did you mean `E2203`?"),
        ("W2203", "did you mean `E2203`?"),
        ("teleport", "`linnet explain` lists all codes"),
        ("reshape", "about `reshape`: E2203"),
        ("argument", "about `argument`: E2102, E2111"),
    ],
)
def test_what_is_no_code_gets_a_hint(
    given: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", given]) == 2
    said = capsys.readouterr().err
    assert said == f"error: `{given}` is no code of a diagnostic\nhint: {hint}\n"


def test_a_terminal_gets_colours() -> None:
    outer, inner = pty.openpty()
    command = [sys.executable, "-m", "linnet", "explain", "E1203", "W1002"]
    environment = {"PYTHONPATH": str(PACKAGE), "PATH": "", "TERM": "xterm", "COLUMNS": "200"}
    with subprocess.Popen(command, stdout=inner, env=environment) as done:
        os.close(inner)
        shown = ""
        while True:
            try:
                part = os.read(outer, 65536).decode()
            except OSError:  # The other end is closed.
                break
            if not part:
                break
            shown += part
    os.close(outer)
    assert done.returncode == 0
    assert "\x1b[1;31mE1203\x1b[0m" in shown
    assert "\x1b[1;33mW1002\x1b[0m" in shown
    assert "`" not in shown
    assert "src/gain.linnet" in shown


def test_explaining_loads_neither_numpy_nor_the_compiler() -> None:
    statement = (
        "from linnet.cli._main import run; import sys; status = run(['explain', 'E2203']); "
        "print(status, *(m in sys.modules for m in ('numpy', 'linnet.mlir', 'rich')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", statement],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": ""},
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "0 False False False"
