"""What `bench/` measures is what it says: the generated program is sound, its size as promised."""

import runpy
from pathlib import Path

from linnet.checker import check
from linnet.emit import diagnose
from linnet.syntax import load_program

BENCH = Path(__file__).resolve().parents[2] / "bench"


def many_blocks(blocks: int) -> str:
    program: str = runpy.run_path(str(BENCH / "many_blocks.py"))["program"](blocks)
    return program


def test_the_generated_program_is_accepted_and_as_long_as_promised(tmp_path: Path):
    path = tmp_path / "many_blocks.linnet"
    path.write_text(many_blocks(500), "utf-8")
    assert 10_000 <= len(path.read_text("utf-8").splitlines()) <= 12_000
    assert diagnose(check(load_program(path))) == ()


def test_one_wrong_fact_among_its_blocks_is_found(tmp_path: Path):
    text = many_blocks(40)
    fact = "H % (5 * Heads) == 0\n"
    assert fact in text
    path = tmp_path / "many_blocks.linnet"
    path.write_text(text.replace(fact, "H % (3 * Heads) == 0\n", 1), "utf-8")
    found = diagnose(check(load_program(path)))
    assert {one.code for one in found} == {"E2203"}
