"""From source text, or CORE text, through the passes one group after the other."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linnet.compiler import check_path, read_core
from linnet.core import CoreModule
from linnet.mlir import ir
from linnet.mlir.passmanager import PassManager

TO_BOUND = ("linnet-unroll", "linnet-thread-state")
LOWERED = ("linnet-lower-comprehensions", "linnet-lower-loops", "linnet-lower-cumsum")
NARROWED = ("linnet-narrow-masked-writes",)
SIMPLIFIED = ("linnet-simplify", "cse", "canonicalize")
KEPT = (*LOWERED, *NARROWED, "linnet-simplify", "linnet-cse-in-scopes", "canonicalize")


@dataclass(frozen=True, slots=True)
class Bound:
    """A module of BOUND functions whose states are threaded."""

    module: ir.Operation

    def through(self, *passes: str) -> ir.Operation:
        """Return a copy that the passes ran on."""
        copy = self.module.clone().operation
        with copy.context:
            PassManager.parse(f"builtin.module({','.join(passes)})").run(copy)
        return copy

    def core(self, *passes: str) -> CoreModule:
        return read_core(self.through(*passes))


def bound(text: str, generics: Mapping[str, int | str] = {}, root: str = "") -> Bound:
    """Compile a program to BOUND; a refusal is a bug of the test."""
    return _bound(_emitted(text), generics, root)


def bound_twice(text: str) -> tuple[Bound, Bound]:
    """Compile a program to BOUND, flat and with its calls kept."""
    emitted = _emitted(text)
    return _bound(emitted), _bound(emitted, keep=True)


def _emitted(text: str) -> ir.Operation:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.linnet"
        path.write_text(text, encoding="utf-8")
        checked = check_path(path)
    if checked.emitted is None:
        raise AssertionError(f"{checked.diagnostics}\n{text}")
    return checked.emitted.module.operation


def _bound(
    emitted: ir.Operation,
    generics: Mapping[str, int | str] = {},
    root: str = "",
    keep: bool = False,
) -> Bound:
    module = emitted.clone().operation
    options = f"root={root} " if root else ""
    if keep:
        options += "keep=calls "
    if generics:
        options += f"generics={','.join(f'{k}={v}' for k, v in generics.items())} "
    passes = ",".join((f"linnet-bind{{{options.strip()}}}", *TO_BOUND))
    with module.context:
        PassManager.parse(f"builtin.module({passes})").run(module)
    return Bound(module)


def parse(text: str) -> Bound:
    """Read a module of CORE."""
    context = ir.Context()
    with context, ir.Location.unknown():
        return Bound(ir.Module.parse(text).operation)
