"""The programs with known values, in the three forms that JAX gets them in."""

from pathlib import Path

import pytest

pytest.importorskip("jax")

from backends.known_programs import CASES, check_case

from linnet.backends.jax import build, build_nnx, build_source


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_compiled_stablehlo_gives_the_values(path: Path) -> None:
    check_case(build, path)


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_source_gives_the_values(path: Path, numerics: str) -> None:
    check_case(build_source, path, numerics)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_modules_of_nnx_give_the_values(path: Path) -> None:
    pytest.importorskip("flax")
    check_case(build_nnx, path)
