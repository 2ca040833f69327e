"""Nothing outside of the arrays is read or written, and the objects need nothing from outside.

Every array ends where a page ends, or begins where one begins, and the page beside it may not be
touched: in a process of its own, as a kernel that does is killed.
"""

import subprocess
import sys
from pathlib import Path

import kernels_library
import pytest
from kernels_library import Kernels

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("end", ["at_end", "at_begin"])
@pytest.mark.parametrize("what", ["products", "attention"])
def test_nothing_is_touched_beside_the_arrays(
    kernels: Kernels, what: str, end: str, monkeypatch: pytest.MonkeyPatch
):
    paths = (HERE.parent, HERE.parents[2] / "bench", HERE.parents[2] / "python")
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, paths)))
    library = kernels.library._name
    done = subprocess.run(
        [sys.executable, str(HERE / "_guarded.py"), kernels.level, library, what, end],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("touched nothing"), done.stdout


def test_the_guard_page_kills_who_touches_it(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    paths = (HERE.parent, HERE.parents[2] / "bench", HERE.parents[2] / "python")
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, paths)))
    done = subprocess.run(
        [sys.executable, str(HERE / "_guarded.py"), kernels.level, kernels.library._name, "beyond"],
        capture_output=True,
        timeout=300,
    )
    assert done.returncode < 0


@pytest.mark.parametrize("level", kernels_library.LEVELS)
def test_an_object_links_with_nothing_beside_it(level: str, tmp_path: Path):
    command = kernels_library.compiler()
    if not kernels_library.object_of(level).is_file() or command is None:
        pytest.skip(kernels_library.why_not(level) or "")
    target = str(tmp_path / "alone.so")
    options = ["-shared", "-nostdlib", "-nostartfiles", "-Wl,-z,defs"]
    done = subprocess.run(
        [command, *options, str(kernels_library.object_of(level)), "-o", target],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
