"""The programs that are accepted and refused: `test/{conformance,programs}/{accept,reject}`.

Those of `conformance` are a copy of the programs that every implementation shares; those of
`programs` are written beside them, for rules with no case there.

A case's first lines say which code every problem has, or `ok`. Cases of the later features
[spec 21] are listed with what this compiler says instead; a listed case that behaves as the
reference wants fails the test, so that the list only shrinks.
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

# What is not implemented yet, by the name of the case.
EXPECTED_FAILURES: dict[str, str] = {
    "151_kernel_called": "kernels [LAT-10]",
    "152_store_outside_kernel": "kernels [LAT-10]",
}


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
    if case.stem in EXPECTED_FAILURES:
        assert found != {wanted[1]}, "the case passes: take it off the list"
        assert found <= {"E1103", "E2190", "E1101", "E2126"}, "a missing feature is one clear error"
        return
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
