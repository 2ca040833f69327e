"""The version of an installed package, as the standard library tells it."""

import subprocess
import sys
from importlib.metadata import distributions, version
from pathlib import Path

import pytest

import linnet
from linnet.backends import installed


def test_every_installed_package_has_the_version_of_the_standard_library():
    names = {each.metadata["Name"] for each in distributions()} - {None}
    assert len(names) > 5
    assert {name: installed(name) for name in names} == {name: version(name) for name in names}


def test_a_package_that_is_not_installed_has_none():
    assert installed("no-such-package") is None


def test_names_are_compared_as_pip_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "Some_pack.age-1.2.3.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert installed("some-Pack_age") == "1.2.3"
    assert installed("pack.age") is None


def test_of_two_descriptions_the_standard_library_takes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for number in ("1", "2"):
        (tmp_path / f"twice-{number}.dist-info").mkdir()
        text = f"Metadata-Version: 2.1\nName: twice\nVersion: {number}\n"
        (tmp_path / f"twice-{number}.dist-info" / "METADATA").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    assert installed("twice") == version("twice")


def test_loading_imports_no_reader_of_metadata():
    statement = "import sys, linnet.runtime; print('email' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", statement],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(linnet.__file__).parents[1]), "PATH": ""},
    )
    assert done.stdout == "False\n"
