"""Parameter paths: the manifest of a root block in its own generics (spec section 11).

Pure: reads the typed program. Positions of a structural array stay symbols, because its
length may be one: `blocks.{i}.weight` for each `i` below the length.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from linnet.checker._dims import show_dim
from linnet.checker._program import Block, TypedProgram
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    InstanceArrayType,
    InstanceType,
    OptionalType,
    TensorType,
    Type,
    show_element,
)

_POSITIONS = "ijklmn"


@dataclass(frozen=True, slots=True)
class ParameterPath:
    """One entry of the manifest [PTH-2]; dimensions and lengths are as the user writes them.

    `positions` gives each position in the path and the length of its array.
    """

    path: str
    kind: Literal["param", "buffer", "state"]
    shape: tuple[str, ...]
    dtype: str
    optional: bool
    positions: tuple[tuple[str, str], ...]


def parameter_paths(program: TypedProgram, root: Block) -> tuple[ParameterPath, ...]:
    """Return the manifest of a block: members in order, a `sub` expanded in its place.

    `optional` also tells of a member anywhere inside an optional `sub`.
    """
    return tuple(_paths(program, root, Substitution(), "", False, ()))


def _paths(
    program: TypedProgram,
    block: Block,
    bound: Substitution,
    prefix: str,
    optional: bool,
    positions: tuple[tuple[str, str], ...],
) -> Iterator[ParameterPath]:
    for member in block.members.values():
        path = f"{prefix}{member.name}"
        declared = bound.type(member.type)
        inner, maybe = _required(declared)
        match inner:
            case TensorType(shape, dtype) if member.kind != "sub":
                sizes = tuple(map(show_element, shape))
                absent = optional or maybe
                yield ParameterPath(path, member.kind, sizes, dtype.name, absent, positions)
            case InstanceType():
                child = f"{path}."
                yield from _instance(program, inner, child, optional or maybe, positions)
            case InstanceArrayType(element, length):
                name = _position(len(positions))
                child = f"{path}.{{{name}}}."
                within = (*positions, (name, show_dim(length)))
                yield from _instance(program, element, child, optional, within)
            case _:
                pass  # A type that the checker refused.


def _instance(
    program: TypedProgram,
    instance: InstanceType,
    prefix: str,
    optional: bool,
    positions: tuple[tuple[str, str], ...],
) -> Iterator[ParameterPath]:
    block = program.blocks[instance.symbol]
    bound = Substitution()
    for generic, arg in zip(block.generics, instance.args, strict=True):
        bound.bind(generic.symbol, arg)
    yield from _paths(program, block, bound, prefix, optional, positions)


def _required(type_: Type) -> tuple[Type, bool]:
    """The type without its `?`, and whether it had one."""
    return (type_.inner, True) if isinstance(type_, OptionalType) else (type_, False)


def _position(depth: int) -> str:
    return _POSITIONS[depth] if depth < len(_POSITIONS) else f"i{depth}"
