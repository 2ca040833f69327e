"""`linnet inspect DIR.lna`: what an artifact holds, what its variants need, whether they fit."""

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from linnet.artifact import Manifest, Variant, damages, manifest_to_json, misfit, read_manifest
from linnet.cache import show_size
from linnet.signature import Member

_BITS = {"bool": 8, "bf16": 16}


def show_artifact(path: Path, parameters: bool, as_json: bool) -> int:
    """Print the facts of an artifact; 1 where a file is not what was written."""
    manifest = read_manifest(path)
    wrong = [error.message for error in damages(path, manifest)]
    if as_json:
        form = manifest_to_json(manifest)
        for variant, shown in zip(manifest.variants, form["variants"], strict=True):
            shown["in_the_way"] = misfit(variant)
        facts = {"version": 1, "artifact": str(path), "bytes": _sizes(manifest), "damages": wrong}
        click.echo(json.dumps({**facts, "manifest": form}, ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(_lines(path, manifest, wrong, parameters)))
    return 1 if wrong else 0


def _bytes(members: Sequence[Member]) -> int:
    """What they take in memory; the number in a dtype's name is that of its bits."""
    return sum(
        math.prod(member.shape) * (_BITS.get(member.dtype) or int(member.dtype[1:])) // 8
        for member in members
    )


def _sizes(manifest: Manifest) -> dict[str, Any]:
    """Bytes of the files by what they are, and of what is in memory when it is loaded."""
    return {
        "stablehlo": sum(entry.stablehlo.bytes for entry in manifest.entries),
        "variants": {
            variant.target: sum(code.file.bytes for code in variant.files)
            for variant in manifest.variants
        },
        "parameters": _bytes(manifest.parameters),
        "states": _bytes(manifest.states),
    }


def _lines(path: Path, manifest: Manifest, wrong: Sequence[str], parameters: bool) -> Iterator[str]:
    sizes = _sizes(manifest)
    time = manifest.build.get("time", "an unknown time")
    yield f"{path}: {manifest.source.path}, compiled by linnet {manifest.linnet} at {time}"
    if manifest.root is not None:
        bound = "".join(f", {name} = {value}" for name, value in manifest.generics.items())
        yield f"root {manifest.root}{bound}"
    yield f"entries, {show_size(sizes['stablehlo'])} of StableHLO"
    for entry in manifest.entries:
        signature = entry.signature
        symbols = f" for each {', '.join(signature.symbols)}" if signature.symbols else ""
        facts = f" where {', '.join(signature.constraints)}" if signature.constraints else ""
        yield f"  {signature}{symbols}{facts}"
    yield f"parameters: {len(manifest.parameters)}, {show_size(sizes['parameters'])}"
    if parameters:
        for member in manifest.parameters:
            stored = member.stored
            form = ""
            if stored is not None:
                what = "" if stored.role == "values" else f"{stored.role}s of {stored.path}, "
                groups = "" if stored.group is None else f" in groups of {stored.group}"
                form = f", {what}stored as {stored.scheme}{groups} for {stored}"
            optional = "?" if member.optional else ""
            yield f"  {member.kind} {member.path}: {member}{optional}{form}"
    yield f"states: {len(manifest.states)}, {show_size(sizes['states'])}"
    for member in manifest.states[: None if parameters else 8]:
        yield f"  {member.path}: {member}"
    if len(manifest.states) > 8 and not parameters:
        yield f"  and {len(manifest.states) - 8} more (--parameters lists all)"
    for variant in manifest.variants:
        yield from _variant_lines(variant, sizes["variants"][variant.target], parameters)
    if manifest.memory:
        yield "memory"
        for name, facts in manifest.memory.items():
            yield f"  {name}: {facts if isinstance(facts, str) else json.dumps(facts)}"
    count = len(manifest.entries) + sum(len(variant.files) for variant in manifest.variants)
    if wrong:
        yield "damaged"
        yield from (f"  {each}" for each in wrong)
    else:
        yield f"all {count} files are as they were written"


def _variant_lines(variant: Variant, size: int, everything: bool) -> Iterator[str]:
    files = "1 file" if len(variant.files) == 1 else f"{len(variant.files)} files"
    way = misfit(variant)
    yield f"target {variant.target}: {variant.kind}, {files}, {show_size(size)}"
    yield f"  {'fits this machine' if way is None else f'does not fit: it {way}'}"
    for package, version in variant.versions.items():
        yield f"  needs {package} {version}"
    if variant.cpu is not None:
        yield f"  needs {variant.cpu.arch} with {len(variant.cpu.features)} features"
    gpu = variant.gpu
    if gpu is not None:
        needs = "".join(f", {name} {least} or newer" for name, least in gpu.needs.items())
        yield f"  needs {gpu.name}, {gpu.platform} {gpu.capability}{needs}"
    if variant.options and everything:
        yield f"  compiled with {' '.join(variant.options)}"
    for code in variant.files:
        for held in code.functions:
            if held.bucket:
                sizes = ", ".join(f"{name} = {of}" for name, of in held.bucket.items())
                yield f"  {held.function} at {sizes}"
