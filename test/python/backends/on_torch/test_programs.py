"""The programs with known values, on PyTorch: their bodies, and kernels in place of `std`'s ops."""

from pathlib import Path

import pytest

pytest.importorskip("torch")

from backends.known_programs import CASES, check_case

from linnet.backends.torch import build


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_gives_its_values(path: Path, numerics: str) -> None:
    check_case(build, path, numerics)
