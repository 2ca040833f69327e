"""The example llama at small sizes, written by `linnet jax`."""

from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax
from jax.typing import ArrayLike


def _write(target: Array, value: Array, *starts: ArrayLike) -> Array:
    """Writes `value` into `target`, from `starts` on; these move so that it fits."""
    room = [size - span for size, span in zip(target.shape, value.shape, strict=True)]
    places = [jnp.clip(at, 0, most) for at, most in zip(starts, room, strict=True)]
    return lax.dynamic_update_slice(target, value, [place.astype(jnp.int32) for place in places])


class Module:
    """A pytree: arrays, modules and lists of modules are its children, all else is static."""

    def __init_subclass__(cls) -> None:
        jax.tree_util.register_pytree_with_keys(cls, cls._flatten, cls._unflatten)

    def _flatten(self) -> tuple[list[tuple[jax.tree_util.GetAttrKey, Any]], tuple[Any, ...]]:
        fields = vars(self)
        static = {name: value for name, value in fields.items() if isinstance(value, int)}
        names = [name for name in fields if name not in static]
        children = [(jax.tree_util.GetAttrKey(name), fields[name]) for name in names]
        return children, (tuple(names), tuple(static.items()))

    @classmethod
    def _unflatten(cls, static: tuple[Any, ...], children: Iterable[Any]) -> "Module":
        module = object.__new__(cls)
        vars(module).update(zip(static[0], children, strict=True))
        vars(module).update(static[1])
        return module


def embedding(ids: Array, table: Array) -> Array:
    rows = jnp.take(table, ids, axis=0, mode="clip")  # [B, S, 48]
    return rows


def rms_norm(x: Array, weight: Array, eps: float = 1e-05) -> Array:
    mean_square = (x * x / 48.0).sum(axis=-1, keepdims=True)  # [..., 1]
    factor = lax.rsqrt(mean_square + eps)  # [..., 1]
    normal = x * factor  # [..., 48]
    return normal * weight  # [..., 48]


def angles(positions: Array) -> Array:
    exponents = jnp.arange(6, dtype=jnp.float32) * 2.0 / 12.0  # [6]
    speeds = jnp.exp(-exponents * 9.2103405)  # [6]
    half = positions.astype(jnp.float32)[..., None] * speeds  # [S, 6]
    return jnp.concatenate([half, half], axis=-1)  # [S, 12]


def linear(x: Array, weight: Array) -> Array:
    product = x @ weight.T  # [...]
    return product


def split_heads(x: Array, n: int) -> Array:
    B, S, _ = x.shape
    return x.reshape(B, S, n, 12).swapaxes(1, 2)  # [B, n, S, 12]


def rotate_half(x: Array) -> Array:
    return jnp.concatenate([-x[..., 6:], x[..., :6]], axis=-1)  # [B, _, S, 12]


def rope(x: Array, cos_table: Array, sin_table: Array) -> Array:
    return x * cos_table + rotate_half(x) * sin_table  # [B, h, S, 12]


def causal_mask(q: int) -> Array:
    queries = jnp.arange(q, dtype=jnp.int64)  # [S]
    keys = jnp.arange(q, dtype=jnp.int64)  # [S]
    mask = keys <= queries[..., None]  # [S, S]
    return mask


def grouped_scores(query: Array, key: Array, scale: float) -> Array:
    B, _, S, _ = query.shape
    runs = query.reshape(B, 2, 2, S, 12)  # [B, 2, 2, S, 12]
    products = jnp.einsum("abdec,abfc->abdef", runs, key)  # [B, 2, 2, S, S_1]
    return (products * scale).reshape(B, 4, S, key.shape[2])  # [B, 4, S, S_1]


def grouped_mix(weights: Array, value: Array) -> Array:
    B, _, S, S_1 = weights.shape
    runs = weights.reshape(B, 2, 2, S, S_1)  # [B, 2, 2, S, S_1]
    mixed = jnp.einsum("abdec,abcf->abdef", runs, value)  # [B, 2, 2, S, 12]
    return mixed.reshape(B, 4, S, 12)  # [B, 4, S, 12]


