"""A Llama-shaped decoder in NumPy, written from the published description.

Takes weights under the names of the published checkpoints, all float64 inside. One row and one
token at a time, with lists that grow instead of masked caches, and rotary positions as rotations
of complex numbers: it shares no trick with the program under test.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The generics of the Llama program that shape its weights."""

    vocab: int = 61
    h: int = 48
    inner: int = 56
    heads: int = 6
    kv_heads: int = 2
    d: int = 8
    layers: int = 2
    base: int = 10000

    def generics(self, batch: int, max_seq: int) -> dict[str, int | str]:
        """Return the bindings of the program's root block."""
        return {
            "Vocab": self.vocab,
            "H": self.h,
            "Inner": self.inner,
            "Heads": self.heads,
            "KvHeads": self.kv_heads,
            "D": self.d,
            "Layers": self.layers,
            "Base": self.base,
            "Batch": batch,
            "MaxSeq": max_seq,
        }


def random_weights(sizes: Sizes, tied: bool, seed: int = 3) -> dict[str, NDArray[np.float32]]:
    """Return seeded weights; norms are not 1, so that code which drops one is caught."""
    rng = np.random.default_rng(seed)
    query, pair = sizes.heads * sizes.d, sizes.kv_heads * sizes.d
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (sizes.vocab, sizes.h)}
    for layer in range(sizes.layers):
        at = f"model.layers.{layer}."
        shapes |= {
            at + "input_layernorm.weight": (sizes.h,),
            at + "self_attn.q_proj.weight": (query, sizes.h),
            at + "self_attn.k_proj.weight": (pair, sizes.h),
            at + "self_attn.v_proj.weight": (pair, sizes.h),
            at + "self_attn.o_proj.weight": (sizes.h, query),
            at + "post_attention_layernorm.weight": (sizes.h,),
            at + "mlp.gate_proj.weight": (sizes.inner, sizes.h),
            at + "mlp.up_proj.weight": (sizes.inner, sizes.h),
            at + "mlp.down_proj.weight": (sizes.h, sizes.inner),
        }
    shapes["model.norm.weight"] = (sizes.h,)
    if not tied:
        shapes["lm_head.weight"] = (sizes.vocab, sizes.h)
    return {
        name: rng.normal(float(len(shape) == 1), 0.2, shape).astype(np.float32)
        for name, shape in shapes.items()
    }


def _norm(x: Array, weight: Array) -> Array:
    return x / np.sqrt(np.mean(x * x) + 1e-5) * weight


def _turn(head: Array, position: int, base: int) -> Array:
    """Rotate place `i` together with place `i + D / 2`, as one complex number."""
    half = len(head) // 2
    speeds = base ** (-np.arange(half) / half)
    turned = (head[:half] + 1j * head[half:]) * np.exp(1j * position * speeds)
    return np.concatenate([turned.real, turned.imag])


def logits(sizes: Sizes, weights: Mapping[str, Array], tokens: Array) -> Array:
    """Return logits [B, S, vocab] of `tokens` [B, S], each token seeing itself and those before."""
    given = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    return np.stack([_row(sizes, given, row) for row in tokens])


def _row(sizes: Sizes, weights: Mapping[str, Array], tokens: Array) -> Array:
    kept: list[list[tuple[Array, Array]]] = [[] for _ in range(sizes.layers)]
    found: list[Array] = []
    for position, token in enumerate(tokens):
        x = weights["model.embed_tokens.weight"][token]
        for layer in range(sizes.layers):
            of = {
                name.removeprefix(f"model.layers.{layer}."): value
                for name, value in weights.items()
            }
            x = x + _attend(sizes, of, x, position, kept[layer])
            normed = _norm(x, of["post_attention_layernorm.weight"])
            gate = of["mlp.gate_proj.weight"] @ normed
            inner = gate / (1 + np.exp(-gate)) * (of["mlp.up_proj.weight"] @ normed)
            x = x + of["mlp.down_proj.weight"] @ inner
        head = weights.get("lm_head.weight", weights["model.embed_tokens.weight"])
        found.append(head @ _norm(x, weights["model.norm.weight"]))
    return np.stack(found)


def _attend(
    sizes: Sizes,
    of: Mapping[str, Array],
    x: Array,
    position: int,
    kept: list[tuple[Array, Array]],
) -> Array:
    normed = _norm(x, of["input_layernorm.weight"])
    queries = (of["self_attn.q_proj.weight"] @ normed).reshape(sizes.heads, sizes.d)
    keys = (of["self_attn.k_proj.weight"] @ normed).reshape(sizes.kv_heads, sizes.d)
    values = (of["self_attn.v_proj.weight"] @ normed).reshape(sizes.kv_heads, sizes.d)
    kept.append((np.stack([_turn(key, position, sizes.base) for key in keys]), values))
    seen: list[Array] = []
    for head, query in enumerate(queries):
        pair = head // (sizes.heads // sizes.kv_heads)
        turned = _turn(query, position, sizes.base)
        scores = np.array([turned @ key[pair] for key, _ in kept]) / np.sqrt(sizes.d)
        shares = np.exp(scores - scores.max())
        mixed = sum(share * value[pair] for share, (_, value) in zip(shares, kept, strict=True))
        seen.append(mixed / shares.sum())
    return of["self_attn.o_proj.weight"] @ np.concatenate(seen)
