"""`linnet lint`: `check` for programs that should have nothing left over (spec section 17)."""

from pathlib import Path

import click

from linnet.cli._check import diagnose, manifests, program_options, programs, tell
from linnet.cli._report import told_once


@click.command("lint")
@program_options
def command(paths: tuple[Path, ...], as_json: bool, std: Path | None) -> int:
    """Check programs and fail on warnings as on errors.

    Warned of are imports, locals and members of blocks that nothing uses. A program with errors
    gets no warnings. A PATH is a file, a package, or a folder of programs.
    """
    files = list(dict.fromkeys(file for path in paths for file in programs(path)))
    found = told_once([*manifests(paths), *(one for file in files for one in diagnose(file, std))])
    tell(found, files, "errors or warnings", as_json)
    return 1 if found else 0
