"""What is no ordinary file: folders, pipes, devices, links, files that change or vanish."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from robustness._limits import ROOT, commands, linnet

GOOD = "module m\n\npub fn f(x: f32) -> f32 {\n    return x\n}\n"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "python")}


def refused(path: Path, cwd: Path, *said: str) -> None:
    """Every command refuses the path with one line that says one of these."""
    for command in commands(path):
        ran = linnet(*command, cwd=cwd)
        assert ran.status in (1, 2), (command, ran)
        assert any(word in ran.err for word in said), (command, ran.err)


def test_a_folder_named_as_a_program(tmp_path: Path) -> None:
    folder = tmp_path / "p.linnet"
    folder.mkdir()
    refused(folder, tmp_path, "no .linnet files", "is a directory", "is a folder")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "p.linnet"
    os.mkfifo(pipe)
    refused(pipe, tmp_path, "regular file")


def test_an_endless_device_is_not_read(tmp_path: Path) -> None:
    refused(Path("/dev/zero"), tmp_path, "regular file")


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    with path.open("wb") as file:
        file.truncate(200 << 20)  # Sparse: it takes no room.
    refused(path, tmp_path, "larger than")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    path.write_text(GOOD)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user reads every file")
    refused(path, tmp_path, "ermission denied", "not readable")


def test_a_link_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    path.symlink_to(path)
    refused(path, tmp_path, "oo many levels of symbolic links", "does not exist")


def test_a_link_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    path.symlink_to(tmp_path / "gone")
    refused(path, tmp_path, "o such file", "does not exist")


def test_a_folder_with_links_around_a_loop(tmp_path: Path) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "p.linnet").write_text(GOOD)
    (folder / "again").symlink_to(folder)
    ran = linnet("check", folder, cwd=tmp_path)
    assert (ran.status, ran.out) == (0, "1 file: no errors\n")


def test_an_import_of_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "linnet.toml").write_text(
        '[package]\nname = "p"\nversion = "0.1.0"\nlanguage = "0.1"\n'
    )
    source = tmp_path / "src"
    source.mkdir()
    (source / "lib.linnet").write_text("module lib\n\nuse crate.other::{g}\n")
    os.mkfifo(source / "other.linnet")
    ran = linnet("check", source / "lib.linnet", cwd=tmp_path)
    assert ran.status == 1
    assert "regular file" in ran.err


def test_a_file_that_vanishes_or_changes_while_it_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    script = (
        "import sys, itertools, os\n"
        "path = sys.argv[1]\n"
        "for number in itertools.count():\n"
        "    if number % 3 == 0 and os.path.exists(path):\n"
        "        os.remove(path)\n"
        "    else:\n"
        "        with open(path, 'w') as file:\n"
        "            file.write('module m\\n' + 'fn f(' * (number % 3))\n"
    )
    path.write_text(GOOD)
    with subprocess.Popen([sys.executable, "-c", script, str(path)]) as changing:
        try:
            for _ in range(4):
                linnet("check", path, cwd=tmp_path)
        finally:
            changing.kill()


def test_a_reader_that_closes_its_end_early(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    path.write_text("module m\n" + "fn f(x: f32) -> f32 { return y }\n" * 300)
    command = f"'{sys.executable}' -m linnet check --json p.linnet | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == b""
    assert len(done.stdout) == 10


def test_closed_streams(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    path.write_text("module m\nfn f(x: f32) -> f32 { return y }\n")
    for closed in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
        done = subprocess.run(
            ["bash", "-c", f"'{sys.executable}' -m linnet check p.linnet {closed}"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr


def test_an_interrupt_while_checking_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "p.linnet"
    body = "".join(f"let a{i + 1} = a{i} + x\n" for i in range(60_000))
    path.write_text(f"module m\nfn f(x: f32) -> f32 {{\nlet a0 = x\n{body}return a0\n}}\n")
    with subprocess.Popen(
        [sys.executable, "-m", "linnet", "check", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        cwd=tmp_path,
    ) as process:
        # Once the compiler is loaded, the check itself goes on.
        while process.poll() is None:
            if "_mlir" in Path(f"/proc/{process.pid}/maps").read_text():
                break
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")


def test_a_program_from_a_path_of_many_forms(tmp_path: Path) -> None:
    names = ("with space", "ünïcode", "日本", "a'b", '"q"', "$x", "-dash", "new\nline")
    paths = [tmp_path / f"{name}.linnet" for name in names]
    for path in paths:
        path.write_text("module m\nfn f(x: f32) -> f32 { return y }\n")
    ran = linnet("check", "--json", "--", *paths, cwd=tmp_path)
    found = json.loads(ran.out)["diagnostics"]
    assert [one["location"]["file"] for one in found] == [str(path) for path in paths]
