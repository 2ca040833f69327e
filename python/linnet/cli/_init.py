"""`linnet init`: a new package with a small model that checks, runs and compiles."""

import os
import shutil
import tempfile
from pathlib import Path

import click

from linnet.cli._package import next_steps, package_files
from linnet.errors import UsageError
from linnet.syntax import RESERVED_WORDS


@click.command(
    "init",
    epilog="Example: `linnet init my_model`, then `cd my_model` and `linnet check .`",
)
@click.argument("path", metavar="NAME", type=click.Path(path_type=Path))
def command(path: Path) -> None:
    """Make a package NAME: a folder with a manifest and a small model that runs.

    NAME may be a path, whose last part is the name of the package. The folder must not exist,
    or be empty. Nothing is left behind where it cannot be made.
    """
    name = path.name
    _check_name(name, path)
    _check_place(path)
    files = package_files(name)
    _make(path, files)
    click.echo(f"made {path}:")
    for file in files:
        click.echo(f"  {file}")
    click.echo("\nnext:")
    for step in [f"cd {path}", *next_steps(name)]:
        click.echo(f"  {step}")


def _check_name(name: str, path: Path) -> None:
    """UsageError for what cannot name a package, and so its module and its key [PKG-2]."""
    if name in RESERVED_WORDS:
        raise UsageError(f"`{name}` is a reserved word of the language", "take another name")
    if name in ("std", "crate"):
        raise UsageError(f"`{name}` cannot name a package", "imports give it another meaning")
    if not (name.isascii() and name.isidentifier()):
        fitting = "".join(char if char.isascii() and char.isalnum() else "_" for char in name)
        usable = fitting.strip("_") and not fitting[0].isdigit() and fitting not in RESERVED_WORDS
        hint = f"`linnet init {path.with_name(fitting)}` would do" if usable else "try my_model"
        raise UsageError(
            f"`{name or path}` cannot name a package: a name has ASCII letters, digits and `_`",
            hint,
        )


def _check_place(path: Path) -> None:
    """UsageError where no package can be made at a path."""
    parent = path.absolute().parent
    if not parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}", "make it first")
    if not (path.exists() or path.is_symlink()):
        return
    if not path.is_dir() or path.is_symlink():
        raise UsageError(f"{path} exists and is no folder", "take another name")
    if any(path.iterdir()):
        raise UsageError(f"{path} exists and is not empty", "take another name")


def _make(path: Path, files: dict[str, bytes]) -> None:
    """Write the files beside the place under another name, and rename their folder into it.

    The rename takes the place of an empty folder, and fails where one came to hold something.
    """
    parent = path.absolute().parent
    mask = os.umask(0)
    os.umask(mask)
    made: str | None = None
    try:
        made = tempfile.mkdtemp(prefix=f".{path.name}-", dir=parent)
        for name, data in files.items():
            file = Path(made, name)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
        os.chmod(made, 0o777 & ~mask)  # As `mkdir` would have it.
        os.replace(made, path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot make {path}: {reason}", "name another place") from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
