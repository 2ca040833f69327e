"""The safetensors files of a published model: one, or shards with an index."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from linnet.errors import ConversionError
from linnet.nest._convert._config import read_json
from linnet.weights import Tensor, read_safetensors

_SINGLE: Final = "model.safetensors"
_INDEX: Final = "model.safetensors.index.json"
_LARGEST_INDEX: Final = 64 << 20  # Bytes.
_PICKLED: Final = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt", "tf_model.h5", "*.msgpack")
_ADAPTERS: Final = ("adapter_config.json", "adapter_model.safetensors", "adapter_model.bin")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The tensors by published name, mapped and not read, and the files that hold them."""

    files: tuple[Path, ...]
    tensors: Mapping[str, Tensor]


def open_checkpoint(folder: Path) -> Checkpoint:
    """Return the tensors of a model folder.

    ConversionError for an adapter, for weights in another form, for an index that is malformed or
    at odds with its shards; WeightsError for a file that is cut or malformed.
    """
    for name in _ADAPTERS:
        if (folder / name).exists():
            raise ConversionError(
                f"{folder} holds an adapter ({name}), not a model",
                "merge it into its base model and save that",
            )
    if (folder / _INDEX).exists():
        return _sharded(folder)
    single = folder / _SINGLE
    if single.exists():
        return Checkpoint((single,), read_safetensors(single))
    for pattern in _PICKLED:
        for found in sorted(folder.glob(pattern)):
            raise ConversionError(
                f"{folder} has its weights in {found.name}, which could run code when read",
                "save the model as safetensors",
            )
    raise ConversionError(f"{folder} has no {_SINGLE} and no {_INDEX}")


def _sharded(folder: Path) -> Checkpoint:
    index = folder / _INDEX
    given: object = read_json(index, _LARGEST_INDEX).get("weight_map")
    if not isinstance(given, dict) or not given:
        raise ConversionError(f"{index} has no `weight_map`", "download the index again")
    places = cast(dict[str, object], given)
    for name, shard in places.items():
        if not isinstance(shard, str) or Path(shard).name != shard or shard in ("", ".", ".."):
            raise ConversionError(f"{index} puts `{name}` in {shard!r}, which is no file beside it")
    shards = sorted(set(cast(dict[str, str], places).values()))
    for shard in shards:
        if not (folder / shard).is_file():
            raise ConversionError(
                f"{index} names {shard}, which is missing", "download the missing shard"
            )
    tensors: dict[str, Tensor] = {}
    for shard in shards:
        for name, tensor in read_safetensors(folder / shard).items():
            if places.get(name) != shard:
                raise ConversionError(
                    f"{folder / shard} holds `{name}`, which the index "
                    + (f"puts in {places[name]}" if name in places else "does not name"),
                    "download the index and the shards again",
                )
            tensors[name] = tensor
    for name, shard in places.items():
        if name not in tensors:
            raise ConversionError(
                f"{index} puts `{name}` in {shard}, which does not hold it",
                "download the index and the shards again",
            )
    return Checkpoint(tuple(folder / shard for shard in shards), tensors)
