"""std.nn.conv, std.nn.pool and std.nn.resize, against plain windows."""

import numpy as np

from std._cases import Cases, Make, Probe, block, entry
from std._precision import (
    BF16,
    F16,
    F32,
    Array,
    Expected,
    Precision,
    exact,
    exactly,
    once,
    stepwise,
)

convs = Cases("std.nn.conv")
pools = Cases("std.nn.pool")
resizes = Cases("std.nn.resize")
ALL = (F32, BF16, F16)


def windows(x: Array, size: int, stride: int, pad: int, fill: float) -> Array:
    """Return the windows [B, C, rows, columns, size, size] of `x` with `pad` on each side."""
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=fill)
    if min(padded.shape[2:]) < size:
        counts = [max((n - size) // stride + 1, 0) for n in padded.shape[2:]]
        return np.zeros((*x.shape[:2], *counts, size, size), x.dtype)
    view = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    return view[:, :, ::stride, ::stride]


def shape_of(x: Array) -> str:
    return ", ".join(map(str, x.shape))


def padded(pad: int) -> Make:
    def make(p: Precision) -> Probe:
        x = p.random(2, 3, 4, 5)
        expected = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
        text = entry(
            "std.nn.conv::{zero_pad}",
            f"zero_pad<2, 3, 4, 5, {pad}, {p.name}>(x)",
            f"Tensor[{shape_of(expected)}; {p.name}]",
            x=f"Tensor[2, 3, 4, 5; {p.name}]",
        )
        return Probe(text, exactly(expected), {"x": x})

    return make


convs.add("zero_pad", "zero_pad", padded(2), *ALL)
convs.add("zero_pad", "zero_pad_by_nothing", padded(0))


def correlated(
    p: Precision, x: Array, weight: Array, stride: int, pad: int, bias: Array | None = None
) -> Expected:
    size = weight.shape[-1]
    seen = windows(exact(x), size, stride, pad, 0)
    value = np.einsum("bcijuv,ocuv->boij", seen, exact(weight))
    scale = np.einsum("bcijuv,ocuv->boij", abs(seen), abs(exact(weight)))
    if bias is not None:
        value = value + exact(bias)[:, None, None]
        scale = scale + abs(exact(bias))[:, None, None]
    return stepwise(p, value, scale, x.shape[1] * size * size + 2)


def conv(size: int, stride: int, pad: int, bias: bool, height: int = 6, width: int = 7) -> Make:
    def make(p: Precision) -> Probe:
        t = p.name
        x, weight = p.random(2, 3, height, width), p.random(4, 3, size, size, seed=1)
        given = {"x": x, "weight": weight} | ({"bias": p.random(4, seed=2)} if bias else {})
        expected = correlated(p, x, weight, stride, pad, given.get("bias"))
        text = entry(
            "std.nn.conv::{conv2d}",
            f"conv2d<2, 3, 4, {height}, {width}, {size}, {stride}, {pad}, {t}>"
            f"(x, weight{', some(bias)' if bias else ''})",
            f"Tensor[{shape_of(expected.value)}; {t}]",
            **{name: f"Tensor[{shape_of(array)}; {t}]" for name, array in given.items()},
        )
        return Probe(text, expected, given)

    return make


convs.add("conv2d", "conv2d_that_keeps_the_size", conv(3, 1, 1, True), *ALL)
convs.add("conv2d", "conv2d_with_a_stride", conv(3, 2, 0, False), *ALL)
convs.add("conv2d", "conv2d_of_one_by_one_with_stride_and_padding", conv(1, 2, 1, True))
convs.add("conv2d", "conv2d_whose_stride_leaves_gaps", conv(2, 3, 0, False))
convs.add("conv2d", "conv2d_of_a_whole_image", conv(6, 1, 0, True, 6, 6))
convs.add("conv2d", "conv2d_of_an_image_smaller_than_the_window", conv(3, 1, 0, True, 2, 7))
convs.add("conv2d", "conv2d_with_more_padding_than_window", conv(2, 2, 3, False, 3, 4))


@convs.of("Conv2d", *ALL)
def conv2d_block_without_bias(p: Precision) -> Probe:
    t = p.name
    x, weight = p.random(2, 3, 6, 7), p.random(4, 3, 3, 3, seed=1)
    text = block(
        "std.nn.conv::{Conv2d}",
        f"Conv2d<3, 4, 3, 2, 1, {t}>",
        "layer.forward(x)",
        f"Tensor[2, 4, 3, 4; {t}]",
        x=f"Tensor[2, 3, 6, 7; {t}]",
    )
    expected = correlated(p, x, weight, 2, 1)
    return Probe(text, expected, {"x": x}, {"layer.weight": weight})


@convs.of("Conv2d", F32)
def conv2d_block_is_f32_by_default(p: Precision) -> Probe:
    x, weight, bias = p.random(1, 2, 3, 3), p.random(2, 2, 1, 1, seed=1), p.random(2, seed=2)
    text = block(
        "std.nn.conv::{Conv2d}",
        "Conv2d<2, 2, 1, 1, 0>",
        "layer.forward(x)",
        "Tensor[1, 2, 3, 3; f32]",
        x="Tensor[1, 2, 3, 3; f32]",
    )
    weights = {"layer.weight": weight, "layer.bias": bias}
    return Probe(text, correlated(p, x, weight, 1, 0, bias), {"x": x}, weights)


def slid(x: Array, size: int, stride: int, pad: int) -> Array:
    """Return the windows along the last axis, [..., places, size]."""
    padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(pad, pad)])
    return np.lib.stride_tricks.sliding_window_view(padded, size, axis=-1)[..., ::stride, :]


