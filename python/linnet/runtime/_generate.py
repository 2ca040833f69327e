"""Token by token: a prompt through `prefill`, then the loop on the device, or single steps.

The entry `generate`, which the compiler adds to a program (see `linnet.compiler`), calls `decode`
and draws up to a chunk of tokens without coming back to the host. A model without it takes the
same tokens in single steps, drawn by `_sampling` on the host.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError, UsageError
from linnet.runtime._engine import Chosen, Generics
from linnet.runtime._sampling import sample
from linnet.signature import Signature, bounds_of

Array = NDArray[Any]
Call = Callable[..., object]

# Bindings of a root that bound the positions of a sequence.
_LIMITS = ("MaxSeq", "MaxPositions")
_INPUTS = ["token", "pos", "key", "temperature", "top_k", "top_p", "stop", "active", "count"]
_WORD = (1 << 32) - 1


class Entries(Protocol):
    """What generation asks of an engine (see `Engine`)."""

    def names(self) -> Sequence[str]:
        """Return the entries' names."""
        ...

    def inputs(self, entry: str) -> Sequence[str]:
        """Return the names of an entry's inputs, in order."""
        ...

    def choose(self, entry: str, inputs: Mapping[str, object], generics: Generics) -> Chosen:
        """Return the function for a call; its signature has no open sizes."""
        ...

    def compiled(self, entry: str) -> Sequence[Signature] | None:
        """Return the sizes at which the entry exists; None if any can be compiled."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """How a token is chosen; `std.nn.sampling` says what each number means.

    `seed` None draws one. `stop` are the tokens that end the text and are not part of it. `chunk`
    is the most tokens that the device makes in one call, None as many as it can.
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int | None = None
    stop: Sequence[int] = ()
    chunk: int | None = None


def generate(
    call: Call,
    reset: Callable[[], None],
    engine: Entries,
    prompt: Sequence[int],
    count: int,
    choice: Choice,
) -> Iterator[int]:
    """Check everything at once, then return the iterator of new tokens."""
    ids = _integers(prompt, "the prompt")
    stop = frozenset(_integers(choice.stop, "`stop`"))
    if "decode" not in engine.names():
        raise UsageError("the model has no entry `decode`", "generation needs `decode`")
    if not ids:
        raise ArgumentError("the prompt has no tokens", "give at least one")
    if count < 0 or not 0 <= choice.temperature < np.inf:
        raise ArgumentError(
            f"{count} new tokens at temperature {choice.temperature} cannot be generated",
            "both are finite numbers >= 0",
        )
    _check_choice(choice)
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
    vocab = signature.results[0].fixed[-1]
    for token in (*ids, *stop):
        if not 0 <= token < vocab:
            raise ArgumentError(
                f"token {token} is not in the vocabulary of {vocab}",
                "give the tokenizer of this model",
            )
    run = _Run(call, engine, signature, choice, stop)
    return run.tokens(reset, ids, count)


def _integers(given: Sequence[int], what: str) -> list[int]:
    try:
        return [index(token) for token in given]
    except TypeError:
        raise ArgumentError(f"{what} is no list of token ids", "give integers") from None


def _check_choice(choice: Choice) -> None:
    if not 0 <= choice.top_p <= 1:
        raise ArgumentError(f"top_p = {choice.top_p} is no probability", "give 0 to 1; 1 keeps all")
    if not 0 <= choice.top_k < 1 << 31:
        raise ArgumentError(f"top_k = {choice.top_k} is no count", "give 0 or more; 0 keeps all")
    if choice.seed is not None and not 0 <= choice.seed < 1 << 64:
        raise ArgumentError(f"seed {choice.seed} has no 64 bits", "give 0 to 2**64 - 1")
    if choice.chunk is not None and choice.chunk < 1:
        raise ArgumentError(f"a chunk of {choice.chunk} tokens is none", "give 1 or more")


