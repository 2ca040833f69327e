"""The manifest as records, and its JSON form, which a shipped schema describes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from linnet.backends import Cpu
from linnet.signature import Member, Signature, signature_from_json, signature_to_json

FORMAT = 1
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class File:
    """A file by its path inside the artifact, with the hash of its bytes."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A compiled entry; `function` tells apart one entry compiled at several sizes."""

    function: str
    signature: Signature
    stablehlo: File


@dataclass(frozen=True, slots=True)
class Variant:
    """Code for one target: files, each with the functions it holds, and what they fit."""

    target: str
    versions: Mapping[str, str]
    cpu: Cpu
    files: tuple[tuple[File, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that an artifact says about itself."""

    linnet: str
    source: File
    root: str | None
    generics: Mapping[str, int | str]
    entries: tuple[Entry, ...]
    parameters: tuple[Member, ...]
    states: tuple[Member, ...]
    variants: tuple[Variant, ...]


@cache
def schema() -> Json:
    """Return the JSON schema of `manifest.json`."""
    return json.loads((files("linnet.artifact") / "manifest.schema.json").read_text())


def digest(manifest: Json) -> str:
    """Return the hash over the manifest without its own `digest`."""
    rest = {key: value for key, value in manifest.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def manifest_to_json(manifest: Manifest) -> Json:
    """Return the JSON form, digest included."""

    def entry(entry: Entry) -> Json:
        signature = signature_to_json(entry.signature)
        return {
            "name": signature["entry"],
            "function": entry.function,
            "generics": signature["generics"],
            "inputs": signature["inputs"],
            "results": signature["results"],
            "stablehlo": {"path": entry.stablehlo.path, "sha256": entry.stablehlo.sha256},
        }

    def variant(variant: Variant) -> Json:
        return {
            "target": variant.target,
            "versions": dict(variant.versions),
            "cpu": {"arch": variant.cpu.arch, "features": list(variant.cpu.features)},
            "files": [
                {"path": file.path, "sha256": file.sha256, "functions": list(functions)}
                for file, functions in variant.files
            ],
        }

    members = signature_to_json(
        Signature("", None, {}, {}, (), manifest.parameters, manifest.states, ())
    )
    out: Json = {
        "format": FORMAT,
        "linnet": manifest.linnet,
        "source": {"file": manifest.source.path, "sha256": manifest.source.sha256},
        "root": manifest.root,
        "generics": dict(manifest.generics),
        "entries": [entry(each) for each in manifest.entries],
        "parameters": members["params"],
        "states": members["states"],
        "variants": [variant(each) for each in manifest.variants],
    }
    return {**out, "digest": digest(out)}


def manifest_from_json(data: Json) -> Manifest:
    """Return the records of a manifest that the schema accepts."""

    def entry(item: Json) -> Entry:
        shared = {"entry": item["name"], "root": data["root"], "bindings": data["generics"]}
        members = {"params": data["parameters"], "states": data["states"]}
        signature = signature_from_json({**item, **shared, **members})
        return Entry(item["function"], signature, File(**item["stablehlo"]))

    def variant(item: Json) -> Variant:
        cpu = Cpu(item["cpu"]["arch"], tuple(item["cpu"]["features"]))
        held = tuple(
            (File(each["path"], each["sha256"]), tuple(each["functions"])) for each in item["files"]
        )
        return Variant(item["target"], item["versions"], cpu, held)

    entries = tuple(map(entry, data["entries"]))
    return Manifest(
        linnet=data["linnet"],
        source=File(data["source"]["file"], data["source"]["sha256"]),
        root=data["root"],
        generics=data["generics"],
        entries=entries,
        parameters=entries[0].signature.params,
        states=entries[0].signature.states,
        variants=tuple(map(variant, data["variants"])),
    )
