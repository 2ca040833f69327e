"""`linnet bench`: every figure is there and hangs together; what cannot be measured is told."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import linnet.cli._bench as bench
from linnet.cli._main import run
from linnet.measure import median_of, random_weights, read_bandwidth
from linnet.signature import Member

ROOT = Path(__file__).resolve().parents[3]
GPT2 = ROOT / "examples" / "gpt2" / "gpt2.linnet"


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    done = capfd.readouterr()
    assert "Traceback" not in done.err
    return status, done.out, done.err


@pytest.fixture(autouse=True)
def a_small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of the machine take seconds, and no test looks at them."""
    monkeypatch.setattr(bench, "read_bandwidth", lambda _threads: median_of([1e9]))
    monkeypatch.setattr(bench, "matmul_rate", lambda: median_of([2e9]))


def test_an_artifact_is_measured_with_weights_that_are_made_up(capfd, toy: Path) -> None:
    pytest.importorskip("iree.runtime")
    given = ("--prompt-length", 3, "--new-tokens", 4, "--rounds", 2)
    status, out, err = call(capfd, "bench", toy, *given, "--json")
    assert (status, err) == (0, "")
    facts = json.loads(out)
    schema = ROOT / "python" / "linnet" / "cli" / "bench.schema.json"
    jsonschema.validate(facts, json.loads(schema.read_text("utf-8")))
    assert (facts["random_weights"], facts["weight_bytes"]) == (True, 4)
    assert facts["ttft_s"]["count"] == facts["decode_tok_s"]["count"] == 2
    assert facts["limits"]["decode_tok_s"] == 1e9 / 4
    share = facts["decode_tok_s"]["median"] / facts["limits"]["decode_tok_s"]
    assert facts["share_of_limit"] == pytest.approx(share)
    assert facts["peak_bytes"] > 10 << 20
    status, out, _ = call(capfd, "bench", toy, *given)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()][:5] == [
        "m::Toy", "load", "first", "decode", "peak",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_source_is_compiled_first(capfd) -> None:
    pytest.importorskip("iree.runtime")
    sizes = {"Vocab": 64, "MaxPositions": 16, "H": 16, "Heads": 2, "Layers": 1, "Batch": 1}
    binds = [w for n, v in {**sizes, "MaxSeq": 16}.items() for w in ("--bind", f"{n}={v}")]
    given = ("--prompt-length", 4, "--new-tokens", 8, "--rounds", 1, "--json")
    status, out, err = call(capfd, "bench", GPT2, "--root", "Model", *binds, *given)
    assert (status, err) == (0, "")
    assert json.loads(out)["root"] == "examples.gpt2::Model"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--prompt-length", "20"], 1, "20 prompt tokens and 129 new ones exceed MaxSeq = 16"),
        (["--bind", "N=3"], 2, "an artifact's entries and sizes are settled"),
        (["--bindings", "names.json"], 2, "--bindings names tensors of --weights"),
        (["--weights", "none.safetensors"], 1, "none.safetensors"),
        (["--target", "tpu"], 1, "no code for target `tpu`"),
        (["--rounds", "0"], 2, "0 is not in the range"),
    ],
)
def test_a_mistake_is_told_in_a_line(
    capfd, toy: Path, arguments: list[str], status: int, said: str
) -> None:
    pytest.importorskip("iree.runtime")
    found = call(capfd, "bench", toy, *arguments)
    assert found[0] == status
    assert said in found[2]
    assert found[1] == ""


def test_a_program_that_generates_nothing_is_refused(capfd, tmp_path: Path) -> None:
    path = tmp_path / "m.linnet"
    path.write_text("module m\n\npub entry f(x: f32) -> f32 {\n    return x\n}\n", "utf-8")
    status, _, err = call(capfd, "bench", path)
    assert status == 2
    assert "the program has no entry `decode`" in err
    status, _, err = call(capfd, "bench", tmp_path / "gone.linnet")
    assert status == 2
    assert "does not exist" in err


def test_made_up_weights_have_every_shape_and_dtype_and_are_the_same_each_time(
    tmp_path: Path,
) -> None:
    from safetensors.numpy import load_file

    members = [
        Member("a", "param", "f32", (3, 4)),
        Member("b", "param", "bf16", (5,)),
        Member("c", "buffer", "i8", (2,)),
        Member("d", "buffer", "bool", ()),
    ]
    for name in ("one", "other"):
        random_weights(tmp_path / name, members)
    one, other = load_file(tmp_path / "one"), load_file(tmp_path / "other")
    for member in members:
        assert (one[member.path].shape, one[member.path].dtype) == (member.shape, member.numpy)
        assert np.array_equal(one[member.path], other[member.path])
    assert 0 < np.abs(one["a"]).max() < 0.2


def test_bandwidth_is_bytes_over_seconds() -> None:
    found = read_bandwidth(1, size=4 << 20, rounds=3)
    assert found.count == 3
    assert 0 < found.least <= found.median <= found.most
