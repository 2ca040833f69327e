"""Whatever befalls an artifact while it is written or read: all of it is there, or none."""

import errno
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.artifact import Draft, Manifest, read_artifact, write_artifact
from linnet.artifact._manifest import digest
from linnet.backends import Module, this_cpu
from linnet.errors import ArtifactError, UsageError
from linnet.signature import Signature, Value

PACKAGE = Path(linnet.__file__).parent
SIGNATURE = Signature("f", None, {}, {}, (Value("x", "f32", ()),), (), (), ())


def write(path: Path, code: bytes) -> Manifest:
    """Write an artifact whose code and portable form are of one kind of byte."""
    source = path.with_suffix(".linnet")
    source.write_text("module m\n")
    draft = Draft("cpu", "iree-vmfb", {}, this_cpu(), [("module.vmfb", code, ["f"])])
    return write_artifact(path, source, [Module("f", SIGNATURE, code * 3)], [draft], "0.1.0")


def code_of(path: Path) -> bytes:
    artifact = read_artifact(path)
    code = artifact.read(artifact.variant().files[0].file)
    assert artifact.read(artifact.manifest.entries[0].stablehlo) == code * 3
    return code


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write(tmp_path / "m.lna", b"a" * 100)
    return tmp_path / "m.lna"


def reseal(path: Path, **change: Any) -> None:
    form = {**json.loads((path / "manifest.json").read_text()), **change}
    form["digest"] = digest(form)
    (path / "manifest.json").write_text(json.dumps(form))


def message(path: Path) -> str:
    with pytest.raises(ArtifactError) as caught:
        read_artifact(path)
    assert "\n" not in str(caught.value)
    assert caught.value.hint == "compile the program again"
    return caught.value.message


FILES = ["manifest.json", "stablehlo/f.mlirbc", "variants/cpu/module.vmfb"]


@pytest.mark.parametrize("name", FILES)
def test_every_flipped_byte_is_refused(path: Path, name: str):
    whole = (path / name).read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        data = bytearray(whole)
        data[at] ^= 4
        (path / name).write_bytes(data)
        assert message(path).startswith(str(path / name))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("length", [0, 1, 50, -2])
def test_a_truncated_file_is_refused(path: Path, name: str, length: int):
    (path / name).write_bytes((path / name).read_bytes()[:length])
    assert message(path).startswith(str(path / name))


def test_a_file_that_is_too_long_is_refused_unread(path: Path, monkeypatch: pytest.MonkeyPatch):
    file = path / "variants/cpu/module.vmfb"
    file.write_bytes(file.read_bytes() + b"x")
    monkeypatch.setattr("hashlib.file_digest", None)
    assert message(path) == f"{file} is too long: 101 bytes, not 100"


def test_a_link_out_of_the_folder_is_refused(path: Path, tmp_path: Path):
    file = path / "variants/cpu/module.vmfb"
    (tmp_path / "elsewhere").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    assert message(path) == f"{file} leads out of the artifact"
    file.unlink()
    file.symlink_to("../../stablehlo/f.mlirbc")
    assert "is too long: 300 bytes, not 100" in message(path)


def test_a_folder_of_the_artifact_that_is_a_link_is_refused(path: Path, tmp_path: Path):
    (path / "variants").rename(tmp_path / "variants")
    (path / "variants").symlink_to(tmp_path / "variants")
    assert message(path).endswith("leads out of the artifact")


def test_the_artifact_itself_may_be_a_link(path: Path, tmp_path: Path):
    (tmp_path / "link.lna").symlink_to(path)
    assert code_of(tmp_path / "link.lna") == b"a" * 100
    write(tmp_path / "link.lna", b"b" * 100)
    assert code_of(path) == b"b" * 100
    assert (tmp_path / "link.lna").is_symlink()


def test_a_pipe_is_not_waited_for(path: Path):
    file = path / "variants/cpu/module.vmfb"
    file.unlink()
    os.mkfifo(file)
    assert message(path) == f"{file} is missing"


@pytest.mark.parametrize("place", ["../m.linnet", "/etc/passwd", "a/../../m.linnet", "a//b", ""])
def test_a_path_that_leaves_the_folder_is_refused(path: Path, place: str):
    form = json.loads((path / "manifest.json").read_text())
    form["entries"][0]["stablehlo"]["path"] = place
    reseal(path, **form)
    assert "$.entries[0].stablehlo.path: " in message(path)


def test_a_manifest_that_is_no_manifest_is_refused_unread(path: Path):
    with open(path / "manifest.json", "r+b") as file:
        file.truncate(1 << 30)
    assert message(path).endswith("is no manifest: it has 1073741824 bytes")


def test_a_key_that_stands_twice_is_refused(path: Path):
    text = (path / "manifest.json").read_text()
    (path / "manifest.json").write_text(text.replace("{", '{"format": 2,', 1))
    assert message(path).endswith("is no JSON: `format` stands twice")


