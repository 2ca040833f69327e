"""`linnet cache`: what the compile cache holds, and its end."""

import json
import os
import time

import click

from linnet.errors import UsageError


@click.command(
    "cache",
    epilog="LINNET_CACHE_DIR names the folder, LINNET_CACHE_LIMIT its size (default 2GiB: what was "
    "not used for longest goes), LINNET_NO_CACHE=1 turns it off.",
)
@click.argument("action", type=click.Choice(["show", "clear", "dir"]), default="show")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(action: str, as_json: bool) -> None:
    """Show what compiled code is kept, `clear` it, or print its `dir`.

    Whatever compiles code takes what it made before of the same input, flags, versions and
    processor from there. Removing it costs nothing but time.
    """
    from linnet.cache import Store, place, show_size

    where = place()
    if action == "dir":
        click.echo(json.dumps({"dir": str(where.folder)}) if as_json else str(where.folder))
        return
    store = Store(where.folder, where.limit)
    try:
        if action == "clear":
            count, size = store.clear()
        else:
            kept = store.kept()
            count, size = len(kept), sum(each.bytes for each in kept)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot {action} {where.folder}: {reason}", "check the path") from None
    facts: dict[str, object] = {
        "dir": str(where.folder),
        "enabled": where.enabled,
        "limit": where.limit,
        "entries": count,
        "bytes": size,
    }
    entries = f"{count} {'entry' if count == 1 else 'entries'}"
    if action == "clear":
        text = f"removed {entries}, {show_size(size)}"
        click.echo(json.dumps({"removed": count, "bytes": size}) if as_json else text)
        return
    listed = store.kept()
    if as_json:
        facts["kept"] = [
            {"key": each.key, "what": each.label, "bytes": each.bytes, "used": _moment(each.used)}
            for each in listed
        ]
        click.echo(json.dumps(facts, indent=1))
        return
    off = "" if where.enabled else ", turned off"
    click.echo(f"{where.folder}: {entries}, {show_size(size)} of {show_size(where.limit)}{off}")
    for each in listed:
        shown = each.label if len(each.label) <= 60 else f"{each.label[:57]}..."
        click.echo(f"  {_moment(each.used)}  {show_size(each.bytes):>10}  {shown}")


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def writable(folder: "os.PathLike[str]") -> bool:
    """Return whether a folder, or the nearest above it that exists, can be written."""
    place = os.path.abspath(folder)
    while not os.path.exists(place):
        place = os.path.dirname(place)
    return os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK)