def rectangular(as_block: bool) -> Make:
    """A window of one by five, in steps of two and three, padded by nothing and two."""

    def make(p: Precision) -> Probe:
        t = p.name
        x, weight, bias = p.random(2, 3, 6, 7), p.random(4, 3, 1, 5, seed=1), p.random(4, seed=2)
        seen = slid(exact(x)[:, :, ::2], 5, 3, 2)
        value = np.einsum("bcijv,ocv->boij", seen, exact(weight)[:, :, 0])
        scale = np.einsum("bcijv,ocv->boij", abs(seen), abs(exact(weight)[:, :, 0]))
        expected = stepwise(
            p,
            value + exact(bias)[:, None, None],
            scale + abs(exact(bias))[:, None, None],
            17,
        )
        result = f"Tensor[{shape_of(value)}; {t}]"
        if as_block:
            text = block(
                "std.nn.conv::{Conv2dRect}",
                f"Conv2dRect<3, 4, 1, 5, 2, 3, 0, 2, {t}>",
                "layer.forward(x)",
                result,
                x=f"Tensor[2, 3, 6, 7; {t}]",
            )
            return Probe(text, expected, {"x": x}, {"layer.weight": weight, "layer.bias": bias})
        given = {"x": x, "weight": weight, "bias": bias}
        text = entry(
            "std.nn.conv::{conv2d_rect}",
            f"conv2d_rect<2, 3, 4, 6, 7, 1, 5, 2, 3, 0, 2, {t}>(x, weight, some(bias))",
            result,
            **{name: f"Tensor[{shape_of(array)}; {t}]" for name, array in given.items()},
        )
        return Probe(text, expected, given)

    return make


convs.add("conv2d_rect", "conv2d_rect", rectangular(False), *ALL)
convs.add("Conv2dRect", "conv2d_rect_block", rectangular(True))


def along(size: int, stride: int, pad: int, as_block: bool = False) -> Make:
    def make(p: Precision) -> Probe:
        t = p.name
        x, weight = p.random(2, 3, 9), p.random(4, 3, size, seed=1)
        seen = slid(exact(x), size, stride, pad)
        value = np.einsum("bciu,ocu->boi", seen, exact(weight))
        scale = np.einsum("bciu,ocu->boi", abs(seen), abs(exact(weight)))
        expected = stepwise(p, value, scale, 3 * size + 1)
        result = f"Tensor[{shape_of(value)}; {t}]"
        if as_block:
            text = block(
                "std.nn.conv::{Conv1d}",
                f"Conv1d<3, 4, {size}, {stride}, {pad}, {t}>",
                "layer.forward(x)",
                result,
                x=f"Tensor[2, 3, 9; {t}]",
            )
            return Probe(text, expected, {"x": x}, {"layer.weight": weight})
        given = {"x": x, "weight": weight}
        text = entry(
            "std.nn.conv::{conv1d}",
            f"conv1d<2, 3, 4, 9, {size}, {stride}, {pad}, {t}>(x, weight)",
            result,
            **{name: f"Tensor[{shape_of(array)}; {t}]" for name, array in given.items()},
        )
        return Probe(text, expected, given)

    return make


