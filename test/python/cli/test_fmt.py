"""`linnet fmt`: what is written where, what is left alone, and the exit status."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.cli import _fmt
from linnet.cli._main import run

PACKAGE = Path(__file__).resolve().parents[3] / "python"
UGLY = "module m\nfn f(){}"
NICE = "module m\n\nfn f() {}\n"
BROKEN = "module m\nfn f({}\n"


def linnet(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "linnet", *arguments],
        input=given,
        capture_output=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": "", "LANG": "C.UTF-8"},
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an ugly, a nice and a broken program, and one below."""
    (tmp_path / "below").mkdir()
    (tmp_path / "ugly.linnet").write_text(UGLY)
    (tmp_path / "nice.linnet").write_text(NICE)
    (tmp_path / "below" / "ugly.linnet").write_text(UGLY)
    (tmp_path / "note.txt").write_text(UGLY)
    return tmp_path


def test_a_folder_is_formatted_and_what_changed_is_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fmt", str(folder)]) == 0
    out, err = capsys.readouterr()
    changed = [folder / "ugly.linnet", folder / "below" / "ugly.linnet"]
    assert out == "".join(f"formatted {path}\n" for path in changed)
    assert err == "2 files formatted, 1 file unchanged\n"
    assert {path.read_text() for path in folder.rglob("*.linnet")} == {NICE}
    assert (folder / "note.txt").read_text() == UGLY
    assert run(["fmt", str(folder)]) == 0
    assert capsys.readouterr() == ("", "3 files unchanged\n")


def test_check_lists_and_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fmt", "--check", str(folder / "ugly.linnet"), str(folder / "nice.linnet")]) == 1
    out, err = capsys.readouterr()
    assert out == f"would format {folder / 'ugly.linnet'}\n"
    assert err == "1 file would be formatted, 1 file unchanged\n"
    assert (folder / "ugly.linnet").read_text() == UGLY
    assert run(["fmt", "--check", str(folder / "nice.linnet")]) == 0


def test_diff_shows_the_changes_and_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "ugly.linnet"
    wanted = (
        f"--- {path}\n+++ {path} (formatted)\n@@ -1,2 +1,3 @@\n module m\n-fn f(){{}}\n"
        "\\ No newline at end of file\n+\n+fn f() {}\n"
    )
    assert run(["fmt", "--diff", str(path)]) == 0
    assert capsys.readouterr().out == wanted
    assert run(["fmt", "--check", "--diff", str(path)]) == 1
    assert capsys.readouterr().out == wanted
    assert path.read_text() == UGLY


def test_a_diff_has_colours_on_a_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def yes(*_: object) -> bool:
        return True

    monkeypatch.setattr(_fmt, "wants_colour", yes)
    assert run(["fmt", "--diff", str(folder / "ugly.linnet")]) == 0
    assert "\x1b[31m-fn f(){}" in capsys.readouterr().out


def test_a_file_with_syntax_errors_is_told_and_the_others_are_formatted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.linnet").write_text(BROKEN)
    assert run(["fmt", str(folder)]) == 1
    out, err = capsys.readouterr()
    assert out.count("formatted ") == 2
    assert "error[E1101]: expected the name of a parameter" in err
    assert (folder / "broken.linnet").read_text() == BROKEN
    assert (folder / "ugly.linnet").read_text() == NICE


def test_standard_input_goes_to_standard_output() -> None:
    done = linnet("fmt", "-", given=f"{UGLY} // λ".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "module m\n\nfn f() {} // λ\n"
    done = linnet("fmt", "-", given=BROKEN.encode())
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"<stdin>:2:6" in done.stderr
    done = linnet("fmt", "--check", "-", given=UGLY.encode())
    assert (done.returncode, done.stdout) == (1, b"would format <stdin>\n")
    assert linnet("fmt", "--check", "-", given=NICE.encode()).returncode == 0
    assert b"+fn f() {}" in linnet("fmt", "--diff", "-", given=UGLY.encode()).stdout


def test_line_ends_and_the_byte_order_mark_count_as_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, data in enumerate([NICE.replace("\n", "\r\n"), f"\ufeff{NICE}"]):
        path = tmp_path / f"{number}.linnet"
        path.write_bytes(data.encode())
        assert run(["fmt", "--check", str(path)]) == 1
        assert run(["fmt", str(path)]) == 0
        assert path.read_bytes() == NICE.encode()
    assert "formatted" in capsys.readouterr().out


def test_mode_stays_and_an_unchanged_file_is_not_touched(tmp_path: Path) -> None:
    ugly, nice = tmp_path / "ugly.linnet", tmp_path / "nice.linnet"
    ugly.write_text(UGLY)
    nice.write_text(NICE)
    ugly.chmod(0o750)
    before = nice.stat()
    assert run(["fmt", str(ugly), str(nice)]) == 0
    assert stat.S_IMODE(ugly.stat().st_mode) == 0o750
    after = nice.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nice.linnet", "ugly.linnet"]


def test_a_named_link_is_followed_and_one_in_a_folder_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "real.linnet").write_text(UGLY)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.linnet").write_text(NICE)
    link = tmp_path / "in" / "link.linnet"
    link.symlink_to(tmp_path / "real.linnet")
    assert run(["fmt", str(tmp_path / "in")]) == 0
    assert (tmp_path / "real.linnet").read_text() == UGLY
    assert run(["fmt", str(link), str(tmp_path / "real.linnet")]) == 0
    assert link.is_symlink()
    assert (tmp_path / "real.linnet").read_text() == NICE
    assert capsys.readouterr().err.endswith("1 file formatted\n")


def test_hidden_folders_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "a.linnet").write_text(UGLY)
    (tmp_path / "b.linnet").write_text(NICE)
    assert run(["fmt", "--check", str(tmp_path)]) == 0


def test_a_file_that_cannot_be_written_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    assert run(["fmt", str(folder / "ugly.linnet")]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"error: cannot write {folder / 'ugly.linnet'}: permission denied",
        "hint: check its permissions and those of its folder",
    ]
    assert (folder / "ugly.linnet").read_text() == UGLY
    assert len(list(folder.iterdir())) == 4


def test_a_read_only_file_stays_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_reading(_: object, mode: int) -> bool:
        return mode != os.W_OK

    monkeypatch.setattr(
        os, "access", only_reading
    )  # The tests may run as root, who may write anything.
    assert run(["fmt", str(folder / "ugly.linnet")]) == 1
    assert "it is read-only" in capsys.readouterr().err
    assert (folder / "ugly.linnet").read_text() == UGLY


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "a.linnet"], "- stands alone"),
        (["absent.linnet"], "'absent.linnet' does not exist"),
        (["."], "no .linnet files in `.`"),
        ([], "missing argument 'PATH...|-'"),
    ],
)
def test_a_wrong_command_line_has_status_2(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if "-" in arguments:
        (tmp_path / "a.linnet").write_text(NICE)
    assert run(["fmt", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_what_is_no_regular_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert run(["fmt", str(tmp_path / "pipe")]) == 1
    assert "it is no regular file" in capsys.readouterr().err
