"""What a framework says of itself, so that its programs can be written."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from linnet.core import Op, TensorType
from linnet.outline._text import Expr

if TYPE_CHECKING:
    from linnet.outline._body import Body


class Framework(Protocol):
    """How ops of CORE, states and calls are written.

    `reserved` are names that no local may take. With `in_place` a state is written where it
    lies, and `donate` may change its first operand; without, a state is assigned.
    """

    reserved: frozenset[str]
    in_place: bool
    # Bodies of ops that change their first operand and give it back, by the op's full name.
    writers: Mapping[str, tuple[str, ...]]

    def member_name(self, name: str) -> str:
        """What an instance calls a member, a part or a method."""
        ...

    def member_value(self, text: str) -> str:
        """The tensor that a member is, by the text of the member."""
        ...

    def expression(self, op: Op, operands: Sequence[Expr], body: "Body") -> Expr:
        """The text of an op's one result. Its shape may be less than the type's, if it broadcasts
        to it from the right; `operands` are in such form too."""
        ...

    def kernel(self, op: Op, operands: Sequence[Expr], body: "Body") -> Expr | None:
        """The framework's own kernel for a scope, or None to write its body."""
        ...

    def exactly(self, expr: Expr, type_: TensorType, body: "Body") -> Expr:
        """A text that is a tensor of all of the type's shape."""
        ...

    def negated(self, expr: Expr) -> str:
        """`not` of a condition."""
        ...

    def donate(self, op: Op, operands: Sequence[Expr], body: "Body") -> str:
        """A statement that writes `update_slice` into its first operand."""
        ...

    def write_state(self, target: str, value: str) -> str:
        """A statement that gives a state its new value."""
        ...

    def copied(self, expr: Expr) -> Expr:
        """The same elements in storage of their own."""
        ...

    def device_of(self, name: str) -> str:
        """Where the tensor of this name lies."""
        ...

    def dimension(self, name: str, axis: int) -> str:
        """The size of an axis of the tensor of this name."""
        ...