def grouped_attention(query: Array, key: Array, value: Array, scale: float, mask: Array) -> Array:
    scores = grouped_scores(query, key, scale)  # [B, 4, S, S]
    seen = jnp.where(mask, scores, -1e30)  # [B, 4, S, S]
    return grouped_mix(jax.nn.softmax(seen), value)  # [B, 4, S, 12]


def write_span(cache: Array, value: Array, at: Array) -> Array:
    S = value.shape[2]
    offsets = jnp.arange(16, dtype=jnp.int32) - at  # [16]
    inside = (offsets >= 0) & (offsets < S)  # [16]
    source = jnp.maximum(jnp.minimum(offsets, S - 1), 0)  # [16]
    # [2, 2, 16, 12]
    updated = jnp.where(inside[..., None], jnp.take(value, source, axis=2, mode="clip"), cache)
    return updated


def write_span_1(cache: Array, value: Array, at: Array) -> Array:
    place = jnp.maximum(jnp.minimum(at, 15), 0)
    offsets = place - at
    inside = (offsets >= 0) & (offsets < 1)
    rows = jnp.take(value, jnp.zeros((1,), jnp.int32), axis=2, mode="clip")  # [2, 2, 1, 12]
    chosen = jnp.where(inside, rows, cache[:, :, place][:, :, None])  # [2, 2, 1, 12]
    updated = _write(cache, chosen, 0, 0, place, 0)  # [2, 2, 16, 12]
    return updated


class Embedding(Module):
    def __init__(self) -> None:
        self.weight = jnp.zeros((97, 48), jnp.float32)

    def __call__(self, ids: Array) -> Array:
        return embedding(ids, self.weight)  # [B, S, 48]


class RmsNorm(Module):
    def __init__(self) -> None:
        self.weight = jnp.zeros((48,), jnp.float32)

    def __call__(self, x: Array) -> Array:
        return rms_norm(x, self.weight)  # [..., 48]


class Linear(Module):
    def __init__(self, out: int, in_: int) -> None:
        self.weight = jnp.zeros((out, in_), jnp.float32)

    def __call__(self, x: Array) -> Array:
        return linear(x, self.weight)  # [B, S, out]


class Attention(Module):
    def __init__(self) -> None:
        self.cache_k = jnp.zeros((2, 2, 16, 12), jnp.float32)
        self.cache_v = jnp.zeros((2, 2, 16, 12), jnp.float32)
        self.q_proj = Linear(48, 48)
        self.k_proj = Linear(24, 48)
        self.v_proj = Linear(24, 48)
        self.o_proj = Linear(48, 48)

    def __call__(self, x: Array) -> Array:
        B, S, _ = x.shape
        turns = angles(jnp.arange(S, dtype=jnp.int32))  # [S, 12]
        cosines = jnp.cos(turns)  # [S, 12]
        sines = jnp.sin(turns)  # [S, 12]
        query = rope(split_heads(self.q_proj(x), n=4), cosines, sines)  # [B, 4, S, 12]
        key = rope(split_heads(self.k_proj(x), n=2), cosines, sines)  # [B, 2, S, 12]
        value = split_heads(self.v_proj(x), n=2)  # [B, 2, S, 12]
        seen = grouped_attention(query, key, value, 0.28867513, causal_mask(q=S))  # [B, 4, S, 12]
        return self.o_proj(seen.swapaxes(1, 2).reshape(B, S, 48))  # [B, S, 48]

    def extend(self, x: Array, pos: Array) -> Array:
        S = x.shape[1]
        positions = jnp.arange(S, dtype=jnp.int32) + pos  # [S]
        turns = angles(positions)  # [S, 12]
        cosines = jnp.cos(turns)  # [S, 12]
        sines = jnp.sin(turns)  # [S, 12]
        query = rope(split_heads(self.q_proj(x), n=4), cosines, sines)  # [2, 4, S, 12]
        key = rope(split_heads(self.k_proj(x), n=2), cosines, sines)  # [2, 2, S, 12]
        value = split_heads(self.v_proj(x), n=2)  # [2, 2, S, 12]
        self.cache_k = write_span(self.cache_k, key, pos)
        self.cache_v = write_span(self.cache_v, value, pos)
        places = jnp.arange(16, dtype=jnp.int32)  # [16]
        mask = places <= positions[..., None]  # [S, 16]
        # [2, 4, S, 12]
        seen = grouped_attention(query, self.cache_k, self.cache_v, 0.28867513, mask)
        return self.o_proj(seen.swapaxes(1, 2).reshape(2, S, 48))  # [2, S, 48]

    def extend_1(self, x: Array, pos: Array) -> Array:
        positions = jnp.arange(1, dtype=jnp.int32) + pos  # [1]
        turns = angles(positions)  # [1, 12]
        cosines = jnp.cos(turns)  # [1, 12]
        sines = jnp.sin(turns)  # [1, 12]
        query = rope(split_heads(self.q_proj(x), n=4), cosines, sines)  # [2, 4, 1, 12]
        key = rope(split_heads(self.k_proj(x), n=2), cosines, sines)  # [2, 2, 1, 12]
        value = split_heads(self.v_proj(x), n=2)  # [2, 2, 1, 12]
        self.cache_k = write_span_1(self.cache_k, key, pos)
        self.cache_v = write_span_1(self.cache_v, value, pos)
        places = jnp.arange(16, dtype=jnp.int32)  # [16]
        mask = places <= positions[..., None]  # [1, 16]
        # [2, 4, 1, 12]
        seen = grouped_attention(query, self.cache_k, self.cache_v, 0.28867513, mask)
        return self.o_proj(seen.swapaxes(1, 2).reshape(2, 1, 48))  # [2, 1, 48]


