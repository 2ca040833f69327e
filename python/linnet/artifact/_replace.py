"""Puts a finished folder where another may be, whoever else does the same or is killed.

A folder in the making has a hidden name beside its place and is locked by its maker, so what a
killed maker left is known by its lock being free.
"""

import ctypes
import errno
import fcntl
import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE
# Between the making of a folder and its lock.
_UNMARKED_SECONDS = 60.0
_ROUNDS = 100


def hold(folder: Path) -> int | None:
    """Mark a folder as in the making until the handle is closed; None where there are no locks."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def sweep(path: Path) -> None:
    """Remove what makers of `path` left that were killed."""
    left = re.compile(re.escape(f".{path.name}-") + r"(old-)?[a-z0-9_]{8}")
    with suppress(OSError):
        for folder in path.parent.iterdir():
            if left.fullmatch(folder.name) and not folder.is_symlink() and folder.is_dir():
                with suppress(OSError):
                    _remove_if_free(folder)


def _remove_if_free(folder: Path) -> None:
    if time.time() - folder.stat().st_mtime < _UNMARKED_SECONDS:
        return
    handle = hold(folder)
    if handle is not None:
        try:
            shutil.rmtree(folder)
        finally:
            os.close(handle)


def replace(work: Path, path: Path) -> None:
    """Rename `work` to `path`; what was there has then the name `work`, for the caller to remove.

    At every moment one of the two is at `path`, and of several makers the last one's stays.
    OSError where that is impossible; what was there is then still there.
    """
    for _ in range(_ROUNDS):
        try:
            if path.is_dir() and not path.is_symlink():
                _exchange(work, path)
            else:
                work.rename(path)
            return
        except FileNotFoundError:
            if not work.exists():
                raise
        except OSError as error:
            # Another maker was here first.
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(path))


def _exchange(work: Path, path: Path) -> None:
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is not None:
        given = (os.fsencode(work), _AT_FDCWD, os.fsencode(path), _EXCHANGE)
        if renameat2(_AT_FDCWD, *given) == 0:
            return
        found = ctypes.get_errno()
        if found not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
            raise OSError(found, os.strerror(found), str(path))
    # A file system that cannot exchange: for a moment there is nothing.
    old = Path(tempfile.mkdtemp(prefix=f".{path.name}-old-", dir=path.parent))
    try:
        path.rename(old / path.name)
        work.rename(path)
        (old / path.name).rename(work)
    finally:
        if not path.exists() and (old / path.name).exists():
            (old / path.name).rename(path)
        shutil.rmtree(old, ignore_errors=True)
