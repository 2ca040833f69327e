"""The manifest as records, and its JSON form, which a shipped schema describes.

`docs/artifact.md` has the rules of the format; `manifest.schema.json` says what each key holds.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from linnet.backends import Cpu
from linnet.signature import Member, Signature, signature_from_json, signature_to_json

FORMAT = 2
Json = dict[str, Any]
Kind = Literal["iree-vmfb", "pjrt"]


@dataclass(frozen=True, slots=True)
class File:
    """A file by its path inside the artifact, with the hash of its bytes and their number."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A compiled entry; `function` tells apart one entry compiled at several sizes."""

    function: str
    signature: Signature
    stablehlo: File


@dataclass(frozen=True, slots=True)
class Held:
    """A function in a file of code.

    `bucket` gives sizes to symbols that the entry leaves open: the code is for those alone.
    """

    function: str
    bucket: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Code:
    """A file of code with the functions it holds, in the order of the code's own numbering."""

    file: File
    functions: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Gpu:
    """The device that code was compiled for.

    `capability` is CUDA's compute capability, `9.0`; `config` the hash of the target config;
    `needs` the least versions of what the code needs beside packages: `{"driver": "580.65"}`.
    """

    platform: str
    name: str
    capability: str
    config: str | None = None
    needs: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Variant:
    """Code for one target: files, each with the functions it holds, and what they fit.

    `versions` are packages that must be installed in exactly this version; `cpu` is None for code
    that runs on no processor of its own; `options` are the flags that the compiler was given.
    """

    target: str
    kind: Kind
    versions: Mapping[str, str]
    cpu: Cpu | None
    gpu: Gpu | None
    options: tuple[str, ...]
    files: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that an artifact says about itself.

    `build` and `memory` are facts to read: nothing that is loaded or run depends on them, so they
    may hold any JSON.
    """

    linnet: str
    source: File
    root: str | None
    generics: Mapping[str, int | str]
    entries: tuple[Entry, ...]
    parameters: tuple[Member, ...]
    states: tuple[Member, ...]
    variants: tuple[Variant, ...]
    build: Mapping[str, Any] = field(default_factory=dict[str, Any])
    memory: Mapping[str, Any] = field(default_factory=dict[str, Any])


@cache
def schema() -> Json:
    """Return the JSON schema of `manifest.json`."""
    return json.loads(Path(__file__).with_name("manifest.schema.json").read_text("utf-8"))


def digest(manifest: Json) -> str:
    """Return the hash over the manifest without its own `digest`."""
    rest = {key: value for key, value in manifest.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _file_to_json(file: File) -> Json:
    return {"path": file.path, "sha256": file.sha256, "bytes": file.bytes}


def _variant_to_json(variant: Variant) -> Json:
    form: Json = {
        "target": variant.target,
        "kind": variant.kind,
        "versions": dict(variant.versions),
        "options": list(variant.options),
        "files": [
            {
                **_file_to_json(code.file),
                "functions": [
                    {"function": held.function, "bucket": dict(held.bucket)}
                    for held in code.functions
                ],
            }
            for code in variant.files
        ],
    }
    if variant.cpu is not None:
        form["cpu"] = {"arch": variant.cpu.arch, "features": list(variant.cpu.features)}
    if variant.gpu is not None:
        form["gpu"] = {
            "platform": variant.gpu.platform,
            "name": variant.gpu.name,
            "capability": variant.gpu.capability,
            "config": variant.gpu.config,
            "needs": dict(variant.gpu.needs),
        }
    return form


def manifest_to_json(manifest: Manifest) -> Json:
    """Return the JSON form, digest included."""

    def entry(entry: Entry) -> Json:
        signature = signature_to_json(entry.signature)
        return {
            "name": signature["entry"],
            "function": entry.function,
            "generics": signature["generics"],
            "symbols": signature["symbols"],
            "constraints": signature["constraints"],
            "inputs": signature["inputs"],
            "results": signature["results"],
            "stablehlo": _file_to_json(entry.stablehlo),
        }

    members = signature_to_json(
        Signature("", None, {}, {}, (), manifest.parameters, manifest.states, ())
    )
    out: Json = {
        "format": FORMAT,
        "linnet": manifest.linnet,
        "source": {
            "file": manifest.source.path,
            "sha256": manifest.source.sha256,
            "bytes": manifest.source.bytes,
        },
        "build": dict(manifest.build),
        "root": manifest.root,
        "generics": dict(manifest.generics),
        "entries": [entry(each) for each in manifest.entries],
        "parameters": members["params"],
        "states": members["states"],
        "variants": [_variant_to_json(each) for each in manifest.variants],
        "memory": dict(manifest.memory),
    }
    return {**out, "digest": digest(out)}


def _file_from_json(item: Json) -> File:
    return File(item["path"], item["sha256"], item["bytes"])


def _variant_from_json(item: Json) -> Variant:
    cpu, gpu = item.get("cpu"), item.get("gpu")
    return Variant(
        target=item["target"],
        kind=item["kind"],
        versions=item["versions"],
        cpu=None if cpu is None else Cpu(cpu["arch"], tuple(cpu["features"])),
        gpu=None if gpu is None else Gpu(**gpu),
        options=tuple(item["options"]),
        files=tuple(
            Code(
                _file_from_json(code),
                tuple(Held(held["function"], held["bucket"]) for held in code["functions"]),
            )
            for code in item["files"]
        ),
    )


def manifest_from_json(data: Json) -> Manifest:
    """Return the records of a manifest that the schema accepts."""

    def entry(item: Json) -> Entry:
        shared = {"entry": item["name"], "root": data["root"], "bindings": data["generics"]}
        members = {"params": data["parameters"], "states": data["states"]}
        signature = signature_from_json({**item, **shared, **members})
        return Entry(item["function"], signature, _file_from_json(item["stablehlo"]))

    entries = tuple(map(entry, data["entries"]))
    source = data["source"]
    return Manifest(
        linnet=data["linnet"],
        source=File(source["file"], source["sha256"], source["bytes"]),
        root=data["root"],
        generics=data["generics"],
        entries=entries,
        parameters=entries[0].signature.params,
        states=entries[0].signature.states,
        variants=tuple(map(_variant_from_json, data["variants"])),
        build=data["build"],
        memory=data["memory"],
    )
