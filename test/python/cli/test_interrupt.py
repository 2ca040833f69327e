"""Ctrl-C while a backend compiles: one line, nothing half-written, no temporary file."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("linnet.mlir", reason="the extension is not built")
pytest.importorskip("iree.compiler", reason="IREE is not installed")

PACKAGE = Path(__file__).resolve().parents[3] / "python"
PROGRAM = "module m pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] { return x + x }"


def test_an_interrupted_compile_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(PROGRAM)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "linnet", "compile", "m.linnet", "-o", "m.lna"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE), "TMPDIR": str(temporary)},
    ) as process:
        while process.poll() is None and not list(temporary.glob("linnet-*/log.txt")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert list(temporary.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.linnet", "temporary"]
