"""The page of the command line, from click's own tree of commands, so that it stays true."""

import re
import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent

_INTRODUCTION = """\
# The command line

Every command prints what it was asked for to standard output and everything else to standard
error. The exit status is 0 where there was no problem, 1 for a problem in the input, 2 for a wrong
command line, and 3 for an internal error, which keeps a folder that shows it again.
`linnet COMMAND --help` says what stands here.
"""


def cli_docs() -> dict[str, str]:
    """The files of the command line's documentation, by name below `docs/generated`."""
    sys.path.insert(0, str(ROOT / "python"))
    from linnet.cli._group import COMMANDS
    from linnet.cli._main import linnet

    top = click.Context(linnet, info_name="linnet")
    rows = [f"| [`linnet {name}`](#linnet-{name}) | {e.help} |" for name, e in COMMANDS.items()]
    parts = [_INTRODUCTION, "| Command | |\n| --- | --- |\n" + "\n".join(rows) + "\n"]
    for name in COMMANDS:
        command = linnet.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top)
        parts.append(_section(command, context))
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                inner = command.get_command(context, each)
                assert inner is not None
                below = click.Context(inner, info_name=each, parent=context)
                parts.append(_section(inner, below, "###"))
    return {"cli.md": "\n".join(parts)}


def _section(command: click.Command, context: click.Context, mark: str = "##") -> str:
    """Usage, text, options and examples of a command."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [f"{mark} {context.command_path}\n", f"```\n{usage}\n```\n"]
    lines += [f"{_joined(text)}\n" for text in re.split(r"\n\s*\n", command.help or "")]
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    records = [one.get_help_record(context) for one in options if "--help" not in one.opts]
    shown = [record for record in records if record is not None]
    if shown:
        rows = [f"| `{_cell(option)}` | {_cell(text)} |" for option, text in shown]
        lines.append("| Option | |\n| --- | --- |\n" + "\n".join(rows) + "\n")
    if command.epilog:
        lines.append(f"{_joined(command.epilog)}\n")
    return "\n".join(lines)


def _joined(text: str) -> str:
    """A paragraph of a help text on one line."""
    return " ".join(text.replace("\b", "").split())


def _cell(text: str) -> str:
    """A text inside a table, where a bar would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")
