"""`linnet inspect --graph`: an entry as a graph."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from linnet.checker import check
from linnet.cli._inspect_types import prove
from linnet.errors import ProgramError
from linnet.graph import as_json, graph_of, outline
from linnet.syntax import Program


def show_graph(
    program: Program,
    std: Path | None,
    root: str | None,
    entries: Sequence[str],
    json_asked: bool,
) -> int:
    """Print the graph of an entry; the exit status is returned.

    ProgramError for what the checker refuses. As with types, what is not proven is told.
    """
    if len(entries) > 1:
        raise click.UsageError("--graph shows one entry: give one --entry")
    checked = check(program)
    if checked.program is None:
        raise ProgramError(checked.diagnostics)
    graph = graph_of(checked.program, root, entries[0] if entries else None)
    if json_asked:
        click.echo(json.dumps(as_json(graph), ensure_ascii=False, indent=1))
    else:
        click.echo(outline(graph))
    return prove(program, std)
