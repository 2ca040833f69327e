"""What goes to the terminal: diagnostics and one-line errors."""

import os
import sys
from collections.abc import Iterable, Sequence

import click

from linnet.diagnostics import Diagnostic, render, summary, wants_colour
from linnet.errors import CardError, LinnetError, ProgramError

# Of an error's one line; a message may quote a long value of the command line.
_LONGEST = 600
_EXPLAINED = 3
_SHOWN = 200  # Nobody reads more, and one that a mistake repeats fills the terminal.


def report(diagnostics: Sequence[Diagnostic]) -> None:
    """Print diagnostics and, last, how many there are and where to read on, to standard error."""
    colour = wants_colour(sys.stderr, os.environ)
    for diagnostic in diagnostics[:_SHOWN]:
        # Rendered lines end with one line end; the next one parts two diagnostics.
        click.echo(render(diagnostic, colour=colour), err=True, color=colour)
    if len(diagnostics) > _SHOWN:
        more = len(diagnostics) - _SHOWN
        click.echo(f"the first {_SHOWN} are shown; --json prints the other {more:,} too", err=True)
    if diagnostics:
        click.echo(summary(diagnostics), err=True)
        click.echo(f"hint: `{_explain(diagnostics)}` tells more", err=True)


def _explain(diagnostics: Sequence[Diagnostic]) -> str:
    """The command that explains the first of the codes."""
    codes = dict.fromkeys(diagnostic.code for diagnostic in diagnostics)
    return " ".join(["linnet explain", *list(codes)[:_EXPLAINED]])


def report_error(error: LinnetError) -> None:
    """Print an error: the diagnostics of a refused program, or one line and its hint."""
    if isinstance(error, ProgramError):
        report(error.diagnostics)
        return
    if isinstance(error, CardError):
        for problem in error.problems:
            click.echo(f"error: {_one_line(problem)}", err=True)
        return
    click.echo(f"error: {_one_line(error.message)}", err=True)
    if error.hint is not None:
        click.echo(f"hint: {_one_line(error.hint)}", err=True)


def told_once(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Drop what was told before: a module that several programs import is checked in each.

    Of what one place is told, the help that names most callers is kept.
    """
    seen: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in diagnostics:
        place = diagnostic.primary and diagnostic.primary.span
        where = place and (place.file.path, place.start, place.end)
        key = (diagnostic.code, where, diagnostic.message)
        known = seen.get(key)
        if known is None or len(diagnostic.help or "") > len(known.help or ""):
            seen[key] = diagnostic
    return tuple(seen.values())


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
