"""`linnet nest check`: a model from its card to a call."""

import json
from dataclasses import asdict

import click


@click.command(
    "check",
    epilog="Examples: `linnet nest check .`; `linnet nest check gpt2 --run torch`.",
)
@click.argument("name")
@click.option("--run", metavar="BACKEND", help="Call the entry at the sizes of [check] too.")
@click.option("--target", metavar="TARGET", help="Of the backend `linnet`: cpu or xla-cpu.")
@click.option("--offline", is_flag=True, help="Fetch no header of weights that are not here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str, run: str | None, target: str | None, offline: bool, as_json: bool) -> int:
    """Check NAME: the card against its schema, the program, the sizes of [check], the bindings,
    and the headers of the weights, which are fetched alone where the weights are not here.

    With --run the card's entry is called once, with the weights that are here or made-up ones.
    """
    from linnet.errors import UsageError
    from linnet.nest import backend, check

    if run is not None:
        backend(run)
    if target is not None and run != "linnet":
        raise UsageError("--target is of the backend `linnet`", "give --run linnet")
    options = {} if target is None else {"target": target}
    report = check(name, run, offline, options)
    if as_json:
        steps = [asdict(step) for step in report.steps]
        facts = {"version": 1, "name": name, "ok": report.ok, "steps": steps}
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
    else:
        for step in report.steps:
            click.echo(f"{step.status:<8} {step.name}: {step.said}")
            if step.hint is not None and step.status == "failed":
                click.echo(f"         hint: {step.hint}")
    return 0 if report.ok else 1
