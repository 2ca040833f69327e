"""std.linalg against NumPy, with integers that wrap."""

import numpy as np


def program(name: str, a: str, b: str, result: str) -> str:
    return f"""use std.linalg::{{{name}}}

entry run(a: {a}, b: {b}) -> {result} {{
    return {name}(a, b)
}}
"""


def test_dot_is_a_scalar(evaluate, precision, exact) -> None:
    t = precision.name
    text = program("dot", f"Tensor[9; {t}]", f"Tensor[9; {t}]", t)
    a, b = precision.random(9), precision.random(9, seed=1)
    found = np.asarray(evaluate(text, {"a": a, "b": b}))
    precision.check(found, np.asarray(exact(a) @ exact(b)), roundings=12)


def test_outer(evaluate, precision, exact) -> None:
    t = precision.name
    text = program("outer", f"Tensor[3; {t}]", f"Tensor[4; {t}]", f"Tensor[3, 4; {t}]")
    a, b = precision.random(3), precision.random(4, seed=1)
    precision.check(evaluate(text, {"a": a, "b": b}), np.outer(exact(a), exact(b)))


def test_matmul(evaluate, precision, exact) -> None:
    t = precision.name
    text = program("matmul", f"Tensor[3, 7; {t}]", f"Tensor[7, 4; {t}]", f"Tensor[3, 4; {t}]")
    a, b = precision.random(3, 7), precision.random(7, 4, seed=1)
    precision.check(evaluate(text, {"a": a, "b": b}), exact(a) @ exact(b), roundings=8)


def test_integer_matmul_wraps(evaluate) -> None:
    text = program("matmul", "Tensor[2, 3; i8]", "Tensor[3, 2; i8]", "Tensor[2, 2; i8]")
    a = np.array([[100, 50, 3], [-7, 127, 127]], np.int8)
    b = np.array([[2, 3], [4, 5], [6, 127]], np.int8)
    expected = (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int8)
    np.testing.assert_array_equal(evaluate(text, {"a": a, "b": b}), expected)


def test_batched_matmul_over_two_axes(evaluate, precision, exact) -> None:
    t = precision.name
    text = program(
        "batched_matmul",
        f"Tensor[2, 3, 4, 5; {t}]",
        f"Tensor[2, 3, 5, 6; {t}]",
        f"Tensor[2, 3, 4, 6; {t}]",
    )
    a, b = precision.random(2, 3, 4, 5), precision.random(2, 3, 5, 6, seed=1)
    precision.check(evaluate(text, {"a": a, "b": b}), exact(a) @ exact(b), roundings=6)


def test_transpose_of_truth_values(evaluate) -> None:
    text = """use std.linalg::{transpose}

entry run(x: Tensor[2, 3; bool]) -> Tensor[3, 2; bool] {
    return transpose(x)
}
"""
    x = np.array([[True, False, True], [False, False, True]])
    np.testing.assert_array_equal(evaluate(text, {"x": x}), x.T)
