"""PyTorch as the outline knows it: ops, kernels, states in place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from linnet.backends.torch._kernels import IN_PLACE, kernel
from linnet.backends.torch._ops import EXPRESSIONS, exactly, update_call
from linnet.core import Op, TensorType
from linnet.outline import UNARY, Body, Expr, python_name

Numerics = Literal["exact", "equivalent", "fast"]
# What `nn.Module` has, apart from `forward`.
_MODULE = frozenset(
    [
        "T_destination",
        "add_module",
        "apply",
        "bfloat16",
        "buffers",
        "call_super_init",
        "children",
        "compile",
        "cpu",
        "cuda",
        "double",
        "dump_patches",
        "eval",
        "extra_repr",
        "float",
        "get_buffer",
        "get_extra_state",
        "get_parameter",
        "get_submodule",
        "half",
        "ipu",
        "load_state_dict",
        "modules",
        "mtia",
        "named_buffers",
        "named_children",
        "named_modules",
        "named_parameters",
        "parameters",
        "register_backward_hook",
        "register_buffer",
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
        "register_load_state_dict_post_hook",
        "register_load_state_dict_pre_hook",
        "register_module",
        "register_parameter",
        "register_state_dict_post_hook",
        "register_state_dict_pre_hook",
        "requires_grad_",
        "set_extra_state",
        "set_submodule",
        "share_memory",
        "state_dict",
        "to",
        "to_empty",
        "train",
        "training",
        "type",
        "xpu",
        "zero_grad",
    ]
)


class Torch:
    """How PyTorch says it. States are buffers that are written in place."""

    reserved = frozenset({"torch", "F", "nn", "Tensor", "math"})
    in_place = True

    def __init__(self, numerics: Numerics, renamed: Mapping[str, str] | None = None) -> None:
        self._numerics = numerics
        self._renamed = renamed or {}
        self.writers: Mapping[str, tuple[str, ...]] = {} if numerics == "exact" else IN_PLACE

    def member_name(self, name: str) -> str:
        """What a module calls a member: nothing that `nn.Module` has by that name."""
        plain = python_name(self._renamed.get(name, name))
        return f"{plain}_" if plain in _MODULE else plain

    def path(self, path: str) -> str:
        """The path of a member in the module, for one of Linnet's."""
        parts = path.split(".")
        return ".".join(
            part if part.isdigit() or part == "{}" else self.member_name(part) for part in parts
        )

    def member_value(self, text: str) -> str:
        """A parameter or a buffer is its tensor."""
        return text

    def expression(self, op: Op, operands: Sequence[Expr], body: Body) -> Expr:
        """The text of an op."""
        return EXPRESSIONS[op.name](op, operands, body)

    def kernel(self, op: Op, operands: Sequence[Expr], body: Body) -> Expr | None:
        """A kernel of PyTorch for an op of `std`, where the numerics allow one."""
        if self._numerics == "exact":
            return None
        return kernel(op, operands, body)

    def exactly(self, expr: Expr, type_: TensorType, body: Body) -> Expr:
        """A tensor of all of the type's shape."""
        return exactly(expr, type_, body)

    def negated(self, expr: Expr) -> str:
        """`not` of a condition, as Python has it."""
        return f"not {expr.text}" if expr.binding <= UNARY else f"not ({expr.text})"

    def donate(self, op: Op, operands: Sequence[Expr], body: Body) -> str:
        """A write into the first operand."""
        return update_call(op, operands, body, in_place=True)

    def write_state(self, target: str, value: str) -> str:
        """A write of all of a buffer."""
        return f"{target}.copy_({value})"

    def copied(self, expr: Expr) -> Expr:
        """The elements in storage of their own."""
        return replace(expr.of(f"{expr.atom}.clone()"), aliases=frozenset(), reads=expr.reads)

    def device_of(self, name: str) -> str:
        """Where a tensor lies; of an instance without members of its own, its first one."""
        if name == "self":
            return "_device_of(self)"
        return f"{name}.device"

    def dimension(self, name: str, axis: int) -> str:
        """The size of an axis."""
        return f"{name}.shape[{axis}]"
