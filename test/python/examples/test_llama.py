"""The Llama example: every entry on every target, against NumPy and `transformers`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from oracle.llama_numpy import Sizes, logits, random_weights

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "llama" / "llama.linnet"
SIZES = Sizes()
TOLERANCE = 5e-5
LINES = np.random.default_rng(5).integers(0, SIZES.vocab, (2, 12), dtype=np.int32)


def build(target: str, tied: bool) -> Any:
    return linnet.compile(
        PROGRAM,
        root="Model",
        generics=SIZES.generics(batch=2, max_seq=12),
        weights=random_weights(SIZES, tied),
        target=target,
    )


@pytest.fixture(scope="module")
def model(target: str) -> Any:
    return build(target, tied=False)


def expected(tied: bool = False) -> np.ndarray:
    return logits(SIZES, random_weights(SIZES, tied), LINES)


def test_forward_agrees_with_numpy(model: Any):
    found = model.call("forward", {"tokens": LINES})
    np.testing.assert_allclose(found, expected(), rtol=0, atol=TOLERANCE)


def test_prefill_then_decode_agree_to_the_last_position(model: Any):
    model.reset()
    want = expected()
    found = model.call("prefill", {"tokens": LINES[:, :5], "pos": np.int32(0)})
    np.testing.assert_allclose(found, want[:, 4], rtol=0, atol=TOLERANCE)
    for pos in range(5, 12):
        found = model.call("decode", {"token": LINES[:, pos : pos + 1], "pos": np.int32(pos)})
        np.testing.assert_allclose(found, want[:, pos], rtol=0, atol=TOLERANCE)


def test_a_checkpoint_without_a_head_reuses_the_embedding():
    found = build("reference", tied=True).call("forward", {"tokens": LINES})
    np.testing.assert_allclose(found, expected(tied=True), rtol=0, atol=TOLERANCE)


def test_forward_agrees_with_transformers():
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        vocab_size=SIZES.vocab,
        hidden_size=SIZES.h,
        intermediate_size=SIZES.inner,
        num_hidden_layers=SIZES.layers,
        num_attention_heads=SIZES.heads,
        num_key_value_heads=SIZES.kv_heads,
        head_dim=SIZES.d,
        rms_norm_eps=1e-5,
        rope_theta=float(SIZES.base),
        attn_implementation="eager",
    )
    peer = transformers.LlamaForCausalLM(config).eval()
    weights = random_weights(SIZES, tied=False)
    peer.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    with torch.no_grad():
        want = peer(torch.from_numpy(LINES.astype(np.int64))).logits.numpy()
    found = build("reference", tied=False).call("forward", {"tokens": LINES})
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)
