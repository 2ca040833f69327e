"""Pieces of Python text, and the sizes in them that are not decided yet.

A size, or a number that may stem from one, stands in a text as a hole: `HOLE_START`, what it is at
this call (`768`, `S`, `3 * S`), `HOLE_END`. Texts that differ only in their holes are one function
whose holes are arguments, sizes of arguments, or plain numbers; `_merge` decides that. `DEVICE`
stands for where new tensors are made.
"""

import re
from dataclasses import dataclass, replace

from linnet.signature import Shape, Size

HOLE_START, HOLE_END, DEVICE = "\x01", "\x02", "\x03"
_HOLE = re.compile("\x01([^\x02]*)\x02")
_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
# How tightly a text binds, as Python has it.
ATOM, UNARY, PRODUCT, SUM, SHIFT, AND, XOR, OR, COMPARE, LOOSE = range(10)


@dataclass(frozen=True, slots=True)
class Expr:
    """The text of a value.

    `shape` is what the text gives, which broadcasts to the value's own type from the right.
    `cost` counts the operations in it. `literal` is a Python number. `reads` and `writes` are
    states by path; `aliases` names what the storage may be shared with: states and parameters.
    """

    text: str
    shape: Shape = ()
    binding: int = ATOM
    cost: int = 0
    literal: bool = False
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()

    def at(self, binding: int) -> str:
        """The text as an operand of something that binds this tightly."""
        return self.text if self.binding <= binding else f"({self.text})"

    @property
    def atom(self) -> str:
        """The text as it stands before a dot or a bracket."""
        return self.at(ATOM)

    @property
    def names(self) -> set[str]:
        """The Python names in the text."""
        return set(_WORD.findall(self.text))

    def of(self, text: str, binding: int = ATOM, shape: Shape | None = None) -> "Expr":
        """The same value seen through a text of one more operation."""
        shape = self.shape if shape is None else shape
        return replace(self, text=text, binding=binding, shape=shape, cost=self.cost + 1)


def hole(size: Size | float) -> str:
    """The text of a size that may become a name."""
    return f"{HOLE_START}{size}{HOLE_END}"


def holes(text: str) -> list[str]:
    """What stands in the holes of a text, in order."""
    return _HOLE.findall(text)


def skeleton(text: str) -> str:
    """The text with its holes emptied: what calls of one function have in common."""
    return _HOLE.sub(HOLE_START, text)


def fill(text: str, values: "list[str]") -> str:
    """The text with these in its holes, in order."""
    rest = iter(values)
    return _HOLE.sub(lambda _: next(rest), text)


def shown(text: str) -> str:
    """The text as it is at this call; for measuring its length."""
    return _HOLE.sub(lambda found: found[1], text).replace(DEVICE, "x.device")
