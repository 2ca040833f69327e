"""The example resnet at small sizes, written by `linnet jax`."""

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array, lax


class Buffer(nnx.Variable):
    """A constant of the model, loaded with its weights and not trained."""


def conv2d_rect(x: Array, weight: Array) -> Array:
    B, _, H, W = x.shape
    size = H * W + 2 * H + 2 * W + 4
    # [B, 3, H + 2, W]
    tall = jnp.concatenate(
        [jnp.zeros((B, 3, 1, W), jnp.float32), x, jnp.zeros((B, 3, 1, W), jnp.float32)], axis=2
    )
    # [B, 3, H + 2, W + 2]
    padded = jnp.concatenate(
        [jnp.zeros((B, 3, H + 2, 1), jnp.float32), tall, jnp.zeros((B, 3, H + 2, 1), jnp.float32)],
        axis=-1,
    )
    down = jnp.arange(3, dtype=jnp.int64)  # [3]
    across = jnp.arange(3, dtype=jnp.int64)  # [3]
    tops = jnp.arange(H, dtype=jnp.int64)  # [H]
    lefts = jnp.arange(W, dtype=jnp.int64)  # [W]
    rows = tops[..., None] + down  # [H, 3]
    columns = lefts[..., None] + across  # [W, 3]
    scaled = jnp.minimum(rows, H + 1)[..., None, :, None] * (W + 2)  # [H, 1, 3, 1]
    parts = padded.transpose(2, 3, 0, 1).reshape(size, B, 3)  # [H * W + 2 * H + 2 * W + 4, B, 3]
    # [H, W, 3, 3, B, 3]
    rows = jnp.take(parts, scaled + jnp.minimum(columns, W + 1)[:, None], axis=0, mode="clip")
    # [B, H, W, 8]
    product = jnp.einsum("defabc,gabc->defg", rows.transpose(4, 0, 1, 5, 2, 3), weight)
    product = product.transpose(0, 3, 1, 2)  # [B, 8, H, W]
    return product


def conv2d_rect_1(
    x: Array, weight: Array, size: int, size_1: int, size_2: int, size_3: int, size_4: int
) -> Array:
    B, cin, h, w = x.shape
    # [B, cin, size, w]
    tall = jnp.concatenate(
        [jnp.zeros((B, cin, 1, w), jnp.float32), x, jnp.zeros((B, cin, 1, w), jnp.float32)], axis=2
    )
    # [B, cin, size, size_2]
    padded = jnp.concatenate(
        [
            jnp.zeros((B, cin, size, 1), jnp.float32),
            tall,
            jnp.zeros((B, cin, size, 1), jnp.float32),
        ],
        axis=-1,
    )
    down = jnp.arange(3, dtype=jnp.int64)  # [3]
    across = jnp.arange(3, dtype=jnp.int64)  # [3]
    tops = jnp.arange(h, dtype=jnp.int64)  # [h]
    lefts = jnp.arange(w, dtype=jnp.int64)  # [w]
    rows = tops[..., None] + down  # [h, 3]
    columns = lefts[..., None] + across  # [w, 3]
    scaled = jnp.minimum(rows, size_1)[..., None, :, None] * size_2  # [h, 1, 3, 1]
    turned = padded.transpose(2, 3, 0, 1)  # [size, size_2, B, cin]
    parts = turned.reshape(size_3, B, cin)  # [size_3, B, cin]
    shifted = scaled + jnp.minimum(columns, size_4)[:, None]  # [h, w, 3, 3]
    # [B, h, w, cin, 3, 3]
    turned = jnp.take(parts, shifted, axis=0, mode="clip").transpose(4, 0, 1, 5, 2, 3)
    # [B, cin, h, w]
    product = jnp.einsum("defabc,gabc->defg", turned, weight).transpose(0, 3, 1, 2)
    return product


