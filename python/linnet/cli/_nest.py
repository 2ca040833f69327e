"""`linnet nest`: its commands, one line each."""

from typing import Final

import click

from linnet.cli._group import Commands, Entry

NEST_COMMANDS: Final = {
    "list": Entry("linnet.cli._nest_list", "List the models that are here."),
    "show": Entry("linnet.cli._nest_show", "Show a model: card, entries, weights."),
    "pull": Entry("linnet.cli._nest_pull", "Fetch a model, or its weights, from the Hub."),
    "check": Entry("linnet.cli._nest_check", "Check a model: card, program, bindings, weights."),
    "page": Entry("linnet.cli._nest_page", "Write a model as a page with its graph."),
    "convert": Entry("linnet.cli._nest_convert", "Make a nest of a published model."),
}


@click.group(
    "nest",
    cls=Commands,
    table=NEST_COMMANDS,
    epilog="NAME is a model of the package (`gpt2`), a directory with a card `nest.toml`, or a "
    "repo of the Hugging Face Hub: OWNER/NAME, OWNER/NAME@REVISION.",
)
def command() -> None:
    """List, show, pull, check and make models for any backend.

    A nest is a directory or a repo of the Hugging Face Hub with a card `nest.toml`, a program,
    bindings and weights. `linnet.nest.load` runs it on Linnet's targets, PyTorch, JAX, Flax and
    ONNX Runtime. No code of a repo is ever run.
    """
