"""Where each key of a TOML text stands. `tomllib` reads values and forgets their lines.

Only texts that `tomllib` accepted are scanned, so what is no string, comment or bracket is a key
or a plain value.
"""

import re

_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
_PART = re.compile(r'\s*("(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[A-Za-z0-9_-]+)\s*')

Path = tuple[str, ...]


def key_lines(text: str) -> dict[Path, int]:
    """Return the line, counted from 1, of each table and each key by its path."""
    found: dict[Path, int] = {}
    table: Path = ()
    at = 0
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        rest = text[at:]
        lead = len(rest) - len(rest.lstrip(" \t\r"))
        at += lead
        if at >= len(text):
            break
        if text[at] == "\n":
            at += 1
        elif text[at] == "#":
            at = _end_of_line(text, at)
        elif text[at] == "[":
            start = at + (2 if text.startswith("[[", at) else 1)
            table, at = _path(text, start)
            _note(found, table, line)
            at = _end_of_line(text, at)
        else:
            path, at = _path(text, at)
            _note(found, (*table, *path), line)
            at = _end_of_value(text, at + 1, (*table, *path), found)
    return found


def _note(found: dict[Path, int], path: Path, line: int) -> None:
    for size in range(1, len(path) + 1):
        found.setdefault(path[:size], line)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _path(text: str, at: int) -> tuple[Path, int]:
    """Read `a.b."c"`; return its parts and where it ends."""
    parts: list[str] = []
    while True:
        part = _PART.match(text, at)
        if part is None:
            return tuple(parts), at
        parts.append(part[1].strip("\"'"))
        at = part.end()
        if not text.startswith(".", at):
            return tuple(parts), at
        at += 1


def _end_of_value(text: str, at: int, path: Path, found: dict[Path, int]) -> int:
    """Return where the line after a value starts; keys of an inline table are noted."""
    depth = 0
    key_may_come = False
    while at < len(text):
        char = text[at]
        string = _STRING.match(text, at)
        if key_may_come and (part := _PART.match(text, at)) and _follows(text, part.end()):
            line = text.count("\n", 0, at) + 1
            _note(found, (*path, part[1].strip("\"'")), line)
            at, key_may_come = part.end(), False
        elif string is not None:
            at = string.end()
        elif char == "#":
            at = _end_of_line(text, at) - (depth > 0)
            if depth == 0:
                return at
        elif char == "\n" and depth == 0:
            return at + 1
        else:
            if char in "[{":
                depth += 1
            elif char in "]}":
                depth -= 1
            if char in "{," and depth > 0:
                key_may_come = True
            elif not char.isspace():
                key_may_come = False
            at += 1
    return at


def _follows(text: str, at: int) -> bool:
    return text.startswith("=", at)
