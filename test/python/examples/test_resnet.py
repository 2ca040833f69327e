"""The residual conv net on every target, against NumPy loops over windows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet

Array = NDArray[Any]

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "resnet" / "resnet.linnet"
TOLERANCE = 1e-4
C, DEPTH, CLASSES = 4, 1, 5


def _weights() -> dict[str, Array]:
    rng = np.random.default_rng(11)
    found: dict[str, Array] = {}

    def conv(name: str, outputs: int, inputs: int, window: int) -> None:
        shape = (outputs, inputs, window, window)
        found[f"{name}.weight"] = rng.normal(0, 1 / np.sqrt(inputs * window**2), shape)

    def norm(name: str, channels: int) -> None:
        for last in ("weight", "bias", "running_mean"):
            found[f"{name}.{last}"] = rng.normal(0.5, 0.3, channels)
        found[f"{name}.running_var"] = rng.uniform(0.5, 2, channels)

    def block(name: str, inputs: int, outputs: int) -> None:
        conv(f"{name}.conv1", outputs, inputs, 3)
        conv(f"{name}.conv2", outputs, outputs, 3)
        norm(f"{name}.bn1", outputs)
        norm(f"{name}.bn2", outputs)

    conv("conv1", C, 3, 3)
    norm("bn1", C)
    block("layer1.0", C, C)
    for stage, width in (("layer2", C), ("layer3", 2 * C)):
        block(f"{stage}.down", width, 2 * width)
        conv(f"{stage}.down.shortcut", 2 * width, width, 1)
        norm(f"{stage}.down.shortcut_bn", 2 * width)
        block(f"{stage}.rest.0", 2 * width, 2 * width)
    found["fc.weight"] = rng.normal(0, 0.5, (CLASSES, 4 * C))
    found["fc.bias"] = rng.normal(0, 0.5, CLASSES)
    return {name: value.astype(np.float32) for name, value in found.items()}


WEIGHTS = _weights()


def windows(x: Array, size: int, stride: int, pad: int, edge: float) -> Array:
    """Return every window of `x` [C, H, W] as [rows, columns, C, size, size]."""
    around = np.pad(x, ((0, 0), (pad, pad), (pad, pad)), constant_values=edge)
    rows = range(0, around.shape[1] - size + 1, stride)
    columns = range(0, around.shape[2] - size + 1, stride)
    return np.array([[around[:, i : i + size, j : j + size] for j in columns] for i in rows])


def conv(x: Array, name: str, stride: int, pad: int) -> Array:
    weight = WEIGHTS[f"{name}.weight"].astype(np.float64)
    seen = windows(x, weight.shape[-1], stride, pad, 0.0)
    return np.einsum("ijcuv,ocuv->oij", seen, weight)


def norm(x: Array, name: str) -> Array:
    mean, variance, weight, bias = (
        WEIGHTS[f"{name}.{last}"].astype(np.float64)[:, None, None]
        for last in ("running_mean", "running_var", "weight", "bias")
    )
    return (x - mean) / np.sqrt(variance + 1e-5) * weight + bias


def block(x: Array, name: str, stride: int, beside: Array) -> Array:
    first = np.maximum(norm(conv(x, f"{name}.conv1", stride, 1), f"{name}.bn1"), 0)
    return np.maximum(beside + norm(conv(first, f"{name}.conv2", 1, 1), f"{name}.bn2"), 0)


def scores(image: Array) -> Array:
    x = np.maximum(norm(conv(image.astype(np.float64), "conv1", 1, 1), "bn1"), 0)
    x = windows(x, 3, 2, 1, -np.inf).max((-1, -2)).transpose(2, 0, 1)
    x = block(x, "layer1.0", 1, x)
    for stage in ("layer2", "layer3"):
        shortcut = norm(conv(x, f"{stage}.down.shortcut", 2, 0), f"{stage}.down.shortcut_bn")
        x = block(x, f"{stage}.down", 2, shortcut)
        x = block(x, f"{stage}.rest.0", 1, x)
    return WEIGHTS["fc.weight"] @ x.mean((1, 2)) + WEIGHTS["fc.bias"]


@pytest.fixture(scope="module")
def model(target: str) -> Any:
    generics = {"C": C, "Depth": DEPTH, "Classes": CLASSES}
    return linnet.compile(PROGRAM, root="Model", generics=generics, weights=WEIGHTS, target=target)


# Sides that are odd, even and not alike: every rounding of `(H - 1) / 2 + 1`.
@pytest.mark.parametrize("shape", [(2, 3, 17, 12), (1, 3, 16, 16)], ids=str)
def test_scores_agree_with_numpy(model: Any, shape: tuple[int, ...]):
    images = np.random.default_rng(2).normal(0, 1, shape).astype(np.float32)
    want = np.stack([scores(image) for image in images])
    found = model.call("forward", {"image": images})
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)
