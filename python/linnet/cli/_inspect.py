"""`linnet inspect`: what a program declares."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from linnet.diagnostics import JsonValue
from linnet.errors import ProgramError
from linnet.syntax import (
    Block,
    BufferMember,
    Function,
    LoadedModule,
    ParamMember,
    StateMember,
    SubMember,
    load_program,
    show,
    show_generics,
    show_signature,
)


@click.command("inspect")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--parameters", is_flag=True, help="List the paths of a root block's weights.")
@click.option("--root", metavar="BLOCK", help="With --parameters: the root block.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--std",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The directory of `std`, instead of LINNET_STD or the one that comes along.",
)
def command(file: Path, parameters: bool, root: str | None, as_json: bool, std: Path | None) -> int:
    """List every block of a program and of its modules, with members and functions.

    With --parameters: every `param`, `buffer` and `state` that a root block holds, by path.
    The root is the one block of the file that has entries, or the one named by --root.
    """
    if root is not None and not parameters:
        raise click.UsageError("--root needs --parameters")
    program = load_program(file, std)
    if not program.is_complete:
        raise ProgramError(program.diagnostics)
    if parameters:
        from linnet.cli._optional import left_out

        with left_out("numpy"):
            from linnet.cli._parameters import list_parameters

        list_parameters(program, root, as_json)
        return 0
    blocks = list(_blocks(program.modules))
    if as_json:
        listed = [_as_json(module, block) for module, block in blocks]
        click.echo(json.dumps({"version": 1, "blocks": listed}, ensure_ascii=False, indent=2))
    else:
        click.echo("\n\n".join(_listing(module, block) for module, block in blocks))
    return 0


def _blocks(modules: Sequence[LoadedModule]) -> Iterator[tuple[LoadedModule, Block]]:
    """The blocks by name; those of one name by module."""
    found = [
        (item.name.text, module.name, module, item)
        for module in modules
        for item in module.tree.items
        if isinstance(item, Block)
    ]
    for _, _, module, block in sorted(found, key=lambda entry: entry[:2]):
        yield module, block


def _listing(module: LoadedModule, block: Block) -> str:
    lines = [_head(module, block), *(f"  {line}" for _, line in _declared(block))]
    return "\n".join(lines)


def _head(module: LoadedModule, block: Block) -> str:
    return f"{module.name}::{block.name.text}{show_generics(block.generics)}"


def _declared(block: Block) -> Iterator[tuple[str, str]]:
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


def _as_json(module: LoadedModule, block: Block) -> dict[str, JsonValue]:
    return {
        "name": f"{module.name}::{block.name.text}",
        "public": block.public,
        "signature": _head(module, block),
        "where": [show(constraint) for constraint in block.where],
        "declares": [{"kind": kind, "text": text} for kind, text in _declared(block)],
    }
