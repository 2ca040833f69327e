"""`linnet memory`: how much a program takes, before it runs."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import click

from linnet.cli._options import (
    optionals_option,
    program_options,
    read_binds,
    read_optionals,
    weights_dtype_option,
)
from linnet.errors import LinnetError, ProgramError, UsageError
from linnet.memory import (
    Amount,
    Asked,
    EntryMemory,
    Memory,
    ProgramMemory,
    artifact_memory,
    largest,
)

_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_DECIMAL = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
Generics = dict[str, int | str | tuple[int, ...]]


@click.command(
    "memory",
    epilog="Example: `linnet memory gpt2.linnet --entry decode --bind Vocab=50257 --bind "
    "MaxPositions=1024 --bind H=768 --bind Heads=12 --bind Layers=12 --bind Batch=1 --fit 8GiB` "
    "tells the largest MaxSeq.",
)
@click.argument("program", type=click.Path(path_type=Path))
@program_options
@optionals_option
@weights_dtype_option
@click.option("--target", metavar="cpu|xla-cpu", help="What it is to run on.  [default: cpu]")
@click.option("--estimate", is_flag=True, help="Compile nothing; temporaries are then estimated.")
@click.option("--fit", metavar="SIZE", help="Find the largest size for, say, 8GiB.")
@click.option("--over", metavar="NAME", help="The generic to find, where several are open.")
@click.option("--json", "as_json", is_flag=True, help="Print facts as JSON.")
def command(
    program: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    std: Path | None,
    optionals: str,
    weights_dtype: str | None,
    target: str | None,
    estimate: bool,
    fit: str | None,
    over: str | None,
    as_json: bool,
) -> None:
    """Tell the memory of PROGRAM, a .linnet file or an artifact: weights, states, what an entry
    needs for the time of a call, and the most that a process holds which loads and runs it.

    Weights and states are exact, in the program's symbols and, with --bind, in bytes; weights that
    are held narrower than the program has them in bytes alone. Temporaries are exact where the
    target's compiler decides them, which takes part of a compilation. The process itself,
    interpreter and runtime, is measured here.
    """
    from linnet.artifact import is_artifact
    from linnet.runtime import read_storage

    generics = read_binds(binds)
    if is_artifact(program):
        if weights_dtype is not None:
            raise UsageError("an artifact says how it holds weights", "leave out --weights-dtype")
        if root or generics or fit or over or estimate or std:
            raise UsageError("an artifact's sizes are settled", "give its source to try others")
        memory = artifact_memory(program, target, entries)
        fitted = None
    else:
        if not program.exists():
            raise UsageError(f"{program} does not exist", "give a .linnet file or an artifact")
        if target not in (None, "cpu", "xla-cpu"):
            raise UsageError(f"no target `{target}`", "there are `cpu` and `xla-cpu`")
        asked = Asked(
            root,
            entries,
            read_optionals(optionals),
            target or "cpu",
            not estimate,
            read_storage(weights_dtype),
        )
        source = ProgramMemory(program, std, asked)
        fitted = None
        if fit is not None:
            fitted = _fit(source, generics, read_size(fit), over)
            generics = {**generics, **fitted}
        elif over is not None:
            raise UsageError("--over names what --fit is to find", "add --fit 8GiB")
        memory = source.at(generics)
    if as_json:
        click.echo(json.dumps({"version": 1, **_as_json(memory), "fit": fitted}, indent=2))
    else:
        click.echo("\n".join(_lines(memory, fitted)))


def read_size(text: str) -> int:
    """Return the bytes of `8GiB`, `500MB` or `1024`. UsageError for anything else."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)", text.strip())
    units = {name.lower(): of for name, of in {**_UNITS, **_DECIMAL, "": 1}.items()}
    units |= {name[0].lower(): of for name, of in _UNITS.items()}
    if found is None or found[2].lower() not in units:
        raise UsageError(f"`{text}` is no size", "write 8GiB, 500MB or a number of bytes")
    return int(float(found[1]) * units[found[2].lower()])


