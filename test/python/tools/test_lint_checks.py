"""The lint that finds test directives which check nothing."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lint_checks", ROOT / "tools" / "lint_checks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lint = load()
RUN = "// RUN: linnet-opt %s | FileCheck %s\n"


def found(text: str) -> list[str]:
    return [problem for _, problem in lint.check_test(text)]


def test_a_sound_test_is_silent() -> None:
    text = RUN + "// CHECK-LABEL: func.func @f(\n// CHECK-SAME: x\n// CHECK-COUNT-2: y\n"
    assert found(text) == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("// CHECK-NEXT return", "without its colon"),
        ("// CHECK-NEXT : return", "space before the colon"),
        ("// CHEKC: return", "did you mean `CHECK`"),
        ("// CHECK-NETX: return", "did you mean `CHECK-NEXT`"),
        ("// CHECK-LABLE: return", "did you mean `CHECK-LABEL`"),
        ("// CHECKNEXT: return", "did you mean `CHECK-NEXT`"),
        ("// CHECK_NEXT: return", "did you mean `CHECK-NEXT`"),
        ("// CHECK-ELSE: return", "no directive"),
    ],
)
def test_a_dead_directive_is_found(line: str, word: str) -> None:
    problems = found(f"{RUN}// CHECK: func\n{line}\n")
    assert len(problems) == 1
    assert word in problems[0]


def test_a_prefix_that_no_run_line_names_is_found() -> None:
    text = "// RUN: linnet-opt %s | FileCheck %s --check-prefix=HERE\n// HERE: a\n// CHECK: b\n"
    assert found(text) == ["`CHECK` is no directive of this file's RUN lines"]


def test_filecheck_without_a_directive_is_found() -> None:
    assert found(RUN) == ["no directive `CHECK:` for the FileCheck of a RUN line"]


def test_verify_diagnostics_without_an_expectation_is_found() -> None:
    text = "// RUN: linnet-opt %s --verify-diagnostics\nmodule {}\n"
    assert found(text) == ["`--verify-diagnostics` without an `expected-…`"]


def test_an_expectation_without_verify_diagnostics_is_found() -> None:
    text = RUN + "// CHECK: x\n// expected-error@+1 {{no}}\n"
    assert found(text) == ["`expected-…` without `--verify-diagnostics` in a RUN line"]


def test_a_file_without_a_run_line_is_found() -> None:
    assert found("module {}\n") == ["no RUN line: lit runs nothing"]


def test_prose_is_no_directive() -> None:
    text = RUN + "// CHECK: x\n// THE first one holds. NOTE that S is 2: see above.\n"
    assert found(text) == []


def test_a_path_of_a_machine_is_found() -> None:
    home = "/" + "home" + "/someone"
    assert [p for _, p in lint.check_paths(f"see {home}/x\nhttps://example.org/work/x\n")] == [
        f"path of a machine: `{home[:7]}…`"
    ]
