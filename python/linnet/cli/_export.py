"""`linnet export`: its commands, by the form that they write."""

import click

from linnet.cli._export_gguf import command as gguf
from linnet.cli._export_hf import command as hf


@click.group("export", epilog="NEST is a model of the package, a nest directory, or OWNER/NAME.")
def command() -> None:
    """Write a nest as a checkpoint that other engines load."""


command.add_command(hf)
command.add_command(gguf)
