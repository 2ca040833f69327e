"""The decoders that descend from Llama: one shape, told apart by a few facts.

A configuration that leaves a key out means the default of its class in `transformers`; those
defaults stand here.
"""

from collections.abc import Callable, Mapping
from typing import Final

from linnet.errors import ConversionError
from linnet.nest._convert._config import Config
from linnet.nest._convert._facts import Architecture, Constant, Facts, Family, Variant
from linnet.nest._convert._rope import Rope, read_rope

_HEAD: Final = "lm_head.weight"
_ATTENTION_BIAS: Final = "*.self_attn.*_proj.bias"
_MLP_BIAS: Final = "*.mlp.*_proj.bias"
_QKV_BIAS: Final = tuple(f"*.self_attn.{part}_proj.bias" for part in "qkv")
_SIZES: Final = {
    "Vocab": "vocab_size",
    "H": "hidden_size",
    "Inner": "intermediate_size",
    "Heads": "num_attention_heads",
    "KvHeads": "num_key_value_heads",
    "D": "head_dim",
    "Layers": "num_hidden_layers",
}
_SCALINGS: Final = {"default": "Plain", "linear": "Linear", "llama3": "Llama3"}
_ROPE_FIELDS: Final = {
    "factor": "ROPE_FACTOR",
    "low_freq_factor": "ROPE_LOW",
    "high_freq_factor": "ROPE_HIGH",
    "original_max_position_embeddings": "ROPE_LENGTH",
}


def _sizes(config: Config, head: int | None = None, shared: int | None = None) -> dict[str, int]:
    """The sizes. `head` and `shared` are the class's own size of a head and number of key heads.

    None for either is what follows from the rest: the width over the heads, a key head each.
    """
    heads, width = config.size("num_attention_heads"), config.size("hidden_size")
    given = config.optional_size("head_dim") or head
    if given is None:
        if width % heads:
            raise ConversionError(
                f"{config.name}: `hidden_size` {width} is no multiple of "
                f"`num_attention_heads` {heads}"
            )
        given = width // heads
    shared = config.size("num_key_value_heads", shared or heads)
    if heads % shared:
        raise ConversionError(
            f"{config.name}: `num_attention_heads` {heads} is no multiple of "
            f"`num_key_value_heads` {shared}"
        )
    if given % 2:
        raise ConversionError(f"{config.name}: `head_dim` {given} is odd, and cannot be turned")
    return {
        "Vocab": config.size("vocab_size"),
        "H": width,
        "Inner": config.size("intermediate_size"),
        "Heads": heads,
        "KvHeads": shared,
        "D": given,
        "Layers": config.size("num_hidden_layers"),
    }


def _common(config: Config, eps: float, rope: Rope) -> dict[str, Constant]:
    return {"NORM_EPS": config.number("rms_norm_eps", eps), "ROPE_THETA": rope.theta}


def _head(config: Config, tied: bool) -> tuple[str, ...]:
    return () if config.flag("tie_word_embeddings", tied) else (_HEAD,)


def _window(config: Config) -> dict[str, int]:
    """How far a token sees; 0 for all the way."""
    return {"Window": config.optional_size("sliding_window") or 0}


def _no_window(config: Config, family: str) -> None:
    """Refuse windows where the family has them as an option that few checkpoints take."""
    if config.flag("use_sliding_window", False):
        raise ConversionError(
            f"{config.name} sets `use_sliding_window`, which is not known for {family}"
        )
    for key in ("sliding_window", "max_window_layers"):
        config.get(key)
    others = sorted(set(config.texts("layer_types")) - {"full_attention"})
    if others:
        raise ConversionError(
            f"{config.name} has layers of type `{others[0]}`, which are not known for {family}"
        )


def _written(
    facts: Facts, model_type: str, architecture: str, rope: Rope | None = None
) -> dict[str, object]:
    rope = rope or Rope(facts.number("ROPE_THETA"), "default", {})
    fields: dict[str, object] = {
        "architectures": [architecture],
        "model_type": model_type,
        **{published: facts.generics[name] for name, published in _SIZES.items()},
        "rms_norm_eps": facts.number("NORM_EPS"),
        "tie_word_embeddings": _HEAD not in facts.present,
        **rope.written(),
    }
    if facts.positions is not None:
        fields["max_position_embeddings"] = facts.positions
    return fields


def _read_llama(config: Config, _: str) -> Facts:
    config.only("hidden_act", "silu")
    rope = read_rope(config, "llama", *_SCALINGS)
    constants = _common(config, 1e-6, rope)
    constants["ROPE_SCALING"] = Variant("Scaling", _SCALINGS[rope.kind])
    constants |= {_ROPE_FIELDS[name]: value for name, value in rope.values.items()}
    present = _head(config, False)
    if config.flag("attention_bias", False):
        present += (_ATTENTION_BIAS,)
    if config.flag("mlp_bias", False):
        present += (_MLP_BIAS,)
    return Facts(_sizes(config), constants, present, config.size("max_position_embeddings", 2048))


def _write_llama(facts: Facts, architecture: str) -> dict[str, object]:
    scaling = facts.variant("ROPE_SCALING")
    kind = next(kind for kind, name in _SCALINGS.items() if name == scaling)
    names = {"default": (), "linear": ("factor",), "llama3": tuple(_ROPE_FIELDS)}[kind]
    values = {name: facts.number(_ROPE_FIELDS[name]) for name in names}
    rope = Rope(facts.number("ROPE_THETA"), kind, values)
    return {
        **_written(facts, "llama", architecture, rope),
        "hidden_act": "silu",
        "attention_bias": _ATTENTION_BIAS in facts.present,
        "mlp_bias": _MLP_BIAS in facts.present,
    }


