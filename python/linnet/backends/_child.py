"""Compilers run in a child process: one that dies takes nothing with it and leaves its input."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.errors import BackendError


def run_child(
    tool: str,
    command: Sequence[str],
    inputs: Mapping[str, bytes],
    output: str,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Write `inputs` to a fresh folder, run `command` in it, and return the file `output`.

    When the child dies or fails, the folder is kept, with the command and what it wrote, and
    BackendError names it.
    """
    folder = Path(tempfile.mkdtemp(prefix="linnet-"))
    try:
        for name, data in inputs.items():
            (folder / name).write_bytes(data)
        with open(folder / "log.txt", "wb") as log:
            done = subprocess.run(
                list(command),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                check=False,
            )
        if done.returncode == 0 and (folder / output).is_file():
            return (folder / output).read_bytes()
        kept = folder.with_name(folder.name.replace("linnet-", "linnet-crash-", 1))
        folder.rename(kept)
        (kept / "command.txt").write_text(" ".join(command) + "\n")
        how = _how_it_ended(done.returncode)
        raise BackendError(
            f"{tool} {how}: {_reason(kept / 'log.txt')}",
            f"its input, command and output are in {kept}",
            kept,
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _how_it_ended(status: int) -> str:
    if status < 0:
        return f"died of signal {-status}"
    return f"failed with status {status}" if status else "wrote no output"


def _reason(log: Path) -> str:
    """Return the first line that looks like an error, else the last one."""
    text = log.read_text(errors="replace")
    # A frame of a stack, `#3 0x…`, says nothing to a reader.
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("#")]
    for line in lines:
        if "error:" in line or "Error" in line:
            return line[:300]
    return lines[-1][:300] if lines else "no output"
