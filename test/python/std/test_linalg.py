"""std.linalg: everything in T, integers wrap."""

from typing import Any

import numpy as np

from std._cases import Cases, Probe, entry
from std._precision import BF16, F16, F32, Array, Precision, exact, exactly, product, stepwise

cases = Cases("std.linalg")
ALL = (F32, BF16, F16)


def program(name: str, a: str, b: str, result: str) -> str:
    return entry(f"std.linalg::{{{name}}}", f"{name}(a, b)", result, a=a, b=b)


def integers(dtype: Any, *shape: int, seed: int = 0) -> Array:
    """Numbers from the whole range, so that products and sums wrap."""
    limits = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(limits.min, limits.max, shape, dtype, endpoint=True)


@cases.of("dot", *ALL)
def dot(p: Precision) -> Probe:
    t = f"Tensor[9; {p.name}]"
    a, b = p.random(9), p.random(9, seed=1)
    expected = stepwise(p, exact(a) @ exact(b), abs(exact(a)) @ abs(exact(b)), 11)
    return Probe(program("dot", t, t, p.name), expected, {"a": a, "b": b})


@cases.of("dot")
def dot_of_nothing_is_zero(p: Precision) -> Probe:
    t = f"Tensor[0; {p.name}]"
    none = p.random(0)
    return Probe(program("dot", t, t, p.name), exactly(p.of(0.0)), {"a": none, "b": none})


@cases.of("dot", F32)
def dot_of_i64_wraps(p: Precision) -> Probe:
    a, b = integers(np.int64, 9), integers(np.int64, 9, seed=1)
    with np.errstate(over="ignore"):
        expected = exactly(np.asarray((a * b).sum()))
    return Probe(
        program("dot", "Tensor[9; i64]", "Tensor[9; i64]", "i64"), expected, {"a": a, "b": b}
    )


@cases.of("outer", *ALL)
def outer(p: Precision) -> Probe:
    a, b = p.random(3), p.random(4, seed=1)
    text = program(
        "outer", f"Tensor[3; {p.name}]", f"Tensor[4; {p.name}]", f"Tensor[3, 4; {p.name}]"
    )
    return Probe(text, exactly(a[:, None] * b), {"a": a, "b": b})


@cases.of("outer", F32)
def outer_of_u16_wraps(p: Precision) -> Probe:
    a, b = integers(np.uint16, 3), integers(np.uint16, 4, seed=1)
    text = program("outer", "Tensor[3; u16]", "Tensor[4; u16]", "Tensor[3, 4; u16]")
    wide = a.astype(np.int64)[:, None] * b.astype(np.int64)
    return Probe(text, exactly(wide.astype(np.uint16)), {"a": a, "b": b})


@cases.of("matmul", *ALL)
def matmul(p: Precision) -> Probe:
    t = p.name
    a, b = p.random(3, 7), p.random(7, 4, seed=1)
    text = program("matmul", f"Tensor[3, 7; {t}]", f"Tensor[7, 4; {t}]", f"Tensor[3, 4; {t}]")
    return Probe(text, product(p, a, b.T), {"a": a, "b": b})


@cases.of("matmul")
def matmul_over_an_empty_axis_is_zero(p: Precision) -> Probe:
    t = p.name
    text = program("matmul", f"Tensor[3, 0; {t}]", f"Tensor[0, 4; {t}]", f"Tensor[3, 4; {t}]")
    return Probe(text, exactly(p.of(np.zeros((3, 4)))), {"a": p.random(3, 0), "b": p.random(0, 4)})


@cases.of("matmul", F32)
def matmul_of_i8_wraps(p: Precision) -> Probe:
    a = np.array([[100, 50, 3], [-7, 127, 127]], np.int8)
    b = np.array([[2, 3], [4, 5], [6, 127]], np.int8)
    text = program("matmul", "Tensor[2, 3; i8]", "Tensor[3, 2; i8]", "Tensor[2, 2; i8]")
    wide = a.astype(np.int64) @ b.astype(np.int64)
    return Probe(text, exactly(wide.astype(np.int8)), {"a": a, "b": b})


@cases.of("batched_matmul", *ALL)
def batched_matmul_over_two_axes(p: Precision) -> Probe:
    t = p.name
    a, b = p.random(2, 3, 4, 5), p.random(2, 3, 5, 6, seed=1)
    text = program(
        "batched_matmul",
        f"Tensor[2, 3, 4, 5; {t}]",
        f"Tensor[2, 3, 5, 6; {t}]",
        f"Tensor[2, 3, 4, 6; {t}]",
    )
    expected = stepwise(p, exact(a) @ exact(b), abs(exact(a)) @ abs(exact(b)), 7)
    return Probe(text, expected, {"a": a, "b": b})


@cases.of("batched_matmul", F32)
def batched_matmul_without_a_batch_of_u8_wraps(p: Precision) -> Probe:
    a, b = integers(np.uint8, 2, 3), integers(np.uint8, 3, 2, seed=1)
    text = program("batched_matmul", "Tensor[2, 3; u8]", "Tensor[3, 2; u8]", "Tensor[2, 2; u8]")
    wide = a.astype(np.int64) @ b.astype(np.int64)
    return Probe(text, exactly(wide.astype(np.uint8)), {"a": a, "b": b})


def transposed(dtype: str, x: Array) -> Probe:
    text = entry(
        "std.linalg::{transpose}",
        "transpose(x)",
        f"Tensor[3, 2; {dtype}]",
        x=f"Tensor[2, 3; {dtype}]",
    )
    return Probe(text, exactly(np.ascontiguousarray(x.T)), {"x": x})


@cases.of("transpose", *ALL)
def transpose(p: Precision) -> Probe:
    return transposed(p.name, p.random(2, 3))


@cases.of("transpose", F32)
def transpose_of_truth_values(p: Precision) -> Probe:
    return transposed("bool", np.array([[True, False, True], [False, False, True]]))


@cases.of("transpose", F32)
def transpose_of_u64(p: Precision) -> Probe:
    return transposed("u64", integers(np.uint64, 2, 3))


test_value = cases.test()
