"""`linnet nest show`: a model's card, entries and weights."""

import json

import click


@click.command("show", epilog="Example: `linnet nest show gpt2`.")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str, as_json: bool) -> None:
    """Show the card of NAME with its entries, generics, parameters and weights.

    Sizes that a call decides stand as symbols: `forward<B, S>(tokens: Tensor[B, S; i32])`.
    """
    from linnet.cache import show_size
    from linnet.nest import described, find

    facts = described(find(name), name)
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    click.echo(f"{facts['title']} ({name})")
    if facts["summary"]:
        click.echo(facts["summary"])
    rows = [("license", facts["license"]), ("family", facts["family"])]
    rows += [("directory", facts["directory"]), ("tags", ", ".join(facts["tags"]))]
    rows += list(facts["links"].items())
    source = facts["source"]
    rows.append(("source", f"{source['path']}, root {source['root']}, entry {source['entry']}"))
    rows.append(("generics", ", ".join(f"{k} = {v}" for k, v in facts["generics"].items())))
    rows.append(("parameters", f"{facts['parameters']:,}, {show_size(facts['bytes'])}"))
    weights = facts["weights"]
    if weights is not None:
        place = "beside the card"
        if weights["repo"] is not None:
            place = f"{weights['repo']} at {weights['revision']}"
        rows.append(("weights", f"{', '.join(weights['files'])}, {place}: {weights['state']}"))
    for label, value in rows:
        if value:
            click.echo(f"  {label:<12} {value}")
    for signature in facts["entries"].values():
        click.echo(f"  entry {signature}")
