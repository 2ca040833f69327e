"""One way to run a small program that calls `std`, for all tests of this folder.

Each test writes a program with concrete shapes around one item of the library, runs its entry
`run` on the reference target, and compares with the item's formula in NumPy's float64, fed with
inputs already rounded to the dtype under test.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import linnet

Array = NDArray[Any]
Evaluate = Callable[..., Array]


@dataclass(frozen=True, slots=True)
class Precision:
    """A dtype under test and how far a few roundings in it may lead from the exact value."""

    name: str
    dtype: Any
    relative: float

    def random(self, *shape: int, seed: int = 0, scale: float = 1.0) -> Array:
        """Return normal numbers rounded to the dtype."""
        drawn = np.random.default_rng(seed).standard_normal(shape) * scale
        return drawn.astype(self.dtype)

    def check(self, found: Array, expected: Array, roundings: int = 1) -> None:
        """Fail unless `found` has the dtype and is within `roundings` steps of `expected`."""
        assert found.dtype == self.dtype
        assert found.shape == expected.shape
        reach = self.relative * roundings
        size = float(np.abs(expected).max(initial=0.0))
        np.testing.assert_allclose(exact(found), expected, rtol=reach, atol=reach * size)


PRECISIONS = (
    Precision("f32", np.dtype(np.float32), 2e-6),
    Precision("bf16", np.dtype(ml_dtypes.bfloat16), 2.0**-8),
)


def exact(x: Array) -> NDArray[np.float64]:
    """Return `x` in float64, where formulas are evaluated."""
    return np.asarray(x, np.float64)


@pytest.fixture(params=PRECISIONS, ids=lambda precision: precision.name)
def precision(request: pytest.FixtureRequest) -> Precision:
    return request.param


@pytest.fixture(name="exact")
def exact_fixture() -> Callable[[Array], NDArray[np.float64]]:
    return exact


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    """Return a function that runs entry `run` of a program text on named inputs.

    A program with a block `Probe` is given `weights` by parameter path.
    """

    def run(text: str, inputs: dict[str, Array], weights: dict[str, Array] | None = None) -> Array:
        path = tmp_path / "probe.linnet"
        path.write_text(f"module probe\n\n{text}", encoding="utf-8")
        root = "Probe" if "block Probe" in text else None
        model = linnet.compile(path, root=root, weights=weights or {}, target="reference")
        return model.call("run", inputs)

    return run
