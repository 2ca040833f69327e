"""The example's GPT-2 program at the true 124M shapes, on every target, against the NumPy oracle.

The weights are seeded random numbers (`oracle.weights`). Two models per target: one row with the
full 1024 cache positions, and four rows for the entries that serve several requests.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file

import linnet
from linnet.runtime._sampling import sample
from oracle.gpt2_greedy import GREEDY, NEW, PROMPT
from oracle.gpt2_numpy import Decoder, forward
from oracle.gpt2_transformers import transformers_logits
from oracle.weights import FULL, bindings, full_weights_file

Array = NDArray[Any]

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
TOLERANCE = 2e-4
LENGTH = PROMPT + NEW
TARGETS = {
    "reference": None,
    "xla-cpu": "jaxlib",
    "cpu": "iree.runtime",
    "onnx": "onnxruntime",
}

pytestmark = pytest.mark.slow


@cache
def weights() -> dict[str, Array]:
    return load_file(full_weights_file())


@cache
def line() -> Array:
    """Return the prompt and the tokens most likely after it."""
    prompt = np.random.default_rng(6).integers(0, FULL.vocab, PROMPT)
    return np.concatenate([prompt, GREEDY]).astype(np.int32)


@cache
def line_logits() -> Array:
    """Return the oracle's logits [LENGTH, vocab] along `line`."""
    return forward(weights(), FULL.heads, line()[None])[0]


def compiled(target: str, folder: Path, batch: int, max_seq: int) -> Any:
    """Return the program with its weights, ready to be called on `target`."""
    if TARGETS[target]:
        pytest.importorskip(TARGETS[target])
    names = folder / "bindings.json"
    names.write_text(json.dumps(bindings(FULL.layers)), encoding="utf-8")
    return linnet.compile(
        PROGRAM,
        root="Model",
        generics=FULL.generics(batch, max_seq),
        weights=full_weights_file(),
        bindings=names,
        target=target,
    )


