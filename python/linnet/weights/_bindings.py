"""Binding files [WGT-2]: which tensor each path takes. Nothing in one computes."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from linnet.errors import WeightsError


@dataclass(frozen=True, slots=True)
class Bindings:
    """`rules` in the file's order: path (perhaps with `{i}`) -> (source or None, key).

    `sources` are the files of the fuller form, by source name, found beside the binding file.
    """

    rules: tuple[tuple[str, str | None, str], ...] = ()
    sources: Mapping[str, tuple[Path, ...]] = field(default_factory=dict[str, tuple[Path, ...]])
    name: str = "the bindings"

    def of(self, path: str) -> tuple[str | None, str]:
        """Return the source and the key of a path; a path without a rule keeps its name."""
        for pattern, source, key in self.rules:
            found = _match(pattern, path)
            if found is not None:
                for name, value in found.items():
                    key = key.replace("{" + name + "}", value)
                return source, key
        return None, path

    def unused(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the paths and patterns of the rules that none of `paths` takes, in order."""
        known = list(paths)
        held = set(known)
        return tuple(
            pattern
            for pattern, _, _ in self.rules
            if pattern not in held
            and not ("{" in pattern and any(_match(pattern, path) is not None for path in known))
        )


def _match(pattern: str, path: str) -> dict[str, str] | None:
    if "{" not in pattern:
        return {} if pattern == path else None
    regex = ""
    for index, part in enumerate(re.split(r"\{(\w+)\}", pattern)):
        regex += f"(?P<{part}>[0-9]+)" if index % 2 else re.escape(part)
    found = re.fullmatch(regex, path)
    return None if found is None else found.groupdict()


def read_bindings(given: Path | Mapping[str, str] | None) -> Bindings:
    """Return the bindings of a file (simple or fuller form, JSON or YAML) or of a mapping.

    WeightsError for an unreadable or malformed file, a path bound twice, an unknown source.
    """
    if given is None:
        return Bindings()
    if isinstance(given, Mapping):
        return Bindings(tuple((path, None, key) for path, key in given.items()))
    try:
        text = given.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        message = f"cannot read bindings {given}: {(reason or str(error)).lower()}"
        raise WeightsError(message, "check the path") from None
    data = _yaml(given, text) if given.suffix in (".yaml", ".yml") else _json(given, text)
    if not isinstance(data, dict):
        raise _malformed(given, "is no object")
    fields = cast(dict[str, Any], data)
    if isinstance(fields.get("bindings"), dict):
        return _fuller(given, fields)
    for path, key in fields.items():
        if not isinstance(key, str):
            raise _malformed(given, f"gives `{path}` no tensor name")
    return Bindings(tuple((path, None, key) for path, key in fields.items()), name=str(given))


def _json(given: Path, text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _once(given, pairs))
    except ValueError as error:
        raise WeightsError(f"{given} is no JSON: {error}", "check the file") from None
    except RecursionError:
        raise _malformed(given, "is nested too deep") from None


def _yaml(given: Path, text: str) -> object:
    from linnet.weights._yaml import YamlError, read_yaml

    try:
        return read_yaml(text)
    except YamlError as error:
        raise WeightsError(
            f"{given}:{error.line}: {error.reason}",
            "a binding file has maps, lists and plain or quoted scalars; JSON serves too",
        ) from None


def _once(given: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise WeightsError(f"{given} binds `{key}` twice", "keep one of the two")
        seen[key] = value
    return seen


def _malformed(given: Path, what: str) -> WeightsError:
    form = '{"path": "tensor name"} or {"sources": {…}, "bindings": {…}}'
    return WeightsError(f"{given} {what}", f"a binding file is {form}")


def _fuller(given: Path, fields: dict[str, Any]) -> Bindings:
    unknown = [key for key in fields if key not in ("sources", "bindings")]
    if unknown:
        raise _malformed(given, f"has an unknown key `{unknown[0]}`")
    sources = _sources(given, fields.get("sources", {}))
    rules: list[tuple[str, str | None, str]] = []
    for path, rule in cast(dict[str, Any], fields["bindings"]).items():
        if isinstance(rule, str):
            rules.append((path, None, rule))
            continue
        entry = cast(dict[str, Any], rule) if isinstance(rule, dict) else {}
        if not set(entry) <= {"source", "key"} or not isinstance(entry.get("key"), str):
            raise _malformed(given, f"gives `{path}` no `source` and `key`")
        source = cast(object, entry.get("source"))
        if source is not None and source not in sources:
            raise _malformed(given, f"names a source `{source}` that it does not list")
        rules.append((path, cast("str | None", source), entry["key"]))
    return Bindings(tuple(rules), sources, str(given))


def _sources(given: Path, value: object) -> dict[str, tuple[Path, ...]]:
    if isinstance(value, dict):
        named = list(cast(dict[str, Any], value).items())
    elif isinstance(value, list):
        if not all(isinstance(each, dict) for each in cast(list[object], value)):
            raise _malformed(given, "has `sources` that are no objects")
        listed = cast(list[dict[str, Any]], value)
        named = [(str(each.get("name")), each) for each in listed]
    else:
        raise _malformed(given, "has `sources` that are no list")
    found: dict[str, tuple[Path, ...]] = {}
    for name, entry in named:
        fields = cast(dict[str, Any], entry) if isinstance(entry, dict) else {}
        if fields.get("type") != "safetensors":
            raise _malformed(given, f"has a source `{name}` whose type is not `safetensors`")
        globs = fields.get("files")
        patterns = cast(list[object], globs) if isinstance(globs, list) else [globs]
        files: list[Path] = []
        for pattern in patterns:
            if not isinstance(pattern, str) or pattern.startswith("/") or ".." in pattern:
                raise _malformed(given, f"has a source `{name}` without files beside it")
            files += sorted(given.parent.glob(pattern))
        if not files:
            raise WeightsError(
                f"source `{name}` of {given} matches no file", f"put the file beside {given}"
            )
        found[name] = tuple(files)
    return found
