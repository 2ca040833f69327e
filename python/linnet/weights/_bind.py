"""Matches members to tensors and checks each pair [WGT-3]."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linnet.diagnostics import did_you_mean
from linnet.errors import WeightsError
from linnet.signature import Member, show
from linnet.weights._bindings import Bindings
from linnet.weights._open import Tensors


@dataclass(frozen=True, slots=True)
class Bound:
    """Arrays by path, each of its member's dtype and shape, and what is left over.

    `surplus` are the tensors that no member takes, `unused` the bindings of no member.
    """

    arrays: Mapping[str, NDArray[np.generic]]
    surplus: tuple[str, ...]
    unused: tuple[str, ...] = ()


def bind_weights(
    members: Sequence[Member],
    tensors: Tensors,
    bindings: Bindings,
    strict: bool = False,
    absent: Sequence[str] = (),
) -> Bound:
    """Return an array for every member. States are never read from weights.

    `absent` are the paths of optional members that were left out; bindings may name them.
    WeightsError names the first member (in manifest order) whose tensor is missing or has
    another dtype or shape, and with `strict` what no member takes.
    """
    arrays: dict[str, NDArray[np.generic]] = {}
    used: set[tuple[str | None, str]] = set()
    for member in members:
        where = bindings.of(member.path)
        tensor = tensors.by_key.get(where)
        if tensor is None:
            raise _missing(member, where[1], tensors, bindings)
        used.add(where)
        called = f"`{member.path}`"
        if where[1] != member.path:
            called += f" (tensor `{where[1]}`)"
        wanted, found = str(member), show(tensor.dtype, tensor.shape)
        if tensor.shape != member.shape:
            raise WeightsError(
                f"{called} has the wrong shape: the program needs {wanted}, {tensors.name} has "
                f"{found}",
                "check --bind and the bindings file",
            )
        if tensor.array is None or tensor.dtype != member.dtype:
            raise WeightsError(
                f"{called} has the wrong dtype: the program needs {wanted}, {tensors.name} has "
                f"{found}",
                "bind the program's dtype generic to the file's dtype, or convert the file",
            )
        arrays[member.path] = tensor.array
    left = tuple(key for source, key in tensors.by_key if (source, key) not in used)
    if strict and left:
        raise WeightsError(
            f"{tensors.name} has {_tensors(left)} that the program does not take",
            "leave out --strict-weights, or remove the tensors",
        )
    unused = bindings.unused([*(member.path for member in members), *absent])
    if strict and unused:
        raise WeightsError(
            f"{bindings.name} has {listed(unused)}, which the program does not have",
            _near(unused[0], [member.path for member in members])
            or "leave out --strict-weights, or remove the entries",
        )
    return Bound(arrays, left, unused)


def _near(name: str, known: Sequence[str]) -> str:
    near = did_you_mean(name, known)
    return "" if near is None else f"did you mean `{near}`?"


def listed(names: Sequence[str]) -> str:
    """The first names of a list, quoted, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"`{name}`" for name in names[:3]) + more


def _tensors(names: tuple[str, ...]) -> str:
    return f"{'a tensor' if len(names) == 1 else 'tensors'} {listed(names)}"


def _missing(member: Member, key: str, tensors: Tensors, bindings: Bindings) -> WeightsError:
    held = sorted({name for _, name in tensors.by_key})
    if not tensors.given:
        return WeightsError(f"`{member.path}` needs a tensor ({member})", "give --weights")
    meant = did_you_mean(key, held)
    near = [] if meant is None else [meant]
    near += [name for name in held if name.endswith("." + key)]
    called = f"`{member.path}`" if key == member.path else f"`{member.path}` (tensor `{key}`)"
    hint = f"did you mean `{near[0]}`? " if near else ""
    return WeightsError(
        f"{called} is missing from {tensors.name}",
        hint + "a --bindings file maps paths to tensor names",
    )
