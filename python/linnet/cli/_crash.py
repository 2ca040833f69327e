"""What an error of ours leaves behind: one line, and a folder that shows it again."""

import os
import platform
import shutil
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

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


def close_stdout() -> None:
    """Leave a closed pipe alone, so that the interpreter says nothing about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
