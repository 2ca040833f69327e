"""`linnet lint` and `check --strict` fail on warnings; `check` does not (spec section 17)."""

import json
from pathlib import Path

import pytest

from linnet.cli._main import run

CLEAN = "module clean\npub fn run(x: f32) -> f32 {\n    return x\n}\n"
SPARE = "module spare\npub fn run(x: f32) -> f32 {\n    let waste = x\n    return x\n}\n"
WRONG = "module wrong\npub fn run(x: f32) -> f32 {\n    let waste = x\n    return y\n}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("clean", CLEAN), ("spare", SPARE), ("wrong", WRONG)):
        (tmp_path / f"{name}.linnet").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "name", "status"),
    [
        (["check"], "spare", 0),
        (["check", "--strict"], "spare", 1),
        (["lint"], "spare", 1),
        (["lint"], "clean", 0),
        (["lint"], "wrong", 1),
    ],
)
def test_warnings_fail_where_they_should(
    folder: Path, command: list[str], name: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, str(folder / f"{name}.linnet")]) == status
    said = capsys.readouterr()
    expected = {"clean": "", "spare": "warning[W1002]", "wrong": "error[E1201]"}[name]
    assert said.err.startswith(expected)
    assert ("W1002" in said.err) == (name == "spare")
    if name == "clean":
        assert said.out == "1 file: no errors or warnings\n"
    else:
        assert said.err.endswith("` tells more\n")


def test_a_folder_is_linted_as_a_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", str(folder)]) == 1
    last = capsys.readouterr().err.splitlines()[-2:]
    assert last == ["1 error, 1 warning", "hint: `linnet explain W1002 E1201` tells more"]


def test_lint_prints_what_check_prints_as_json(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(folder / "spare.linnet")
    assert run(["check", "--json", path]) == 0
    checked = capsys.readouterr()
    assert run(["lint", "--json", path]) == 1
    linted = capsys.readouterr()
    assert json.loads(linted.out) == json.loads(checked.out)
    assert json.loads(linted.out)["summary"] == {"errors": 0, "warnings": 1}
    assert linted.err == ""
