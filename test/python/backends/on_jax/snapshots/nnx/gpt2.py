"""The example gpt2 at small sizes, written by `linnet jax`."""

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array, lax
from jax.typing import ArrayLike


def _write(target: Array, value: Array, *starts: ArrayLike) -> Array:
    """Writes `value` into `target`, from `starts` on; these move so that it fits."""
    room = [size - span for size, span in zip(target.shape, value.shape, strict=True)]
    places = [jnp.clip(at, 0, most) for at, most in zip(starts, room, strict=True)]
    return lax.dynamic_update_slice(target, value, [place.astype(jnp.int32) for place in places])


class State(nnx.Variable):
    """What the model keeps from call to call."""


def embedding(ids: Array, table: Array) -> Array:
    rows = jnp.take(table, ids, axis=0, mode="clip")  # [..., 48]
    return rows


def layer_norm(x: Array, weight: Array, bias: Array, eps: float = 1e-05) -> Array:
    mean = (x / 48.0).sum(axis=-1, keepdims=True)  # [..., 1]
    centred = x - mean  # [..., 48]
    variance = (centred * centred / 48.0).sum(axis=-1, keepdims=True)  # [..., 1]
    factor = lax.rsqrt(variance + eps)  # [..., 1]
    normal = centred * factor  # [..., 48]
    scaled = normal * weight  # [..., 48]
    return scaled + bias  # [..., 48]


def linear(x: Array, weight: Array, bias: Array) -> Array:
    product = x @ weight.T  # [B, S, out]
    return product + bias  # [B, S, out]


def split_heads(x: Array) -> Array:
    B, S, _ = x.shape
    return x.reshape(B, S, 4, 12).swapaxes(1, 2)  # [B, 4, S, 12]


def causal_mask(q: int) -> Array:
    queries = jnp.arange(q, dtype=jnp.int64)  # [S]
    keys = jnp.arange(q, dtype=jnp.int64)  # [S]
    mask = keys <= queries[..., None]  # [S, S]
    return mask


def scores_of(query: Array, key: Array, scale: float) -> Array:
    products = query @ key.swapaxes(-2, -1)  # [B, 4, S, S]
    return products * scale  # [B, 4, S, S]


def mix(weights: Array, value: Array) -> Array:
    mixed = weights @ value  # [B, 4, S, 12]
    return mixed


def attention(query: Array, key: Array, value: Array, scale: float, mask: Array) -> Array:
    scores = scores_of(query, key, scale)  # [B, 4, S, S]
    seen = jnp.where(mask, scores, -1e30)  # [B, 4, S, S]
    return mix(jax.nn.softmax(seen), value)  # [B, 4, S, 12]


def join_heads(x: Array) -> Array:
    B, _, S, _ = x.shape
    return x.swapaxes(1, 2).reshape(B, S, 48)  # [B, S, 48]


def write_span(cache: Array, value: Array, at: Array) -> Array:
    S = value.shape[2]
    place = jnp.maximum(jnp.minimum(at.astype(jnp.int64), 16 - S).astype(jnp.int32), 0)
    shifted = jnp.arange(S, dtype=jnp.int32) + place  # [S]
    offsets = shifted - at  # [S]
    source = jnp.maximum(jnp.minimum(offsets, S - 1), 0)  # [S]
    inside = (offsets >= 0) & (offsets < S)  # [S]
    rows = jnp.take(value, source, axis=2, mode="clip")  # [2, 4, S, 12]
    # [2, 4, S, 12]
    chosen = jnp.where(inside[..., None], rows, jnp.take(cache, shifted, axis=2, mode="clip"))
    updated = _write(cache, chosen, 0, 0, place, 0)  # [2, 4, 16, 12]
    return updated


def write_at(cache: Array, value: Array, at: Array) -> Array:
    place = jnp.maximum(jnp.minimum(at, 15), 0)
    value = value.reshape(2, 4, 12)[:, :, None]  # [2, 4, 1, 12]
    chosen = jnp.where(place == at, value, cache[:, :, place][:, :, None])  # [2, 4, 1, 12]
    updated = _write(cache, chosen, 0, 0, place, 0)  # [2, 4, 16, 12]
    return updated


class LayerNorm(nnx.Module):
    def __init__(self) -> None:
        self.weight = nnx.Param(jnp.zeros((48,), jnp.float32))
        self.bias = nnx.Param(jnp.zeros((48,), jnp.float32))

    def __call__(self, x: Array) -> Array:
        return layer_norm(x, self.weight[...], self.bias[...])  # [..., 48]


class Conv1D(nnx.Module):
    def __init__(self, in_: int, out: int) -> None:
        self.weight = nnx.Param(jnp.zeros((in_, out), jnp.float32))
        self.bias = nnx.Param(jnp.zeros((out,), jnp.float32))

    def __call__(self, x: Array) -> Array:
        return linear(x, self.weight[...].T, self.bias[...])  # [B, S, out]


