"""Products and attention in f64 NumPy, and the arguments that make the kernels compute them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import ml_dtypes
import numpy as np
from kernels_library import Attention, Kernels, Linear
from numpy.typing import NDArray

Array = NDArray[Any]
Place = Callable[[Array], Array]
DTYPES: dict[str, Any] = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16}
ACTIVATIONS = ("none", "gelu", "silu", "relu", "gelu_erf")
NORMS = ("none", "layer", "rms")
EPS = 1e-5


def nowhere(array: Array) -> Array:
    """The array where it is: what a test that does not care about places passes."""
    return array


@dataclass(frozen=True)
class Product:
    """Arguments of one `linnet_run_linear_*`; `wide` is the weight [K, N] in f64."""

    storage: str
    layout: str
    x: Array
    w: Array
    wide: Array
    scale: Array | None = None
    zero: Array | None = None
    group: int = 0
    bias: Array | None = None
    residual: Array | None = None
    gain: Array | None = None
    shift: Array | None = None
    activation: int = 0
    norm: int = 0
    column_scale: bool = field(default=False)

    @property
    def kind(self) -> str:
        return f"linear_{self.storage}_{self.layout}"

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N and K."""
        return self.x.shape[0], self.wide.shape[1], self.x.shape[1]

    def args(self, y: Array) -> Linear:
        """The structure; the arrays have to outlive it."""
        m, n, k = self.sizes
        return Linear(
            x=address(self.x),
            w=address(self.w),
            scale=address(self.scale),
            zero=address(self.zero),
            bias=address(self.bias),
            residual=address(self.residual),
            norm_gain=address(self.gain),
            norm_shift=address(self.shift),
            y=address(y),
            m=m,
            n=n,
            k=k,
            ldx=k,
            ldw=self.w.shape[1],
            ldr=n,
            ldy=n,
            group=self.group,
            activation=self.activation,
            norm=self.norm,
            eps=EPS,
        )

    def run(self, kernels: Kernels, shares: int = 1, place: Place = nowhere) -> Array:
        """What the shares write together; what none of them writes stays NaN."""
        m, n, _ = self.sizes
        y = place(np.full((m, n), np.nan, np.float32))
        args = self.args(y)
        for share in range(shares):
            assert kernels.share(self.kind, args, share, shares) == 0
        return y

    def expected(self) -> Array:
        """The definition, in f64."""
        x = self.x.astype(np.float64)
        if self.norm:
            mean = x.mean(1, keepdims=True) if self.norm == 1 else 0.0
            x = (x - mean) / np.sqrt(((x - mean) ** 2).mean(1, keepdims=True) + EPS)
            x = x if self.gain is None else x * self.gain
            x = x if self.shift is None else x + self.shift
        y = x @ self.wide
        if self.column_scale and self.scale is not None:
            y = y * self.scale
        if self.bias is not None:
            y = y + self.bias
        y = activate(ACTIVATIONS[self.activation], y)
        return y if self.residual is None else y + self.residual

    def tolerance(self) -> float:
        """A few roundings of f32 for each of the K products, taken as random."""
        largest = float(np.abs(self.wide).max(initial=1.0))
        if self.storage == "i4":  # the zeros are taken away from sums of larger numbers
            largest *= 3
        if self.column_scale and self.scale is not None:
            largest *= float(self.scale.max())
        return 3e-6 * float(np.sqrt(self.sizes[2])) * max(largest, 1.0)

    def placed(self, place: Place) -> "Product":
        """The same with every array where `place` puts it."""
        moved = {
            name: place(array)
            for name in ("x", "w", "scale", "zero", "bias", "residual", "gain", "shift")
            if (array := getattr(self, name)) is not None
        }
        return replace(self, **moved)


def address(array: Array | None) -> int | None:
    """Where an array begins."""
    return None if array is None else array.ctypes.data


def activate(name: str, y: Array) -> Array:
    """The functions of std.nn.activations."""
    match name:
        case "gelu":
            return 0.5 * y * (1 + np.tanh(0.7978845608 * (y + 0.044715 * y**3)))
        case "silu":
            return y / (1 + np.exp(-y))
        case "relu":
            return np.maximum(y, 0)
        case "gelu_erf":
            size = np.abs(y)
            t = 1 / (1 + 0.2316419 * size)
            c = 1.781477937 + t * (-1.821255978 + 1.330274429 * t)
            c = 0.319381530 + t * (-0.356563782 + t * c)
            below = 0.3989422804014327 * np.exp(-size * size / 2) * (t * c)
            return y * np.where(y >= 0, 1 - below, below)
        case _:
            return y


