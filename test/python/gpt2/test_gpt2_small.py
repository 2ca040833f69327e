"""The GPT-2 programs at a small size: every entry, repeated `forward`, state and limits."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

import linnet
from oracle.gpt2_numpy import Decoder, forward
from oracle.weights import SMALL, bindings, random_weights

Array = NDArray[Any]

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAMS = {
    "ours": REPOSITORY / "examples" / "gpt2" / "gpt2.linnet",
    "seed": REPOSITORY.parent / "shared" / "seed" / "gpt2" / "gpt2.linnet",
}
TARGETS = {
    "reference": None,
    "xla-cpu": "jaxlib",
    "cpu": "iree.runtime",
    "onnx": "onnxruntime",
}
TOLERANCE = 2e-5
WEIGHTS = random_weights(SMALL)
LINE = np.random.default_rng(17).integers(0, SMALL.vocab, 32, dtype=np.int32)


# The published program is so like ours that one target is enough for it.
CASES = [("ours", target) for target in TARGETS] + [("seed", "reference")]


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    name, target = request.param
    program = PROGRAMS[name]
    if not program.exists():
        pytest.skip("the published program is not beside this checkout")
    if TARGETS[target]:
        pytest.importorskip(TARGETS[target])
    folder = tmp_path_factory.mktemp("small")
    save_file(WEIGHTS, folder / "model.safetensors")
    (folder / "bindings.json").write_text(json.dumps(bindings(SMALL.layers)), encoding="utf-8")
    return linnet.compile(
        program,
        root="Model",
        generics=SMALL.generics(batch=3, max_seq=32),
        weights=folder / "model.safetensors",
        bindings=folder / "bindings.json",
        target=target,
    )


def check(found: Array, expected: Array) -> None:
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)


def test_forward_takes_any_batch_and_length(model: Any) -> None:
    for shape in ((1, 1), (2, 7), (1, 32)):
        tokens = np.random.default_rng(1).integers(0, SMALL.vocab, shape, dtype=np.int32)
        found = model.call("forward", {"tokens": tokens})
        check(found, forward(WEIGHTS, SMALL.heads, tokens))


def test_prefill_then_decode_follow_the_oracle_to_the_last_position(model: Any) -> None:
    model.reset()
    lines = np.stack([LINE, LINE[::-1], np.roll(LINE, 5)])
    expected = forward(WEIGHTS, SMALL.heads, lines)
    found = model.call("prefill", {"tokens": lines[:, :5], "pos": np.int32(0)})
    check(found, expected[:, 4])
    found = model.call("prefill", {"tokens": lines[:, 5:9], "pos": np.int32(5)})
    check(found, expected[:, 8])
    for pos in range(9, 32):
        given = {"token": lines[:, pos : pos + 1], "pos": np.int32(pos)}
        check(model.call("decode", given), expected[:, pos])


def test_decode_rows_serves_rows_at_positions_of_their_own(model: Any) -> None:
    model.reset()
    oracle = Decoder(WEIGHTS, SMALL.heads, rows=3)
    positions = np.array([0, 0, 0], np.int32)
    for step in range(12):
        tokens = LINE[(np.arange(3) * 7 + step) % 32][:, None].copy()
        found = model.call("decode_rows", {"tokens": tokens, "positions": positions})
        expected = [oracle.feed(row, tokens[row], positions[row])[-1] for row in range(3)]
        check(found, np.stack(expected))
        # A new request starts in row 1 halfway; the others go on.
        positions = positions + 1
        if step == 5:
            positions[1] = 0


def test_prefill_slots_leaves_other_rows_alone(model: Any) -> None:
    model.reset()
    oracle = Decoder(WEIGHTS, SMALL.heads, rows=3)
    lines = np.stack([LINE[:6], LINE[6:12], LINE[12:18]])
    model.call("prefill", {"tokens": lines, "pos": np.int32(0)})
    for row in range(3):
        oracle.feed(row, lines[row])
    prompts = np.stack([LINE[20:25], LINE[25:30]])
    given = {
        "tokens": prompts,
        "slots": np.array([2, 0], np.int32),
        "lengths": np.array([5, 3], np.int32),
    }
    found = model.call("prefill_slots", given)
    first = oracle.feed(2, prompts[0], 0)[-1]
    second = oracle.feed(0, prompts[1, :3], 0)[-1]
    check(found, np.stack([first, second]))
    tokens = np.array([[1], [2], [3]], np.int32)
    positions = np.array([3, 6, 5], np.int32)
    found = model.call("decode_rows", {"tokens": tokens, "positions": positions})
    check(found, np.stack([oracle.feed(row, tokens[row])[-1] for row in range(3)]))


def test_greedy_tokens_are_those_of_repeated_forward(model: Any) -> None:
    model.reset()
    prompt = np.tile(LINE[:4], (3, 1))
    logits = model.call("prefill", {"tokens": prompt, "pos": np.int32(0)})[0]
    cached = list(LINE[:4])
    for pos in range(4, 32):
        cached.append(int(logits.argmax()))
        token = np.full((3, 1), cached[-1], np.int32)
        logits = model.call("decode", {"token": token, "pos": np.int32(pos)})[0]
    padded = np.zeros((1, 32), np.int32)
    padded[0, :4] = LINE[:4]
    for pos in range(4, 32):
        padded[0, pos] = model.call("forward", {"tokens": padded})[0, pos - 1].argmax()
    assert cached == padded[0].tolist()


def test_forward_touches_no_state(model: Any) -> None:
    model.reset()
    model.call("forward", {"tokens": LINE[None]})
    for layer in range(SMALL.layers):
        for name in ("cache_k", "cache_v"):
            state = np.asarray(model.state[f"blocks.{layer}.attn.{name}"])
            assert state.shape == (3, SMALL.heads, 32, SMALL.h // SMALL.heads)
            assert not state.any()


def test_decode_writes_one_position_of_each_cache(model: Any) -> None:
    model.reset()
    token = np.array([[1], [2], [3]], np.int32)
    model.call("decode", {"token": token, "pos": np.int32(6)})
    state = np.asarray(model.state["blocks.1.attn.cache_v"])
    written = np.abs(state).max(axis=(0, 1, 3)) > 0
    assert written.tolist() == [pos == 6 for pos in range(32)]


def test_a_position_outside_the_cache_writes_nothing(model: Any) -> None:
    model.reset()
    token = np.array([[1], [2], [3]], np.int32)
    model.call("decode", {"token": token, "pos": np.int32(32)})
    assert not np.asarray(model.state["blocks.0.attn.cache_k"]).any()
