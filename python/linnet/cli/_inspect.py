"""`linnet inspect`: what a program declares and is at each stage, or what an artifact holds."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from linnet.cli._options import (
    F,
    optionals_option,
    program_options,
    read_binds,
    read_optionals,
    write_stage,
)
from linnet.diagnostics import JsonValue
from linnet.errors import ProgramError
from linnet.syntax import (
    Block,
    LoadedModule,
    block_head,
    block_listing,
    blocks_of,
    declared_in,
    load_program,
    show,
)

# Each prints something else; without any, the blocks are listed.
_VIEWS: Final = {
    "parameters": "List the paths of a root block's weights.",
    "tokens": "Print the tokens of the file.",
    "ast": "Print the syntax tree of the file.",
    "types": "Print the type of each name and expression of the file.",
    "graph": "Print an entry as a graph, each edge with its type.",
    "generic": "Print the verified module of the dialect, with symbols.",
    "bound": "Print it with --root, --entry and --bind applied.",
    "core": "Print it lowered to the ops that backends get.",
}
_AFTER: Final = {"generic": "verify", "bound": "bind", "core": "lower"}


def _view_options(command: F) -> F:
    """Add an option for each view."""
    for name, text in reversed(_VIEWS.items()):
        command = click.option(f"--{name}", is_flag=True, help=text)(command)
    return command


@click.command(
    "inspect",
    epilog="Examples: `linnet inspect --types model.linnet`, `linnet inspect --core model.linnet "
    "--root Model --entry forward --bind H=8 --bind S=4`.",
)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@_view_options
@click.option("--html", is_flag=True, help="Write a page with the graphs of the entries.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for --html.",
)
@program_options
@optionals_option
def command(
    file: Path,
    html: bool,
    as_json: bool,
    output: Path | None,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    std: Path | None,
    optionals: str,
    **views: bool,
) -> int:
    """Show what a program is at any stage; without an option, list every block with its
    members and functions.

    With --graph: what the entry does, by default `forward` or the first one, as nodes and edges;
    each call names the frame of what it calls, and types are in the generics of the root. With
    --html it is drawn, on a page that needs no network, beside the program's blocks and source.

    With --parameters: every `param`, `buffer` and `state` that a root block holds, by path.
    The root is the one block of the file that has entries, or the one named by --root.

    --generic, --bound and --core print what `linnet compile --stop-after` prints after `verify`,
    `bind` and `lower`. A program with errors is told, with exit status 1.

    Of an artifact, a folder FILE.lna: its entries, parameters (each with --parameters), states and
    sizes, what each variant needs and whether it fits this machine, and whether its files are as
    they were written; if not, with exit status 1.
    """
    asked = [name for name in _VIEWS if views[name]] + ["html"] * html
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} exclude each other")
    view = asked[0] if asked else ""
    if file.is_dir():
        if view not in ("", "parameters") or root is not None or entries or binds:
            raise click.UsageError("an artifact has no views but --parameters, and no options")
        if not (file / "manifest.json").exists():
            raise click.UsageError(f"{file} is a folder, neither a program nor an artifact")
        from linnet.cli._inspect_artifact import show_artifact

        return show_artifact(file, view == "parameters", as_json)
    _refuse_options(view, as_json, root, entries, binds)
    if (output is None) == (view == "html"):
        raise click.UsageError("--html needs --output FILE" if html else "--output needs --html")
    if view in _AFTER:
        return _show_stage(file, root, entries, binds, optionals, std, _AFTER[view])
    if view in ("tokens", "ast"):
        from linnet.cli._inspect_syntax import show_tokens, show_tree

        return (show_tokens if view == "tokens" else show_tree)(file, as_json)
    program = load_program(file, std)
    if not program.is_complete:
        raise ProgramError(program.diagnostics)
    if view:
        from linnet.cli._optional import left_out

        with left_out("numpy"):
            if view == "types":
                from linnet.cli._inspect_types import show_types

                return show_types(program, std, as_json)
            if view == "graph":
                from linnet.cli._inspect_graph import show_graph

                return show_graph(program, std, root, entries, as_json)
            if output is not None:
                from linnet.cli._inspect_graph import write_page

                return write_page(program, std, root, entries, output)
            from linnet.cli._parameters import list_parameters

        list_parameters(program, root, as_json)
        return 0
    blocks = list(blocks_of(program.modules))
    if as_json:
        listed = [_as_json(module, block) for module, block in blocks]
        click.echo(json.dumps({"version": 1, "blocks": listed}, ensure_ascii=False, indent=2))
    else:
        click.echo("\n\n".join(block_listing(module, block) for module, block in blocks))
    return 0


def _refuse_options(
    view: str, as_json: bool, root: str | None, entries: Sequence[str], binds: Sequence[str]
) -> None:
    """UsageError for options that say nothing about a view."""
    stage = view in _AFTER
    drawn = view in ("graph", "html")
    if root is not None and not (view == "parameters" or drawn or stage):
        raise click.UsageError("--root needs --parameters, --graph, --html, --bound or --core")
    if entries and not (stage or drawn):
        raise click.UsageError("--entry needs --graph, --html, --bound or --core")
    if binds and not stage:
        raise click.UsageError("--bind needs --bound or --core")
    if as_json and view == "html":
        raise click.UsageError("--html writes a page, not JSON")
    if as_json and stage:
        raise click.UsageError(f"--{view} prints the text of the dialect, not JSON")


def _show_stage(
    file: Path,
    root: str | None,
    entries: Sequence[str],
    binds: Sequence[str],
    optionals: str,
    std: Path | None,
    stage: str,
) -> int:
    """Print the dialect after a stage, as --stop-after does."""
    from linnet.compiler import Request, StageReached, Stages, check_path, lower

    stages = Stages(stage)
    request = Request(root, entries, read_binds(binds), read_optionals(optionals))
    try:
        checked = check_path(file, std, stages)
        lower(checked.accepted(), request, checked.sources, stages)
    except StageReached as reached:
        write_stage(reached.text)
    return 0


def _as_json(module: LoadedModule, block: Block) -> dict[str, JsonValue]:
    return {
        "name": f"{module.name}::{block.name.text}",
        "public": block.public,
        "signature": block_head(module, block),
        "where": [show(constraint) for constraint in block.where],
        "declares": [{"kind": kind, "text": text} for kind, text in declared_in(block)],
    }
