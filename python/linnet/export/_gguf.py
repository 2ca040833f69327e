"""Export to GGUF, which llama.cpp loads: weights, sizes, tokenizer, and a certificate.

The file is written by the package `gguf`. The certificate has the form of that of `export hf`;
the other side is llama.cpp.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import NDArray

from linnet import nest
from linnet.errors import ConversionError, UsageError, unknown_name
from linnet.export._certificate import Named, Theirs, certificate, evaluated, shown, small_twin
from linnet.export._gguf_tokens import add_tokenizer
from linnet.export._llama import llama_result, llama_version, need_llama
from linnet.nest import (
    GGUF_ARCHITECTURES,
    Card,
    Origin,
    Published,
    gguf_form,
    llama3_factors,
    open_arrays,
    to_gguf,
)
from linnet.runtime import Generics
from linnet.weights import WeightsSource

Dtype = Literal["f32", "f16", "q8_0"]

_TARGET: Final = "llama.cpp"
# llama.cpp looks GELU up in a table of f16; its other functions are those of f32.
_TOLERANCES: Final = {"llama": 2e-4, "gpt2": 5e-3}
_TYPES: Final = {"f32": ("F32", 0), "f16": ("F16", 1), "q8_0": ("Q8_0", 7)}
_BLOCK: Final = 32


@dataclass(frozen=True, slots=True)
class GgufExport:
    """What `export` wrote: the file, its architecture, the parameters, and its certificate."""

    path: Path
    architecture: str
    parameters: int
    certificate: Mapping[str, Any]


def export_gguf(
    model: "str | os.PathLike[str] | nest.Model",
    target: str | os.PathLike[str],
    dtype: str = "f32",
    *,
    generics: Generics | None = None,
    weights: WeightsSource = None,
    bindings: str | os.PathLike[str] | Mapping[str, str] | None = None,
    tokenizer: bool = True,
    full: bool = False,
    certify: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> GgufExport:
    """Write a GGUF file of a nest of the family gpt2 or llama.

    `model`, `generics`, `weights` and `bindings` as those of `linnet.hf.export`. `dtype` is what
    matrices become: f32, f16, or q8_0 (f16 for rows that are no multiple of 32); vectors are f32.
    The tokenizer beside the card goes along unless `tokenizer` is false. The certificate, beside
    the file as NAME.certificate.json, says how far llama.cpp is from the program at small sizes in
    f32, and with `full` as it is; without `certify` llama.cpp is not needed.

    ConversionError names a family, path, constant or tokenizer that has no place in GGUF, a number
    that the dtype cannot hold, and a difference between the sides; then nothing is written.
    CapabilityError where `gguf` or llama.cpp is not installed; UsageError for the target.
    """
    if dtype not in _TYPES:
        raise unknown_name("no dtype", dtype, list(_TYPES), "dtypes")
    if full and (dtype != "f32" or not certify):
        raise UsageError("only a certified export in f32 is evaluated as it is", "leave out full")
    if find_spec("gguf") is None:
        raise nest.needs_extra("an export to GGUF", "gguf", "gguf")
    if certify:
        need_llama()
    source = open_arrays(model, Origin(generics, weights, bindings))
    bound: dict[str, object] = dict(source.opened.request.generics)
    published = nest.published(source.card, bound, source.members, source.opened.members())
    architecture = published.family.name
    if architecture not in GGUF_ARCHITECTURES:
        raise ConversionError(
            f"`{source.card.name}` is of the family `{architecture}`, which is not written to GGUF",
            f"known: {', '.join(GGUF_ARCHITECTURES)}",
        )
    made = Path(target)
    found: dict[str, Any] = {}
    tolerance = _TOLERANCES[architecture]
    if certify:
        small, difference = small_twin(source, published, _TARGET, tolerance, _write_small)
        versions = {"llama_cpp_python": llama_version()}
        found = certificate(source, published, small, difference, _TARGET, tolerance, versions)
    named = {published.names[path]: array for path, array in source.arrays.items()}
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{made.name}-", dir=made.parent)
        os.close(handle)
        scratch = Path(temporary)
        _write(scratch, published, named, dtype, source.card if tokenizer else None, progress)
        if full:
            sizes = source.opened.request.generics
            other = _evaluator(scratch)
            whole = evaluated(source, published, sizes, source.arrays, _TARGET, tolerance, other)
            found["weights"] = shown(whole, tolerance)
        os.chmod(scratch, 0o644)
        if certify:
            found["files"] = {made.name: _digest(scratch)}
            text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
            made.with_name(f"{made.name}.certificate.json").write_text(text, encoding="utf-8")
        os.replace(scratch, made)
        temporary = None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {made}: {reason}", "name another file") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
    return GgufExport(made, architecture, sum(each.size for each in named.values()), found)


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _evaluator(path: Path) -> Theirs:
    def run(inputs: Mapping[str, Any]) -> NDArray[np.float32]:
        return llama_result(path, rows=inputs["tokens"].tolist())

    return run


def _write_small(folder: Path, small: Published, named: Named) -> Theirs:
    path = folder / "small.gguf"
    _write(path, small, named, "f32", None, None)
    return _evaluator(path)


def _write(
    path: Path,
    published: Published,
    named: Named,
    dtype: str,
    card: Card | None,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Write the file in place, one tensor in memory at a time."""
    gguf: Any = import_module("gguf")
    architecture, config = published.family.name, published.config()
    writer: Any = gguf.GGUFWriter(None, architecture)
    extra = {"llama": _add_llama, "gpt2": _add_gpt2}[architecture](writer, gguf, config)
    writer.add_file_type(_TYPES[dtype][1])
    if dtype == "q8_0":
        writer.add_quantization_version(2)
    vocabulary = published.facts.generics["Vocab"]
    writer.add_vocab_size(vocabulary)
    if card is None:
        writer.add_tokenizer_model("no_vocab")
    else:
        writer.add_name(card.title)
        add_tokenizer(writer, card, vocabulary, config, True)
    parts = [(name, _placed(architecture, name, array, config)) for name, array in named.items()]
    parts += [("", each) for each in extra]
    for _, (place, array) in parts:
        kind, shape, size, numpy = _stored(array.shape, dtype)
        writer.add_tensor_info(place, shape, numpy, size, raw_dtype=gguf.GGMLQuantizationType[kind])
    writer.write_header_to_file(path)
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    total = sum(array.size for _, (_, array) in parts)
    done = 0
    for name, (_, array) in parts:
        kind, *_ = _stored(array.shape, dtype)
        writer.write_tensor_data(_converted(gguf, name, array, kind))
        done += array.size
        if progress is not None:
            progress(done, total)
    writer.flush()
    writer.close()
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _placed(
    architecture: str, name: str, array: NDArray[Any], config: Mapping[str, object]
) -> tuple[str, NDArray[Any]]:
    placed = to_gguf(architecture, name)
    if placed is None:
        raise ConversionError(f"`{name}` has no place in {architecture} of GGUF")
    key = {"query": "num_attention_heads", "key": "num_key_value_heads"}.get(placed.form)
    heads = cast(int, config[key]) if key is not None else 1
    return placed.name, gguf_form(array, placed.form, heads)


