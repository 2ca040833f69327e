"""The example vit at small sizes, written by `linnet jax`."""

from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax


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


def layer_norm(x: Array, weight: Array, bias: Array, eps: float = 1e-12) -> Array:
    mean = (x / 48.0).sum(axis=-1, keepdims=True)  # [B, 17, 1]
    centred = x - mean  # [B, 17, 48]
    variance = (centred * centred / 48.0).sum(axis=-1, keepdims=True)  # [B, 17, 1]
    factor = lax.rsqrt(variance + eps)  # [B, 17, 1]
    normal = centred * factor  # [B, 17, 48]
    scaled = normal * weight  # [B, 17, 48]
    return scaled + bias  # [B, 17, 48]


def linear(x: Array, weight: Array) -> Array:
    product = x @ weight.T  # [...]
    return product


def scores_of(query: Array, key: Array, scale: float) -> Array:
    products = query @ key.swapaxes(-2, -1)  # [B, 4, 17, 17]
    return products * scale  # [B, 4, 17, 17]


def mix(weights: Array, value: Array) -> Array:
    mixed = weights @ value  # [B, 4, 17, 12]
    return mixed


def attention(query: Array, key: Array, value: Array, scale: float = 0.28867513) -> Array:
    scores = scores_of(query, key, scale)  # [B, 4, 17, 17]
    return mix(jax.nn.softmax(scores), value)  # [B, 4, 17, 12]


def gelu_erf(x: Array) -> Array:
    size = jnp.abs(x)  # [B, 17, 80]
    t = 1.0 / (1.0 + 0.2316419 * size)  # [B, 17, 80]
    c4 = -1.8212559 + 1.3302745 * t  # [B, 17, 80]
    c3 = 1.7814779 + t * c4  # [B, 17, 80]
    c2 = -0.35656378 + t * c3  # [B, 17, 80]
    c1 = 0.31938154 + t * c2  # [B, 17, 80]
    upper = 1.0 - 0.3989423 * jnp.exp(-size * size / 2.0) * t * c1  # [B, 17, 80]
    below = jnp.where(x >= 0.0, upper, 1.0 - upper)  # [B, 17, 80]
    return x * below  # [B, 17, 80]


class PatchEmbedding(Module):
    def __init__(self) -> None:
        self.weight = jnp.zeros((48, 3, 4, 4), jnp.float32)
        self.bias = jnp.zeros((48,), jnp.float32)

    def __call__(self, image: Array) -> Array:
        B = image.shape[0]
        tiles = image.reshape(B, 3, 4, 4, 4, 4)  # [B, 3, 4, 4, 4, 4]
        patches = jnp.einsum("daebfc,gabc->defg", tiles, self.weight)  # [B, 4, 4, 48]
        return patches.reshape(B, 16, 48) + self.bias  # [B, 16, 48]


class LayerNorm(Module):
    def __init__(self) -> None:
        self.weight = jnp.zeros((48,), jnp.float32)
        self.bias = jnp.zeros((48,), jnp.float32)

    def __call__(self, x: Array) -> Array:
        return layer_norm(x, self.weight, self.bias)  # [B, 17, 48]


class Linear(Module):
    def __init__(self, out: int, in_: int) -> None:
        self.weight = jnp.zeros((out, in_), jnp.float32)

    def __call__(self, x: Array) -> Array:
        return linear(x, self.weight)  # [...]


class Layer(Module):
    def __init__(self) -> None:
        self.norm_before = LayerNorm()
        self.query = Linear(48, 48)
        self.key = Linear(48, 48)
        self.value = Linear(48, 48)
        self.output = Linear(48, 48)
        self.norm_after = LayerNorm()
        self.up = Linear(80, 48)
        self.down = Linear(48, 80)

    def __call__(self, x: Array) -> Array:
        normed = self.norm_before(x)  # [B, 17, 48]
        query = self.heads(self.query(normed))  # [B, 4, 17, 12]
        # [B, 4, 17, 12]
        seen = attention(query, self.heads(self.key(normed)), self.heads(self.value(normed)))
        half = x + self.output(seen.swapaxes(1, 2).reshape(x.shape[0], 17, 48))  # [B, 17, 48]
        return half + self.down(gelu_erf(self.up(self.norm_after(half))))  # [B, 17, 48]

    def heads(self, x: Array) -> Array:
        return x.reshape(x.shape[0], 17, 4, 12).swapaxes(1, 2)  # [B, 4, 17, 12]


class Model(Module):
    def __init__(self) -> None:
        self.class_token = jnp.zeros((1, 1, 48), jnp.float32)
        self.positions = jnp.zeros((1, 17, 48), jnp.float32)
        self.patches = PatchEmbedding()
        self.layers = [Layer() for _ in range(3)]
        self.norm = LayerNorm()
        self.classifier = Linear(10, 48)

    def __call__(self, image: Array) -> Array:
        return self.classifier(self.encode(image)[:, 0])  # [B, 10]

    def encode(self, image: Array) -> Array:
        first = self.class_token  # [1, 1, 48]
        # [B, 17, 48]
        joined = jnp.concatenate(
            [jnp.broadcast_to(first, (image.shape[0], 1, 48)), self.patches(image)], axis=1
        )
        x = joined + self.positions  # [B, 17, 48]
        for layer in self.layers:
            x = layer(x)  # [B, 17, 48]
        return self.norm(x)  # [B, 17, 48]

    def features(self, image: Array) -> Array:
        return self.encode(image)[:, 0]  # [B, 48]
