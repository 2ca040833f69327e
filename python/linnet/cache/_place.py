"""Where the cache lies and how large it may grow, by the environment."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from linnet.errors import UsageError

DEFAULT_LIMIT = 2 << 30
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of the cache and the most bytes it may hold; `enabled` is False when off."""

    folder: Path
    limit: int
    enabled: bool


def place() -> Place:
    """Return what the environment says.

    `LINNET_CACHE_DIR` names the folder (default: the user's cache folder of the system),
    `LINNET_CACHE_LIMIT` the size (default 2 GiB), and `LINNET_NO_CACHE=1` turns the cache off.
    UsageError for a size that is none.
    """
    given = os.environ.get("LINNET_CACHE_DIR")
    if given:
        folder = Path(given).expanduser().absolute()
    else:
        import platformdirs

        folder = Path(platformdirs.user_cache_dir("linnet", appauthor=False))
    limit = read_size(os.environ.get("LINNET_CACHE_LIMIT") or DEFAULT_LIMIT, "LINNET_CACHE_LIMIT")
    off = os.environ.get("LINNET_NO_CACHE", "") not in ("", "0")
    return Place(folder, limit, not off)


def read_size(text: str | int, name: str) -> int:
    """Return a number of bytes: `2GiB`, `512 MB` and `2G` count in powers of 1024, as `1000`."""
    if isinstance(text, int):
        return text
    found = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]{1,6})?)\s*([kmgt]?)(?:i?b)?\s*", text.lower())
    if found is None:
        raise UsageError(f"{name}: `{text[:40]}` is no size", "write it as 2GiB or 500MiB")
    return int(float(found[1]) * (1 << _UNITS[found[2]]))


def show_size(size: int) -> str:
    """Return a number of bytes as a reader takes it in: `1.4 MiB`."""
    value, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1000:
            break
        value, unit = value / 1024, larger
    return f"{size} B" if unit == "B" else f"{value:.1f} {unit}"
