"""From a program to an artifact, or to CORE for whoever prints it."""

import os
import platform
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from linnet.artifact import Draft, Manifest, check_output, write_artifact
from linnet.backends import Module, installed
from linnet.errors import BackendError, CapabilityError, UsageError
from linnet.runtime._buckets import Buckets, check_buckets, padded_modules
from linnet.runtime._engine import Generics
from linnet.runtime._instances import check_target, compile_variant, takes_open
from linnet.runtime._states import refuse_copies, state_facts
from linnet.runtime._storage import read_storage

if TYPE_CHECKING:
    from linnet.compiler import Stages
    from linnet.core import CoreModule
    from linnet.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Built:
    """What `build_artifact` wrote, and the warnings of the program.

    `without_loop` says why a `decode` was left without its loop, where it was.
    `unstored` says, by path, why a param stays as the program has it (see `CoreModule`).
    """

    manifest: Manifest
    warnings: "tuple[Diagnostic, ...]"
    without_loop: str | None = None
    unstored: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class _Lowered:
    core: "CoreModule"
    warnings: "tuple[Diagnostic, ...]"
    looped: bool
    without_loop: str | None


def lower_program(
    path: Path,
    root: str | None,
    entries: Sequence[str],
    generics: Generics,
    optionals: str | Sequence[str],
    std: Path | None,
    stages: "Stages",
    weights_dtype: str | None = None,
    leave_open: bool = False,
    keep: bool | Literal["ops"] = False,
) -> "tuple[CoreModule, tuple[Diagnostic, ...]]":
    """Return CORE of a program's entries (all of the root without names), and its warnings.

    With `leave_open`, sizes of entries that `generics` leaves out stay open; `keep` is that of
    `linnet.compiler.Request`. `weights_dtype` and what is raised are those of `linnet.compile`.
    """
    lowered = _lower(
        path,
        root,
        entries,
        generics,
        optionals,
        std,
        stages,
        False,
        weights_dtype,
        leave_open,
        keep,
    )
    return lowered.core, lowered.warnings


def _lower(
    path: Path,
    root: str | None,
    entries: Sequence[str],
    generics: Generics,
    optionals: str | Sequence[str],
    std: Path | None,
    stages: "Stages",
    loops: bool,
    weights_dtype: str | None,
    leave_open: bool = False,
    keep: bool | Literal["ops"] = False,
) -> _Lowered:
    """Lower the entries. With `loops` the one that the compiler adds goes with a `decode`.

    With `leave_open`, sizes of entries that `generics` leaves out stay open.
    """
    from linnet.compiler import (
        LOOP_ENTRY,
        Request,
        check_path,
        choose_root,
        declared_entries,
        lower,
    )

    checked = check_path(path, std, stages, loops=loops)
    emitted = checked.accepted()
    block = choose_root(declared_entries(emitted.module), root) if loops else None
    name = "" if block is None else block.rpartition("::")[2]
    wanted = not entries or "decode" in entries
    looped = wanted and name in checked.loops
    if looped and entries and LOOP_ENTRY not in entries:
        entries = [*entries, LOOP_ENTRY]
    storage = read_storage(weights_dtype)
    request = Request(root, entries, generics, optionals, storage, leave_open, keep)
    core = lower(emitted, request, checked.sources, stages)
    without = checked.without_loop.get(name) if wanted else None
    return _Lowered(core, checked.diagnostics, looped, without)


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
    loops: bool = True,
    weights_dtype: str | None = None,
    allow_state_copies: bool = False,
    buckets: Buckets | None = None,
) -> Built:
    """Compile a program's entries for every target and write the artifact.

    With `loops` a root whose `decode` is among them gets the entry `generate`.
    Sizes of entries that `generics` leaves out stay open where every target can have them so, or
    where `buckets` gives the sizes at which XLA's code is compiled: `S`, or `prefill.S`.
    UsageError for an unknown name or target, ProgramError for a refused program, BackendError when
    a backend's compiler fails, CapabilityError where code copies a state in a step, unless
    `allow_state_copies`.
    """
    from linnet.compiler import LOOP_ENTRY
    from linnet.stablehlo import build

    for target in targets:
        check_target(target)
    check_output(output)
    buckets = buckets or {}
    fixed = [target for target in targets if not takes_open(target)]
    if buckets and not fixed:
        raise UsageError(
            "no target needs buckets", "leave out --buckets; each call decides its sizes"
        )
    lowered = _lower(
        path,
        root,
        entries,
        generics,
        optionals,
        std,
        stages,
        loops,
        weights_dtype,
        bool(buckets) or not fixed,
    )
    core, without_loop = lowered.core, lowered.without_loop
    check_buckets(core, buckets)
    modules = stages.run(
        "stablehlo",
        lambda: [
            Module(name, function.signature, build(core, {"main": name}).portable())
            for name, function in core.functions.items()
        ],
        lambda _: build(core).text(),
        "mlir",
    )

    # Without open sizes they are the same.
    padded = padded_modules(core, buckets) if buckets else modules

    def compiled() -> list[Draft]:
        from linnet.cache import bypassed

        with bypassed(not cache):
            return [
                compile_variant(target, modules if takes_open(target) else padded)
                for target in dict.fromkeys(targets)
            ]

    def compiled_if_possible() -> list[Draft]:
        """A loop that a target's compiler does not take costs the loop, not the artifact."""
        nonlocal modules, padded, without_loop
        try:
            return compiled()
        except (BackendError, CapabilityError) as error:
            modules = [module for module in modules if module.function != LOOP_ENTRY]
            padded = [module for module in padded if module.function != LOOP_ENTRY]
            without_loop = error.message
            if isinstance(error, BackendError) and error.reproducer is not None:
                shutil.rmtree(error.reproducer, ignore_errors=True)
            return compiled()

    drafts = stages.run(
        "backends",
        compiled_if_possible if lowered.looped and len(modules) > 1 else compiled,
        lambda made: "".join(
            f"{draft.target}: {name}, {len(code)} bytes\n"
            for draft in made
            for name, code, _ in draft.files
        ),
        "txt",
    )
    if not allow_state_copies:
        refuse_copies(drafts)
    facts = {**_build_facts(linnet_version), "states": state_facts(drafts)}
    manifest = write_artifact(output, path, modules, drafts, linnet_version, build=facts)
    return Built(manifest, lowered.warnings, without_loop, core.unstored)


def _build_facts(linnet_version: str) -> dict[str, object]:
    """When and with what an artifact is built, to read. SOURCE_DATE_EPOCH stands for the time."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = int(given) if given.isdecimal() else time.time()
    tools = {"linnet": linnet_version, "python": platform.python_version()}
    for package in ("iree-base-compiler", "jaxlib", "numpy"):
        found = installed(package)
        if found is not None:
            tools[package] = found
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)),
        "platform": f"{platform.system().lower()}-{platform.machine()}",
        "tools": tools,
    }
