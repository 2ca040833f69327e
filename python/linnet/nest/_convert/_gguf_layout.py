"""What llama.cpp calls the tensors of a family, and how it lays them out.

GGUF has matrices output-first, GPT-2's among them, which are published input-first. Its rotary
positions turn neighbours, `2i` with `2i + 1`, where the published weights turn `i` with
`i + D / 2`: the rows of queries and keys change places within each head.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

# `query` and `key`: heads whose rows change places.
Form = Literal["same", "transposed", "query", "key"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A tensor's name on the other side, and what becomes of its numbers on the way."""

    name: str
    form: Form = "same"


def _both(ours: str, theirs: str, form: Form = "same") -> list[tuple[str, str, Form]]:
    """A weight and its bias."""
    bias: Form = "same" if form == "transposed" else form
    return [
        (f"{ours}.weight", f"{theirs}.weight", form),
        (f"{ours}.bias", f"{theirs}.bias", bias),
    ]


# By architecture: published name, GGUF name, form; `{i}` is the number of a layer.
_LAYOUTS: Final[Mapping[str, list[tuple[str, str, Form]]]] = {
    "llama": [
        ("model.embed_tokens.weight", "token_embd.weight", "same"),
        ("model.norm.weight", "output_norm.weight", "same"),
        ("lm_head.weight", "output.weight", "same"),
        ("model.layers.{i}.input_layernorm.weight", "blk.{i}.attn_norm.weight", "same"),
        ("model.layers.{i}.post_attention_layernorm.weight", "blk.{i}.ffn_norm.weight", "same"),
        *_both("model.layers.{i}.self_attn.q_proj", "blk.{i}.attn_q", "query"),
        *_both("model.layers.{i}.self_attn.k_proj", "blk.{i}.attn_k", "key"),
        *_both("model.layers.{i}.self_attn.v_proj", "blk.{i}.attn_v"),
        *_both("model.layers.{i}.self_attn.o_proj", "blk.{i}.attn_output"),
        *_both("model.layers.{i}.mlp.gate_proj", "blk.{i}.ffn_gate"),
        *_both("model.layers.{i}.mlp.up_proj", "blk.{i}.ffn_up"),
        *_both("model.layers.{i}.mlp.down_proj", "blk.{i}.ffn_down"),
    ],
    "gpt2": [
        ("transformer.wte.weight", "token_embd.weight", "same"),
        ("transformer.wpe.weight", "position_embd.weight", "same"),
        ("lm_head.weight", "output.weight", "same"),
        *_both("transformer.ln_f", "output_norm"),
        *_both("transformer.h.{i}.ln_1", "blk.{i}.attn_norm"),
        *_both("transformer.h.{i}.ln_2", "blk.{i}.ffn_norm"),
        *_both("transformer.h.{i}.attn.c_attn", "blk.{i}.attn_qkv", "transposed"),
        *_both("transformer.h.{i}.attn.c_proj", "blk.{i}.attn_output", "transposed"),
        *_both("transformer.h.{i}.mlp.c_fc", "blk.{i}.ffn_up", "transposed"),
        *_both("transformer.h.{i}.mlp.c_proj", "blk.{i}.ffn_down", "transposed"),
    ],
}
GGUF_ARCHITECTURES: Final = tuple(sorted(_LAYOUTS))


def from_gguf(architecture: str, name: str) -> Placed | None:
    """Return what a tensor of a file is called where it was published; None for no place."""
    return _placed(name, [(theirs, ours, form) for ours, theirs, form in _LAYOUTS[architecture]])


def to_gguf(architecture: str, name: str) -> Placed | None:
    """Return what a published tensor is called in a file; None for no place."""
    return _placed(name, _LAYOUTS[architecture])


def _placed(name: str, table: list[tuple[str, str, Form]]) -> Placed | None:
    found = re.search(r"\.(0|[1-9][0-9]{0,5})\.", name)
    general = name if found is None else f"{name[: found.start()]}.{{i}}.{name[found.end() :]}"
    for left, right, form in table:
        if left == general:
            return Placed(right if found is None else right.replace("{i}", found[1]), form)
    return None


def published_form(array: NDArray[Any], form: Form, heads: int) -> NDArray[Any]:
    """The numbers of a tensor of a file, as they are published; `heads` are those of its rows."""
    if form == "transposed":
        return array.T
    if form in ("query", "key"):
        apart = array.reshape(heads, -1, 2, *array.shape[1:])
        return np.swapaxes(apart, 1, 2).reshape(array.shape)
    return array


def gguf_form(array: NDArray[Any], form: Form, heads: int) -> NDArray[Any]:
    """The numbers of a published tensor, as a file has them."""
    if form == "transposed":
        return array.T
    if form in ("query", "key"):
        apart = array.reshape(heads, 2, -1, *array.shape[1:])
        return np.swapaxes(apart, 1, 2).reshape(array.shape)
    return array
