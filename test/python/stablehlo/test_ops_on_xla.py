"""Every CORE op in every dtype on XLA; see `test_ops.py`."""

import pytest

from stablehlo._case import ALL
from stablehlo._evaluators import disagreements


@pytest.mark.parametrize("dtype", ALL)
def test_xla_agrees_with_the_reference(dtype: str) -> None:
    assert disagreements("xla", dtype) == ""
