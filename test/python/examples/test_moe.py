"""The Mixture-of-Experts example on every target, against NumPy and `transformers`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet

Array = NDArray[Any]

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "moe" / "moe.linnet"
TOLERANCE = 1e-5
E, K, H, INNER = 5, 2, 12, 20
RNG = np.random.default_rng(13)
WEIGHTS = {
    name: RNG.normal(0, 0.3, shape).astype(np.float32)
    for name, shape in {
        "router.weight": (E, H),
        "experts.gate": (E, INNER, H),
        "experts.up": (E, INNER, H),
        "experts.down": (E, H, INNER),
    }.items()
}
X = RNG.normal(0, 1, (2, 6, H)).astype(np.float32)


def build(target: str, k: int = K) -> Any:
    generics = {"E": E, "K": k, "H": H, "Inner": INNER}
    return linnet.compile(PROGRAM, root="Model", generics=generics, weights=WEIGHTS, target=target)


@pytest.fixture(scope="module")
def model(target: str) -> Any:
    return build(target)


def layer(token: Array, k: int) -> Array:
    """What the layer makes of one token [H]: sorting, and one expert after the other."""
    of = {name: value.astype(np.float64) for name, value in WEIGHTS.items()}
    raised = np.exp(of["router.weight"] @ token)
    best = np.argsort(-raised, kind="stable")[:k]
    mixed = np.zeros(H)
    for expert in best:
        gate = of["experts.gate"][expert] @ token
        inner = gate / (1 + np.exp(-gate)) * (of["experts.up"][expert] @ token)
        mixed += raised[expert] / raised[best].sum() * (of["experts.down"][expert] @ inner)
    return mixed


def expected(k: int = K) -> Array:
    return np.stack([[layer(token, k) for token in row] for row in X.astype(np.float64)])


def test_the_layer_agrees_with_numpy(model: Any):
    found = model.call("forward", {"x": X})
    np.testing.assert_allclose(found, expected(), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("k", [1, E])
def test_any_number_of_experts_may_answer(k: int):
    found = build("reference", k).call("forward", {"x": X})
    np.testing.assert_allclose(found, expected(k), rtol=0, atol=TOLERANCE)


def test_the_first_of_equal_experts_comes_first(model: Any):
    chosen = model.call("route", {"tokens": np.zeros((3, H), np.float32)})
    assert chosen.tolist() == [[0, 1]] * 3


def test_the_layer_agrees_with_transformers():
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    mixtral = pytest.importorskip("transformers.models.mixtral.modeling_mixtral")
    config = transformers.MixtralConfig(
        hidden_size=H,
        intermediate_size=INNER,
        num_local_experts=E,
        num_experts_per_tok=K,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    config._experts_implementation = "eager"
    peer = mixtral.MixtralSparseMoeBlock(config).eval()
    fused = np.concatenate([WEIGHTS["experts.gate"], WEIGHTS["experts.up"]], axis=1)
    peer.load_state_dict(
        {
            "gate.weight": torch.from_numpy(WEIGHTS["router.weight"]),
            "experts.gate_up_proj": torch.from_numpy(fused),
            "experts.down_proj": torch.from_numpy(WEIGHTS["experts.down"]),
        }
    )
    with torch.no_grad():
        want = peer(torch.from_numpy(X))
    found = build("reference").call("forward", {"x": X})
    np.testing.assert_allclose(found, want.numpy(), rtol=0, atol=TOLERANCE)
