"""The programs that are accepted and refused: `test/{conformance,programs}/{accept,reject}`.

Those of `conformance` are a copy of the programs that every implementation shares; those of
`programs` are written beside them, for rules with no case there.

A case's first lines say which code every problem has, or `ok`.
"""

import re
from pathlib import Path

import pytest

from linnet.checker import check
from linnet.diagnostics import Diagnostic, Severity
from linnet.emit import diagnose as judge
from linnet.syntax import load_program

TEST = Path(__file__).resolve().parents[1]
CASES = TEST / "conformance"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "conformance"


def cases() -> list[Path]:
    """Every case of all folders: a file, or a package."""
    kinds = ("accept", "reject")
    return sorted(
        path
        for root in (CASES, TEST / "programs")
        for kind in kinds
        for path in (root / kind).iterdir()
    )


def diagnose(path: Path) -> tuple[Diagnostic, ...]:
    """What checking a file says: all of it, proofs included."""
    return judge(check(load_program(path)))


@pytest.mark.parametrize("case", cases(), ids=lambda path: path.stem)
def test_a_conformance_case_is_judged_as_its_first_line_says(case: Path) -> None:
    root = case / "src" / "lib.linnet" if case.is_dir() else case
    wanted = re.search(r"// expect: (\w+)", root.read_text("utf-8"))
    assert wanted is not None
    found = {one.code for one in diagnose(root)} or {"ok"}
    assert found == {wanted[1]}


@pytest.mark.parametrize("case", cases(), ids=lambda path: path.stem)
def test_every_problem_has_a_place(case: Path) -> None:
    root = case / "src" / "lib.linnet" if case.is_dir() else case
    for one in diagnose(root):
        assert one.primary is not None
        assert one.severity in (Severity.ERROR, Severity.WARNING)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared conformance programs are not at hand")
def test_the_programs_are_those_that_all_share() -> None:
    theirs = [path for path in sorted(SHARED.rglob("*")) if path.is_file()]
    assert len(theirs) > 300
    changed = [
        path.relative_to(SHARED)
        for path in theirs
        if (CASES / path.relative_to(SHARED)).read_bytes() != path.read_bytes()
    ]
    assert changed == []
