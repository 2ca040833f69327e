"""The part of JSON Schema that our schema of the manifest is written in.

Loading a model must not wait for the `jsonschema` package, whose import alone takes longer than all
else that is checked. A test compares the two on manifests with every kind of mistake.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

Json = dict[str, Any]

_LONGEST = 60


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
# Every key of a schema that is read here, or that says nothing about what is valid.
_READ = "type enum const pattern minLength minimum minItems items properties required anyOf"
KNOWN = {*_READ.split(), "additionalProperties", "$ref", "$defs", "$schema", "title", "description"}


def mistake(value: object, schema: Json) -> str | None:
    """Return the first thing of `value` that the schema refuses, as `PATH: what`, or None.

    The path is that of the `jsonschema` package: `$.entries[0].name`.
    """
    return _mistake(value, schema, schema, "$")


def _mistake(value: object, schema: Json, whole: Json, path: str) -> str | None:
    reference = schema.get("$ref")
    if reference is not None:
        found = whole["$defs"][reference.removeprefix("#/$defs/")]
        return _mistake(value, found, whole, path)
    choices = schema.get("anyOf")
    if choices is not None:
        said = [_mistake(value, choice, whole, path) for choice in choices]
        return None if None in said else f"{path}: {_shown(value)} is none of what may stand here"
    kinds = schema.get("type")
    if kinds is not None:
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if not any(_TYPES[kind](value) for kind in kinds):
            return f"{path}: {_shown(value)} is no {' or '.join(kinds)}"
    if "const" in schema and not _same(value, schema["const"]):
        return f"{path}: {_shown(value)} is not {_shown(schema['const'])}"
    if "enum" in schema and not any(_same(value, each) for each in schema["enum"]):
        return f"{path}: {_shown(value)} is none of {', '.join(map(_shown, schema['enum']))}"
    if isinstance(value, dict):
        return _object(cast(Json, value), schema, whole, path)
    if isinstance(value, list):
        return _array(cast(list[object], value), schema, whole, path)
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            return f"{path}: the text is empty"
        pattern = schema.get("pattern")
        if pattern is not None and not re.search(pattern.removesuffix("$") + r"\Z", value):
            return f"{path}: {_shown(value)} has not the form that is needed"
    elif _is_integer(value) and cast(int, value) < schema.get("minimum", value):
        return f"{path}: {_shown(value)} is less than {schema['minimum']}"
    return None


def _object(value: Json, schema: Json, whole: Json, path: str) -> str | None:
    for key in schema.get("required", ()):
        if key not in value:
            return f"{path}: `{key}` is missing"
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for key, item in value.items():
        rule = properties.get(key, others)
        if rule is False:
            return f"{path}: `{key[:_LONGEST]}` is unknown"
        if rule is not True:
            found = _mistake(item, rule, whole, f"{path}.{key[:_LONGEST]}")
            if found is not None:
                return found
    return None


def _array(value: list[object], schema: Json, whole: Json, path: str) -> str | None:
    if len(value) < schema.get("minItems", 0):
        return f"{path}: the list is empty"
    rule = schema.get("items")
    if rule is not None:
        for number, item in enumerate(value):
            found = _mistake(item, rule, whole, f"{path}[{number}]")
            if found is not None:
                return found
    return None


def _same(value: object, other: object) -> bool:
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
