"""std.nn.linear: in T."""

import numpy as np

from std._cases import Cases, Probe, block, entry
from std._precision import BF16, F16, F32, Precision, exactly, product

cases = Cases("std.nn.linear")
LINEAR = "std.nn.linear::{linear}"
ALL = (F32, BF16, F16)


@cases.of("linear", *ALL)
def without_bias(p: Precision) -> Probe:
    t = p.name
    x, weight = p.random(2, 3, 8), p.random(5, 8, seed=1)
    text = entry(
        LINEAR,
        "linear(x, weight)",
        f"Tensor[2, 3, 5; {t}]",
        x=f"Tensor[2, 3, 8; {t}]",
        weight=f"Tensor[5, 8; {t}]",
    )
    return Probe(text, product(p, x, weight), {"x": x, "weight": weight})


@cases.of("linear", *ALL)
def with_bias(p: Precision) -> Probe:
    t = p.name
    x, weight, bias = p.random(2, 3, 8), p.random(5, 8, seed=1), p.random(5, seed=2)
    text = entry(
        LINEAR,
        "linear(bias = some(bias), weight = weight, x = x)",
        f"Tensor[2, 3, 5; {t}]",
        x=f"Tensor[2, 3, 8; {t}]",
        weight=f"Tensor[5, 8; {t}]",
        bias=f"Tensor[5; {t}]",
    )
    given = {"x": x, "weight": weight, "bias": bias}
    return Probe(text, product(p, x, weight, bias), given)


@cases.of("linear")
def of_one_vector_has_an_empty_pack(p: Precision) -> Probe:
    t = p.name
    x, weight = p.random(8), p.random(5, 8, seed=1)
    text = entry(
        LINEAR,
        "linear(x, weight)",
        f"Tensor[5; {t}]",
        x=f"Tensor[8; {t}]",
        weight=f"Tensor[5, 8; {t}]",
    )
    return Probe(text, product(p, x, weight), {"x": x, "weight": weight})


@cases.of("linear")
def takes_a_permuted_weight(p: Precision) -> Probe:
    t = p.name
    x, weight = p.random(4, 8), p.random(8, 5, seed=1)
    text = entry(
        LINEAR,
        "linear(x, permute(weight, [1, 0]))",
        f"Tensor[4, 5; {t}]",
        x=f"Tensor[4, 8; {t}]",
        weight=f"Tensor[8, 5; {t}]",
    )
    return Probe(text, product(p, x, weight.T), {"x": x, "weight": weight})


@cases.of("linear")
def of_no_rows_is_empty(p: Precision) -> Probe:
    t = p.name
    x, weight = p.random(2, 0, 8), p.random(5, 8, seed=1)
    text = entry(
        LINEAR,
        "linear(x, weight)",
        f"Tensor[2, 0, 5; {t}]",
        x=f"Tensor[2, 0, 8; {t}]",
        weight=f"Tensor[5, 8; {t}]",
    )
    return Probe(text, exactly(p.random(2, 0, 5)), {"x": x, "weight": weight})


@cases.of("linear")
def of_no_inputs_is_the_bias(p: Precision) -> Probe:
    t = p.name
    x, weight, bias = p.random(3, 0), p.random(5, 0), p.random(5, seed=2)
    text = entry(
        LINEAR,
        "linear(x, weight, some(bias))",
        f"Tensor[3, 5; {t}]",
        x=f"Tensor[3, 0; {t}]",
        weight=f"Tensor[5, 0; {t}]",
        bias=f"Tensor[5; {t}]",
    )
    expected = exactly(np.tile(bias, (3, 1)))
    return Probe(text, expected, {"x": x, "weight": weight, "bias": bias})


def layer(p: Precision, bias: bool) -> Probe:
    t = p.name
    x, weights = p.random(3, 8), {"layer.weight": p.random(5, 8, seed=1)}
    if bias:
        weights["layer.bias"] = p.random(5, seed=2)
    text = block(
        "std.nn.linear::{Linear}",
        f"Linear<8, 5, {t}>",
        "layer.forward(x)",
        f"Tensor[3, 5; {t}]",
        x=f"Tensor[3, 8; {t}]",
    )
    expected = product(p, x, weights["layer.weight"], weights.get("layer.bias"))
    return Probe(text, expected, {"x": x}, weights)


cases.add("Linear", "block_with_bias", lambda p: layer(p, True))
cases.add("Linear", "block_without_bias", lambda p: layer(p, False))


@cases.of("Linear", BF16)
def block_is_bf16_by_default(p: Precision) -> Probe:
    x, weight = p.random(3, 8), p.random(5, 8, seed=1)
    text = block(
        "std.nn.linear::{Linear}",
        "Linear<8, 5>",
        "layer.forward(x)",
        "Tensor[3, 5; bf16]",
        x="Tensor[3, 8; bf16]",
    )
    return Probe(text, product(p, x, weight), {"x": x}, {"layer.weight": weight})


test_value = cases.test()
