"""std.nn.linear against its formula."""

import numpy as np


def program(t: str, bias: bool) -> str:
    extra = f", bias: Tensor[5; {t}]" if bias else ""
    argument = ", some(bias)" if bias else ""
    return f"""use std.nn.linear::{{linear}}

entry run(x: Tensor[2, 3, 8; {t}], weight: Tensor[5, 8; {t}]{extra}) -> Tensor[2, 3, 5; {t}] {{
    return linear(x, weight{argument})
}}
"""


def test_linear_without_bias(evaluate, precision, exact) -> None:
    x, weight = precision.random(2, 3, 8), precision.random(5, 8, seed=1)
    found = evaluate(program(precision.name, False), {"x": x, "weight": weight})
    precision.check(found, exact(x) @ exact(weight).T, roundings=8)


def test_linear_with_bias(evaluate, precision, exact) -> None:
    x, weight = precision.random(2, 3, 8), precision.random(5, 8, seed=1)
    bias = precision.random(5, seed=2)
    inputs = {"x": x, "weight": weight, "bias": bias}
    found = evaluate(program(precision.name, True), inputs)
    precision.check(found, exact(x) @ exact(weight).T + exact(bias), roundings=8)


def test_linear_of_one_vector_has_an_empty_pack(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.linear::{{linear}}

entry run(x: Tensor[8; {t}], weight: Tensor[5, 8; {t}]) -> Tensor[5; {t}] {{
    return linear(x, weight)
}}
"""
    x, weight = precision.random(8), precision.random(5, 8, seed=1)
    found = evaluate(text, {"x": x, "weight": weight})
    precision.check(found, exact(weight) @ exact(x), roundings=8)


def test_linear_takes_a_permuted_weight(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.linear::{{linear}}

entry run(x: Tensor[4, 8; {t}], weight: Tensor[8, 5; {t}]) -> Tensor[4, 5; {t}] {{
    return linear(x, permute(weight, [1, 0]))
}}
"""
    x, weight = precision.random(4, 8), precision.random(8, 5, seed=1)
    found = evaluate(text, {"x": x, "weight": weight})
    precision.check(found, exact(x) @ exact(weight), roundings=8)


def test_block_uses_the_bias_when_the_weights_have_one(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.linear::{{Linear}}

pub block Probe {{
    sub layer: Linear<8, 5, {t}>

    pub entry run(x: Tensor[3, 8; {t}]) -> Tensor[3, 5; {t}] {{
        return layer.forward(x)
    }}
}}
"""
    x, weight = precision.random(3, 8), precision.random(5, 8, seed=1)
    bias = precision.random(5, seed=2)
    plain = exact(x) @ exact(weight).T
    found = evaluate(text, {"x": x}, {"layer.weight": weight})
    precision.check(found, plain, roundings=8)
    found = evaluate(text, {"x": x}, {"layer.weight": weight, "layer.bias": bias})
    precision.check(found, plain + exact(bias), roundings=8)
    assert not np.allclose(plain, plain + exact(bias))
