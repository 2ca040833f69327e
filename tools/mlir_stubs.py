"""Writes the `.pyi` files of `linnet.mlir`, so that strict pyright knows its types.

    python tools/mlir_stubs.py PACKAGE_DIR CORE_STUBS_DIR

PACKAGE_DIR is the built `linnet/mlir`; CORE_STUBS_DIR holds MLIR's own stubs of its core. Run by
the build once the package is complete. Three sources: MLIR's stubs under our package's name, the
generated op classes (parameters that tablegen leaves open are `Any`), and the extension `_linnet`
as nanobind describes it.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = "linnet.mlir"


# MLIR's Python code adds this class to `ir` when it is imported; its own stub forgets it.
MLIR_ERROR = """

class MLIRError(Exception):
    message: str
    error_diagnostics: list[DiagnosticInfo]
    def __init__(self, message: str, error_diagnostics: list[DiagnosticInfo]) -> None: ...
"""


def write(path: Path, text: str) -> None:
    """Write `text` unless the file holds it already; a link becomes a file."""
    if path.is_symlink():
        path.unlink()
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def core_stub(text: str) -> str:
    """MLIR's own stub; `mlir.ir` gets the name of the module that shows its private names."""
    return re.sub(r"\bmlir\.ir\b", f"{PACKAGE}._mlir_libs._mlir.ir", text)


def ops_stub(text: str) -> str:
    """The declarations of a generated `_NAME_ops_gen.py`."""
    module = ast.parse(text)
    lines = [
        "from collections.abc import Sequence as _Sequence",
        "from typing import Any, Optional as _Optional, Union as _Union",
        "import builtins",
        "from .. import ir as _ods_ir",
        "",
    ]
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            lines += signature(node, "")
        elif isinstance(node, ast.ClassDef):
            lines.append(
                f"class {node.name}({', '.join(ast.unparse(base) for base in node.bases)}):"
            )
            members = [m for m in node.body if isinstance(m, ast.FunctionDef)]
            lines += [line for member in members for line in signature(member, "    ")] or [
                "    ..."
            ]
    return "\n".join(lines) + "\n"


def signature(node: ast.FunctionDef, indent: str) -> list[str]:
    """One function as a stub: what has no annotation takes and gives `Any`."""
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for argument in [*named, arguments.vararg, arguments.kwarg]:
        if (
            argument is not None
            and argument.annotation is None
            and argument.arg not in ("self", "cls")
        ):
            argument.annotation = ast.Name("Any")
    ellipsis = ast.Constant(...)
    arguments.defaults = [ellipsis for _ in arguments.defaults]
    arguments.kw_defaults = [
        None if default is None else ellipsis for default in arguments.kw_defaults
    ]
    gives_nothing = node.name == "__init__" or any(
        ast.unparse(decorator).endswith((".setter", ".deleter"))
        for decorator in node.decorator_list
    )
    default_return = "None" if gives_nothing else "Any"
    returns = default_return if node.returns is None else ast.unparse(node.returns)
    decorators = [f"{indent}@{ast.unparse(decorator)}" for decorator in node.decorator_list]
    return [*decorators, f"{indent}def {node.name}({ast.unparse(arguments)}) -> {returns}: ..."]


def extension_stub(package: Path) -> str:
    """What nanobind says of `_linnet`."""
    name = f"{PACKAGE}._mlir_libs._linnet"
    target = package / "_mlir_libs" / "_linnet.pyi.tmp"
    path = os.pathsep.join([str(package.parent.parent), os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-P", "-m", name, "-o", str(target)],
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    text = target.read_text()
    target.unlink()
    return text


def main(package: Path, core: Path) -> None:
    """Write every stub of the package."""
    for source in sorted(core.glob("_mlir_libs/_mlir/*.pyi")):
        added = MLIR_ERROR if source.name == "ir.pyi" else ""
        write(package / source.relative_to(core), core_stub(source.read_text()) + added)
    for source in sorted(package.glob("dialects/_*_ops_gen.py")):
        write(source.with_suffix(".pyi"), ops_stub(source.read_text()))
    write(package / "_mlir_libs" / "_linnet.pyi", extension_stub(package))


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
