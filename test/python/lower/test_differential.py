"""The lowering passes against a naive interpreter of what they lower."""

import re

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from linnet import reference
from linnet.signature import numpy_dtype
from lower import _naive
from lower._programs import Case, cases
from lower._stages import KEPT, LOWERED, NARROWED, SIMPLIFIED, bound, bound_twice

_LIMITS = {
    np.dtype(np.float64): 1e-12,
    np.dtype(np.float32): 1e-5,
    np.dtype(np.float16): 2e-2,
    np.dtype(ml_dtypes.bfloat16): 1e-1,
}


def same(found, expected) -> None:
    """Integers and booleans equal; floats up to the rounding of another order [NUM-6]."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if a.dtype in _LIMITS:
            limit = _LIMITS[a.dtype]
            wide = b.astype(np.float64)
            reach = limit * float(np.abs(wide[np.isfinite(wide)]).max(initial=0.0))
            np.testing.assert_allclose(a.astype(np.float64), wide, rtol=limit, atol=reach)
        else:
            np.testing.assert_array_equal(a, b)


@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=600,
    suppress_health_check=list(HealthCheck),
)
@given(cases())
def test_index_notation_keeps_its_value(case: Case) -> None:
    module = bound(case.text)
    expected = _naive.run(module.module, "run", case.arguments)
    for passes in (LOWERED, (*LOWERED, *NARROWED, *SIMPLIFIED)):
        same(reference.run(module.core(*passes), "run", case.arguments), expected)


@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    suppress_health_check=list(HealthCheck),
)
@given(cases())
def test_kept_calls_keep_the_value_of_index_notation(case: Case) -> None:
    module, kept = bound_twice(case.text)
    expected = _naive.run(module.module, "run", case.arguments)
    same(reference.run(kept.core(*KEPT), "run", case.arguments), expected)


def check(text: str, *arguments) -> None:
    """Compare the passes with the interpreter on one program."""
    module, kept = bound_twice(f"module probe\n{text}")
    given_ = [np.asarray(argument) for argument in arguments]
    expected = _naive.run(module.module, "run", given_)
    for passes in (LOWERED, (*LOWERED, *NARROWED, *SIMPLIFIED)):
        same(reference.run(module.core(*passes), "run", given_), expected)
    same(reference.run(kept.core(*KEPT), "run", given_), expected)


def test_a_loop_of_an_untaken_branch_need_not_end() -> None:
    check(
        """
fn down(n: i32) -> i32 {
    var left = n
    var passes: i32 = 0
    while left != 0 {
        left = left - 1
        passes = passes + 2
    }
    return passes
}

fn stuck() -> i32 {
    var n: i32 = 1
    while n > 0 {
        n = 1
    }
    return n
}

entry run(x: Tensor[5; i32], y: Tensor[3; i32]) -> (Tensor[5, 3; i32], i32) {
    let z[i, j] = if x[i] >= 0 {
        if y[j] >= 0 { down(x[i] * y[j]) } else { down(x[i]) - 1 }
    } else {
        (if x[i] > 100 { stuck() } else { down(7) })
    }
    return (z, max[i] (if x[i] < 0 { 0 } else { down(x[i]) }))
}
""",
        np.array([3, -4, 0, 7, -1], np.int32),
        np.array([2, -1, 0], np.int32),
    )


def test_loops_of_calls_run_for_all_elements_at_once() -> None:
    check(
        """
fn spin<T: Float>(a: T, n: i64) -> (T, Tensor[3, 2; T]) {
    var level = a
    var rows = fill([2], a)
    let kept = for i in 2..5 {
        level = level * 0.5 + cast<T>(i)
        rows = concat(rows[1:], fill([1], level), axis = 0)
        yield rows
    }
    return (level, kept)
}

fn pick<T: Float>(a: T, n: i64) -> T {
    let (level, kept) = spin(a, n)
    var at = cast<i64>(0)
    while at < n && kept[at, 1] < 2.5 {
        at = at + 1
    }
    return kept[at, 0] + level
}

