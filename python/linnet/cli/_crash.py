"""What an error of ours leaves behind: one line, and a folder that shows it again."""

import errno
import os
import platform
import shutil
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

from linnet import __version__

_SUFFIXES = (".linnet", ".toml", ".json", ".mlir")
_LARGEST = 4 << 20  # Bytes of an argument's file that are kept; weights are not.


def keep_crash(error: BaseException, arguments: Sequence[str]) -> str:
    """Keep the command, the traceback and the sources named in it; return the line to print."""
    what = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    try:
        folder = Path(tempfile.mkdtemp(prefix="linnet-crash-"))
        _keep(folder, error, arguments)
        kept = f"; all that shows it is kept in {folder}"
    except OSError as reason:
        kept = f"; nothing could be kept: {reason.strerror}"
    return f"internal error in linnet {__version__}: {what}{kept}"


def _keep(folder: Path, error: BaseException, arguments: Sequence[str]) -> None:
    facts = [
        f"linnet {__version__}",
        f"python {platform.python_version()} on {platform.platform()}",
        f"command: linnet {' '.join(arguments)}",
        "",
        "".join(traceback.format_exception(error)),
    ]
    (folder / "crash.txt").write_text("\n".join(facts), "utf-8", "backslashreplace")
    for number, argument in enumerate(arguments):
        path = Path(argument)
        if path.suffix in _SUFFIXES and path.is_file() and path.stat().st_size <= _LARGEST:
            shutil.copyfile(path, folder / f"{number}-{path.name}")


def was_interrupted(error: BaseException | None) -> bool:
    """Return whether a KeyboardInterrupt was the cause; an extension's import hides it so."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def was_full(error: Exception) -> TypeGuard[OSError]:
    """Return whether a file system was full, or a file as large as it may be."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_nowhere(error: Exception) -> bool:
    """Return whether a path could not be followed because the current directory is gone."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return isinstance(error, FileNotFoundError)
    return False


def open_closed_streams() -> None:
    """Give the process the standard streams that its caller closed; nobody reads them."""
    if sys.stdout is None:  # pyright: ignore
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - open as long as the process
    if sys.stderr is None:  # pyright: ignore
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def close_stdout() -> None:
    """Leave a closed pipe alone, so that the interpreter says nothing about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