def conv2d_rect_2(
    x: Array,
    weight: Array,
    size: int,
    size_1: int,
    size_2: int,
    size_3: int,
    size_4: int,
    size_5: int,
    size_6: int,
) -> Array:
    B, cin, _, w = x.shape
    _, _, kh_1, kh = weight.shape
    # [B, cin, size, w]
    tall = jnp.concatenate(
        [
            jnp.zeros((B, cin, kh // 2, w), jnp.float32),
            x,
            jnp.zeros((B, cin, kh // 2, w), jnp.float32),
        ],
        axis=2,
    )
    # [B, cin, size, size_4]
    padded = jnp.concatenate(
        [
            jnp.zeros((B, cin, size, kh // 2), jnp.float32),
            tall,
            jnp.zeros((B, cin, size, kh // 2), jnp.float32),
        ],
        axis=-1,
    )
    down = jnp.arange(kh_1, dtype=jnp.int64)  # [kh_1]
    across = jnp.arange(kh_1, dtype=jnp.int64)  # [kh_1]
    tops = jnp.arange(size_1, dtype=jnp.int64) * 2  # [size_1]
    lefts = jnp.arange(size_2, dtype=jnp.int64) * 2  # [size_2]
    rows = tops[..., None] + down  # [size_1, kh_1]
    columns = lefts[..., None] + across  # [size_2, kh_1]
    scaled = jnp.minimum(rows, size_3)[..., None, :, None] * size_4  # [size_1, 1, kh_1, 1]
    turned = padded.transpose(2, 3, 0, 1)  # [size, size_4, B, cin]
    parts = turned.reshape(size_5, B, cin)  # [size_5, B, cin]
    shifted = scaled + jnp.minimum(columns, size_6)[:, None]  # [size_1, size_2, kh_1, kh_1]
    # [B, size_1, size_2, cin, kh_1, kh_1]
    turned = jnp.take(parts, shifted, axis=0, mode="clip").transpose(4, 0, 1, 5, 2, 3)
    # [B, cout, size_1, size_2]
    product = jnp.einsum("defabc,gabc->defg", turned, weight).transpose(0, 3, 1, 2)
    return product


def conv2d_rect_3(
    x: Array, weight: Array, size: int, size_1: int, size_2: int, size_3: int, size_4: int
) -> Array:
    B, _, h, w = x.shape
    # [B, 32, (H - 1) / 2 / 2 / 2 + 3, (W - 1) / 2 / 2 / 2 + 1]
    tall = jnp.concatenate(
        [jnp.zeros((B, 32, 1, w), jnp.float32), x, jnp.zeros((B, 32, 1, w), jnp.float32)], axis=2
    )
    # [B, 32, (H - 1) / 2 / 2 / 2 + 3, (W - 1) / 2 / 2 / 2 + 3]
    padded = jnp.concatenate(
        [jnp.zeros((B, 32, size, 1), jnp.float32), tall, jnp.zeros((B, 32, size, 1), jnp.float32)],
        axis=-1,
    )
    down = jnp.arange(3, dtype=jnp.int64)  # [3]
    across = jnp.arange(3, dtype=jnp.int64)  # [3]
    tops = jnp.arange(h, dtype=jnp.int64)  # [(H - 1) / 2 / 2 / 2 + 1]
    lefts = jnp.arange(w, dtype=jnp.int64)  # [(W - 1) / 2 / 2 / 2 + 1]
    rows = tops[..., None] + down  # [(H - 1) / 2 / 2 / 2 + 1, 3]
    columns = lefts[..., None] + across  # [(W - 1) / 2 / 2 / 2 + 1, 3]
    value = jnp.minimum(rows, size_1)[..., None, :, None]  # [(H - 1) / 2 / 2 / 2 + 1, 1, 3, 1]
    scaled = value * size_2  # [(H - 1) / 2 / 2 / 2 + 1, 1, 3, 1]
    # [(H - 1) / 2 / 2 / 2 + 3, (W - 1) / 2 / 2 / 2 + 3, B, 32]
    turned = padded.transpose(2, 3, 0, 1)
    # [((H - 1) / 2 / 2 / 2) * ((W - 1) / 2 / 2 / 2) + 3 * ((H - 1) / 2 / 2 / 2) + 3 * ((W - 1) / 2 / 2 / 2) + 9, B, 32]
    parts = turned.reshape(size_3, B, 32)
    # [(H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1, 3, 3]
    shifted = scaled + jnp.minimum(columns, size_4)[:, None]
    # [B, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1, 32, 3, 3]
    turned = jnp.take(parts, shifted, axis=0, mode="clip").transpose(4, 0, 1, 5, 2, 3)
    # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
    product = jnp.einsum("defabc,gabc->defg", turned, weight).transpose(0, 3, 1, 2)
    return product


def conv2d(x: Array, weight: Array) -> Array:
    return conv2d_rect(x, weight)  # [B, 8, H, W]


def conv2d_1(
    x: Array, weight: Array, size_5: int, size_6: int, size_7: int, size_8: int, size_9: int
) -> Array:
    # [B, cin, h, w]
    return conv2d_rect_1(
        x, weight, size=size_5, size_1=size_6, size_2=size_7, size_3=size_8, size_4=size_9
    )


def conv2d_2(
    x: Array,
    weight: Array,
    size_7: int,
    size_8: int,
    size_9: int,
    size_10: int,
    size_11: int,
    size_12: int,
    size_13: int,
) -> Array:
    # [B, cout, size_8, size_9]
    return conv2d_rect_2(
        x,
        weight,
        size=size_7,
        size_1=size_8,
        size_2=size_9,
        size_3=size_10,
        size_4=size_11,
        size_5=size_12,
        size_6=size_13,
    )


def conv2d_3(
    x: Array, weight: Array, size_5: int, size_6: int, size_7: int, size_8: int, size_9: int
) -> Array:
    # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
    return conv2d_rect_3(
        x, weight, size=size_5, size_1=size_6, size_2=size_7, size_3=size_8, size_4=size_9
    )


def batch_norm(
    x: Array, mean: Array, variance: Array, weight: Array, bias: Array, eps: float = 1e-05
) -> Array:
    factor = lax.rsqrt(variance + eps)  # [c]
    scaled = (x - mean[..., None, None]) * factor[..., None, None]  # [B, c, H, W]
    normal = scaled * weight[..., None, None] + bias[..., None, None]  # [B, c, H, W]
    return normal


def max_pool2d(x: Array) -> Array:
    B, _, H, W = x.shape
    size = H * W + 2 * H + 2 * W + 4
    # [B, 8, H + 2, W]
    tall = jnp.concatenate(
        [jnp.full((B, 8, 1, W), -1e30, jnp.float32), x, jnp.full((B, 8, 1, W), -1e30, jnp.float32)],
        axis=2,
    )
    # [B, 8, H + 2, W + 2]
    padded = jnp.concatenate(
        [
            jnp.full((B, 8, H + 2, 1), -1e30, jnp.float32),
            tall,
            jnp.full((B, 8, H + 2, 1), -1e30, jnp.float32),
        ],
        axis=-1,
    )
    window = jnp.arange(3, dtype=jnp.int64)  # [3]
    tops = jnp.arange(((H - 1) // 2 + 1), dtype=jnp.int64) * 2  # [(H - 1) / 2 + 1]
    lefts = jnp.arange(((W - 1) // 2 + 1), dtype=jnp.int64) * 2  # [(W - 1) / 2 + 1]
    rows = tops[..., None] + window  # [(H - 1) / 2 + 1, 3]
    columns = lefts[..., None] + window  # [(W - 1) / 2 + 1, 3]
    scaled = jnp.minimum(rows, H + 1)[..., None, :, None] * (W + 2)  # [(H - 1) / 2 + 1, 1, 3, 1]
    parts = padded.transpose(2, 3, 0, 1).reshape(size, B, 8)  # [H * W + 2 * H + 2 * W + 4, B, 8]
    # [(H - 1) / 2 + 1, (W - 1) / 2 + 1, 3, 3, B, 8]
    rows = jnp.take(parts, scaled + jnp.minimum(columns, W + 1)[:, None], axis=0, mode="clip")
    # [B, 8, (H - 1) / 2 + 1, (W - 1) / 2 + 1]
    highest = rows.transpose(4, 5, 0, 1, 2, 3).max(axis=(-2, -1))
    return highest


def global_average_pool2d(x: Array, size: int) -> Array:
    share = x / size  # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
    mean = share.sum(axis=(-2, -1))  # [B, 32]
    return mean


def linear(x: Array, weight: Array) -> Array:
    product = x @ weight.T  # [B, 10]
    return product


class Conv2d(nnx.Module):
    def __init__(self, cout: int, cin: int, k: int) -> None:
        self.weight = nnx.Param(jnp.zeros((cout, cin, k, k), jnp.float32))

    def __call__(self, x: Array) -> Array:
        return conv2d(x, self.weight[...])  # [B, 8, H, W]

    def forward_1(
        self, x: Array, size: int, size_1: int, size_2: int, size_3: int, size_4: int
    ) -> Array:
        # [B, cin, h, w]
        return conv2d_1(
            x,
            self.weight[...],
            size_5=size,
            size_6=size_1,
            size_7=size_2,
            size_8=size_3,
            size_9=size_4,
        )

    def forward_2(
        self,
        x: Array,
        size: int,
        size_1: int,
        size_2: int,
        size_3: int,
        size_4: int,
        size_5: int,
        size_6: int,
    ) -> Array:
        # [B, cout, size_1, size_2]
        return conv2d_2(
            x,
            self.weight[...],
            size_7=size,
            size_8=size_1,
            size_9=size_2,
            size_10=size_3,
            size_11=size_4,
            size_12=size_5,
            size_13=size_6,
        )

    def forward_3(
        self, x: Array, size: int, size_1: int, size_2: int, size_3: int, size_4: int
    ) -> Array:
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        return conv2d_3(
            x,
            self.weight[...],
            size_5=size,
            size_6=size_1,
            size_7=size_2,
            size_8=size_3,
            size_9=size_4,
        )


class BatchNorm(nnx.Module):
    def __init__(self, c: int) -> None:
        self.weight = nnx.Param(jnp.zeros((c,), jnp.float32))
        self.bias = nnx.Param(jnp.zeros((c,), jnp.float32))
        self.running_mean = Buffer(jnp.zeros((c,), jnp.float32))
        self.running_var = Buffer(jnp.zeros((c,), jnp.float32))

    def __call__(self, x: Array) -> Array:
        # [B, c, H, W]
        return batch_norm(
            x, self.running_mean[...], self.running_var[...], self.weight[...], self.bias[...]
        )


class Linear(nnx.Module):
    def __init__(self) -> None:
        self.weight = nnx.Param(jnp.zeros((10, 32), jnp.float32))

    def __call__(self, x: Array) -> Array:
        return linear(x, self.weight[...])  # [B, 10]


class Same(nnx.Module):
    def __init__(self, c: int) -> None:
        self.conv1 = Conv2d(cout=c, cin=c, k=3)
        self.bn1 = BatchNorm(c)
        self.conv2 = Conv2d(cout=c, cin=c, k=3)
        self.bn2 = BatchNorm(c)

    def __call__(
        self, x: Array, size_5: int, size_6: int, size_7: int, size_8: int, size_9: int
    ) -> Array:
        # [B, c, h, w]
        x_1 = self.conv1.forward_1(
            x, size=size_5, size_1=size_6, size_2=size_7, size_3=size_8, size_4=size_9
        )
        first = jax.nn.relu(self.bn1(x_1))  # [B, c, h, w]
        # [B, c, h, w]
        x_1 = self.conv2.forward_1(
            first, size=size_5, size_1=size_6, size_2=size_7, size_3=size_8, size_4=size_9
        )
        return jax.nn.relu(x + self.bn2(x_1))  # [B, c, h, w]

    def forward_1(
        self, x: Array, size_5: int, size_6: int, size_7: int, size_8: int, size_9: int
    ) -> Array:
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        x_1 = self.conv1.forward_3(
            x, size=size_5, size_1=size_6, size_2=size_7, size_3=size_8, size_4=size_9
        )
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        first = jax.nn.relu(self.bn1(x_1))
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        x_1 = self.conv2.forward_3(
            first, size=size_5, size_1=size_6, size_2=size_7, size_3=size_8, size_4=size_9
        )
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        return jax.nn.relu(x + self.bn2(x_1))


class Down(nnx.Module):
    def __init__(self, cout: int, cin: int) -> None:
        self.conv1 = Conv2d(cout=cout, cin=cin, k=3)
        self.bn1 = BatchNorm(cout)
        self.conv2 = Conv2d(cout=cout, cin=cout, k=3)
        self.bn2 = BatchNorm(cout)
        self.shortcut = Conv2d(cout=cout, cin=cin, k=1)
        self.shortcut_bn = BatchNorm(cout)

    def __call__(
        self,
        x: Array,
        size_7: int,
        size_8: int,
        size_9: int,
        size_10: int,
        size_11: int,
        size_12: int,
        size_13: int,
        size_14: int,
        size_15: int,
        size_16: int,
        size_17: int,
        size_18: int,
        size_19: int,
        size_20: int,
        size_21: int,
    ) -> Array:
        _, _, h, w = x.shape
        # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        x_1 = self.conv1.forward_2(
            x,
            size=size_7,
            size_1=size_8,
            size_2=size_9,
            size_3=size_10,
            size_4=size_11,
            size_5=size_12,
            size_6=size_13,
        )
        first = jax.nn.relu(self.bn1(x_1))  # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        x = self.shortcut.forward_2(
            x,
            size=h,
            size_1=size_8,
            size_2=size_9,
            size_3=size_14,
            size_4=w,
            size_5=size_15,
            size_6=size_16,
        )
        beside = self.shortcut_bn(x)  # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        x = self.conv2.forward_1(
            first, size=size_17, size_1=size_18, size_2=size_19, size_3=size_20, size_4=size_21
        )
        # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        return jax.nn.relu(beside + self.bn2(x))

    def forward_1(
        self,
        x: Array,
        size_7: int,
        size_8: int,
        size_9: int,
        size_10: int,
        size_11: int,
        size_12: int,
        size_13: int,
        size_14: int,
        size_15: int,
        size_16: int,
        size_17: int,
        size_18: int,
        size_19: int,
        size_20: int,
        size_21: int,
    ) -> Array:
        _, _, h, w = x.shape
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        x_1 = self.conv1.forward_2(
            x,
            size=size_7,
            size_1=size_8,
            size_2=size_9,
            size_3=size_10,
            size_4=size_11,
            size_5=size_12,
            size_6=size_13,
        )
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        first = jax.nn.relu(self.bn1(x_1))
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        x = self.shortcut.forward_2(
            x,
            size=h,
            size_1=size_8,
            size_2=size_9,
            size_3=size_14,
            size_4=w,
            size_5=size_15,
            size_6=size_16,
        )
        beside = self.shortcut_bn(x)  # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        x = self.conv2.forward_3(
            first, size=size_17, size_1=size_18, size_2=size_19, size_3=size_20, size_4=size_21
        )
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        return jax.nn.relu(beside + self.bn2(x))


class Stage(nnx.Module):
    def __init__(self, cout: int, cin: int) -> None:
        self.down = Down(cout, cin)
        self.rest = nnx.List([Same(cout) for _ in range(2)])

    def __call__(
        self,
        x: Array,
        size: int,
        size_1: int,
        size_2: int,
        size_3: int,
        size_4: int,
        size_22: int,
        size_23: int,
        size_24: int,
        size_25: int,
        size_26: int,
        size_27: int,
        size_28: int,
        size_29: int,
        size_30: int,
        size_31: int,
    ) -> Array:
        # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        y = self.down(
            x,
            size_7=size,
            size_8=size_1,
            size_9=size_2,
            size_10=size_3,
            size_11=size_4,
            size_12=size_22,
            size_13=size_23,
            size_14=size_24,
            size_15=size_25,
            size_16=size_26,
            size_17=size_27,
            size_18=size_28,
            size_19=size_29,
            size_20=size_30,
            size_21=size_31,
        )
        for layer in self.rest:
            # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
            y = layer(
                y, size_5=size_27, size_6=size_28, size_7=size_29, size_8=size_30, size_9=size_31
            )
        return y

    def forward_1(
        self,
        x: Array,
        size: int,
        size_1: int,
        size_2: int,
        size_3: int,
        size_4: int,
        size_22: int,
        size_23: int,
        size_24: int,
        size_25: int,
        size_26: int,
        size_27: int,
        size_28: int,
        size_29: int,
        size_30: int,
        size_31: int,
    ) -> Array:
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        y = self.down.forward_1(
            x,
            size_7=size,
            size_8=size_1,
            size_9=size_2,
            size_10=size_3,
            size_11=size_4,
            size_12=size_22,
            size_13=size_23,
            size_14=size_24,
            size_15=size_25,
            size_16=size_26,
            size_17=size_27,
            size_18=size_28,
            size_19=size_29,
            size_20=size_30,
            size_21=size_31,
        )
        for layer in self.rest:
            # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
            y = layer.forward_1(
                y, size_5=size_27, size_6=size_28, size_7=size_29, size_8=size_30, size_9=size_31
            )
        return y


class Model(nnx.Module):
    def __init__(self) -> None:
        self.conv1 = Conv2d(cout=8, cin=3, k=3)
        self.bn1 = BatchNorm(8)
        self.layer1 = nnx.List([Same(8) for _ in range(2)])
        self.layer2 = Stage(16, 8)
        self.layer3 = Stage(32, 16)
        self.fc = Linear()

    def __call__(self, image: Array) -> Array:
        _, _, H, W = image.shape
        size_10 = ((H - 1) // 2) * ((W - 1) // 2) + 3 * ((H - 1) // 2) + 3 * ((W - 1) // 2) + 9
        size_11 = ((H - 1) // 2) * ((W - 1) // 2) + (H - 1) // 2 + (W - 1) // 2 + 1
        size_12 = (
            ((H - 1) // 2 // 2) * ((W - 1) // 2 // 2)
            + 3 * ((H - 1) // 2 // 2)
            + 3 * ((W - 1) // 2 // 2)
            + 9
        )
        size_13 = (H - 1) // 2 // 2 // 2 + 1
        size_14 = (W - 1) // 2 // 2 // 2 + 1
        size_15 = (
            ((H - 1) // 2 // 2) * ((W - 1) // 2 // 2) + (H - 1) // 2 // 2 + (W - 1) // 2 // 2 + 1
        )
        size_16 = (H - 1) // 2 // 2 // 2 + 3
        size_17 = (H - 1) // 2 // 2 // 2 + 2
        size_18 = (W - 1) // 2 // 2 // 2 + 3
        size_19 = (
            ((H - 1) // 2 // 2 // 2) * ((W - 1) // 2 // 2 // 2)
            + 3 * ((H - 1) // 2 // 2 // 2)
            + 3 * ((W - 1) // 2 // 2 // 2)
            + 9
        )
        size_20 = (W - 1) // 2 // 2 // 2 + 2
        size_21 = (
            ((H - 1) // 2 // 2 // 2) * ((W - 1) // 2 // 2 // 2)
            + (H - 1) // 2 // 2 // 2
            + (W - 1) // 2 // 2 // 2
            + 1
        )
        stem = jax.nn.relu(self.bn1(self.conv1(image)))  # [B, 8, H, W]
        x = max_pool2d(stem)  # [B, 8, (H - 1) / 2 + 1, (W - 1) / 2 + 1]
        for layer in self.layer1:
            # [B, 8, (H - 1) / 2 + 1, (W - 1) / 2 + 1]
            x = layer(
                x,
                size_5=((H - 1) // 2 + 3),
                size_6=((H - 1) // 2 + 2),
                size_7=((W - 1) // 2 + 3),
                size_8=size_10,
                size_9=((W - 1) // 2 + 2),
            )
        # [B, 16, (H - 1) / 2 / 2 + 1, (W - 1) / 2 / 2 + 1]
        x = self.layer2(
            x,
            size=((H - 1) // 2 + 3),
            size_1=((H - 1) // 2 // 2 + 1),
            size_2=((W - 1) // 2 // 2 + 1),
            size_3=((H - 1) // 2 + 2),
            size_4=((W - 1) // 2 + 3),
            size_22=size_10,
            size_23=((W - 1) // 2 + 2),
            size_24=((H - 1) // 2),
            size_25=size_11,
            size_26=((W - 1) // 2),
            size_27=((H - 1) // 2 // 2 + 3),
            size_28=((H - 1) // 2 // 2 + 2),
            size_29=((W - 1) // 2 // 2 + 3),
            size_30=size_12,
            size_31=((W - 1) // 2 // 2 + 2),
        )
        # [B, 32, (H - 1) / 2 / 2 / 2 + 1, (W - 1) / 2 / 2 / 2 + 1]
        x = self.layer3.forward_1(
            x,
            size=((H - 1) // 2 // 2 + 3),
            size_1=size_13,
            size_2=size_14,
            size_3=((H - 1) // 2 // 2 + 2),
            size_4=((W - 1) // 2 // 2 + 3),
            size_22=size_12,
            size_23=((W - 1) // 2 // 2 + 2),
            size_24=((H - 1) // 2 // 2),
            size_25=size_15,
            size_26=((W - 1) // 2 // 2),
            size_27=size_16,
            size_28=size_17,
            size_29=size_18,
            size_30=size_19,
            size_31=size_20,
        )
        x = global_average_pool2d(x, size=size_21)  # [B, 32]
        return self.fc(x)  # [B, 10]
