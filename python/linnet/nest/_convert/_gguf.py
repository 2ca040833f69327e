"""From a GGUF file to the folder that its model would be published as; `convert` goes on from it.

The header is scanned before anything else looks at the file (`linnet.weights.read_gguf`). Every
pair of the model's architecture is read, known to change no result, or refused by name.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ConversionError
from linnet.nest._convert._config import Config
from linnet.nest._convert._gguf_layout import GGUF_ARCHITECTURES, Placed, from_gguf, published_form
from linnet.nest._convert._gguf_tokenizer import special_ids, tokenizer_files
from linnet.signature import numpy_dtype
from linnet.weights import Gguf, GgufTensor, Pending, read_gguf, write_safetensors

DTYPES: Final = ("f32", "f16", "bf16")
_KINDS: Final = {"F32": "f32", "F16": "f16", "BF16": "bf16", "F64": "f64"}
_TURNS: Final = "rope_freqs.weight"
# Factors of Llama 3 by which positions are slowed; a file has the outcome, not these.
_LLAMA3: Final = tuple(
    {
        "rope_type": "llama3",
        "factor": factor,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    for factor in (8.0, 16.0, 32.0)
)

Fields = dict[str, object]


def published_from_gguf(
    file: Path,
    folder: Path,
    dtype: str | None,
    ignore: Iterable[str],
    progress: Callable[[int, int], None] | None,
) -> None:
    """Write config.json, model.safetensors and the tokenizer of a GGUF file to a folder.

    Tensors become floating one at a time: in `dtype`, else in that of the file's matrices if it
    holds every number of the file, else in f32. ConversionError names an architecture, a pair, a
    tensor or a tokenizer that is not known; CapabilityError and WeightsError as `read_gguf`.
    """
    ignored = frozenset(ignore)
    gguf = read_gguf(file)
    architecture = _architecture(gguf)
    config = _config_of(gguf, architecture)
    read = {"llama": _read_llama, "gpt2": _read_gpt2}[architecture]
    fields = read(config, gguf)
    config.refuse_rest(architecture, ignored)
    texts = tokenizer_files(gguf, ignored)
    if texts:
        tokens, rows = len(cast(list[str], gguf.get("tokenizer.ggml.tokens"))), fields["vocab_size"]
        if tokens != rows:
            raise ConversionError(f"{file} has {tokens} tokens, but an embedding of {rows} rows")
        fields |= special_ids(gguf)
    dtype = dtype or _narrowest(gguf)
    tensors = _tensors(gguf, architecture, fields, dtype)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    written = json.dumps(fields, indent=1, ensure_ascii=False) + "\n"
    (folder / "config.json").write_text(written, encoding="utf-8")
    write_safetensors(folder / "model.safetensors", tensors, progress)


def _architecture(gguf: Gguf) -> str:
    found = gguf.get("general.architecture")
    if not isinstance(found, str):
        raise ConversionError(f"{gguf.path} does not say its architecture")
    known = ", ".join(GGUF_ARCHITECTURES)
    if found not in GGUF_ARCHITECTURES:
        shown = json.dumps(found[:60], ensure_ascii=False)[1:-1]
        raise ConversionError(f"architecture `{shown}` is not known", f"known of GGUF: {known}")
    kind = gguf.get("general.type")
    if kind not in (None, "model"):
        raise ConversionError(f"{gguf.path} holds no model: its `general.type` is {kind!r}")
    if gguf.get("split.count") not in (None, 0, 1):
        raise ConversionError(
            f"{gguf.path} is one part of several", "merge them: llama-gguf-split --merge"
        )
    return found


def _config_of(gguf: Gguf, architecture: str) -> Config:
    """The pairs of the architecture; those of text, tokens and provenance are no part of it."""
    fields: Fields = {}
    for key in gguf:
        if key.startswith(f"{architecture}."):
            fields[key] = "an array" if gguf.is_array(key) else gguf.get(key)
    return Config(fields, str(gguf.path))


def _rows(gguf: Gguf, name: str) -> int:
    tensor = gguf.tensors.get(name)
    if tensor is None or len(tensor.shape) != 2:
        raise ConversionError(f"{gguf.path} has no matrix `{name}`")
    return tensor.shape[0]


def _read_llama(config: Config, gguf: Gguf) -> Fields:
    heads, width = config.size("llama.attention.head_count"), config.size("llama.embedding_length")
    head = config.size("llama.attention.key_length", max(1, width // heads))
    for key in ("llama.attention.value_length", "llama.rope.dimension_count"):
        config.only(key, head)
    config.only("llama.expert_count", 0)
    config.only("llama.expert_used_count", 0)
    config.only("llama.attention.causal", True)
    config.only("llama.use_parallel_residual", False)
    config.get("llama.tensor_data_layout")  # Who wrote the file.
    vocabulary = _rows(gguf, "token_embd.weight")
    config.only("llama.vocab_size", vocabulary)
    theta = config.number("llama.rope.freq_base", 10000.0)
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": vocabulary,
        "hidden_size": width,
        "intermediate_size": config.size("llama.feed_forward_length"),
        "num_hidden_layers": config.size("llama.block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": config.size("llama.attention.head_count_kv", heads),
        "head_dim": head,
        "max_position_embeddings": config.size("llama.context_length"),
        "rms_norm_eps": config.number("llama.attention.layer_norm_rms_epsilon"),
        "rope_theta": theta,
        "rope_scaling": _scaling(config, gguf, theta, head),
        "hidden_act": "silu",
        "attention_bias": "blk.0.attn_q.bias" in gguf.tensors,
        "mlp_bias": "blk.0.ffn_up.bias" in gguf.tensors,
        "tie_word_embeddings": "output.weight" not in gguf.tensors,
    }


def _scaling(config: Config, gguf: Gguf, theta: float, head: int) -> Fields | None:
    kind = config.text("llama.rope.scaling.type", "none")
    factor = config.get("llama.rope.scaling.factor")
    older = config.get("llama.rope.scale_linear")
    if kind not in ("none", "linear"):
        raise ConversionError(
            f"{gguf.path} asks for rope type `{kind}`, which is not known for llama",
            "known: none, linear, and the factors of Llama 3",
        )
    tensor = gguf.tensors.get(_TURNS)
    if kind == "linear" or (older is not None and older != 1.0):
        if tensor is not None:
            raise ConversionError(f"{gguf.path} slows positions twice, by a factor and `{_TURNS}`")
        key = "llama.rope.scaling.factor" if factor is not None else "llama.rope.scale_linear"
        return {"rope_type": "linear", "factor": config.number(key)}
    if tensor is None:
        return None
    if not tensor.is_floating or tensor.shape != (head // 2,):
        raise ConversionError(f"`{_TURNS}` does not hold a factor for each place of half a head")
    found = tensor.floats().astype(np.float64)
    for scaling in _LLAMA3:
        if np.allclose(found, llama3_factors(scaling, theta, head), rtol=1e-5, atol=0):
            return dict(scaling)
    raise ConversionError(
        f"`{_TURNS}` of {gguf.path} slows positions in a way that is not known",
        "known: the factors of Llama 3.1 and 3.2",
    )


def llama3_factors(scaling: Mapping[str, object], theta: float, head: int) -> NDArray[np.float64]:
    """By what each speed of turning is divided, as Llama 3 slows positions; f64 [head / 2]."""
    factor, low, high, length = (
        float(cast(float, scaling[name]))
        for name in (
            "factor",
            "low_freq_factor",
            "high_freq_factor",
            "original_max_position_embeddings",
        )
    )
    speeds = theta ** (-np.arange(0, head, 2, dtype=np.float64) / head)
    turns = length * speeds / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    return 1 / (kept + (1 - kept) / factor)


def _read_gpt2(config: Config, gguf: Gguf) -> Fields:
    vocabulary = _rows(gguf, "token_embd.weight")
    config.only("gpt2.vocab_size", vocabulary)
    heads = config.size("gpt2.attention.head_count")
    config.only("gpt2.attention.head_count_kv", heads)
    config.only("gpt2.rope.dimension_count", 0)
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": vocabulary,
        "n_positions": config.size("gpt2.context_length"),
        "n_embd": config.size("gpt2.embedding_length"),
        "n_inner": config.size("gpt2.feed_forward_length"),
        "n_layer": config.size("gpt2.block_count"),
        "n_head": heads,
        "layer_norm_epsilon": config.number("gpt2.attention.layer_norm_epsilon"),
        "activation_function": "gelu_new",
        "tie_word_embeddings": True,
    }


def _narrowest(gguf: Gguf) -> str:
    """The dtype of the matrices, if they have one and it holds all other numbers too; else f32."""
    kinds = {tensor.kind for tensor in gguf.tensors.values() if len(tensor.shape) > 1}
    if kinds == {"F64"}:
        return "f64"
    if len(kinds) != 1 or not kinds < {"F16", "BF16"}:
        return "f32"
    (kind,) = kinds
    wanted = numpy_dtype(_KINDS[kind])
    for tensor in gguf.tensors.values():
        if tensor.kind != kind and tensor.name != _TURNS:
            given = tensor.floats()
            with np.errstate(over="ignore"):
                if not np.array_equal(given.astype(wanted).astype(given.dtype), given):
                    return "f32"
    return _KINDS[kind]


def _tensors(gguf: Gguf, architecture: str, fields: Fields, dtype: str) -> dict[str, Pending]:
    """The tensors by published name, made in turn. ConversionError for one without a place."""
    found: dict[str, Pending] = {}
    sizes = {
        "query": cast(int, fields.get("num_attention_heads", 1)),
        "key": cast(int, fields.get("num_key_value_heads", 1)),
    }
    for tensor in gguf.tensors.values():
        if tensor.name == _TURNS and architecture == "llama":
            continue
        placed = from_gguf(architecture, tensor.name)
        if placed is None:
            raise ConversionError(
                f"{gguf.path} holds `{tensor.name}`, which has no place in {architecture}"
            )
        shape = tensor.shape[::-1] if placed.form == "transposed" else tensor.shape
        heads = sizes.get(placed.form, 1)
        if not shape or shape[0] % (2 * heads if placed.form in sizes else 1):
            raise ConversionError(
                f"`{tensor.name}` has shape {list(shape)}, which {heads} heads do not share"
            )
        found[placed.name] = Pending(dtype, shape, _maker(tensor, placed, heads, dtype))
    return found


def _maker(
    tensor: GgufTensor, placed: Placed, heads: int, dtype: str
) -> Callable[[], NDArray[Any]]:
    def make() -> NDArray[Any]:
        given = tensor.floats()
        with np.errstate(over="ignore"):
            made = given.astype(numpy_dtype(dtype), copy=False)
        if made.dtype != given.dtype and not np.isfinite(made).all() and np.isfinite(given).all():
            raise ConversionError(
                f"`{tensor.name}` has numbers that {dtype} cannot hold", "leave out --dtype"
            )
        return published_form(made, placed.form, heads)

    return make
