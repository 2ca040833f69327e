"""GPT-2 in NumPy, written from the published description and independent of everything in Linnet.

Takes weights under the names of the published checkpoints (`wte.weight`, `h.0.attn.c_attn.weight`
in [in, out] layout, …) and token ids; gives logits. All arithmetic is in one dtype: `float32`, or
`float64` for a yardstick. `forward` scores whole sequences; `Decoder` keeps keys and values for
rows that each stand at a position of their own. Written for clarity: one row and one layer at a
time, with growing slices instead of masks over a full cache, so that it shares no trick with the
code under test.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Weights = Mapping[str, Floats]

EPSILON: Final = 1e-5


def layer_norm(x: Floats, weight: Floats, bias: Floats) -> Floats:
    """Normalise the last axis with the biased variance, then scale and shift it."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = np.square(centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + x.dtype.type(EPSILON)) * weight + bias


def gelu(x: Floats) -> Floats:
    """Return the tanh form of GELU."""
    number = x.dtype.type
    inner = number(np.sqrt(2 / np.pi)) * (x + number(0.044715) * x**3)
    return number(0.5) * x * (number(1) + np.tanh(inner))


def softmax(x: Floats) -> Floats:
    """Return shares that sum to one over the last axis."""
    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


class Decoder:
    """Rows of cached keys and values; each row holds one request at a position of its own."""

    def __init__(self, weights: Weights, heads: int, rows: int, dtype: type = np.float32) -> None:
        self.weights = {name: np.asarray(value, dtype) for name, value in weights.items()}
        self.heads = heads
        self.layers = sum(name.endswith(".ln_1.weight") for name in self.weights)
        width = self.weights["wte.weight"].shape[1]
        empty = np.zeros((heads, 0, width // heads), dtype)
        self.keys = [[empty] * self.layers for _ in range(rows)]
        self.values = [[empty] * self.layers for _ in range(rows)]

    def feed(self, row: int, tokens: NDArray[np.integer], start: int | None = None) -> Floats:
        """Process `tokens` [S] of `row` from position `start` on; return logits [S, vocab].

        `start` is the row's present length unless given; what the row held from there on is
        forgotten, so 0 begins a new request.
        """
        held = self.keys[row][0].shape[1]
        start = held if start is None else start
        if not 0 <= start <= held:
            raise ValueError(f"row {row} holds {held} positions, cannot go on at {start}")
        positions = np.arange(start, start + len(tokens))
        x = self.weights["wte.weight"][tokens] + self.weights["wpe.weight"][positions]
        for layer in range(self.layers):
            x = x + self._attention(row, layer, self._norm(f"h.{layer}.ln_1", x), start)
            inner = self._project(f"h.{layer}.mlp.c_fc", self._norm(f"h.{layer}.ln_2", x))
            x = x + self._project(f"h.{layer}.mlp.c_proj", gelu(inner))
        return self._norm("ln_f", x) @ self.weights["wte.weight"].T

    def _norm(self, name: str, x: Floats) -> Floats:
        return layer_norm(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _project(self, name: str, x: Floats) -> Floats:
        return x @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _attention(self, row: int, layer: int, x: Floats, start: int) -> Floats:
        fused = self._project(f"h.{layer}.attn.c_attn", x)
        query, key, value = (self._by_head(part) for part in np.split(fused, 3, axis=-1))
        key = np.concatenate([self.keys[row][layer][:, :start], key], axis=1)
        value = np.concatenate([self.values[row][layer][:, :start], value], axis=1)
        self.keys[row][layer], self.values[row][layer] = key, value
        mixed = np.empty_like(query)
        scale = x.dtype.type(1 / np.sqrt(query.shape[-1]))
        for i in range(len(x)):
            seen = start + i + 1
            scores = np.einsum("hd,hkd->hk", query[:, i], key[:, :seen]) * scale
            mixed[:, i] = np.einsum("hk,hkd->hd", softmax(scores), value[:, :seen])
        joined = mixed.transpose(1, 0, 2).reshape(len(x), -1)
        return self._project(f"h.{layer}.attn.c_proj", joined)

    def _by_head(self, x: Floats) -> Floats:
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)


def forward(
    weights: Weights, heads: int, tokens: NDArray[np.integer], dtype: type = np.float32
) -> Floats:
    """Return logits [B, S, vocab] of whole sequences [B, S]."""
    decoder = Decoder(weights, heads, len(tokens), dtype)
    return np.stack([decoder.feed(row, line) for row, line in enumerate(tokens)])


def greedy(
    weights: Weights, heads: int, prompt: NDArray[np.integer], count: int, dtype: type = np.float32
) -> list[int]:
    """Return the `count` tokens that follow `prompt` [S], each the most likely one."""
    decoder = Decoder(weights, heads, 1, dtype)
    logits = decoder.feed(0, prompt)[-1]
    found: list[int] = []
    while len(found) < count:
        found.append(int(logits.argmax()))
        logits = decoder.feed(0, np.array(found[-1:]))[-1]
    return found
