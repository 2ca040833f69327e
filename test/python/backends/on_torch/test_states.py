"""States are buffers that are written in place, and hold what the program says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ._small import Small, normal  # noqa: E402

CACHE = """use std.nn.cache::{write_at, write_rows, write_span}
pub block Model<S: Dim> where S > 0 {
    state cache: Tensor[2, 3, S, 4; f32]
    pub entry at(value: Tensor[2, 3, 1, 4; f32], pos: i32) -> Tensor[2, 3, S, 4; f32] {
        cache = write_at(cache, value, pos)
        return cache
    }
    pub entry span<N: Dim>(value: Tensor[2, 3, N, 4; f32], pos: i32) where N > 0 {
        cache = write_span(cache, value, pos)
    }
    pub entry rows(value: Tensor[2, 3, 1, 4; f32], pos: Tensor[2; i32]) {
        cache = write_rows(cache, value, pos)
    }
}"""
TWICE = """pub block Model {
    state a: Tensor[3; f32]
    state b: Tensor[3; f32]
    pub entry swap(x: Tensor[3; f32]) -> (Tensor[3; f32], Tensor[3; f32]) {
        let before = a
        a = b
        b = before + x
        return (before, a)
    }
    pub entry either(x: Tensor[3; f32], up: bool) -> Tensor[3; f32] {
        let before = a * 2.0
        a = if up { a + x * a } else { a - x }
        b = a + 1.0
        return before + a
    }
}"""


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
def test_writes_outside_a_cache_write_nothing(numerics: str, tmp_path: Path) -> None:
    small = Small(CACHE, tmp_path, numerics, S=5)
    for pos in (0, 4, 5, -1, -(2**31), 2**31 - 1):
        small.agrees("at", normal(2, 3, 1, 4, seed=pos % 97), np.asarray(pos, np.int32))
    for size in (1, 3, 5, 8):
        for pos in (0, 2, -2, 4, 5, -9):
            value = normal(2, 3, size, 4, seed=size)
            small.agrees("span", value, np.asarray(pos, np.int32))
    for rows in ((0, 4), (5, 1), (-1, 2**31 - 1)):
        small.agrees("rows", normal(2, 3, 1, 4, seed=7), np.array(rows, np.int32))


def test_a_cache_is_written_where_it_lies(tmp_path: Path) -> None:
    small = Small(CACHE, tmp_path, "exact", S=5)
    buffer = small.model.native.get_buffer("cache")
    place = buffer.data_ptr()
    small.model.call("at", [normal(2, 3, 1, 4), np.asarray(1, np.int32)])
    assert small.model.native.get_buffer("cache").data_ptr() == place
    assert "write_at_(self.cache, value, pos)" in small.source.text


def test_results_are_copies_of_states(tmp_path: Path) -> None:
    small = Small(CACHE, tmp_path, "exact", S=5)
    first: Any = small.model.call("at", [normal(2, 3, 1, 4), np.asarray(1, np.int32)])
    kept = first.clone()
    small.model.call("at", [normal(2, 3, 1, 4, seed=1), np.asarray(1, np.int32)])
    assert torch.equal(first, kept)


def test_old_values_are_kept_where_they_are_read(tmp_path: Path) -> None:
    small = Small(TWICE, tmp_path)
    for seed in range(3):
        small.agrees("swap", normal(3, seed=seed))
        for up in (True, False):
            small.agrees("either", normal(3, seed=seed + 5), np.asarray(up))


def test_states_are_no_part_of_the_state_dict_and_reset(tmp_path: Path) -> None:
    small = Small(TWICE, tmp_path)
    module: Any = small.model.native
    small.model.call("swap", [normal(3)])
    assert small.model.states()["b"].any()
    assert list(module.state_dict()) == []
    module.reset()
    assert not small.model.states()["b"].any()
