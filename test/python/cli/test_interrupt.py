"""Ctrl-C or SIGTERM while a backend compiles: one line, nothing half-written, no temporary file."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("iree.compiler", reason="IREE is not installed")

ROOT = Path(__file__).resolve().parents[3]
SIZES = "Vocab=256 MaxPositions=256 H=128 Heads=4 Layers=4 Batch=1 MaxSeq=256"


def working_below(folder: Path) -> list[str]:
    """The processes whose working folder is, or was, below `folder`."""
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            where = os.readlink(process / "cwd")
        except OSError:
            continue
        if where.startswith(f"{folder}/"):
            found.append(f"{process.name} in {where}")
    return found


# The compiler is at its start, in its passes, and writing objects of its own.
@pytest.mark.parametrize(
    ("number", "delay", "status", "said"),
    [
        (signal.SIGINT, 0.0, 130, "interrupted\n"),
        (signal.SIGINT, 0.5, 130, "interrupted\n"),
        (signal.SIGINT, 1.5, 130, "interrupted\n"),
        (signal.SIGTERM, 0.5, 143, ""),
    ],
)
def test_an_interrupted_compile_leaves_nothing(
    number: int, delay: float, status: int, said: str, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    binds = [part for size in SIZES.split() for part in ("--bind", size)]
    program = str(ROOT / "examples" / "gpt2" / "gpt2.linnet")
    options = ["--root", "Model", "--entry", "decode", *binds, "-o", "m.lna", "--no-cache"]
    with subprocess.Popen(
        [sys.executable, "-m", "linnet", "compile", *options, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "TMPDIR": str(temporary)},
    ) as process:
        while process.poll() is None and not list(temporary.glob("linnet-*/log.txt")):
            time.sleep(0.01)
        time.sleep(delay)
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (status, "", said)
    assert working_below(tmp_path) == []
    assert list(temporary.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]
