"""A result from the cache, or made and kept. The cache may be missing, full, or anyone's: then a
result is made as if there were none, and a notice says so.
"""

import hashlib
import os
import stat
import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from linnet.cache._place import place
from linnet.cache._store import Store

# A builder of the same that is stopped or hangs must not hang us; to build twice does no harm.
_WAIT_SECONDS: Final = 600.0
_off: ContextVar[bool] = ContextVar("bypassed", default=False)


class CacheNotice(UserWarning):
    """The cache cannot be used or written; results are the same without it."""


def key_of(parts: Mapping[str, str | bytes]) -> str:
    """Return a key for named parts: no two sets of parts have one key."""
    whole = hashlib.sha256()
    for name, part in sorted(parts.items()):
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
        label = name.encode()
        whole.update(b"%d %d " % (len(label), len(data)) + label)
        whole.update(data)
    return whole.hexdigest()


@contextmanager
def bypassed(off: bool = True) -> Generator[None]:
    """Within, nothing is taken from the cache or kept in it, unless `off` is False."""
    token = _off.set(_off.get() or off)
    try:
        yield
    finally:
        _off.reset(token)


def cached(key: str, label: str, make: Callable[[], bytes]) -> bytes:
    """Return what was kept under `key`, else what `make` returns, which is then kept.

    One process makes it while the others that need it wait. What `make` raises is raised.
    """
    store = _usable()
    if store is None:
        return make()
    found = _get(store, key)
    if found is not None:
        return found
    with _locked(store, key):
        found = _get(store, key)
        if found is None:
            found = make()
            try:
                store.put(key, found, label)
            except OSError as error:
                _notice(store.folder, _reason(error))
    return found


def _usable() -> Store | None:
    where = place()
    if _off.get() or not where.enabled:
        return None
    strange = _strange(where.folder)
    if strange is not None:
        _notice(where.folder, strange)
        return None
    return Store(where.folder, where.limit)


def _get(store: Store, key: str) -> bytes | None:
    try:
        return store.get(key)
    except OSError as error:
        _notice(store.folder, _reason(error))
        return None


def _strange(folder: Path) -> str | None:
    """Why code from a folder is not to be run: others could have put it there."""
    try:
        found = folder.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return _reason(error)
    if not stat.S_ISDIR(found.st_mode):
        return "it is no folder"
    if found.st_uid not in (0, os.geteuid()):
        return "it belongs to another user"
    if found.st_mode & stat.S_IWOTH:
        return "everybody may write there"
    return None


@contextmanager
def _locked(store: Store, key: str) -> Generator[None]:
    """Hold the lock of a key, or none where there is no place for one or its holder hangs."""
    import filelock

    lock = filelock.FileLock(store.lock_path(key), timeout=_WAIT_SECONDS)
    try:
        store.prepare(key)
        lock.acquire(poll_interval=0.02)
    except (OSError, NotImplementedError, filelock.Timeout):
        # Where nothing can be written, `put` says so.
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _notice(folder: Path, reason: str) -> None:
    """Warn once of a folder and a reason: Python drops what one place says again."""
    said = f"the compile cache {folder} is not used: {reason}"
    warnings.warn(said, CacheNotice, stacklevel=2)
