"""BERT and ViT: how their configurations read, and what their tensors are called."""

from collections.abc import Iterable, Mapping
from typing import Final, cast

from linnet.errors import ConversionError
from linnet.nest._convert._config import Config
from linnet.nest._convert._facts import Architecture, Facts, Family


def _both(names: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Each pair once for the weight and once for the bias."""
    return tuple(
        (f"{ours}.{leaf}", f"{theirs}.{leaf}")
        for ours, theirs in names
        for leaf in ("weight", "bias")
    )


def _heads(config: Config) -> tuple[int, int]:
    width, heads = config.size("hidden_size"), config.size("num_attention_heads")
    if width % heads:
        raise ConversionError(
            f"{config.name}: `hidden_size` {width} is no multiple of `num_attention_heads` {heads}"
        )
    return width, heads


_BERT_LAYER: Final = (
    ("query", "attention.self.query"),
    ("key", "attention.self.key"),
    ("value", "attention.self.value"),
    ("output", "attention.output.dense"),
    ("attention_norm", "attention.output.LayerNorm"),
    ("up", "intermediate.dense"),
    ("down", "output.dense"),
    ("norm", "output.LayerNorm"),
)
_BERT_NAMES: Final = (
    ("embeddings.words.weight", "embeddings.word_embeddings.weight"),
    ("embeddings.positions.weight", "embeddings.position_embeddings.weight"),
    ("embeddings.types.weight", "embeddings.token_type_embeddings.weight"),
    *_both([("embeddings.norm", "embeddings.LayerNorm"), ("pooler", "pooler.dense")]),
    *_both(
        (f"layers.{{i}}.{ours}", f"encoder.layer.{{i}}.{theirs}") for ours, theirs in _BERT_LAYER
    ),
)


def _read_bert(config: Config, _: str) -> Facts:
    config.only("hidden_act", "gelu")
    config.only("position_embedding_type", "absolute")
    config.only("is_decoder", False)
    config.only("add_cross_attention", False)
    config.get("tie_word_embeddings")  # The encoder has no head to tie.
    config.get("chunk_size_feed_forward")  # The same, in pieces.
    width, heads = _heads(config)
    positions = config.size("max_position_embeddings")
    generics = {
        "Vocab": config.size("vocab_size"),
        "MaxPositions": positions,
        "Types": config.size("type_vocab_size", 2),
        "H": width,
        "Heads": heads,
        "Inner": config.size("intermediate_size"),
        "Layers": config.size("num_hidden_layers"),
    }
    constants = {"NORM_EPS": config.number("layer_norm_eps", 1e-12)}
    return Facts(generics, constants, ("layers.*.bias",), positions, either=("pooler.*",))


def _write_bert(facts: Facts, architecture: str) -> dict[str, object]:
    sizes = facts.generics
    return {
        "architectures": [architecture],
        "model_type": "bert",
        "vocab_size": sizes["Vocab"],
        "max_position_embeddings": sizes["MaxPositions"],
        "type_vocab_size": sizes["Types"],
        "hidden_size": sizes["H"],
        "num_attention_heads": sizes["Heads"],
        "intermediate_size": sizes["Inner"],
        "num_hidden_layers": sizes["Layers"],
        "layer_norm_eps": facts.number("NORM_EPS"),
        "hidden_act": "gelu",
    }


_VIT_LAYER: Final = (
    ("norm_before", "layernorm_before"),
    ("query", "attention.attention.query"),
    ("key", "attention.attention.key"),
    ("value", "attention.attention.value"),
    ("output", "attention.output.dense"),
    ("norm_after", "layernorm_after"),
    ("up", "intermediate.dense"),
    ("down", "output.dense"),
)
_VIT_BARE: Final = (
    ("class_token", "embeddings.cls_token"),
    ("positions", "embeddings.position_embeddings"),
    *_both([("patches", "embeddings.patch_embeddings.projection"), ("norm", "layernorm")]),
    *_both([("pooler", "pooler.dense")]),
    *_both(
        (f"layers.{{i}}.{ours}", f"encoder.layer.{{i}}.{theirs}") for ours, theirs in _VIT_LAYER
    ),
)
_VIT_ALWAYS: Final = tuple(f"*layers.*.{part}.bias" for part in ("output", "up", "down"))
_VIT_QKV: Final = tuple(f"*layers.*.{part}.bias" for part in ("query", "key", "value"))
_CLASSIFIER: Final = "ViTForImageClassification"


def _square(config: Config, key: str, default: int) -> int:
    """A size that may be written once or for both axes, and must be the same for both."""
    value = config.get(key)
    if isinstance(value, list):
        sides = cast(list[object], value)
        first = sides[0] if len(sides) == 2 and sides[0] == sides[1] else None
        if isinstance(first, int) and not isinstance(first, bool) and first > 0:
            return first
        raise ConversionError(f"{config.name} sets `{key}` to {sides}, which is no square")
    return config.size(key, default)


def _classes(config: Config) -> int:
    labels = config.get("id2label")
    if isinstance(labels, dict) and labels:
        return len(cast(dict[str, object], labels))
    return config.size("num_labels", 2)


def _read_vit(config: Config, architecture: str) -> Facts:
    config.only("hidden_act", "gelu")
    config.only("pooler_act", "tanh")
    width, heads = _heads(config)
    config.only("pooler_output_size", width)
    image, patch = _square(config, "image_size", 224), _square(config, "patch_size", 16)
    if image % patch:
        raise ConversionError(
            f"{config.name}: `image_size` {image} is no multiple of `patch_size` {patch}"
        )
    generics = {
        "Channels": config.size("num_channels", 3),
        "Grid": image // patch,
        "P": patch,
        "H": width,
        "Heads": heads,
        "Inner": config.size("intermediate_size"),
        "Layers": config.size("num_hidden_layers"),
    }
    classes = _classes(config)
    present = _VIT_ALWAYS + (_VIT_QKV if config.flag("qkv_bias", True) else ())
    constants = {"NORM_EPS": config.number("layer_norm_eps", 1e-12)}
    if architecture != _CLASSIFIER:
        return Facts(generics, constants, present, either=("pooler.*",))
    return Facts({**generics, "Classes": classes}, constants, (*present, "classifier.bias"))


def _write_vit(facts: Facts, architecture: str) -> dict[str, object]:
    sizes = facts.generics
    fields: dict[str, object] = {
        "architectures": [architecture],
        "model_type": "vit",
        "image_size": sizes["Grid"] * sizes["P"],
        "patch_size": sizes["P"],
        "num_channels": sizes["Channels"],
        "hidden_size": sizes["H"],
        "num_attention_heads": sizes["Heads"],
        "intermediate_size": sizes["Inner"],
        "num_hidden_layers": sizes["Layers"],
        "layer_norm_eps": facts.number("NORM_EPS"),
        "hidden_act": "gelu",
        "qkv_bias": _VIT_QKV[0] in facts.present,
    }
    if "Classes" in sizes:
        labels = {index: f"LABEL_{index}" for index in range(sizes["Classes"])}
        fields["id2label"] = {str(index): label for index, label in labels.items()}
        fields["label2id"] = {label: index for index, label in labels.items()}
    return fields


ENCODERS: Final[Mapping[str, Family]] = {
    "bert": Family(
        "bert",
        "BERT",
        ("text-embedding", "encoder-only"),
        {"BertModel": Architecture(prefixes=("", "bert."))},
        _read_bert,
        _write_bert,
        _BERT_NAMES,
        inert=("embeddings.position_ids",),
        has_cache=False,
        optionals=("layers.*.bias",),
        small=lambda sizes: {
            **sizes,
            "Vocab": 67,
            "MaxPositions": 32,
            "H": 16,
            "Heads": 2,
            "Inner": 24,
            "Layers": min(sizes["Layers"], 2),
        },
    ),
    "vit": Family(
        "vit",
        "ViT",
        ("image-classification", "encoder-only"),
        {"ViTModel": Architecture("Encoder"), _CLASSIFIER: Architecture()},
        _read_vit,
        _write_vit,
        (*_VIT_BARE, *((f"vit.{ours}", f"vit.{theirs}") for ours, theirs in _VIT_BARE)),
        check={"B": 1},
        has_cache=False,
        optionals=(*_VIT_ALWAYS, *_VIT_QKV, "classifier.bias"),
        small=lambda sizes: {
            **sizes,
            "Grid": 3,
            "P": 4,
            "H": 16,
            "Heads": 2,
            "Inner": 24,
            "Layers": min(sizes["Layers"], 2),
        },
    ),
}
