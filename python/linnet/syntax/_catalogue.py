"""What a folder of modules offers: its files and their public items, for messages alone.

Reads the first lines of items by their look, without parsing: a file of `std` that a program
does not import is never loaded for it.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Final

# More than this is no library of modules but some folder that was named for one.
_MOST_FILES: Final = 400
_MOST_FOLDERS: Final = 200
_LARGEST: Final = 1 << 20
_ITEM: Final = re.compile(
    r"^pub (fn|op|entry|block|const|type|struct|enum) ([A-Za-z_][A-Za-z0-9_]*)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A public item of another module: the path for a `use`, its name, the word it begins with."""

    module: str
    name: str
    word: str

    @property
    def line(self) -> str:
        """The import that brings it in."""
        return f"use {self.module}::{{{self.name}}}"


def module_paths(prefix: str, root: FilePath) -> list[str]:
    """The paths of the modules below a folder, each after a prefix: `std.nn.linear`."""
    return [".".join((prefix, *parts)) for parts, _ in _files(root)]


def offers(prefix: str, root: FilePath) -> list[Offer]:
    """The public items of the modules below a folder, in the order of their paths."""
    found: list[Offer] = []
    for parts, file in _files(root):
        try:
            if file.stat().st_size > _LARGEST:
                continue
            text = file.read_text("utf-8")
        except (OSError, ValueError):
            continue  # What cannot be read offers nothing.
        module = ".".join((prefix, *parts))
        found += [Offer(module, item[2], item[1]) for item in _ITEM.finditer(text)]
    return found


def _files(root: FilePath) -> Iterator[tuple[tuple[str, ...], FilePath]]:
    """The module files below a folder with the segments of their paths, sorted."""
    found: list[tuple[tuple[str, ...], FilePath]] = []
    for count, (folder, folders, files) in enumerate(os.walk(root)):
        if count >= _MOST_FOLDERS or len(found) >= _MOST_FILES:
            break
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".linnet"):
                path = FilePath(folder, name)
                found.append((path.relative_to(root).with_suffix("").parts, path))
    yield from sorted(found)
