"""`linnet run`: one call of an entry."""

import io
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from linnet.cli._options import (
    cache_option,
    notices,
    program_options,
    read_binds,
    read_inputs,
    recompile_option,
    weights_dtype_option,
    write_file,
)
from linnet.errors import UsageError
from linnet.signature import dtype_name, show

# Results beyond this many elements are described only.
_SHOWN = 4096


@click.command("run")
@click.argument("program", type=click.Path(path_type=Path))
@program_options
@click.option("--target", metavar="reference|cpu|xla-cpu|onnx", help="What to run on.")
@click.option("--weights", type=click.Path(path_type=Path), help="A safetensors file or folder.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Paths to tensor names.")
@weights_dtype_option
@click.option("--strict-weights", is_flag=True, help="Refuse tensors that nothing takes.")
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=FILE.npy|JSON", help="An input; may repeat."
)
@recompile_option
@cache_option
@click.option("--output", type=click.Path(path_type=Path), help="Results and states as .npz.")
@click.option("--json", "as_json", is_flag=True, help="Print results as JSON.")
def command(
    program: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    std: Path | None,
    target: str | None,
    weights: Path | None,
    bindings: Path | None,
    weights_dtype: str | None,
    strict_weights: bool,
    inputs: tuple[str, ...],
    recompile: bool,
    no_cache: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Call an entry of PROGRAM, a .linnet file or an artifact, once.

    From source, optional parameters exist if the weights hold them, and optional inputs if they
    are given. Values of inputs are data: a token id or position outside of its axis is not refused,
    and what is read there has no defined value.
    """
    from linnet.artifact import is_artifact
    from linnet.cache import bypassed
    from linnet.runtime import compile, load

    given = read_inputs(inputs)
    generics = read_binds(binds)
    start = time.perf_counter()
    with notices(), bypassed(no_cache):
        if is_artifact(program):
            if root is not None:
                raise UsageError("an artifact has one root", "leave out --root")
            if weights_dtype is not None:
                raise UsageError(
                    "an artifact says how it holds weights", "leave out --weights-dtype"
                )
            model = load(program, weights, bindings, target, strict_weights, recompile)
        elif not program.exists():
            raise UsageError(f"{program} does not exist", "give a .linnet file or an artifact")
        else:
            model = compile(
                program,
                root,
                generics,
                weights,
                bindings,
                target or "reference",
                std,
                strict_weights,
                cache=not no_cache,
                weights_dtype=weights_dtype,
            )
            generics = {}
    entry = _entry(entries, model.entries)
    loaded = time.perf_counter()
    own = {name.removeprefix(f"{entry}."): value for name, value in generics.items()}
    with notices():
        results = model.call_named(entry, given, own)
    done = time.perf_counter()
    if output is not None:
        states = {f"state.{path}": model.state[path] for path in model.state}
        write_file(output, _npz({**results, **states}))
    if as_json:
        seconds = {"load": loaded - start, "call": done - loaded}
        shown = [_facts(name, array) for name, array in results.items()]
        click.echo(json.dumps({"entry": entry, "results": shown, "seconds": seconds}))
    else:
        for name, array in results.items():
            click.echo(f"{name}: {show(dtype_name(array.dtype) or '?', array.shape)}")
            text = np.array2string(array, threshold=64, edgeitems=3)
            sys.stdout.write(text + "\n")


def _entry(asked: tuple[str, ...], known: tuple[str, ...]) -> str:
    if len(asked) > 1:
        raise UsageError("`run` calls one entry", "give one --entry")
    if asked:
        return asked[0]
    if len(known) != 1:
        listed = ", ".join(f"`{name}`" for name in known)
        raise UsageError(f"the program has several entries: {listed}", "name one with --entry")
    return known[0]


def _facts(name: str, array: NDArray[Any]) -> dict[str, object]:
    small = array.size <= _SHOWN
    wide = array.astype(np.float32) if dtype_name(array.dtype) == "bf16" else array
    return {
        "name": name,
        "dtype": dtype_name(array.dtype),
        "shape": list(array.shape),
        "data": [_number(value) for value in wide.reshape(-1).tolist()] if small else None,
    }


def _number(value: float) -> float | str:
    """Return a number as JSON has it; it has none for what is not finite."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _npz(arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return an .npz; bf16, which the format lacks, is kept as f32, which holds all of it."""
    out = io.BytesIO()
    plain = {
        name: array.astype(np.float32) if dtype_name(array.dtype) == "bf16" else array
        for name, array in arrays.items()
    }
    np.savez(out, **plain)  # pyright: ignore[reportArgumentType]
    return out.getvalue()
