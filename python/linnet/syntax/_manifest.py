"""Package manifests: reading `linnet.toml` (spec section 14)."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from linnet.diagnostics import Diagnostic, Label, did_you_mean
from linnet.source import SourceFile, Span, Unreadable, read

MANIFEST: Final = "linnet.toml"
LANGUAGE: Final = "0.1"

_KEYS: Final = ("name", "version", "language")
_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACE: Final = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A package: its directory, and the directories of its dependencies by key [PKG-1]."""

    root: Path
    name: str
    version: str
    dependencies: Mapping[str, Path]


def read_manifest(root: Path) -> Manifest | Diagnostic:
    """Read the manifest of a package directory, or say with `E5001` what is wrong with it."""
    source = read(root / MANIFEST)
    if isinstance(source, Unreadable):
        return _wrong(None, f"cannot read package manifest `{source.path}`: {source.reason}")
    if source.invalid:
        where = Span(source, source.invalid[0], source.invalid[0] + 1)
        return _wrong(Label(where, "not UTF-8"), "package manifest is not UTF-8 text")
    try:
        data: dict[str, object] = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        return _malformed(source, str(error))
    except RecursionError:
        return _wrong(Label(Span(source, 0, 0)), "package manifest nests too deeply")
    return _manifest(source, root, data)


def _manifest(source: SourceFile, root: Path, data: dict[str, object]) -> Manifest | Diagnostic:
    package = data.get("package")
    if not isinstance(package, dict):
        near = did_you_mean("package", data)
        place = _line(source, "" if near is None else rf"\[{re.escape(near)}\]")
        help = "write `[package]`, with `name`, `version` and `language`"
        return _wrong(place, "package manifest has no table `[package]`", help=help)
    values = cast("dict[str, object]", package)
    texts: dict[str, str] = {}
    for key in _KEYS:
        value = values.get(key)
        if value is None:
            near = did_you_mean(key, [other for other in values if other not in _KEYS])
            place = _line(source, r"\[package\]", f"no `{key}` in this table")
            help = f'add `language = "{LANGUAGE}"`' if key == "language" else None
            if near is not None:
                place = _line(source, re.escape(near), "no key of a package")
                help = f"did you mean `{key}`?"
            return _wrong(place, f"package manifest has no `{key}`", help=help)
        if not isinstance(value, str) or not value:
            return _wrong(_line(source, key, "not a text"), f"`{key}` is not a text")
        texts[key] = value
    if texts["language"] != LANGUAGE:
        message = f"language version {texts['language']} is not supported, expected {LANGUAGE}"
        return _wrong(_line(source, "language", "not supported"), message)

    listed = data.get("dependencies", {})
    if not isinstance(listed, dict):
        return _wrong(_line(source, "dependencies"), "`dependencies` is not a table")
    dependencies: dict[str, Path] = {}
    for key, value in cast("dict[str, object]", listed).items():
        found = _dependency(source, root, key, value)
        if isinstance(found, Diagnostic):
            return found
        dependencies[key] = found
    return Manifest(root, texts["name"], texts["version"], dependencies)


def _dependency(source: SourceFile, root: Path, key: str, value: object) -> Path | Diagnostic:
    place = _line(source, re.escape(key), "this dependency")
    if not _KEY.fullmatch(key) or key in ("std", "crate"):
        note = "a key is an identifier other than `std` and `crate`"
        return _wrong(place, f"`{key}` cannot name a dependency", note)
    path = cast("dict[str, object]", value).get("path") if isinstance(value, dict) else None
    if not isinstance(path, str):
        note = f'only paths exist: `{key} = {{ path = "../{key}" }}`'
        return _wrong(place, f"dependency `{key}` has no `path`", note)
    if Path(path).is_absolute() or "\0" in path:
        note = "a path is relative to its manifest"
        return _wrong(place, f"path of dependency `{key}` is not relative", note)
    target = root / path
    if not (target / MANIFEST).is_file():
        note = "a dependency is a directory with its own manifest"
        return _wrong(place, f"dependency `{key}` has no `{path}/{MANIFEST}`", note)
    return target


def _malformed(source: SourceFile, reason: str) -> Diagnostic:
    """The reader's reason names a place in words; the label puts it there."""
    start = len(source.text)
    if (parts := _PLACE.fullmatch(reason)) is not None:
        reason = parts.group(1)
        line = min(int(parts.group(2)), len(source.line_starts))
        start = min(source.line_starts[line - 1] + int(parts.group(3)) - 1, start)
    else:
        reason = reason.removesuffix(" (at end of document)")
    words = reason[:1].lower() + reason[1:]
    return _wrong(Label(Span(source, start, start + 1), words), "package manifest is not TOML")


def _line(source: SourceFile, key: str, label: str = "") -> Label:
    """A label on the first line that begins with a key, else on the file's first place."""
    found = re.search(rf"(?m)^[ \t]*[\"']?({key})", source.text) if key else None
    start, end = found.span(1) if found else (0, 0)
    return Label(Span(source, start, end), label)


def _wrong(
    place: Label | None, message: str, note: str | None = None, help: str | None = None
) -> Diagnostic:
    notes = () if note is None else (note,)
    return Diagnostic("E5001", message, place, notes=notes, help=help)
