"""`linnet torch`: the file it writes, and what it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from linnet.cli._torch import command

PROGRAM = """module small

pub block Model<N: Dim> {
    param weight: Tensor[N; f32]
    state seen: Tensor[1; i32]

    pub entry forward<B: Dim>(x: Tensor[B, N; f32]) -> Tensor[B, N; f32] {
        seen = seen + 1
        return x * weight
    }
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "small.linnet"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_the_file_stands_alone(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.py"
    names = tmp_path / "bindings.json"
    names.write_text(json.dumps({"weight": "scale"}), encoding="utf-8")
    given = [str(program), "--bind", "N=3", "--bindings", str(names), "-o", str(out)]
    found = CliRunner().invoke(command, given, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    text = out.read_text(encoding="utf-8")
    assert text.startswith('"""`Model` of small.linnet in PyTorch, written by `linnet torch')
    assert "N = 3" in text
    pytest.importorskip("torch")
    run = "import model, torch; m = model.Model(); "
    run += "print(list(m.state_dict()), m(torch.ones(2, 3)).shape)"
    ran = subprocess.run(
        [sys.executable, "-c", run], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stdout.strip() == "['scale'] torch.Size([2, 3])", ran.stderr


def test_it_prints_without_an_output(program: Path) -> None:
    found = CliRunner().invoke(command, [str(program), "--bind", "N=3"], catch_exceptions=False)
    assert "class Model(nn.Module):" in found.output
    assert "self.seen.copy_(self.seen + 1)" in found.output


def test_unknown_numerics_are_refused(program: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "linnet", "torch", str(program), "--numerics", "loose"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert "no numerics `loose`" in found.stderr
