"""The records. A signature lists arguments and results in the order of the CORE function:
inputs, then params and buffers in manifest order, then states -> results, then states [LOW-2].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from linnet.signature._dtypes import numpy_dtype
from linnet.signature._sizes import Shape, Size, fixed_shape

if TYPE_CHECKING:
    import numpy as np

Kind = Literal["param", "buffer", "state"]
Role = Literal["values", "scale", "zero"]


def show(dtype: str, shape: Sequence[Size]) -> str:
    """Return a tensor type as a user writes it: `Tensor[2, 3; f32]`, or `f32` for a scalar."""
    if not shape:
        return dtype
    return f"Tensor[{', '.join(map(str, shape))}; {dtype}]"


@dataclass(frozen=True, slots=True)
class Value:
    """An input, with the name of its parameter, or a result.

    One result is `result`, several are `result.0`, …; a field's is `result.low` [LAT-3]. A size
    that a call decides is an expression over the entry's symbols: `S`, `3 * S`.
    """

    name: str
    dtype: str
    shape: Shape

    @property
    def fixed(self) -> tuple[int, ...]:
        """The shape of a value whose sizes are all numbers."""
        return fixed_shape(self.shape)

    @property
    def numpy(self) -> "np.dtype[np.generic]":
        """The dtype in NumPy."""
        return numpy_dtype(self.dtype)

    def __str__(self) -> str:
        return show(self.dtype, self.shape)


@dataclass(frozen=True, slots=True)
class Stored:
    """How a param is held where that is not as the program has it.

    `path`, `dtype` and `shape` are those of the program's param. `scheme` is `bf16`, `f16`,
    `int8` or `int4`; `role` says whether the member holds the values, their scales or their
    zeros. The scales of `int8` lie along `axis` of the param, and so do the rows of `int4`, which
    have a scale and a zero for each `group` of elements.
    """

    path: str
    dtype: str
    shape: tuple[int, ...]
    scheme: str
    role: Role
    axis: int
    group: int | None = None

    def __str__(self) -> str:
        return show(self.dtype, self.shape)


@dataclass(frozen=True, slots=True)
class Member:
    """A param, buffer or state by its path [PTH-1]; `optional` as in [PTH-2].

    A param that is `stored` narrow has the dtype and shape in which it is held; its scales are a
    member of their own right behind it, `PATH.scale`, and so are the zeros of `int4`, `PATH.zero`.
    """

    path: str
    kind: Kind
    dtype: str
    shape: tuple[int, ...]
    optional: bool = False
    stored: Stored | None = None

    @property
    def numpy(self) -> "np.dtype[np.generic]":
        """The dtype in NumPy."""
        return numpy_dtype(self.dtype)

    def __str__(self) -> str:
        return show(self.dtype, self.shape)


@dataclass(frozen=True, slots=True)
class Signature:
    """One entry at fixed generics.

    `generics` are the entry's own, `bindings` those of the root; sizes are numbers, dtypes
    names. `params` holds buffers as well, in manifest order. `symbols` are the sizes that stay
    open, for each call to choose, and `constraints` what must hold of them: `S <= 1024`.
    """

    entry: str
    root: str | None
    generics: Mapping[str, int | str]
    bindings: Mapping[str, int | str]
    inputs: tuple[Value, ...]
    params: tuple[Member, ...]
    states: tuple[Member, ...]
    results: tuple[Value, ...]
    symbols: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()

    def __str__(self) -> str:
        generics = ", ".join(f"{name} = {value}" for name, value in self.generics.items())
        inputs = ", ".join(f"{value.name}: {value}" for value in self.inputs)
        results = ", ".join(map(str, self.results))
        generics = ", ".join([*self.symbols, *([generics] if generics else [])])
        shown = f"<{generics}>" if generics else ""
        return f"{self.entry}{shown}({inputs}) -> ({results})"
