"""Reads an artifact and refuses, in one line, what is damaged or fits another machine.

Everything is checked before any of its code is touched: IREE may crash on a flipped bit, and
PJRT loads the code of another version without a word. The order is that of the cost: the manifest,
then the place and the size of every file, then the hashes.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from linnet.artifact._fit import misfit
from linnet.artifact._manifest import (
    FORMAT,
    File,
    Manifest,
    Variant,
    digest,
    manifest_from_json,
    schema,
)
from linnet.artifact._schema import mistake
from linnet.errors import ArtifactError

_AGAIN = "compile the program again"
# Ten times what an artifact of many entries and targets has; a manifest lists, it holds no data.
_LONGEST_MANIFEST = 64 << 20


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact whose files all have the sizes and hashes that its manifest gives.

    `made` holds the contents of files that lie nowhere: those of a variant made for this machine.
    """

    path: Path
    manifest: Manifest
    made: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def file(self, file: File) -> Path:
        """Return where one of its files lies."""
        return self.path / file.path

    def read(self, file: File) -> bytes:
        """Return the bytes of one of its files: those that the manifest means, and no others.

        ArtifactError where the file is no longer what it was when the artifact was read.
        """
        path = self.file(file)
        made = self.made.get(file.path)
        try:
            data = path.read_bytes() if made is None else made
        except OSError as error:
            raise _unreadable(path, error) from None
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise ArtifactError(f"{path} was changed after it was written", _AGAIN)
        return data

    def variant(self, target: str | None = None) -> Variant:
        """Return the variant for `target`, or the first that fits this machine.

        ArtifactError says what is in the way: no such target, other versions of the backend's
        packages, an instruction set or a device that the machine lacks.
        """
        variants = self.manifest.variants
        asked = [v for v in variants if target is None or v.target == target]
        if not asked:
            if not variants:
                raise ArtifactError(f"{self.path} has no code for any target", _AGAIN)
            held = ", ".join(f"`{v.target}`" for v in variants)
            raise ArtifactError(
                f"{self.path} has no code for target `{target}`, only for {held}",
                f"compile the program with `--target {target}`, or load it with --recompile "
                "(recompile=True)",
            )
        reasons = [misfit(variant) for variant in asked]
        for variant, reason in zip(asked, reasons, strict=True):
            if reason is None:
                return variant
        first = asked[0]
        raise ArtifactError(
            f"{self.path}: the code for target `{first.target}` {reasons[0]}",
            f"{_AGAIN} on this machine, or load it with --recompile (recompile=True)",
        )


def is_artifact(path: Path) -> bool:
    """Return whether a path can only be meant as an artifact: a folder or a name in `.lna`."""
    return path.is_dir() or path.suffix == ".lna"


