"""`linnet doctor`, `linnet cache` and `linnet inspect` of an artifact: facts, and what is wrong."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from linnet.artifact._manifest import digest
from linnet.cli import _doctor, _machine, _packages
from linnet.cli._main import run

ROOT = Path(__file__).resolve().parents[3]


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    done = capfd.readouterr()
    return status, done.out, done.err


def facts_of(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    status, out, err = call(capfd, *arguments, "--json")
    assert err == ""
    return status, json.loads(out)


@pytest.fixture
def copy(toy: Path, tmp_path: Path) -> Path:
    shutil.copytree(toy, tmp_path / "copy.lna")
    return tmp_path / "copy.lna"


def edit(path: Path, target: str, **change: object) -> None:
    file = path / "manifest.json"
    form = json.loads(file.read_text())
    for variant in form["variants"]:
        if variant["target"] == target:
            variant.update(change)
    form["digest"] = digest(form)
    file.write_text(json.dumps(form))


def test_doctor_finds_this_installation_sound(capfd):
    status, out, err = call(capfd, "doctor")
    assert (status, err) == (0, "")
    for line in (
        r"linnet \S+, Python 3\.\S+, MLIR 22\.1\.\S+",
        r"  cpu +works",
        r"  xla-cpu +works",
    ):
        assert re.search(f"^{line}$", out, re.MULTILINE), line
    assert "problems" not in out
    status, facts = facts_of(capfd, "doctor", "--measure")
    assert status == 0
    assert facts["packages"][0] == {
        "name": "numpy",
        "found": version("numpy"),
        "supported": ">=1.26",
        "extra": None,
        "problem": None,
    }
    assert facts["processor"]["cores"] >= 1
    assert facts["memory"]["read_bytes_per_second"] > 1e8


def test_doctor_names_what_is_missing_and_what_installs_it(capfd, monkeypatch):
    found = {"jaxlib": None, "iree-base-runtime": "3.12.0", "numpy": "1.25.9"}
    real = _packages.installed
    monkeypatch.setattr(_packages, "installed", lambda name: found.get(name, real(name)))
    monkeypatch.setattr(_machine, "mlir_version", lambda _: None)
    status, facts = facts_of(capfd, "doctor")
    assert status == 1
    needed = _packages.EXTRAS["xla"]["jaxlib"]
    assert [(each["name"], each["why"], each["command"]) for each in facts["targets"][:3]] == [
        ("reference", None, None),
        (
            "cpu",
            "iree-base-runtime 3.12.0 is installed, ==3.13.0 is supported",
            "pip install 'linnet-mlir[iree]'",
        ),
        ("xla-cpu", f"jaxlib {needed} is not installed", "pip install 'linnet-mlir[xla]'"),
    ]
    gpus = {each["name"]: each["why"] for each in facts["targets"][3:]}
    assert gpus["iree-cuda"] == facts["targets"][1]["why"]
    assert gpus["cuda"] is not None
    assert facts["problems"] == [
        "the extension with MLIR is not built",
        "numpy 1.25.9: needs >=1.26",
        "iree-base-runtime 3.12.0: needs ==3.13.0",
        "no target compiles: only the reference interpreter works",
    ]


def test_targets_are_listed_with_what_is_known_of_gpus(capfd):
    status, out, err = call(capfd, "target", "list", "--json")
    assert (status, err) == (0, "")
    listed = {each["name"]: each for each in json.loads(out)["targets"]}
    assert listed["cuda:h100"] == {
        "name": "cuda:h100",
        "device": "NVIDIA H100 80GB HBM3",
        "capability": "9.0",
        "memory": 80 << 30,
        "source": "linnet",
    }
    assert listed["iree-cuda:sm_89"]["capability"] == "8.9"
    status, out, _ = call(capfd, "target")
    assert status == 0
    assert re.search(r"^cuda:l4 +8\.9 +\S+ GiB +linnet +NVIDIA L4$", out, re.MULTILINE)


def test_the_supported_versions_are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    def split(lines: list[str]) -> dict[str, str]:
        pairs = [re.match(r"([\w-]+)([^;]*)(;.*)?", line) for line in lines]
        mine = "<" if sys.version_info < (3, 12) else ">="
        return {
            each[1]: each[2].strip()
            for each in pairs
            if each is not None and (each[3] is None or mine in each[3])
        }

    assert split(project["dependencies"]) == _packages.REQUIRED
    extras = project["optional-dependencies"]
    assert {name: split(extras[name]) for name in _packages.EXTRAS} == _packages.EXTRAS


@pytest.mark.parametrize(
    ("spec", "found", "holds"),
    [
        (">=1.26", "1.26", True),
        (">=1.26", "1.9.9", False),
        (">=8.2", "8.2.0rc1", True),
        ("==3.13.0", "3.13", True),
        ("==3.13.0", "3.13.1", False),
        (">=0.12,<0.13", "0.12.0.1", True),
        (">=0.12,<0.13", "0.13", False),
    ],
)
def test_a_version_is_compared_by_its_numbers(spec: str, found: str, holds: bool):
    assert _packages.supports(spec, found) == holds


def test_doctor_says_which_variant_would_be_loaded(capfd, toy: Path, copy: Path):
    status, facts = facts_of(capfd, "doctor", toy)
    assert (status, facts["artifact"]["loads"]) == (0, "cpu")
    edit(copy, "cpu", versions={"numpy": "0.0.1"})
    status, out, _ = call(capfd, "doctor", copy)
    assert status == 0
    assert re.search(r"^  cpu +was built for numpy 0\.0\.1, but", out, re.MULTILINE)
    assert re.search(r"^  xla-cpu +fits, and would be loaded$", out, re.MULTILINE)
    edit(copy, "xla-cpu", cpu={"arch": "vax", "features": []})
    status, facts = facts_of(capfd, "doctor", copy)
    assert (status, facts["problems"]) == (1, [f"{copy} cannot be loaded here"])


def test_doctor_and_inspect_name_every_damage(capfd, copy: Path):
    code = copy / "variants" / "cpu" / "module.vmfb"
    code.write_bytes(code.read_bytes()[:-1])
    form = copy / "stablehlo" / "decode.mlirbc"
    form.write_bytes(b"x" + form.read_bytes()[1:])
    status, facts = facts_of(capfd, "doctor", copy)
    assert (status, facts["artifact"]["loads"]) == (1, None)
    first, second = facts["artifact"]["damages"]
    assert re.search(r"module\.vmfb is truncated: \d+ bytes, not \d+$", first)
    assert second == f"{form} was changed after it was written"
    status, out, _ = call(capfd, "inspect", copy)
    assert status == 1
    assert f"damaged\n  {first}\n  {second}\n" in out
    (copy / "manifest.json").write_text("{")
    status, facts = facts_of(capfd, "doctor", copy)
    assert (status, len(facts["artifact"]["damages"])) == (1, 1)


def test_inspect_shows_an_artifact(capfd, toy: Path):
    status, out, err = call(capfd, "inspect", toy)
    assert (status, err) == (0, "")
    for line in (
        "root m::Toy, MaxSeq = 16",
        "  decode(token: Tensor[1, 1; i32], pos: i32) -> (Tensor[1, 8; f32])",
        "parameters: 1, 4 B",
        "states: 2, 8 B",
        "  seen: i32",
        "  fits this machine",
        f"  needs jaxlib {version('jaxlib')}",
        "all 7 files are as they were written",
    ):
        assert line in out.splitlines()
    assert "param scale" not in out
    _, out, _ = call(capfd, "inspect", toy, "--parameters")
    assert "  param scale: f32" in out.splitlines()
    status, facts = facts_of(capfd, "inspect", toy)
    assert (status, facts["damages"], facts["bytes"]["states"]) == (0, [], 8)
    assert [each["in_the_way"] for each in facts["manifest"]["variants"]] == [None, None]


def test_inspect_refuses_views_of_an_artifact_and_other_folders(capfd, toy: Path, tmp_path: Path):
    status, _, err = call(capfd, "inspect", toy, "--ast")
    assert (status, err.splitlines()[0]) == (
        2,
        "error: an artifact has no views but --parameters, and no options",
    )
    status, _, err = call(capfd, "inspect", tmp_path)
    assert (status, err.splitlines()[0]) == (
        2,
        f"error: {tmp_path} is a folder, neither a program nor an artifact",
    )


@pytest.mark.parametrize("command", ["doctor", "inspect", "cache"])
def test_facts_of_an_artifact_load_no_numpy(toy: Path, command: str):
    words = [command] if command == "cache" else [command, str(toy)]
    statement = (
        f"from linnet.cli._main import run; import sys; run({words!r}); "
        "names = ('numpy', 'jaxlib', 'iree', 'jsonschema'); "
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", statement],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "python"), "PATH": "", "LINNET_CACHE_DIR": "/nonexistent"},
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_cache_is_shown_cleared_and_named(capfd, tmp_path: Path, monkeypatch):
    from linnet.cache import Store

    monkeypatch.setenv("LINNET_CACHE_DIR", str(tmp_path / "cache"))
    assert call(capfd, "cache") == (0, f"{tmp_path}/cache: 0 entries, 0 B of 2.0 GiB\n", "")
    Store(tmp_path / "cache", 1 << 20).put("ab" * 32, b"code", "IREE: forward")
    status, out, _ = call(capfd, "cache", "show")
    assert status == 0
    assert re.search(r": 1 entry, \d+ B of", out)
    assert re.search(r"^  20\S+Z +\d+ B  IREE: forward$", out, re.MULTILINE)
    _, facts = facts_of(capfd, "cache")
    assert [each["what"] for each in facts["kept"]] == ["IREE: forward"]
    assert call(capfd, "cache", "dir") == (0, f"{tmp_path}/cache\n", "")
    assert call(capfd, "cache", "clear")[1].startswith("removed 1 entry, ")
    assert facts_of(capfd, "cache")[1]["entries"] == 0
    monkeypatch.setenv("LINNET_NO_CACHE", "1")
    assert call(capfd, "cache")[1].endswith(", turned off\n")
    monkeypatch.setenv("LINNET_CACHE_LIMIT", "much")
    status, _, err = call(capfd, "cache")
    assert (status, err.splitlines()[0]) == (2, "error: LINNET_CACHE_LIMIT: `much` is no size")


def test_doctor_sees_a_cache_that_cannot_be_written(capfd, tmp_path: Path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LINNET_CACHE_DIR", str(tmp_path / "file" / "cache"))
    status, facts = facts_of(capfd, "doctor")
    assert (status, facts["cache"]["writable"]) == (0, False)
    assert "not writable: code is compiled each time" in call(capfd, "doctor")[1]


def test_a_driver_and_its_devices_are_read(monkeypatch, tmp_path: Path):
    (tmp_path / "information").write_text("Model: \t NVIDIA H100 80GB HBM3\nIRQ: 1\n")
    texts = {
        "/proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06"
    }
    real = _machine._read
    monkeypatch.setattr(_machine, "_read", lambda path: texts.get(path) or real(path))
    monkeypatch.setattr(Path, "glob", lambda *_: iter([tmp_path / "information"]))
    assert _machine.gpus() == {"driver": "580.65.06", "devices": ["NVIDIA H100 80GB HBM3"]}
    facts = {"processor": _machine.processor(), "memory": _machine.memory(), "gpu": _machine.gpus()}
    lines = list(_doctor._machine_lines(facts))
    assert lines[-1] == "  gpu                  NVIDIA H100 80GB HBM3; NVIDIA driver 580.65.06"
