"""Code for this machine from the portable form in an artifact, whose own code does not fit.

The portable form is foreign input to compilers that may die of it, so all that reads it runs in a
child process with limits (`_rebuild`). What came of it is in the compile cache.
"""

import json
import os
import sys
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import linnet
from linnet.artifact import Artifact, Variant, manifest_to_json, misfit
from linnet.backends import cpu_identity, installed
from linnet.errors import ArtifactError

_PACKAGES = ("iree-base-compiler", "iree-base-runtime", "jaxlib")


class Recompiled(UserWarning):
    """An artifact's own code does not fit this machine, so it was compiled again."""


def chosen_variant(
    artifact: Artifact, target: str | None, recompile: bool
) -> tuple[Artifact, Variant]:
    """Return the variant that fits, with the artifact that holds its files.

    Where none fits, `recompile` makes one from the portable form, for `target` or else for the
    first of the artifact's targets; the artifact on disk stays as it is. ArtifactError without.
    """
    try:
        return artifact, artifact.variant(target)
    except ArtifactError as error:
        if not recompile:
            raise
        variants = artifact.manifest.variants
        if target is None and not variants:
            raise
        # Code for a processor that is named would not fit here either.
        wanted = target or variants[0].target.partition(":")[0]
        found = _recompiled(artifact, wanted)
        reason = misfit(found[1])
        if reason is not None:
            raise ArtifactError(
                f"{artifact.path}: code for target `{wanted}` {reason}", "choose another target"
            ) from None
        said = f"{error.message}; it was compiled again from its portable form"
        warnings.warn(said, Recompiled, stacklevel=5)
        return found


def _recompiled(artifact: Artifact, target: str) -> tuple[Artifact, Variant]:
    from linnet.backends import run_child
    from linnet.cache import cached, key_of
    from linnet.runtime._rebuild import OUTPUT, unpack

    manifest = artifact.manifest
    form = json.dumps(manifest_to_json(manifest)).encode()
    inputs = {"manifest.json": form}
    for number, entry in enumerate(manifest.entries):
        inputs[f"entry.{number}.mlirbc"] = artifact.read(entry.stablehlo)
    command = [sys.executable, "-m", "linnet.runtime._rebuild", target]
    environment = {
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        # All of it is kept here.
        "LINNET_NO_CACHE": "1",
    }

    def make() -> bytes:
        made = run_child(f"the compiler of {target}", command, inputs, OUTPUT, environment)
        unpack(made)  # An error in there is raised, and not kept.
        return made

    parts: Mapping[str, str | bytes] = {"what": "recompile", **_identity(target), **inputs}
    variant, contents = unpack(cached(key_of(parts), f"recompile: {artifact.path.name}", make))
    variants = (variant, *(v for v in manifest.variants if v.target != target))
    return (
        replace(artifact, manifest=replace(manifest, variants=variants), made=contents),
        variant,
    )


def _identity(target: str) -> dict[str, str]:
    """What the code depends on beside the artifact."""
    found = {"target": target, "cpu": cpu_identity(), "flags": os.environ.get("XLA_FLAGS", "")}
    found |= {package: installed(package) or "" for package in _PACKAGES}
    # A compiler of ours that was changed in place has another time.
    folder = Path(linnet.__file__).parent
    files = [path for path in folder.rglob("*") if path.suffix in (".py", ".so", ".o", ".json")]
    stats = [(str(path.relative_to(folder)), path.stat()) for path in sorted(files)]
    found["linnet"] = " ".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats)
    return found
