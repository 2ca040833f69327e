"""Compilers run in a child process: one that dies takes nothing with it and leaves its input."""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
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

    The child's own temporary files lie in that folder as well. When the child dies or fails, the
    folder is kept, with the command and what it wrote, and BackendError names it.
    """
    folder = Path(tempfile.mkdtemp(prefix="linnet-"))
    try:
        for name, data in inputs.items():
            (folder / name).write_bytes(data)
        status = _run(command, folder, {**os.environ, "TMPDIR": str(folder), **(environment or {})})
        if status == 0 and (folder / output).is_file():
            return (folder / output).read_bytes()
        kept = folder.with_name(folder.name.replace("linnet-", "linnet-crash-", 1))
        folder.rename(kept)
        (kept / "command.txt").write_text(" ".join(command) + "\n")
        how = _how_it_ended(status)
        raise BackendError(
            f"{tool} {how}: {_reason(kept / 'log.txt')}",
            f"its input, command and output are in {kept}",
            kept,
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int:
    """Run `command` to its end and return its status; when interrupted, end all that it started.

    `iree-compile` may be a script that starts the compiler, so killing the child is not enough:
    it leads a group of its own.
    """
    child: subprocess.Popen[bytes] | None = None
    with open(folder / "log.txt", "wb") as log:
        try:
            with _interrupts_held():
                child = subprocess.Popen(
                    list(command),
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=environment,
                    start_new_session=True,
                )
            return child.wait()
        except BaseException:
            if child is not None:
                _end_group(child)
            raise


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Raise an interrupt that comes within at the end: a child half made would be nobody's.

    Masking the signal is not enough, since any other thread of the process may take it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Only the main thread is interrupted.
        return
    came = False

    def note(*_: object) -> None:
        nonlocal came
        came = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
    if came:
        raise KeyboardInterrupt


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """Kill the group that `child` leads, and wait until it writes no more files."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for _ in range(200):
            os.killpg(child.pid, 0)
            time.sleep(0.01)
    except ProcessLookupError:
        pass


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
