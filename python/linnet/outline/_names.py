"""Names that follow the source and that Python takes."""

import builtins
import keyword
import re
from collections.abc import Iterable

_TAKEN = frozenset(keyword.kwlist) | frozenset({"self", "_"})
# Names that a reader would take for Python's own functions.
_BUILTIN = frozenset(
    {"len", "range", "min", "max", "sum", "slice", "int", "float", "bool", "print"}
)
_SUGGESTED = {
    "contract": "product",
    "reduce": "total",
    "compare": "mask",
    "select": "chosen",
    "take": "rows",
    "slice": "part",
    "concat": "joined",
    "iota": "positions",
    "min": "place",
    "max": "place",
    "add": "shifted",
    "sub": "offset",
    "mul": "scaled",
    "div": "share",
    "reshape": "parts",
    "exp": "raised",
    "rsqrt": "factor",
    "update_slice": "updated",
    "transpose": "turned",
    "cast": "wide",
    "not": "inverted",
    "if": "chosen",
    "while": "carried",
}


def python_name(name: str) -> str:
    """The name as Python takes it."""
    plain = re.sub(r"\W", "_", name) or "value"
    if plain[0].isdigit():
        plain = f"_{plain}"
    return f"{plain}_" if plain in _TAKEN or plain in _BUILTIN else plain


def snake(name: str) -> str:
    """`MaxSeq` as `max_seq`."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return python_name(parts.lower())


def camel(name: str) -> str:
    """`self_attn` as `SelfAttn`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "Block"


def singular(name: str) -> str:
    """What one of `layers` is called."""
    if name.endswith("ies"):
        return python_name(f"{name[:-3]}y")
    if name.endswith("s") and not name.endswith("ss") and len(name) > 2:
        return python_name(name[:-1])
    return "layer" if name != "layer" else "each"


def suggested(op: str) -> str:
    """What to call a value that the source gives no name."""
    return _SUGGESTED.get(op, "value")


def unused(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or with a number where that is taken."""
    names = set(taken)
    if wanted not in names:
        return wanted
    number = 1
    while f"{wanted}_{number}" in names:
        number += 1
    return f"{wanted}_{number}"


def is_builtin(name: str) -> bool:
    """Whether Python itself has something of this name."""
    return hasattr(builtins, name)