def _plain(config: Config, family: str, eps: float = 1e-6) -> dict[str, Constant]:
    config.only("hidden_act", "silu")
    return _common(config, eps, read_rope(config, family, "default"))


def _read_mistral(config: Config, _: str) -> Facts:
    return Facts(
        {**_sizes(config, shared=8), **_window(config)},
        _plain(config, "mistral"),
        _head(config, False),
        config.size("max_position_embeddings"),
    )


def _write_mistral(facts: Facts, architecture: str) -> dict[str, object]:
    return {
        **_written(facts, "mistral", architecture),
        "hidden_act": "silu",
        "sliding_window": facts.generics["Window"] or None,
    }


def _read_qwen2(config: Config, _: str) -> Facts:
    _no_window(config, "qwen2")
    return Facts(
        _sizes(config, shared=32),
        _plain(config, "qwen2"),
        (*_head(config, False), *_QKV_BIAS),
        config.size("max_position_embeddings"),
    )


def _write_qwen2(facts: Facts, architecture: str) -> dict[str, object]:
    fields = _written(facts, "qwen2", architecture)
    if facts.generics["D"] * facts.generics["Heads"] == facts.generics["H"]:
        del fields["head_dim"]  # The class has none, and takes the width over the heads.
    return {**fields, "hidden_act": "silu", "use_sliding_window": False}


def _read_qwen3(config: Config, _: str) -> Facts:
    _no_window(config, "qwen3")
    present = _head(config, False)
    if config.flag("attention_bias", False):
        present += (_ATTENTION_BIAS,)
    return Facts(
        _sizes(config, head=128, shared=32),
        _plain(config, "qwen3"),
        present,
        config.size("max_position_embeddings"),
    )


def _write_qwen3(facts: Facts, architecture: str) -> dict[str, object]:
    return {
        **_written(facts, "qwen3", architecture),
        "hidden_act": "silu",
        "attention_bias": _ATTENTION_BIAS in facts.present,
        "use_sliding_window": False,
    }


def _read_phi3(config: Config, _: str) -> Facts:
    config.get("original_max_position_embeddings")  # It counts for the rope type `longrope` alone.
    return Facts(
        {**_sizes(config), **_window(config)},
        _plain(config, "phi3", 1e-5),
        _head(config, False),
        config.size("max_position_embeddings"),
    )


def _write_phi3(facts: Facts, architecture: str) -> dict[str, object]:
    fields = _written(facts, "phi3", architecture)
    if facts.generics["D"] * facts.generics["Heads"] == facts.generics["H"]:
        del fields["head_dim"]
    return {**fields, "hidden_act": "silu", "sliding_window": facts.generics["Window"] or None}


def _read_gemma(config: Config, _: str) -> Facts:
    # The first releases say `gelu` and mean the tanh form, which `hidden_activation` spells out.
    config.only("hidden_act", "gelu", "gelu_pytorch_tanh")
    config.only("hidden_activation", "gelu_pytorch_tanh")
    config.only("use_bidirectional_attention", False)
    present = _head(config, True)
    if config.flag("attention_bias", False):
        present += (_ATTENTION_BIAS,)
    return Facts(
        _sizes(config, head=256, shared=16),
        _common(config, 1e-6, read_rope(config, "gemma", "default")),
        present,
        config.size("max_position_embeddings"),
    )


def _write_gemma(facts: Facts, architecture: str) -> dict[str, object]:
    return {
        **_written(facts, "gemma", architecture),
        "hidden_act": "gelu_pytorch_tanh",
        "hidden_activation": "gelu_pytorch_tanh",
        "attention_bias": _ATTENTION_BIAS in facts.present,
    }


def _small(sizes: Mapping[str, int]) -> dict[str, int]:
    shared = min(sizes["KvHeads"], 2)
    heads = shared * (sizes["Heads"] // sizes["KvHeads"])
    window = {"Window": min(sizes["Window"], 5)} if "Window" in sizes else {}
    rest = {"Vocab": 67, "H": heads * 8, "Inner": 40, "D": 8, "Layers": min(sizes["Layers"], 2)}
    return {**rest, "Heads": heads, "KvHeads": shared, **window}


def _decoder(
    name: str,
    title: str,
    architecture: str,
    read: Callable[[Config, str], Facts],
    write: Callable[[Facts, str], dict[str, object]],
    *optionals: str,
) -> Family:
    return Family(
        name,
        title,
        ("text-generation", "decoder-only"),
        {architecture: Architecture()},
        read,
        write,
        inert=("model.layers.*.self_attn.rotary_emb.inv_freq", "model.rotary_emb.inv_freq"),
        tied="model.embed_tokens.weight",
        optionals=(_HEAD, *optionals),
        small=_small,
    )


DECODERS: Final[Mapping[str, Family]] = {
    family.name: family
    for family in (
        _decoder(
            "llama",
            "Llama",
            "LlamaForCausalLM",
            _read_llama,
            _write_llama,
            _ATTENTION_BIAS,
            _MLP_BIAS,
        ),
        _decoder("mistral", "Mistral", "MistralForCausalLM", _read_mistral, _write_mistral),
        _decoder("qwen2", "Qwen2", "Qwen2ForCausalLM", _read_qwen2, _write_qwen2, *_QKV_BIAS),
        _decoder("qwen3", "Qwen3", "Qwen3ForCausalLM", _read_qwen3, _write_qwen3, _ATTENTION_BIAS),
        _decoder("phi3", "Phi-3", "Phi3ForCausalLM", _read_phi3, _write_phi3),
        _decoder("gemma", "Gemma", "GemmaForCausalLM", _read_gemma, _write_gemma, _ATTENTION_BIAS),
    )
}
