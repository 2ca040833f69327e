"""GPT-2 as the `transformers` library computes it, on PyTorch; an extra that may be missing."""

import numpy as np
import pytest
from numpy.typing import NDArray

from oracle.weights import Sizes


def transformers_logits(
    sizes: Sizes, weights: dict[str, NDArray[np.float32]], tokens: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return logits [B, S, vocab] of `tokens` [B, S]; skip where the library is missing."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        vocab_size=sizes.vocab,
        n_positions=sizes.max_positions,
        n_embd=sizes.h,
        n_head=sizes.heads,
        n_layer=sizes.layers,
        attn_implementation="eager",
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    state = {f"transformer.{name}": torch.from_numpy(value) for name, value in weights.items()}
    missing, surplus = model.load_state_dict(state, strict=False)
    assert set(missing) <= {"lm_head.weight"}
    assert not surplus
    model.tie_weights()
    with torch.no_grad():
        return model(torch.from_numpy(tokens.astype(np.int64))).logits.numpy()
