"""std.nn.norm: statistics in f32, weight and bias in T, but `batch_norm` wholly in f32."""

from typing import Any

import numpy as np

from std._cases import Cases, Probe, block, entry
from std._precision import BF16, F16, F32, Array, Expected, Precision, Wide, exact, once

cases = Cases("std.nn.norm")
ALL = (F32, BF16, F16)


def normal(x: Wide, eps: float, axes: Any = -1) -> Wide:
    centred = x - x.mean(axes, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axes, keepdims=True) + eps)


def scaled(p: Precision, value: Wide, weight: Array, bias: Array | None = None) -> Expected:
    """`cast<T>(value) * weight + bias` with the roundings of T after the cast.

    The cast may fall to the other side, which is an ulp; the product and the sum each add half.
    """
    w = exact(weight)
    exact_value = value * w
    reach = (p.ulp(value) if p != F32 else 16 * F32.unit * np.abs(value).max()) * abs(w)
    reach = reach + p.ulp(exact_value) / 2
    if bias is not None:
        exact_value = exact_value + exact(bias)
        reach = reach + p.ulp(exact_value)
    return Expected(p.dtype, exact_value, reach * 1.1)


def rows(p: Precision, name: str, x: Array, expected: Expected, more: str = "", **extra: Array):
    """A program that norms the last axis of `x`; `extra` starts with the weight."""
    shape = ", ".join(map(str, x.shape))
    size = x.shape[-1]
    text = entry(
        f"std.nn.norm::{{{name}}}",
        f"{name}(x, weight{more})",
        f"Tensor[{shape}; {p.name}]",
        x=f"Tensor[{shape}; {p.name}]",
        **dict.fromkeys(extra, f"Tensor[{size}; {p.name}]"),
    )
    return Probe(text, expected, {"x": x, **extra})


@cases.of("layer_norm", *ALL)
def layer_norm_without_bias(p: Precision) -> Probe:
    x, weight = p.random(2, 3, 16, scale=3.0), p.random(16, seed=1)
    return rows(p, "layer_norm", x, scaled(p, normal(exact(x), 1e-5), weight), weight=weight)


@cases.of("layer_norm", *ALL)
def layer_norm_with_bias(p: Precision) -> Probe:
    x, weight, bias = p.random(2, 3, 16, scale=3.0), p.random(16, seed=1), p.random(16, seed=2)
    expected = scaled(p, normal(exact(x), 1e-5), weight, bias)
    return rows(p, "layer_norm", x, expected, ", some(bias)", weight=weight, bias=bias)


@cases.of("layer_norm")
def layer_norm_takes_another_eps(p: Precision) -> Probe:
    x, weight = p.random(2, 3, 16, scale=0.1), p.random(16, seed=1)
    expected = scaled(p, normal(exact(x), 0.5), weight)
    return rows(p, "layer_norm", x, expected, ", eps = 0.5", weight=weight)


@cases.of("layer_norm", BF16, F16)
def layer_norm_of_shifted_rows_keeps_its_statistics_wide(p: Precision) -> Probe:
    x, weight = p.of(exact(p.random(2, 3, 16)) + 20), p.of(np.ones(16))
    return rows(p, "layer_norm", x, scaled(p, normal(exact(x), 1e-5), weight), weight=weight)


@cases.of("layer_norm")
def layer_norm_of_equal_elements_is_zero(p: Precision) -> Probe:
    x, weight = p.of(np.full((2, 8), 3.0)), p.random(8, seed=1)
    return rows(p, "layer_norm", x, scaled(p, np.zeros((2, 8)), weight), weight=weight)


def rms(x: Wide, eps: float = 1e-5) -> Wide:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)


@cases.of("rms_norm", *ALL)
def rms_norm(p: Precision) -> Probe:
    x, weight = p.random(2, 3, 16, scale=3.0), p.random(16, seed=1)
    return rows(p, "rms_norm", x, scaled(p, rms(exact(x)), weight), weight=weight)


