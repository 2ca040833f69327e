"""Names that a room imports late are those that it shows the type checker."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from linnet._late import late

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "linnet"


def rooms() -> list[str]:
    """The rooms with late names, as dotted names."""
    found = [path for path in PACKAGE.rglob("__init__.py") if "late(" in path.read_text("utf-8")]
    return [".".join(("linnet", *path.parent.relative_to(PACKAGE).parts)) for path in found]


def both_tables(room: str) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """What a room's `__init__` imports for the type checker, and what it gives to `late`."""
    path = PACKAGE.joinpath(*room.split(".")[1:], "__init__.py")
    branch = next(n for n in ast.parse(path.read_text("utf-8")).body if isinstance(n, ast.If))
    shown = {
        (node.module or "").removeprefix(f"{room}."): tuple(name.name for name in node.names)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
    }
    call = next(node for node in ast.walk(branch) if isinstance(node, ast.Call))
    return shown, ast.literal_eval(call.args[1])


def test_there_are_such_rooms() -> None:
    assert {"linnet.backends", "linnet.backends.iree", "linnet.runtime"} <= set(rooms())


@pytest.mark.parametrize("room", rooms())
def test_both_tables_say_the_same_and_every_name_is_there(room: str) -> None:
    shown, given = both_tables(room)
    assert given == shown
    module = import_module(room)
    for file, names in given.items():
        for name in names:
            assert getattr(module, name) is getattr(import_module(f"{room}.{file}"), name)
            assert name in module.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        late("linnet.weights", {})("nothing")
