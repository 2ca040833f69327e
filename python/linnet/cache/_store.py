"""A folder of results by key, each of which proves itself.

An entry is one file: a line that names the form, a line of JSON with the key, the number of bytes
and their hash, then the bytes. It is written under another name, synced and renamed, so a reader
finds all of it or nothing, whoever else writes or is killed; whatever is found otherwise is no
entry and goes. A file's time is that of its last use.
"""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

_FORM = b"linnet-cache 1\n"
_LONGEST_HEAD = 1 << 16
# What was left by a process that was killed. No compiler takes a day.
_STALE_SECONDS = 86400.0
_ENTRY, _TEMPORARY, _LOCK = ".entry", ".tmp-", ".lock"


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it is listed: its key, what it is, its bytes, and when it was last used."""

    key: str
    label: str
    bytes: int
    used: float


@final
class Store:
    """The entries of a folder. Methods raise OSError for what the file system refuses."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}{_ENTRY}"

    def lock_path(self, key: str) -> Path:
        """Return the file by which builders of a key wait for each other."""
        return self.folder / key[:2] / f"{key}{_LOCK}"

    def get(self, key: str) -> bytes | None:
        """Return the bytes of an entry that is whole; another is removed."""
        path = self._path(key)
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return None
        head, data = _split(raw)
        if (
            head.get("key") != key
            or head.get("bytes") != len(data)
            or head.get("sha256") != hashlib.sha256(data).hexdigest()
        ):
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return data

    def put(self, key: str, data: bytes, label: str) -> None:
        """Keep bytes, and let what was not used for longest go where the limit is exceeded."""
        if len(data) > self.limit:
            return
        self.prepare(key)
        head = {
            "key": key,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "label": label,
        }
        handle, temporary = tempfile.mkstemp(prefix=_TEMPORARY, dir=self._path(key).parent)
        try:
            with open(handle, "wb") as out:
                out.write(_FORM + json.dumps(head).encode() + b"\n" + data)
                out.flush()
                os.fsync(out.fileno())
            os.replace(temporary, self._path(key))
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        self._evict(key)

    def prepare(self, key: str) -> None:
        """Make the folders of an entry, for the user alone: what lies there is run."""
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path(key).parent.mkdir(exist_ok=True, mode=0o700)

    def kept(self) -> list[Kept]:
        """Return the entries, the latest used first. Their bytes are not checked."""
        found: list[Kept] = []
        for path, status in self._files():
            if path.suffix == _ENTRY:
                with suppress(OSError), open(path, "rb") as file:
                    head, _ = _split(file.read(_LONGEST_HEAD))
                    label = str(head.get("label", "damaged"))
                    found.append(Kept(path.stem, label, status.st_size, status.st_mtime))
        return sorted(found, key=lambda each: (-each.used, each.key))

    def clear(self) -> tuple[int, int]:
        """Remove everything that is ours; return how many entries and bytes went."""
        count = size = 0
        for path, status in self._files():
            path.unlink(missing_ok=True)
            if path.suffix == _ENTRY:
                count, size = count + 1, size + status.st_size
        for folder in self._folders():
            with suppress(OSError):
                folder.rmdir()
        return count, size

    def _evict(self, kept: str) -> None:
        """Bring the folder below its limit. One that vanishes meanwhile is no mistake."""
        files = list(self._files())
        now = time.time()
        for path, status in files:
            stale = now - status.st_mtime > _STALE_SECONDS
            if stale and path.suffix != _ENTRY:
                with suppress(OSError):
                    path.unlink()
        entries = [(path, status) for path, status in files if path.suffix == _ENTRY]
        total = sum(status.st_size for _, status in entries)
        for path, status in sorted(entries, key=lambda each: each[1].st_mtime):
            if total <= self.limit:
                break
            if path.stem != kept:
                with suppress(OSError):
                    path.unlink()
                total -= status.st_size

    def _folders(self) -> list[Path]:
        """The folders of two hexadecimal digits; whatever else lies there is not ours."""
        digits = "0123456789abcdef"
        return sorted(
            path
            for path in (self.folder.iterdir() if self.folder.is_dir() else ())
            if len(path.name) == 2 and set(path.name) <= set(digits) and path.is_dir()
        )

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for folder in self._folders():
            for path in sorted(folder.iterdir()):
                if path.suffix in (_ENTRY, _LOCK) or path.name.startswith(_TEMPORARY):
                    with suppress(OSError):
                        yield path, path.stat()


def _split(raw: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the head and the data of an entry; an empty head where the form is another."""
    if not raw.startswith(_FORM):
        return {}, b""
    line, end, data = raw[len(_FORM) :].partition(b"\n")
    try:
        head: object = json.loads(line) if end else None
    except (ValueError, RecursionError):
        head = None
    return (head if isinstance(head, dict) else {}), data  # pyright: ignore
