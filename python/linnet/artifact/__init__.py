"""The artifact `NAME.lna/`: compiled entries, their portable form and what they fit."""

from typing import TYPE_CHECKING

from linnet._late import late
from linnet.artifact._fit import misfit
from linnet.artifact._manifest import (
    FORMAT,
    Code,
    Entry,
    File,
    Gpu,
    Held,
    Kind,
    Manifest,
    Variant,
    manifest_from_json,
    manifest_to_json,
    schema,
)
from linnet.artifact._read import Artifact, damages, is_artifact, read_artifact, read_manifest

if TYPE_CHECKING:
    from linnet.artifact._write import Draft, check_output, write_artifact
else:
    __getattr__ = late(
        __name__,
        {
            "_write": ("Draft", "check_output", "write_artifact"),
        },
    )

__all__ = [
    "FORMAT",
    "Artifact",
    "Code",
    "Draft",
    "Entry",
    "File",
    "Gpu",
    "Held",
    "Kind",
    "Manifest",
    "Variant",
    "check_output",
    "damages",
    "is_artifact",
    "manifest_from_json",
    "manifest_to_json",
    "misfit",
    "read_artifact",
    "read_manifest",
    "schema",
    "write_artifact",
]
