"""From what a caller calls weights to tensors by name."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linnet.errors import WeightsError
from linnet.signature import Member, dtype_name
from linnet.weights._bindings import Bindings
from linnet.weights._safetensors import Tensor, read_safetensors

WeightsSource = str | os.PathLike[str] | Mapping[str, NDArray[np.generic]] | None


@dataclass(frozen=True, slots=True)
class Tensors:
    """Tensors by (source, key); the source is None for what the caller gave directly.

    `given` is False where there are neither weights nor a source of the bindings.
    """

    by_key: Mapping[tuple[str | None, str], Tensor]
    name: str
    given: bool = True


def open_weights(weights: WeightsSource, bindings: Bindings) -> Tensors:
    """Map the files, or take the arrays as they are (anything NumPy can view).

    A folder stands for the safetensors files in it. WeightsError for what cannot be read, and
    for one name in two files.
    """
    found: dict[tuple[str | None, str], Tensor] = {}
    for source, files in bindings.sources.items():
        for file in files:
            _merge(found, source, read_safetensors(file), file)
    if weights is None:
        return Tensors(found, bindings.name, bool(bindings.sources))
    if isinstance(weights, Mapping):
        for key, value in weights.items():
            found[None, key] = _given(key, value)
        return Tensors(found, "the weights")
    path = Path(weights)
    files = sorted(path.glob("*.safetensors")) if path.is_dir() else [path]
    if not files:
        raise WeightsError(f"{path} holds no .safetensors file", "check the path")
    for file in files:
        _merge(found, None, read_safetensors(file), file)
    return Tensors(found, str(path))


def _given(key: str, value: object) -> Tensor:
    """An array of the caller's, in the machine's byte order."""
    try:
        array: NDArray[np.generic] = np.asarray(value)
    except Exception as error:  # Whatever the code of another library raises.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WeightsError(f"tensor `{key}` is no array: {reason}", "pass NumPy arrays") from None
    name = dtype_name(array.dtype)
    if name is None:
        return Tensor(str(array.dtype), array.shape, None)
    return Tensor(name, array.shape, array.astype(array.dtype.newbyteorder("="), copy=False))


def _merge(
    found: dict[tuple[str | None, str], Tensor],
    source: str | None,
    tensors: Mapping[str, Tensor],
    file: Path,
) -> None:
    for name, tensor in tensors.items():
        if (source, name) in found:
            raise WeightsError(f"{file} has a tensor `{name}` that another file has too")
        found[source, name] = tensor


def presence(members: tuple[Member, ...], bindings: Bindings, tensors: Tensors) -> list[str]:
    """Return the paths of `members` that the weights hold, in order [WGT-4]."""
    return [member.path for member in members if bindings.of(member.path) in tensors.by_key]
