"""`nest.load`: names, overrides, backends, and what each refuses."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet import nest
from linnet.errors import (
    ArgumentError,
    CapabilityError,
    NestError,
    UsageError,
    WeightsError,
)
from linnet.nest import Backend, Build

from . import tiny

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("nest") / "tiny")


@pytest.fixture
def with_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A backend `numpy`, as the package of a framework would add one."""
    monkeypatch.setitem(sys.modules, "linnet_test_numpy", tiny)
    monkeypatch.setitem(nest.BACKENDS, "numpy", Backend("linnet_test_numpy", "numpy", ("numpy",)))


def test_the_program_of_gpt2_exists_once() -> None:
    example = ROOT / "examples" / "gpt2" / "gpt2.linnet"
    assert example.is_symlink()
    assert example.resolve() == nest.find("gpt2").program.resolve()


def test_the_test_backend_is_one() -> None:
    build: Build = tiny.build
    assert callable(build)


def test_backends_give_equal_logits_and_tokens(folder: Path, with_numpy: None) -> None:
    mine = nest.load(folder, target="reference")
    other = nest.load(folder, "numpy")
    tokens = np.array([[3, 1, 4, 1, 5]], np.int32)
    assert mine(tokens).shape == (1, 5, 19)
    np.testing.assert_array_equal(mine(tokens), other(tokens))
    np.testing.assert_array_equal(mine.forward(tokens=tokens), other.forward(tokens))
    assert list(mine.generate([3, 1, 4], 8)) == list(other.generate([3, 1, 4], 8))
    drawn = [list(m.generate([3], 8, temperature=1.0, seed=5)) for m in (mine, other)]
    assert drawn[0] == drawn[1]


def test_entries_and_signatures_are_those_of_the_source(folder: Path, with_numpy: None) -> None:
    for model in (nest.load(folder, target="reference"), nest.load(folder, "numpy")):
        assert set(model.entries) >= {"forward", "prefill", "decode"}
        assert "generate" not in model.entries
        prefill = model.signatures["prefill"]
        assert prefill.symbols == ("S",)
        assert "S <= MaxSeq" in prefill.constraints
        assert (
            str(prefill)
            == "prefill<S>(tokens: Tensor[1, S; i32], pos: i32) -> (Tensor[1, 19; f32])"
        )


def test_states_are_kept_and_reset(folder: Path, with_numpy: None) -> None:
    model = nest.load(folder, "numpy")
    model.decode([[3]], 0)
    assert any(state.any() for state in model.states.values())
    model.reset()
    assert not any(state.any() for state in model.states.values())


def test_chosen_entries_alone_are_built(folder: Path, with_numpy: None) -> None:
    model = nest.load(folder, "numpy", entries=["forward"])
    assert model.entries == ("forward",)
    with pytest.raises(AttributeError, match="no entry `decode`"):
        model.decode([[3]], 0)


def test_local_weights_and_sizes_replace_those_of_the_card() -> None:
    model = nest.load("gpt2", generics=tiny.SIZES, weights=tiny.weights(1), target="reference")
    assert model([[3, 1]]).shape == (1, 2, 19)
    other = {"Vocab": 23}
    model = nest.load(
        "gpt2",
        generics=tiny.SIZES | other,
        weights=tiny.weights(1, 23),
        target="reference",
    )
    assert model([[3, 1]]).shape == (1, 2, 23)


@pytest.mark.parametrize("backend", ["linnet", "numpy"])
def test_dtype_rounds_the_weights(folder: Path, with_numpy: None, backend: str) -> None:
    options: dict[str, Any] = {"target": "reference"} if backend == "linnet" else {}
    whole = nest.load(folder, backend, **options)([[3, 1]])
    half = nest.load(folder, backend, dtype="bf16", **options)([[3, 1]])
    assert str(half.dtype) == "bfloat16"
    assert 0 < np.abs(half.astype(np.float32) - whole).max() < 0.1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"backend": "torhc"}, "no backend `torhc`.*did you mean `torch`"),
        ({"numerics": "equivalent"}, "backend `linnet` has no numerics `equivalent`"),
        ({"numerics": "exakt"}, "no numerics `exakt`.*did you mean `exact`"),
        ({"compile": "inductor"}, "backend `linnet` has no compile `inductor`"),
        ({"tarjet": "cpu"}, "backend `linnet` takes no `tarjet`.*did you mean `target`"),
        ({"generics": {"Vocap": 3}}, "no generic `Vocap`.*did you mean `Vocab`"),
        ({"entries": ["forwards"]}, "no entry `forwards`.*did you mean `forward`"),
        ({"target": "gpu"}, "no target `gpu`"),
    ],
)
def test_an_unknown_name_is_refused(folder: Path, arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        nest.load(folder, **arguments)


def test_an_unknown_nest_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(NestError, match=r"no nest `gpt3`.*did you mean `gpt2`"):
        nest.load("gpt3")
    with pytest.raises(NestError, match=r"a nest has a card `nest.toml`"):
        nest.load(tmp_path)


def test_weights_that_do_not_fit_are_named(folder: Path, with_numpy: None) -> None:
    for backend in ("linnet", "numpy"):
        with pytest.raises(
            WeightsError, match=r"`wte` \(tensor `wte.weight`\) has the wrong shape"
        ):
            nest.load(folder, backend, weights=tiny.weights(0, 20))


def test_a_missing_package_names_its_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = Backend("linnet.backends.torch", "torch", ("no_such_module",))
    monkeypatch.setitem(nest.BACKENDS, "torch", lacking)
    with pytest.raises(CapabilityError, match=r"needs `pip install 'linnet-mlir\[torch\]'`"):
        nest.load(folder, "torch")


def test_inputs_are_checked_for_every_backend(folder: Path, with_numpy: None) -> None:
    model = nest.load(folder, "numpy")
    with pytest.raises(ArgumentError, match="`tokens` has the wrong dtype"):
        model.forward(np.zeros((1, 3), np.float32))
    with pytest.raises(ArgumentError, match="`S <= MaxPositions` does not hold: S = 17"):
        model.forward(np.zeros((1, 17), np.int32))
    with pytest.raises(ArgumentError, match="has the wrong shape"):
        model.prefill(np.zeros((2, 3), np.int32), 0)
    with pytest.raises(UsageError, match="input `pos` of entry `prefill` is missing"):
        model.prefill(np.zeros((1, 3), np.int32))


def test_nest_is_reached_from_the_package() -> None:
    assert linnet.nest is nest
