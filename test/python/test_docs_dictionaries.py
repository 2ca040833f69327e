"""The dictionaries of the pages for newcomers: an entry gives what the expression above it gives.

The comment over an entry holds the expression; names in it are the entry's inputs and sizes. What
the JAX page says is evaluated by NumPy, whose functions of these names mean the same.
"""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet

DOCS = Path(__file__).resolve().parents[2] / "docs"
ENTRY = re.compile(
    r"^// (?:torch|jax): (?P<expression>[^\n]+)\nentry (?P<name>\w+)<.*?>\((?P<inputs>.*?)\) ->",
    re.MULTILINE | re.DOTALL,
)
INPUT = re.compile(r"(\w+): Tensor\[(.*?); (\w+)\]")
SIZES = {"B": 2, "S": 3, "N": 5, "M": 4}
RNG = np.random.default_rng(0)


def dictionary(page: str) -> str:
    """Return the page's program that is a dictionary."""
    text = (DOCS / page).read_text("utf-8")
    (found,) = re.findall(r"^```linnet\n(module tour\.dictionary\n.*?)^```$", text, re.M | re.S)
    program: str = found
    return program


def rows(page: str) -> list[tuple[str, str, dict[str, NDArray[Any]]]]:
    """Return name, expression and made-up inputs of each entry."""
    found: list[tuple[str, str, dict[str, NDArray[Any]]]] = []
    for match in ENTRY.finditer(dictionary(page)):
        inputs = {
            name: made_up([eval(dim, {}, SIZES) for dim in shape.split(", ")], dtype)
            for name, shape, dtype in INPUT.findall(match["inputs"])
        }
        found.append((match["name"], match["expression"], inputs))
    return found


def made_up(shape: list[int], dtype: str) -> NDArray[Any]:
    if dtype == "i64":
        return RNG.integers(0, 3, shape)
    return RNG.normal(size=shape).astype(np.float32)


def compare(page: str, folder: Path, names: dict[str, ModuleType], wrap: Any) -> int:
    path = folder / "dictionary.linnet"
    path.write_text(dictionary(page), "utf-8")
    model = linnet.compile(path)
    given = rows(page)
    for name, expression, inputs in given:
        wrapped = {key: wrap(value) for key, value in inputs.items()}
        expected = eval(expression, {**names, **SIZES}, wrapped)
        found = model.call(name, inputs, generics=unbound(inputs, page, name))
        for got, want in zip(several(found), several(expected), strict=True):
            np.testing.assert_allclose(got, np.asarray(want), rtol=1e-6, atol=1e-6, err_msg=name)
    return len(given)


def unbound(inputs: dict[str, NDArray[Any]], page: str, name: str) -> dict[str, int]:
    """Sizes that no input tells, because they occur in none or only inside an expression."""
    head = re.search(rf"^entry {name}<(.*?)>", dictionary(page), re.M)
    assert head
    return {name: SIZES[name] for name in re.findall(r"(\w+): Dim", head[1])}


def several(value: Any) -> list[Any]:
    return [*value] if type(value) in (tuple, list) else [value]


def test_the_pytorch_dictionary_is_true(tmp_path: Path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    assert compare("from-pytorch.md", tmp_path, {"torch": torch}, torch.from_numpy) > 20


def test_the_jax_dictionary_is_true(tmp_path: Path):
    assert compare("from-jax.md", tmp_path, {"jnp": np}, np.asarray) > 10
