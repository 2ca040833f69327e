"""Loops of every kind inside one another, with state, tuples and optionals, on every target.

The interpreter of CORE says what each entry gives; its loops are a few lines of Python.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet

PROGRAM = """module mixed

fn choose(c: bool, x: Tensor[3; f32]) -> ((f32, Tensor[3; f32]), bool) {
    return if c { ((x[0], x * 2.0), true) } else { ((x[1], -x), c) }
}

fn swap(p: (i64, (f32, bool))) -> ((f32, bool), i64) {
    let (a, b) = p
    return (b, a)
}

fn twice(o: f32?, x: f32) -> f32 {
    return match o { some(v) => v * 2.0  none => x }
}

fn deep(o: (f32, i64)?, x: f32) -> f32 {
    return match o { some((v, k)) => v * cast<f32>(k)  none => x }
}

block Cell {
    state level: Tensor[3; f32]
    state hits: Tensor[1; i64]
    param gain: Tensor[3; f32]? = none

    pub fn step(x: Tensor[3; f32]) -> (Tensor[3; f32], f32) {
        level = level * 0.5 + x
        hits = hits + 1
        let out = match gain { some(g) => level * g  none => level }
        return (out, sum[i] out[i])
    }
    pub fn low() -> f32 { return min[i] level[i] }
}

pub block Net<L: Dim> where L > 0 {
    sub cells: [Cell; L]
    sub extra: Cell? = none
    state mark: Tensor[2; f32]

    // while whose condition reads state that the body's method calls write
    pub entry drain(x: Tensor[3; f32], most: i64) -> (i64, f32, Tensor[3; f32]) {
        var n: i64 = 0
        var pair = (0.0 + x[0], x)
        while n < most && cells[0].low() < 3.0 {
            let (a, b) = pair
            let (y, s) = cells[0].step(b)
            pair = (a + s, y)
            n = n + 1
            static for cell in cells {
                let (z, t) = cell.step(y)
                pair = (a + t, z)
            }
        }
        let (a, b) = pair
        return (n, a, b)
    }

    // nested loops of all kinds, state in each
    pub entry nest(x: Tensor[4, 3; f32], k: i64) -> (Tensor[4, 2; f32], Tensor[2; f32], bool) {
        var flag = k > 1
        let rows = for r in 0..4 {
            var j: i64 = 0
            while j < k {
                for c in 0..2 {
                    mark = mark * 0.5 + cast<f32>(c + r)
                    static for i in 0..2 {
                        flag = flag ^ (i == j)
                    }
                }
                let (_, s) = cells[L - 1].step(x[r])
                mark = mark + s
                j = j + 1
            }
            yield if flag { mark } else { mark * -1.0 }
        }
        return (rows, mark, flag)
    }

    // optionals in carried tuples, constant presence
    pub entry maybe(x: f32, o: f32?, c: bool) -> (f32, f32, f32) {
        var best: (f32, f32?) = (x, o)
        for _i in 0..3 {
            let (a, b) = best
            best = (a + twice(b, a), match b { some(v) => some(v + 1.0)  none => none })
        }
        let (u, w) = best
        let t = if c { some((u, 3)) } else { some((x, 2)) }
        let e = match extra { some(cell) => cell.low()  none => -1.0 }
        return (u, twice(w, x), deep(t, x) + e)
    }

    // three values of one pass go on into the inner loop, one of them a boolean
    pub entry three<R: Dim>(r: Tensor[R; f32], k: i64) -> (Tensor[R; f32], i64, bool) {
        var a = cast<i64>(0)
        var c = false
        var p: f32 = 0.0
        let sums = for i in 0..R {
            p = p + r[i]
            a = a + 1
            c = c ^ true
            var n = k
            while n > 0 {
                p = p + r[i]
                a = a + 1
                c = c ^ true
                n = n - 1
            }
            p = if k > 1 { p + 1.0 } else { p }
            yield p
        }
        return (sums, a, c)
    }

    pub entry pairs(x: Tensor[3; f32], c: bool) -> (f32, Tensor[3; f32], bool) {
        var p = choose(c, x)
        while (if c { false } else { true }) && x[0] > 100.0 {
            p = choose(true, x)
        }
        let ((a, b), d) = p
        return (a, b, d)
    }
}
"""

X = np.array([0.5, 1.25, 0.75], np.float32)
ROWS = np.array([[1, -2, 3], [0.5, 0, -1], [2, 2, 2], [-0.25, 1, 4]], np.float32)
GAINS = {"cells.1.gain": X - 1, "extra.gain": X * 2}
# (entry, inputs, weights)
CALLS: dict[str, tuple[str, dict[str, Any], dict[str, NDArray[np.float32]]]] = {
    "a condition reads state": ("drain", {"x": X, "most": np.int64(4)}, {}),
    "all loops nest": ("nest", {"x": ROWS, "k": np.int64(2)}, GAINS),
    "a present optional is carried": (
        "maybe",
        {"x": np.float32(1.5), "o": np.float32(2.0), "c": np.bool_(True)},
        GAINS,
    ),
    "an absent optional is carried": ("maybe", {"x": np.float32(1.5), "c": np.bool_(False)}, {}),
    "three values go into an inner loop": ("three", {"r": X, "k": np.int64(2)}, {}),
    "tuples of tuples are carried": ("pairs", {"x": X * 100, "c": np.bool_(False)}, {}),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mixed") / "mixed.linnet"
    path.write_text(PROGRAM, "utf-8")
    return path


def outcome(program: Path, call: str, target: str) -> list[NDArray[Any]]:
    """Results of two calls one after the other, then the states."""
    entry, inputs, weights = CALLS[call]
    model = linnet.compile(
        program, root="Net", generics={"L": 2}, target=target, weights=dict(weights)
    )
    found = [part for _ in range(2) for part in model.call(entry, inputs)]
    return [np.asarray(part) for part in (*found, *(model.state[key] for key in model.state))]


@pytest.mark.parametrize("target", ["xla-cpu", "cpu"])
@pytest.mark.parametrize("call", CALLS)
def test_targets_agree_with_the_interpreter(program: Path, call: str, target: str) -> None:
    wanted, found = (outcome(program, call, which) for which in ("reference", target))
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
