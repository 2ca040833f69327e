"""Shell completion: the script, and what it asks for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.cli._group import COMMANDS
from linnet.cli._main import run

PACKAGE = Path(__file__).resolve().parents[3] / "python"


def completed(words: str, statement: str = "") -> list[str]:
    """What bash is offered after words, of which the last is begun."""
    program = f"from linnet.cli import main; import sys\n{statement}\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={
            "PYTHONPATH": str(PACKAGE),
            "PATH": os.environ.get("PATH", ""),
            "_LINNET_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        },
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_commands_and_options_are_offered() -> None:
    assert completed("linnet ") == list(COMMANDS)
    assert completed("linnet f") == ["fmt"]
    assert completed("linnet fmt --") == ["--check", "--diff", "--help"]


def test_offering_commands_imports_none_of_them() -> None:
    statement = (
        "import atexit\natexit.register(lambda: print(',', 'linnet.cli._run' in sys.modules))"
    )
    assert completed("linnet ", statement)[-1].strip() == "False"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_linnet(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert f"_LINNET_COMPLETE={shell}_complete" in out
    assert "linnet" in out


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "cmd"]) == 2
    assert "'cmd' is not one of 'bash', 'zsh', 'fish'" in capsys.readouterr().err
