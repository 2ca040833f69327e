"""Mutated programs: whatever a user writes gives diagnostics, never an exception."""

import random
import re
from pathlib import Path

import pytest

from linnet.checker import check
from linnet.emit import emit, verify
from linnet.source import decode
from linnet.syntax import load_source

TEST = Path(__file__).resolve().parents[2]
TOKENS = re.compile(r"//[^\n]*|[A-Za-z_]\w*|\d[\w.]*|::|->|=>|==|!=|<=|>=|&&|\|\||\s+|.", re.S)
POOL = ["0", "-1", "N", "x", "i", "f32", "bool", "none", "some(x)", "[N]", "*S", "1 / 0", "(x, x)"]


def mutated(text: str, choose: random.Random) -> str:
    """The text with one to three tokens swapped, dropped, doubled or replaced."""
    tokens = TOKENS.findall(text)
    words = [at for at, token in enumerate(tokens) if token[0].isalnum()]
    for _ in range(choose.randint(1, 3)):
        at = choose.choice(words)
        match choose.randrange(4):
            case 0:
                tokens[at] = tokens[choose.choice(words)]
            case 1:
                tokens[at] = choose.choice(POOL)
            case 2:
                tokens[at] = ""
            case _:
                tokens[at] = f"{tokens[at]} {tokens[choose.choice(words)]}"
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(8))
def test_a_mutated_program_is_judged_without_an_exception(seed: int, tmp_path: Path) -> None:
    choose = random.Random(seed)
    folders = (TEST / "conformance", TEST / "programs")
    paths = [path for folder in folders for path in sorted(folder.glob("*/*.linnet"))]
    texts = [path.read_text("utf-8") for path in paths]
    for _ in range(40):
        text = mutated(choose.choice(texts), choose)
        program = load_source(decode(text.encode(), str(tmp_path / "test.linnet")))
        result = check(program)
        typed = result.program or result.sound
        if program.is_complete and typed is not None:
            emitted = emit(typed)
            refused = verify(emitted)
            assert refused or emitted.module.operation.verify()


def test_a_state_of_a_wrong_type_is_not_assigned_in_what_is_proven(tmp_path: Path) -> None:
    text = """module test
block B<N: Dim> {
    state last: Tensor[N; missing]
    state kept: Tensor[N; f32]
    entry step(x: Tensor[N; f32]) {
        static for i in 0..2 {
            last = x
            kept = x
        }
    }
}
"""
    result = check(load_source(decode(text.encode(), str(tmp_path / "test.linnet"))))
    assert [one.code for one in result.diagnostics] == ["E1201"]
    assert result.sound is not None
    assert emit(result.sound).module.operation.verify()