def read_artifact(path: Path) -> Artifact:
    """Return the artifact, or raise ArtifactError naming the first thing that is wrong."""
    while True:
        seen = _identity(path)
        manifest = read_manifest(path)
        found = next(damages(path, manifest), None)
        if found is None:
            return Artifact(path, manifest)
        if _identity(path) == seen:
            raise found
        # It was replaced meanwhile: what was read are halves of two.


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a manifest from the one that takes its place."""
    try:
        found = os.stat(path / "manifest.json")
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def read_manifest(path: Path) -> Manifest:
    """Return the manifest alone, checked; ArtifactError as `read_artifact`."""
    manifest_path = path / "manifest.json"
    if not path.exists():
        raise ArtifactError(f"{path} does not exist", "`linnet compile` writes artifacts")
    if path.is_file():
        raise ArtifactError(f"{path} is a file, no artifact", "`linnet compile` writes artifacts")
    if not manifest_path.is_file():
        raise ArtifactError(f"{path} is no artifact: it has no manifest.json", _AGAIN)
    try:
        size = manifest_path.stat().st_size
        if size > _LONGEST_MANIFEST:
            raise ArtifactError(f"{manifest_path} is no manifest: it has {size} bytes", _AGAIN)
        data: Any = json.loads(manifest_path.read_bytes(), object_pairs_hook=_once)
    except OSError as error:
        raise _unreadable(manifest_path, error) from None
    except ValueError as error:
        raise ArtifactError(f"{manifest_path} is no JSON: {error}", _AGAIN) from None
    except RecursionError:
        raise ArtifactError(f"{manifest_path} is nested too deep", _AGAIN) from None
    _check(manifest_path, data)
    manifest = manifest_from_json(data)
    _check_names(manifest_path, manifest)
    return manifest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; two readers could take different ones of a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"`{twice}` stands twice")
    return found


def _check(path: Path, data: Any) -> None:
    if not isinstance(data, dict) or "format" not in data:
        raise ArtifactError(f"{path} is not the manifest of an artifact", _AGAIN)
    form = cast(dict[str, Any], data)
    if form["format"] != FORMAT:
        raise ArtifactError(
            f"{path} has format {form['format']}, this version of Linnet reads {FORMAT}", _AGAIN
        )
    if form.get("digest") != digest(form):
        raise ArtifactError(f"{path} was changed after it was written", _AGAIN)
    found = mistake(form, schema())
    if found is not None:
        raise ArtifactError(f"{path}: {found}", _AGAIN)


def _check_names(path: Path, manifest: Manifest) -> None:
    """Refuse what the schema cannot say: names that stand twice, and names of nothing."""

    def refuse(what: str) -> ArtifactError:
        return ArtifactError(f"{path}: {what}", _AGAIN)

    functions = [entry.function for entry in manifest.entries]
    members = [member.path for member in (*manifest.parameters, *manifest.states)]
    for names, what in ((functions, "function"), (members, "member")):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise refuse(f"{what} `{twice}` stands twice")
    for member in manifest.parameters:
        if member.stored is not None and member.stored.path not in members:
            raise refuse(f"`{member.path}` has the {member.stored.role}s of no parameter")
    open_symbols = {entry.function: entry.signature.symbols for entry in manifest.entries}
    for variant in manifest.variants:
        held = [each for code in variant.files for each in code.functions]
        for each in held:
            if each.function not in open_symbols:
                raise refuse(f"target `{variant.target}` has code of no entry: `{each.function}`")
            for symbol in each.bucket:
                if symbol not in open_symbols[each.function]:
                    raise refuse(f"`{each.function}` has no symbol `{symbol}`")
        missing = [name for name in functions if all(name != each.function for each in held)]
        if missing:
            raise refuse(f"target `{variant.target}` has no code of `{missing[0]}`")


def damages(folder: Path, manifest: Manifest) -> Iterator[ArtifactError]:
    """Yield what is wrong with the files, in order; sizes before any hash is taken."""
    listed = [entry.stablehlo for entry in manifest.entries]
    listed += [code.file for variant in manifest.variants for code in variant.files]
    inside = os.path.realpath(folder)
    sound: list[File] = []
    for file in listed:
        found = _misplaced(folder, inside, file)
        if found is None:
            sound.append(file)
        else:
            yield found
    for file in sound:
        path = folder / file.path
        try:
            with open(path, "rb") as opened:
                hashed = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            yield _unreadable(path, error)
            continue
        if hashed != file.sha256:
            yield ArtifactError(f"{path} was changed after it was written", _AGAIN)


def _misplaced(folder: Path, inside: str, file: File) -> ArtifactError | None:
    """A file that is not there, not in the folder, or of another size."""
    path = folder / file.path
    try:
        real = os.path.realpath(path, strict=True)
        if not real.startswith(inside + os.sep):
            return ArtifactError(f"{path} leads out of the artifact", _AGAIN)
        found = os.stat(real)
    except FileNotFoundError:
        return ArtifactError(f"{path} is missing", _AGAIN)
    except OSError as error:
        return _unreadable(path, error)
    if not stat.S_ISREG(found.st_mode):
        return ArtifactError(f"{path} is missing", _AGAIN)
    if found.st_size != file.bytes:
        state = "truncated" if found.st_size < file.bytes else "too long"
        return ArtifactError(f"{path} is {state}: {found.st_size} bytes, not {file.bytes}", _AGAIN)
    return None


def _unreadable(path: Path, error: OSError) -> ArtifactError:
    reason = (error.strerror or str(error)).lower()
    return ArtifactError(f"cannot read {path}: {reason}", "check the path")
