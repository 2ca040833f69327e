"""Matches members to tensors and checks each pair [WGT-3]."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from linnet import _ahead
from linnet.errors import WeightsError
from linnet.signature import Member, Stored, show
from linnet.weights._bindings import Bindings
from linnet.weights._open import Tensors
from linnet.weights._safetensors import Tensor, forget


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
        if member.path in arrays:
            continue  # scales, which came with their values
        if member.stored is not None:
            arrays |= _stored(member, members, tensors, bindings, used)
            continue
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
                _other_dtype(tensor, where, tensors),
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


def _other_dtype(tensor: Tensor, where: tuple[str | None, str], tensors: Tensors) -> str:
    if (where[0], f"{where[1]}.scale") in tensors.by_key:
        form = {"i8": "int8", "u8": "int4"}.get(tensor.dtype)
        if form is not None:
            return f"these are quantised weights: build the program with --weights-dtype {form}"
    return "bind the program's dtype generic to the file's dtype, or convert the file"


def _stored(
    member: Member,
    members: Sequence[Member],
    tensors: Tensors,
    bindings: Bindings,
    used: set[tuple[str | None, str]],
) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of a param that is stored narrow, by path: values, scales and zeros.

    The weights hold it in that form already, scales under the name with `.scale` after it, zeros
    with `.zero`; or as the program has it, and then it is rounded here.
    """
    stored = member.stored
    assert stored is not None
    where = bindings.of(member.path)
    tensor = tensors.by_key.get(where)
    if tensor is None:
        raise _missing(member, where[1], tensors, bindings)
    used.add(where)
    called = f"`{member.path}`"
    if where[1] != member.path:
        called += f" (tensor `{where[1]}`)"
    found = show(tensor.dtype, tensor.shape)
    needs = f"the program needs {member}, or {stored} to make it of"
    if (tensor.dtype, tensor.shape) == (stored.dtype, stored.shape):
        assert tensor.array is not None
        from linnet.weights._int4 import DEFAULT_GROUP
        from linnet.weights._narrow import narrow

        _ahead.end()  # The file is not used as it lies.
        group = stored.group or DEFAULT_GROUP
        narrowed = narrow(where[1], tensor.array, stored.scheme, stored.axis, group)
        # Else the whole file would be resident beside what was made of it.
        forget(tensor.array)
        parts = {f"{member.path}.{role}": part for role, part in narrowed.parts.items()}
        return {member.path: narrowed.values, **parts}
    if stored.group is not None and tensor.dtype == "u8" and len(tensor.shape) == 3:
        _check_groups(called, stored, member, tensor, tensors)
    if tensor.shape not in (member.shape, stored.shape):
        raise WeightsError(
            f"{called} has the wrong shape: {needs}, {tensors.name} has {found}",
            "check --bind and the bindings file",
        )
    if tensor.dtype != member.dtype or tensor.shape != member.shape or tensor.array is None:
        raise WeightsError(
            f"{called} has the wrong dtype: {needs}, {tensors.name} has {found}",
            "`linnet quantize` makes such weights, or give those of the program's dtype",
        )
    arrays: dict[str, NDArray[np.generic]] = {member.path: tensor.array}
    for role in ("scale", "zero"):
        part = next((m for m in members if m.path == f"{member.path}.{role}" and m.stored), None)
        if part is not None:
            arrays[part.path] = _part(part, where, stored, tensors, bindings, used)
    return arrays


def _check_groups(
    called: str, stored: Stored, member: Member, tensor: Tensor, tensors: Tensors
) -> None:
    """Refuse half bytes in groups of another size than the program has."""
    rows, groups, half = tensor.shape
    if (rows, groups * half) == (member.shape[0], prod(member.shape[1:])) and (
        2 * half != stored.group
    ):
        raise WeightsError(
            f"{called} has other groups: the program needs groups of {stored.group}, "
            f"{tensors.name} has groups of {2 * half}",
            f"build the program with --weights-dtype int4:{2 * half}, "
            f"or quantise with --group {stored.group}",
        )


def _part(
    member: Member,
    of: tuple[str | None, str],
    stored: Stored,
    tensors: Tensors,
    bindings: Bindings,
    used: set[tuple[str | None, str]],
) -> NDArray[np.generic]:
    """Return the scales or zeros of a param, which the weights hold as integers."""
    from linnet.weights._narrow import part_shapes

    role = "scale" if member.stored is None else member.stored.role
    where = bindings.of(member.path)
    if where == (None, member.path):  # no rule of their own
        where = (of[0], f"{of[1]}.{role}")
    tensor = tensors.by_key.get(where)
    if tensor is None:
        raise WeightsError(
            f"`{stored.path}` has integers in {tensors.name}, but their {role}s `{where[1]}` are "
            "missing",
            "`linnet quantize` writes them",
        )
    used.add(where)
    fits = part_shapes(member.shape, stored.axis)
    if tensor.shape not in fits or tensor.dtype != "f32" or tensor.array is None:
        wanted = show("f32", fits[0])
        raise WeightsError(
            f"the {role}s `{where[1]}` of `{stored.path}` do not fit: the program needs {wanted}, "
            f"{tensors.name} has {show(tensor.dtype, tensor.shape)}",
            "quantise the weights for this program: `linnet quantize --program FILE`",
        )
    return tensor.array.reshape(member.shape)


def _near(name: str, known: Sequence[str]) -> str:
    from linnet.diagnostics import did_you_mean

    near = did_you_mean(name, known)
    return "" if near is None else f"did you mean `{near}`?"


def listed(names: Sequence[str]) -> str:
    """The first names of a list, quoted, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"`{name}`" for name in names[:3]) + more


def _tensors(names: tuple[str, ...]) -> str:
    return f"{'a tensor' if len(names) == 1 else 'tensors'} {listed(names)}"


def _missing(member: Member, key: str, tensors: Tensors, bindings: Bindings) -> WeightsError:
    from linnet.diagnostics import did_you_mean

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
