"""std.quant: unpacking is exact, dequantising is one product in f32 and one rounding."""

import numpy as np

from std._cases import Cases, Make, Probe, block, entry
from std._precision import BF16, F16, F32, Array, Expected, Precision, exact, exactly, stepwise

cases = Cases("std.quant")
ALL = (F32, BF16, F16)


def integers(*shape: int) -> Array:
    """Bytes from the whole range, both ends among them."""
    drawn = np.random.default_rng(3).integers(-128, 128, shape).astype(np.int8)
    drawn.flat[:2] = (-128, 127)
    return drawn


def unpack(packed: Array) -> Array:
    low = ((packed.astype(np.int16) & 15) ^ 8) - 8
    high = packed.astype(np.int16) >> 4
    return np.stack([low, high], -1).reshape(len(packed), -1).astype(np.int8)


def dequantized(p: Precision, q: Array, scale: Array) -> Array:
    """One product in f32, one cast."""
    return (q.astype(np.float32) * scale[..., None]).astype(p.dtype)


SCALES = np.array([0.01, 0.5, -3.0], np.float32)


@cases.of("dequantize_int8", *ALL)
def dequantize_int8(p: Precision) -> Probe:
    q = integers(3, 8)
    text = entry(
        "std.quant::{dequantize_int8}",
        f"dequantize_int8<[3], 8, {p.name}>(q, scale)",
        f"Tensor[3, 8; {p.name}]",
        q="Tensor[3, 8; i8]",
        scale="Tensor[3; f32]",
    )
    return Probe(text, exactly(dequantized(p, q, SCALES)), {"q": q, "scale": SCALES})


@cases.of("dequantize_int8")
def dequantize_int8_of_one_row_has_one_scale(p: Precision) -> Probe:
    q, scale = integers(8), np.array(0.37, np.float32)
    text = entry(
        "std.quant::{dequantize_int8}",
        f"dequantize_int8<[], 8, {p.name}>(q, scale)",
        f"Tensor[8; {p.name}]",
        q="Tensor[8; i8]",
        scale="f32",
    )
    return Probe(text, exactly(dequantized(p, q, scale)), {"q": q, "scale": scale})


@cases.of("unpack_int4", F32)
def unpack_int4_of_every_byte(p: Precision) -> Probe:
    packed = np.arange(256, dtype=np.uint8).view(np.int8).reshape(16, 16)
    expected = unpack(packed)
    assert (expected.min(), expected.max()) == (-8, 7)
    text = entry(
        "std.quant::{unpack_int4}",
        "unpack_int4(packed)",
        "Tensor[16, 32; i8]",
        packed="Tensor[16, 16; i8]",
    )
    return Probe(text, exactly(expected), {"packed": packed})


@cases.of("dequantize_int4", *ALL)
def dequantize_int4(p: Precision) -> Probe:
    packed = integers(3, 4)
    text = entry(
        "std.quant::{dequantize_int4}",
        f"dequantize_int4<3, 4, {p.name}>(packed, scale)",
        f"Tensor[3, 8; {p.name}]",
        packed="Tensor[3, 4; i8]",
        scale="Tensor[3; f32]",
    )
    expected = exactly(dequantized(p, unpack(packed), SCALES))
    return Probe(text, expected, {"packed": packed, "scale": SCALES})


def projected(p: Precision, x: Array, weight: Array, bias: Array | None) -> Expected:
    """`linear` in T of the dequantised weight, which is rounded to T."""
    value, scale = exact(x) @ exact(weight).T, abs(exact(x)) @ abs(exact(weight)).T
    if bias is not None:
        value, scale = value + exact(bias), scale + abs(exact(bias))
    return stepwise(p, value, scale, x.shape[-1] + 2)


def layer(name: str, packed: bool, biased: bool) -> Make:
    def make(p: Precision) -> Probe:
        x, q, scale = p.random(3, 8), integers(5, 4 if packed else 8), np.full(5, 0.01, np.float32)
        scale[0] = 0.25
        weights = {"layer.weight": q, "layer.scale": scale}
        if biased:
            weights["layer.bias"] = p.random(5, seed=4)
        text = block(
            f"std.quant::{{{name}}}",
            f"{name}<8, 5, {p.name}>",
            "layer.forward(x)",
            f"Tensor[3, 5; {p.name}]",
            x=f"Tensor[3, 8; {p.name}]",
        )
        weight = dequantized(p, unpack(q) if packed else q, scale)
        return Probe(text, projected(p, x, weight, weights.get("layer.bias")), {"x": x}, weights)

    return make


