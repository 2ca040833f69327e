"""`linnet completion`: what a shell evaluates to complete the command line."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog='Examples: `eval "$(linnet completion bash)"` in ~/.bashrc, `eval "$(linnet completion '
    'zsh)"` in ~/.zshrc, `linnet completion fish > ~/.config/fish/completions/linnet.fish`.',
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete commands, options and files."""
    made = get_completion_class(shell)
    assert made is not None, "click knows these shells"
    # The script calls `linnet` with this variable set, which answers in `linnet.main`.
    completion = made(ctx.find_root().command, {}, "linnet", "_LINNET_COMPLETE")
    click.echo(completion.source_template % completion.source_vars())
