"""Paths that a card or a listing names, kept inside their directory."""

import re
from pathlib import Path, PureWindowsPath

_LONGEST = 400
# Names that mean a device on Windows, whatever their suffix.
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def outside(text: str) -> str | None:
    """Why a path of a card is none that stays in its directory on every system; None if it does.

    Says nothing of links, which only the directory itself can tell (see `inside`).
    """
    if not text or len(text) > _LONGEST:
        return "is empty" if not text else f"is longer than {_LONGEST} characters"
    if any(ord(char) < 32 or ord(char) == 127 for char in text):
        return "holds a control character"
    if "\\" in text or PureWindowsPath(text).drive or ":" in text:
        return "is no relative path with `/` between its parts"
    if text.startswith(("/", "~")):
        return "is absolute"
    for part in text.split("/"):
        if part == "..":
            return "leaves the directory of the card"
        if part in ("", "."):
            return "has an empty part"
        if _DEVICE.fullmatch(part) or part.endswith((" ", ".")):
            return f"has a part `{part}` that is no file's name on Windows"
    return None


def escapes(directory: Path, text: str) -> bool:
    """Whether links lead a path out of its directory. OSError for links that run in a circle."""
    found = (directory / text).resolve()
    return not found.is_relative_to(directory.resolve())
