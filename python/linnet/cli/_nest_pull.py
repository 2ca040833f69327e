"""`linnet nest pull`: a model, or its weights, from the Hub."""

import json
from dataclasses import asdict

import click


@click.command(
    "pull",
    epilog="Examples: `linnet nest pull gpt2`; `linnet nest pull OWNER/NAME --revision COMMIT`. "
    "HF_ENDPOINT names another Hub, HF_HUB_CACHE and LINNET_NEST_DIR other folders.",
)
@click.argument("name")
@click.option(
    "--revision",
    metavar="COMMIT|BRANCH",
    help="Of a repo; a branch or tag is resolved, and its commit printed.",
)
@click.option("--offline", is_flag=True, help="Only say what is not here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str, revision: str | None, offline: bool, as_json: bool) -> None:
    """Fetch what NAME lacks: the files of a repo, and the weights that its card names.

    The card and the program are checked first, then the header of each weights file against the
    program's parameters, before the file is fetched; each file is proven by its SHA-256. Other
    processes that fetch the same wait for each other.
    """
    from linnet.nest import pull

    def tell(line: str) -> None:
        if not as_json:
            click.echo(line, err=True)

    pulled = pull(name, revision, offline=offline, tell=tell)
    if as_json:
        files = [asdict(file) | {"here": str(path)} for file, path in pulled.files]
        directory = str(pulled.card.directory)
        facts = {"version": 1, "name": name, "directory": directory, "files": files}
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    click.echo(f"{pulled.card.title}: {pulled.card.directory}")
    for file, path in pulled.files:
        click.echo(f"  {file.path}: {path}")
