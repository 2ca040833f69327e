"""GGUF blocks against the package `gguf`, whose module `quants` is an implementation of its own."""

import numpy as np
import pytest

from linnet.errors import CapabilityError, WeightsError
from linnet.weights import GGUF_BLOCKS, Groups, block_groups, dequantise_blocks

KINDS = sorted(GGUF_BLOCKS)
# Where the f16 of a block stand: any bytes will do elsewhere.
FLOATS = {
    "Q4_0": [0],
    "Q4_1": [0, 2],
    "Q5_0": [0],
    "Q5_1": [0, 2],
    "Q8_0": [0],
    "Q4_K": [0, 2],
    "Q5_K": [0, 2],
    "Q6_K": [208],
}


def blocks(kind: str, count: int, seed: int = 0) -> np.ndarray:
    """Random blocks with finite scales, zero and subnormal ones among them."""
    rng = np.random.default_rng(seed)
    found = rng.integers(0, 256, (count, GGUF_BLOCKS[kind].bytes), np.uint8)
    for at in FLOATS[kind]:
        numbers = (rng.standard_normal(count) * 10.0 ** rng.uniform(-6, 2, count)).astype("<f2")
        numbers[: count // 8] = 0
        found[:, at : at + 2] = numbers[:, None].view(np.uint8)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_become_the_floats_of_the_package_gguf(kind: str):
    gguf = pytest.importorskip("gguf")
    quants = pytest.importorskip("gguf.quants")
    form = GGUF_BLOCKS[kind]
    type_ = gguf.GGMLQuantizationType[kind]
    assert gguf.GGML_QUANT_SIZES[type_] == (form.numbers, form.bytes)
    # More than one piece.
    data = blocks(kind, 3 * 3001)
    want = quants.dequantize(data, type_).reshape(3001, 3 * form.numbers)
    found = dequantise_blocks("w", kind, data, (3001, 3 * form.numbers))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("kind", ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"])
def test_what_the_package_gguf_wrote_is_near_what_it_was_given(kind: str):
    gguf = pytest.importorskip("gguf")
    quants = pytest.importorskip("gguf.quants")
    given = np.random.default_rng(1).standard_normal((5, 64)).astype(np.float32)
    data = quants.quantize(given, gguf.GGMLQuantizationType[kind])
    found = dequantise_blocks("w", kind, data, given.shape)
    bits = int(kind[1])
    assert np.abs(found - given).max() <= 1.1 * np.abs(given).max() / 2 ** (bits - 1)


def numbers(groups: Groups) -> np.ndarray:
    """What the group form stands for, as `std.quant` says it."""
    if groups.zero is None:
        rows = groups.values.reshape(*groups.scale.shape, groups.group).astype(np.float32)
        return (rows * groups.scale[..., None]).reshape(len(groups.scale), -1)
    assert groups.values.dtype == np.uint8
    q = np.stack([groups.values & 15, groups.values >> 4], -1)
    q = q.reshape(*groups.scale.shape, groups.group).astype(np.float32)
    wide = (q - groups.zero[..., None]) * groups.scale[..., None]
    return wide.reshape(len(groups.scale), -1)


@pytest.mark.parametrize("kind", ["Q4_0", "Q8_0"])
def test_groups_stand_for_the_same_numbers(kind: str):
    data, shape = blocks(kind, 40 * 3, 2), (40, 96)
    found = block_groups("w", kind, data, shape)
    assert found is not None
    assert (found.group, found.scale.dtype, found.scale.shape) == (32, np.float32, (40, 3))
    np.testing.assert_array_equal(numbers(found), dequantise_blocks("w", kind, data, shape))


def test_groups_with_a_least_value_are_off_by_rounding_alone():
    data, shape = blocks("Q4_1", 40 * 3, 3), (40, 96)
    found = block_groups("w", "Q4_1", data, shape)
    assert found is not None
    assert found.zero is not None
    assert np.isfinite(found.zero).all()
    want = dequantise_blocks("w", "Q4_1", data, shape)
    least = np.ascontiguousarray(data[:, 2:4]).view("<f2").astype(np.float64).reshape(40, 3)
    error = np.abs(numbers(found).astype(np.float64) - want).reshape(40, 3, 32).max(-1)
    largest = np.abs(want).reshape(40, 3, 32).max(-1)
    assert (error <= 2.0**-22 * (np.abs(least) + largest)).all()
    # Blocks without a scale are exact: all of their numbers are the least value.
    assert (error.reshape(-1)[:15] == 0).all()
    assert (least.reshape(-1)[:15] == 0).all()


def test_a_block_of_one_number_keeps_it():
    data = blocks("Q4_1", 1)
    data[0, :4] = np.array([0, 1.5], "<f2").view(np.uint8)
    found = block_groups("w", "Q4_1", data, (1, 32))
    assert found is not None
    np.testing.assert_array_equal(numbers(found), np.full((1, 32), 1.5, np.float32))


def test_types_of_two_levels_have_no_group_form():
    assert block_groups("w", "Q4_K", blocks("Q4_K", 1), (1, 256)) is None


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_do_not_fit_are_refused_by_name(kind: str):
    form = GGUF_BLOCKS[kind]
    data = blocks(kind, 4)
    shape = (4, form.numbers)
    for wrong in (data[:3], data.reshape(-1)[:-1], data.reshape(-1)[:0]):
        with pytest.raises(WeightsError, match=rf"`h\.w` has \d+ bytes, .* takes {data.size}"):
            dequantise_blocks("h.w", kind, wrong, shape)
    with pytest.raises(WeightsError, match=rf"rows of 48, but {kind} holds {form.numbers}"):
        dequantise_blocks("h.w", kind, data, (4, 48))
    assert dequantise_blocks("h.w", kind, data[:0], (0, form.numbers)).shape == (0, form.numbers)


def test_a_type_that_is_not_read_is_refused_by_name():
    with pytest.raises(CapabilityError, match=r"`h\.w` has the GGUF type IQ2_XS") as raised:
        dequantise_blocks("h.w", "IQ2_XS", blocks("Q8_0", 1), (1, 32))
    assert "Q4_K" in (raised.value.hint or "")
    with pytest.raises(WeightsError, match="3 axes"):
        block_groups("h.w", "Q8_0", blocks("Q8_0", 4), (2, 2, 32))
