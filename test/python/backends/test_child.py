"""A compiler in a child process: whatever it does, the parent goes on with one clear error."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import linnet
from linnet.backends import Limits, compile_limits, run_child
from linnet.errors import BackendError, UsageError

PACKAGE = Path(linnet.__file__).parent
LIMITS = Limits(60.0, 60, 1 << 30, 1 << 20)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def child(program: str, limits: Limits = LIMITS) -> bytes:
    command = [sys.executable, "-c", program]
    return run_child("the tool", command, {"in": b"abc"}, "out", limits=limits)


def refused(program: str, limits: Limits = LIMITS) -> BackendError:
    with pytest.raises(BackendError) as caught:
        child(program, limits)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_child_reads_its_input_and_leaves_nothing_but_its_output(temporary: Path):
    program = "import os; open('out', 'w').write(open('in').read() * 2 + os.environ['TMPDIR'])"
    found = child(program).decode()
    assert found.startswith("abcabc" + str(temporary))
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(7)", "failed with status 7: no output"),
        ("print('error: odd type'); raise SystemExit(1)", "failed with status 1: error: odd type"),
        ("pass", "wrote no output: no output"),
        ("import os; os.abort()", "died of signal 6: no output"),
        ("import os, signal; os.kill(os.getpid(), 11)", "died of signal 11: no output"),
        (
            "import os, signal; os.kill(os.getpid(), 9)",
            "was killed by the system: the machine may ",
        ),
    ],
)
def test_a_child_that_fails_is_one_line_and_leaves_its_input(
    temporary: Path, program: str, said: str
):
    error = refused(program)
    assert error.message.startswith(f"the tool {said}")
    assert error.reproducer is not None
    assert sorted(path.name for path in error.reproducer.iterdir()) == [
        "command.txt",
        "in",
        "log.txt",
    ]
    assert list(temporary.iterdir()) == [error.reproducer]


def test_a_child_that_eats_memory_ends(temporary: Path):
    program = "a = []\nwhile True: a.append(bytearray(1 << 24))"
    assert refused(program).message == (
        "the tool needs more memory than LINNET_COMPILE_MEMORY allows, 1024 MiB"
    )


def test_a_child_that_writes_without_end_ends(temporary: Path):
    program = "f = open('out', 'wb')\nwhile True: f.write(bytes(1 << 16))"
    assert "wrote a file of more than 1048576 bytes" in refused(program).message


def test_a_child_that_computes_without_end_ends(temporary: Path):
    limits = Limits(60.0, 1, 1 << 30)
    assert refused("while True: pass", limits).message == (
        "the tool used 1 s of the processors, all that it may"
    )


STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
more = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", more])
open("ready", "w")
time.sleep(600)
"""


def working_in(folder: Path) -> list[int]:
    """The processes that work in a folder or below."""
    found: list[int] = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                place = os.readlink(process / "cwd")
            except OSError:
                continue
            if place.startswith(str(folder)):
                found.append(int(process.name))
    return found


def test_a_child_that_hangs_and_ignores_sigterm_ends_with_its_own_children(temporary: Path):
    error = refused(STUBBORN, Limits(1.0, 60, 1 << 30))
    assert error.message == (
        "the tool was ended after 1 s, the time that LINNET_COMPILE_SECONDS allows"
    )
    assert working_in(temporary) == []


def test_a_child_in_another_thread_has_its_limits_too(temporary: Path):
    found: list[BackendError] = []
    limits = Limits(0.5, 60, 1 << 30)
    thread = threading.Thread(
        target=lambda: found.append(refused("import time; time.sleep(60)", limits))
    )
    thread.start()
    thread.join()
    assert "was ended after 0.5 s" in found[0].message


def test_a_full_disk_is_one_line(temporary: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(UsageError, match=r"compiler's input to .*: no space left on device"):
        child("pass")
    assert list(temporary.iterdir()) == []


def test_limits_come_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LINNET_COMPILE_SECONDS", "90")
    monkeypatch.setenv("LINNET_COMPILE_MEMORY", "3GiB")
    limits = compile_limits()
    assert (limits.seconds, limits.memory) == (90.0, 3 << 30)
    for name in ("LINNET_COMPILE_SECONDS", "LINNET_COMPILE_MEMORY"):
        monkeypatch.setenv(name, "much")
        with pytest.raises(UsageError, match=name):
            compile_limits()
        monkeypatch.delenv(name)


PARENT = """
import sys
from linnet.backends import Limits, run_child

run_child("the tool", [sys.executable, "-c", sys.argv[1]], {}, "out")
"""


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[Callable[[], "subprocess.Popen[str]"]]:
    """What starts a process whose child ignores SIGTERM, and waits until that is at work."""
    started: list[subprocess.Popen[str]] = []

    def start() -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", PARENT, STUBBORN],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "TMPDIR": str(tmp_path)},
        )
        started.append(process)
        while process.poll() is None and not list(tmp_path.glob("linnet-*/ready")):
            time.sleep(0.01)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, -signal.SIGINT), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_a_signal_to_the_parent_ends_the_child_and_leaves_nothing(
    parent: Callable[[], "subprocess.Popen[str]"], tmp_path: Path, number: int, status: int
):
    process = parent()
    process.send_signal(number)
    process.communicate()
    assert process.returncode == status
    assert working_in(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_second_interrupt_does_not_stop_the_cleaning(
    parent: Callable[[], "subprocess.Popen[str]"], tmp_path: Path
):
    process = parent()
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    process.communicate()
    assert working_in(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_parent_that_is_killed_takes_the_child_with_it(
    parent: Callable[[], "subprocess.Popen[str]"], tmp_path: Path
):
    process = parent()
    leader = min(working_in(tmp_path))
    process.kill()
    process.communicate()
    for _ in range(500):
        if leader not in working_in(tmp_path):
            break
        time.sleep(0.01)
    left = working_in(tmp_path)
    for each in left:
        os.kill(each, signal.SIGKILL)
    assert leader not in left
