"""Reads an artifact and refuses, in one line, what is damaged or fits another machine.

Everything is checked before any of its code is touched: IREE may crash on a flipped bit, and
PJRT loads the code of another version without a word.
"""

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, cast

from linnet.artifact._manifest import (
    FORMAT,
    File,
    Manifest,
    Variant,
    digest,
    manifest_from_json,
    schema,
)
from linnet.backends import this_cpu
from linnet.errors import ArtifactError

_AGAIN = "compile the program again"


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact whose files all have the hashes that its manifest gives."""

    path: Path
    manifest: Manifest

    def file(self, file: File) -> Path:
        """Return where one of its files lies."""
        return self.path / file.path

    def variant(self, target: str | None = None) -> Variant:
        """Return the variant for `target`, or the first that fits this machine.

        ArtifactError says what is in the way: no such target, other versions of the backend's
        packages, an instruction set that the machine lacks.
        """
        variants = self.manifest.variants
        asked = [v for v in variants if target is None or v.target == target]
        if not asked:
            if not variants:
                raise ArtifactError(f"{self.path} has no code for any target", _AGAIN)
            held = ", ".join(f"`{v.target}`" for v in variants)
            raise ArtifactError(
                f"{self.path} has no code for target `{target}`, only for {held}",
                f"compile the program with `--target {target}`",
            )
        reasons = [_misfit(variant) for variant in asked]
        for variant, reason in zip(asked, reasons, strict=True):
            if reason is None:
                return variant
        first = asked[0]
        raise ArtifactError(
            f"{self.path}: the code for target `{first.target}` {reasons[0]}",
            f"{_AGAIN} on this machine",
        )


def _misfit(variant: Variant) -> str | None:
    for package, needed in variant.versions.items():
        try:
            found = version(package)
        except PackageNotFoundError:
            return f"needs {package} {needed}, which is not installed"
        if found != needed:
            return f"was built for {package} {needed}, but {found} is installed"
    missing = this_cpu().lacks(variant.cpu)
    if missing:
        shown = ", ".join(missing[:4]) + (", …" if len(missing) > 4 else "")
        return f"needs a processor with {shown}"
    return None


def is_artifact(path: Path) -> bool:
    """Return whether a path can only be meant as an artifact: a folder or a name in `.lna`."""
    return path.is_dir() or path.suffix == ".lna"


def read_artifact(path: Path) -> Artifact:
    """Return the artifact, or raise ArtifactError naming the first thing that is wrong."""
    manifest_path = path / "manifest.json"
    if not path.exists():
        raise ArtifactError(f"{path} does not exist", "`linnet compile` writes artifacts")
    if path.is_file():
        raise ArtifactError(f"{path} is a file, no artifact", "`linnet compile` writes artifacts")
    if not manifest_path.is_file():
        raise ArtifactError(f"{path} is no artifact: it has no manifest.json", _AGAIN)
    try:
        data: Any = json.loads(manifest_path.read_bytes())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArtifactError(f"cannot read {manifest_path}: {reason}", "check the path") from None
    except ValueError as error:
        raise ArtifactError(f"{manifest_path} is no JSON: {error}", _AGAIN) from None
    except RecursionError:
        raise ArtifactError(f"{manifest_path} is nested too deep", _AGAIN) from None
    _check(manifest_path, data)
    manifest = manifest_from_json(data)
    for entry in manifest.entries:
        _verify(path, entry.stablehlo)
    for variant in manifest.variants:
        for file, _ in variant.files:
            _verify(path, file)
    return Artifact(path, manifest)


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
    import jsonschema

    try:
        jsonschema.validate(form, schema())
    except jsonschema.ValidationError as error:
        raise ArtifactError(f"{path}: {error.json_path}: {error.message}", _AGAIN) from None


def _verify(folder: Path, file: File) -> None:
    path = folder / file.path
    if not path.is_file():
        raise ArtifactError(f"{path} is missing", _AGAIN)
    try:
        with open(path, "rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArtifactError(f"cannot read {path}: {reason}", "check the path") from None
    if found != file.sha256:
        raise ArtifactError(f"{path} was changed after it was written", _AGAIN)
