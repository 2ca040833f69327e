"""The group of commands: their names and one line on each, without importing any of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command lives: the module holds it as `command`."""

    module: str
    help: str


# In the order of the listing: the language, then the compiler.
COMMANDS: Final = {
    "init": Entry("linnet.cli._init", "Make a package with a small model that runs."),
    "check": Entry("linnet.cli._check", "Prove every shape of programs, or say what is wrong."),
    "lint": Entry("linnet.cli._lint", "Check programs, and fail on warnings too."),
    "explain": Entry("linnet.cli._explain", "Say what a code of a diagnostic means."),
    "fmt": Entry("linnet.cli._fmt", "Format programs in the one style of the language."),
    "inspect": Entry(
        "linnet.cli._inspect", "Show a program: blocks, types, a stage; or an artifact."
    ),
    "stablehlo": Entry("linnet.cli._stablehlo", "Print entries as StableHLO."),
    "onnx": Entry("linnet.cli._onnx", "Write entries as ONNX models, or check a folder of them."),
    "torch": Entry("linnet.cli._torch", "Print entries as a PyTorch module."),
    "jax": Entry("linnet.cli._jax", "Print entries as JAX, or as a Flax NNX module."),
    "compile": Entry("linnet.cli._compile", "Compile a program to an artifact."),
    "quantize": Entry("linnet.cli._quantize", "Write weights in a narrow form, and say its cost."),
    "export": Entry("linnet.cli._export", "Write a model as a checkpoint for other engines."),
    "run": Entry("linnet.cli._run", "Call an entry of a program or an artifact."),
    "generate": Entry("linnet.cli._generate", "Continue a text with a compiled model."),
    "bench": Entry("linnet.cli._bench", "Measure a model on this machine."),
    "memory": Entry("linnet.cli._memory", "Tell the memory of a program before it runs."),
    "nest": Entry("linnet.cli._nest", "List, show, pull, check and make models for any backend."),
    "doctor": Entry("linnet.cli._doctor", "Say what is installed, and what works here."),
    "target": Entry("linnet.cli._target", "List the targets that code is compiled for."),
    "cache": Entry("linnet.cli._cache", "Show or clear the code that is kept."),
    "completion": Entry("linnet.cli._completion", "Print a script that completes in a shell."),
}


class Interrupted(Exception):  # noqa: N818 - the user ended the command
    """An interrupt from the keyboard reached a command."""


class Commands(click.Group):
    """A group that imports a command when it is called, not to list it."""

    def __init__(self, *args: Any, table: Mapping[str, Entry] = COMMANDS, **named: Any) -> None:
        """Take the commands by name, in the order of the listing, and what a group takes."""
        super().__init__(*args, **named)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the listing."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        command = import_module(entry.module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.module} holds no command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; for an unknown one, the one that was meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from linnet.diagnostics import did_you_mean

            near = did_you_mean(args[0], self.table)
            if near is None or args[0].startswith("-"):
                raise
            raise click.UsageError(f"no command `{args[0]}`; did you mean `{near}`?", ctx) from None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. Click would print for an interrupt, and take an EOFError for one."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except EOFError as error:
            raise RuntimeError("unexpected end of a file") from error

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands by the table, so that a shell waits for no import of them, then options."""
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=entry.help)
            for name, entry in self.table.items()
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The listing of `--help`, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])