entry run(
    x: Tensor[4; f32], n: Tensor[2, 4; i64], half: f32,
) -> (Tensor[4, 2; f32], f32, Tensor[2, 4; f32]) {
    let y[i, j] = pick(x[i], n[j, i])
    let w[j, i] = pick(x[i], n[j, i]) * pick(half, n[j, 0]) + pick(half, 2)
    return (y, sum[i] pick(x[i], 1), w)
}
""",
        np.array([1.0, -3.0, 8.0, 0.5], np.float32),
        np.array([[0, 1, 2, 1], [2, 2, 0, 1]], np.int64),
        np.float32(0.5),
    )


def test_positions_of_a_small_type_reach_all_of_a_long_axis() -> None:
    check(
        """
entry run(x: Tensor[200, 150; i32], i: Tensor[6; i8], j: Tensor[6; u8]) -> Tensor[6; i32] {
    let y[n] = x[i[n], j[n]]
    return y
}
""",
        np.arange(30000, dtype=np.int32).reshape(200, 150),
        np.array([0, 5, 127, -1, -128, 100], np.int8),
        np.array([0, 149, 255, 150, 128, 127], np.uint8),
    )


def test_a_count_in_a_small_type_wraps_as_positions_do() -> None:
    check(
        """
entry run(x: Tensor[300; i32]) -> Tensor[300; i32] {
    let places = iota<i8>(300)
    let y[n] = x[places[n]]
    return y
}
""",
        np.arange(300, dtype=np.int32),
    )


def test_a_loop_in_a_call_stands_before_the_elements() -> None:
    check(
        """
fn doubled(a: f32, times: i32) -> f32 {
    var power = a
    var left = times
    while left > 0 {
        let steps[i] = cast<f32>(iota<i32>(2)[i]) * power
        power = power + sum[i] steps[i]
        left = left - 1
    }
    return power
}

entry run(x: Tensor[4; f32], s: f32, n: i32) -> Tensor[4; f32] {
    let y[i] = x[i] * doubled(s + 1.0, n)
    return y
}
""",
        np.array([1, 2, -3, 0.5], np.float32),
        np.float32(0.5),
        np.int32(3),
    )


def test_a_call_in_index_notation_makes_tensors() -> None:
    check(
        """
fn mixed(a: f32, b: f32, n: i32) -> f32 {
    let line[i] = cast<f32>(iota<i32>(6)[i]) * a
    let table = permute(reshape(line + b, [2, 3]), [1, 0])
    let both = concat(table, broadcast_to(table[0:1, :], [2, 2]), axis = 0)
    let rows = fill<f32>([5, 2], b) * both
    let picked = rows[n, :]
    let chosen = if n > 2 { picked } else { rows[0, :] }
    return sum[i, j] rows[i, j] * chosen[j] * picked[j]
}

