"""The records of a CORE module. Values are compared by identity, types by content.

Op names are those of the dialect without `linnet.`; the attributes of each:

    constant    literal: bool | int | float (the element type decides how it is rounded)
    iota        axis
    broadcast   axes: operand axis k lies along result axis axes[k]
    transpose   perm
    slice       starts, steps
    concat take axis
    dim_constant  value: an expression over the open sizes, as a number of the result's type
    compare     predicate: eq ne lt le gt ge
    contract    lhs_batch rhs_batch lhs_contract rhs_contract
    reduce      kind: sum prod max min any all; axes
    if          two regions without arguments, each ending in `yield`
    while       two regions over the carried values, ending in `condition` and `yield`
    scope       the body of a call that was kept together (`Request.keep`): one region over the
                operands, ending in `yield`, which may use outer values too, such as members.
                callee: "std.nn.norm::layer_norm", "examples.gpt2::Attention.forward"; kind: fn op
                method; path: of the instance ("blocks.0.attn", "" for the root and for functions);
                names: the operands' names; generics: "H=768", ...; states: the paths of the states
                that the last results give

and without any: splat cast neg abs exp log sqrt rsqrt sin cos tanh not, add sub mul div rem min
max and or xor shl shr, select, reshape, update_slice (operands: input, value, one start per axis),
return.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.signature import Shape, Signature, Size, fixed_shape

Attribute = bool | int | float | str | tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class TensorType:
    """A tensor type; `dtype` is Linnet's name. An open size is an expression over the symbols of
    the entry, as in `linnet.signature.Value`.
    """

    dtype: str
    shape: Shape

    @property
    def is_open(self) -> bool:
        """Whether a size is left to the call."""
        return any(isinstance(size, str) for size in self.shape)

    @property
    def fixed(self) -> tuple[int, ...]:
        """The shape of a type that is not open."""
        return fixed_shape(self.shape)


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """The result of one op, or an argument.

    `name` is that of the `let`, `var` or parameter in the source, as far as it is known; only
    modules with scopes have names.
    """

    type: TensorType
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An operation; `place` is where the user wrote it, as `file:line:column`, or empty."""

    name: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    attributes: Mapping[str, Attribute]
    regions: tuple["Region", ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Arguments and ops in order; the last op is the terminator."""

    arguments: tuple[Value, ...]
    ops: tuple[Op, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """An entry: arguments are inputs, params and buffers, states; results then states [LOW-2]."""

    signature: Signature
    body: Region


@dataclass(frozen=True, slots=True, eq=False)
class CoreModule:
    """The functions by entry name, in the order in which they were asked for.

    `unstored` says, by path, why a param of two axes or more is not held in the narrow dtype that
    was asked for; it is empty where none was.
    """

    functions: Mapping[str, Function]
    unstored: Mapping[str, str] = field(default_factory=dict[str, str])
