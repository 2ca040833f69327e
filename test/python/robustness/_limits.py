"""Runs the command line under limits of time and memory, as every hostile input is run."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 10  # of processor time: a busy machine may take longer by the clock.
_CLOCK = 120
_MEMORY = 6 << 30


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    status: int
    out: str
    err: str


def linnet(*arguments: str | Path, cwd: Path, given: bytes = b"") -> Ran:
    """Run a command; one that takes too long, or that is our own fault, fails the test."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TMPDIR": str(cwd)}
    done = subprocess.run(
        [sys.executable, "-m", "linnet", *map(str, arguments)],
        input=given,
        capture_output=True,
        timeout=_CLOCK,
        cwd=cwd,
        env=environment,
        preexec_fn=_limit,
        check=False,
    )
    out = done.stdout.decode("utf-8", "backslashreplace")
    err = done.stderr.decode("utf-8", "backslashreplace")
    assert done.returncode >= 0, f"ended by signal {-done.returncode}: {arguments}"
    assert "Traceback" not in err, err[-2000:]
    assert "internal error" not in err, err[-2000:]
    assert done.returncode in (0, 1, 2), (done.returncode, err[-2000:])
    return Ran(done.returncode, out, err)


def commands(path: Path) -> list[Sequence[str | Path]]:
    """Every command that reads a program and runs none."""
    from linnet.cli._group import COMMANDS

    known: dict[str, Sequence[str | Path]] = {
        "check": ("check", path),
        "lint": ("lint", path),
        "fmt": ("fmt", "--check", path),
        "inspect": ("inspect", path),
    }
    return [command for name, command in known.items() if name in COMMANDS]


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
