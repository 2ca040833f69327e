"""One source on every backend: the logits of `forward`, and the text by `prefill` and `decode`.

At a few sizes for each backend that is installed. At the true shapes of GPT-2 (124M parameters,
seeded weights) it takes many minutes and is run by hand, which prints a table:

    LINNET_TRUE_SHAPES=1 pytest test/python/nest/test_every_backend.py -k true -s
"""

import os
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType]

from linnet import nest
from linnet.nest import BACKENDS
from oracle.gpt2_greedy import GREEDY, NEW, PROMPT
from oracle.gpt2_numpy import forward
from oracle.weights import FULL, full_weights_file

from . import tiny

TOLERANCE = 2e-4
TARGETS = {"cpu": "iree.runtime", "xla-cpu": "jaxlib"}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"linnet on {target}": ("linnet", {"target": target}) for target in TARGETS},
    **{name: (name, {}) for name in BACKENDS if name != "linnet"},
}
INDUCTOR: dict[str, tuple[str, dict[str, Any]]] = {
    "torch inductor": ("torch", {"compile": "inductor"})
}
by_hand = pytest.mark.skipif(
    "LINNET_TRUE_SHAPES" not in os.environ, reason="minutes long: LINNET_TRUE_SHAPES=1 runs it"
)


def need(backend: str, options: dict[str, Any]) -> None:
    """Skip where the packages of a backend are not installed, or it is not written yet."""
    if backend == "linnet":
        pytest.importorskip(TARGETS[options["target"]])
        return
    one = BACKENDS[backend]
    for module in one.needs:
        pytest.importorskip(module)
    if find_spec(one.module) is None:
        pytest.skip(f"no backend `{backend}` yet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("nest") / "tiny")


@pytest.fixture(scope="module")
def reference(folder: Path) -> Any:
    return nest.load(folder, target="reference")


@pytest.mark.parametrize("case", list(CASES))
def test_logits_and_greedy_tokens_are_those_of_the_reference(
    case: str, folder: Path, reference: Any
) -> None:
    backend, options = CASES[case]
    need(backend, options)
    model = nest.load(folder, backend, **options)
    for tokens in ([[7]], [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]):
        given = np.array(tokens, np.int32)
        found = model.numpy(model(given))
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, reference(given), rtol=0, atol=1e-5)
    assert list(model.generate([3, 1, 4], 8)) == list(reference.generate([3, 1, 4], 8))


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
@pytest.mark.parametrize("backend", ["torch", "jax", "jax-source", "onnx"])
def test_narrow_floats_stay_near(backend: str, dtype: str, folder: Path, reference: Any) -> None:
    need(backend, {})
    tokens = np.array([[3, 1, 4, 1, 5]], np.int32)
    model = nest.load(folder, backend, dtype=dtype, entries=["forward"])
    found = model.numpy(model(tokens))
    assert str(found.dtype) == {"bf16": "bfloat16", "f16": "float16"}[dtype]
    wide = np.abs(found.astype(np.float32) - reference(tokens)).max()
    assert 0 < wide < (0.1 if dtype == "bf16" else 0.01)


@cache
def line() -> tuple[list[int], NDArray[Any]]:
    """Return the prompt, and the oracle's logits along it and the text after it."""
    prompt = np.random.default_rng(6).integers(0, FULL.vocab, PROMPT)
    whole = np.concatenate([prompt, np.array(GREEDY)]).astype(np.int32)
    weights = load_file(full_weights_file())
    return [int(token) for token in whole], forward(weights, FULL.heads, whole[None])


@by_hand
@pytest.mark.slow
@pytest.mark.parametrize("case", [*CASES, *INDUCTOR])
def test_true_shapes(case: str) -> None:
    backend, options = (CASES | INDUCTOR)[case]
    need(backend, options)
    whole, logits = line()
    start = time.perf_counter()
    entries = ["forward", "prefill", "decode"]
    model = nest.load("gpt2", backend, weights=full_weights_file(), entries=entries, **options)
    found = model.numpy(model(np.array([whole], np.int32)))
    first = time.perf_counter()
    difference = float(np.abs(found - logits).max())
    tokens = list(model.generate(whole[:PROMPT], NEW))
    end = time.perf_counter()
    same = sum(1 for a, b in zip(tokens, GREEDY, strict=True) if a == b)
    print(
        f"\n| {case} | {difference:.1e} | {same} of {NEW} | {first - start:.1f} s | "
        f"{end - first:.1f} s |"
    )
    assert difference < TOLERANCE
    assert tuple(tokens) == GREEDY


@by_hand
@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["bf16", "f16"])
@pytest.mark.parametrize("case", list(CASES))
def test_true_shapes_in_narrow_floats(case: str, dtype: str) -> None:
    backend, options = CASES[case]
    need(backend, options)
    whole, logits = line()
    model = nest.load(
        "gpt2", backend, weights=full_weights_file(), dtype=dtype, entries=["forward"], **options
    )
    found = model.numpy(model(np.array([whole], np.int32))).astype(np.float32)
    likeliest = float((found.argmax(-1) == logits.argmax(-1)).mean())
    print(f"\n| {case} {dtype} | {np.abs(found - logits).max():.1e} | {likeliest:.3f} |")
    assert np.abs(found - logits).max() < 0.5
