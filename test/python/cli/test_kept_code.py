"""`linnet compile` and `run` with the compile cache: taken, left alone, or unusable."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("iree.compiler", reason="IREE is not installed")

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = (
    "module m\n\npub entry twice(x: Tensor[3; f32]) -> Tensor[3; f32] {\n    return x + x\n}\n"
)
CALL = ("--input", "x=[1.0, 2.0, 3.0]", "--json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.linnet").write_text(PROGRAM)
    return tmp_path


def start(folder: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    given = {"PYTHONPATH": str(ROOT / "python"), "LINNET_CACHE_DIR": str(folder / "cache")}
    return subprocess.Popen(
        [sys.executable, "-m", "linnet", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, **given, **environment},
    )


def linnet(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    with start(folder, *arguments, **environment) as process:
        out, err = process.communicate()
    assert "Traceback" not in err
    return process.returncode, out, err


# A compiler gets no time at all: what is found was not compiled.
NONE = {"LINNET_COMPILE_SECONDS": "0.001"}


def test_code_is_compiled_once_for_compile_and_run(folder: Path):
    assert linnet(folder, "compile", "m.linnet", "-o", "m.lna")[0] == 0
    first = (folder / "m.lna" / "variants" / "cpu" / "module.vmfb").read_bytes()
    assert linnet(folder, "compile", "m.linnet", "-o", "again.lna", **NONE)[0] == 0
    assert (folder / "again.lna" / "variants" / "cpu" / "module.vmfb").read_bytes() == first
    status, out, err = linnet(folder, "run", "m.linnet", "--target", "cpu", *CALL, **NONE)
    assert (status, err) == (0, "")
    assert json.loads(out)["results"][0]["data"] == [2.0, 4.0, 6.0]
    for command in (("compile", "m.linnet", "-o", "x.lna"), ("run", "m.linnet", "--target", "cpu")):
        more = CALL if command[0] == "run" else ()
        status, _, err = linnet(folder, *command, *more, "--no-cache", **NONE)
        assert status == 3
        assert "was ended after 0.001 s, the time that LINNET_COMPILE_SECONDS allows" in err
    assert not (folder / "x.lna").exists()


@pytest.mark.parametrize("kind", ["below a file", "full"])
def test_a_cache_that_cannot_be_used_is_a_notice(folder: Path, kind: str):
    environment: dict[str, str] = {}
    if kind == "below a file":
        environment["LINNET_CACHE_DIR"] = str(folder / "m.linnet" / "cache")
    elif Path("/dev/full").exists():
        # Whatever is written there finds no room.
        (folder / "sitecustomize.py").write_text(
            "import os, tempfile\n"
            "real = tempfile.mkstemp\n"
            "def mkstemp(*a, **k):\n"
            "    handle, name = real(*a, **k)\n"
            "    if k.get('prefix') == '.tmp-':\n"
            "        os.close(handle)\n"
            "        handle = os.open('/dev/full', os.O_WRONLY)\n"
            "    return handle, name\n"
            "tempfile.mkstemp = mkstemp\n"
        )
        environment["PYTHONPATH"] = f"{ROOT / 'python'}:{folder}"
    status, _, err = linnet(folder, "compile", "m.linnet", "-o", "m.lna", **environment)
    reason = "not a directory" if kind == "below a file" else "no space left on device"
    cache = environment.get("LINNET_CACHE_DIR", str(folder / "cache"))
    assert (status, err) == (0, f"notice: the compile cache {cache} is not used: {reason}\n")
    assert linnet(folder, "run", "m.lna", *CALL)[0] == 0


def test_two_that_build_the_same_at_once_both_succeed(folder: Path):
    both = [start(folder, "compile", "m.linnet", "-o", "m.lna") for _ in range(2)]
    done = [(each.communicate(), each.returncode) for each in both]
    assert [(status, err) for (_, err), status in done] == [(0, ""), (0, "")]
    status, out, _ = linnet(folder, "run", "m.lna", *CALL)
    assert (status, json.loads(out)["results"][0]["data"]) == (0, [2.0, 4.0, 6.0])
    assert sorted(path.name for path in folder.iterdir()) == ["cache", "m.linnet", "m.lna"]
    _, out, _ = linnet(folder, "cache", "--json")
    assert json.loads(out)["entries"] == 1


def test_a_compiler_out_of_memory_is_one_line(folder: Path):
    status, out, err = linnet(
        folder,
        "compile",
        "m.linnet",
        "-o",
        "m.lna",
        LINNET_COMPILE_MEMORY="4MiB",
        TMPDIR=str(folder),
    )
    assert (status, out) == (3, "")
    first, second = err.splitlines()
    assert first.startswith("error: IREE ")
    assert second.startswith("hint: its input, command and output are in ")
    assert not (folder / "m.lna").exists()


def test_an_artifact_that_does_not_fit_is_compiled_again_when_asked(folder: Path):
    from linnet.artifact._manifest import digest

    assert linnet(folder, "compile", "m.linnet", "-o", "m.lna")[0] == 0
    form = json.loads((folder / "m.lna" / "manifest.json").read_text())
    form["variants"][0]["versions"] = {"iree-base-runtime": "0.0.1"}
    form["digest"] = digest(form)
    (folder / "m.lna" / "manifest.json").write_text(json.dumps(form))
    shutil.rmtree(folder / "cache")
    status, out, err = linnet(folder, "run", "m.lna", *CALL)
    assert (status, out) == (1, "")
    said, hint = err.splitlines()
    assert "was built for iree-base-runtime 0.0.1, but" in said
    assert hint == (
        "hint: compile the program again on this machine, or load it with --recompile "
        "(recompile=True)"
    )
    for environment in ({}, NONE):
        status, out, err = linnet(folder, "run", "m.lna", *CALL, "--recompile", **environment)
        assert (status, json.loads(out)["results"][0]["data"]) == (0, [2.0, 4.0, 6.0])
        assert err.endswith("; it was compiled again from its portable form\n")
