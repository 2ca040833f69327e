"""The weights of a nest as arrays by path, matched to the program's members."""

import fnmatch
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import NestError, WeightsError
from linnet.nest._card import Card
from linnet.signature import Member
from linnet.weights import (
    Bindings,
    Tensor,
    Tensors,
    WeightsSource,
    bind_weights,
    open_weights,
    read_bindings,
)

BindingsSource = str | os.PathLike[str] | Mapping[str, str] | None
_FLOATS = ("bf16", "f16", "f32", "f64")


@dataclass(frozen=True, slots=True)
class Held:
    """The tensors of a nest's files and the bindings by which paths find them."""

    tensors: Tensors
    bindings: Bindings


def open_held(
    card: Card,
    weights: WeightsSource,
    bindings: BindingsSource,
    files: Callable[[Card], Sequence[Path]],
) -> Held:
    """Open the weights that a caller gave, else those of the card, which `files` finds.

    WeightsError for damaged files, and what `files` raises.
    """
    if bindings is None:
        rules = read_bindings(card.bindings)
    else:
        rules = read_bindings(bindings if isinstance(bindings, Mapping) else Path(bindings))
    if weights is not None:
        return Held(open_weights(weights, rules), rules)
    tensors = _opened(files(card), rules)
    ignored = card.weights.ignore if card.weights is not None else ()
    kept = {
        key: tensor
        for key, tensor in tensors.by_key.items()
        if not any(fnmatch.fnmatchcase(key[1], each) for each in ignored)
    }
    return Held(replace(tensors, by_key=kept), rules)


def _opened(files: Sequence[Path], rules: Bindings) -> Tensors:
    if len(files) == 1:
        return open_weights(files[0], rules)
    found: dict[tuple[str | None, str], Tensor] = {}
    for file in files:
        for key, tensor in open_weights(file, rules).by_key.items():
            if key in found and key[0] is None:
                raise NestError(f"{file} has a tensor `{key[1]}` that another file has too")
            found[key] = tensor
    return Tensors(found, str(files[0].parent))


def files_beside(card: Card) -> list[Path]:
    """Return the weight files of a card that lie beside it. NestError for one that is missing."""
    weights = card.weights
    if weights is None:
        raise NestError(f"the card of `{card.name}` names no weights", "give weights=PATH")
    files = [card.path(each) for each in weights.files]
    for file in files:
        if not file.is_file():
            raise NestError(f"{file} does not exist", "the card names it among its weights")
    return files


def cast(held: Held, members: Sequence[Member]) -> Held:
    """Return the tensors with floats as the members have them, rounded where these are narrower.

    Each is made when this is called; only those that differ take memory.
    """
    made = dict(held.tensors.by_key)
    for member in members:
        where = held.bindings.of(member.path)
        tensor = made.get(where)
        if tensor is None or tensor.array is None or tensor.dtype == member.dtype:
            continue
        if tensor.dtype in _FLOATS and member.dtype in _FLOATS:
            array: NDArray[Any] = tensor.array
            with np.errstate(over="ignore"):
                made[where] = Tensor(member.dtype, tensor.shape, array.astype(member.numpy))
    return Held(replace(held.tensors, by_key=made), held.bindings)


def misfits(held: Held, members: Sequence[Member]) -> list[WeightsError]:
    """Return what is wrong with each member's tensor, in the order of the members."""
    found: list[WeightsError] = []
    for member in members:
        try:
            bind_weights([member], held.tensors, held.bindings)
        except WeightsError as error:
            found.append(error)
    return found
