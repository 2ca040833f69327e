"""`linnet inspect --graph` and `--html`: an entry as a graph."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from linnet.checker import TypedProgram, check
from linnet.cli._inspect_types import prove
from linnet.cli._options import write_file
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
    graph = graph_of(_typed(program), root, _only(entries))
    if json_asked:
        click.echo(json.dumps(as_json(graph), ensure_ascii=False, indent=1))
    else:
        click.echo(outline(graph))
    return prove(program, std)


def write_page(
    program: Program, std: Path | None, root: str | None, entries: Sequence[str], output: Path
) -> int:
    """Write the graphs of the entries as a page, that of the named entry first."""
    from linnet.pages import graph_page

    page = graph_page(program, _typed(program), root, _only(entries))
    write_file(output, page.encode("utf-8"))
    return prove(program, std)


def _only(entries: Sequence[str]) -> str | None:
    if len(entries) > 1:
        raise click.UsageError("a graph shows one entry: give one --entry")
    return entries[0] if entries else None


def _typed(program: Program) -> TypedProgram:
    checked = check(program)
    if checked.program is None:
        raise ProgramError(checked.diagnostics)
    return checked.program
