"""GPT-2 at sizes, and with a `where` line less, that the program does not allow [DIM-9] [LOW-1]."""

import json
from pathlib import Path

import pytest

from linnet.cli._main import run

GPT2 = Path(__file__).resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
SIZES = {
    "Vocab": 50257, "MaxPositions": 1024, "H": 768, "Heads": 12, "Layers": 12,
    "Batch": 1, "MaxSeq": 1024, "B": 1, "S": 8,
}  # fmt: skip
DIVIDES = "    H % Heads == 0,\n"


def bound(file: Path, **sizes: int) -> list[str]:
    binds = [f"--bind={name}={size}" for name, size in {**SIZES, **sizes}.items()]
    return [str(file), "--root=Model", "--entry=forward", "--bind=T=f32", *binds]


def commands(file: Path, output: Path, **sizes: int) -> list[list[str]]:
    """The commands that bind sizes."""
    given = bound(file, **sizes)
    return [["stablehlo", *given], ["compile", *given, "-o", str(output)]]


REFUSED = [
    (
        {"S": 2000},
        "`S <= MaxPositions` does not hold: S = 2000, MaxPositions = 1024",
        "entry forward",
    ),
    ({"H": 770}, "`H % Heads == 0` does not hold: H = 770, Heads = 12", "block Model"),
    ({"Heads": 0}, "`Heads > 0` does not hold: Heads = 0", "block Model"),
]


@pytest.mark.parametrize(("sizes", "said", "place"), REFUSED)
def test_sizes_against_a_where_clause_are_refused_with_their_numbers(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, sizes: dict[str, int], said: str, place: str
) -> None:
    for command in commands(GPT2, tmp_path / "m.lna", **sizes):
        assert run(command) == 1
        done = capfd.readouterr()
        assert done.out == ""
        assert done.err.startswith(f"error[E2206]: {said}\n")
        assert f"pub {place}" in done.err
        assert "\n1 error\nhint: `linnet explain E" in done.err
        assert not (tmp_path / "m.lna").exists()


def without_line(tmp_path: Path, which: int) -> Path:
    """The program without the `which`-th line that says `H % Heads == 0`."""
    parts = GPT2.read_text("utf-8").split(DIVIDES)
    assert len(parts) == 4
    kept = DIVIDES.join(parts[: which + 1]) + DIVIDES.join(parts[which + 1 :])
    (tmp_path / "gpt2.linnet").write_text(kept, "utf-8")
    return tmp_path / "gpt2.linnet"


REMOVED = [
    (
        0,
        "Attention",
        "E2202",
        "argument `x` of `split_heads` needs `Heads * (H / Heads)` on axis 2",
    ),
    (1, "Block", "E2206", "`Attention` needs `H % Heads == 0`, found no proof of it"),
    (2, "Model", "E2206", "`Block` needs `H % Heads == 0`, found no proof of it"),
]


@pytest.mark.parametrize(("which", "block", "code", "said"), REMOVED)
def test_a_program_less_a_where_line_is_refused_with_a_witness_and_that_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, which: int, block: str, code: str, said: str
) -> None:
    file = without_line(tmp_path, which)
    for command in [["check", str(file)], *commands(file, tmp_path / "m.lna")]:
        assert run(command) == 1
        done = capfd.readouterr()
        assert done.out == ""
        assert done.err.startswith(f"error[{code}]: {said}")
        assert f"  = help: add `where H % Heads == 0` to `block {block}`\n" in done.err
        assert "\n1 error\n" in done.err
    assert run(["check", "--json", str(file)]) == 1
    first, *more = json.loads(capfd.readouterr().out)["diagnostics"]
    assert more == []
    witness = first["witness"]
    assert witness["H"] % witness["Heads"] != 0
    assert first["help"] == f"add `where H % Heads == 0` to `block {block}`"
    data = file.read_bytes()
    edit = first["edit"]
    start, end = edit["start"]["offset"], edit["end"]["offset"]
    file.write_bytes(data[:start] + edit["replacement"].encode() + data[end:])
    assert run(["check", str(file)]) == 0


PARTS = """module pk.parts

pub fn split<H: Dim, N: Dim>(x: Tensor[H; f32]) -> Tensor[N, H / N; f32]
where N > 0 {
    return reshape(x, [N, H / N])
}
"""
USES = """module pk.uses

use crate.parts::{split}

pub fn two<H: Dim>(x: Tensor[H; f32]) -> Tensor[2, H / 2; f32] {
    return split<H, 2>(x)
}
"""
MANIFEST = '[package]\nname = "pk"\nversion = "0.1.0"\nlanguage = "0.1"\n'


def test_callers_in_other_files_of_a_package_are_named_with_the_suggestion(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    files = {"linnet.toml": MANIFEST, "src/parts.linnet": PARTS, "src/uses.linnet": USES}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["check", "."]) == 1
    told = capfd.readouterr().err
    assert told.count("error[") == 1
    assert "help: add `where H % N == 0` to `fn split`\n" in told
    assert "then this must state it as well: `two` (src/uses.linnet, line 6)\n" in told
