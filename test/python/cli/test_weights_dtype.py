"""`--weights-dtype` of the commands that take a program's source."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.cli._main import run
from oracle.weights import Sizes, random_weights

GPT2 = Path(__file__).resolve().parents[3] / "examples" / "gpt2"
SIZES = Sizes(vocab=19, max_positions=16, h=32, heads=2, layers=1)
PROGRAM = [str(GPT2 / "gpt2.linnet"), "--root", "Model"]
BINDS = [
    word
    for name, value in SIZES.generics(batch=1, max_seq=8).items()
    for word in ("--bind", f"{name}={value}")
]


def matrices() -> dict[str, np.ndarray]:
    return {name: array for name, array in random_weights(SIZES).items() if array.ndim == 2}


def test_stablehlo_takes_half_bytes(capsys: pytest.CaptureFixture[str]):
    options = ["stablehlo", *PROGRAM, *BINDS, "--entry", "decode"]
    assert run([*options, "--weights-dtype", "int4:16"]) == 0
    text = capsys.readouterr().out
    # The bytes of the table: two groups of 16 in each row.
    assert 'tensor<19x2x8xui8> {linnet.kind = "param", linnet.path = "wte"}' in text
    assert 'linnet.path = "wte.zero"' in text
    assert run([*options, "--weights-dtype", "i4"]) == 2
    assert "as a form of weights it is int4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("dtype", "bits"), [("bf16", 16), ("int8", 8), ("int4:16", 4 + 64 / 16), ("int4", 4 + 64 / 32)]
)
def test_memory_counts_what_is_held(capsys: pytest.CaptureFixture[str], dtype: str, bits: float):
    options = ["memory", *PROGRAM, *BINDS, "--entry", "decode", "--estimate", "--json"]
    found: list[int] = []
    for more in ([], ["--weights-dtype", dtype]):
        assert run([*options, *more]) == 0
        found.append(json.loads(capsys.readouterr().out)["weights"]["bytes"])
    count = sum(array.size for array in matrices().values())
    # Rows of 32 have groups of 32, those of 128 of 64.
    long = sum(array.size for name, array in matrices().items() if "mlp.c_proj" in name)
    if dtype == "int4":
        found[1] += long * 8 // 64
    scales = 0
    if dtype == "int8":
        scales = 4 * sum(
            array.shape[0 if name in ("wte.weight", "wpe.weight") else 1]
            for name, array in matrices().items()
        )
    assert found[0] - found[1] == count * 4 - count * bits / 8 - scales


def test_an_artifact_says_how_it_holds_weights(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    (tmp_path / "a.lna").mkdir()
    (tmp_path / "a.lna" / "manifest.json").write_text("{}")
    for command in (["memory"], ["generate", "--prompt-tokens", "1"]):
        name, *rest = command
        status = run([name, str(tmp_path / "a.lna"), *rest, "--weights-dtype", "int4"])
        assert status == 2
        assert "leave out" in capsys.readouterr().err


def test_a_program_generates_from_its_source(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    save_file(dict(random_weights(SIZES)), tmp_path / "w.safetensors")
    names = json.loads((GPT2 / "bindings.json").read_text("utf-8"))
    own = {path: name for path, name in names.items() if not path.startswith("blocks.1")}
    own = {path: name for path, name in own.items() if path.split(".")[1:2] in ([], ["0"])
           or not path.startswith("blocks.")}  # fmt: skip
    (tmp_path / "b.json").write_text(json.dumps(own))
    options = ["generate", *PROGRAM, *BINDS, "--weights", str(tmp_path / "w.safetensors")]
    options += ["--bindings", str(tmp_path / "b.json"), "--prompt-tokens", "1,2", "--max-new", "3"]
    found: list[str] = []
    for target in ("reference", "cpu"):
        assert run([*options, "--target", target, "--weights-dtype", "int4"]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
    assert len(found[0].strip().split(",")) == 3
