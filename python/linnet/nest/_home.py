"""Where nests that were pulled lie, and the record of files that were found to be whole."""

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, cast


def nest_home() -> Path:
    """Return the folder of pulled nests: `LINNET_NEST_DIR`, or the user's data folder."""
    given = os.environ.get("LINNET_NEST_DIR")
    if given:
        return Path(given).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("linnet", appauthor=False)) / "nest"


def _record(repo: str, revision: str, file: str) -> Path:
    key = hashlib.sha256(f"{repo}@{revision}/{file}".encode()).hexdigest()
    return nest_home() / "verified" / f"{key}.json"


def verified(repo: str, revision: str, file: str) -> tuple[Path, str] | None:
    """Return where a file lies and its hash, if it is still the one whose hash was checked."""
    try:
        found: object = json.loads(_record(repo, revision, file).read_text("utf-8"))
        held = cast(dict[str, Any], found)
        path = Path(held["path"])
        status = path.stat()
        if (status.st_size, status.st_mtime_ns) == (held["bytes"], held["time"]):
            return path, str(held["hash"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def note_verified(repo: str, revision: str, file: str, path: Path, found: str) -> None:
    """Remember that a file was checked; where that cannot be written, it is checked again."""
    with suppress(OSError):
        status = path.stat()
        record = {
            "file": f"{repo}@{revision}/{file}",
            "path": str(path),
            "bytes": status.st_size,
            "time": status.st_mtime_ns,
            "hash": found,
        }
        write_whole(_record(repo, revision, file), json.dumps(record).encode())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it. OSError where that is impossible."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
