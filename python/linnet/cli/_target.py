"""`linnet target`: the targets that code can be compiled for."""

import json

import click


@click.command("target", epilog="Example: `linnet target list --json`.")
@click.argument("action", type=click.Choice(["list"]), default="list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(action: str, as_json: bool) -> None:
    """List the targets of `linnet compile --target`: for GPUs, the compute capability, the memory
    in bytes, and where the description comes from. `linnet doctor` says which work here.
    """
    del action  # There is one.
    from linnet.runtime import known_targets

    found = known_targets()
    if as_json:
        facts = [
            {
                "name": each.name,
                "device": each.device,
                "capability": each.capability,
                "memory": each.memory,
                "source": each.source,
            }
            for each in found
        ]
        click.echo(json.dumps({"version": 1, "targets": facts}, indent=1))
        return
    from linnet.cache import show_size

    for each in found:
        memory = "-" if each.memory is None else show_size(each.memory)
        shown = f"{each.name:<16} {each.capability or '-':<5} {memory:<10} {each.source:<12}"
        click.echo(f"{shown} {each.device}".rstrip())