class Attention(nnx.Module):
    def __init__(self) -> None:
        self.cache_k = State(jnp.zeros((2, 4, 16, 12), jnp.float32))
        self.cache_v = State(jnp.zeros((2, 4, 16, 12), jnp.float32))
        self.qkv = Conv1D(48, 144)
        self.out = Conv1D(48, 48)

    def __call__(self, x: Array) -> Array:
        fused = self.qkv(x)  # [B, S, 144]
        query = split_heads(fused[..., :48])  # [B, 4, S, 12]
        key = split_heads(fused[..., 48:96])  # [B, 4, S, 12]
        value = split_heads(fused[..., 96:])  # [B, 4, S, 12]
        seen = attention(query, key, value, 0.28867513, causal_mask(q=x.shape[1]))  # [B, 4, S, 12]
        return self.out(join_heads(seen))  # [B, S, 48]

    def prefill(self, x: Array, pos: Array) -> Array:
        fused = self.qkv(x)  # [2, S, 144]
        query = split_heads(fused[..., :48])  # [2, 4, S, 12]
        key = split_heads(fused[..., 48:96])  # [2, 4, S, 12]
        value = split_heads(fused[..., 96:])  # [2, 4, S, 12]
        self.cache_k[...] = write_span(self.cache_k[...], key, pos)
        self.cache_v[...] = write_span(self.cache_v[...], value, pos)
        places = jnp.arange(16, dtype=jnp.int32)  # [16]
        offsets = jnp.arange(x.shape[1], dtype=jnp.int32)  # [S]
        mask = places <= (pos + offsets)[..., None]  # [S, 16]
        # [2, 4, S, 12]
        seen = attention(query, self.cache_k[...], self.cache_v[...], 0.28867513, mask)
        return self.out(join_heads(seen))  # [2, S, 48]

    def decode(self, x: Array, pos: Array) -> Array:
        fused = self.qkv(x)  # [2, 1, 144]
        query = split_heads(fused[..., :48])  # [2, 4, 1, 12]
        key = split_heads(fused[..., 48:96])  # [2, 4, 1, 12]
        value = split_heads(fused[..., 96:])  # [2, 4, 1, 12]
        self.cache_k[...] = write_at(self.cache_k[...], key, pos)
        self.cache_v[...] = write_at(self.cache_v[...], value, pos)
        places = jnp.arange(16, dtype=jnp.int32)  # [16]
        filled = places <= pos  # [16]
        mask = filled[None]  # [1, 16]
        # [2, 4, 1, 12]
        seen = attention(query, self.cache_k[...], self.cache_v[...], 0.28867513, mask)
        return self.out(join_heads(seen))  # [2, 1, 48]


class Mlp(nnx.Module):
    def __init__(self) -> None:
        self.up = Conv1D(48, 192)
        self.down = Conv1D(192, 48)

    def __call__(self, x: Array) -> Array:
        return self.down(jax.nn.gelu(self.up(x)))  # [B, S, 48]


class Block(nnx.Module):
    def __init__(self) -> None:
        self.ln_1 = LayerNorm()
        self.attn = Attention()
        self.ln_2 = LayerNorm()
        self.mlp = Mlp()

    def __call__(self, x: Array) -> Array:
        half = x + self.attn(self.ln_1(x))  # [B, S, 48]
        return half + self.mlp(self.ln_2(half))  # [B, S, 48]

    def prefill(self, x: Array, pos: Array) -> Array:
        half = x + self.attn.prefill(self.ln_1(x), pos)  # [2, S, 48]
        return half + self.mlp(self.ln_2(half))  # [2, S, 48]

    def decode(self, x: Array, pos: Array) -> Array:
        half = x + self.attn.decode(self.ln_1(x), pos)  # [2, 1, 48]
        return half + self.mlp(self.ln_2(half))  # [2, 1, 48]


class Model(nnx.Module):
    def __init__(self) -> None:
        self.wte = nnx.Param(jnp.zeros((97, 48), jnp.float32))
        self.wpe = nnx.Param(jnp.zeros((32, 48), jnp.float32))
        self.blocks = nnx.List([Block() for _ in range(3)])
        self.ln_f = LayerNorm()

    def __call__(self, tokens: Array) -> Array:
        value = embedding(tokens, self.wte[...])  # [B, S, 48]
        # [B, S, 48]
        x = value + embedding(jnp.arange(tokens.shape[1], dtype=jnp.int32), self.wpe[...])
        for block in self.blocks:
            x = block(x)  # [B, S, 48]
        final = self.ln_f(x)  # [B, S, 48]
        logits = final @ self.wte[...].T  # [B, S, 97]
        return logits

    def prefill(self, tokens: Array, pos: Array) -> Array:
        rows = pos.astype(jnp.int64) + jnp.arange(tokens.shape[1], dtype=jnp.int64)  # [S]
        places = jnp.take(self.wpe[...], rows, axis=0, mode="clip")  # [S, 48]
        x = embedding(tokens, self.wte[...]) + places  # [2, S, 48]
        for block in self.blocks:
            x = block.prefill(x, pos)  # [2, S, 48]
        final = self.ln_f(x[:, -1])  # [2, 48]
        logits = final @ self.wte[...].T  # [2, 97]
        return logits

    def decode(self, token: Array, pos: Array) -> Array:
        place = jnp.take(self.wpe[...], pos.astype(jnp.int64), axis=0, mode="clip")  # [48]
        x = embedding(token, self.wte[...]) + place  # [2, 1, 48]
        for block in self.blocks:
            x = block.decode(x, pos)  # [2, 1, 48]
        final = self.ln_f(x.reshape(2, 48))  # [2, 48]
        logits = final @ self.wte[...].T  # [2, 97]
        return logits
