"""JAX as the outline knows it: ops, and states that are assigned."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from linnet.backends.jax._kernels import kernel
from linnet.backends.jax._ops import EXPRESSIONS, exactly
from linnet.core import Op, TensorType
from linnet.errors import InternalError
from linnet.outline import UNARY, Body, Expr, python_name

Numerics = Literal["exact", "equivalent", "fast"]
Form = Literal["jax", "nnx"]
# What `nnx.Module` has.
_MODULE: Final = frozenset(
    ["eval", "iter_children", "iter_modules", "perturb", "set_attributes", "sow", "train"]
)


class Jax:
    """How JAX says it. A state is assigned to the instance that holds it.

    In the form `nnx` members are variables: a state is written into its own.
    """

    in_place = False

    def __init__(self, numerics: Numerics, form: Form) -> None:
        self._numerics = numerics
        self._form = form
        self.reserved = frozenset({"jax", "jnp", "lax", "nnx", "Array", "Module"})
        self.writers: Mapping[str, tuple[str, ...]] = {}

    def member_name(self, name: str) -> str:
        """What an instance calls a member: nothing that an `nnx.Module` has by that name."""
        plain = python_name(name)
        return f"{plain}_" if self._form == "nnx" and plain in _MODULE else plain

    def member_value(self, text: str) -> str:
        """The array of a member."""
        return f"{text}[...]" if self._form == "nnx" else text

    def expression(self, op: Op, operands: Sequence[Expr], body: Body) -> Expr:
        """The text of an op."""
        return EXPRESSIONS[op.name](op, operands, body)

    def kernel(self, op: Op, operands: Sequence[Expr], body: Body) -> Expr | None:
        """A function of `jax.nn` for an op of `std`, where the numerics allow one."""
        return None if self._numerics == "exact" else kernel(op, operands, body)

    def exactly(self, expr: Expr, type_: TensorType, body: Body) -> Expr:
        """An array of all of the type's shape."""
        return exactly(expr, type_)

    def negated(self, expr: Expr) -> str:
        """`not` of a condition, as Python has it."""
        return f"not {expr.text}" if expr.binding <= UNARY else f"not ({expr.text})"

    def donate(self, op: Op, operands: Sequence[Expr], body: Body) -> str:
        """Arrays of JAX are never changed: an outline that is not `in_place` asks for no such."""
        raise InternalError("an array of JAX was to be written in place")

    def write_state(self, target: str, value: str) -> str:
        """The new value of a state."""
        return f"{self.member_value(target)} = {value}"

    def copied(self, expr: Expr) -> Expr:
        """Arrays are never changed, so each keeps its value."""
        return expr

    def device_of(self, name: str) -> str:
        """JAX places arrays itself."""
        return name

    def dimension(self, name: str, axis: int) -> str:
        """The size of an axis."""
        return f"{name}.shape[{axis}]"
