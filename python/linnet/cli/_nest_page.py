"""`linnet nest page`: a model as one HTML file."""

from pathlib import Path

import click

from linnet.cli._options import write_file


@click.command("page", epilog="Example: `linnet nest page gpt2 -o site`.")
@click.argument("name", metavar="NAME")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder to write NAME.html to.",
)
def command(name: str, output: Path) -> int:
    """Write the page of a model: README, code to load it, entries, the graph of what it computes,
    generics, blocks, source, measurements and samples.

    NAME is a model of the package or a nest directory. The page is one file that fetches nothing:
    it can be opened from a disk, sent, or put on a server. What README.md, bench.json and
    samples.json beside the card say is shown as text, and no code of a nest runs.
    """
    from linnet.errors import UsageError
    from linnet.nest import find, page_of

    card = find(name)
    page = page_of(card)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {output}: {reason}", "name another folder") from None
    path = output / f"{card.name}.html"
    write_file(path, page.encode("utf-8"))
    click.echo(f"{path}: {card.title}, {len(page) // 1000} kB")
    return 0