def _fit(
    source: ProgramMemory, generics: Generics, budget: int, over: str | None
) -> dict[str, int]:
    """Return the largest value of one generic at which every entry fits."""
    name = _open_name(source, generics, over)
    refused: list[ProgramError] = []

    def share(value: int, compiled: bool = True) -> float:
        if sys.stderr.isatty() and compiled:
            click.echo(f"trying {name} = {value}", err=True)
        try:
            memory = source.at({**generics, name: value}, compiled)
        except ProgramError as error:
            refused.append(error)
            return float("inf")
        peaks = [entry.peak.bytes for entry in memory.entries if entry.peak is not None]
        return max((peak or 0 for peak in peaks), default=0) / budget

    # What is estimated takes no compiler, and comes near.
    near = largest(lambda value: share(value, compiled=False), 64) or 1
    beside = share(near) - share(near, compiled=False)
    if 0 < abs(beside) < float("inf"):
        near = largest(lambda value: share(value, compiled=False) + beside, near) or 1
    found = largest(share, near)
    if found is None:
        if refused:
            raise refused[-1]
        memory = source.at({**generics, name: 1})
        least = max(e.peak.bytes or 0 for e in memory.entries if e.peak is not None)
        raise LinnetError(
            f"nothing fits: {name} = 1 takes {show_bytes(least)} of {show_bytes(budget)}",
            "give more, or fewer weights",
        )
    return {name: found}


def _open_name(source: ProgramMemory, generics: Generics, over: str | None) -> str:
    """Return the generic to search: the one that is asked for, or the only one left open."""
    known = source.generics()
    if over is not None:
        fits = [name for name in known if over in (name, name.rpartition(".")[2])]
        if not fits or any(known[name] != "Dim" for name in fits):
            sizes = ", ".join(f"`{name}`" for name, kind in known.items() if kind == "Dim")
            raise UsageError(f"there is no size `{over}`", f"sizes: {sizes or 'none'}")
        if over in generics:
            raise UsageError(
                f"`{over}` is bound, so it cannot be found", f"leave out --bind {over}"
            )
        open_names = [over]
    else:
        open_names = source.missing(generics)
    if len(open_names) != 1:
        listed = ", ".join(f"`{name}`" for name in open_names) or "none"
        raise UsageError(
            f"--fit finds one size, and open are {listed}",
            "bind the others, and name one by --over",
        )
    rest = source.missing({**generics, open_names[0]: 1})
    if rest:
        listed = ", ".join(f"`{name}`" for name in rest)
        raise UsageError(
            f"{listed} must be bound to find `{open_names[0]}`", "add --bind, or --entry"
        )
    return open_names[0]


def show_bytes(size: int) -> str:
    """Return a size for a reader, to four digits: `474.7 MiB`."""
    for unit, factor in reversed(_UNITS.items()):
        if size >= factor and factor > 1:
            return f"{size / factor:.1f} {unit}"
    return f"{size} B"


def _lines(memory: Memory, fitted: Mapping[str, int] | None) -> Iterator[str]:
    yield f"{memory.root or 'the module'} on {memory.target}"
    yield _line("weights", memory.weights)
    yield _line("states", memory.states)
    if memory.made_at_load is not None and memory.made_at_load.bytes:
        yield _line("made at load", memory.made_at_load, "weights in another layout, constants")
    yield _line("process", memory.process, "interpreter and runtime")
    for entry in memory.entries:
        yield from _entry_lines(entry)
    if fitted:
        yield "largest that fits: " + ", ".join(f"{k} = {v}" for k, v in fitted.items())


def _entry_lines(entry: EntryMemory) -> Iterator[str]:
    generics = ", ".join(f"{name} = {value}" for name, value in entry.generics.items())
    yield f"{entry.entry}<{generics}>" if generics else entry.entry
    if entry.temporaries is None or entry.peak is None:
        named = ", ".join(entry.missing)
        yield f"  not known without {named}"
        return
    yield _line("  temporaries", entry.temporaries, "with inputs and results")
    yield _line("  peak", entry.peak)


def _line(name: str, amount: Amount, note: str = "") -> str:
    size = "" if amount.bytes is None else show_bytes(amount.bytes)
    text = amount.symbols if amount.symbols not in (None, "0") else note
    return f"{name:<14}{size:>12}  {amount.how:<10}{text}".rstrip()


def _as_json(memory: Memory) -> dict[str, object]:
    found = asdict(memory)
    for entry, record in zip(found["entries"], memory.entries, strict=True):
        entry["generics"] = dict(record.generics)
        entry["missing"] = list(record.missing)
    return found
