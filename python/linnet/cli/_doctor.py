"""`linnet doctor`: what is installed, what the machine is, and what works with it."""

import json
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from linnet import __version__
from linnet.cli._packages import EXTRAS, Package, packages

Facts = dict[str, Any]

# The extras that a target needs to compile, and to run if it can; the reference interprets.
_TARGETS: Final[dict[str, tuple[str, ...]]] = {
    "reference": (),
    "cpu": ("iree",),
    "xla-cpu": ("xla",),
    "cuda": ("xla", "cuda"),
    "iree-cuda": ("iree",),
}


@click.command("doctor", epilog="Examples: `linnet doctor`, `linnet doctor gpt2.lna --json`.")
@click.argument("artifact", required=False, type=click.Path(path_type=Path))
@click.option("--measure", is_flag=True, help="Measure how fast memory is read (a second).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(artifact: Path | None, measure: bool, as_json: bool) -> int:
    """Say what is installed, what this machine is, which targets work, and where compiled code is
    kept; with ARTIFACT, whether it is whole and which of its variants would be loaded.

    The exit status is 1 where something is in the way: a package of a version that is not
    supported, no target that compiles, or an artifact that cannot be loaded.
    """
    facts = _facts(measure)
    if artifact is not None:
        facts["artifact"] = _artifact(artifact)
    problems = list(_problems(facts))
    facts["problems"] = problems
    if as_json:
        click.echo(json.dumps(facts, indent=1))
    else:
        click.echo("\n".join(_lines(facts)))
    return 1 if problems else 0


def _facts(measure: bool) -> Facts:
    from linnet.cli import _machine

    found = packages()
    memory = _machine.memory()
    if measure:
        memory["read_bytes_per_second"] = _machine.read_bandwidth()
    package = Path(__file__).resolve().parent.parent
    return {
        "version": 1,
        "linnet": __version__,
        "python": platform.python_version(),
        "mlir": _machine.mlir_version(package),
        "packages": [
            {
                "name": each.name,
                "found": each.found,
                "supported": each.supported,
                "extra": each.extra,
                "problem": each.problem,
            }
            for each in found
        ],
        "processor": _machine.processor(),
        "memory": memory,
        "gpu": _machine.gpus(),
        "targets": [_target(name, extras, found) for name, extras in _TARGETS.items()],
        "cache": _cache(),
    }


def _target(name: str, extras: Sequence[str], found: Sequence[Package]) -> Facts:
    """Whether a target works, and if not, why and what installs what it lacks."""
    if any(not EXTRAS[extra] for extra in extras):
        why, command = "there is no plugin of this kind for this Python", "use Python 3.11"
        return {"name": name, "works": False, "why": why, "command": command}
    wrong = [each for each in found if each.extra in extras and each.problem]
    first = wrong[0] if wrong else None
    return {
        "name": name,
        "works": first is None,
        "why": None if first is None else _said(first),
        "command": None if first is None else first.command,
    }


def _said(package: Package) -> str:
    if package.found is None:
        return f"{package.name} {package.supported} is not installed"
    return f"{package.name} {package.found} is installed, {package.supported} is supported"


def _cache() -> Facts:
    from linnet.cache import Store, place
    from linnet.cli._cache import writable

    where = place()
    try:
        kept = Store(where.folder, where.limit).kept()
    except OSError:
        kept = []
    return {
        "dir": str(where.folder),
        "enabled": where.enabled,
        "writable": writable(where.folder),
        "limit": where.limit,
        "entries": len(kept),
        "bytes": sum(each.bytes for each in kept),
    }


def _artifact(path: Path) -> Facts:
    """What is wrong with an artifact, and for each variant what is in its way."""
    from linnet.artifact import damages, misfit, read_manifest
    from linnet.errors import ArtifactError

    try:
        manifest = read_manifest(path)
    except ArtifactError as error:
        return {"path": str(path), "damages": [str(error)], "variants": [], "loads": None}
    wrong = [error.message for error in damages(path, manifest)]
    variants = [{"target": each.target, "in_the_way": misfit(each)} for each in manifest.variants]
    fitting = [each["target"] for each in variants if each["in_the_way"] is None]
    loads = fitting[0] if fitting and not wrong else None
    return {"path": str(path), "damages": wrong, "variants": variants, "loads": loads}


def _problems(facts: Facts) -> Iterator[str]:
    """What is in the way of compiling and running anything, or of the artifact."""
    if facts["mlir"] is None:
        yield "the extension with MLIR is not built"
    for package in facts["packages"]:
        # An extra that is left out is a choice; one of another version is a trap.
        if package["problem"] and (package["extra"] is None or package["found"] is not None):
            yield f"{package['name']} {package['found'] or ''}".strip() + f": {package['problem']}"
    if not any(each["works"] for each in facts["targets"] if each["name"] != "reference"):
        yield "no target compiles: only the reference interpreter works"
    artifact = facts.get("artifact")
    if artifact is not None and artifact["loads"] is None:
        yield f"{artifact['path']} cannot be loaded here"


def _lines(facts: Facts) -> Iterator[str]:
    mlir = facts["mlir"] or "not built"
    yield f"linnet {facts['linnet']}, Python {facts['python']}, MLIR {mlir}"
    yield "packages"
    for each in facts["packages"]:
        found = each["found"] or "-"
        state = "ok" if each["problem"] is None else each["problem"]
        if each["found"] is None and each["extra"] is not None:
            state += f" (needed for the extra `{each['extra']}`)"
        yield f"  {each['name']:<20} {found:<12} {state}"
    yield from _machine_lines(facts)
    yield "targets"
    for each in facts["targets"]:
        hint = "" if each["works"] else f"no: {each['why']}: {each['command']}"
        yield f"  {each['name']:<20} {'works' if each['works'] else hint}"
    yield from _cache_lines(facts["cache"])
    if "artifact" in facts:
        yield from _artifact_lines(facts["artifact"])
    if facts["problems"]:
        yield "problems"
        yield from (f"  {each}" for each in facts["problems"])


def _machine_lines(facts: Facts) -> Iterator[str]:
    from linnet.cache import show_size

    cpu, memory, gpu = facts["processor"], facts["memory"], facts["gpu"]
    yield "machine"
    level = cpu["level"] or cpu["arch"]
    notable = " ".join(cpu["notable"])
    yield f"  processor            {cpu['name']}: {level}, {cpu['cores']} cores; {notable}"
    free = "" if memory["available"] is None else f", {show_size(memory['available'])} free"
    pages = memory["huge_pages"] or "unknown"
    speed = memory.get("read_bytes_per_second")
    read = "" if speed is None else f"; reads {speed / 1e9:.1f} GB/s"
    yield f"  memory               {show_size(memory['bytes'])}{free}; huge pages: {pages}{read}"
    if gpu["driver"] is None:
        yield "  gpu                  no NVIDIA driver"
    else:
        devices = ", ".join(gpu["devices"]) or "no device"
        yield f"  gpu                  {devices}; NVIDIA driver {gpu['driver']}"


def _cache_lines(cache: Facts) -> Iterator[str]:
    from linnet.cache import show_size

    entries = f"{cache['entries']} {'entry' if cache['entries'] == 1 else 'entries'}"
    size = f"{show_size(cache['bytes'])} of {show_size(cache['limit'])}"
    state = "turned off" if not cache["enabled"] else "writable"
    if cache["enabled"] and not cache["writable"]:
        state = "not writable: code is compiled each time"
    yield "cache"
    yield f"  {cache['dir']}: {entries}, {size}, {state}"


def _artifact_lines(artifact: Facts) -> Iterator[str]:
    yield f"artifact {artifact['path']}"
    for each in artifact["damages"]:
        yield f"  {each}"
    for each in artifact["variants"]:
        way = each["in_the_way"]
        loads = ", and would be loaded" if each["target"] == artifact["loads"] else ""
        yield f"  {each['target']:<20} {f'fits{loads}' if way is None else way}"
