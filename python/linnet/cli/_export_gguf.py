"""`linnet export gguf`: a nest as a file that llama.cpp loads."""

import json
import sys
from pathlib import Path

import click

from linnet.cli._options import read_binds


@click.command("gguf", epilog="Example: `linnet export gguf my-llama -o model.gguf --dtype q8_0`.")
@click.argument("name", metavar="NEST")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The file.")
@click.option("--bind", "binds", multiple=True, metavar="NAME=VALUE", help="A generic of the root.")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights in place of the card's.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Their bindings.")
@click.option("--dtype", metavar="f32|f16|q8_0", default="f32", help="What matrices become.")
@click.option("--no-tokenizer", is_flag=True, help="Leave the tokenizer behind.")
@click.option("--full", is_flag=True, help="Evaluate the model as it is on both sides, too.")
@click.option("--no-certificate", is_flag=True, help="Evaluate nothing; needs no llama.cpp.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificate.")
def command(
    name: str,
    output: Path,
    binds: tuple[str, ...],
    weights: Path | None,
    bindings: Path | None,
    dtype: str,
    no_tokenizer: bool,
    full: bool,
    no_certificate: bool,
    as_json: bool,
) -> None:
    """Write a GGUF file of a nest of the families gpt2 and llama, with its tokenizer.

    OUTPUT.certificate.json says what was proven: the program at small sizes with drawn weights,
    evaluated here and by llama.cpp in f32, with the largest difference; --full adds the model as it
    is. llama-cpp-python runs in a process of its own; LINNET_LLAMA_PYTHON can name the Python that
    has it. A param that has no place in the file is an error that names it.
    """
    from linnet.errors import UsageError
    from linnet.export import export_gguf

    if full and no_certificate:
        raise UsageError("--full is a part of the certificate", "leave out --no-certificate")
    bar = None
    if sys.stderr.isatty():
        bar = click.progressbar(length=1, label=f"writing {output}", file=sys.stderr)

    def progress(done: int, total: int) -> None:
        if bar is not None:
            bar.length = total
            bar.update(done - bar.pos)

    made = export_gguf(
        name,
        output,
        generics=read_binds(binds),
        weights=weights,
        bindings=bindings,
        dtype=dtype,
        tokenizer=not no_tokenizer,
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
                f"  {shown}: differs from llama.cpp by {found['largest_difference']:.1e}, "
                f"largest {found['largest_result']:.1e}"
            )
