"""std.nn.activations and std.nn.softmax."""

import math
from collections.abc import Callable

import numpy as np

from std._cases import Cases, Make, Probe, entry
from std._precision import (
    BF16,
    F16,
    F32,
    Array,
    Expected,
    Precision,
    Wide,
    emulated,
    exact,
    exactly,
    once,
)

cases = Cases("std.nn.activations")
softmaxes = Cases("std.nn.softmax")
ALL = (F32, BF16, F16)
INF, NAN = math.inf, math.nan
# What lies between, both ends, and what is no number.
SPECIAL = [0.0, -0.0, 1.0, -1.0, 88.0, -88.0, 90.0, -90.0, INF, -INF, NAN]


def relu(x: Array) -> Array:
    return np.maximum(x, x.dtype.type(0))


def sigmoid(x: Array) -> Array:
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))


def silu(x: Array) -> Array:
    return x * sigmoid(x)


def gelu(x: Wide) -> Wide:
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def gelu_erf(x: Wide) -> Wide:
    return x * np.vectorize(lambda v: 0.5 * (1 + math.erf(v / math.sqrt(2))))(x)


def activation(p: Precision, name: str, x: Array, expected: Expected) -> Probe:
    t = f"Tensor[{', '.join(map(str, x.shape))}; {p.name}]" if x.shape else p.name
    text = entry(f"std.nn.activations::{{{name}}}", f"{name}(x)", t, x=t)
    return Probe(text, expected, {"x": x})


def line(p: Precision) -> Array:
    return p.of(np.linspace(-6, 6, 132).reshape(4, 33))


def in_t(name: str, formula: Callable[[Array], Array], x: Callable[[Precision], Array]) -> Make:
    def make(p: Precision) -> Probe:
        values = x(p)
        with np.errstate(all="ignore"):
            expected = emulated(p, formula(values), 0 if name == "relu" else 3)
        return activation(p, name, values, expected)

    return make


for name_, formula_ in (("relu", relu), ("sigmoid", sigmoid), ("silu", silu)):
    cases.add(name_, name_, in_t(name_, formula_, line), *ALL)
    special = in_t(name_, formula_, lambda p: p.of(SPECIAL))
    cases.add(name_, f"{name_}_of_the_extremes", special)


@cases.of("gelu", *ALL)
def gelu_is_the_tanh_form(p: Precision) -> Probe:
    x = line(p)
    return activation(p, "gelu", x, once(p, gelu(exact(x)), abs(exact(x)), 12))


@cases.of("gelu")
def gelu_of_the_extremes(p: Precision) -> Probe:
    x = p.of(SPECIAL)
    with np.errstate(invalid="ignore"):
        expected = once(p, gelu(exact(x)), 12)
    return activation(p, "gelu", x, expected)


@cases.of("gelu")
def gelu_of_a_scalar(p: Precision) -> Probe:
    x = p.of(1.5)
    return activation(p, "gelu", x, once(p, gelu(exact(x)), 1.5))


@cases.of("gelu_erf", *ALL)
def gelu_erf_is_near_the_true_one(p: Precision) -> Probe:
    x = line(p)
    # 7.5e-8 is 1.26 units of f32, and comes from the approximation.
    return activation(p, "gelu_erf", x, once(p, gelu_erf(exact(x)), abs(exact(x)), 12))


@cases.of("relu")
def relu_of_nothing(p: Precision) -> Probe:
    x = p.random(2, 0, 3)
    return activation(p, "relu", x, exactly(x))


def softmax(x: Wide) -> Wide:
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def shares(x: Callable[[Precision], Array]) -> Make:
    def make(p: Precision) -> Probe:
        values = x(p)
        t = f"Tensor[{', '.join(map(str, values.shape))}; {p.name}]"
        with np.errstate(all="ignore"):
            expected = once(p, softmax(exact(values)), 1.0, 16)
        return Probe(
            entry("std.nn.softmax::{softmax}", "softmax(x)", t, x=t), expected, {"x": values}
        )

    return make


softmaxes.add("softmax", "of_rows", shares(lambda p: p.random(2, 3, 33, scale=4.0)), *ALL)
softmaxes.add("softmax", "of_one_row", shares(lambda p: p.random(7)), *ALL)
softmaxes.add("softmax", "of_one_score_is_one", shares(lambda p: p.of([[3.0], [-900.0]])))
softmaxes.add("softmax", "of_large_scores_is_finite", shares(lambda p: p.random(4, 33, scale=4e3)))
softmaxes.add(
    "softmax", "gives_nothing_to_minus_infinity", shares(lambda p: p.of([[0, -INF, 1], [2, 2, 2]]))
)
softmaxes.add("softmax", "keeps_nan", shares(lambda p: p.of([[0, NAN, 1], [1, 2, 3]])))
softmaxes.add("softmax", "of_no_rows", shares(lambda p: p.random(0, 5)))

test_activation = cases.test()
test_softmax = softmaxes.test()
