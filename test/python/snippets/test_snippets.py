"""What ports of ordinary models need is accepted; wrong in one place, it is refused there.

`accept/` holds functions as somebody coming from PyTorch writes them. `refuse/` holds the same
with one mistake each, and comments around what a person would point at.
"""

from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import Diagnostic, render

from .marks import expected

HERE = Path(__file__).parent
ACCEPT = sorted((HERE / "accept").glob("*.linnet"))
REFUSE = sorted((HERE / "refuse").glob("*.linnet"))


def place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    """The code and the span that a diagnostic points at."""
    assert diagnostic.primary is not None
    return diagnostic.code, diagnostic.primary.span.start, diagnostic.primary.span.end


@pytest.mark.parametrize("path", ACCEPT, ids=lambda path: path.stem)
def test_what_models_need_is_accepted(path: Path) -> None:
    assert [render(one) for one in check_path(path).diagnostics] == []


@pytest.mark.parametrize("path", REFUSE, ids=lambda path: path.stem)
def test_what_is_wrong_in_one_place_is_refused_there(path: Path) -> None:
    text = path.read_text("utf-8")
    found = check_path(path).diagnostics
    wanted = expected(text)

    def shown(one: tuple[str, int, int]) -> str:
        code, start, end = one
        return f"{code} at line {text.count(chr(10), 0, start) + 1}: {text[start:end]}"

    assert [shown(place(one)) for one in found] == [shown(one) for one in wanted]


@pytest.mark.parametrize("path", REFUSE, ids=lambda path: path.stem)
def test_what_is_said_stays_within_a_page(path: Path) -> None:
    text = path.read_text("utf-8")
    source = [line.removesuffix(" {") for line in text.splitlines() if line]
    for one in check_path(path).diagnostics:
        for line in render(one).splitlines():
            # The user's own lines are as long as they are, and underlines as far to the right.
            drawn = not line.strip(" |^-+") or any(each in line for each in source)
            assert len(line) <= 100 or drawn, line


def test_there_are_many_of_both() -> None:
    marks = [mark for path in REFUSE for mark in expected(path.read_text("utf-8"))]
    functions = [line for path in ACCEPT for line in path.read_text("utf-8").splitlines()]
    assert sum(line.lstrip().startswith("pub fn") for line in functions) >= 100
    assert len(marks) >= 100
