"""Which refused claims only follow from another: their operand has a shape that is wrong.

A value whose shape was refused counts as one without a type, as it does in the checker
(spec section 16), unless a missing fact such as `H % Heads == 0` would make the shape right.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import cast

from linnet.checker import (
    Ascribe,
    Assign,
    AssignState,
    Binding,
    For,
    ForEach,
    ForRange,
    Local,
    LocalRef,
    Node,
    Return,
    TypedProgram,
    While,
)


def following(program: TypedProgram, wrong: Iterable[object]) -> set[int]:
    """The identities of all claims on values that come from the `wrong` ones."""
    follow = _Follow({id(claim) for claim in wrong})
    if follow.wrong:
        for body in program.bodies.values():
            follow.visit(body.statements)
    return follow.silent


class _Follow:
    """One walk over the statements of a program, in order."""

    def __init__(self, wrong: set[int]) -> None:
        self.wrong = wrong
        self.silent: set[int] = set()
        self._untyped: set[Local] = set()

    def visit(self, part: object) -> bool:
        """Whether a value has a refused shape; notes the claims on such values."""
        if isinstance(part, tuple):
            # All of them are visited, also behind one that is refused.
            return True in [self.visit(entry) for entry in cast(tuple[object, ...], part)]
        if isinstance(part, LocalRef):
            return part.local in self._untyped
        if isinstance(part, Binding):
            found = self.visit(part.value)
            # A written type stands, whatever the value is.
            if found and not isinstance(part.value, Ascribe):
                self._untyped.update(part.locals)
            return False
        if isinstance(part, Node):
            found = True in [self.visit(getattr(part, inner.name)) for inner in fields(part)]
            claim = getattr(part, "claim", None)
            if found:
                self.silent.add(id(claim))
            return found or id(claim) in self.wrong
        if isinstance(part, For):
            self.visit(part.body)
            if self.visit(part.element) and part.stack is not None:
                self._untyped.add(part.stack)
            return False
        if isinstance(part, Assign | AssignState | Return | ForEach | ForRange | While):
            for inner in fields(part):
                self.visit(getattr(part, inner.name))
        return False
