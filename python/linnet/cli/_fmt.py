"""`linnet fmt`: programs in the one style of the language (spec section 15)."""

import difflib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from linnet.cli._options import write_file
from linnet.cli._report import report, report_error
from linnet.diagnostics import wants_colour
from linnet.errors import LinnetError, UsageError
from linnet.formatter import format_source
from linnet.source import SourceFile, Unreadable, decode, read

_STDIN = Path("-")
_BOM = "\ufeff"
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class _FileError(LinnetError):
    """A file could not be read or written; the others are still formatted."""


@dataclass(frozen=True, slots=True)
class _Result:
    """A file, its text as it is, a byte-order mark included, and as it should be."""

    path: Path
    before: str
    after: str

    @property
    def changes(self) -> bool:
        return self.before != self.after


@click.command(
    "fmt",
    epilog="Examples: `linnet fmt src` rewrites a folder, `linnet fmt --check .` is for CI, and an "
    "editor pipes through `linnet fmt -`.",
)
@click.argument(
    "paths",
    metavar="PATH...|-",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, readable=True, allow_dash=True, path_type=Path),
)
@click.option("--check", is_flag=True, help="Write nothing; list what would change and exit 1.")
@click.option("--diff", is_flag=True, help="Write nothing; print the changes.")
def command(paths: tuple[Path, ...], check: bool, diff: bool) -> int:
    """Format programs: files, the `.linnet` files in folders, or - for standard input.

    There is one style and no options to it. A file with syntax errors is told and left alone; so
    is one that is formatted already. With - the result goes to standard output.
    """
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("- stands alone")
    failed = False
    changed = same = 0
    for path in _files(paths):
        try:
            result = _format(path)
            if result is None:
                failed = True
                continue
            if diff and result.changes:
                _show_diff(result)
            if not (check or diff):
                _write(result)
        except _FileError as error:
            report_error(error)
            failed = True
            continue
        changed += result.changes
        same += not result.changes
        if result.changes and not diff and (check or path != _STDIN):
            click.echo(f"{'would format' if check else 'formatted'} {_shown(path)}")
    if _STDIN not in paths:
        _summary(changed, same, check or diff)
    return 1 if failed or (check and changed) else 0


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    """The files to format, each once; of a folder, those in it and below, sorted.

    A link that was named is followed. In a folder links are passed over: what they lead to is
    found where it is, or lies outside. So are folders whose names begin with a dot.
    """
    seen: set[Path] = set()
    for path in paths:
        found = _below(path) if path.is_dir() else [path]
        if not found:
            raise click.UsageError(f"no .linnet files in `{path}`")
        for file in found:
            real = file.resolve()
            if real not in seen:
                seen.add(real)
                yield file


def _below(folder: Path) -> list[Path]:
    found: list[Path] = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files = (Path(here, name) for name in sorted(names) if name.endswith(".linnet"))
        found += [file for file in files if file.is_file() and not file.is_symlink()]
    return found


def _format(path: Path) -> _Result | None:
    """Format a file; None for one with syntax errors, which are told."""
    source = _source(path)
    formatted = format_source(source)
    if formatted.text is None:
        report(formatted.diagnostics)
        return None
    before = f"{_BOM if source.bom else ''}{source.text}"
    return _Result(path, before, formatted.text)


def _source(path: Path) -> SourceFile:
    if path == _STDIN:
        data = b"" if sys.stdin is None else sys.stdin.buffer.read()  # pyright: ignore
        return decode(data, "<stdin>")
    if not path.is_file():
        raise _FileError(f"cannot format {path}: it is no regular file", "pipe it through -")
    source = read(path)
    if isinstance(source, Unreadable):
        raise _FileError(f"cannot read {path}: {source.reason.lower()}", "check its permissions")
    return source


def _write(result: _Result) -> None:
    """Write a file that changes: under a temporary name, then renamed, its mode kept."""
    data = result.after.encode("utf-8")
    if result.path == _STDIN:
        sys.stdout.buffer.write(data)
        return
    if not result.changes:
        return
    target = result.path.resolve()  # A link stays one.
    try:
        if not os.access(target, os.W_OK):  # A rename would not ask.
            raise UsageError(f"cannot write {result.path}: it is read-only")
        write_file(target, data, target.stat())
    except UsageError as error:
        raise _FileError(error.message, "check its permissions and those of its folder") from None


def _show_diff(result: _Result) -> None:
    name = _shown(result.path)
    colour = wants_colour(sys.stdout, os.environ)
    before = result.before.splitlines(keepends=True)
    after = result.after.splitlines(keepends=True)
    for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
        text = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        if colour:
            bold = line.startswith(("---", "+++"))
            text = click.style(text, fg=None if bold else _COLOURS.get(line[0]), bold=bold or None)
        click.echo(text, nl=False, color=colour)


def _shown(path: Path) -> str:
    return "<stdin>" if path == _STDIN else str(path)


def _summary(changed: int, same: int, kept: bool) -> None:
    """Say on standard error how many files there were."""
    parts: list[str] = []
    if changed:
        done = "would be formatted" if kept else "formatted"
        parts.append(f"{changed} {'file' if changed == 1 else 'files'} {done}")
    if same:
        parts.append(f"{same} {'file' if same == 1 else 'files'} unchanged")
    if parts:
        click.echo(", ".join(parts), err=True)
