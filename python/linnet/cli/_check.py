"""`linnet check`: syntax, checker, emit and verify, on files and folders."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from linnet.cli._options import STD, F
from linnet.cli._report import report, told_once
from linnet.diagnostics import Diagnostic, Severity, to_json
from linnet.syntax import MANIFEST, load_program, read_manifest


def program_options(command: F) -> F:
    """Add PATH..., --json and --std."""
    command = click.option(
        "--std",
        type=STD,
        help="The directory of `std`, instead of LINNET_STD or the one that comes along.",
    )(command)
    command = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(
        command
    )
    return click.argument(
        "paths",
        metavar="PATH...",
        nargs=-1,
        required=True,
        type=click.Path(exists=True, readable=True, path_type=Path),
    )(command)


@click.command("check")
@program_options
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option(
    "--stop-after",
    type=click.Choice(["syntax", "checker", "emit", "verify"]),
    help="Print what a stage gives for the one PATH, and stop.",
)
@click.option(
    "--dump",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write what each stage gives for the one PATH to a folder.",
)
def command(
    paths: tuple[Path, ...],
    as_json: bool,
    std: Path | None,
    strict: bool,
    stop_after: str | None,
    dump: Path | None,
) -> int:
    """Prove every shape of programs, or say where that fails and why.

    A PATH is a file, a package, or a folder of programs. Nothing of a program is run. The
    manifest of a package is checked too; that of a loose file's package only if an import needs it.
    """
    files = list(dict.fromkeys(file for path in paths for file in programs(path)))
    if stop_after is not None or dump is not None:
        if len(files) != 1:
            raise click.UsageError("--stop-after and --dump take one program")
        from linnet.cli._stages import run_stages

        return run_stages(files[0], std, stop_after, dump)
    found = told_once([*manifests(paths), *(one for file in files for one in diagnose(file, std))])
    tell(found, files, "errors", as_json)
    errors = any(one.severity is Severity.ERROR for one in found)
    return 1 if errors or (strict and found) else 0


def tell(
    found: Sequence[Diagnostic], files: Sequence[Path], looked_for: str, as_json: bool
) -> None:
    """Print what checking files found, or that it found nothing of what was looked for."""
    if as_json:
        click.echo(json.dumps(to_json(found), ensure_ascii=False, indent=2))
        return
    report(found)
    if not found:
        click.echo(f"{len(files)} {'file' if len(files) == 1 else 'files'}: no {looked_for}")


def diagnose(file: Path, std: Path | None) -> tuple[Diagnostic, ...]:
    """All that checking one program says.

    What does not parse is told without loading the compiler.
    """
    program = load_program(file, std)
    if not program.is_complete:
        return program.diagnostics
    from linnet.cli._optional import left_out

    with left_out("numpy"):
        from linnet.compiler import check_path

    return check_path(file, std, loaded=program).diagnostics


def manifests(paths: Iterable[Path]) -> Iterator[Diagnostic]:
    """What is wrong with the manifests of those paths that are packages [PKG-1]."""
    for path in paths:
        if path.is_dir() and (path / MANIFEST).is_file():
            manifest = read_manifest(path)
            if isinstance(manifest, Diagnostic):
                yield manifest


def programs(path: Path) -> Iterator[Path]:
    """The programs that a path names, sorted; of a package, the files of its `src`."""
    if not path.is_dir():
        yield path
        return
    folder = path / "src" if (path / MANIFEST).is_file() else path
    # A pipe would be waited for; a link to nothing is told when it is read.
    found = sorted(each for each in folder.rglob("*.linnet") if each.is_file() or not each.exists())
    if not found:
        raise click.UsageError(f"no .linnet files in `{path}`")
    yield from found
