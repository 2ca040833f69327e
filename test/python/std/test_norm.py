"""std.nn.norm against its formulas; large offsets show that statistics are f32."""

import numpy as np


def layer_norm(x, weight, bias=0.0, eps=1e-5):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * weight + bias


def rms_norm(x, weight, eps=1e-5):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * weight


def program(t: str, name: str, bias: bool = False, eps: str = "") -> str:
    extra = f", bias: Tensor[16; {t}]" if bias else ""
    argument = ", some(bias)" if bias else ""
    return f"""use std.nn.norm::{{{name}}}

entry run(x: Tensor[2, 3, 16; {t}], weight: Tensor[16; {t}]{extra}) -> Tensor[2, 3, 16; {t}] {{
    return {name}(x, weight{argument}{eps})
}}
"""


def test_layer_norm_without_bias(evaluate, precision, exact) -> None:
    x, weight = precision.random(2, 3, 16, scale=3.0), precision.random(16, seed=1)
    found = evaluate(program(precision.name, "layer_norm"), {"x": x, "weight": weight})
    precision.check(found, layer_norm(exact(x), exact(weight)), roundings=2)


def test_layer_norm_with_bias(evaluate, precision, exact) -> None:
    x, weight = precision.random(2, 3, 16, scale=3.0), precision.random(16, seed=1)
    bias = precision.random(16, seed=2)
    inputs = {"x": x, "weight": weight, "bias": bias}
    found = evaluate(program(precision.name, "layer_norm", bias=True), inputs)
    precision.check(found, layer_norm(exact(x), exact(weight), exact(bias)), roundings=3)


def test_layer_norm_takes_another_eps(evaluate, precision, exact) -> None:
    x, weight = precision.random(2, 3, 16, scale=0.1), precision.random(16, seed=1)
    text = program(precision.name, "layer_norm", eps=", eps = 0.5")
    found = evaluate(text, {"x": x, "weight": weight})
    precision.check(found, layer_norm(exact(x), exact(weight), eps=0.5), roundings=2)


def test_layer_norm_of_shifted_rows_keeps_its_statistics_wide(evaluate, precision, exact) -> None:
    x = (precision.random(2, 3, 16) + precision.dtype.type(20)).astype(precision.dtype)
    weight = np.ones(16, precision.dtype)
    found = evaluate(program(precision.name, "layer_norm"), {"x": x, "weight": weight})
    precision.check(found, layer_norm(exact(x), exact(weight)), roundings=4)


def test_rms_norm(evaluate, precision, exact) -> None:
    x, weight = precision.random(2, 3, 16, scale=3.0), precision.random(16, seed=1)
    found = evaluate(program(precision.name, "rms_norm"), {"x": x, "weight": weight})
    precision.check(found, rms_norm(exact(x), exact(weight)), roundings=2)


def test_rms_norm_block(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.norm::{{RmsNorm}}

pub block Probe {{
    sub norm: RmsNorm<16, {t}>

    pub entry run(x: Tensor[4, 16; {t}]) -> Tensor[4, 16; {t}] {{
        return norm.forward(x)
    }}
}}
"""
    x, weight = precision.random(4, 16, scale=3.0), precision.random(16, seed=1)
    found = evaluate(text, {"x": x}, {"norm.weight": weight})
    precision.check(found, rms_norm(exact(x), exact(weight)), roundings=2)
