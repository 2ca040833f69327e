"""Loops on every target against NumPy: counted loops and scans [LAT-4..6], `cumsum` [LAT-12]."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet
from linnet.signature import numpy_dtype

SCANS = """module scans

pub block Counter<N: Dim> {
    state total: Tensor[N; f32]
    state calls: Tensor[2; i64]

    fn add(x: Tensor[N; f32]) -> f32 {
        total = total + x
        calls = calls + 1
        return sum[n] total[n]
    }

    pub entry run<R: Dim>(rows: Tensor[R, N; f32]) -> (Tensor[R; f32], Tensor[R, N; f32]) {
        for i in 0..2 {
            calls = calls * 2 + i
        }
        let (sums, (before, _at)) = for r in 0..R {
            let seen = total
            let now = add(rows[r])
            yield (now, (seen, r))
        }
        return (sums, before)
    }

    pub entry table<R: Dim, C: Dim>(
        x: Tensor[R, C; f32],
    ) -> (Tensor[R, C; f32], Tensor[R; bool], f32)
    where C > 0 {
        var last: f32 = 0.0
        var odd = false
        let rows = for r in 0..R {
            odd = odd ^ true
            let row = for c in 1 - 1..C {
                last = if odd { last + x[r, c] } else { last - x[r, c] }
                yield last
            }
            yield (row, odd)
        }
        let (all, flags) = rows
        for _k in C..C {
            last = last * 100.0
        }
        return (all, flags, last)
    }

    pub entry long<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> (Tensor[R, C; f32], Tensor[R; i64]) {
        var level = fill<f32>([C], 0.0)
        return for r in 0..R {
            level = x[r] - level
            yield (level, r)
        }
    }

    pub entry shifted<A: Dim, B: Dim>(x: Tensor[B; i32]) -> (Tensor[B - A; i32], Tensor[B - A; i64])
    where A <= B {
        return for i in A..B {
            yield (x[i] * 2, i)
        }
    }
}
"""

TARGETS = ["reference", "xla-cpu", "cpu"]
Numbers = NDArray[np.float32]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("loops") / "scans.linnet"
    path.write_text(SCANS, "utf-8")
    return path


def numbers(*shape: int) -> Numbers:
    return np.random.default_rng(7).integers(-8, 8, shape).astype(np.float32)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("rows", [0, 1, 4])
def test_a_scan_carries_state_through_a_method(program: Path, target: str, rows: int) -> None:
    model = linnet.compile(program, root="Counter", generics={"N": 3}, target=target)
    x = numbers(rows, 3)
    total = np.zeros(3, np.float32)
    calls = np.zeros(2, np.int64)
    for _ in range(2):
        sums, before = model.run(x)
        calls = (calls * 2) * 2 + 1 + rows
        wanted = total + np.cumsum(np.vstack([np.zeros((1, 3), np.float32), x]), axis=0)
        np.testing.assert_array_equal(before, wanted[:-1])
        np.testing.assert_array_equal(sums, wanted[1:].sum(axis=1))
        total = wanted[-1]
    np.testing.assert_array_equal(model.state["total"], total)
    np.testing.assert_array_equal(model.state["calls"], calls)


@pytest.mark.parametrize("target", TARGETS)
def test_scans_nest_and_an_empty_range_does_nothing(program: Path, target: str) -> None:
    model = linnet.compile(program, root="Counter", generics={"N": 3}, target=target)
    x = numbers(3, 4)
    signs = np.array([[1], [-1], [1]], np.float32)
    wanted = np.cumsum((x * signs).reshape(-1)).reshape(3, 4)
    rows, flags, last = model.table(x)
    np.testing.assert_array_equal(rows, wanted)
    np.testing.assert_array_equal(flags, [True, False, True])
    assert last == wanted[-1, -1]


@pytest.mark.parametrize("target", TARGETS)
def test_a_long_scan_is_filled_in_blocks(program: Path, target: str) -> None:
    model = linnet.compile(program, root="Counter", generics={"N": 3}, target=target)
    x = numbers(103, 512)
    wanted = np.zeros((104, 512), np.float32)
    for r in range(103):
        wanted[r + 1] = x[r] - wanted[r]
    levels, positions = model.long(x)
    np.testing.assert_array_equal(levels, wanted[1:])
    np.testing.assert_array_equal(positions, np.arange(103))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("low", [2, 5])
def test_a_range_may_begin_anywhere(program: Path, target: str, low: int) -> None:
    model = linnet.compile(program, root="Counter", generics={"N": 3}, target=target)
    x = np.arange(5, dtype=np.int32) - 3
    doubled, positions = model.call("shifted", {"x": x}, {"A": low, "B": 5})
    np.testing.assert_array_equal(doubled, x[low:] * 2)
    np.testing.assert_array_equal(positions, np.arange(low, 5))


CUMSUM = """module sums

pub entry sums<*S: Shape, N: Dim, T: Numeric>(x: Tensor[*S, N; T]) -> Tensor[*S, N; T] {
    return cumsum(x, axis = -1)
}

pub entry first<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[N, M; f32] {
    let y = cumsum(x, axis = 0)
    let z[i, j] = cumsum(x, axis = 0)[i, j] + y[i, j]
    return z
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_cumsum_wraps_integers_and_takes_any_axis(tmp_path: Path, target: str) -> None:
    path = tmp_path / "sums.linnet"
    path.write_text(CUMSUM, "utf-8")
    model = linnet.compile(path, target=target)
    for dtype, shape in [("i8", (3, 37)), ("u16", (9,)), ("i64", (2, 2, 0)), ("i32", (5, 1))]:
        wide = np.random.default_rng(3).integers(0, 127, shape)
        x = wide.astype(numpy_dtype(dtype))
        found = model.call("sums", {"x": x}, {"S": list(shape[:-1]), "N": shape[-1], "T": dtype})
        np.testing.assert_array_equal(found, np.cumsum(x, axis=-1, dtype=x.dtype))
    x = numbers(6, 2)
    np.testing.assert_array_equal(model.first(x), 2 * np.cumsum(x, axis=0))
    zeros = np.array([[-0.0, 1.0], [-0.0, np.inf]], np.float32)
    found = model.call("sums", {"x": zeros}, {"S": [2], "N": 2, "T": "f32"})
    np.testing.assert_array_equal(found, [[0.0, 1.0], [0.0, np.inf]])
    assert np.signbit(found[:, 0]).all()
