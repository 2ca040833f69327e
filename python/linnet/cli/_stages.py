"""`linnet check --stop-after` and `--dump`: what each stage gives."""

from pathlib import Path

import click

from linnet.cli._report import report
from linnet.compiler import StageReached, Stages, check_path
from linnet.diagnostics import Severity


def run_stages(file: Path, std: Path | None, stop_after: str | None, dump: Path | None) -> int:
    """Check a program with its stages shown; the exit status is returned."""
    try:
        found = check_path(file, std, Stages(stop_after, dump)).diagnostics
    except StageReached as reached:
        text = reached.text
        click.echo(text if isinstance(text, str) else text.decode("utf-8"), nl=False)
        return 0
    report(found)
    return 1 if any(one.severity is Severity.ERROR for one in found) else 0
