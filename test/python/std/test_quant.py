"""std.quant: unpacking is exact, dequantising is one rounding."""

import numpy as np


def integers(*shape, low=-128, high=128):
    return np.random.default_rng(3).integers(low, high, shape).astype(np.int8)


def unpack(packed):
    low = ((packed.astype(np.int16) & 15) ^ 8) - 8
    high = packed.astype(np.int16) >> 4
    return np.stack([low, high], -1).reshape(len(packed), -1)


def test_dequantize_int8(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.quant::{{dequantize_int8}}

entry run(q: Tensor[3, 8; i8], scale: Tensor[3; f32]) -> Tensor[3, 8; {t}] {{
    return dequantize_int8<[3], 8, {t}>(q, scale)
}}
"""
    q, scale = integers(3, 8), np.array([0.01, 0.5, 3.0], np.float32)
    found = evaluate(text, {"q": q, "scale": scale})
    precision.check(found, exact(q) * exact(scale)[:, None])


def test_unpack_int4_covers_all_bytes(evaluate) -> None:
    text = """use std.quant::{unpack_int4}

entry run(packed: Tensor[16, 16; i8]) -> Tensor[16, 32; i8] {
    return unpack_int4(packed)
}
"""
    packed = np.arange(256, dtype=np.uint8).view(np.int8).reshape(16, 16)
    found = evaluate(text, {"packed": packed})
    assert found.dtype == np.int8
    np.testing.assert_array_equal(found, unpack(packed))
    assert (found.min(), found.max()) == (-8, 7)


def test_int8_block(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.quant::{{Int8Linear}}

pub block Probe {{
    sub layer: Int8Linear<8, 5, {t}>

    pub entry run(x: Tensor[3, 8; {t}]) -> Tensor[3, 5; {t}] {{
        return layer.forward(x)
    }}
}}
"""
    x, q, scale = precision.random(3, 8), integers(5, 8), np.full(5, 0.01, np.float32)
    expected = exact(x) @ (exact(q) * exact(scale)[:, None]).T
    found = evaluate(text, {"x": x}, {"layer.weight": q, "layer.scale": scale})
    precision.check(found, expected, roundings=9)


def test_int4_block(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.quant::{{Int4Linear}}

pub block Probe {{
    sub layer: Int4Linear<8, 5, {t}>

    pub entry run(x: Tensor[3, 8; {t}]) -> Tensor[3, 5; {t}] {{
        return layer.forward(x)
    }}
}}
"""
    x, q, scale = precision.random(3, 8), integers(5, 4), np.full(5, 0.25, np.float32)
    bias = precision.random(5, seed=4)
    expected = exact(x) @ (unpack(q) * exact(scale)[:, None]).T + exact(bias)
    weights = {"layer.weight": q, "layer.scale": scale, "layer.bias": bias}
    precision.check(evaluate(text, {"x": x}, weights), expected, roundings=9)
