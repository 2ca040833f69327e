"""The attention of `kernels/` is that of std.nn.attention, under every mask."""

import numpy as np
import pytest
from kernels_library import Kernels

from kernels._products import MASKS, heads

# B, H, Hk, Q, K, D. Up to 3 queries go row by row; blocks are 64 keys and 48 or 112 queries.
SIZES = (
    (1, 1, 1, 1, 1, 1),
    (2, 2, 1, 1, 200, 17),
    (1, 4, 2, 3, 130, 64),
    (2, 2, 2, 5, 70, 33),
    (1, 1, 1, 4, 3, 8),
    (1, 2, 1, 130, 130, 64),
    (1, 1, 1, 14, 90, 256),
)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("storage", ["f32", "bf16", "f16"])
def test_attention_is_that_of_the_library(kernels: Kernels, storage: str, mask: str):
    for seed, sizes in enumerate(SIZES):
        one = heads(storage, sizes, mask, bthd=bool(seed % 2), seed=seed)
        np.testing.assert_allclose(one.run(kernels), one.expected(), 0, 2e-5, err_msg=str(sizes))


@pytest.mark.parametrize("queries", [1, 120])
def test_the_number_of_shares_changes_no_bit(kernels: Kernels, queries: int):
    one = heads("bf16", (2, 3, 3, queries, 130, 40), "random", bthd=True, seed=3)
    whole = one.run(kernels)
    assert not np.isnan(whole).any()
    for shares in (2, 3, 7, 40):
        np.testing.assert_array_equal(one.run(kernels, shares), whole)


@pytest.mark.parametrize("queries", [1, 70])
def test_keys_that_nobody_sees_are_not_read(kernels: Kernels, queries: int):
    one = heads("f32", (1, 1, 1, queries, 256, 32), "none", bthd=False, seed=4)
    mask = np.zeros((1, queries, 256), np.uint8)
    mask[:, :, 64:128] = 1
    plain = type(one)(
        one.storage, one.q, one.k[:, :, 64:128].copy(), one.v[:, :, 64:128].copy(), None
    )
    one.k[:, :, :64] = one.v[:, :, :64] = np.nan
    one.k[:, :, 128:] = one.v[:, :, 128:] = np.nan
    seen = type(one)(one.storage, one.q, one.k, one.v, mask)
    np.testing.assert_array_equal(seen.run(kernels), plain.run(kernels))


@pytest.mark.parametrize("queries", [1, 5])
def test_scores_of_any_size_give_finite_weights(kernels: Kernels, queries: int):
    one = heads("f32", (1, 1, 1, queries, 100, 16), "causal", bthd=False, seed=5)
    one.q[:] *= 1e4
    np.testing.assert_allclose(one.run(kernels), one.expected(), 1e-4, 1e-4)


def test_arguments_outside_of_the_contract_are_refused(kernels: Kernels):
    one = heads("f32", (1, 4, 2, 5, 9, 8), "none", bthd=False, seed=6)
    y = np.full((1, 4, 5, 8), np.nan, np.float32)
    for field, value in (("d", 257), ("d", 0), ("hk", 3), ("hk", 0), ("keys", 0)):
        args = one.args(y)
        setattr(args, field, value)
        assert kernels.share(one.kind, args, 0, 1) == 1, field
    assert np.isnan(y).all()
