"""`make new-pass`: what it writes, and what it refuses."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("new_pass", ROOT / "tools" / "new_pass.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


new_pass = load()


def test_a_pass_gets_four_files_three_tests_and_its_line(tmp_path: Path) -> None:
    (tmp_path / "lib" / "Lower").mkdir(parents=True)
    (tmp_path / "lib" / "Lower" / "CMakeLists.txt").write_text("# One line a pass.\n")
    written = new_pass.scaffold(tmp_path, "Lower", "CancelTransposes")
    folder, tests = Path("lib/Lower/CancelTransposes"), Path("test/Lower/cancel-transposes")
    assert {path.relative_to(tmp_path) for path in written} == {
        *(folder / f"CancelTransposes.{suffix}" for suffix in ("td", "h", "cpp")),
        folder / "CMakeLists.txt",
        *(tests / f"{name}.mlir" for name in ("example", "keeps", "limits")),
        Path("lib/Lower/CMakeLists.txt"),
    }
    assert '"linnet-cancel-transposes"' in (tmp_path / folder / "CancelTransposes.td").read_text()
    registry = (tmp_path / "lib" / "Lower" / "CMakeLists.txt").read_text()
    assert registry == "# One line a pass.\nadd_subdirectory(CancelTransposes)\n"


@pytest.mark.parametrize(
    ("room", "name", "problem"),
    [
        ("Misc", "CancelTransposes", "ROOM must be one of"),
        ("Lower", "cancelTransposes", "NAME must be verb and object"),
        ("Lower", "CancelTransposesPass", "NAME must be verb and object"),
        ("Lower", "../Escape", "NAME must be verb and object"),
    ],
)
def test_a_wrong_name_is_refused(tmp_path: Path, room: str, name: str, problem: str) -> None:
    outcome = new_pass.scaffold(tmp_path, room, name)
    assert isinstance(outcome, str)
    assert problem in outcome
    assert list(tmp_path.iterdir()) == []


def test_a_pass_is_never_overwritten(tmp_path: Path) -> None:
    first = new_pass.scaffold(tmp_path, "Lower", "CancelTransposes")
    first[0].write_text("edited")
    assert new_pass.scaffold(tmp_path, "Lower", "CancelTransposes") == (
        "lib/Lower/CancelTransposes exists already"
    )
    assert first[0].read_text() == "edited"
