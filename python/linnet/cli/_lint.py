"""`linnet lint`: `check` for programs that should have nothing left over (spec section 17)."""

from pathlib import Path

import click

from linnet.cli._check import diagnose, manifests, programs, tell
from linnet.cli._options import STD
from linnet.cli._report import told_once


@click.command("lint")
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, readable=True, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--std",
    type=STD,
    help="The directory of `std`, instead of LINNET_STD or the one that comes along.",
)
def command(paths: tuple[Path, ...], as_json: bool, std: Path | None) -> int:
    """Check programs and fail on warnings as on errors.

    Warned of are imports, locals and members of blocks that nothing uses. A program with errors
    gets no warnings. A PATH is a file, a package, or a folder of programs.
    """
    files = list(dict.fromkeys(file for path in paths for file in programs(path)))
    found = told_once([*manifests(paths), *(one for file in files for one in diagnose(file, std))])
    tell(found, files, "errors or warnings", as_json)
    return 1 if found else 0
