"""Every error code as a reader meets it: `test/errors/CODE/` holds source and exact output.

A case is `input.linnet`, or a package whose `src/lib.linnet` is checked. It is checked from
inside its folder, against the standard library, and every diagnostic it gives has the
folder's code. `LINNET_WRITE_SNAPSHOTS=1` writes `expected.txt` anew.
"""

import os
from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import CODES, Diagnostic, render_all
from linnet.syntax import load_program

ERRORS = Path(__file__).resolve().parents[1] / "errors"
CASES = sorted(path for path in ERRORS.iterdir() if path.is_dir())


def diagnose(path: Path) -> tuple[Diagnostic, ...]:
    """What checking a file says, proofs included."""
    program = load_program(path)
    if not program.is_complete:
        return program.diagnostics
    return check_path(path, loaded=program).diagnostics


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_code_is_told_as_its_snapshot_says(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    root = Path("input.linnet")
    found = diagnose(root if root.exists() else Path("src/lib.linnet"))
    assert {one.code for one in found} == {case.name}

    expected = case / "expected.txt"
    shown = render_all(found).replace(str(ERRORS.parents[1]), "...")
    if os.environ.get("LINNET_WRITE_SNAPSHOTS"):
        expected.write_text(shown, "utf-8")
    assert expected.exists(), "no snapshot yet: write it with LINNET_WRITE_SNAPSHOTS=1"
    assert shown == expected.read_text("utf-8")


def test_every_case_is_named_by_a_code() -> None:
    assert {case.name for case in CASES} <= set(CODES)


def test_every_code_of_the_syntax_has_a_case() -> None:
    syntax = {code for code in CODES if code.startswith(("E10", "E11"))}
    assert syntax <= {case.name for case in CASES}
