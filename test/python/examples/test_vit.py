"""The ViT example on every target, against a NumPy one and `transformers`."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet

Array = NDArray[Any]

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "vit" / "vit.linnet"
TOLERANCE = 2e-5
CHANNELS, GRID, P, H, HEADS, INNER, LAYERS, CLASSES = 3, 3, 4, 24, 3, 40, 2, 7
IMAGES = np.random.default_rng(1).normal(0, 1, (2, CHANNELS, GRID * P, GRID * P)).astype("f4")
LINEAR = {
    "query": (H, H),
    "key": (H, H),
    "value": (H, H),
    "output": (H, H),
    "up": (INNER, H),
    "down": (H, INNER),
}


def _weights() -> dict[str, Array]:
    shapes: dict[str, tuple[int, ...]] = {
        "class_token": (1, 1, H),
        "positions": (1, 1 + GRID * GRID, H),
        "patches.weight": (H, CHANNELS, P, P),
        "patches.bias": (H,),
        "norm.weight": (H,),
        "norm.bias": (H,),
        "classifier.weight": (CLASSES, H),
        "classifier.bias": (CLASSES,),
    }
    for layer in range(LAYERS):
        for norm in ("norm_before", "norm_after"):
            shapes[f"layers.{layer}.{norm}.weight"] = (H,)
            shapes[f"layers.{layer}.{norm}.bias"] = (H,)
        for name, shape in LINEAR.items():
            shapes[f"layers.{layer}.{name}.weight"] = shape
            shapes[f"layers.{layer}.{name}.bias"] = shape[:1]
    rng = np.random.default_rng(7)
    return {name: rng.normal(0.1, 0.2, shape).astype("f4") for name, shape in shapes.items()}


WEIGHTS = _weights()


def norm(x: Array, of: dict[str, Array], name: str) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * of[f"{name}.weight"] + of[f"{name}.bias"]


def dense(x: Array, of: dict[str, Array], name: str) -> Array:
    return x @ of[f"{name}.weight"].T + of[f"{name}.bias"]


def encode(image: Array) -> Array:
    """What the encoder makes of one image [C, Grid * P, Grid * P]; patches cut out one by one."""
    given = {name: value.astype(np.float64) for name, value in WEIGHTS.items()}
    tokens = [given["class_token"][0, 0]]
    for i in range(GRID):
        for j in range(GRID):
            patch = image[:, i * P : (i + 1) * P, j * P : (j + 1) * P].astype(np.float64)
            kernel = given["patches.weight"].reshape(H, -1)
            tokens.append(kernel @ patch.ravel() + given["patches.bias"])
    x = np.stack(tokens) + given["positions"][0]
    erf = np.vectorize(math.erf)
    for layer in range(LAYERS):
        head = f"layers.{layer}."
        of = {k.removeprefix(head): v for k, v in given.items() if k.startswith(head)}
        normed = norm(x, of, "norm_before")
        parts = [dense(normed, of, name) for name in ("query", "key", "value")]
        seen: list[Array] = []
        for n in range(HEADS):
            q, k, v = (part[:, n * (H // HEADS) : (n + 1) * (H // HEADS)] for part in parts)
            shares = np.exp(q @ k.T / math.sqrt(H // HEADS))
            seen.append(shares @ v / shares.sum(-1, keepdims=True))
        x = x + dense(np.concatenate(seen, -1), of, "output")
        up = dense(norm(x, of, "norm_after"), of, "up")
        x = x + dense(up * (1 + erf(up / math.sqrt(2))) / 2, of, "down")
    return norm(x, given, "norm")[0]


@pytest.fixture(scope="module")
def model(target: str) -> Any:
    return build(target)


def build(target: str) -> Any:
    generics = {"Channels": CHANNELS, "Grid": GRID, "P": P, "H": H, "Heads": HEADS}
    generics |= {"Inner": INNER, "Layers": LAYERS, "Classes": CLASSES}
    return linnet.compile(PROGRAM, root="Model", generics=generics, weights=WEIGHTS, target=target)


def test_features_and_scores_agree_with_numpy(model: Any):
    want = np.stack([encode(image) for image in IMAGES])
    found = model.call("features", {"image": IMAGES})
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)
    scores = want @ WEIGHTS["classifier.weight"].T + WEIGHTS["classifier.bias"]
    found = model.call("forward", {"image": IMAGES})
    np.testing.assert_allclose(found, scores, rtol=0, atol=TOLERANCE)


PUBLISHED = {
    "norm_before": "layernorm_before",
    "norm_after": "layernorm_after",
    "query": "attention.q_proj",
    "key": "attention.k_proj",
    "value": "attention.v_proj",
    "output": "attention.o_proj",
    "up": "mlp.fc1",
    "down": "mlp.fc2",
}


def published(path: str) -> str:
    """Return the name of the parameter at `path` in a model that `transformers` has built."""
    whole = {
        "class_token": "vit.embeddings.cls_token",
        "positions": "vit.embeddings.position_embeddings",
        "patches.weight": "vit.embeddings.patch_embeddings.projection.weight",
        "patches.bias": "vit.embeddings.patch_embeddings.projection.bias",
        "norm.weight": "vit.layernorm.weight",
        "norm.bias": "vit.layernorm.bias",
    }
    if not path.startswith("layers."):
        return whole.get(path, path)
    _, layer, name, last = path.split(".")
    return f"vit.layers.{layer}.{PUBLISHED[name]}.{last}"


def test_scores_agree_with_transformers():
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.ViTConfig(
        hidden_size=H,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=INNER,
        image_size=GRID * P,
        patch_size=P,
        num_channels=CHANNELS,
        num_labels=CLASSES,
        attn_implementation="eager",
    )
    peer = transformers.ViTForImageClassification(config).eval()
    peer.load_state_dict({published(path): torch.from_numpy(v) for path, v in WEIGHTS.items()})
    with torch.no_grad():
        want = peer(torch.from_numpy(IMAGES)).logits.numpy()
    found = build("reference").call("forward", {"image": IMAGES})
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)
