"""Each `example.mlir` fails once the pass that it shows is taken out of its RUN line."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PASS_FLAG = re.compile(r"""\s--?(?:linnet-|pass-pipeline=)(?:"[^"]*"|'[^']*'|[^\s"'|])*""")


def commands(text: str) -> list[str]:
    """The RUN lines, with lines that end in a backslash joined."""
    runs = re.findall(r"^\s*//\s*RUN:\s?(.*)$", text, re.MULTILINE)
    return re.sub(r"\\\n\s*", " ", "\n".join(runs)).splitlines()


def without_passes(command: str) -> str:
    """`command` with every flag that names a pass of ours removed."""
    return PASS_FLAG.sub("", command)


def succeeds(command: str, path: Path) -> bool:
    """Run one RUN line as lit would."""
    path_variable = os.pathsep.join([str(ROOT / "build" / "bin"), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.replace("%s", str(path))],
        capture_output=True,
        env={**os.environ, "PATH": path_variable},
    )
    return done.returncode == 0


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "test").rglob("example.mlir")),
    ids=lambda path: str(path.parent.relative_to(ROOT / "test")),
)
def test_the_example_fails_without_its_pass(path: Path) -> None:
    runs = commands(path.read_text(encoding="utf-8"))
    shortened = [without_passes(run) for run in runs]
    assert runs
    assert shortened != runs, "no RUN line names a pass"
    assert not all(succeeds(run, path) for run in shortened)


def test_a_flag_is_removed_with_its_options() -> None:
    run = (
        "linnet-opt %s --linnet-bind=\"root=M generics='H=1'\" --cse --linnet-unroll | FileCheck %s"
    )
    assert without_passes(run) == "linnet-opt %s --cse | FileCheck %s"


def test_a_run_line_may_be_broken_in_two() -> None:
    assert commands("// RUN: linnet-opt %s \\\n// RUN:   --cse\n") == ["linnet-opt %s  --cse"]
