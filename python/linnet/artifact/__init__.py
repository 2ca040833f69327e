"""The artifact `NAME.lna/`: compiled entries, their portable form and what they fit."""

from linnet.artifact._manifest import FORMAT, Entry, File, Manifest, Variant, schema
from linnet.artifact._read import Artifact, is_artifact, read_artifact
from linnet.artifact._write import Draft, check_output, write_artifact

__all__ = [
    "FORMAT",
    "Artifact",
    "Draft",
    "Entry",
    "File",
    "Manifest",
    "Variant",
    "check_output",
    "is_artifact",
    "read_artifact",
    "schema",
    "write_artifact",
]
