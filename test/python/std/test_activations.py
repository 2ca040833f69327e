"""std.nn.activations and std.nn.softmax against their formulas."""

import math

import numpy as np
import pytest


def unary(t: str, module: str, name: str) -> str:
    return f"""use std.nn.{module}::{{{name}}}

entry run(x: Tensor[4, 33; {t}]) -> Tensor[4, 33; {t}] {{
    return {name}(x)
}}
"""


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def gelu_erf(x):
    return x * np.vectorize(lambda v: 0.5 * (1 + math.erf(v / math.sqrt(2))))(x)


def softmax(x):
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


@pytest.mark.parametrize(
    ("name", "formula", "roundings"),
    [
        ("relu", lambda x: np.maximum(x, 0), 1),
        ("sigmoid", sigmoid, 4),
        ("silu", lambda x: x * sigmoid(x), 5),
        ("gelu", gelu, 1),
        ("gelu_erf", gelu_erf, 1),
    ],
)
def test_activation(evaluate, precision, exact, name, formula, roundings) -> None:
    x = np.linspace(-6, 6, 132).reshape(4, 33).astype(precision.dtype)
    found = evaluate(unary(precision.name, "activations", name), {"x": x})
    precision.check(found, formula(exact(x)), roundings)


def test_relu_is_exact(evaluate, precision) -> None:
    x = precision.random(4, 33)
    found = evaluate(unary(precision.name, "activations", "relu"), {"x": x})
    np.testing.assert_array_equal(found, np.maximum(x, precision.dtype.type(0)))


def test_activation_of_a_scalar(evaluate, exact) -> None:
    text = """use std.nn.activations::{gelu}

entry run(x: f32) -> f32 {
    return gelu(x)
}
"""
    found = evaluate(text, {"x": np.float32(1.5)})
    assert np.shape(found) == ()
    np.testing.assert_allclose(exact(found), gelu(1.5), rtol=1e-6)


def test_softmax(evaluate, precision, exact) -> None:
    x = precision.random(4, 33, scale=4.0)
    found = evaluate(unary(precision.name, "softmax", "softmax"), {"x": x})
    precision.check(found, softmax(exact(x)))


def test_softmax_of_large_scores_is_finite(evaluate, precision, exact) -> None:
    x = precision.random(4, 33, scale=4.0) * precision.dtype.type(1000)
    found = evaluate(unary(precision.name, "softmax", "softmax"), {"x": x})
    precision.check(found, softmax(exact(x)))