class _Run:
    """One text: the model, its key, and the tokens that end it."""

    def __init__(
        self,
        call: Call,
        engine: Entries,
        decode: Signature,
        choice: Choice,
        stop: frozenset[int],
    ) -> None:
        self._call = call
        self._engine = engine
        self._rows: int = decode.inputs[0].fixed[0]
        self._vocab: int = decode.results[0].fixed[-1]
        self._choice = choice
        self._stop = stop
        seed = secrets.randbits(64) if choice.seed is None else choice.seed
        self._key = (seed >> 32, seed & _WORD)

    def tokens(self, reset: Callable[[], None], ids: list[int], count: int) -> Iterator[int]:
        """Yield the tokens after a prompt."""
        reset()
        if count == 0:
            return
        token = self._drawn(self._prompt(ids), len(ids))
        at = len(ids)
        loop = self._loop()
        made = 1
        # One token at once, then twice as many in each call, so that the first come at once.
        size = 1
        while token not in self._stop:
            yield token
            if made == count:
                return
            if loop is None:
                token = self._drawn(self._step(token, at), at + 1)
                made, at = made + 1, at + 1
                continue
            most, stops = loop
            size = min(size * 2, most, count - made)
            *before, token = self._chunk(token, at, size, stops)
            # Stop tokens that the device does not know are found here.
            for each in before:
                if each in self._stop:
                    return
                yield each
            made, at = made + len(before) + 1, at + len(before) + 1

    def _prompt(self, ids: list[int]) -> Array:
        """Feed a prompt, and return the logits after it."""
        logits: Array | None = None
        at = 0
        for size in _chunks(self._engine, len(ids)):
            given = {"tokens": self._tiled(ids[at : at + size]), "pos": np.int32(at)}
            logits = np.asarray(self._call("prefill", given))[0]
            at += size
        for token in ids[at:]:
            logits = self._step(token, at)
            at += 1
        assert logits is not None
        return logits

    def _tiled(self, tokens: list[int]) -> Array:
        return np.tile(np.array(tokens, np.int32), (self._rows, 1))

    def _step(self, token: int, at: int) -> Array:
        given = {"token": self._tiled([token]), "pos": np.int32(at)}
        return np.asarray(self._call("decode", given))[0]

    def _drawn(self, logits: Array, position: int) -> int:
        choice = self._choice
        if np.isnan(logits).any():
            raise self._not_numbers(position)
        return sample(
            logits,
            self._key,
            position,
            temperature=choice.temperature,
            top_k=choice.top_k,
            top_p=choice.top_p,
        )

    def _not_numbers(self, position: int) -> ArgumentError:
        return ArgumentError(
            f"the logits of the token at position {position} hold NaN", "check the weights"
        )

    def _loop(self) -> tuple[int, int] | None:
        """The most tokens, and stop tokens, of a call of the loop on the device; None without."""
        if "generate" not in self._engine.names():
            return None
        if list(self._engine.inputs("generate")) != _INPUTS:
            return None  # An entry of the user's own.
        # Names and ranks are enough: the entry has no sizes of its own.
        ranks = (2, 0, 1, 0, 0, 0, 1, 1, 0)
        given = {name: np.zeros((1,) * rank) for name, rank in zip(_INPUTS, ranks, strict=True)}
        signature = self._engine.choose("generate", given, {}).signature
        stops = next(value for value in signature.inputs if value.name == "stop")
        most = signature.results[0].fixed[1]
        return min(most, self._choice.chunk or most), stops.fixed[0]

    def _chunk(self, token: int, at: int, size: int, stops: int) -> list[int]:
        """Return up to `size` tokens after one that is not fed yet, at least one."""
        choice = self._choice
        stop = np.full(stops, -1, np.int32)
        known = sorted(self._stop)[:stops]
        stop[: len(known)] = known
        # All rows hold the same text, so one is enough.
        active = np.arange(self._rows) == 0
        given = {
            "token": self._tiled([token]),
            "pos": np.int32(at),
            "key": np.array(self._key, np.int64),
            "temperature": np.float32(choice.temperature),
            "top_k": np.int32(choice.top_k),
            "top_p": np.float32(choice.top_p),
            "stop": stop,
            "active": active,
            "count": np.int32(size),
        }
        made: Any = self._call("generate", given)
        rows, produced = made
        tokens = [int(each) for each in rows[0, : int(produced)]]
        for number, each in enumerate(tokens):
            if not 0 <= each < self._vocab:
                raise self._not_numbers(at + 1 + number)
        return tokens


def _chunks(engine: Entries, length: int) -> list[int]:
    """Return the sizes of the `prefill` calls; `decode` takes what they leave of a prompt."""
    if "prefill" not in engine.names():
        return []
    compiled = engine.compiled("prefill")
    if compiled is None:
        return [length]
    chunks: list[int] = []
    lengths: set[int] = set()
    for signature in compiled:
        size = signature.inputs[0].shape[1]
        if isinstance(size, str):  # any length up to the most
            most = bounds_of(signature, size)[1]
            return [*[most] * (length // most), *([length % most] if length % most else [])]
        lengths.add(size)
    for size in sorted(lengths, reverse=True):
        while size and sum(chunks) + size <= length:
            chunks.append(size)
    return chunks