@cases.of("rms_norm")
def rms_norm_of_one_vector_takes_another_eps(p: Precision) -> Probe:
    x, weight = p.random(16, scale=0.01), p.random(16, seed=1)
    expected = scaled(p, rms(exact(x), 1e-3), weight)
    return rows(p, "rms_norm", x, expected, ", 0.001", weight=weight)


@cases.of("rms_norm")
def rms_norm_of_zeros_is_zero(p: Precision) -> Probe:
    x, weight = p.of(np.zeros((2, 8))), p.random(8, seed=1)
    return rows(p, "rms_norm", x, scaled(p, np.zeros((2, 8)), weight), weight=weight)


@cases.of("rms_norm", F16)
def rms_norm_squares_in_f32(p: Precision) -> Probe:
    """300 squared is no f16."""
    x, weight = p.of(exact(p.random(4, 16)) * 300), p.of(np.ones(16))
    return rows(p, "rms_norm", x, scaled(p, rms(exact(x)), weight), weight=weight)


@cases.of("RmsNorm", *ALL)
def rms_norm_block(p: Precision) -> Probe:
    x, weight = p.random(4, 16, scale=3.0), p.random(16, seed=1)
    text = block(
        "std.nn.norm::{RmsNorm}",
        f"RmsNorm<16, {p.name}>",
        "layer.forward(x)",
        f"Tensor[4, 16; {p.name}]",
        x=f"Tensor[4, 16; {p.name}]",
    )
    return Probe(text, scaled(p, rms(exact(x)), weight), {"x": x}, {"layer.weight": weight})


@cases.of("batch_norm", *ALL)
def batch_norm(p: Precision) -> Probe:
    t = p.name
    given = {
        "x": p.random(2, 4, 3, 3),
        "mean": p.random(4, seed=1),
        "variance": p.of(np.abs(exact(p.random(4, seed=2))) + 0.5),
        "weight": p.random(4, seed=3),
        "bias": p.random(4, seed=4),
    }
    x, mean, variance, weight, bias = (exact(part) for part in given.values())
    column = (slice(None), None, None)
    factor = weight / np.sqrt(variance + 1e-5)
    value = (x - mean[column]) * factor[column] + bias[column]
    text = entry(
        "std.nn.norm::{batch_norm}",
        "batch_norm(x, mean, variance, weight, bias)",
        f"Tensor[2, 4, 3, 3; {t}]",
        x=f"Tensor[2, 4, 3, 3; {t}]",
        **dict.fromkeys(("mean", "variance", "weight", "bias"), f"Tensor[4; {t}]"),
    )
    return Probe(text, once(p, value, np.abs(value).max()), given)


def grouped(groups: int):
    def make(p: Precision) -> Probe:
        t = p.name
        x, weight, bias = p.random(2, 6, 3, 4), p.random(6, seed=1), p.random(6, seed=2)
        runs = normal(exact(x).reshape(2, groups, 6 // groups, 3, 4), 1e-6, (2, 3, 4))
        column = (slice(None), None, None)
        text = entry(
            "std.nn.norm::{group_norm}",
            f"group_norm<2, 6, 3, 4, {groups}, {t}>(x, weight, bias)",
            f"Tensor[2, 6, 3, 4; {t}]",
            x=f"Tensor[2, 6, 3, 4; {t}]",
            weight=f"Tensor[6; {t}]",
            bias=f"Tensor[6; {t}]",
        )
        expected = scaled(p, runs.reshape(2, 6, 3, 4), weight[column], bias[column])
        return Probe(text, expected, {"x": x, "weight": weight, "bias": bias})

    return make


for groups_, name_ in ((1, "one_group"), (2, "two_groups"), (6, "a_group_for_each_channel")):
    cases.add("group_norm", f"group_norm_with_{name_}", grouped(groups_), *ALL)

test_value = cases.test()
