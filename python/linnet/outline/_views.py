"""Shapes, views and positions as NumPy's kin write them: the same text for every framework."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from linnet.core import Value
from linnet.outline._text import Expr, hole
from linnet.signature import Shape, Size

if TYPE_CHECKING:
    from linnet.outline._body import Body


def size_text(size: Size) -> str:
    """A size as it stands in the text."""
    return hole(size)


def shape_text(shape: Sequence[Size]) -> str:
    """A shape as a tuple."""
    parts = [size_text(size) for size in shape]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def list_text(shape: Sequence[Size]) -> str:
    """A shape as arguments of a method, or an empty tuple."""
    return ", ".join(size_text(size) for size in shape) or "()"


def together(*shapes: Shape) -> Shape:
    """The shape that broadcasting gives."""
    rank = max(map(len, shapes), default=0)
    result: list[Size] = []
    for axis in range(-rank, 0):
        sizes = [shape[axis] for shape in shapes if len(shape) >= -axis]
        result.append(next((size for size in sizes if size != 1), 1))
    return tuple(result)


def placed(x: Expr, axes: Sequence[int], rank: int) -> Expr:
    """An operand whose last axes lie along `axes` of `rank`, with axes of one element between."""
    have = len(x.shape)
    axes = axes[len(axes) - have :]
    if list(axes) != sorted(axes):
        order = sorted(range(have), key=lambda k: axes[k])
        x = x.of(
            f"{x.atom}.permute({', '.join(map(str, order))})",
            shape=tuple(x.shape[k] for k in order),
        )
        axes = sorted(axes)
    if not axes:
        return x
    first = axes[0]
    missing = [axis for axis in range(first, rank) if axis not in axes]
    if not missing:
        return x
    parts = ["None" if axis in missing else ":" for axis in range(missing[0], rank)]
    shape = list(x.shape)
    for axis in missing:
        shape.insert(axis - first, 1)
    # The axes before the first new one, as far as there are any.
    lead = missing[0] - first
    if parts == ["None"]:
        return x.of(f"{x.atom}[..., None]", shape=tuple(shape))
    while parts[-1] == ":" and lead <= 2:
        parts.pop()
    if parts and lead <= 2 and len(parts) < rank - missing[0]:
        return x.of(f"{x.atom}[{', '.join([':'] * lead + parts)}]", shape=tuple(shape))
    return x.of(f"{x.atom}[{', '.join(['...', *parts])}]", shape=tuple(shape))


_LAST_INDEX = re.compile(r"(?s)(.*)\[([^\[\]]*)\]")


def selected(x: Expr, shape: Shape) -> Expr | None:
    """`x[:, 0]` for a part of one element whose axis goes away."""
    found = _LAST_INDEX.fullmatch(x.text)
    if found is None or len(shape) != len(x.shape) - 1:
        return None
    parts = found[2].split(", ")
    axis = len(parts) - 1
    if parts[0] == "..." or parts[:axis] != [":"] * axis or x.shape[axis] != 1:
        return None
    if (*x.shape[:axis], *x.shape[axis + 1 :]) != shape:
        return None
    first, colon, last = parts[axis].partition(":")
    if not colon or ":" in last:
        return None
    at = first or "0"
    return x.of(f"{found[1]}[{', '.join([*parts[:axis], at])}]", shape=shape)


def inserted(old: Shape, new: Shape) -> int | None:
    if len(new) != len(old) + 1:
        return None
    for axis in range(len(new)):
        if new[axis] == 1 and (*new[:axis], *new[axis + 1 :]) == old:
            return axis
    return None


def range_text(start: Size, step: int, size: Size, whole: Size) -> str:
    if start == 0 and step == 1 and size == whole:
        return ":"
    if isinstance(start, int) and isinstance(size, int):
        stop = start + (size - 1) * step + 1 if size else start
        end = "" if stop == whole else size_text(stop)
        begin = "" if start == 0 else size_text(start)
    elif step == 1 and start == 0:
        begin, end = "", size_text(size)
    else:
        begin = size_text(start)
        end = f"{size_text(start)} + {size_text(size)}"
        if step != 1:
            end = f"{size_text(start)} + {size_text(size)} * {step}"
        if size == 1 and isinstance(whole, str) and start == f"{whole} - 1":
            begin, end = "-1", ""
    return f"{begin}:{end}" + (f":{step}" if step != 1 else "")


def index_text(parts: list[str]) -> str:
    """The parts of an index; leading whole axes as dots, trailing ones left out."""
    used = [number for number, part in enumerate(parts) if part != ":"]
    if not used:
        return "..."
    if used[0] == len(parts) - 1 and len(parts) > 1:
        return f"..., {parts[-1]}"
    return ", ".join(parts[: used[-1] + 1])


def size_less(size: Size, span: Size) -> str:
    if isinstance(size, int) and isinstance(span, int):
        return size_text(size - span)
    if size == span:
        return "0"
    return f"{size_text(size)} - {size_text(span)}"


def bounded(value: Value, size: Size, span: Size, body: "Body") -> bool:
    """Whether positions are inside an axis by how they are computed."""
    op = body.definition(value)
    while op is not None and op.name in ("cast", "broadcast", "reshape", "splat"):
        op = body.definition(op.operands[0])
    if op is None or not (isinstance(size, int) and isinstance(span, int)):
        return False
    if op.name == "iota":
        length = op.results[0].type.shape[cast(int, op.attributes["axis"])]
        return isinstance(length, int) and length <= size
    if op.name != "max":
        return False
    inner = body.definition(op.operands[0])
    least = literal_of(op.operands[1], body)
    if inner is None or inner.name != "min" or least is None or least < 0:
        return False
    most = literal_of(inner.operands[1], body)
    return most is not None and least <= most <= size - span


def literal_of(value: Value, body: "Body") -> int | None:
    op = body.definition(value)
    while op is not None and op.name in ("cast", "broadcast", "splat"):
        op = body.definition(op.operands[0])
    literal = op.attributes["literal"] if op is not None and op.name == "constant" else None
    return literal if isinstance(literal, int) and not isinstance(literal, bool) else None