@pytest.fixture(scope="module", params=list(TARGETS))
def target(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def single(target: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(target, tmp_path_factory.mktemp("single"), batch=1, max_seq=1024)


@pytest.fixture(scope="module")
def four(target: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(target, tmp_path_factory.mktemp("four"), batch=4, max_seq=64)


def prefill(model: Any, tokens: Array, pos: int = 0) -> Array:
    return model.call("prefill", {"tokens": tokens[None], "pos": np.int32(pos)})[0]


def decode(model: Any, token: int, pos: int) -> Array:
    given = {"token": np.array([[token]], np.int32), "pos": np.int32(pos)}
    return model.call("decode", given)[0]


def distance(found: Array, expected: Array) -> float:
    assert found.shape == expected.shape
    return float(np.abs(found - expected).max())


def test_the_oracle_decides_every_token_clearly() -> None:
    logits = line_logits()[PROMPT - 1 : -1]
    assert logits.argmax(-1).tolist() == list(GREEDY)
    last = np.sort(logits, axis=-1)
    assert (last[:, -1] - last[:, -2]).min() > 10 * TOLERANCE


def test_forward_agrees_with_the_oracle(single: Any) -> None:
    found = single.call("forward", {"tokens": line()[None]})[0]
    assert found.dtype == np.float32
    assert distance(found, line_logits()) <= TOLERANCE


def test_forward_agrees_with_transformers(single: Any) -> None:
    expected = transformers_logits(FULL, weights(), line()[None])
    found = single.call("forward", {"tokens": line()[None]})
    assert distance(found, expected) <= TOLERANCE


def test_forward_at_a_position_does_not_depend_on_later_tokens(single: Any) -> None:
    other = line().copy()
    other[40:] = other[40:][::-1]
    found = single.call("forward", {"tokens": np.stack([other])})[0]
    assert distance(found[:40], line_logits()[:40]) <= TOLERANCE
    assert distance(found[40:], line_logits()[40:]) > 0.1


def test_greedy_tokens_by_prefill_and_decode_are_those_of_repeated_forward(single: Any) -> None:
    """Repeated `forward` is read off one call: the mask is causal (the test above shows it), so
    the logits at position t of the padded line are those of a `forward` of its first t + 1 tokens.
    If each of them picks the token that stands next in the line, repeating would give the line.
    """
    single.reset()
    logits = [prefill(single, line()[:PROMPT])]
    found: list[int] = []
    for pos in range(PROMPT, LENGTH):
        found.append(int(logits[-1].argmax()))
        logits.append(decode(single, found[-1], pos))
    padded = np.concatenate([line()[:PROMPT], np.array(found, np.int32)])
    repeated = single.call("forward", {"tokens": padded[None]})[0]
    assert found == [int(row.argmax()) for row in repeated[PROMPT - 1 : -1]]
    assert found == line()[PROMPT:].tolist()
    assert distance(np.stack(logits), line_logits()[PROMPT - 1 :]) <= TOLERANCE


@pytest.mark.parametrize("heat", [0.0, 0.9], ids=["greedy", "sampled"])
def test_the_loop_on_the_device_makes_the_tokens_of_single_steps(
    single: Any, target: str, heat: float
) -> None:
    """128 tokens in chunks of up to 32, and the same by `decode` and a draw on the host."""
    if target == "onnx" and heat:
        pytest.skip("ONNX Runtime's Loop copies the caches in each pass; greedy is enough there")
    key, given = (0, 7), {"temperature": heat, "top_k": 50, "top_p": 0.95, "seed": 7}
    prompt = line()[:PROMPT].tolist()
    found = list(single.generate(prompt, 128, **given))
    single.reset()
    logits = prefill(single, line()[:PROMPT])
    stepped: list[int] = []
    for at in range(PROMPT, PROMPT + 128):
        stepped.append(sample(logits, key, at, temperature=heat, top_k=50, top_p=0.95))
        logits = decode(single, stepped[-1], at)
    assert found == stepped
    if not heat:
        assert found[:NEW] == list(GREEDY)


def test_prefill_goes_on_where_the_cache_ends(single: Any) -> None:
    single.reset()
    prefill(single, line()[:PROMPT])
    found = prefill(single, line()[PROMPT : 2 * PROMPT], pos=PROMPT)
    assert distance(found, line_logits()[2 * PROMPT - 1]) <= TOLERANCE


def test_slots_of_different_lengths_equal_single_runs(single: Any, four: Any) -> None:
    """Three requests of 16, 12 and 8 tokens enter rows 2, 0 and 3 together; row 1 stays idle."""
    rows, lengths, steps = [2, 0, 3], [16, 12, 8], 6
    prompts = np.random.default_rng(13).integers(0, FULL.vocab, (3, 16), dtype=np.int32)
    given = {
        "tokens": prompts,
        "slots": np.array(rows, np.int32),
        "lengths": np.array(lengths, np.int32),
    }
    four.reset()
    together = [four.call("prefill_slots", given)]
    for step in range(steps):
        tokens = np.zeros((4, 1), np.int32)
        positions = np.zeros(4, np.int32)
        tokens[rows, 0] = together[-1].argmax(-1)
        positions[rows] = np.array(lengths) + step
        logits = four.call("decode_rows", {"tokens": tokens, "positions": positions})
        together.append(logits[rows])
    for request, length in enumerate(lengths):
        single.reset()
        alone = prefill(single, prompts[request, :PROMPT])
        for pos in range(PROMPT, length):
            alone = decode(single, int(prompts[request, pos]), pos)
        oracle = Decoder(weights(), FULL.heads, rows=1)
        expected = oracle.feed(0, prompts[request, :length])[-1]
        for step in range(steps + 1):
            assert distance(together[step][request], alone) <= TOLERANCE
            assert distance(alone, expected) <= TOLERANCE
            token = int(alone.argmax())
            assert int(together[step][request].argmax()) == token
            if step < steps:
                alone = decode(single, token, length + step)
                expected = oracle.feed(0, np.array([token]))[-1]
