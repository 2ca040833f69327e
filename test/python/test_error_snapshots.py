"""Every error code as a reader meets it: `test/errors/CODE/` holds source and exact output.

A case is the folder of a code, or a folder in it that is named for what it shows. It holds
`input.linnet`, or a package whose `src/lib.linnet` is checked, and is checked from inside, against
the standard library; every diagnostic it gives has the code. `LINNET_WRITE_SNAPSHOTS=1` writes
`expected.txt` anew. Each message that the sources of syntax and checker hold is told by some case.
"""

import os
import re
from pathlib import Path

import pytest
from message_kinds import MessageKind, message_kinds

from linnet.compiler import check_path
from linnet.diagnostics import CODES, Diagnostic, render_all
from linnet.syntax import load_program

ERRORS = Path(__file__).resolve().parents[1] / "errors"
CASES = sorted(
    {path.parent for path in ERRORS.rglob("input.linnet")}
    | {path.parents[1] for path in ERRORS.rglob("src/lib.linnet")}
)
# What a checkout cannot hold: files that cannot be read. Other tests make them.
ELSEWHERE = {
    r"cannot\ read\ `.+`:\ .+",
    r"cannot\ read\ package\ manifest\ `.+`:\ .+",
    r"package\ manifest\ nests\ too\ deeply",
}


def code_of(case: Path) -> str:
    """The code of a case."""
    return case.relative_to(ERRORS).parts[0]


def diagnose(path: Path) -> tuple[Diagnostic, ...]:
    """What checking a file says, proofs included."""
    program = load_program(path)
    if not program.is_complete:
        return program.diagnostics
    return check_path(path, loaded=program).diagnostics


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(ERRORS)))
def test_a_code_is_told_as_its_snapshot_says(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    root = Path("input.linnet")
    found = diagnose(root if root.exists() else Path("src/lib.linnet"))
    assert {one.code for one in found} == {code_of(case)}, [one.message for one in found]

    expected = case / "expected.txt"
    shown = render_all(found).replace(str(ERRORS.parents[1]), "...")
    if os.environ.get("LINNET_WRITE_SNAPSHOTS"):
        expected.write_text(shown, "utf-8")
    assert expected.exists(), "no snapshot yet: write it with LINNET_WRITE_SNAPSHOTS=1"
    assert shown == expected.read_text("utf-8")


def test_every_code_has_a_case_and_every_case_a_code() -> None:
    assert {code_of(case) for case in CASES} == set(CODES)


def told() -> list[tuple[str, str]]:
    """The code and message of every diagnostic of the snapshots."""
    title = re.compile(r"^(?:error|warning)\[(\w+)\]: (.*)$", re.MULTILINE)
    return [
        (found[1], found[2])
        for case in CASES
        for found in title.finditer((case / "expected.txt").read_text("utf-8"))
    ]


def test_every_message_of_the_sources_is_told_by_a_case() -> None:
    shown = told()
    missing = [
        f"{kind.place}: {kind.code} {kind.pattern}"
        for kind in message_kinds()
        if kind.pattern not in ELSEWHERE
        and not any(kind.matches(code, message) for code, message in shown)
    ]
    assert missing == []


def test_a_message_without_a_case_is_found() -> None:
    kinds = message_kinds()
    assert len(kinds) > 200
    shown = [one for one in told() if one[0] != "E2119"]
    missing = {kind.code for kind in kinds if not any(kind.matches(*message) for message in shown)}
    assert "E2119" in missing
    assert MessageKind("E1", "`.+` is none", "here").matches("E1", "`x` is none")
    assert not MessageKind("E1", "`.+` is none", "here").matches("E2", "`x` is none")
