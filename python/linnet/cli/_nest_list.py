"""`linnet nest list`: the models that are here."""

import json

import click

_STATES = {"here": "weights here", "missing": "not fetched", "incomplete": "partly fetched"}


@click.command("list", epilog="Example: `linnet nest list --json`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """List the models of the package and those that were pulled, and whether their weights are
    here. Nothing is fetched.
    """
    from linnet.nest import listed

    rows = listed()
    if as_json:
        click.echo(json.dumps({"version": 1, "nests": rows}, ensure_ascii=False, indent=1))
        return
    wide = max(len(row["name"]) for row in rows)
    for row in rows:
        if row["problem"] is not None:
            click.echo(f"{row['name']:<{wide}}  refused: {row['problem']}")
            continue
        state = _STATES.get(row["weights"] or "", "no weights")
        click.echo(f"{row['name']:<{wide}}  {state:<14}  {row['title']}")
