"""Products with a cast of a `bool` or an unsigned integer: IREE 3.13 alone reads it as signed."""

from pathlib import Path

import numpy as np
import pytest

import linnet

_PROGRAM = Path(__file__).with_name("unsigned.linnet")


@pytest.mark.parametrize(
    ("entry", "dtype", "counts"),
    [("bits", "f4", "?"), ("bytes", "f4", "u1"), ("integers", "i4", "u1")],
)
@pytest.mark.parametrize("fixed", [False, True], ids=["open", "fixed"])
def test_an_unsigned_factor_of_a_product_is_not_negative(
    entry: str, dtype: str, counts: str, fixed: bool
) -> None:
    pytest.importorskip("iree.compiler")
    x = np.arange(24).reshape(2, 3, 4).astype(dtype)
    factor = np.array([[200, 1, 0], [0, 255, 1]]).astype(counts)
    generics = {"B": 2, "S": 3, "H": 4} if fixed else {}
    model = linnet.compile(_PROGRAM, generics=generics, target="cpu")
    wanted = (x * factor.astype(dtype)[..., None]).sum(1)
    np.testing.assert_array_equal(np.asarray(model.call(entry, {"x": x, "counts": factor})), wanted)
