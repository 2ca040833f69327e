"""`linnet target`: the targets that code can be compiled for, and one more of them."""

import json
from typing import Any

import click

from linnet.errors import UsageError


@click.command(
    "target", epilog="Examples: `linnet target list --json`, `linnet target add lab-h100`."
)
@click.argument("action", type=click.Choice(["list", "add"]), default="list")
@click.argument("name", required=False)
@click.option("--replace", is_flag=True, help="Write over a description of this name.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(action: str, name: str | None, replace: bool, as_json: bool) -> None:
    """List the targets of `linnet compile --target`: for GPUs, the compute capability, the memory
    in bytes, and where the description comes from. `linnet doctor` says which work here.

    With `add NAME`, describe the GPU of this machine as the target cuda:NAME. The description is a
    text that can be copied to machines without that GPU.
    """
    if action == "list":
        if name is not None or replace:
            raise UsageError("`linnet target list` takes no name", "`linnet target add NAME`")
        _list(as_json)
        return
    if name is None:
        raise UsageError("`linnet target add` needs a name", "as in `linnet target add lab-h100`")
    _add(name, replace, as_json)


def _add(name: str, replace: bool, as_json: bool) -> None:
    """Write the description of the live GPU."""
    from linnet.backends import xla
    from linnet.cache import show_size
    from linnet.cli._options import write_file

    path = xla.place_for(name)
    if path.exists() and not replace:
        raise UsageError(f"`cuda:{path.stem}` is described in {path}", "--replace writes it again")
    device = xla.read_device(xla.live_description(), "what the GPU's plugin says")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"cannot make {path.parent}: {reason}", "LINNET_TARGETS names another folder"
        ) from None
    write_file(path, device.config.encode())
    facts: dict[str, Any] = {
        "name": f"cuda:{path.stem}",
        "device": device.name,
        "capability": device.capability,
        "memory": device.memory,
        "source": "yours",
    }
    if as_json:
        click.echo(json.dumps({"version": 1, "targets": [facts], "path": str(path)}, indent=1))
        return
    click.echo(
        f"cuda:{path.stem}: {device.name}, compute capability {device.capability}, "
        f"{show_size(device.memory)}\n{path}"
    )


def _list(as_json: bool) -> None:
    """Print the targets."""
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
