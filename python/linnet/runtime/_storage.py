"""Which dtype the weights are held in, and which params that concerns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.errors import UsageError, unknown_name
from linnet.runtime._engine import Generics
from linnet.weights import DEFAULT_GROUP, GROUPS, Bindings, Tensors, presence

if TYPE_CHECKING:
    from linnet.compiler import Declared, Storage

# `f32` leaves every parameter as the program has it.
WEIGHTS_DTYPES = ("f32", "bf16", "f16", "int8", "int4")


def read_storage(weights_dtype: str | None) -> "Storage | None":
    """Return what the compiler is asked for; None where the program's own dtypes stay.

    `int4:32` is `int4` in groups of 32. UsageError for a dtype or a group that there is not.
    """
    from linnet.compiler import Storage

    if weights_dtype is None or weights_dtype == "f32":
        return None
    if weights_dtype in ("i8", "i4"):
        raise UsageError(
            f"no weights dtype `{weights_dtype}`",
            f"as a form of weights it is int{weights_dtype[1:]}",
        )
    name, colon, group = weights_dtype.partition(":")
    if name not in WEIGHTS_DTYPES:
        raise unknown_name("no weights dtype", name, WEIGHTS_DTYPES, "there are")
    if colon and (name != "int4" or group not in map(str, GROUPS)):
        raise UsageError(
            f"no weights dtype `{weights_dtype}`",
            f"int4 has groups of {', '.join(map(str, sorted(GROUPS)))}: `int4:32`",
        )
    if name != "int4":
        return Storage(name)
    return Storage(name, group=int(group) if colon else DEFAULT_GROUP)


def made_up(entry: "Declared", names: Iterable[str]) -> dict[str, int | str | Sequence[int]]:
    """Return some value for each of an entry's generics that `names` lists."""
    kinds = entry.generics
    return {
        name: 1 if kinds[name] == "Dim" else (1,) if kinds[name] == "Shape" else "f32"
        for name in names
    }


@dataclass(frozen=True, slots=True)
class StoragePlan:
    """The params that a program can hold narrow, with the axis of their scales.

    `groups` are those of int4; `unstored` says why others of two axes or more stay.
    """

    axes: Mapping[str, int]
    unstored: Mapping[str, str]
    groups: Mapping[str, int]


def plan_storage(
    path: Path,
    root: str | None,
    generics: Generics,
    std: Path | None,
    weights_dtype: str,
    tensors: Tensors,
    bindings: Bindings,
) -> StoragePlan:
    """Return which params of a program's root would be held in `weights_dtype`.

    Looks at all entries, at made-up sizes where `generics` leave them open. Optional params are
    those that the tensors have. Raises as `linnet.compile` does.
    """
    from linnet.compiler import Request, check_path, choose_root, declared_entries, lower, members

    checked = check_path(path, std)
    emitted = checked.accepted()
    declared = declared_entries(emitted.module)
    block = choose_root(declared, root)
    entries = [entry for entry in declared if entry.root == block]
    bound: dict[str, int | str | Sequence[int]] = dict(generics)
    for entry in entries:
        left = [n for n in entry.generics if n not in bound and f"{entry.name}.{n}" not in bound]
        bound |= {f"{entry.name}.{name}": of for name, of in made_up(entry, left).items()}
    names = [entry.name for entry in entries]
    present: list[str] = []
    if "!linnet.optional" in str(emitted.module):
        everything = members(emitted, Request(block, names, bound), checked.sources)
        present = presence(everything, bindings, tensors)
    request = Request(block, names, bound, present, read_storage(weights_dtype))
    core = lower(emitted, request, checked.sources)
    params = next(iter(core.functions.values())).signature.params
    stored = [param.stored for param in params if param.stored is not None]
    values = [each for each in stored if each.role == "values"]
    axes = {each.path: each.axis for each in values}
    groups = {each.path: each.group for each in values if each.group is not None}
    return StoragePlan(axes, core.unstored, groups)
