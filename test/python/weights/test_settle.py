"""Weights that lie in their file first, and in memory of their own later, are the same weights."""

import json
import os
import struct
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet.weights._settle as settle
from linnet import _ahead
from linnet.errors import WeightsError
from linnet.weights import Form, Settling, quantise, read_safetensors
from linnet.weights._safetensors import place_in_file

Array = NDArray[Any]

LARGE = 2 << 20
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are mapped on Linux alone")


def write(path: Path, tensors: Mapping[str, Array], askew: int = 0) -> Path:
    """Write tensors, the first of them `askew` bytes behind a multiple of 64."""
    header: dict[str, Any] = {}
    at = 0
    for name, array in tensors.items():
        kind = {"float32": "F32", "uint8": "U8"}[str(array.dtype)]
        end = at + array.nbytes
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * ((askew - 8 - len(text)) % 64)
    data = b"".join(array.tobytes() for array in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def tensors() -> dict[str, Array]:
    random = np.random.default_rng(0)
    return {
        "rows": random.standard_normal((640, 1600), np.float32),
        "more": random.integers(0, 256, (5 << 20) + 64).astype(np.uint8),
        # What follows it lies askew.
        "few": random.standard_normal(3, np.float32),
        "last": random.standard_normal((1000, 700), np.float32),
    }


def opened(path: Path) -> dict[str, Array]:
    return {
        name: each.array for name, each in read_safetensors(path).items() if each.array is not None
    }


def overwrite(path: Path) -> None:
    """Change all the numbers of a file, in place."""
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(size // 64)
        file.write(b"\x7f" * (size - size // 64))


def all_equal(found: Mapping[str, Array]) -> bool:
    return list(found) == list(tensors()) and all(
        np.array_equal(found[name], expected) for name, expected in tensors().items()
    )


def settling(path: Path, **options: int) -> Settling:
    return Settling(opened(path), **{"least": 0, "step": LARGE, **options})


def test_arrays_are_those_of_the_file_before_and_after_they_move(tmp_path: Path):
    moving = settling(write(tmp_path / "w.safetensors", tensors()))
    found = moving.arrays()
    addresses = {name: array.ctypes.data for name, array in found.items()}
    assert all_equal(found)
    assert not any(array.flags.writeable for array in found.values())
    moving.wait()
    moving.check()
    assert all_equal(found)
    assert {name: array.ctypes.data for name, array in found.items()} == addresses
    assert all(address % 64 == 0 for name, address in addresses.items() if name != "few")


def test_what_has_moved_is_no_longer_the_files(tmp_path: Path):
    path = write(tmp_path / "w.safetensors", tensors())
    moving = settling(path)
    found = moving.arrays()
    moving.wait()
    overwrite(path)
    assert all_equal(found)
    moving.check()


def test_what_has_not_moved_is_the_files(tmp_path: Path):
    """So the tests above and below can fail."""
    path = write(tmp_path / "w.safetensors", tensors())
    found = settling(path).arrays()
    overwrite(path)
    assert not np.array_equal(found["more"], tensors()["more"])


def test_a_file_that_is_written_to_before_its_weights_have_moved_is_told(tmp_path: Path):
    path = write(tmp_path / "w.safetensors", tensors())
    moving = settling(path)
    moving.arrays()
    moving.check()
    os.utime(path, ns=(1, 1))  # A write within the resolution of a file system's clock.
    overwrite(path)
    moving.wait()
    with pytest.raises(WeightsError, match=r"w\.safetensors was changed while it was read"):
        moving.check()


def test_a_file_that_shrinks_before_its_weights_have_moved_is_told(tmp_path: Path):
    path = write(tmp_path / "w.safetensors", tensors())
    moving = settling(path)
    moving.arrays()
    os.truncate(path, path.stat().st_size // 2)
    moving.wait()
    with pytest.raises(WeightsError, match="was truncated while it was read"):
        moving.check()


def test_a_file_that_is_replaced_or_removed_changes_nothing(tmp_path: Path):
    path = write(tmp_path / "w.safetensors", tensors())
    moving = settling(path)
    found = moving.arrays()
    write(tmp_path / "other", {"few": np.zeros(3, np.float32)}).replace(path)
    path.unlink()
    moving.wait()
    moving.check()
    assert all_equal(found)


@pytest.mark.parametrize("case", ["askew", "small", "a system without the calls"])
def test_what_cannot_be_used_where_it_lies_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
):
    path = write(tmp_path / "w.safetensors", tensors(), askew=8 if case == "askew" else 0)
    if case == "a system without the calls":
        monkeypatch.setattr(settle, "can_map", lambda: False)
    moving = settling(path, least=(1 << 30) if case == "small" else 0)
    found = moving.arrays()
    overwrite(path)
    assert all_equal(found)
    moving.wait()
    moving.check()


def test_arrays_of_the_caller_are_copied_beside_those_of_a_file(tmp_path: Path):
    path = write(tmp_path / "w.safetensors", tensors())
    mine = np.arange(6, dtype=np.float32)
    with Settling({"mine": mine, **opened(path)}, least=0) as moving:
        found = moving.arrays()
    mine[:] = 0
    moving.wait()
    assert found.pop("mine").tolist() == [0, 1, 2, 3, 4, 5]
    assert all_equal(found)


class _Refusing:
    """A system that refuses one call."""

    def __init__(self, refused: str) -> None:
        self._refused = refused

    def __getattr__(self, name: str) -> Any:
        if name == self._refused:
            return lambda *_: -1 if name == "mprotect" else _ahead.FAILED  # pyright: ignore
        return getattr(_ahead.libc(), name)


@pytest.mark.parametrize("refused", ["mmap", "mprotect", "mremap"])
def test_without_memory_to_move_to_the_weights_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
):
    moving = settling(write(tmp_path / "w.safetensors", tensors()))
    found = moving.arrays()
    monkeypatch.setattr(settle, "libc", lambda: _Refusing(refused))
    moving.wait()
    moving.check()
    assert all_equal(found)


def test_the_move_begins_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settle, "_PATIENCE_SECONDS", 0.01)
    path = write(tmp_path / "w.safetensors", tensors())
    moving = settling(path)
    found = moving.arrays()
    assert moving._moving is not None
    moving._moving.join(60)
    overwrite(path)
    assert all_equal(found)


def test_who_reads_while_they_move_reads_the_same(tmp_path: Path):
    moving = settling(write(tmp_path / "w.safetensors", tensors()))
    found = moving.arrays()
    words = found["more"].view(np.uint64)
    expected = int(tensors()["more"].view(np.uint64).sum())
    wrong: list[int] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            total = int(words.sum())
            if total != expected:
                wrong.append(total)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    time.sleep(0.05)
    moving.wait()
    ended.set()
    for reader in readers:
        reader.join()
    assert not wrong


def test_a_file_that_was_begun_ahead_is_mapped_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(_ahead, "LEAST", 1 << 20)
    path = write(tmp_path / "w.safetensors", tensors())
    _ahead.begin(path)
    begun = list(_ahead._begun.values())
    found = settling(path).arrays()
    assert all_equal(found)
    assert [found["rows"].ctypes.data // LARGE] == [each.address // LARGE for each in begun]
    assert not _ahead._begun


def test_what_is_begun_in_vain_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_ahead, "LEAST", 1 << 20)
    write(tmp_path / "a.safetensors", tensors())
    write(tmp_path / "b.safetensors", tensors())
    _ahead.begin(str(tmp_path))
    assert len(_ahead._begun) == 2
    _ahead.end()
    assert not _ahead._begun


@pytest.mark.parametrize("what", ["nothing", "missing", "small", "askew", "a folder", "arrays"])
def test_what_is_no_large_file_of_weights_is_not_begun(tmp_path: Path, what: str):
    path = tmp_path / "w.safetensors"
    if what == "small":
        write(path, tensors())
    elif what == "askew":
        write(path, {"a": np.zeros(_ahead.LEAST, np.uint8)}, askew=8)
    elif what == "a folder":
        path.mkdir()
    given: dict[str, object] = {"nothing": None, "arrays": {"a": np.zeros(3)}}
    _ahead.begin(given.get(what, path))
    assert not _ahead._begun


def test_quantised_weights_can_be_used_where_they_lie(tmp_path: Path):
    random = np.random.default_rng(0)
    given = {
        "odd": random.standard_normal((257, 64), np.float32),  # 257 scales of four bytes
        "rows": random.standard_normal((64, 128), np.float32),
        "bias": random.standard_normal(64, np.float32),
    }
    source = read_safetensors(write(tmp_path / "w.safetensors", given))
    forms = {name: Form("int8", 0) for name in ("odd", "rows")}
    reports = quantise(source, forms, {}, tmp_path / "q.safetensors", [])
    assert [report.name for report in reports] == list(given)
    for name, array in opened(tmp_path / "q.safetensors").items():
        place = place_in_file(array)
        assert place is not None
        assert place[1] % 64 == 0, name
