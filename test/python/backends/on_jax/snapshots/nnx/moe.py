"""The example moe at small sizes, written by `linnet jax`."""

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array


def linear(x: Array, weight: Array) -> Array:
    product = x @ weight.T  # [R, 8]
    return product


def top(scores: Array) -> tuple[Array, Array]:
    places = jnp.arange(8, dtype=jnp.int64)  # [8]
    mask = scores[:, None] == scores[..., None]  # [R, 8, 8]
    mask_1 = scores[:, None] > scores[..., None]  # [R, 8, 8]
    value = mask_1 | mask & (places < places[..., None])  # [R, 8, 8]
    ranks = jnp.where(value, jnp.asarray(1, jnp.int64), 0).sum(axis=-1, dtype=jnp.int64)  # [R, 8]
    wanted = jnp.arange(2, dtype=jnp.int64)  # [2]
    chosen = jnp.where(ranks[:, None] == wanted[..., None], places, 0)  # [R, 2, 8]
    chosen = chosen.sum(axis=-1, dtype=jnp.int64)  # [R, 2]
    scaled = jnp.arange(scores.shape[0], dtype=jnp.int64)[..., None] * 8  # [R, 1]
    shifted = scaled + jnp.maximum(jnp.minimum(chosen, 7), 0)  # [R, 2]
    values = jnp.take(scores.reshape(-1), shifted, axis=0, mode="clip")  # [R, 2]
    return values, chosen


def through_each(x: Array, weight: Array, experts: Array) -> Array:
    carried = jnp.asarray(0, jnp.int64)
    product = jnp.zeros((x.shape[0], 2, weight.shape[1]), jnp.float32)
    while carried < 8:
        own = jnp.take(weight, carried, axis=0, mode="clip")  # [out, in_]
        through = x @ own.T  # [B * S, 2, out]
        kept = jnp.where((experts == carried)[..., None], through, product)  # [B * S, 2, out]
        carried = carried + 1
        product = kept
    return product


def through_its_own(x: Array, weight: Array, experts: Array) -> Array:
    # [B * S, 2, out]
    product = jnp.einsum("abc,abdc->abd", x, jnp.take(weight, experts, axis=0, mode="clip"))
    return product


def linear_experts(x: Array, weight: Array, experts: Array) -> Array:
    if jnp.asarray(2 * x.shape[0], jnp.int64) > 8:
        chosen = through_each(x, weight, experts)
    else:
        chosen = through_its_own(x, weight, experts)
    return chosen


class Linear(nnx.Module):
    def __init__(self) -> None:
        self.weight = nnx.Param(jnp.zeros((8, 24), jnp.float32))

    def __call__(self, x: Array) -> Array:
        return linear(x, self.weight[...])  # [R, 8]


class Experts(nnx.Module):
    def __init__(self) -> None:
        self.gate = nnx.Param(jnp.zeros((8, 40, 24), jnp.float32))
        self.up = nnx.Param(jnp.zeros((8, 40, 24), jnp.float32))
        self.down = nnx.Param(jnp.zeros((8, 24, 40), jnp.float32))

    def __call__(self, x: Array, chosen: Array) -> Array:
        r = x.shape[0]
        copies = x[:, None]  # [B * S, 1, 24]
        # [B * S, 2, 40]
        x = linear_experts(jnp.broadcast_to(copies, (r, 2, 24)), self.gate[...], chosen)
        # [B * S, 2, 40]
        value = linear_experts(jnp.broadcast_to(copies, (r, 2, 24)), self.up[...], chosen)
        inner = jax.nn.silu(x) * value  # [B * S, 2, 40]
        return linear_experts(inner, self.down[...], chosen)  # [B * S, 2, 24]


class Model(nnx.Module):
    def __init__(self) -> None:
        self.router = Linear()
        self.experts = Experts()

    def __call__(self, x: Array) -> Array:
        B, S, _ = x.shape
        tokens = x.reshape(B * S, 24)  # [B * S, 24]
        scores = jax.nn.softmax(self.router(tokens))  # [B * S, 8]
        weights, chosen = top(scores)
        answers = self.experts(tokens, chosen)  # [B * S, 2, 24]
        # [B * S, 24]
        mixed = jnp.einsum("ab,abc->ac", weights / weights.sum(axis=-1, keepdims=True), answers)
        return mixed.reshape(B, S, 24)  # [B, S, 24]

    def route(self, tokens: Array) -> Array:
        _, chosen = top(jax.nn.softmax(self.router(tokens)))
        return chosen
