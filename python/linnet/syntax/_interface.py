"""What the blocks of a program declare, as text: members and functions without their bodies."""

from collections.abc import Iterator, Sequence

from linnet.syntax._modules import LoadedModule
from linnet.syntax._show import show, show_generics, show_signature
from linnet.syntax._tree import (
    Block,
    BufferMember,
    Function,
    ParamMember,
    StateMember,
    SubMember,
)


def blocks_of(modules: Sequence[LoadedModule]) -> Iterator[tuple[LoadedModule, Block]]:
    """The blocks by name; those of one name by module."""
    found = [
        (item.name.text, module.name, module, item)
        for module in modules
        for item in module.tree.items
        if isinstance(item, Block)
    ]
    for _, _, module, block in sorted(found, key=lambda entry: entry[:2]):
        yield module, block


def block_head(module: LoadedModule, block: Block) -> str:
    """The full name of a block and its generics."""
    return f"{module.name}::{block.name.text}{show_generics(block.generics)}"


def declared_in(block: Block) -> Iterator[tuple[str, str]]:
    """Members and functions in order, each with its kind; initial values are left out."""
    for member in block.members:
        match member:
            case ParamMember(name, type_):
                yield "param", f"param {name.text}: {show(type_)}"
            case BufferMember(name, type_):
                yield "buffer", f"buffer {name.text}: {show(type_)}"
            case StateMember(name, type_):
                yield "state", f"state {name.text}: {show(type_)}"
            case SubMember(name, type_):
                yield "sub", f"sub {name.text}: {show(type_)}"
            case Function(kind=kind):
                yield kind, show_signature(member)
            case _:
                pass  # Constants and types of a block are no part of its interface.


def block_listing(module: LoadedModule, block: Block) -> str:
    """A block with all that it declares, a line each."""
    return "\n".join([block_head(module, block), *(f"  {line}" for _, line in declared_in(block))])
