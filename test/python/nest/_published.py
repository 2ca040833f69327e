"""Tiny models of each family as `transformers` writes them, with weights from a seed.

Weights are ten times wider than a fresh model's, so that logits differ and a wrong scale, a
forgotten bias or another epsilon shows.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

_SIZES = {
    "vocab_size": 61,
    "hidden_size": 32,
    "intermediate_size": 40,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "initializer_range": 0.2,
    "bos_token_id": None,
    "eos_token_id": None,
    "pad_token_id": None,
}
_SHARED = {**_SIZES, "num_key_value_heads": 2}
_LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}

# By case: the class of `transformers`, and the fields of its configuration.
DECODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("LlamaForCausalLM", {**_SHARED, "rope_parameters": _LLAMA3, "rms_norm_eps": 1e-3}),
    "llama, tied, biased, stretched": (
        "LlamaForCausalLM",
        {
            **_SHARED,
            "tie_word_embeddings": True,
            "attention_bias": True,
            "mlp_bias": True,
            "head_dim": 6,
            "rope_parameters": {"rope_type": "linear", "rope_theta": 700.0, "factor": 2.5},
        },
    ),
    "mistral": ("MistralForCausalLM", {**_SHARED, "head_dim": 12, "sliding_window": 5}),
    "qwen2": ("Qwen2ForCausalLM", {**_SHARED, "tie_word_embeddings": True}),
    "qwen3": ("Qwen3ForCausalLM", {**_SHARED, "head_dim": 12}),
    "phi3": ("Phi3ForCausalLM", {**_SHARED, "sliding_window": 5}),
    "gemma": ("GemmaForCausalLM", {**_SHARED, "head_dim": 12}),
}
_GPT2 = {"vocab_size": 61, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 32}
DECODERS["gpt2"] = (
    "GPT2LMHeadModel",
    {**_GPT2, "initializer_range": 0.2, "bos_token_id": None, "eos_token_id": None},
)

BERT: dict[str, Any] = {**_SIZES, "type_vocab_size": 3, "layer_norm_eps": 1e-3}
VIT: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 40,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "image_size": 12,
    "patch_size": 4,
    "num_channels": 2,
    "num_labels": 5,
    "initializer_range": 0.2,
    "layer_norm_eps": 1e-3,
}


def save(folder: Path, name: str, fields: dict[str, Any]) -> Any:
    """Write a model of a class, and return it."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.manual_seed(7)
    kind: Callable[..., Any] = getattr(transformers, name)
    model = kind(kind.config_class(**fields)).eval()  # type: ignore[attr-defined]
    with torch.no_grad():
        for each, tensor in model.named_parameters():
            # A fresh norm is all ones and a fresh bias all zeros: neither would show.
            if tensor.ndim == 1:
                tensor.add_(torch.randn_like(tensor) * 0.1)
            assert tensor.abs().sum() > 0, each
    model.save_pretrained(folder)
    return model


def logits(model: Any, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
    """What `transformers` computes."""
    torch = pytest.importorskip("torch")
    with torch.no_grad():
        return model(torch.tensor(tokens)).logits.numpy()


def continued(model: Any, prompt: NDArray[np.int32], count: int) -> list[int]:
    """The greedy continuation of `transformers`."""
    torch = pytest.importorskip("torch")
    made = model.generate(
        torch.tensor(prompt),
        max_new_tokens=count,
        min_new_tokens=count,
        do_sample=False,
        pad_token_id=0,
        eos_token_id=None,
    )
    return made[0, prompt.shape[1] :].tolist()
