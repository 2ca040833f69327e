"""The generics of a call that its inputs' shapes decide.

A dim that is a bare symbol of the entry takes the size that stands in its place, a pack the sizes
that the other dims leave, a dtype variable the dtype. Expressions are not inverted [TYP-18].
"""

import re
from collections.abc import Mapping

from linnet.compiler import Declared, DeclaredInput
from linnet.errors import ArgumentError
from linnet.runtime._arguments import as_array, shape_of
from linnet.runtime._engine import Generics
from linnet.signature import dtype_name

_NAME = re.compile(r"\w+")


def infer_generics(
    declared: Declared, inputs: Mapping[str, object], given: Generics
) -> dict[str, int | str | tuple[int, ...]]:
    """Return the entry's generics: those given, then those that the inputs decide."""
    found: dict[str, int | str | tuple[int, ...]] = {}
    for name, value in given.items():
        found[name] = value if isinstance(value, int | str) else tuple(value)
    for each in declared.inputs:
        value = inputs.get(each.name)
        if value is None:
            continue
        _from_shape(declared, each, shape_of(each.name, value), found)
        array = as_array(each.name, value)
        dtype = each.dtype.partition(":")[0]
        if array is not None and dtype in declared.generics:
            name = dtype_name(array.dtype)
            if name is not None:
                found.setdefault(dtype, name)
    return found


def _from_shape(
    declared: Declared,
    each: DeclaredInput,
    shape: tuple[int, ...],
    found: dict[str, int | str | tuple[int, ...]],
) -> None:
    packs = [at for at, dim in enumerate(each.dims) if dim.startswith("*")]
    if len(packs) > 1:
        return
    least = len(each.dims) - len(packs)
    if len(shape) < least or (not packs and len(shape) > least):
        raise ArgumentError(
            f"input `{each.name}` has the wrong shape: needs [{', '.join(each.dims)}], found "
            f"[{', '.join(map(str, shape))}]",
            f"`{each.name}` has {'at least ' if packs else ''}{least} axes",
        )
    extra = len(shape) - len(each.dims)
    at = 0
    for dim in each.dims:
        if dim.startswith("*"):
            count = extra + 1
            name = dim[1:].strip()
            if name in declared.generics:
                found.setdefault(name, shape[at : at + count])
            at += count
            continue
        if dim in declared.generics and _NAME.fullmatch(dim):
            found.setdefault(dim, shape[at])
        at += 1
