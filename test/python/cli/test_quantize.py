"""`linnet quantize`: the file it writes, the report, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import linnet
from linnet.cli._main import run
from linnet.weights import narrow
from oracle.weights import Sizes, random_weights

ROOT = Path(__file__).resolve().parents[3]
GPT2 = ROOT / "examples" / "gpt2"
SIZES = Sizes(vocab=19, max_positions=16, h=16, heads=2, layers=1)
PROGRAM = ["--program", str(GPT2 / "gpt2.linnet"), "--root", "Model"]
PROGRAM += [
    part
    for name, value in SIZES.generics(batch=1, max_seq=8).items()
    for part in ("--bind", f"{name}={value}")
]
RNG = np.random.default_rng(0)
TENSORS = {
    "a.weight": RNG.standard_normal((5, 3), np.float32),
    "a.bias": RNG.standard_normal(5, np.float32),
    "b.weight": RNG.standard_normal((4, 4), np.float32).astype(ml_dtypes.bfloat16),
    "conv": RNG.standard_normal((2, 3, 3), np.float32),
    "ids": np.arange(6, dtype=np.int64).reshape(2, 3),
    "empty": np.zeros((0, 3), np.float32),
}


@pytest.fixture
def given(tmp_path: Path) -> Path:
    save_file(TENSORS, tmp_path / "in.safetensors")
    return tmp_path / "in.safetensors"


@pytest.fixture
def gpt2(tmp_path: Path) -> list[str]:
    """Weights of a small GPT-2 and the options that name its program."""
    save_file(dict(random_weights(SIZES)), tmp_path / "gpt2.safetensors")
    names = json.loads((GPT2 / "bindings.json").read_text("utf-8"))
    own = {path: name for path, name in names.items() if path.split(".")[1:2] in ([], ["0"])}
    own |= {path: name for path, name in names.items() if not path.startswith("blocks.")}
    (tmp_path / "b.json").write_text(json.dumps(own))
    return [str(tmp_path / "gpt2.safetensors"), *PROGRAM, "--bindings", str(tmp_path / "b.json")]


def quantize(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run(["quantize", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def report(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    status, out, err = quantize(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    schema = ROOT / "python" / "linnet" / "cli" / "quantize.schema.json"
    jsonschema.validate(found, json.loads(schema.read_text("utf-8")))
    return found


@pytest.mark.parametrize("axis", [0, 1])
def test_matrices_become_integers_and_scales(
    capsys: pytest.CaptureFixture[str], given: Path, tmp_path: Path, axis: int
):
    output = tmp_path / "out.safetensors"
    found = report(capsys, given, "-o", output, "--axis", axis)
    written = load_file(output)
    want = narrow("a", TENSORS["a.weight"], "int8", axis)
    assert want.scale is not None
    np.testing.assert_array_equal(written["a.weight"], want.values)
    np.testing.assert_array_equal(written["a.weight.scale"], np.expand_dims(want.scale, 1 - axis))
    assert written["b.weight"].dtype == np.int8
    for name in ("a.bias", "conv", "ids"):
        np.testing.assert_array_equal(written[name], TENSORS[name])
    assert written.keys() - TENSORS.keys() == {"a.weight.scale", "b.weight.scale", "empty.scale"}
    reasons = {each["name"]: each["reason"] for each in found["tensors"] if each["reason"]}
    assert reasons == {"a.bias": "a vector", "conv": "no matrix", "ids": "no floating tensor"}
    sizes = [sum(a.nbytes for a in group.values()) for group in (TENSORS, written)]
    assert [found["bytes_before"], found["bytes_after"]] == sizes


def test_the_errors_are_those_of_the_file(
    capsys: pytest.CaptureFixture[str], given: Path, tmp_path: Path
):
    found = report(capsys, given, "-o", tmp_path / "out.safetensors")
    written = load_file(tmp_path / "out.safetensors")
    (each,) = (each for each in found["tensors"] if each["name"] == "a.weight")
    wide = TENSORS["a.weight"].astype(np.float64)
    error = written["a.weight"] * written["a.weight.scale"].astype(np.float64) - wide
    rows = np.sqrt((error**2).sum(1) / (wide**2).sum(1))
    assert each["max_abs_error"] == pytest.approx(np.abs(error).max(), rel=1e-4)
    assert each["relative_rms_error"] == pytest.approx(
        np.sqrt((error**2).sum() / (wide**2).sum()), rel=1e-4
    )
    assert (each["worst_row"], each["worst_row_error"]) == (
        rows.argmax(),
        pytest.approx(rows.max(), rel=1e-4),
    )


@pytest.mark.parametrize(("axis", "shape"), [(0, (3, 96)), (1, (96, 3))])
def test_matrices_become_half_bytes_in_groups(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, axis: int, shape: tuple[int, int]
):
    """96 numbers in groups of 64 at most: 3 groups of 32."""
    given = {
        "w": RNG.standard_normal(shape, np.float32),
        "odd": RNG.standard_normal((3, 24) if axis == 0 else (24, 3), np.float32),
    }
    save_file(given, tmp_path / "in.safetensors")
    output = tmp_path / "out.safetensors"
    found = report(
        capsys, tmp_path / "in.safetensors", "-o", output, "--dtype", "int4", "--axis", axis
    )
    written = load_file(output)
    each = (3, 3) if axis == 0 else (1, 3, 3)
    assert {name: (str(a.dtype), a.shape) for name, a in written.items()} == {
        "w": ("uint8", (3, 3, 16)),
        "w.scale": ("float32", each),
        "w.zero": ("float32", each),
        "odd": ("float32", given["odd"].shape),
    }
    by_name = {one["name"]: one for one in found["tensors"]}
    assert by_name["odd"]["reason"] == "no whole groups of 16"
    assert (by_name["w"]["group"], by_name["w"]["axis"]) == (32, axis)
    # By hand, from what the format says.
    packed, scale, zero = written["w"], written["w.scale"], written["w.zero"]
    q = np.stack([packed & 15, packed >> 4], -1).reshape(3, 3, 32).astype(np.float64)
    rows = (q - zero.reshape(3, 3, 1)) * scale.reshape(3, 3, 1)
    wide = rows.reshape(3, 96) if axis == 0 else rows.reshape(3, 96).T
    error = np.abs(wide - given["w"])
    assert by_name["w"]["max_abs_error"] == pytest.approx(error.max(), rel=1e-4)
    assert (error <= 0.5001 * scale.max()).all()
    assert by_name["w"]["bytes_after"] == 3 * 3 * (16 + 8)


def test_floats_are_rounded_where_that_is_narrower(
    capsys: pytest.CaptureFixture[str], given: Path, tmp_path: Path
):
    output = tmp_path / "out.safetensors"
    found = report(capsys, given, "-o", output, "--dtype", "bf16", "--skip", "co*")
    written = load_file(output)
    assert {
        name: a.dtype for name, a in written.items() if a.dtype == ml_dtypes.bfloat16
    }.keys() == {
        "a.weight",
        "b.weight",
        "empty",
    }
    reasons = {each["name"]: each["reason"] for each in found["tensors"] if each["reason"]}
    assert (reasons["b.weight"], reasons["conv"]) == ("bf16 is no wider", "left out by name")


def test_the_program_says_what_a_row_is_and_the_logits_are_compared(
    capsys: pytest.CaptureFixture[str], gpt2: list[str], tmp_path: Path
):
    output = tmp_path / "out.safetensors"
    found = report(capsys, *gpt2, "-o", output, "--check")
    axes = {each["name"]: each["axis"] for each in found["tensors"] if each["scheme"]}
    assert axes.pop("wte.weight") == axes.pop("wpe.weight") == 0
    assert len(axes) == 4
    assert set(axes.values()) == {1}
    check = found["check"]
    assert (check["entry"], check["positions"]) == ("forward", 16)
    assert 0 < check["max_abs_diff"] < 0.1
    assert 0 < check["mean_kl"] <= check["max_kl"] < 1e-3
    assert check["top1_agreement"] > 0.8
    status, out, _ = quantize(
        capsys, *gpt2, "-o", output, "--check", "--check-input", "tokens=[[1]]"
    )
    assert status == 0
    assert "logits of `forward` at 1 positions: largest difference 0.0" in out


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("int8", []),
        ("int4:16", ["--dtype", "int4", "--group", "16"]),
        ("int4", ["--dtype", "int4"]),
    ],
)
def test_a_written_file_gives_what_rounding_at_load_gives(
    gpt2: list[str], tmp_path: Path, form: str, options: list[str]
):
    output = tmp_path / "out.safetensors"
    assert run(["quantize", *gpt2, "-o", str(output), *options, "--check"]) == 0
    weights, bindings = Path(gpt2[0]), Path(gpt2[-1])
    generics = SIZES.generics(batch=1, max_seq=8)
    tokens = np.array([[1, 2, 3]], np.int32)
    results = [
        linnet.compile(
            GPT2 / "gpt2.linnet", "Model", generics, each, bindings, weights_dtype=form
        ).forward(tokens)
        for each in (weights, output)
    ]
    np.testing.assert_array_equal(results[0], results[1])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dtype", "int7"], "no form `int7`"),
        (["--group", "32"], "int8 has no groups"),
        (["--dtype", "bf16", "--group", "32"], "bf16 has no groups"),
        (["--only", "nothing*"], "no tensor is called `nothing*`"),
        (["--root", "Model"], "there is no program to look at"),
        (["--check"], "there is no program to look at"),
        ([*PROGRAM, "--axis", "1"], "the program says what a row is"),
        (PROGRAM, "is missing from the weights"),
    ],
)
def test_what_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], given: Path, tmp_path: Path, options: list[str], said: str
):
    status, out, err = quantize(capsys, given, "-o", tmp_path / "out.safetensors", *options)
    assert (status, out) == (1 if "missing" in said else 2, "")
    assert said in err
    assert err.count("\n") == 2
    assert not (tmp_path / "out.safetensors").exists()


def test_bad_tensors_and_files_are_refused_and_leave_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    output = tmp_path / "out.safetensors"
    output.write_bytes(b"as it was")
    bad = np.ones((3, 3), np.float32)
    bad[1, 1] = np.nan
    save_file({"good": np.eye(3, dtype=np.float32), "bad": bad}, tmp_path / "nan.safetensors")
    assert (
        "tensor `bad` holds a NaN"
        in quantize(capsys, tmp_path / "nan.safetensors", "-o", output)[2]
    )
    (tmp_path / "text").write_text("no safetensors at all")
    assert "no safetensors file" in quantize(capsys, tmp_path / "text", "-o", output)[2]
    save_file(
        {"w": np.eye(3, dtype=np.float32), "w.scale": np.eye(3, dtype=np.float32)},
        tmp_path / "twice.safetensors",
    )
    said = quantize(capsys, tmp_path / "twice.safetensors", "-o", output)[2]
    assert "the scales of `w` need the name `w.scale`, which a tensor has" in said
    assert output.read_bytes() == b"as it was"
    assert not list(tmp_path.glob(".*"))


def test_the_input_is_never_the_output(
    capsys: pytest.CaptureFixture[str], given: Path, tmp_path: Path
):
    before = given.read_bytes()
    (tmp_path / "link").symlink_to(given)
    for output in (given, tmp_path / "link"):
        assert "is the file that is read" in quantize(capsys, given, "-o", output)[2]
    assert given.read_bytes() == before


def test_a_full_disk_loses_nothing(
    capsys: pytest.CaptureFixture[str],
    given: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    output = tmp_path / "out.safetensors"
    output.write_bytes(b"as it was")
    status, _, err = quantize(capsys, given, "-o", output)
    assert status == 2
    assert f"cannot write {output}: no space left on device" in err
    assert output.read_bytes() == b"as it was"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_nothing(tmp_path: Path, number: int, status: int):
    """The file is large enough to be met in the middle."""
    rows = np.zeros((4000, 1000), np.float32)
    save_file({f"w{i}": rows for i in range(30)}, tmp_path / "in.safetensors")
    with subprocess.Popen(
        [sys.executable, "-m", "linnet", "quantize", "in.safetensors", "-o", "out.safetensors"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
    ) as process:
        while process.poll() is None and not list(tmp_path.glob(".out*")):
            pass
        process.send_signal(number)
        assert process.wait() == status
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.safetensors"]
