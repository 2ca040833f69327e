"""Compilers run in a child process: one that dies takes nothing with it and leaves its input.

The child has limits, leads a group of its own, and ends with it whenever we end: by an interrupt,
by SIGTERM, and by a signal that cannot be caught.
"""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from linnet.backends._limits import Limits, compile_limits
from linnet.errors import BackendError, UsageError

_LAUNCH = Path(__file__).with_name("_launch.py")
# A compiler that is asked to end removes what it was writing; one that does not is ended.
_GRACE_SECONDS = 1.0
_OUT_OF_MEMORY = ("out of memory", "bad_alloc", "MemoryError", "Cannot allocate memory")


def run_child(
    tool: str,
    command: Sequence[str],
    inputs: Mapping[str, bytes],
    output: str,
    environment: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    identity: Mapping[str, str] | None = None,
    label: str = "",
) -> bytes:
    """Write `inputs` to a fresh folder, run `command` in it, and return the file `output`.

    The child's own temporary files lie in that folder as well. When the child dies, fails or
    exceeds a limit (`compile_limits` without any given), the folder is kept, with the command and
    what it wrote, and BackendError names it. UsageError where the folder cannot be written.

    With an `identity`, the result comes from the compile cache if it is there, as `label`. It must
    hold whatever the output depends on beside the command's arguments and the inputs: versions, the
    processor, the contents of files that the command reads by a path of their own.
    """
    bounds = limits or compile_limits()

    def make() -> bytes:
        return _run_child(tool, command, inputs, output, environment, bounds)

    if identity is None:
        return make()
    parts: dict[str, str | bytes] = {
        "tool": tool,
        "arguments": "\0".join(command[1:]),
        "output": output,
        **{f"identity {name}": value for name, value in identity.items()},
        **{f"input {name}": data for name, data in inputs.items()},
    }
    # Here, since loading a model takes nothing from the cache.
    from linnet.cache import cached, key_of

    return cached(key_of(parts), f"{tool}: {label}" if label else tool, make)


def _run_child(
    tool: str,
    command: Sequence[str],
    inputs: Mapping[str, bytes],
    output: str,
    environment: Mapping[str, str] | None,
    limits: Limits,
) -> bytes:
    folder: Path | None = None
    try:
        with _signals_held(), _writable():
            folder = Path(tempfile.mkdtemp(prefix="linnet-"))
        with _writable():
            for name, data in inputs.items():
                (folder / name).write_bytes(data)
        status = _run(
            command,
            folder,
            {**os.environ, "TMPDIR": str(folder), **(environment or {})},
            limits,
        )
        if status == 0 and (folder / output).is_file():
            return (folder / output).read_bytes()
        kept = folder.with_name(folder.name.replace("linnet-", "linnet-crash-", 1))
        folder.rename(kept)
        with contextlib.suppress(OSError):  # A full disk is told by what the child wrote.
            (kept / "command.txt").write_text(" ".join(command) + "\n")
        raise BackendError(
            f"{tool} {_how_it_ended(status, kept / 'log.txt', limits)}",
            f"its input, command and output are in {kept}",
            kept,
        )
    finally:
        with _signals_held():
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _writable() -> Generator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"cannot write the compiler's input to {tempfile.gettempdir()}: {reason}",
            "set TMPDIR to a folder with room",
        ) from None


def _run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], limits: Limits
) -> int | None:
    """Run `command` to its end and return its status, None where its time is over.

    `iree-compile` may be a script that starts the compiler, so ending the child is not enough:
    it leads a group of its own.
    """
    numbers = (os.getpid(), limits.cpu_seconds, limits.memory, limits.file_bytes)
    launch = [sys.executable, "-I", "-S", str(_LAUNCH), *map(str, numbers), *command]
    child: subprocess.Popen[bytes] | None = None
    with open(folder / "log.txt", "wb") as log, _termination_raised():
        try:
            with _signals_held():
                child = subprocess.Popen(
                    launch,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=environment,
                    start_new_session=True,
                )
            return _wait(child, limits.seconds)
        finally:
            if child is not None and child.returncode is None:
                with _signals_held():
                    _end_group(child)


def _wait(child: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Return the child's status as soon as it ends, or None when the time is over."""
    try:
        handle = os.pidfd_open(child.pid)
    except (AttributeError, OSError):
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
    try:
        end = time.monotonic() + seconds
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        while (left := end - time.monotonic()) > 0:
            # In pieces, so that its milliseconds fit into an int.
            if poll.poll(min(left, 3600.0) * 1000):
                return child.wait()
        return child.poll()
    finally:
        os.close(handle)


@contextmanager
def _signals_held() -> Generator[None]:
    """Raise an interrupt or a termination that comes within at the end.

    A child half made, or a folder half removed, would be nobody's. Masking the signals is not
    enough, since any other thread of the process may take them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Only the main thread is interrupted.
        return
    came: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        came.append(number)

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, signal.SIG_DFL if handler is None else handler)
    if came:
        handler = before[signal.Signals(came[0])]
        if callable(handler):
            handler(came[0], None)
        elif handler is signal.SIG_DFL:
            os.kill(os.getpid(), came[0])


@contextmanager
def _termination_raised() -> Generator[None]:
    """Make SIGTERM raise, where nobody says otherwise: as it is, a child would be left behind."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def leave(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """End the group that `child` leads, and wait until it writes no more files."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)
        _wait(child, _GRACE_SECONDS)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for _ in range(200):
            os.killpg(child.pid, 0)
            time.sleep(0.01)
    # Where the group ended by itself, its leader was not waited for.
    child.wait()


def _how_it_ended(status: int | None, log: Path, limits: Limits) -> str:
    """Say what became of a child that gave no output, and why."""
    why = _reason(log)
    if status is None:
        return f"was ended after {limits.seconds:g} s, the time that LINNET_COMPILE_SECONDS allows"
    # A shell and Python's own children report the signal as a status.
    killed = -status if status < 0 else status - 128 if status > 128 else 0
    if killed == signal.SIGXCPU:
        return f"used {limits.cpu_seconds} s of the processors, all that it may"
    if killed == signal.SIGXFSZ or "File too large" in why:
        return f"wrote a file of more than {limits.file_bytes} bytes, all that it may"
    if any(each in log.read_text(errors="replace") for each in _OUT_OF_MEMORY):
        return f"needs more memory than LINNET_COMPILE_MEMORY allows, {limits.memory >> 20} MiB"
    if killed == signal.SIGKILL:
        return "was killed by the system: the machine may be out of memory"
    if status < 0:
        return f"died of signal {-status}: {why}"
    return f"failed with status {status}: {why}" if status else f"wrote no output: {why}"


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
