"""std.nn.conv, std.nn.pool, std.nn.resize and the norms over images, against plain loops."""

import numpy as np
import pytest


def windows(x, size, stride, pad, fill):
    """Return the windows [B, C, rows, columns, size, size] of `x` with `pad` on each side."""
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    return view[:, :, ::stride, ::stride]


def test_zero_pad(evaluate, precision) -> None:
    t = precision.name
    text = f"""use std.nn.conv::{{zero_pad}}

entry run(x: Tensor[2, 3, 4, 5; {t}]) -> Tensor[2, 3, 8, 9; {t}] {{
    return zero_pad<2, 3, 4, 5, 2, {t}>(x)
}}
"""
    x = precision.random(2, 3, 4, 5)
    expected = np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)))
    np.testing.assert_array_equal(evaluate(text, {"x": x}), expected)


@pytest.mark.parametrize(
    ("size", "stride", "pad", "rows", "columns"),
    [(3, 1, 1, 6, 7), (3, 2, 0, 2, 3), (1, 2, 1, 4, 5)],
)
def test_conv2d(evaluate, precision, exact, size, stride, pad, rows, columns) -> None:
    t = precision.name
    text = f"""use std.nn.conv::{{conv2d}}

entry run(
    x: Tensor[2, 3, 6, 7; {t}],
    weight: Tensor[4, 3, {size}, {size}; {t}],
    bias: Tensor[4; {t}],
) -> Tensor[2, 4, {rows}, {columns}; {t}] {{
    return conv2d<2, 3, 4, 6, 7, {size}, {stride}, {pad}, {t}>(x, weight, some(bias))
}}
"""
    x, weight = precision.random(2, 3, 6, 7), precision.random(4, 3, size, size, seed=1)
    bias = precision.random(4, seed=2)
    seen = windows(exact(x), size, stride, pad, 0)
    expected = np.einsum("bcijuv,ocuv->boij", seen, exact(weight))
    found = evaluate(text, {"x": x, "weight": weight, "bias": bias})
    precision.check(found, expected + exact(bias)[:, None, None], roundings=14)


def test_conv2d_block_without_bias(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.conv::{{Conv2d}}

pub block Probe {{
    sub layer: Conv2d<3, 4, 3, 2, 1, {t}>

    pub entry run(x: Tensor[2, 3, 6, 7; {t}]) -> Tensor[2, 4, 3, 4; {t}] {{
        return layer.forward(x)
    }}
}}
"""
    x, weight = precision.random(2, 3, 6, 7), precision.random(4, 3, 3, 3, seed=1)
    expected = np.einsum("bcijuv,ocuv->boij", windows(exact(x), 3, 2, 1, 0), exact(weight))
    found = evaluate(text, {"x": x}, {"layer.weight": weight})
    precision.check(found, expected, roundings=14)


@pytest.mark.parametrize(("size", "stride", "pad"), [(2, 2, 0), (3, 1, 1), (3, 2, 1)])
def test_max_pool2d(evaluate, precision, size, stride, pad) -> None:
    t = precision.name
    x = precision.random(2, 3, 6, 7)
    expected = windows(x.astype(np.float32), size, stride, pad, -1e30).max((4, 5))
    text = f"""use std.nn.pool::{{max_pool2d}}

entry run(x: Tensor[2, 3, 6, 7; {t}]) -> Tensor[{", ".join(map(str, expected.shape))}; {t}] {{
    return max_pool2d<2, 3, 6, 7, {size}, {stride}, {pad}, {t}>(x)
}}
"""
    np.testing.assert_array_equal(evaluate(text, {"x": x}).astype(np.float32), expected)


def test_global_average_pool2d(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.pool::{{global_average_pool2d}}

entry run(x: Tensor[2, 3, 6, 7; {t}]) -> Tensor[2, 3; {t}] {{
    return global_average_pool2d(x)
}}
"""
    x = precision.random(2, 3, 6, 7)
    precision.check(evaluate(text, {"x": x}), exact(x).mean((2, 3)))


def test_upsample_nearest2d(evaluate, precision) -> None:
    t = precision.name
    text = f"""use std.nn.resize::{{upsample_nearest2d}}

entry run(x: Tensor[2, 3, 2, 3; {t}]) -> Tensor[2, 3, 6, 9; {t}] {{
    return upsample_nearest2d<2, 3, 2, 3, 3, {t}>(x)
}}
"""
    x = precision.random(2, 3, 2, 3)
    np.testing.assert_array_equal(evaluate(text, {"x": x}), x.repeat(3, 2).repeat(3, 3))


def test_batch_norm(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.norm::{{batch_norm}}

entry run(
    x: Tensor[2, 4, 3, 3; {t}],
    mean: Tensor[4; {t}],
    variance: Tensor[4; {t}],
    weight: Tensor[4; {t}],
    bias: Tensor[4; {t}],
) -> Tensor[2, 4, 3, 3; {t}] {{
    return batch_norm(x, mean, variance, weight, bias)
}}
"""
    x, mean = precision.random(2, 4, 3, 3), precision.random(4, seed=1)
    variance = np.abs(precision.random(4, seed=2)) + precision.dtype.type(0.5)
    weight, bias = precision.random(4, seed=3), precision.random(4, seed=4)
    m, v, w, b = (exact(part)[:, None, None] for part in (mean, variance, weight, bias))
    given = {"x": x, "mean": mean, "variance": variance, "weight": weight, "bias": bias}
    precision.check(evaluate(text, given), (exact(x) - m) / np.sqrt(v + 1e-5) * w + b)


def test_group_norm(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.norm::{{group_norm}}

entry run(
    x: Tensor[2, 6, 3, 3; {t}],
    weight: Tensor[6; {t}],
    bias: Tensor[6; {t}],
) -> Tensor[2, 6, 3, 3; {t}] {{
    return group_norm<2, 6, 3, 3, 2, {t}>(x, weight, bias)
}}
"""
    x = precision.random(2, 6, 3, 3)
    weight, bias = precision.random(6, seed=1), precision.random(6, seed=2)
    runs = exact(x).reshape(2, 2, -1)
    centred = runs - runs.mean(-1, keepdims=True)
    normal = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-6)
    expected = normal.reshape(2, 6, 3, 3) * exact(weight)[:, None, None]
    found = evaluate(text, {"x": x, "weight": weight, "bias": bias})
    precision.check(found, expected + exact(bias)[:, None, None], roundings=3)
