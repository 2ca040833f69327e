"""What a folder of modules offers: its files and their public items, for messages alone.

Reads the first lines of items by their look, without parsing: a file of `std` that a program
does not import is never loaded for it.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Final

from linnet.diagnostics import did_you_mean
from linnet.syntax._tree import Use, UseItems, UseModule

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


def meant_import(use: Use, roots: Mapping[str, FilePath]) -> str | None:
    """What to write for the path of an import that names no module.

    `roots` are the folders of modules by the first segment of their paths.
    """
    path = use.path.text
    known = [
        ".".join((prefix, *parts)) for prefix, root in roots.items() for parts, _ in _files(root)
    ]
    owner, _, last = path.rpartition(".")
    if isinstance(use, UseModule) and owner in known:
        # An item written as if it were a module.
        prefix = owner.partition(".")[0]
        items = [one for one in offers(prefix, roots[prefix]) if one.module == owner]
        near = last if last in (one.name for one in items) else None
        if near is not None:
            return f"{owner}::{{{near}}}"
    if isinstance(use, UseItems):
        # The module that does have the item.
        wanted = use.names[0].name.text
        for prefix, root in roots.items():
            for one in offers(prefix, root):
                if one.name == wanted and did_you_mean(last, (one.module.rpartition(".")[2],)):
                    return one.module
    same = [module for module in known if module.rpartition(".")[2] == last]
    return same[0] if len(same) == 1 else did_you_mean(path, known)


def offers(prefix: str, root: FilePath) -> list[Offer]:
    """The public items of the modules below a folder, in the order of their paths."""
    found: list[Offer] = []
    for parts, file in _files(root):
        try:
            # A pipe would be waited for.
            if not file.is_file() or file.stat().st_size > _LARGEST:
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
