"""The weights of a nest by path, as an export takes them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from linnet.nest._card import Card
from linnet.nest._find import find, weight_files
from linnet.nest._hub import Hub
from linnet.nest._model import Model, Origin
from linnet.nest._program import Opened, open_program
from linnet.nest._weights import cast, open_held
from linnet.signature import Member
from linnet.weights import bind_weights


@dataclass(frozen=True, slots=True)
class Arrays:
    """A nest with its program checked and each param that is present as an array, by path.

    `members` are those params and buffers in manifest order; arrays of files are views of them.
    """

    card: Card
    opened: Opened
    members: tuple[Member, ...]
    arrays: Mapping[str, NDArray[Any]]


def open_arrays(
    nest: str | os.PathLike[str] | Model, origin: Origin | None = None, offline: bool = False
) -> Arrays:
    """Return the weights of a nest, found by name or path, or of a model that was loaded.

    `origin` says what replaces the card's generics and weights; a model has its own. Errors as
    those of `load`.
    """
    hub = Hub(offline)
    card = nest.card if isinstance(nest, Model) else find(nest, hub)
    origin = (nest.origin if isinstance(nest, Model) else None) or origin or Origin()
    opened = open_program(card, origin.generics, origin.dtype)
    held = open_held(card, origin.weights, origin.bindings, weight_files(hub))
    _, members = opened.request_for(held)
    if origin.dtype is not None:
        held = cast(held, members)
    return Arrays(card, opened, members, bind_weights(members, held.tensors, held.bindings).arrays)
