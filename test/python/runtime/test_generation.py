"""The loop on the device: the tokens of single steps, on every target, with every way to end."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

import linnet
from linnet.errors import ArgumentError
from linnet.runtime._sampling import sample
from oracle.weights import SMALL, bindings, random_weights

Array = NDArray[Any]

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
TARGETS = {"reference": None, "xla-cpu": "jaxlib", "cpu": "iree.runtime"}
ROWS, NEW = 2, 128
SIZES = replace(SMALL, max_positions=NEW + 8)
PROMPT = np.array([[1, 2, 3, 4], [7, 5, 3, 1]], np.int32)
KEY = (5, 6)
GREEDY = (0.0, 0, 1.0)
SAMPLED = (0.9, 40, 0.9)
CHUNKS = {"whole": [32] * 4, "growing": [1, 2, 4, 8, 16, 32, 32, 32, 1], "odd": [5, 31] * 4}


@pytest.fixture(scope="module", params=list(TARGETS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    if TARGETS[request.param]:
        pytest.importorskip(TARGETS[request.param])
    folder = tmp_path_factory.mktemp("generation")
    save_file(random_weights(SIZES), folder / "model.safetensors")
    (folder / "bindings.json").write_text(json.dumps(bindings(SIZES.layers)), encoding="utf-8")
    return linnet.compile(
        PROGRAM,
        root="Model",
        generics=SIZES.generics(ROWS, SIZES.max_positions),
        weights=folder / "model.safetensors",
        bindings=folder / "bindings.json",
        target=request.param,
    )


@pytest.fixture(scope="module")
def stepped(model: Any) -> dict[tuple[float, int, float], tuple[Array, Array]]:
    """The tokens [ROWS, 1 + NEW] by `decode` and a draw on the host, and a cache after them."""
    found: dict[tuple[float, int, float], tuple[Array, Array]] = {}
    for setting in (GREEDY, SAMPLED):
        model.reset()
        logits = model.call("prefill", {"tokens": PROMPT, "pos": 0})
        tokens = [drawn(logits, 4, setting)]
        for at in range(4, 4 + NEW):
            given = {"token": tokens[-1][:, None], "pos": np.int32(at)}
            tokens.append(drawn(model.call("decode", given), at + 1, setting))
        cache = model.state["blocks.1.attn.cache_v"]
        found[setting] = np.stack(tokens, 1), cache
    return found


def drawn(logits: Array, position: int, setting: tuple[float, int, float]) -> Array:
    heat, top_k, top_p = setting
    tokens = [
        sample(logits[row], KEY, position, row, temperature=heat, top_k=top_k, top_p=top_p)
        for row in range(ROWS)
    ]
    return np.array(tokens, np.int32)


def loop(
    model: Any,
    token: Array,
    pos: int,
    count: int,
    setting: tuple[float, int, float],
    stop: list[int] | None = None,
    active: list[bool] | None = None,
) -> Array:
    """Return what one call of `generate` makes, [ROWS, produced]."""
    heat, top_k, top_p = setting
    stops = np.full(8, -1, np.int32)
    stops[: len(stop or [])] = stop or []
    given = {
        "token": token[:, None],
        "pos": np.int32(pos),
        "key": np.array(KEY),
        "temperature": np.float32(heat),
        "top_k": np.int32(top_k),
        "top_p": np.float32(top_p),
        "stop": stops,
        "active": np.array(active or [True] * ROWS),
        "count": np.int32(count),
    }
    tokens, produced = model.call("generate", given)
    assert 0 <= produced <= count
    return tokens[:, :produced]


def prefilled(model: Any) -> None:
    model.reset()
    model.call("prefill", {"tokens": PROMPT, "pos": 0})


@pytest.mark.parametrize("setting", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=list(CHUNKS))
def test_the_loop_makes_the_tokens_of_single_steps(
    model: Any, stepped: Any, setting: Any, chunks: list[int]
) -> None:
    expected, cache = stepped[setting]
    prefilled(model)
    found = expected[:, :1]
    for count in chunks:
        count = min(count, NEW + 1 - found.shape[1])
        made = loop(model, found[:, -1], 3 + found.shape[1], count, setting)
        assert made.shape[1] == count
        found = np.concatenate([found, made], 1)
    assert found.tolist() == expected.tolist()
    np.testing.assert_allclose(model.state["blocks.1.attn.cache_v"], cache, rtol=0, atol=1e-5)


def test_a_call_makes_no_more_than_a_chunk(model: Any, stepped: Any) -> None:
    expected, _ = stepped[GREEDY]
    prefilled(model)
    assert loop(model, expected[:, 0], 4, 1000, GREEDY).shape[1] == 32
    assert loop(model, expected[:, 0], 4, 0, GREEDY).shape[1] == 0


def test_each_row_ends_at_a_stop_token_and_the_loop_with_the_last(model: Any, stepped: Any) -> None:
    tokens, _ = stepped[SAMPLED]
    stop = [int(tokens[0, 4]), int(tokens[1, 9])]
    ends = [int(np.isin(row[1:33], stop).argmax()) for row in tokens]
    prefilled(model)
    found = loop(model, tokens[:, 0], 4, 32, SAMPLED, stop)
    assert found.shape[1] == max(ends) + 1 < 32
    for row, end in enumerate(ends):
        assert found[row, : end + 1].tolist() == tokens[row, 1 : end + 2].tolist()
        assert set(found[row, end:].tolist()) == {int(tokens[row, end + 1])}


def test_a_row_that_is_not_active_repeats_its_token_and_is_not_waited_for(
    model: Any, stepped: Any
) -> None:
    tokens, _ = stepped[SAMPLED]
    stop = [int(tokens[0, 5])]
    end = int(np.isin(tokens[0, 1:], stop).argmax())
    prefilled(model)
    found = loop(model, tokens[:, 0], 4, 32, SAMPLED, stop, [True, False])
    assert found[0].tolist() == tokens[0, 1 : end + 2].tolist()
    assert set(found[1].tolist()) == {int(tokens[1, 0])}
    assert loop(model, tokens[:, 0], 4, 32, SAMPLED, stop, [False, False]).shape[1] == 0


@pytest.mark.parametrize("chunk", [None, 1, 7])
def test_generate_yields_the_tokens_of_single_steps(
    model: Any, chunk: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"temperature": 1.1, "top_p": 0.95, "seed": 9}
    prompt = [3, 1, 4, 1, 5]
    found = list(model.generate(prompt, 60, chunk=chunk, **given))
    # The eleventh token is in the middle of a chunk; eight others come before it in the list.
    stop = [found[11], *sorted(set(range(SIZES.vocab)) - set(found))[:9]]
    ended = list(model.generate(prompt, 60, chunk=chunk, stop=stop, **given))
    assert ended == found[: found.index(found[11])]
    monkeypatch.setattr("linnet.runtime._generate._Run._loop", lambda self: None)
    assert list(model.generate(prompt, 60, **given)) == found
    assert list(model.generate(prompt, 60, stop=stop, **given)) == ended


def test_targets_agree(model: Any, stepped: Any) -> None:
    for setting, (tokens, _) in stepped.items():
        assert tokens.tolist() == AGREED.setdefault(setting, tokens.tolist())


AGREED: dict[tuple[float, int, float], list[list[int]]] = {}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"top_p": 1.5}, "top_p = 1.5 is no probability"),
        ({"top_p": float("nan")}, "top_p = nan is no probability"),
        ({"top_k": -1}, "top_k = -1 is no count"),
        ({"temperature": float("inf")}, "at temperature inf cannot be generated"),
        ({"seed": 1 << 64}, "has no 64 bits"),
        ({"chunk": 0}, "a chunk of 0 tokens"),
        ({"stop": [1.5]}, "`stop` is no list of token ids"),
        ({"stop": [97]}, "token 97 is not in the vocabulary of 97"),
        ({"max_new_tokens": 200}, "exceed MaxSeq = 136"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_at_once(model: Any, given: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        model.generate([1, 2], **given)
