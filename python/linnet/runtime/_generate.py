"""Token by token: a prompt through `prefill`, then `decode`, on the host's loop."""

from collections.abc import Callable, Iterator, Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError, UsageError
from linnet.runtime._engine import Engine

Array = NDArray[Any]
# Bindings of a root that bound the positions of a sequence.
_LIMITS = ("MaxSeq", "MaxPositions")


def generate(
    call: Callable[..., object],
    reset: Callable[[], None],
    engine: Engine,
    prompt: Sequence[int],
    count: int,
    temperature: float,
    seed: int | None,
) -> Iterator[int]:
    """Check everything at once, then return the iterator of new tokens."""
    try:
        ids = [index(token) for token in prompt]
    except TypeError:
        raise ArgumentError("the prompt is no list of token ids", "give integers") from None
    if "decode" not in engine.names():
        raise UsageError("the model has no entry `decode`", "generation needs `decode`")
    if not ids:
        raise ArgumentError("the prompt has no tokens", "give at least one")
    if count < 0 or not temperature >= 0:
        raise ArgumentError(
            f"{count} new tokens at temperature {temperature} cannot be generated",
            "both are numbers >= 0",
        )
    token_shape = {"token": np.zeros((1, 1), np.int32), "pos": np.int32(0)}
    signature = engine.choose("decode", token_shape, {}).signature
    if [value.name for value in signature.inputs] != ["token", "pos"]:
        raise UsageError(f"`decode` is {signature}", "generation needs `decode(token, pos)`")
    for name in _LIMITS:
        limit = signature.bindings.get(name)
        # The last token is never fed back.
        if isinstance(limit, int) and len(ids) + count - 1 > limit:
            raise ArgumentError(
                f"{len(ids)} prompt tokens and {count} new ones exceed {name} = {limit}",
                "shorten the prompt or ask for fewer tokens",
            )
    vocab = signature.results[0].shape[-1]
    for token in ids:
        if not 0 <= token < vocab:
            raise ArgumentError(
                f"token {token} is not in the vocabulary of {vocab}",
                "give the tokenizer of this model",
            )
    return _tokens(call, reset, engine, signature.inputs[0].shape[0], ids, count, temperature, seed)


def _tokens(
    call: Callable[..., object],
    reset: Callable[[], None],
    engine: Engine,
    batch: int,
    ids: list[int],
    count: int,
    temperature: float,
    seed: int | None,
) -> Iterator[int]:
    reset()
    rng = np.random.default_rng(seed)
    logits: Array | None = None
    at = 0

    def rows(tokens: list[int]) -> Array:
        return np.tile(np.array(tokens, np.int32), (batch, 1))

    if count == 0:
        return
    for size in _chunks(engine, len(ids)):
        given = {"tokens": rows(ids[at : at + size]), "pos": np.int32(at)}
        logits = np.asarray(call("prefill", given))
        at += size
    while at < len(ids):
        given = {"token": rows([ids[at]]), "pos": np.int32(at)}
        logits = np.asarray(call("decode", given))
        at += 1
    assert logits is not None
    for step in range(count):
        token = _pick(logits[0], temperature, rng)
        yield token
        if step + 1 < count:
            given = {"token": rows([token]), "pos": np.int32(at)}
            logits = np.asarray(call("decode", given))
            at += 1


def _chunks(engine: Engine, length: int) -> list[int]:
    """Return the sizes of the `prefill` calls; `decode` takes what they leave of a prompt."""
    if "prefill" not in engine.names():
        return []
    compiled = engine.compiled("prefill")
    if compiled is None:
        return [length]
    sizes = sorted({signature.inputs[0].shape[1] for signature in compiled}, reverse=True)
    chunks: list[int] = []
    for size in sizes:
        while size and sum(chunks) + size <= length:
            chunks.append(size)
    return chunks


def _pick(logits: Array, temperature: float, rng: np.random.Generator) -> int:
    row = np.asarray(logits, np.float64)
    if temperature == 0:
        return int(row.argmax())
    scaled = row / temperature
    weights = np.exp(scaled - scaled.max())
    return int(rng.choice(row.size, p=weights / weights.sum()))
