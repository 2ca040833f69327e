"""Reads the printed types of the dialect: `!linnet.tensor<[B, *S, 3 * H], f32>`.

The printed form is the dialect's contract; one cache makes it as quick as an accessor.
"""

import re
from functools import cache

from linnet.core import TensorType
from linnet.signature import Size

_TENSOR = re.compile(r"!linnet\.tensor<\[(.*)\],\s*([^\]>]+)>")
_NUMBER = re.compile(r"-?\d+")
_OPTIONAL = re.compile(r"!linnet\.optional<(.*)>")
_DTYPES = {"i1": "bool", "ui8": "u8", "ui16": "u16", "ui32": "u32", "ui64": "u64"}


def split(text: str) -> list[str]:
    """Return the parts of `text` between the commas outside all brackets, trimmed."""
    parts, depth, start = list[str](), 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    rest = text[start:].strip()
    return [*parts, rest] if rest else parts


@cache
def parse_shape(text: str) -> tuple[list[str], str, bool] | None:
    """Return the dims as written, the element, and whether it is optional; None for no tensor."""
    optional = _OPTIONAL.fullmatch(text)
    tensor = _TENSOR.fullmatch(optional[1] if optional else text)
    if tensor is None:
        return None
    element = tensor[2].strip()
    return split(tensor[1]), _DTYPES.get(element, element), optional is not None


@cache
def parse_static(text: str) -> TensorType:
    """Return a CORE type; ValueError for any other, which is a bug of ours."""
    parsed = parse_shape(text)
    if parsed is None or parsed[2]:
        raise ValueError(f"no CORE type: {text}")
    return TensorType(parsed[1], tuple(parse_dim(dim) for dim in parsed[0]))


def parse_dim(text: str) -> Size:
    """Return a dimension as printed: a number, or an expression over open sizes."""
    text = text.strip().strip('"')
    return int(text) if _NUMBER.fullmatch(text) else text
