"""`linnet stablehlo`, `compile` and `run` on source text."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.cli._main import run

PROGRAM = """module demo.tally

pub block Tally<N: Dim, T: Float = f32> where N > 1 {
    param scale: Tensor[N; T]
    param shift: Tensor[N; T]?
    state total: Tensor[N; T]

    pub entry add<S: Dim>(rows: Tensor[S, N; T]) -> Tensor[N; T] where S <= 4 {
        let sums[n] = sum[s] rows[s, n] * scale[n]
        let moved = match shift {
            some(by) => sums + by
            none => sums
        }
        total = total + moved
        return total
    }

    pub entry clear() {
        total = fill<T>([N], 0.0)
    }
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "tally.linnet").write_text(PROGRAM)
    save_file({"s": np.array([1, 10], np.float32)}, tmp_path / "w.safetensors")
    (tmp_path / "b.json").write_text('{"scale": "s"}')
    return tmp_path / "tally.linnet"


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    done = capfd.readouterr()
    assert "Traceback" not in done.err
    return status, done.out, done.err


def weights(program: Path) -> tuple[object, ...]:
    folder = program.parent
    return ("--weights", folder / "w.safetensors", "--bindings", folder / "b.json")


def test_one_entry_is_main_with_inputs_params_states(capfd, program: Path):
    status, out, err = call(
        capfd, "stablehlo", program, "--entry", "add", "--bind", "N=2", "--bind", "S=3"
    )
    assert (status, err) == (0, "")
    line = next(line for line in out.splitlines() if "@main" in line)
    order = [line.index(part) for part in ("3x2xf32", '"scale"', '"total"')]
    assert order == sorted(order)
    assert "shift" not in line
    status, out, _ = call(
        capfd, "stablehlo", program, "--bind", "N=2", "--bind", "S=3", "--optionals", "present"
    )
    assert status == 0
    assert "@add(" in out
    assert "@clear(" in out
    assert 'linnet.path = "shift"' in out


@pytest.mark.parametrize("form", ["bytecode", "portable", "portable@1.0.0"])
def test_stablehlo_writes_the_binary_forms(capfd, program: Path, form: str, tmp_path: Path):
    output = tmp_path / "out.mlirbc"
    binds = ("--bind", "N=2", "--bind", "S=3", "--entry", "add")
    status, out, _ = call(capfd, "stablehlo", program, *binds, "--format", form, "-o", output)
    assert (status, out) == (0, "")
    assert output.read_bytes().startswith(b"ML\xefR")


def test_a_stage_can_be_printed_and_all_can_be_dumped(capfd, program: Path, tmp_path: Path):
    binds = ("--bind", "N=2", "--bind", "S=3", "--entry", "add")
    for stage, said in (
        ("emit", "linnet.block"),
        ("bind", "linnet.read_state"),
        ("lower", "tensor<[3, 2], f32>"),
    ):
        status, out, _ = call(capfd, "stablehlo", program, *binds, "--stop-after", stage)
        assert status == 0
        assert said in out
    bound = tmp_path / "bound.mlir"
    status, out, _ = call(capfd, "stablehlo", program, *binds, "--stop-after", "bind", "-o", bound)
    assert (status, out) == (0, "")
    assert "linnet.read_state" in bound.read_text("utf-8")
    status, _, err = call(capfd, "stablehlo", program, *binds, "--dump", tmp_path / "d")
    stages = ["syntax", "checker", "emit", "verify", "bind", "lower", "stablehlo"]
    assert [line.split()[0] for line in err.splitlines()] == stages
    assert sorted(path.stem for path in (tmp_path / "d").iterdir()) == sorted(stages)


def test_run_takes_presence_from_the_weights_and_generics_from_the_inputs(capfd, program: Path):
    given = ("run", program, "--entry", "add", "--bind", "N=2", "--json")
    rows = ("--input", "rows=[[1.0, 2.0], [3.0, 4.0]]")
    status, out, _ = call(capfd, *given, *rows, *weights(program))
    assert (status, json.loads(out)["results"][0]["data"]) == (0, [4.0, 60.0])
    arrays = {"s": np.array([1, 10], np.float32), "shift": np.array([1, 1], np.float32)}
    save_file(arrays, program.parent / "w.safetensors")
    _, out, _ = call(capfd, *given, *rows, *weights(program))
    assert json.loads(out)["results"][0]["data"] == [5.0, 61.0]