class Mlp(Module):
    def __init__(self) -> None:
        self.gate_proj = Linear(80, 48)
        self.up_proj = Linear(80, 48)
        self.down_proj = Linear(48, 80)

    def __call__(self, x: Array) -> Array:
        return self.down_proj(jax.nn.silu(self.gate_proj(x)) * self.up_proj(x))  # [B, S, 48]


class Layer(Module):
    def __init__(self) -> None:
        self.input_layernorm = RmsNorm()
        self.self_attn = Attention()
        self.post_attention_layernorm = RmsNorm()
        self.mlp = Mlp()

    def __call__(self, x: Array) -> Array:
        half = x + self.self_attn(self.input_layernorm(x))  # [B, S, 48]
        return half + self.mlp(self.post_attention_layernorm(half))  # [B, S, 48]

    def extend(self, x: Array, pos: Array) -> Array:
        half = x + self.self_attn.extend(self.input_layernorm(x), pos)  # [2, S, 48]
        return half + self.mlp(self.post_attention_layernorm(half))  # [2, S, 48]

    def extend_1(self, x: Array, pos: Array) -> Array:
        half = x + self.self_attn.extend_1(self.input_layernorm(x), pos)  # [2, 1, 48]
        return half + self.mlp(self.post_attention_layernorm(half))  # [2, 1, 48]


class Decoder(Module):
    def __init__(self) -> None:
        self.embed_tokens = Embedding()
        self.layers = [Layer() for _ in range(3)]
        self.norm = RmsNorm()

    def __call__(self, tokens: Array) -> Array:
        x = self.embed_tokens(tokens)  # [B, S, 48]
        for layer in self.layers:
            x = layer(x)  # [B, S, 48]
        return self.norm(x)  # [B, S, 48]

    def extend(self, tokens: Array, pos: Array) -> Array:
        x = self.embed_tokens(tokens)  # [2, S, 48]
        for layer in self.layers:
            x = layer.extend(x, pos)  # [2, S, 48]
        return self.norm(x[:, -1])  # [2, 48]

    def extend_1(self, tokens: Array, pos: Array) -> Array:
        x = self.embed_tokens(tokens)  # [2, 1, 48]
        for layer in self.layers:
            x = layer.extend_1(x, pos)  # [2, 1, 48]
        return self.norm(x.reshape(2, 48))  # [2, 48]


class Model(Module):
    def __init__(self) -> None:
        self.model = Decoder()

    def __call__(self, tokens: Array) -> Array:
        return self.logits(self.model(tokens))  # [B, S, 97]

    def logits(self, hidden: Array) -> Array:
        return linear(hidden, self.model.embed_tokens.weight)  # [..., 97]

    def prefill(self, tokens: Array, pos: Array) -> Array:
        return self.logits(self.model.extend(tokens, pos))  # [2, 97]

    def decode(self, token: Array, pos: Array) -> Array:
        return self.logits(self.model.extend_1(token, pos))  # [2, 97]
