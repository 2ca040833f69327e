"""Prints a tree of records, one field a line, without the spans: what a dump file shows.

Trees deeper than forty levels are cut there.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass

from linnet.source import SourceFile, Span

_WIDEST = 200
_DEEPEST = 80


def outline(record: object) -> str:
    """Return the text; a record that was printed already is named only."""
    return "\n".join(_lines(record, "", "", set())) + "\n"


def _lines(value: object, name: str, indent: str, seen: set[int]) -> Iterator[str]:
    label = f"{name}: " if name else ""
    if value is None or isinstance(value, Span) or len(indent) > _DEEPEST:
        return
    if isinstance(value, tuple | list | Set):
        if value:
            yield f"{indent}{label}".rstrip()
            for item in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _lines(item, "-", indent + "  ", seen)  # pyright: ignore
    elif isinstance(value, Mapping):
        if value:
            yield f"{indent}{label}".rstrip()
            for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
                yield from _lines(item, _name(key), indent + "  ", seen)  # pyright: ignore
    elif is_dataclass(value) and not isinstance(value, type | SourceFile):
        kind = type(value).__name__
        if id(value) in seen:
            yield f"{indent}{label}{kind} (above)"
            return
        seen.add(id(value))
        yield f"{indent}{label}{kind}"
        for field in fields(value):
            item: object = getattr(value, field.name)
            yield from _lines(item, field.name, indent + "  ", seen)
    elif isinstance(value, SourceFile):
        yield f"{indent}{label}{value.path}"
    else:
        text = " ".join(str(value).split())
        yield f"{indent}{label}{text[:_WIDEST]}"


def _name(key: object) -> str:
    return type(key).__name__ if is_dataclass(key) else str(key)
