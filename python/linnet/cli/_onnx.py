"""`linnet onnx`: entries as ONNX models."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from linnet.cli._options import (
    SOURCE,
    notices,
    optionals_option,
    program_options,
    read_binds,
    read_optionals,
)
from linnet.cli._report import report
from linnet.errors import UsageError

if TYPE_CHECKING:
    from linnet.backends.onnx import Kernels, Model

_DTYPES = ("f32", "f16", "bf16")


@click.command("onnx")
@click.argument("file", type=SOURCE, required=False)
@program_options
@optionals_option
@click.option("--weights", type=click.Path(path_type=Path), help="A safetensors file or folder.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Paths to tensor names.")
@click.option(
    "--dtype",
    metavar="|".join(_DTYPES),
    help="Binds the root's dtype generics; weights are rounded to it.",
)
@click.option("--opset", type=int, help="Version of ONNX's operators: 18 to 28, 23 without it.")
@click.option(
    "--kernels",
    metavar="cpu|gpu",
    default="cpu",
    show_default=True,
    help="Whose: on gpu, f16 and bf16 compute as such; on cpu between casts to f32.",
)
@click.option("--exact", is_flag=True, help="Write the bodies of `std`'s ops, not ONNX's own ops.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The folder.")
@click.option("--check", type=click.Path(path_type=Path), help="Check a folder of models.")
def command(
    file: Path | None,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    optionals: str,
    std: Path | None,
    weights: Path | None,
    bindings: Path | None,
    dtype: str | None,
    opset: int | None,
    kernels: str,
    exact: bool,
    output: Path | None,
    check: Path | None,
) -> None:
    """Write entries of FILE as ONNX models into a folder: ENTRY.onnx, and weights.bin for all.

    Sizes of an entry that no --bind gives stay open, as `dim_param`s. A state is an input
    `state.PATH` and an output `state.PATH.next`. Without --weights, params are inputs.

    With --check, every byte of a folder's models is checked, and what they take is printed.
    """
    if check is not None:
        if file is not None or output is not None:
            raise UsageError("--check takes neither FILE nor --output", "check a folder alone")
        return _check(check)
    if file is None or output is None:
        raise UsageError("there is no FILE or no --output", "write linnet onnx FILE -o FOLDER")
    from linnet.backends.onnx import DEFAULT_OPSET, Options
    from linnet.runtime import export_onnx
    from linnet.weights import listed

    options = Options(DEFAULT_OPSET if opset is None else opset, _kernels(kernels), not exact)
    with notices():
        made = export_onnx(
            file,
            output,
            root=root,
            entries=entries,
            generics=read_binds(binds),
            optionals=read_optionals(optionals),
            std=std,
            weights=weights,
            bindings=bindings,
            dtype=dtype,
            options=options,
        )
    report(made.warnings)
    if made.surplus:
        click.echo(f"notice: not taken: {listed(made.surplus)}", err=True)
    if made.rounded:
        click.echo(f"notice: rounded to the program's dtype: {listed(made.rounded)}", err=True)
    click.echo(f"{output}:")
    for name, length in made.written.files.items():
        click.echo(f"  {name}  {length} bytes")
    for model in made.written.models:
        _show(model)
    return None


def _kernels(text: str) -> "Kernels":
    if text in ("cpu", "gpu"):
        return text
    raise UsageError(f"no kernels `{text}`", "write --kernels cpu or --kernels gpu")


def _check(folder: Path) -> None:
    from linnet.backends.onnx import OnnxInstance, read_models

    found = read_models(folder)
    for model in found.models.values():
        _show(model)
    if found.weights is not None:
        instance = OnnxInstance(found.weights)
        for name, model in found.models.items():
            instance.add(name, model)
        click.echo(f"{folder}: whole, and ONNX Runtime takes every model")
    else:
        click.echo(f"{folder}: whole; params are inputs")


def _show(model: "Model") -> None:
    """Print an entry's signature and its states."""
    click.echo(f"  {model.signature}")
    for constraint in model.signature.constraints:
        click.echo(f"    where {constraint}")
    if model.states:
        count = f"{len(model.states)} state{'s' if len(model.states) > 1 else ''}"
        click.echo(f"    {count}, {len(model.in_place)} written in place")
