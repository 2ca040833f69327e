"""One line of the table: a CORE function of one op, or of a few, its inputs and how near is near.

A case is written once for a family of dtypes; in its shapes and attributes `None` stands for the
dtype at hand. Inputs come from a function of the dtype; every result must be defined [NUM-2]
[NUM-3] [NUM-5] [PRE-5], since evaluators may differ where the language says nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from linnet.core import Attribute, Function, Op, Region, TensorType, Value
from linnet.signature import Signature, numpy_dtype
from linnet.signature import Value as Port

Array = NDArray[Any]
FLOATS = ("f16", "bf16", "f32", "f64")
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED
NUMBERS = INTEGERS + FLOATS
ALL = ("bool", *NUMBERS)
# The distance from 1 to the next number.
EPS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}

Shape = tuple[int, ...]
Inputs = Callable[[str], Sequence[Array]]
Build = Callable[[str, "Body"], Sequence[Value]]


class Body:
    """Collects the ops of a function; `arguments` are its parameters."""

    def __init__(self, arguments: Sequence[Value]) -> None:
        self.arguments = tuple(arguments)
        self.ops: list[Op] = []

    def op(
        self,
        name: str,
        operands: Iterable[Value],
        dtype: str,
        shape: Shape,
        regions: tuple[Region, ...] = (),
        **attributes: Attribute,
    ) -> Value:
        result = Value(TensorType(dtype, shape))
        self.ops.append(Op(name, tuple(operands), (result,), attributes, regions))
        return result

    def region(self, terminator: str, results: Sequence[Value]) -> Region:
        return Region(self.arguments, (*self.ops, Op(terminator, tuple(results), (), {})))


@dataclass(frozen=True)
class Case:
    """`ulps` is the distance allowed in units of the last place; `scaled` counts them at the
    largest element instead, for sums."""

    name: str
    dtypes: tuple[str, ...]
    inputs: Inputs
    build: Build
    ulps: float = 0
    scaled: bool = False

    @property
    def family(self) -> str:
        """The op: the cases of a family are one function, so that a backend compiles few."""
        return self.name.split("-")[0]

    def differs(self, found: Array, wanted: Array, flushes: bool) -> str:
        """Say how `found` is not what it should be, or nothing.

        `flushes` is an evaluator that may give zero for a number below the least normal one.
        """
        if found.dtype != wanted.dtype or found.shape != wanted.shape:
            return f"{found.dtype}{found.shape} for {wanted.dtype}{wanted.shape}"
        name = name_of(wanted)
        if name not in FLOATS:
            return "" if np.array_equal(found, wanted) else f"{shown(found)} for {shown(wanted)}"
        got, want = found.astype(np.float64), wanted.astype(np.float64)
        finite = np.isfinite(want)
        if not np.array_equal(got[~finite], want[~finite], equal_nan=True):
            return f"{shown(got[~finite])} for {shown(want[~finite])}"
        size = np.abs(want[finite])
        if self.scaled:
            size = np.full_like(size, size.max(initial=0.0))
        # Below the least normal number the units no longer shrink.
        least = float(ml_dtypes.finfo(numpy_dtype(name)).smallest_normal)
        reach = self.ulps * EPS[name] * np.maximum(size, least)
        missed = ~(np.abs(got[finite] - want[finite]) <= reach)
        if flushes:
            missed &= (got[finite] != 0) | (np.abs(want[finite]) >= least)
        return f"{got[finite][missed][:6]} for {want[finite][missed][:6]}" if missed.any() else ""


@dataclass(frozen=True)
class Family:
    """A function that is several cases side by side: their inputs, and whose each result is."""

    function: Function
    inputs: list[Array]
    owners: list[Case]


def together(name: str, cases: Sequence[Case], dtype: str) -> Family:
    """Return the function of all the cases in one dtype."""
    whole = Body(())
    arguments: list[Value] = []
    inputs: list[Array] = []
    results: list[Value] = []
    owners: list[Case] = []
    for case in cases:
        arrays = list(case.inputs(dtype))
        body = Body([Value(TensorType(name_of(array), array.shape)) for array in arrays])
        given = case.build(dtype, body)
        whole.ops += body.ops
        arguments += body.arguments
        inputs += arrays
        results += given
        owners += [case] * len(given)
    takes = (Port(f"x{i}", v.type.dtype, v.type.shape) for i, v in enumerate(arguments))
    gives = (Port(f"result.{i}", v.type.dtype, v.type.shape) for i, v in enumerate(results))
    signature = Signature(name, None, {}, {}, tuple(takes), (), (), tuple(gives))
    whole.arguments = tuple(arguments)
    return Family(Function(signature, whole.region("return", results)), inputs, owners)


def shown(array: Array) -> str:
    text = str(array.tolist())
    return text if len(text) < 600 else f"{text[:600]} …"


def name_of(array: Array) -> str:
    """Linnet's name of an array's dtype."""
    return next(name for name in ALL if numpy_dtype(name) == array.dtype)


def one(name: str, shape: Shape, gives: str | None = None, **attributes: Attribute) -> Build:
    """A function that is one op over all arguments."""

    def build(dtype: str, body: Body) -> Sequence[Value]:
        return [body.op(name, body.arguments, gives or dtype, shape, **attributes)]

    return build
