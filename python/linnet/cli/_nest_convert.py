"""`linnet nest convert`: from a published model to a nest."""

import json
import sys
from pathlib import Path

import click


@click.command("convert")
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The nest directory."
)
@click.option("--link", is_flag=True, help="Hard links to the weights, not copies.")
@click.option(
    "--ignore",
    multiple=True,
    metavar="KEY",
    help="A key of config.json, or of a GGUF file, to pass over; may repeat.",
)
@click.option("--dtype", metavar="f32|f16|bf16", help="What the tensors of a GGUF file become.")
@click.option("--keep-quantised", is_flag=True, hidden=True)
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def command(
    source: Path,
    output: Path,
    link: bool,
    ignore: tuple[str, ...],
    dtype: str | None,
    keep_quantised: bool,
    as_json: bool,
) -> None:
    """Write a nest directory from SOURCE: a model that `transformers` loads, or a GGUF file.

    A directory holds config.json and safetensors, one file or shards with an index. The nest gets
    the program, a card, bindings to the published names, and the weights as they are. What
    config.json says and `convert` does not know is an error that names it; no code of the model
    is ever run.

    Of a GGUF file (llama, gpt2) the header is checked before anything else reads it. Its tensors
    become floating, under the published names; its tokenizer becomes a tokenizer.json.
    """
    from linnet.errors import CapabilityError
    from linnet.nest import convert

    if keep_quantised:
        raise CapabilityError(
            "quantised tensors are not kept as they are: converted weights are floating",
            "narrow them again where the model is compiled: --weights-dtype int8",
        )
    bar = None
    if sys.stderr.isatty():
        bar = click.progressbar(length=1, label=f"copying to {output}", file=sys.stderr)

    def progress(done: int, total: int) -> None:
        if bar is not None:
            bar.length = total
            bar.update(done - bar.pos)

    made = convert(source, output, link=link, ignore=ignore, dtype=dtype, progress=progress)
    if bar is not None:
        bar.render_finish()
    facts = {
        "version": 1,
        "path": str(made.path),
        "family": made.family,
        "architecture": made.architecture,
        "generics": dict(made.generics),
        "parameters": made.parameters,
        "files": list(made.files),
    }
    if as_json:
        click.echo(json.dumps(facts, indent=1))
        return
    sizes = ", ".join(f"{name} = {value}" for name, value in made.generics.items())
    click.echo(f"{made.path}: {made.architecture} as {made.family}, {made.parameters:,} parameters")
    click.echo(f"  {sizes}")
