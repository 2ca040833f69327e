"""A folder that appears whole or not at all."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from linnet.errors import UsageError


@contextmanager
def scratch_folder(target: Path) -> Generator[Path]:
    """Give a folder beside `target` that is removed in the end.

    UsageError for a target that holds something or cannot be written.
    """
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise UsageError(f"{target} is no folder", "name a folder that does not exist")
    if target.is_dir() and any(target.iterdir()):
        raise UsageError(f"{target} is not empty", "name a folder that does not exist")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-")
    except OSError as error:
        raise _unwritable(target, error) from None
    with scratch as outer:
        yield Path(outer)


@contextmanager
def whole_folder(target: Path) -> Generator[Path]:
    """Give a folder to write to, which is renamed to `target` when the body ends well.

    UsageError for a target that holds something or cannot be written; then, and when the body
    raises, nothing is left.
    """
    with scratch_folder(target) as outer:
        place = outer / "made"
        place.mkdir()
        yield place
        try:
            if target.is_dir():
                target.rmdir()
            os.rename(place, target)
        except OSError as error:
            raise _unwritable(target, error) from None


def _unwritable(target: Path, error: OSError) -> UsageError:
    reason = (error.strerror or str(error)).lower()
    return UsageError(f"cannot write {target}: {reason}", "name another place")