def change(path: Path, way: str) -> None:
    form = json.loads((path / "manifest.json").read_text())
    (entry,), (variant,) = form["entries"], form["variants"]
    functions = variant["files"][0]["functions"]
    match way:
        case "unknown key":
            entry["quantised"] = True
        case "unknown kind":
            variant["kind"] = "elf"
        case "function twice":
            form["entries"].append(entry)
        case "no code":
            functions[0]["function"] = "g"
        case "code missing":
            form["entries"].append({**entry, "function": "g"})
        case "unknown symbol":
            functions[0]["bucket"] = {"S": 4}
        case _:
            stored = {"path": "w", "dtype": "f32", "shape": [4], "scheme": "int8", "axis": 0}
            member = {"path": "w.scale", "kind": "param", "dtype": "f32", "shape": [4]}
            form["parameters"] = [
                {**member, "optional": False, "stored": {**stored, "role": "scale"}}
            ]
    reseal(path, **form)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("unknown key", "$.entries[0]: `quantised` is unknown"),
        ("unknown kind", "$.variants[0].kind: 'elf' is none of 'iree-vmfb', 'pjrt'"),
        ("function twice", "function `f` stands twice"),
        ("no code", "target `cpu` has code of no entry: `g`"),
        ("code missing", "target `cpu` has no code of `g`"),
        ("unknown symbol", "`f` has no symbol `S`"),
        ("unknown scale", "`w.scale` has the scales of no parameter"),
    ],
)
def test_a_manifest_that_contradicts_itself_is_refused(path: Path, way: str, said: str):
    change(path, way)
    assert message(path) == f"{path / 'manifest.json'}: {said}"


def test_bytes_that_change_after_the_check_are_refused(path: Path):
    artifact = read_artifact(path)
    file = artifact.variant().files[0].file
    artifact.file(file).write_bytes(b"b" * 100)
    with pytest.raises(ArtifactError, match="was changed after it was written"):
        artifact.read(file)


@pytest.mark.parametrize("number", range(7))
def test_a_full_disk_leaves_what_was_there(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch
):
    real, calls = os.fsync, iter(range(99))

    def full(handle: int) -> None:
        if next(calls) == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match=r"cannot write .*m\.lna: no space left on device"):
        write(path, b"b" * 100)
    assert code_of(path) == b"a" * 100
    assert names(path.parent) == ["m.linnet", "m.lna"]


def test_without_an_exchange_of_names_it_is_replaced_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    write(path, b"b" * 100)
    assert code_of(path) == b"b" * 100
    assert names(path.parent) == ["m.linnet", "m.lna"]


def test_several_builders_and_readers_at_once_see_whole_artifacts(path: Path):
    failures: list[BaseException] = []
    seen: set[bytes] = set()
    end = time.monotonic() + 1.5

    def repeat(action: Any) -> None:
        try:
            while time.monotonic() < end:
                action()
        except BaseException as error:
            failures.append(error)

    def build(byte: bytes) -> Any:
        return lambda: write(path, byte * 100)

    def read() -> None:
        artifact = read_artifact(path)
        with suppress(ArtifactError):  # It may be replaced between the check and the reading.
            seen.add(artifact.read(artifact.variant().files[0].file))

    actions = [build(b"b"), build(b"c"), build(b"d"), read, read]
    threads = [threading.Thread(target=repeat, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert seen <= {byte * 100 for byte in (b"a", b"b", b"c", b"d")}
    assert code_of(path) in seen | {b"b" * 100, b"c" * 100, b"d" * 100}
    assert names(path.parent) == ["m.linnet", "m.lna"]


KILLED = """
import os, signal, sys
from pathlib import Path
from linnet.artifact import Draft, write_artifact
from linnet.backends import Module, this_cpu
from linnet.signature import Signature, Value

calls = iter(range(99))
real = os.fsync

def fsync(handle):
    if next(calls) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    real(handle)

os.fsync = fsync
path = Path(sys.argv[1])
signature = Signature("f", None, {}, {}, (Value("x", "f32", ()),), (), (), ())
draft = Draft("cpu", "iree-vmfb", {}, this_cpu(), [("module.vmfb", b"b" * 100, ["f"])])
module = Module("f", signature, b"b" * 300)
write_artifact(path, path.with_suffix(".linnet"), [module], [draft], "0.1.0")
"""


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_builder_killed_while_it_writes_leaves_what_was_there(path: Path, number: int):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(number)],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        check=False,
    )
    assert done.returncode == -9
    assert code_of(path) == b"a" * 100
    (left,) = set(names(path.parent)) - {"m.linnet", "m.lna"}
    assert left.startswith(".m.lna-")
    # One that is at work is left alone; one whose builder is gone goes with the next.
    write(path, b"c" * 100)
    assert left in names(path.parent)
    os.utime(path.parent / left, (0, 0))
    write(path, b"d" * 100)
    assert names(path.parent) == ["m.linnet", "m.lna"]
    assert code_of(path) == b"d" * 100


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path):
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    (tmp_path / "shut").mkdir(mode=0o500)
    with pytest.raises(UsageError, match="permission denied"):
        write(tmp_path / "shut" / "m.lna", b"a")