def product(
    storage: str, layout: str, sizes: tuple[int, int, int], seed: int, *, full: bool = False
) -> Product:
    """Random arguments; with `full`, everything that may be given is. For i4, K grows to a whole
    number of groups."""
    m, n, k = sizes
    rng = np.random.default_rng(seed)
    scale: Array | None = None
    zero: Array | None = None
    group = 0
    if storage == "i4":
        group = (8, 16, 24, 32, 40, 64, 128, 256)[seed % 8]
        k = -(-k // group) * group
        halves = rng.integers(0, 16, (n, k))
        scale = rng.random((n, k // group), np.float32)
        zero = rng.uniform(-1, 16, (n, k // group)).astype(np.float32)
        w = (halves[:, 0::2] | (halves[:, 1::2] << 4)).astype(np.uint8)
        each = [np.repeat(one.astype(np.float64), group, 1) for one in (scale, zero)]
        wide = ((halves - each[1]) * each[0]).T
    else:
        if storage == "i8":
            stored = rng.integers(-128, 128, (k, n)).astype(np.int8)
            scale = rng.random(n, np.float32) / 64
        else:
            stored = rng.standard_normal((k, n)).astype(DTYPES[storage])
        wide = stored.astype(np.float64)
        w = np.ascontiguousarray(stored if layout == "kn" else stored.T)
    norm = 1 + seed % 2 if full else 0
    return Product(
        storage,
        layout,
        rng.standard_normal((m, k), np.float32),
        w,
        wide,
        scale,
        zero,
        group,
        bias=rng.standard_normal(n, np.float32) if full else None,
        residual=rng.standard_normal((m, n), np.float32) if full else None,
        gain=rng.standard_normal(k, np.float32) if full else None,
        shift=rng.standard_normal(k, np.float32) if norm == 1 else None,
        activation=seed % len(ACTIVATIONS) if full else 0,
        norm=norm,
        column_scale=storage == "i8",
    )


@dataclass(frozen=True)
class Heads:
    """Arguments of one `linnet_run_attention_*`: q [B, H, Q, D], k and v [B, Hk, K, D]."""

    storage: str
    q: Array
    k: Array
    v: Array
    mask: Array | None
    scale: float = 0.25
    bthd: bool = False  # caches as [B, K, Hk, D], the result as [B, Q, H, D]

    @property
    def kind(self) -> str:
        return f"attention_{self.storage}"

    def args(self, y: Array) -> Attention:
        b, h, queries, d = self.q.shape
        keys = self.k.shape[1 if self.bthd else 2]
        hk = self.k.shape[2 if self.bthd else 1]
        cache = (keys * hk * d, d, hk * d) if self.bthd else (hk * keys * d, keys * d, d)
        out = (queries * h * d, d, h * d) if self.bthd else (h * queries * d, queries * d, d)
        mask = self.mask
        return Attention(
            *(address(self.q), address(self.k), address(self.v), address(mask), address(y)),
            *(b, h, hk, queries, keys, d),
            *(h * queries * d, queries * d, d),
            *cache,
            *cache,
            *out,
            *(0 if mask is None or len(mask) == 1 else queries * keys, keys),
            self.scale,
        )

    def run(self, kernels: Kernels, shares: int = 1, place: Place = nowhere) -> Array:
        """[B, H, Q, D], as the shares write it together."""
        b, h, queries, d = self.q.shape
        shape = (b, queries, h, d) if self.bthd else (b, h, queries, d)
        y = place(np.full(shape, np.nan, np.float32))
        args = self.args(y)
        for share in range(shares):
            assert kernels.share(self.kind, args, share, shares) == 0
        return y.transpose(0, 2, 1, 3) if self.bthd else y

    def expected(self) -> Array:
        """std.nn.attention in f64: a masked score is -1e30."""
        k, v = (one.transpose(0, 2, 1, 3) if self.bthd else one for one in (self.k, self.v))
        runs = self.q.shape[1] // k.shape[1]
        k, v = (np.repeat(one.astype(np.float64), runs, 1) for one in (k, v))
        scores = np.einsum("bhqd,bhkd->bhqk", self.q.astype(np.float64), k) * self.scale
        if self.mask is not None:
            scores = np.where(self.mask[:, None] != 0, scores, -1e30)
        raised = np.exp(scores - scores.max(-1, keepdims=True))
        return raised / raised.sum(-1, keepdims=True) @ v


def heads(
    storage: str, sizes: tuple[int, int, int, int, int, int], mask: str, *, bthd: bool, seed: int
) -> Heads:
    """Random arguments of the sizes B, H, Hk, Q, K, D and a mask of the kind named."""
    b, h, hk, queries, keys, d = sizes
    rng = np.random.default_rng(seed)
    cache = (b, keys, hk, d) if bthd else (b, hk, keys, d)
    return Heads(
        storage,
        rng.standard_normal((b, h, queries, d), np.float32),
        rng.standard_normal(cache).astype(DTYPES[storage]),
        rng.standard_normal(cache).astype(DTYPES[storage]),
        masked(mask, b, queries, keys, rng),
        bthd=bthd,
    )


MASKS = ("none", "causal", "random", "blind", "sparse", "decode")


def masked(kind: str, b: int, queries: int, keys: int, rng: np.random.Generator) -> Array | None:
    """Bytes [B, Q, K], or [1, Q, K] for all batch rows."""
    query, key = np.arange(queries)[:, None], np.arange(keys)
    match kind:
        case "none":
            return None
        case "causal":
            seen = (key <= query + keys - queries)[None]
        case "random":
            seen = rng.random((b, queries, keys)) < 0.5
        case "blind":  # every other query sees nothing
            seen = (rng.random((b, queries, keys)) < 0.3) & (query % 2 == 1)
        case "sparse":
            seen = np.broadcast_to((key % 70 == 0) | (key == keys // 2), (b, queries, keys))
        case _:
            seen = np.broadcast_to(key < max(1, keys // 3), (b, queries, keys))
    return np.ascontiguousarray(seen.astype(np.uint8) * 255)
