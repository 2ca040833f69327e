"""The memory of the entries of an artifact, as they were compiled."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.artifact import Artifact, Variant, read_artifact
from linnet.backends import Module
from linnet.errors import CapabilityError, unknown_name
from linnet.memory._model import Amount, Memory, Taken, bytes_of, entry_memory
from linnet.memory._process import process_bytes
from linnet.memory._taken import taken_of


def artifact_memory(path: Path, target: str | None, entries: Sequence[str]) -> Memory:
    """Return the memory of entries (all without names) with the code for `target`, or the first.

    ArtifactError for an artifact that is damaged or does not fit this machine.
    """
    artifact = read_artifact(path)
    manifest = artifact.manifest
    variant = artifact.variant(target)
    known = list(dict.fromkeys(entry.signature.entry for entry in manifest.entries))
    for name in entries:
        if name not in known:
            raise unknown_name("no entry", name, known, "compiled entries")
    for each in manifest.entries:
        if each.signature.symbols and each.signature.entry in (entries or known):
            listed = ", ".join(f"`{name}`" for name in each.signature.symbols)
            raise CapabilityError(
                f"the memory of entry `{each.signature.entry}` depends on {listed}, which it "
                "leaves open",
                "ask for the program's memory, with --bind for each",
            )
    taken = _taken(artifact, variant)
    process = process_bytes(variant.target)
    chosen = [e for e in manifest.entries if e.signature.entry in (entries or known)]
    found = tuple(entry_memory(e.signature, process, taken[e.function]) for e in chosen)
    first = next(iter(taken.values()))
    return Memory(
        variant.target,
        manifest.root,
        Amount(process, "measured"),
        Amount(bytes_of(manifest.parameters), "exact"),
        Amount(bytes_of(manifest.states), "exact"),
        Amount(first.constants, first.how),
        found,
    )


def _taken(artifact: Artifact, variant: Variant) -> Mapping[str, Taken]:
    """XLA's code says it itself; for IREE the portable form is compiled half of the way."""
    if variant.kind == "pjrt":
        from linnet.backends.xla import temporaries

        return {
            held.function: Taken(0, 0, temporaries(artifact.file(code.file).read_bytes()), "exact")
            for code in variant.files
            for held in code.functions
        }
    modules = [
        Module(entry.function, entry.signature, artifact.file(entry.stablehlo).read_bytes())
        for entry in artifact.manifest.entries
    ]
    return taken_of(variant.target, modules)
