"""std.nn.mlp and std.nn.decoding against their formulas."""

import numpy as np


def silu(x):
    return x / (1 + np.exp(-x))


def test_swiglu(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.mlp::{{swiglu}}

entry run(
    x: Tensor[3, 4; {t}], gate: Tensor[6, 4; {t}], up: Tensor[6, 4; {t}], down: Tensor[4, 6; {t}],
) -> Tensor[3, 4; {t}] {{
    return swiglu(x, gate_weight = gate, up_weight = up, down_weight = down)
}}
"""
    x, gate = precision.random(3, 4), precision.random(6, 4, seed=1)
    up, down = precision.random(6, 4, seed=2), precision.random(4, 6, seed=3)
    inner = silu(exact(x) @ exact(gate).T) * (exact(x) @ exact(up).T)
    found = evaluate(text, {"x": x, "gate": gate, "up": up, "down": down})
    precision.check(found, inner @ exact(down).T, roundings=12)


def test_block_uses_the_biases_that_the_weights_have(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.mlp::{{SwiGlu}}

pub block Probe {{
    sub mlp: SwiGlu<4, 6, {t}>

    pub entry run(x: Tensor[3, 4; {t}]) -> Tensor[3, 4; {t}] {{
        return mlp.forward(x)
    }}
}}
"""
    x, gate = precision.random(3, 4), precision.random(6, 4, seed=1)
    up, down = precision.random(6, 4, seed=2), precision.random(4, 6, seed=3)
    bias = precision.random(6, seed=4)
    weights = {"mlp.gate.weight": gate, "mlp.up.weight": up, "mlp.down.weight": down}
    inner = silu(exact(x) @ exact(gate).T) * (exact(x) @ exact(up).T + exact(bias))
    found = evaluate(text, {"x": x}, weights | {"mlp.up.bias": bias})
    precision.check(found, inner @ exact(down).T, roundings=12)


def test_argmax_takes_the_first_of_equal_maxima(evaluate) -> None:
    text = """use std.nn.decoding::{argmax}

entry run(x: Tensor[2, 2, 5; f32]) -> Tensor[2, 2; i32] {
    return argmax(x)
}
"""
    x = np.array([[[1, 3, 3, 0, 3], [5, 4, 3, 2, 1]], [[0, 0, 0, 0, 0], [-4, -3, -2, -1, -1]]])
    found = evaluate(text, {"x": x.astype(np.float32)})
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, [[1, 0], [0, 3]])


def test_argmax_of_integers(evaluate) -> None:
    text = """use std.nn.decoding::{argmax}

entry run(x: Tensor[4; u8]) -> i32 {
    return argmax(x)
}
"""
    assert int(evaluate(text, {"x": np.array([3, 250, 7, 250], np.uint8)})) == 1
