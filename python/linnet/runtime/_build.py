"""From a program to an artifact, or to CORE for whoever prints it."""

import contextlib
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.artifact import Draft, Manifest, check_output, write_artifact
from linnet.backends import Module
from linnet.cache import bypassed
from linnet.core import CoreModule
from linnet.diagnostics import Diagnostic
from linnet.runtime._engine import Generics
from linnet.runtime._instances import check_target, compile_variant

if TYPE_CHECKING:
    from linnet.compiler import Stages


@dataclass(frozen=True, slots=True)
class Built:
    """What `build_artifact` wrote, and the warnings of the program."""

    manifest: Manifest
    warnings: tuple[Diagnostic, ...]


def lower_program(
    path: Path,
    root: str | None,
    entries: Sequence[str],
    generics: Generics,
    optionals: str | Sequence[str],
    std: Path | None,
    stages: "Stages",
) -> tuple[CoreModule, tuple[Diagnostic, ...]]:
    """Return CORE of a program's entries (all of the root without names), and its warnings.

    Raises as `linnet.compile` does.
    """
    from linnet.compiler import Request, check_path, lower

    checked = check_path(path, std, stages)
    emitted = checked.accepted()
    request = Request(root, entries, generics, optionals)
    return lower(emitted, request, checked.sources, stages), checked.diagnostics


def build_artifact(
    path: Path,
    output: Path,
    root: str | None,
    entries: Sequence[str],
    generics: Generics,
    optionals: str | Sequence[str],
    targets: Sequence[str],
    std: Path | None,
    stages: "Stages",
    linnet_version: str,
    cache: bool = True,
) -> Built:
    """Compile a program's entries for every target and write the artifact.

    UsageError for an unknown name or target, ProgramError for a refused program, BackendError when
    a backend's compiler fails.
    """
    from linnet.stablehlo import build

    for target in targets:
        check_target(target)
    check_output(output)
    core, warnings = lower_program(path, root, entries, generics, optionals, std, stages)
    modules = stages.run(
        "stablehlo",
        lambda: [
            Module(name, function.signature, build(core, {"main": name}).portable())
            for name, function in core.functions.items()
        ],
        lambda _: build(core).text(),
        "mlir",
    )

    def compiled() -> list[Draft]:
        with bypassed(not cache):
            return [compile_variant(target, modules) for target in dict.fromkeys(targets)]

    drafts = stages.run(
        "backends",
        compiled,
        lambda made: "".join(
            f"{draft.target}: {name}, {len(code)} bytes\n"
            for draft in made
            for name, code, _ in draft.files
        ),
        "txt",
    )
    facts = _build_facts(linnet_version)
    manifest = write_artifact(output, path, modules, drafts, linnet_version, build=facts)
    return Built(manifest, warnings)


def _build_facts(linnet_version: str) -> dict[str, object]:
    """When and with what an artifact is built, to read. SOURCE_DATE_EPOCH stands for the time."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = int(given) if given.isdecimal() else time.time()
    tools = {"linnet": linnet_version, "python": platform.python_version()}
    for package in ("iree-base-compiler", "jaxlib", "numpy"):
        with contextlib.suppress(PackageNotFoundError):
            tools[package] = version(package)
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)),
        "platform": f"{platform.system().lower()}-{platform.machine()}",
        "tools": tools,
    }
