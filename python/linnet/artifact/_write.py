"""Writes an artifact: a folder under a temporary name, every file synced, then renamed."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from linnet.artifact._manifest import (
    Code,
    Entry,
    File,
    Gpu,
    Held,
    Json,
    Kind,
    Manifest,
    Variant,
    manifest_to_json,
    schema,
)
from linnet.artifact._replace import hold, replace, sweep
from linnet.artifact._schema import mistake
from linnet.backends import Cpu, Module, StateReport
from linnet.errors import InternalError, UsageError


@dataclass(frozen=True, slots=True)
class Draft:
    """Code for one target, not yet in a file: (file name, bytes, functions) each.

    A function that is compiled for certain sizes only is `Held` with its bucket. `states` says
    what the code does with the states. The rest is as in `Variant`.
    """

    target: str
    kind: Kind
    versions: Mapping[str, str]
    cpu: Cpu | None
    files: Sequence[tuple[str, bytes, Sequence[str | Held]]]
    gpu: Gpu | None = None
    options: Sequence[str] = ()
    states: StateReport = field(default_factory=StateReport)


def check_output(path: Path) -> None:
    """Raise UsageError where `path` cannot be made, or is no artifact and would be lost."""
    if not path.parent.is_dir():
        raise UsageError(f"cannot write {path}: there is no folder {path.parent}", "make it first")
    if not path.exists() and not path.is_symlink():
        return
    try:
        form: object = json.loads((path / "manifest.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        form = None
    if not (isinstance(form, dict) and {"format", "digest", "variants"} <= form.keys()):
        raise UsageError(f"{path} exists and is no artifact", "name another output")


def write_artifact(
    path: Path,
    source: Path,
    modules: Sequence[Module],
    drafts: Sequence[Draft],
    linnet_version: str,
    *,
    build: Json | None = None,
    memory: Json | None = None,
) -> Manifest:
    """Write `path` and return its manifest. An artifact that was there is replaced.

    `build` and `memory` are those of the manifest.

    UsageError when `path` is something else, so that no folder of the user's is lost, and where
    it cannot be written; what was there is then still there.
    """
    check_output(path)
    for module in modules:
        first = modules[0].signature
        if (module.signature.params, module.signature.states) != (first.params, first.states):
            raise InternalError(f"entry `{module.function}` lists other members than the rest")
    text = source.read_bytes()
    work: Path | None = None
    mark: int | None = None
    place = path.resolve() if path.is_symlink() else path
    sweep(place)
    try:
        work = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        mark = hold(work)
        entries = tuple(
            Entry(
                module.function,
                module.signature,
                _put(work, f"stablehlo/{module.function}.mlirbc", module.portable),
            )
            for module in modules
        )
        variants = tuple(_variant(work, draft) for draft in drafts)
        signature = modules[0].signature
        manifest = Manifest(
            linnet=linnet_version,
            source=File(source.name, hashlib.sha256(text).hexdigest(), len(text)),
            root=signature.root,
            generics=signature.bindings,
            entries=entries,
            parameters=signature.params,
            states=signature.states,
            variants=variants,
            build=build or {},
            memory=memory or {},
        )
        form = manifest_to_json(manifest)
        _check(form)
        _put(work, "manifest.json", json.dumps(form, indent=1).encode() + b"\n")
        for sub, _, _ in os.walk(work):
            _sync(Path(sub))
        work.chmod(0o755)
        replace(work, place)
        with suppress(OSError):  # All of it is there by now.
            _sync(place.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {path}: {reason}", "name another output") from None
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
        if mark is not None:
            os.close(mark)
    return manifest


def _variant(work: Path, draft: Draft) -> Variant:
    """Write the code of a draft. A target's name may hold `:`, which the name of a file may not."""
    folder = f"variants/{draft.target.replace(':', '-')}"
    files = tuple(
        Code(
            _put(work, f"{folder}/{name}", data),
            tuple(each if isinstance(each, Held) else Held(each) for each in functions),
        )
        for name, data, functions in draft.files
    )
    options = tuple(draft.options)
    return Variant(draft.target, draft.kind, draft.versions, draft.cpu, draft.gpu, options, files)


def _check(form: Json) -> None:
    found = mistake(form, schema())
    if found is not None:
        raise InternalError(f"the manifest is malformed: {found}")


def _put(folder: Path, name: str, data: bytes) -> File:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    return File(name, hashlib.sha256(data).hexdigest(), len(data))


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
