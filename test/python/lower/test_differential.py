"""The lowering passes against a naive interpreter of what they lower."""

import ml_dtypes
import numpy as np
from hypothesis import HealthCheck, given, settings

from linnet import reference
from lower import _naive
from lower._programs import Case, cases
from lower._stages import LOWERED, NARROWED, SIMPLIFIED, bound

_LIMITS = {
    np.dtype(np.float64): 1e-12,
    np.dtype(np.float32): 1e-5,
    np.dtype(np.float16): 2e-2,
    np.dtype(ml_dtypes.bfloat16): 1e-1,
}


def same(found, expected) -> None:
    """Integers and booleans equal; floats up to the rounding of another order [NUM-6]."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if a.dtype in _LIMITS:
            limit = _LIMITS[a.dtype]
            wide = b.astype(np.float64)
            reach = limit * float(np.abs(wide[np.isfinite(wide)]).max(initial=0.0))
            np.testing.assert_allclose(a.astype(np.float64), wide, rtol=limit, atol=reach)
        else:
            np.testing.assert_array_equal(a, b)


@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=600,
    suppress_health_check=list(HealthCheck),
)
@given(cases())
def test_index_notation_keeps_its_value(case: Case) -> None:
    module = bound(case.text)
    expected = _naive.run(module.module, "run", case.arguments)
    for passes in (LOWERED, (*LOWERED, *NARROWED, *SIMPLIFIED)):
        same(reference.run(module.core(*passes), "run", case.arguments), expected)
