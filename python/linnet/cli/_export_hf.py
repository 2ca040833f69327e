"""`linnet export hf`: a nest as a folder that `transformers` loads."""

import json
import sys
from pathlib import Path

import click

from linnet.cli._options import read_binds


@click.command("hf", epilog="Example: `linnet export hf my-llama -o out`.")
@click.argument("name", metavar="NEST")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The folder.")
@click.option("--bind", "binds", multiple=True, metavar="NAME=VALUE", help="A generic of the root.")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights in place of the card's.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Their bindings.")
@click.option("--dtype", metavar="f32|f16|bf16", help="Round the weights to it.")
@click.option("--full", is_flag=True, help="Evaluate the model as it is on both sides, too.")
@click.option("--no-certificate", is_flag=True, help="Evaluate nothing; needs no `transformers`.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificate.")
def command(
    name: str,
    output: Path,
    binds: tuple[str, ...],
    weights: Path | None,
    bindings: Path | None,
    dtype: str | None,
    full: bool,
    no_certificate: bool,
    as_json: bool,
) -> None:
    """Write config.json, model.safetensors under the published names, and the tokenizer of a nest.

    What is written loads in `transformers`, and in engines that read its form. certificate.json
    says what was proven: the program at small sizes with drawn weights, evaluated here and by
    `transformers`, with the largest difference; --full adds the model as it is. A param that has
    no place in the class is an error that names it.
    """
    from linnet.errors import UsageError
    from linnet.export import export_hf

    if full and no_certificate:
        raise UsageError("--full is a part of the certificate", "leave out --no-certificate")
    bar = None
    if sys.stderr.isatty():
        bar = click.progressbar(length=1, label=f"writing {output}", file=sys.stderr)

    def progress(done: int, total: int) -> None:
        if bar is not None:
            bar.length = total
            bar.update(done - bar.pos)

    made = export_hf(
        name,
        output,
        generics=read_binds(binds),
        weights=weights,
        bindings=bindings,
        dtype=dtype,
        full=full,
        certify=not no_certificate,
        progress=progress,
    )
    if bar is not None:
        bar.render_finish()
    if as_json:
        click.echo(json.dumps(dict(made.certificate), indent=1))
        return
    click.echo(f"{made.path}: {made.architecture}, {made.parameters:,} parameters")
    for what, shown in (("small", "at small sizes"), ("weights", "with its weights")):
        if what in made.certificate:
            found = made.certificate[what]
            click.echo(
                f"  {shown}: differs from transformers by {found['largest_difference']:.1e}, "
                f"largest {found['largest_result']:.1e}"
            )
