"""Rounding to bf16, f16, int8 and int4: bounds of the error, and what is refused by name."""

import ml_dtypes
import numpy as np
import pytest

from linnet.errors import WeightsError
from linnet.weights import group_of, narrow, widen

# A row of zeros, subnormals, great ratios between rows, and more rows than one piece has.
SHAPES = [(1, 1), (3, 7), (300, 1100), (1100, 300), (5, 0), (0, 5)]


def matrix(shape: tuple[int, int], seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = 10.0 ** rng.uniform(-6, 6, (shape[0], 1))
    columns = 10.0 ** rng.uniform(-3, 3, (1, shape[1]))
    found = (rng.standard_normal(shape) * rows * columns).astype(np.float32)
    if found.size > 10:
        found[1] = 0
        found[2] = np.float32(1e-45) * rng.integers(-9, 9, shape[1])
    return found


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("axis", [0, 1])
def test_int8_is_off_by_half_a_step_at_most(shape: tuple[int, int], axis: int):
    given = matrix(shape, axis)
    found = narrow("w", given, "int8", axis)
    assert found.scale is not None
    assert (found.values.dtype, found.values.shape) == (np.int8, shape)
    assert (found.scale.dtype, found.scale.shape) == (np.float32, (shape[axis],))
    assert found.values.size == 0 or found.values.min() >= -127
    step = np.expand_dims(found.scale, 1 - axis)
    # Half a step, and the rounding of the scale itself; below f32's normal numbers a whole one.
    bound = step * np.float32(0.5 + 1e-5 * 127) + np.finfo(np.float32).tiny
    assert (np.abs(widen(found, axis) - given) <= bound).all()
    np.testing.assert_array_equal(found.scale, np.abs(given).max(1 - axis, initial=0) / 127)


def test_the_largest_of_each_row_is_127():
    found = narrow("w", np.array([[1, -2, 0.5], [0, 0, 0]], np.float32), "int8", 0)
    np.testing.assert_array_equal(found.values, [[64, -127, 32], [0, 0, 0]])


@pytest.mark.parametrize(("scheme", "dtype"), [("bf16", ml_dtypes.bfloat16), ("f16", np.float16)])
def test_floats_are_rounded_to_nearest_even(scheme: str, dtype: type):
    given = np.linspace(-3, 3, 700_001, dtype=np.float32)
    halves = np.array([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-11, 1 + 3 * 2**-11], np.float32)
    for array in (given, halves, np.zeros((0, 3), np.float32)):
        found = narrow("w", array, scheme).values
        np.testing.assert_array_equal(found, array.astype(dtype))
    want = {"bf16": [1, 1 + 2**-6, 1, 1], "f16": [*halves[:2], 1, 1 + 2**-9]}[scheme]
    np.testing.assert_array_equal(narrow("w", halves, scheme).values.astype(np.float32), want)


@pytest.mark.parametrize("group", [16, 64, 256])
@pytest.mark.parametrize("axis", [0, 1])
def test_int4_is_off_by_half_a_step_at_most(axis: int, group: int):
    rng = np.random.default_rng(group)
    rows = matrix((300, 4 * group), axis)
    rows[3] += 1e4  # all far from zero
    rows[4] = 7.5
    rows[5] = rng.choice([-3e38, 3e38], 4 * group)
    given = rows if axis == 0 else np.ascontiguousarray(rows.T)
    found = narrow("w", given, "int4", axis, group)
    assert found.scale is not None
    assert found.zero is not None
    assert (found.values.dtype, found.values.shape) == (np.uint8, (300, 4, group // 2))
    assert found.scale.shape == found.zero.shape == (300, 4)
    wide = widen(found, axis)
    assert (wide.shape, wide.dtype) == (given.shape, np.float32)
    error = np.abs(wide.astype(np.float64) - given)
    error = (error if axis == 0 else error.T).reshape(300, 4, group)
    flat = found.zero == -1
    steps = np.where(flat, 0, found.scale).astype(np.float64)
    largest = np.abs(rows).reshape(300, 4, group).max(-1)
    bound = steps * 0.50001 + 4 * np.finfo(np.float32).eps * largest + 2e-37
    assert (error <= bound[..., None]).all()
    # Equal numbers are exact, zero among them.
    assert (error[1] == 0).all()
    assert (error[4] == 0).all()


def test_the_least_of_a_group_is_0_and_the_largest_15():
    row = np.zeros((1, 32), np.float32)
    row[0, :3], row[0, 16:19] = (-1, 0.5, 0), (2, 3, 2.5)
    found = narrow("w", row, "int4", 0, 16)
    assert found.scale is not None
    assert found.zero is not None
    np.testing.assert_allclose(found.scale, [[0.1, 0.2]], rtol=1e-6)
    np.testing.assert_allclose(found.zero, [[10, 0]], rtol=1e-6)
    # -1, 0.5 are 0 and 15; element 0 is the low half.
    assert found.values[0, 0, 0] == 15 << 4
    assert list(found.values[0, 1, :2] & 15) == [10, 12]
    assert list(found.values[0, 1, :2] >> 4) == [15, 0]


def test_groups_are_as_large_as_they_fit():
    assert [group_of(768, wanted) for wanted in (256, 128, 64)] == [256, 128, 64]
    assert [group_of(576, wanted) for wanted in (256, 128, 64)] == [64, 64, 64]
    assert (group_of(48, 64), group_of(24, 64), group_of(0, 64)) == (16, None, 64)


@pytest.mark.parametrize("scheme", ["bf16", "f16", "int8", "int4"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused_by_name(scheme: str, bad: float):
    given = np.ones((700, 704), np.float32)
    given[650, 3] = bad
    with pytest.raises(WeightsError, match=r"tensor `h\.0\.w` holds a NaN or an infinity"):
        narrow("h.0.w", given, scheme, 0)


def test_what_f16_cannot_hold_is_refused():
    with pytest.raises(WeightsError, match="`w` holds 70000, beyond what f16 can hold"):
        narrow("w", np.full((2, 2), 70000, np.float32), "f16")
    assert narrow("w", np.full((2, 2), 65519, np.float32), "f16").values[0, 0] == 65504
