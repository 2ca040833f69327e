"""The rooms of the Python package: who may import whom, and what an `__init__.py` may hold."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "linnet"

# A room imports the rooms before it, by their `__init__` alone.
ORDER = (
    "source",
    "diagnostics",
    "explanations",
    "errors",
    "cache",
    "signature",
    "core",
    "outline",
    "syntax",
    "formatter",
    "checker",
    "graph",
    "pages",
    "emit",
    "compiler",
    "reference",
    "stablehlo",
    "backends",
    "weights",
    "artifact",
    "runtime",
    "measure",
    "memory",
    "nest",
    "export",
    "serve",
    "cli",
)
# Rooms inside a room: importing the outer one must not load what a target needs.
SUBROOMS = {("backends", name) for name in ("iree", "jax", "onnx", "torch", "xla")}
# What `linnet/__init__.py` holds itself.
PACKAGE_NAMES = {"LinnetError", "__version__"}
# Not rooms: built by CMake, package data, and what `linnet.load` and late imports are made of.
OUTSIDE = {"mlir", "std", "schemas", "_ahead", "_late", "_load"}


def imported(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each module of linnet that `tree` names in an import, as its parts after `linnet`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                parts = tuple(name.name.split("."))
                if parts[0] == "linnet":
                    yield node.lineno, parts[1:]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                full = (*base, *module)
            elif module[:1] == ("linnet",):
                full = module[1:]
            else:
                continue
            # `from linnet import checker` and `from . import _file` name modules.
            if node.module is None or module == ("linnet",):
                for name in node.names:
                    if name.name != "__version__":
                        yield node.lineno, (*full, name.name)
            else:
                yield node.lineno, full


def breaches(text: str, module: tuple[str, ...]) -> list[str]:
    """What the file of `module` breaks; `module` holds its parts after `linnet`."""
    tree = ast.parse(text)
    room, package = module[0], module[:-1]
    found: list[str] = []
    for line, target in imported(tree, package):
        if not target or target[0] == room or target[0] in OUTSIDE | PACKAGE_NAMES:
            continue
        if target[0] not in ORDER:
            found.append(f"{line}: `linnet.{'.'.join(target)}` is no room")
        elif module[-1] == "__main__" and target == ("cli",):
            continue  # `python -m linnet.nest` is the command of that name.
        elif ORDER.index(target[0]) > ORDER.index(room):
            found.append(f"{line}: `{room}` may not import `{target[0]}`, which stands below it")
        elif len(target) > 1 and target not in SUBROOMS:
            found.append(
                f"{line}: import the room `{target[0]}`, not `{'.'.join(target)}` inside it"
            )
    if len(module) == 2 and module[-1] == "__init__":
        found += [f"{line}: `__init__.py` holds logic" for line in logic(tree)]
    return found


def logic(tree: ast.Module) -> Iterator[int]:
    """Lines of an `__init__.py` that are no docstring, import or `__all__`."""
    for node in tree.body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.Import() | ast.ImportFrom():
                continue
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                continue
            # Imports for the type checker, and the same names for later: see `_late`.
            case ast.If(
                test=ast.Name(id="TYPE_CHECKING"),
                body=shown,
                orelse=[
                    ast.Assign(
                        targets=[ast.Name(id="__getattr__")],
                        value=ast.Call(func=ast.Name(id="late")),
                    )
                ],
            ) if all(isinstance(each, ast.ImportFrom) for each in shown):
                continue
            case _:
                yield node.lineno


def files() -> list[Path]:
    """Every Python file that lies in a room."""
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if len(path.relative_to(PACKAGE).parts) > 1
        and path.relative_to(PACKAGE).parts[0] not in OUTSIDE
    ]


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_imports_only_rooms_above_it(path: Path) -> None:
    relative = path.relative_to(PACKAGE).with_suffix("")
    assert relative.parts[0] in ORDER, f"`{relative.parts[0]}` is no room of the architecture"
    assert breaches(path.read_text(encoding="utf-8"), relative.parts) == []


@pytest.mark.parametrize(
    ("text", "module", "problem"),
    [
        ("from linnet.emit import emit", ("checker", "_walk"), "stands below it"),
        ("from linnet.cli import main", ("source", "_file"), "stands below it"),
        ("import linnet.runtime", ("syntax", "__init__"), "stands below it"),
        ("from linnet import cli", ("runtime", "_model"), "stands below it"),
        ("from ..cli import main", ("runtime", "_model"), "stands below it"),
        ("def f():\n    from linnet.cli import main", ("runtime", "_model"), "stands below it"),
        ("from linnet.syntax._tree import Node", ("checker", "_walk"), "import the room"),
        ("from ..syntax._tree import Node", ("checker", "_walk"), "import the room"),
        ("from linnet.misc import x", ("checker", "_walk"), "is no room"),
        ("x = 1", ("checker", "__init__"), "holds logic"),
        ("def f(): ...", ("checker", "__init__"), "holds logic"),
        ("if TYPE_CHECKING:\n    x = 1\nelse:\n    y = 2", ("checker", "__init__"), "holds logic"),
    ],
)
def test_a_breach_is_found(text: str, module: tuple[str, ...], problem: str) -> None:
    found = breaches(text, module)
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("from linnet.syntax import Node", ("checker", "_walk")),
        ("from ._walk import walk\n\n__all__ = ['walk']", ("checker", "__init__")),
        ("from . import _walk", ("checker", "_other")),
        ("from linnet.mlir import ir\nimport numpy", ("emit", "_build")),
        ("from linnet.backends.xla import XlaInstance", ("runtime", "_load")),
        ("from linnet.cli import main", ("nest", "__main__")),
        ("from ._cpu import target", ("backends", "iree", "_x")),
    ],
)
def test_a_sound_import_is_silent(text: str, module: tuple[str, ...]) -> None:
    assert breaches(text, module) == []
