"""The command line as a whole: exit statuses, what goes where, and crashes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import jsonschema
import pytest

from linnet.cli import _main
from linnet.cli._group import COMMANDS
from linnet.diagnostics import schema_text
from linnet.errors import UsageError

PACKAGE = Path(__file__).resolve().parents[3] / "python"
ERRORS = Path(__file__).resolve().parents[2] / "errors"


def linnet(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "linnet", *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": "", "LANG": "C.UTF-8"},
        check=False,
    )


def test_help_lists_every_command() -> None:
    done = linnet("--help")
    assert done.returncode == 0
    for name, entry in COMMANDS.items():
        assert name in done.stdout
        assert entry.help.split()[0] in done.stdout


def test_help_imports_no_command_and_nothing_heavy() -> None:
    statement = "from linnet.cli._main import run; import sys; run(['--help']); print(sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", statement],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": ""},
        check=True,
    )
    for name in ("linnet.syntax", "linnet.cli._check", "rich", "numpy", "linnet.mlir", "json"):
        assert f"'{name}'" not in done.stdout


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_of_the_table_is_one(name: str) -> None:
    pytest.importorskip("numpy")
    context = click.Context(_main.linnet)
    assert isinstance(_main.linnet.get_command(context, name), click.Command)


@pytest.mark.parametrize(
    "arguments",
    [["chek"], ["check"], ["check", "no-such-file"], ["check", "--what"], ["inspect", "."]],
)
def test_a_wrong_command_line_is_status_two(arguments: list[str]) -> None:
    done = linnet(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")


def test_errors_of_a_program_are_status_one_on_standard_error() -> None:
    done = linnet("check", str(ERRORS / "E1005" / "input.linnet"))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("error[E1005]") == 5
    assert done.stderr.endswith("\n\n5 errors\nhint: `linnet explain E1005` tells more\n")
    assert "\x1b" not in done.stderr


def test_json_is_one_object_that_fits_its_schema() -> None:
    done = linnet("check", "--json", *(str(ERRORS / code) for code in ("E1005", "E1001")))
    assert done.returncode == 1
    assert done.stderr == ""
    found = json.loads(done.stdout)
    jsonschema.validate(found, json.loads(schema_text()))
    assert found["summary"] == {"errors": len(found["diagnostics"]), "warnings": 0}
    assert {one["code"] for one in found["diagnostics"]} == {"E1001", "E1005"}


def test_a_folder_without_programs_is_a_wrong_command_line(tmp_path: Path) -> None:
    assert linnet("check", str(tmp_path)).returncode == 2


def test_only_files_of_a_folder_are_programs(tmp_path: Path) -> None:
    (tmp_path / "folder.linnet").mkdir()
    os.mkfifo(tmp_path / "pipe.linnet")
    (tmp_path / "m.linnet").write_text("module m")
    done = linnet("check", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "1 file: no errors\n")
    (tmp_path / "link.linnet").symlink_to(tmp_path / "none")
    done = linnet("check", str(tmp_path))
    assert done.returncode == 1
    assert "link.linnet" in done.stderr


def test_inspect_tells_what_is_wrong_with_a_program() -> None:
    done = linnet("inspect", str(ERRORS / "E1102" / "input.linnet"))
    assert done.returncode == 1
    assert done.stdout == ""
    assert "error[E1102]" in done.stderr


def test_a_crash_is_one_line_and_keeps_what_shows_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = tmp_path / "program.linnet"
    program.write_text("module m")

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr(_main.linnet, "main", crash)
    assert _main.run(["check", str(program)]) == 3
    told = capsys.readouterr().err
    assert told.startswith("internal error in linnet ")
    assert "RuntimeError: first line; " in told
    assert told.count("\n") == 1
    folder = Path(told.strip().rpartition(" ")[2])
    assert (folder / "1-program.linnet").read_text() == "module m"
    assert "RuntimeError: first line" in (folder / "crash.txt").read_text()


def test_an_error_of_the_library_is_its_line_and_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UsageError("no entry `x`", "entries: `run`")

    monkeypatch.setattr(_main.linnet, "main", refuse)
    assert _main.run([]) == 2
    assert capsys.readouterr().err == "error: no entry `x`\nhint: entries: `run`\n"


def test_stages_are_shown_for_one_program_only() -> None:
    cases = [str(ERRORS / code / "input.linnet") for code in ("E1005", "E1001")]
    done = linnet("check", "--stop-after", "syntax", *cases)
    assert done.returncode == 2
    assert "take one program" in done.stderr


@pytest.mark.parametrize("how", ["plain", "in the import of an extension"])
def test_an_interrupt_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, how: str
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            if how == "plain":
                raise
            raise ImportError("the extension could not be loaded") from error

    (tmp_path / "m.linnet").write_text("module m")
    monkeypatch.setattr("linnet.cli._check.load_program", interrupt)
    assert _main.run(["check", str(tmp_path / "m.linnet")]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_an_end_of_file_error_is_no_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def end(*_: object, **__: object) -> None:
        raise EOFError

    (tmp_path / "m.linnet").write_text("module m")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("linnet.cli._check.load_program", end)
    assert _main.run(["check", str(tmp_path / "m.linnet")]) == 3
    assert "internal error" in capsys.readouterr().err


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("LINNET", f"'{sys.executable}' -m linnet")],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": ""},
        check=False,
    )


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="no /bin/sh")
def test_closed_streams_change_no_exit_status(tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text("module m")
    assert shell(f"LINNET check '{tmp_path}' >&-").returncode == 0
    assert shell(f"LINNET check '{tmp_path}/none' 2>&-").returncode == 2
    assert shell(f"LINNET check '{tmp_path}' >&- 2>&-").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line() -> None:
    done = shell("LINNET --help >/dev/full")
    assert (done.returncode, done.stderr) == (1, "error: cannot write: no space left on device\n")
