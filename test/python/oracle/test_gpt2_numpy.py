"""The NumPy GPT-2 against two others: Hugging Face's, and the example's training network."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file

from oracle.gpt2_numpy import Decoder, forward, greedy
from oracle.gpt2_transformers import transformers_logits
from oracle.weights import FULL, SMALL, Sizes, full_weights_file, random_weights

TOLERANCE = 2e-4
REPOSITORY = Path(__file__).resolve().parents[3]


def tokens_of(sizes: Sizes, *shape: int) -> NDArray[np.int32]:
    return np.random.default_rng(7).integers(0, sizes.vocab, shape, dtype=np.int32)


def training_script() -> ModuleType:
    path = REPOSITORY / "examples" / "gpt2" / "train.py"
    spec = importlib.util.spec_from_file_location("gpt2_train", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_small_model_agrees_with_transformers() -> None:
    weights = random_weights(SMALL)
    tokens = tokens_of(SMALL, 3, 32)
    expected = transformers_logits(SMALL, weights, tokens)
    np.testing.assert_allclose(forward(weights, SMALL.heads, tokens), expected, atol=TOLERANCE)


def test_full_model_agrees_with_transformers() -> None:
    pytest.importorskip("transformers")
    weights = load_file(full_weights_file())
    tokens = tokens_of(FULL, 1, 24)
    expected = transformers_logits(FULL, weights, tokens)
    np.testing.assert_allclose(forward(weights, FULL.heads, tokens), expected, atol=TOLERANCE)


def test_small_model_agrees_with_the_network_that_the_example_trains() -> None:
    torch = pytest.importorskip("torch")
    train = training_script()
    weights = random_weights(SMALL)
    config = train.Config(SMALL.vocab, SMALL.max_positions, SMALL.h, SMALL.heads, SMALL.layers)
    network = train.Gpt2(config)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    tokens = tokens_of(SMALL, 2, 20)
    with torch.no_grad():
        expected = network(torch.from_numpy(tokens.astype(np.int64))).numpy()
    np.testing.assert_allclose(forward(weights, SMALL.heads, tokens), expected, atol=TOLERANCE)


def test_single_precision_stays_near_double_precision() -> None:
    weights = random_weights(SMALL)
    tokens = tokens_of(SMALL, 2, 32)
    exact = forward(weights, SMALL.heads, tokens, np.float64)
    assert exact.dtype == np.float64
    assert np.abs(forward(weights, SMALL.heads, tokens) - exact).max() < 1e-5


def test_feeding_in_pieces_equals_one_pass() -> None:
    weights = random_weights(SMALL)
    line = tokens_of(SMALL, 21)
    whole = forward(weights, SMALL.heads, line[None])[0]
    decoder = Decoder(weights, SMALL.heads, rows=2)
    decoder.feed(1, line[::-1].copy())
    pieces = [decoder.feed(1, line[:9], start=0), decoder.feed(1, line[9:10])]
    pieces.append(decoder.feed(1, line[10:]))
    np.testing.assert_allclose(np.concatenate(pieces), whole, atol=1e-5)


def test_greedy_tokens_are_those_of_repeated_whole_passes() -> None:
    weights = random_weights(SMALL)
    prompt = tokens_of(SMALL, 5)
    line = list(prompt)
    for _ in range(12):
        line.append(int(forward(weights, SMALL.heads, np.array([line]))[0, -1].argmax()))
    assert greedy(weights, SMALL.heads, prompt, 12) == line[5:]
