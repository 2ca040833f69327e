"""GPT-2: how its configuration reads, and what its tensors are called."""

from typing import Final

from linnet.errors import ConversionError
from linnet.nest._convert._config import Config
from linnet.nest._convert._facts import Architecture, Facts, Family

_EPS: Final = 1e-5  # Of `layer_norm` in `std`, which the program takes.
_PARTS: Final = (
    ("ln_1", "ln_1"),
    ("attn.qkv", "attn.c_attn"),
    ("attn.out", "attn.c_proj"),
    ("ln_2", "ln_2"),
    ("mlp.up", "mlp.c_fc"),
    ("mlp.down", "mlp.c_proj"),
)


def _read(config: Config, _: str) -> Facts:
    config.only("activation_function", "gelu_new", "gelu_pytorch_tanh")
    config.only("scale_attn_weights", True)
    config.only("scale_attn_by_inverse_layer_idx", False)
    config.only("add_cross_attention", False)
    config.only("tie_word_embeddings", True)
    config.get("reorder_and_upcast_attn")  # The order of two roundings.
    width, heads = config.size("n_embd"), config.size("n_head")
    if width % heads:
        raise ConversionError(f"{config.name}: `n_embd` {width} is no multiple of `n_head` {heads}")
    config.only("n_inner", 4 * width)
    config.only("layer_norm_epsilon", _EPS)
    positions = config.size("n_positions", 1024)
    generics = {
        "Vocab": config.size("vocab_size"),
        "MaxPositions": positions,
        "H": width,
        "Heads": heads,
        "Layers": config.size("n_layer"),
    }
    return Facts(generics, positions=positions)


def _write(facts: Facts, architecture: str) -> dict[str, object]:
    sizes = facts.generics
    fields: dict[str, object] = {
        "architectures": [architecture],
        "model_type": "gpt2",
        "vocab_size": sizes["Vocab"],
        "n_positions": sizes["MaxPositions"],
        "n_embd": sizes["H"],
        "n_head": sizes["Heads"],
        "n_layer": sizes["Layers"],
        "layer_norm_epsilon": _EPS,
        "activation_function": "gelu_new",
    }
    # The class's own end of text is the last of the published vocabulary.
    if sizes["Vocab"] <= 50256:
        fields |= {"bos_token_id": None, "eos_token_id": None}
    return fields


GPT2: Final = Family(
    "gpt2",
    "GPT-2",
    ("text-generation", "decoder-only"),
    {"GPT2LMHeadModel": Architecture(prefixes=("transformer.", ""))},
    _read,
    _write,
    (
        ("wte", "wte.weight"),
        ("wpe", "wpe.weight"),
        *(
            (f"blocks.{{i}}.{ours}.{leaf}", f"h.{{i}}.{theirs}.{leaf}")
            for ours, theirs in _PARTS
            for leaf in ("weight", "bias")
        ),
    ),
    inert=("h.*.attn.bias", "h.*.attn.masked_bias"),
    tied="wte",
    small=lambda sizes: {
        "Vocab": 67,
        "MaxPositions": 32,
        "H": 16,
        "Heads": 2,
        "Layers": min(sizes["Layers"], 2),
    },
)
