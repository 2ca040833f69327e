"""Weights in one block of memory are the weights of the file, however they lie there."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from linnet.errors import WeightsError
from linnet.weights import Reading, read_safetensors, resident
from linnet.weights._safetensors import place_in_file

LARGE = (5 << 20) + 3  # bytes: more than a large page, and no multiple of anything


def tensors() -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(0)
    return {
        "large": random.integers(0, 256, LARGE).astype(np.uint8),
        "rows": random.standard_normal((33, 65)).astype(np.float32),
        "half": random.standard_normal(7).astype(np.float16),
        "flags": random.random(3) < 0.5,
        "empty": np.zeros((0, 4), np.float32),
        "one": np.array(3, np.int64),
    }


def from_file(folder: Path) -> dict[str, NDArray[Any]]:
    path = folder / "weights.safetensors"
    save_file(tensors(), path)
    read = read_safetensors(path)
    return {name: each.array for name, each in read.items() if each.array is not None}


def test_tensors_of_a_file_are_read_from_it(tmp_path: Path):
    given = from_file(tmp_path)
    assert all(place_in_file(array) is not None for array in given.values() if array.size)
    found = resident(given)
    for name, expected in tensors().items():
        assert found[name].dtype == expected.dtype
        np.testing.assert_array_equal(found[name], expected)


def test_arrays_in_any_order_are_copied():
    turned = np.arange(12, dtype=np.float32).reshape(3, 4).T
    found = resident({"turned": turned, "part": turned[1:3, ::2]})
    np.testing.assert_array_equal(found["turned"], turned)
    np.testing.assert_array_equal(found["part"], turned[1:3, ::2])
    assert found["turned"].flags.c_contiguous
    assert place_in_file(turned) is None


def test_tensors_start_at_lines_and_pages_and_cannot_be_written(tmp_path: Path):
    found = resident(from_file(tmp_path))
    assert found["large"].ctypes.data % 4096 == 0
    for array in found.values():
        assert array.ctypes.data % 64 == 0 or not array.size
        assert not array.flags.writeable


def test_no_weights_are_no_block():
    assert resident({}) == {}


def test_a_file_that_shrinks_after_it_was_opened_is_told(tmp_path: Path):
    given = from_file(tmp_path)
    path = tmp_path / "weights.safetensors"
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(WeightsError, match="truncated while it was read"):
        resident(given)


def test_a_caller_that_fails_while_the_weights_are_read_gets_its_own_error(tmp_path: Path):
    before = threading.active_count()
    with pytest.raises(ValueError, match="of the caller"), Reading(from_file(tmp_path)):
        raise ValueError("of the caller")
    assert threading.active_count() == before
