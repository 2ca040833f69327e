"""`linnet jax`: entries as JAX source."""

import sys
from pathlib import Path

import click

from linnet.cli._options import (
    SOURCE,
    optionals_option,
    program_options,
    read_binds,
    read_optionals,
    write_file,
)
from linnet.cli._report import report
from linnet.errors import UsageError


@click.command("jax")
@click.argument("file", type=SOURCE)
@program_options
@optionals_option
@click.option(
    "--numerics",
    metavar="exact|equivalent|fast",
    default="equivalent",
    show_default=True,
    help="Bodies of `std`'s ops as written, or functions of jax.nn for them.",
)
@click.option("--nnx", is_flag=True, help="Write Flax NNX modules instead of pytrees.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File; stdout without it.")
def command(
    file: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    optionals: str,
    std: Path | None,
    numerics: str,
    nnx: bool,
    output: Path | None,
) -> None:
    """Print entries of FILE as one JAX file, which needs nothing of Linnet.

    Blocks become classes whose instances are pytrees, with parameters and states by path; calls
    become functions and methods. `jax.jit` and `jax.grad` go through them. Sizes that no --bind
    gives stay open.
    """
    from linnet.backends.jax import jax_source
    from linnet.compiler import Request, check_path, lower

    if numerics not in ("exact", "equivalent", "fast"):
        raise UsageError(f"no numerics `{numerics}`", "numerics: exact, equivalent, fast")
    checked = check_path(file, std)
    request = Request(
        root, entries, read_binds(binds), read_optionals(optionals), open=True, keep=True
    )
    core = lower(checked.accepted(), request, checked.sources)
    first = next(iter(core.functions.values())).signature
    block = (first.root or file.stem).rpartition("::")[2]
    kind = "Flax NNX" if nnx else "JAX"
    values = ", ".join(f"{name} = {value}" for name, value in first.bindings.items())
    title = f"`{block}` of {file.name} in {kind}, written by `linnet jax`."
    form = "nnx" if nnx else "jax"
    source = jax_source(core, numerics, form, f"{title}\n\n{values}\n" if values else title)
    report(checked.diagnostics)
    if output is None:
        sys.stdout.write(source.text)
    else:
        write_file(output, source.text.encode())
