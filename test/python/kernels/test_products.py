"""The products of `kernels/` are those of NumPy, whatever the storage, the sizes and the shares."""

import numpy as np
import pytest
from kernels_library import Kernels

from kernels._products import ACTIVATIONS, Product, address, product

STORED = [(s, o) for s in ("f32", "bf16", "f16", "i8") for o in ("kn", "nk")] + [("i4", "nk")]
# M up to 4 streams the weights, more goes through panels; blocks are 4 columns, 32 columns, 384
# columns, 384 of K, 14 rows.
SIZES = (
    (1, 1, 1),
    (1, 7, 5),
    (1, 300, 768),
    (2, 33, 100),
    (3, 65, 31),
    (4, 129, 257),
    (5, 64, 64),
    (7, 50, 300),
    (14, 32, 256),
    (15, 393, 780),
    (129, 97, 96),
)


@pytest.mark.parametrize(("storage", "layout"), STORED)
def test_a_product_is_that_of_numpy(kernels: Kernels, storage: str, layout: str):
    for seed, sizes in enumerate(SIZES):
        one = product(storage, layout, sizes, seed)
        np.testing.assert_allclose(
            one.run(kernels), one.expected(), 0, one.tolerance(), err_msg=str(sizes)
        )


@pytest.mark.parametrize(("storage", "layout"), STORED)
def test_norm_scale_bias_activation_and_residual_are_applied(
    kernels: Kernels, storage: str, layout: str
):
    for seed in range(2 * len(ACTIVATIONS)):
        one = product(storage, layout, ((1, 20, 6, 3)[seed % 4], 75, 201), seed, full=True)
        tolerance = 10 * one.tolerance()  # gains and shifts make x larger
        np.testing.assert_allclose(
            one.run(kernels), one.expected(), 1e-6, tolerance, err_msg=str(seed)
        )


def test_rows_of_any_length_are_normalised(kernels: Kernels):
    for rows in (1, 4):  # the second is more than the stack is given for
        one = product("f32", "kn", (rows, 3, 16401), 2, full=True)
        np.testing.assert_allclose(one.run(kernels), one.expected(), 1e-5, 20 * one.tolerance())


@pytest.mark.parametrize(("storage", "layout"), STORED)
def test_the_number_of_shares_changes_no_bit(kernels: Kernels, storage: str, layout: str):
    for sizes in ((1, 300, 70), (3, 129, 64), (31, 193, 290)):
        one = product(storage, layout, sizes, 1, full=True)
        whole = one.run(kernels)
        assert not np.isnan(whole).any()
        for shares in (2, 3, 7, 40):
            np.testing.assert_array_equal(
                one.run(kernels, shares), whole, err_msg=f"{sizes} {shares}"
            )


def test_an_activation_far_from_zero_is_finite(kernels: Kernels):
    values = np.array([[-3e38, -100.0, -1e-30, 0.0, 1e-30, 100.0, 3e38]], np.float32)
    identity = np.ones((1, 1), np.float32)
    for activation, name in enumerate(ACTIVATIONS):
        for value in values[0]:
            x = np.array([[value]], np.float32)
            one = Product("f32", "kn", x, identity, np.ones((1, 1)), activation=activation)
            assert np.isfinite(one.run(kernels)).all(), (name, value)


def test_not_a_number_stays_so(kernels: Kernels):
    x = np.array([[np.nan]], np.float32)
    for activation in range(len(ACTIVATIONS)):
        one = Product("f32", "kn", x, np.ones((1, 1), np.float32), x, activation=activation)
        assert np.isnan(one.run(kernels)).all()


def test_rows_that_are_apart_are_found_by_their_strides(kernels: Kernels):
    one = product("f32", "kn", (6, 40, 50), 2)
    x = np.zeros((6, 64), np.float32)
    x[:, :50] = one.x
    w = np.zeros((50, 100), np.float32)
    w[:, :40] = one.w
    y = np.full((6, 48), np.nan, np.float32)
    args = one.args(y)
    args.x, args.ldx, args.w, args.ldw, args.ldy = address(x), 64, address(w), 100, 48
    assert kernels.share(one.kind, args, 0, 1) == 0
    np.testing.assert_allclose(y[:, :40], one.expected(), 0, one.tolerance())
    assert np.isnan(y[:, 40:]).all()


def test_arguments_outside_of_the_contract_are_refused(kernels: Kernels):
    good = product("i4", "nk", (1, 8, 64), 0)
    y = np.full((1, 8), np.nan, np.float32)
    for field, value in (
        ("scale", None),
        ("zero", None),
        ("group", 4),
        ("group", 0),
        ("group", 12),
        ("group", 40),
        ("activation", 5),
        ("norm", 3),
        ("m", -1),
    ):
        args = good.args(y)
        setattr(args, field, value)
        assert kernels.share(good.kind, args, 0, 1) == 1, field
    assert kernels.share(good.kind, good.args(y), 1, 1) == 1
    assert np.isnan(y).all()
    assert kernels.share(good.kind, good.args(y), 0, 1) == 0
