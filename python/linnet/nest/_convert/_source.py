"""The program of a family with the constants of one checkpoint: the `const` items are rewritten.

Sizes are generics and stand in the card; what is no size (the epsilon of a norm, the base of the
rotary positions) is a `const` of the source, and a converted model has its own copy of it.
"""

import math
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from linnet.errors import InternalError, LinnetError
from linnet.nest._convert._facts import Constant, Variant
from linnet.source import SourceFile
from linnet.syntax import (
    Const,
    Expr,
    FloatLiteral,
    IntLiteral,
    Member,
    Name,
    parse,
)


def packaged_source(family: str) -> Path:
    """The family's program in the package."""
    return Path(str(files("linnet").joinpath("nest", "models", family, f"{family}.linnet")))


def _constants(source: SourceFile) -> dict[str, Const]:
    result = parse(source)
    if result.tree is None:
        raise LinnetError(f"{source.path} is no program", f"`linnet check {source.path}` says why")
    return {item.name.text: item for item in result.tree.items if isinstance(item, Const)}


def with_constants(text: str, constants: Mapping[str, Constant]) -> str:
    """Return the source with the values of these `const` items replaced; each must be there."""
    source = SourceFile("source", text)
    found = _constants(source)
    edits: list[tuple[int, int, str]] = []
    for name, value in constants.items():
        item = found.get(name)
        if item is None:
            raise InternalError(f"the packaged source has no constant `{name}`")
        start, end = _value_span(item)
        edits.append((start, end, _written(value)))
    for start, end, written in sorted(edits, reverse=True):
        text = text[:start] + written + text[end:]
    return text


def _value_span(item: Const) -> tuple[int, int]:
    """Where the value stands: from behind the `=` to the end of the item."""
    text = item.span.file.text
    equals = text.index("=", item.name.span.end)
    start = equals + 1
    while text[start].isspace():
        start += 1
    return start, item.span.end


def _written(value: Constant) -> str:
    """A constant as the language writes it; a float keeps its exact value."""
    if isinstance(value, Variant):
        return str(value)
    if not math.isfinite(value):
        raise InternalError(f"a constant is {value}")
    text = repr(value)
    mantissa, exponent, power = text.partition("e")
    if not exponent:
        return text
    return f"{mantissa}e{int(power)}"


def read_constants(path: Path, text: str) -> dict[str, Constant]:
    """Return the `const` items of a source that are numbers or variants of an enum."""
    found: dict[str, Constant] = {}
    for name, item in _constants(SourceFile(str(path), text)).items():
        value = _value(item.value)
        if value is not None:
            found[name] = value
    return found


def _value(value: Expr) -> Constant | None:
    if isinstance(value, FloatLiteral | IntLiteral):
        return float(value.value)
    if isinstance(value, Member) and isinstance(value.base, Name):
        return Variant(value.base.text, value.name.text)
    return None
