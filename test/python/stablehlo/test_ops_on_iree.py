"""Every CORE op in every dtype on IREE; see `test_ops.py`. What it lacks is refused in words."""

import pytest

from linnet.errors import CapabilityError
from stablehlo._case import ALL
from stablehlo._evaluators import LACKING, disagreements, evaluator, table


@pytest.mark.parametrize("dtype", ALL)
def test_iree_agrees_with_the_reference(dtype: str) -> None:
    assert disagreements("iree", dtype) == ""


@pytest.mark.parametrize(
    ("name", "dtype", "family"),
    [(*key, family) for key, families in LACKING.items() for family in families],
)
def test_what_a_target_lacks_is_a_capability_error(name: str, dtype: str, family: str) -> None:
    with pytest.raises(CapabilityError, match="target cpu has no"):
        evaluator(name, table(dtype), [family])