ZEROS = np.array([[8.0, 0.0], [7.5, 15.0], [3.0, 1.0]], np.float32)
GROUP_SCALES = np.array([[0.01, 0.5], [-3.0, 0.125], [1.0, 0.37]], np.float32)


def unsigned(*shape: int) -> Array:
    return integers(*shape).view(np.uint8)


def unpack_unsigned(packed: Array) -> Array:
    return np.stack([packed & 15, packed >> 4], -1).reshape(*packed.shape[:-1], -1)


def grouped(p: Precision, packed: Array) -> Array:
    """One difference and one product in f32, one cast."""
    q = unpack_unsigned(packed).astype(np.float32)
    wide = (q - ZEROS[..., None]) * GROUP_SCALES[..., None]
    return wide.reshape(len(packed), -1).astype(p.dtype)


@cases.of("unpack_uint4", F32)
def unpack_uint4_of_every_byte(p: Precision) -> Probe:
    packed = np.arange(256, dtype=np.uint8).reshape(16, 16)
    text = entry(
        "std.quant::{unpack_uint4}",
        "unpack_uint4(packed)",
        "Tensor[16, 32; u8]",
        packed="Tensor[16, 16; u8]",
    )
    return Probe(text, exactly(unpack_unsigned(packed)), {"packed": packed})


@cases.of("dequantize_int4_groups", *ALL)
def dequantize_int4_groups(p: Precision) -> Probe:
    packed = unsigned(3, 2, 4)
    text = entry(
        "std.quant::{dequantize_int4_groups}",
        f"dequantize_int4_groups<3, 2, 4, {p.name}>(packed, scale, zero)",
        f"Tensor[3, 16; {p.name}]",
        packed="Tensor[3, 2, 4; u8]",
        scale="Tensor[3, 2; f32]",
        zero="Tensor[3, 2; f32]",
    )
    given = {"packed": packed, "scale": GROUP_SCALES, "zero": ZEROS}
    return Probe(text, exactly(grouped(p, packed)), given)


@cases.of("linear_int4_groups", *ALL)
def linear_int4_groups(p: Precision) -> Probe:
    x, packed = p.random(5, 16), unsigned(3, 2, 4)
    text = entry(
        "std.quant::{linear_int4_groups}",
        f"linear_int4_groups<[5], 2, 4, 3, {p.name}>(x, packed, scale, zero)",
        f"Tensor[5, 3; {p.name}]",
        x=f"Tensor[5, 16; {p.name}]",
        packed="Tensor[3, 2, 4; u8]",
        scale="Tensor[3, 2; f32]",
        zero="Tensor[3, 2; f32]",
    )
    given = {"x": x, "packed": packed, "scale": GROUP_SCALES, "zero": ZEROS}
    return Probe(text, projected(p, x, grouped(p, packed), None), given)


def group_layer(ordered: bool) -> Make:
    def make(p: Precision) -> Probe:
        x, packed = p.random(5, 16), unsigned(3, 2, 4)
        weights = {"layer.weight": packed, "layer.scale": GROUP_SCALES, "layer.zero": ZEROS}
        order = np.random.default_rng(7).permutation(16).astype(np.int32)
        if ordered:
            weights |= {"layer.order": order, "layer.bias": p.random(3, seed=4)}
        text = block(
            "std.quant::{Int4GroupLinear}",
            f"Int4GroupLinear<16, 3, 8, {p.name}>",
            "layer.forward(x)",
            f"Tensor[5, 3; {p.name}]",
            x=f"Tensor[5, 16; {p.name}]",
        )
        taken = x[:, order] if ordered else x
        expected = projected(p, taken, grouped(p, packed), weights.get("layer.bias"))
        return Probe(text, expected, {"x": x}, weights)

    return make


cases.add("Int4GroupLinear", "Int4GroupLinear_with_order_and_bias", group_layer(True), *ALL)
cases.add("Int4GroupLinear", "Int4GroupLinear_alone", group_layer(False))
for name_, packed_ in (("Int8Linear", False), ("Int4Linear", True)):
    cases.add(name_, f"{name_}_with_bias", layer(name_, packed_, True), *ALL)
    cases.add(name_, f"{name_}_without_bias", layer(name_, packed_, False))

test_value = cases.test()
