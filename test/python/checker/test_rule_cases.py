"""Rules of the spec one by one: `rules/*.cases` holds a program and its codes for each way.

A case begins with `// [RULE] what: CODES`; `accepted` stands for no error.
"""

import re
from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import Severity
from linnet.source import decode
from linnet.syntax import load_source

_HEAD = re.compile(r"^// \[([A-Z]+-\d+)\] (.+): ([A-Z0-9 ]+|accepted)$", re.MULTILINE)


def cases() -> list[tuple[str, list[str], str]]:
    """Each title with the codes it expects and its program."""
    out: list[tuple[str, list[str], str]] = []
    for path in sorted((Path(__file__).parent / "rules").glob("*.cases")):
        _, *parts = _HEAD.split(path.read_text("utf-8"))
        for at in range(0, len(parts), 4):
            rule, what, codes, body = parts[at : at + 4]
            out.append((f"{rule}: {what}", [] if codes == "accepted" else codes.split(), body))
    return out


CASES = cases()


@pytest.mark.parametrize(("codes", "body"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_a_rule_holds(codes: list[str], body: str) -> None:
    source = decode(f"module test\n{body}".encode(), "test.linnet")
    found = check_path("test.linnet", loaded=load_source(source)).diagnostics
    assert [one.code for one in found if one.severity is Severity.ERROR] == codes


def test_there_are_cases_of_both_kinds() -> None:
    assert len(CASES) > 200
    assert sum(not codes for _, codes, _ in CASES) > 80