def test_compile_writes_an_artifact_that_runs(capfd, program: Path, tmp_path: Path):
    output = tmp_path / "t.lna"
    binds = ("--bind", "N=2", "--bind", "S=2")
    status, out, _ = call(
        capfd, "compile", program, *binds, "--target", "xla-cpu", "-o", output, "--json"
    )
    assert status == 0
    assert json.loads(out)["targets"] == ["xla-cpu"]
    rows = ("--input", "rows=[[1.0, 2.0], [3.0, 4.0]]", "--json")
    status, out, _ = call(capfd, "run", output, "--entry", "add", *rows, *weights(program))
    assert (status, json.loads(out)["results"][0]["data"]) == (0, [4.0, 60.0])
    status, out, _ = call(capfd, "run", output, "--entry", "clear", *weights(program))
    assert (status, out) == (0, "")
    status, _, err = call(capfd, "run", output, "--target", "cpu", *weights(program))
    assert status == 1
    assert "no code for target `cpu`, only for `xla-cpu`" in err


BOUND = ("--bind", "N=2", "--bind", "S=3")
MISTAKES = [
    (("--root", "Tal", *BOUND), 2, "no root block `Tal`"),
    (("--entry", "ad", *BOUND), 2, "no entry `ad`"),
    (("--bind", "N=2", "--entry", "add"), 2, "S"),
    ((*BOUND, "--bind", "M=2"), 2, "M"),
    ((*BOUND, "--bind", "N=3"), 2, "`N` is bound twice"),
    (("--bind", "N=1", "--bind", "S=3"), 1, "error[E2206]: `N > 1` does not hold: N = 1"),
    (("--bind", "N=2", "--bind", "S=9"), 1, "error[E2206]: `S <= 4` does not hold: S = 9"),
    ((*BOUND, "--format", "xml"), 2, "no format `xml`"),
    ((*BOUND, "--format", "portable@x"), 2, "`x` is no version of StableHLO"),
    ((*BOUND, "--format", "portable@99.0.0"), 2, "`99.0.0` is no version of StableHLO"),
    ((*BOUND, "--stop-after", "link"), 2, "no stage `link`"),
    ((*BOUND, "-o", "/none/out"), 2, "cannot write /none/out"),
]


@pytest.mark.parametrize(("arguments", "status", "said"), MISTAKES)
def test_a_mistake_is_named_with_its_status(capfd, program, arguments, status: int, said: str):
    found, out, err = call(capfd, "stablehlo", program, *arguments)
    assert (found, out) == (status, "")
    assert said in err
    assert err.startswith("error")


def test_a_missing_file_is_named_and_a_refused_program_shown(capfd, tmp_path: Path):
    status, _, err = call(capfd, "run", tmp_path / "none.linnet")
    assert status == 2
    assert "none.linnet" in err
    (tmp_path / "m.linnet").write_text("module m\nentry f(x: f32) -> i32 { return x }")
    status, _, err = call(capfd, "compile", tmp_path / "m.linnet", "-o", tmp_path / "m.lna")
    assert status == 1
    assert "error[E2101]" in err
    assert not (tmp_path / "m.lna").exists()


def test_weights_of_a_program_are_checked_before_it_runs(capfd, program: Path):
    given = ("run", program, "--entry", "add", "--bind", "N=2", "--input", "rows=[[1.0, 2.0]]")
    status, _, err = call(capfd, *given)
    assert (status, err.splitlines()[0]) == (1, "error: `scale` needs a tensor (Tensor[2; f32])")
    for array, said in (
        (np.zeros(3, np.float32), "wrong shape: the program needs Tensor[2; f32]"),
        (np.zeros(2, np.float64), "wrong dtype: the program needs Tensor[2; f32]"),
    ):
        save_file({"s": array}, program.parent / "w.safetensors")
        status, _, err = call(capfd, *given, *weights(program))
        assert status == 1
        assert said in err


def test_xla_runs_a_program_without_a_word_of_its_own(tmp_path: Path) -> None:
    program = tmp_path / "twice.linnet"
    program.write_text(
        "module twice\n\npub entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n"
        "    return x + x\n}\n"
    )
    command = [sys.executable, "-m", "linnet", "run", str(program), "--target", "xla-cpu"]
    environment = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
    done = subprocess.run(
        [*command, "--input", "x=[1, 2]"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
