"""`linnet init`: the package it makes works as its output and its README say."""

import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.cli import _init
from linnet.cli._main import run

PACKAGE = Path(__file__).resolve().parents[3] / "python"


def commands(folder: Path, lines: list[str]) -> list[str]:
    """Run command lines of `linnet` in a shell, one after another; what each printed."""
    bin_ = folder / "bin"
    bin_.mkdir()
    (bin_ / "linnet").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m linnet "$@"\n')
    (bin_ / "linnet").chmod(0o755)
    path = f"{bin_}:{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(PACKAGE)}
    here = folder
    printed: list[str] = []
    for line in lines:
        if line.startswith("cd "):
            here /= line.removeprefix("cd ")
            continue
        done = subprocess.run(
            ["/bin/sh", "-ec", line],
            cwd=here,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        printed.append(done.stdout)
    return printed


def test_the_commands_that_it_prints_and_those_of_the_readme_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("iree.compiler", reason="IREE is not installed")
    monkeypatch.chdir(tmp_path)
    assert run(["init", "my_model"]) == 0
    made, _, following = capsys.readouterr().out.partition("\nnext:\n")
    files = [line.strip() for line in made.splitlines()[1:]]
    found = [path for path in (tmp_path / "my_model").rglob("*") if path.is_file()]
    assert sorted(files) == sorted(str(path.relative_to(tmp_path / "my_model")) for path in found)
    steps = [line.strip() for line in following.splitlines()]
    assert steps[0] == "cd my_model"
    readme = (tmp_path / "my_model" / "README.md").read_text("utf-8")
    lines = [line for line in readme.splitlines() if line.startswith("linnet ")]
    assert set(steps[1:]) <= set(lines)
    printed = commands(tmp_path, [steps[0], "linnet lint .", "linnet fmt --check .", *lines])
    results = [
        [float(number) for number in re.findall(r"-?\d+\.\d*", each.partition("[[")[2])]
        for each in printed
        if "[[" in each
    ]
    assert len(results) == 2
    assert results[0] == pytest.approx(results[1], rel=1e-5)  # Two targets, one value.


def test_the_folder_has_the_mode_that_mkdir_would_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    assert run(["init", "empty"]) == 0
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("empty", "other")}
    assert len(modes) == 1


def test_an_empty_folder_and_a_path_serve(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run(["init", str(tmp_path / "empty")]) == 0
    assert (tmp_path / "empty" / "linnet.toml").read_text().startswith('[package]\nname = "empty"')


@pytest.mark.parametrize(
    ("name", "said", "hint"),
    [
        ("fn", "`fn` is a reserved word of the language", "take another name"),
        ("kernel", "`kernel` is a reserved word of the language", "take another name"),
        ("crate", "`crate` is a reserved word of the language", "take another name"),
        ("std", "`std` cannot name a package", "imports give it another meaning"),
        ("my-model", "`my-model` cannot name a package", "`linnet init my_model` would do"),
        ("3d", "`3d` cannot name a package", "try my_model"),
        ("λ", "`λ` cannot name a package", "try my_model"),
        (".", "`.` cannot name a package", "try my_model"),
        ("", "`.` cannot name a package", "try my_model"),
        ("a b", "`a b` cannot name a package", "`linnet init a_b` would do"),
        ("absent/model", "there is no folder absent", "make it first"),
        ("full", "full exists and is not empty", "take another name"),
        ("file", "file exists and is no folder", "take another name"),
        ("link", "link exists and is no folder", "take another name"),
    ],
)
def test_what_cannot_be_made_is_one_line(
    name: str,
    said: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note").touch()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("absent")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert run(["init", name]) == 2
    error, following = capsys.readouterr().err.splitlines()
    assert error.startswith(f"error: {said}")
    assert following == f"hint: {hint}"
    assert sorted(tmp_path.rglob("*")) == before


def test_nothing_is_left_of_a_package_that_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_init.os, "replace", full)
    assert run(["init", str(tmp_path / "model")]) == 2
    assert "error: cannot make " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_making_a_package_loads_no_numpy(tmp_path: Path) -> None:
    statement = (
        f"from linnet.cli._main import run; import sys; run(['init', {str(tmp_path / 'm')!r}]); "
        "print('numpy' in sys.modules, 'linnet.checker' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", statement],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": ""},
    )
    assert done.stdout.splitlines()[-1] == "False False"