convs.add("conv1d", "conv1d_that_keeps_the_size", along(3, 1, 1), *ALL)
convs.add("conv1d", "conv1d_with_a_stride", along(4, 3, 2))
convs.add("Conv1d", "conv1d_block", along(3, 2, 1, True))


def pooled(size: int, stride: int, pad: int, height: int = 6, low: bool = False) -> Make:
    def make(p: Precision) -> Probe:
        x = p.random(2, 3, height, 7)
        if low:
            x = p.of(np.full(x.shape, -np.inf))
            x[:, :, 2, 2] = np.nan
        # The padding rounds to T as the literal does: in f16 to minus infinity.
        seen = windows(x, size, stride, pad, float(p.of(-1e30)))
        highest = p.of(exact(seen).max((4, 5), initial=-np.inf))
        text = entry(
            "std.nn.pool::{max_pool2d}",
            f"max_pool2d<2, 3, {height}, 7, {size}, {stride}, {pad}, {p.name}>(x)",
            f"Tensor[{shape_of(highest)}; {p.name}]",
            x=f"Tensor[2, 3, {height}, 7; {p.name}]",
        )
        return Probe(text, exactly(highest), {"x": x})

    return make


pools.add("max_pool2d", "max_pool2d", pooled(2, 2, 0), *ALL)
pools.add("max_pool2d", "max_pool2d_with_padding", pooled(3, 1, 1), *ALL)
pools.add("max_pool2d", "max_pool2d_with_stride_and_padding", pooled(3, 2, 1))
pools.add("max_pool2d", "max_pool2d_whose_corners_are_all_padding", pooled(2, 2, 2), *ALL)
pools.add("max_pool2d", "max_pool2d_of_an_image_smaller_than_the_window", pooled(3, 1, 0, 2))
pools.add("max_pool2d", "max_pool2d_keeps_nan_and_minus_infinity", pooled(2, 2, 0, 6, True))


def averaged(height: int, width: int, scale: float = 1.0) -> Make:
    def make(p: Precision) -> Probe:
        x = p.random(2, 3, height, width, scale=scale)
        text = entry(
            "std.nn.pool::{global_average_pool2d}",
            "global_average_pool2d(x)",
            f"Tensor[2, 3; {p.name}]",
            x=f"Tensor[2, 3, {height}, {width}; {p.name}]",
        )
        mean, scale_ = exact(x).mean((2, 3)), abs(exact(x)).mean((2, 3))
        return Probe(text, once(p, mean, scale_, 16 if height < 9 else 64), {"x": x})

    return make


pools.add("global_average_pool2d", "global_average_pool2d", averaged(6, 7), *ALL)
pools.add("global_average_pool2d", "global_average_pool2d_of_one_pixel", averaged(1, 1))
pools.add("global_average_pool2d", "global_average_pool2d_sums_in_f32", averaged(64, 64, 100), F16)


def enlarged(scale: int) -> Make:
    def make(p: Precision) -> Probe:
        x = p.random(2, 3, 2, 3)
        larger = x.repeat(scale, 2).repeat(scale, 3)
        text = entry(
            "std.nn.resize::{upsample_nearest2d}",
            f"upsample_nearest2d<2, 3, 2, 3, {scale}, {p.name}>(x)",
            f"Tensor[{shape_of(larger)}; {p.name}]",
            x=f"Tensor[2, 3, 2, 3; {p.name}]",
        )
        return Probe(text, exactly(larger), {"x": x})

    return make


resizes.add("upsample_nearest2d", "upsample_by_three", enlarged(3), *ALL)
resizes.add("upsample_nearest2d", "upsample_by_one_changes_nothing", enlarged(1))

test_conv = convs.test()
test_pool = pools.test()
test_resize = resizes.test()
