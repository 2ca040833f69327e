"""A user's mistake on a command line is one line, its hint and its status; nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.cli._main import run

PACKAGE = Path(__file__).resolve().parents[3] / "python"
MLP = """module mlp

use std.nn.activations::{gelu}
use std.nn.linear::{Linear}

pub block Mlp<H: Dim, T: Float = f32> {
    sub up: Linear<H, 4 * H, T>
    sub down: Linear<4 * H, H, T>

    pub entry forward<B: Dim>(x: Tensor[B, H; T]) -> Tensor[B, H; T] {
        return down.forward(gelu(up.forward(x)))
    }
}
"""
H, B = ("--bind", "H=4"), ("--bind", "B=1")
HLO = ("stablehlo", "MLP", *H, *B)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mlp.linnet").write_text(MLP)
    (tmp_path / "empty").mkdir()
    arrays = {"up.weight": np.ones((16, 4), "f4"), "down.weight": np.ones((4, 16), "f4")}
    save_file(arrays, tmp_path / "w.safetensors")
    return tmp_path


def call(capfd: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str, str]:
    stand_ins = {"MLP": "mlp.linnet", "W": "w.safetensors"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        status = run([stand_ins.get(each, each) for each in arguments])
    finally:
        os.chdir(before)
    done = capfd.readouterr()
    return status, done.out, done.err


MISTAKES = [
    (("chek",), 2, "no command `chek`; did you mean `check`?"),
    (("check",), 2, "missing argument 'PATH...'"),
    (("check", "none.linnet"), 2, "'none.linnet' does not exist"),
    (("check", "--what", "MLP"), 2, "no such option '--what'"),
    (("check", "empty"), 2, "no .linnet files in `empty`"),
    (("check", "--std", "none", "MLP"), 2, "'none' does not exist"),
    (("check", "--dump", "mlp.linnet/x", "MLP"), 2, "cannot write mlp.linnet/x/syntax.txt"),
    (("inspect", "empty"), 2, "empty is a folder, neither a program nor an artifact"),
    (("stablehlo", "none.linnet"), 2, "'none.linnet' does not exist"),
    (("stablehlo", "empty"), 2, "'empty' is a directory"),
    (("stablehlo", "MLP", "--std", "none"), 2, "'none' does not exist"),
    (("stablehlo", "MLP"), 2, "`mlp::Mlp` needs a value for `H`"),
    (("stablehlo", "MLP", *H), 2, "`forward` needs a value for `B`"),
    ((*HLO, "--bind", "Z=1"), 2, "there is no generic `Z`"),
    ((*HLO, "--bind", "H=5"), 2, "`H` is bound twice"),
    (("stablehlo", "MLP", *B, "--bind", "H=-4"), 2, "a 64-bit integer >= 0, not `-4`"),
    (("stablehlo", "MLP", *B, "--bind", "H=1_0"), 2, "a 64-bit integer >= 0, not `1_0`"),
    (("stablehlo", "MLP", *B, "--bind", f"H={'9' * 30}"), 2, "a 64-bit integer >= 0, not `999"),
    (("stablehlo", "MLP", *B, "--bind", f"H={'9' * 9000}"), 2, "a 64-bit integer >= 0, not `999"),
    (("stablehlo", "MLP", *B, "--bind", "H=f32"), 2, "a 64-bit integer >= 0, not `f32`"),
    ((*HLO, "--bind", "T=f33"), 2, "such as `f32`, not `f33`"),
    ((*HLO, "--root", "Linear"), 2, "no root block `Linear`"),
    ((*HLO, "--entry", "nope"), 2, "no entry `nope`"),
    ((*HLO, "--optionals", "up.bia"), 2, "no member or optional input has the path `up.bia`"),
    ((*HLO, "--format", "portable@x"), 2, "`x` is no version of StableHLO"),
    ((*HLO, "--format", "portable@99.1.1"), 2, "`99.1.1` is no version of StableHLO"),
    ((*HLO, "--format", "text@1"), 2, "no format `text@1`"),
    ((*HLO, "--dump", "mlp.linnet"), 2, "cannot write mlp.linnet/syntax.txt"),
    ((*HLO, "--stop-after", "nope"), 2, "no stage `nope`"),
    ((*HLO, "--stop-after", "backends"), 2, "ends before the stage `backends`"),
    ((*HLO, "-o", "empty"), 2, "cannot write empty: is a directory"),
    (("compile", "none.linnet", "-o", "x.lna"), 2, "'none.linnet' does not exist"),
    (("compile", "MLP"), 2, "missing option '-o' / '--output'"),
    (("compile", "MLP", *H, *B, "-o", "empty"), 2, "empty exists and is no artifact"),
    (("compile", "MLP", *H, *B, "-o", "MLP"), 2, "mlp.linnet exists and is no artifact"),
    (("compile", "MLP", *H, *B, "-o", "x.lna", "--target", "tpu"), 2, "no target `tpu`"),
    (("run", "none.linnet"), 2, "none.linnet does not exist"),
    (("run", "MLP", *H, "--weights", "W"), 2, "input `x` of entry `forward` is missing"),
    (("run", "MLP", *H, "--weights", "W", "--input", "y=1"), 2, "has no input `y`"),
    (("run", "MLP", "--optionals", "present"), 2, "no such option '--optionals'"),
    (("run", "MLP", *H, "--input", "x=1"), 1, "`up.weight` needs a tensor"),
]


@pytest.mark.parametrize(("arguments", "status", "said"), MISTAKES)
def test_a_mistake_is_one_line_with_its_status(capfd, folder, arguments, status, said) -> None:
    names = sorted(folder.iterdir())
    found, out, err = call(capfd, folder, *arguments)
    assert said in err
    assert (found, out) == (status, "")
    assert [line.partition(":")[0] for line in err.splitlines()] in (["error"], ["error", "hint"])
    assert max(map(len, err.splitlines())) < 700
    assert sorted(folder.iterdir()) == names
    assert (folder / "mlp.linnet").read_text() == MLP


def test_an_integer_generic_is_plain_digits(capfd, folder) -> None:
    assert call(capfd, folder, "stablehlo", "MLP", *B, "--bind", "H=٤")[0] == 2


def test_a_folder_with_a_manifest_of_its_own_is_no_artifact(capfd, folder) -> None:
    (folder / "empty" / "manifest.json").write_text(json.dumps({"name": "a web page"}))
    status, _, err = call(capfd, folder, "compile", "MLP", *H, *B, "-o", "empty")
    assert (status, err.splitlines()[0]) == (2, "error: empty exists and is no artifact")
    assert (folder / "empty" / "manifest.json").exists()


INPUTS = [
    ("[[1, 2, 3]]", 1, "the wrong shape: needs Tensor[1, 4; f32], found Tensor[1, 3"),
    ("[1, 2, 3, 4]", 1, "the wrong shape: needs [B, H], found [4]"),
    ("1", 1, "the wrong shape: needs [B, H], found []"),
    ("[[1], [2, 3]]", 1, "is a ragged list"),
    ("[[1, 2, 3, null]]", 1, "holds something else than numbers"),
    ("[[true, true, true, true]]", 1, "holds truth values"),
    ("[[1e39, 1, 1, 1]]", 1, "holds a number out of range"),
    ('{"a": 1}', 1, "is no array: dict"),
    ("[[1, 2", 2, "is neither a .npy file nor JSON"),
    ("[" * 5000, 2, "is neither a .npy file nor JSON"),
    ("deep.json", 2, "is neither a .npy file nor JSON"),
    ("none.json", 1, "cannot read none.json: no such file or directory"),
    ("none.npy", 1, "cannot read none.npy: no such file or directory"),
    ("empty.npy", 1, "cannot read empty.npy: it is "),
    ("text.npy", 1, "cannot read text.npy: it is no .npy file"),
    ("zip.npy", 1, "cannot read zip.npy: it is no .npy file"),
    ("cut.npy", 1, "cannot read cut.npy: it is cut off or damaged"),
    ("head.npy", 1, "cannot read head.npy: it is cut off or damaged"),
    ("huge.npy", 1, "cannot read huge.npy: it is cut off or damaged"),
    ("object.npy", 1, "cannot read object.npy: it holds Python objects"),
    ("f64.npy", 1, "the wrong dtype: needs Tensor[1, 4; f32], found Tensor[1, 4; f64]"),
]


@pytest.mark.parametrize(("value", "status", "said"), INPUTS)
def test_a_wrong_input_is_one_line_with_its_status(capfd, folder, value, status, said) -> None:
    np.save(folder / "ok.npy", np.ones((1, 4), "f4"))
    np.save(folder / "f64.npy", np.ones((1, 4)))
    np.save(folder / "object.npy", np.array([[{}, None]], dtype=object))
    data = (folder / "ok.npy").read_bytes()
    for name, content in {
        "empty.npy": b"",
        "text.npy": b"hello, this is no array",
        "cut.npy": data[:-3],
        "head.npy": data[:20],
        "huge.npy": data.replace(b"(1, 4)", b"(9000000000000, 4)"),
        "deep.json": b"[" * 100_000,
    }.items():
        (folder / name).write_bytes(content)
    np.savez(folder / "zip.npz", a=np.ones(1))
    (folder / "zip.npz").rename(folder / "zip.npy")
    given = ("run", "MLP", *H, "--weights", "W", "--input", f"x={value}")
    found, out, err = call(capfd, folder, *given)
    assert said in err
    assert (found, out) == (status, "")
    assert [line.partition(":")[0] for line in err.splitlines()] == ["error", "hint"]


def test_results_that_are_not_finite_are_json_strings(capfd, folder) -> None:
    given = ("run", "MLP", *H, "--weights", "W", "--json", "--input")
    status, out, _ = call(capfd, folder, *given, "x=[[1, 2, 3, Infinity]]")
    (result,) = json.loads(out, parse_constant=pytest.fail)["results"]
    assert (status, result["data"]) == (0, ["Infinity"] * 4)
    status, out, _ = call(capfd, folder, *given, "x=[[1, 2, 3, NaN]]")
    (result,) = json.loads(out, parse_constant=pytest.fail)["results"]
    assert (status, result["data"]) == (0, ["NaN"] * 4)


@pytest.mark.parametrize("target", ["reference", "cpu", "xla-cpu"])
def test_a_target_says_nothing_of_its_own(folder, target) -> None:
    words = ["run", "mlp.linnet", *H, "--weights", "w.safetensors", "--input", "x=[[1, 2, 3, 4]]"]
    done = subprocess.run(
        [sys.executable, "-m", "linnet", *words, "--target", target],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PYTHONPATH": str(PACKAGE), "PATH": ""},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("result: Tensor[1, 4; f32]\n")


def test_the_name_of_a_file_may_hold_any_byte(capfd, folder) -> None:
    file = os.fsdecode(b"odd \xff \xc3\xbc\n.linnet")
    (folder / file).write_text(MLP.replace("x: Tensor[B, H; T]", "x: Tensor[H; T]"))
    status, _, err = call(capfd, folder, "check", file)
    assert (status, "E2202" in err) == (1, True)
    (folder / file).write_text(MLP + "\n")
    assert call(capfd, folder, "check", file)[0] == 0
    assert call(capfd, folder, "stablehlo", file, *H, *B)[0] == 0
    (folder / file).write_text(
        MLP.replace("    sub up", "    sub zero: Linear<1, H - 9>\n    sub up")
    )
    status, _, err = call(capfd, folder, "stablehlo", file, *H, *B)
    assert (status, "error[E22" in err) == (1, True)


def test_bindings_of_unknown_paths_are_a_notice_and_an_error_when_strict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.linnet").write_text(
        "module m block B { param w: Tensor[2; f32] "
        "param b: Tensor[2; f32]? = none entry f() -> Tensor[2; f32] { return w } }"
    )
    save_file({"x": np.ones(2, np.float32)}, tmp_path / "w.safetensors")
    (tmp_path / "b.yaml").write_text("w: x\nb: y\nbb: z  # no such path\n")
    given = ["run", str(tmp_path / "m.linnet"), "--weights", str(tmp_path / "w.safetensors")]
    given += ["--bindings", str(tmp_path / "b.yaml")]
    assert run(given) == 0
    out, err = capsys.readouterr()
    assert out.startswith("result:")
    assert "notice: the bindings name paths that the program does not have: `bb`\n" in err
    assert run([*given, "--strict-weights"]) == 1
    assert "b.yaml has `bb`, which the program does not have" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "lint"])
def test_a_package_is_used_by_checking_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "linnet.toml").write_text('[package]\nname = "m"\nversion = "1"\n')
    (tmp_path / "src" / "lib.linnet").write_text("module m\n")
    (tmp_path / "src" / "b.linnet").write_text("module m.b\n\nuse crate\n")
    assert run([command, str(tmp_path / "src" / "lib.linnet")]) == 0  # No import needs it.
    capsys.readouterr()
    assert run([command, str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.count("error[E5001]: package manifest has no `language`") == 1


@pytest.mark.parametrize(
    "arguments", [["check", "m.linnet"], ["check", "."], ["init", "m"], ["fmt", "."]]
)
def test_a_current_directory_that_is_gone_is_no_error_of_ours(
    arguments: list[str], tmp_path: Path
) -> None:
    (tmp_path / "gone").mkdir()
    words = [sys.executable, "-m", "linnet", *arguments]
    script = f"cd {tmp_path / 'gone'} && rmdir {tmp_path / 'gone'} && exec {' '.join(words)}"
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )
    assert done.returncode in (1, 2), done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
