"""Names of a room whose files are imported when they are first asked for.

Loading a model asks for a few of the files that its rooms hold; the rest, mostly for compiling,
would cost it tens of milliseconds. A room's `__init__` names such files twice: to the type checker
by imports, and to the interpreter by a `__getattr__` from here. A test compares the two.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def late(room: str, files: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """Return the `__getattr__` of a room, for the names that its `files` define."""
    where = {name: file for file, names in files.items() for name in names}

    def find(name: str) -> object:
        if name not in where:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(import_module(f"{room}.{where[name]}"), name)
        setattr(sys.modules[room], name, value)
        return value

    return find