def _stored(shape: tuple[int, ...], dtype: str) -> tuple[str, tuple[int, ...], int, Any]:
    """The GGUF type of a tensor, and the shape, bytes and NumPy dtype of what is written."""
    count = int(np.prod(shape, dtype=np.int64))
    if len(shape) < 2 or dtype == "f32":
        return "F32", shape, 4 * count, np.dtype(np.float32)
    if dtype == "q8_0" and shape[-1] % _BLOCK == 0:
        blocks = count // _BLOCK
        rows = (*shape[:-1], shape[-1] // _BLOCK * (_BLOCK + 2))
        return "Q8_0", rows, blocks * (_BLOCK + 2), np.dtype(np.uint8)
    return "F16", shape, 2 * count, np.dtype(np.float16)


def _converted(gguf: Any, name: str, array: NDArray[Any], kind: str) -> NDArray[Any]:
    wide = np.ascontiguousarray(array).astype(np.float32, copy=False)
    if kind == "F32":
        return wide
    limit = 65504.0 * (127 if kind == "Q8_0" else 1)
    if not np.abs(wide).max(initial=0) <= limit:
        raise ConversionError(f"`{name}` has numbers that {kind} cannot hold", "export in f32")
    if kind == "F16":
        return wide.astype(np.float16)
    return gguf.quants.quantize(wide, gguf.GGMLQuantizationType.Q8_0)


def _add_llama(writer: Any, gguf: Any, config: Mapping[str, Any]) -> list[tuple[str, NDArray[Any]]]:
    head = config["head_dim"]
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_rope_dimension_count(head)
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    scaling: Mapping[str, Any] | None = config["rope_scaling"]
    if scaling is None:
        return []
    if scaling["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(scaling["factor"])
        return []
    factors = llama3_factors(scaling, config["rope_theta"], head).astype(np.float32)
    return [("rope_freqs.weight", factors)]


def _add_gpt2(writer: Any, _: Any, config: Mapping[str, Any]) -> list[tuple[str, NDArray[Any]]]:
    writer.add_block_count(config["n_layer"])
    writer.add_context_length(config["n_positions"])
    writer.add_embedding_length(config["n_embd"])
    writer.add_feed_forward_length(4 * config["n_embd"])
    writer.add_head_count(config["n_head"])
    writer.add_layer_norm_eps(config["layer_norm_epsilon"])
    return []