entry run(x: Tensor[4; f32], y: Tensor[3; f32], n: Tensor[4; i32]) -> Tensor[4, 3; f32] {
    let z[i, j] = mixed(x[i], y[j], n[i])
    return z
}
""",
        np.array([1, 2, -3, 0.5], np.float32),
        np.array([1, -1, 2], np.float32),
        np.array([0, 3, 4, 9], np.int32),
    )


# Ops of std on small shapes, by what they import: parameters, result and value. `T` is the dtype.
STD = {
    "linear::{linear}": (
        "x: Tensor[2, 3, 4; T], w: Tensor[4, 5; T], b: Tensor[5; T]",
        "Tensor[2, 3, 5; T]",
        "linear(x, permute(w, [1, 0]), some(b))",
    ),
    "embedding::{embedding}": (
        "ids: Tensor[2, 3; i32], table: Tensor[5, 4; T]",
        "Tensor[2, 3, 4; T]",
        "embedding(ids, table)",
    ),
    "softmax::{softmax}": ("x: Tensor[2, 3, 4; T]", "Tensor[2, 3, 4; T]", "softmax(x)"),
    "norm::{layer_norm}": (
        "x: Tensor[2, 3, 4; T], w: Tensor[4; T], b: Tensor[4; T]",
        "Tensor[2, 3, 4; T]",
        "layer_norm(x, w, some(b))",
    ),
    "norm::{rms_norm}": (
        "x: Tensor[3, 4; T], w: Tensor[4; T]",
        "Tensor[3, 4; T]",
        "rms_norm(x, w)",
    ),
    "norm::{group_norm}": (
        "x: Tensor[2, 4, 3, 2; T], w: Tensor[4; T], b: Tensor[4; T]",
        "Tensor[2, 4, 3, 2; T]",
        "group_norm<2, 4, 3, 2, 2, T>(x, w, b)",
    ),
    "attention::{attention, causal_mask}": (
        "q: Tensor[2, 2, 3, 4; T], k: Tensor[2, 2, 5, 4; T], v: Tensor[2, 2, 5, 4; T]",
        "Tensor[2, 2, 3, 4; T]",
        "attention(q, k, v, 0.5, some(causal_mask<3, 5>()))",
    ),
    "attention::{attention_rows}": (
        "q: Tensor[2, 2, 3, 4; T], k: Tensor[2, 2, 5, 4; T], v: Tensor[2, 2, 5, 4; T], "
        "m: Tensor[2, 3, 5; bool]",
        "Tensor[2, 2, 3, 4; T]",
        "attention_rows(q, k, v, 0.5, m)",
    ),
    "attention::{grouped_attention}": (
        "q: Tensor[1, 4, 3, 2; T], k: Tensor[1, 2, 3, 2; T], v: Tensor[1, 2, 3, 2; T]",
        "Tensor[1, 4, 3, 2; T]",
        "grouped_attention(q, k, v, 0.5)",
    ),
    "rope::{rope}": (
        "x: Tensor[2, 2, 3, 4; T], c: Tensor[3, 4; T], s: Tensor[3, 4; T]",
        "Tensor[2, 2, 3, 4; T]",
        "rope(x, c, s)",
    ),
    "conv::{conv2d}": (
        "x: Tensor[1, 2, 4, 3; T], w: Tensor[3, 2, 2, 2; T], b: Tensor[3; T]",
        "Tensor[1, 3, 3, 2; T]",
        "conv2d<1, 2, 3, 4, 3, 2, 2, 1, T>(x, w, some(b))",
    ),
    "pool::{max_pool2d}": (
        "x: Tensor[1, 2, 4, 3; T]",
        "Tensor[1, 2, 3, 2; T]",
        "max_pool2d<1, 2, 4, 3, 2, 2, 1, T>(x)",
    ),
    "resize::{upsample_nearest2d}": (
        "x: Tensor[1, 2, 2, 3; T]",
        "Tensor[1, 2, 4, 6; T]",
        "upsample_nearest2d<1, 2, 2, 3, 2, T>(x)",
    ),
    "moe::{linear_experts}": (
        "x: Tensor[2, 3, 4; T], w: Tensor[3, 2, 4; T], e: Tensor[2, 3; i64]",
        "Tensor[2, 3, 2; T]",
        "linear_experts(x, w, e)",
    ),
    "decoding::{argmax}": ("x: Tensor[2, 3, 4; T]", "Tensor[2, 3; i32]", "argmax(x)"),
}


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("name", STD)
def test_an_op_of_std_keeps_its_value(name: str, dtype: str) -> None:
    parameters, result, value = STD[name]
    text = f"use std.nn.{name}\n\nentry run({parameters}) -> {result} {{\n    return {value}\n}}\n"
    rng = np.random.default_rng(5)
    arguments = []
    for shape, element in re.findall(r"Tensor\[([0-9, ]+); (\w+)\]", parameters):
        numbers = rng.integers(-4, 5, [int(size) for size in shape.split(",")])
        if element == "T":
            arguments.append((numbers / 4).astype(numpy_dtype(dtype)))
        else:
            arguments.append((numbers % 3).astype(numpy_dtype(element)))
    check(re.sub(r"\bT\b", dtype, text), *arguments)
