"""`linnet torch`: entries as PyTorch source."""

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


@click.command("torch")
@click.argument("file", type=SOURCE)
@program_options
@optionals_option
@click.option(
    "--numerics",
    metavar="exact|equivalent|fast",
    default="equivalent",
    show_default=True,
    help="Bodies of `std`'s ops as written, or PyTorch's kernels for them.",
)
@click.option(
    "--bindings",
    type=click.Path(path_type=Path),
    help="Paths to tensor names: state_dict has these names, or the file loads by them.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File; stdout without it.")
def command(
    file: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    optionals: str,
    std: Path | None,
    numerics: str,
    bindings: Path | None,
    output: Path | None,
) -> None:
    """Print entries of FILE as one PyTorch file, which needs nothing of Linnet.

    Blocks become modules, with parameters by path and states as buffers; calls become functions and
    methods. Sizes that no --bind gives stay open.
    """
    from linnet.backends.torch import torch_source
    from linnet.compiler import Request, check_path, lower
    from linnet.weights import read_bindings

    if numerics not in ("exact", "equivalent", "fast"):
        raise UsageError(f"no numerics `{numerics}`", "numerics: exact, equivalent, fast")
    checked = check_path(file, std)
    request = Request(
        root, entries, read_binds(binds), read_optionals(optionals), open=True, keep=True
    )
    core = lower(checked.accepted(), request, checked.sources)
    signatures = [function.signature for function in core.functions.values()]
    paths = [member.path for signature in signatures for member in signature.params]
    names = read_bindings(bindings)
    bound = {path: names.of(path)[1] for path in paths} if bindings is not None else None
    first = signatures[0]
    values = ", ".join(f"{name} = {value}" for name, value in first.bindings.items())
    block = (first.root or file.stem).rpartition("::")[2]
    title = f"`{block}` of {file.name} in PyTorch, written by `linnet torch --numerics {numerics}`."
    source = torch_source(core, numerics, f"{title}\n\n{values}\n" if values else title, bound)
    report(checked.diagnostics)
    if output is None:
        sys.stdout.write(source.text)
    else:
        write_file(output, source.text.encode())
