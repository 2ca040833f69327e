"""Typing slips in real programs: what is suggested for them never makes a program worse.

One identifier of an example loses, doubles or swaps letters. Where a problem then carries an
edit, the program with it has fewer problems; most slips are undone by it altogether.
"""

import random
import re
from pathlib import Path

import pytest

from linnet.checker import check
from linnet.diagnostics import Diagnostic
from linnet.source import decode
from linnet.syntax import load_source

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PROGRAMS = sorted(EXAMPLES.rglob("*.linnet"))
SLIPS = 6


def problems(text: str) -> list[Diagnostic]:
    program = load_source(decode(text.encode(), "slip.linnet"))
    found = check(program).diagnostics if program.is_complete else program.diagnostics
    return [one for one in found if one.severity == "error"]


def slipped(text: str, seed: int) -> tuple[str, str]:
    """The program with one word changed, and the word."""
    choose = random.Random(seed)
    code = [
        found
        for line in re.finditer(r"^[^/\n]*", text, re.MULTILINE)
        for found in re.compile(r"[A-Za-z_]\w{4,}").finditer(text, line.start(), line.end())
    ]
    word = choose.choice(code)
    at = choose.randrange(1, len(word[0]) - 1)
    old = word[0]
    new = choose.choice(
        [
            old[:at] + old[at + 1 :],
            old[:at] + old[at] + old[at:],
            old[:at] + old[at + 1] + old[at] + old[at + 2 :],
        ]
    )
    return text[: word.start()] + new + text[word.end() :], old


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_edit_that_is_suggested_makes_a_program_better(path: Path) -> None:
    text = path.read_text("utf-8")
    assert problems(text) == []
    undone = broken = 0
    for seed in range(SLIPS):
        wrong, word = slipped(text, seed)
        found = problems(wrong)
        broken += bool(found)
        for at, one in enumerate(found):
            if one.edit is None:
                continue
            file, start, end = one.edit.span
            better = problems(file.text[:start] + one.edit.replacement + file.text[end:])
            assert len(better) < len(found), f"{word}: {one.message}: {one.help}"
            if at == 0 and not better:
                undone += 1
                break
    assert undone >= broken // 2 - 1, f"{undone} of {broken}"
