"""The entry point: runs a command and turns whatever happens into an exit status.

0 no problem, 1 a problem in the input, 2 a wrong command line, 3 an error of ours, of which
a folder with all that is needed to see it again is kept.
"""

import gc
import io
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from linnet import __version__
from linnet.cli._group import Commands, Interrupted
from linnet.errors import LinnetError

_INTERRUPTED = 130


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 no problem, 1 a problem in the input, 2 a wrong command line, "
    "3 an internal error.",
)
@click.version_option(__version__, message="linnet %(version)s")
def linnet() -> None:
    """Linnet: a typed tensor language whose shapes are proven before anything runs."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit status."""
    # A command is short: most of what it makes lives to its end, and looking for garbage after
    # every 700 objects takes a twentieth of its time.
    gc.set_threshold(20_000, 20, 20)
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Whoever ends us so gets what an interrupt gets: no half of anything is left.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)
    sys.exit(run(given))


def _leave(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _show_usage(error: click.ClickException) -> None:
    """Print what is wrong with a command line as every other error: a line and its hint."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    said = error.format_message().rstrip(".")
    click.echo(f"error: {said[:1].lower()}{said[1:]}", err=True)
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(f"hint: `{context.command_path} --help` shows how to write it", err=True)


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit status is returned."""
    if None in (sys.stdout, sys.stderr):
        from linnet.cli._crash import open_closed_streams

        open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # What it cannot write stays legible.
    try:
        status = linnet.main(list(arguments), prog_name="linnet", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        _show_usage(error)
        return 2
    except (Interrupted, click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return _INTERRUPTED
    except BrokenPipeError:
        from linnet.cli._crash import close_stdout

        close_stdout()
        return 0
    except LinnetError as error:
        from linnet.cli._report import report_error

        report_error(error)
        return error.exit_status
    except Exception as error:
        from linnet.cli._crash import (
            close_stdout,
            is_nowhere,
            keep_crash,
            was_full,
            was_interrupted,
        )

        if was_interrupted(error):
            click.echo("interrupted", err=True)
            return _INTERRUPTED
        if was_full(error):
            click.echo(f"error: cannot write: {(error.strerror or str(error)).lower()}", err=True)
            close_stdout()
            return 1
        if is_nowhere(error):
            click.echo("error: the current directory is gone", err=True)
            click.echo("hint: `cd` to one that exists", err=True)
            return 2
        click.echo(keep_crash(error, arguments), err=True)
        return 3
