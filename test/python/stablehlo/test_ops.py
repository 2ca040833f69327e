"""Every CORE op × dtype, on the reference, XLA and IREE. NumPy's own words check the reference.

One module holds all functions of a dtype, so that a backend compiles a dozen times, not a thousand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from linnet.backends import Module
from linnet.backends.iree import IreeInstance, compile_entries
from linnet.backends.xla import XlaInstance, compile_entry
from linnet.core import Attribute, CoreModule, Function, Op, Region, TensorType, Value
from linnet.errors import CapabilityError
from linnet.reference import run
from linnet.signature import Signature, numpy_dtype
from linnet.signature import Value as Port
from linnet.stablehlo import build

FLOATS = ("f16", "bf16", "f32", "f64")
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED
NUMBERS = INTEGERS + FLOATS
ALL = ("bool", *NUMBERS)
ARITHMETIC = ("add", "sub", "mul", "div", "rem", "min", "max")
# IREE 3.13 calls a C library for these in f64, which its code is not linked to.
LACKING_ON_IREE = ("sin", "cos", "tanh", "rem")


@dataclass(frozen=True)
class Case:
    """One op on operands of the case's dtype, or of the one named."""

    op: str
    dtypes: tuple[str, ...]
    operands: tuple[tuple[tuple[int, ...], str | None], ...]
    result: tuple[tuple[int, ...], str | None]
    attributes: dict[str, Attribute]
    name: str


def case(
    op: str,
    dtypes: tuple[str, ...],
    *shapes: tuple[int, ...],
    to: tuple[int, ...] | None = None,
    kinds: tuple[str | None, ...] = (),
    gives: str | None = None,
    label: str = "",
    **attributes: Attribute,
) -> Case:
    operands = tuple(
        (shape, kinds[i] if i < len(kinds) else None) for i, shape in enumerate(shapes)
    )
    result = (shapes[0] if to is None else to, gives)
    return Case(op, dtypes, operands, result, attributes, f"{op}{label}")


def compares() -> list[Case]:
    return [
        case(
            "compare",
            ALL if name in ("eq", "ne") else NUMBERS,
            (2, 3),
            (2, 3),
            gives="bool",
            label=f"_{name}",
            predicate=name,
        )
        for name in ("eq", "ne", "lt", "le", "gt", "ge")
    ]


CASES: list[Case] = [
    *(case(op, NUMBERS, (2, 3)) for op in ("neg", "abs")),
    *(case(op, FLOATS, (2, 3)) for op in ["exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh"]),
    case("not", ("bool", *INTEGERS), (2, 3)),
    *(case(op, NUMBERS, (2, 3), (2, 3)) for op in ARITHMETIC),
    *(case(op, ("bool", *INTEGERS), (2, 3), (2, 3)) for op in ("and", "or", "xor")),
    *(case(op, INTEGERS, (2, 3), (2, 3)) for op in ("shl", "shr")),
    *compares(),
    case("select", ALL, (2, 3), (2, 3), (2, 3), kinds=("bool",)),
    *(case("cast", ALL, (2, 3), gives=to, label=f"_{to}") for to in ALL),
    case("constant", NUMBERS, to=(2, 3), literal=3, label="_integer"),
    case("constant", FLOATS, to=(2, 3), literal=0.1, label="_float"),
    case("constant", ("bool",), to=(2, 3), literal=True, label="_bool"),
    case("iota", NUMBERS, to=(2, 5), axis=1),
    case("splat", ALL, (), to=(2, 3)),
    case("broadcast", ALL, (3, 1), to=(2, 3, 4), axes=(1, 2)),
    case("reshape", ALL, (2, 6), to=(3, 4)),
    case("transpose", ALL, (2, 3, 4), to=(4, 2, 3), perm=(2, 0, 1)),
    case("slice", ALL, (5, 6), to=(2, 3), starts=(1, 0), steps=(1, 2)),
    case("slice", ALL, (5, 6), to=(0, 6), starts=(7, 0), steps=(1, 1), label="_empty"),
    case("concat", ALL, (2, 3), (2, 1), to=(2, 4), axis=1),
    *(
        case("take", ALL, (3, 4), (5,), to=(3, 5), kinds=(None, index), axis=1, label=f"_{index}")
        for index in ("i32", "i64", "u8")
    ),
    case("take", ALL, (3, 4), (), to=(4,), kinds=(None, "i32"), axis=0, label="_row"),
    case("update_slice", ALL, (4, 5), (2, 1), (), (), to=(4, 5), kinds=(None, None, "i32", "i32")),
    case(
        "contract",
        NUMBERS,
        (2, 3, 4),
        (4, 2, 5),
        to=(2, 3, 5),
        lhs_batch=(0,),
        rhs_batch=(1,),
        lhs_contract=(2,),
        rhs_contract=(0,),
    ),
    case(
        "contract",
        ("f16", "bf16"),
        (3, 4),
        (5, 4),
        to=(3, 5),
        gives="f32",
        label="_wide",
        lhs_batch=(),
        rhs_batch=(),
        lhs_contract=(1,),
        rhs_contract=(1,),
    ),
    *(
        case("reduce", NUMBERS, (2, 3, 4), to=(3,), kind=kind, axes=(0, 2), label=f"_{kind}")
        for kind in ("sum", "prod", "max", "min")
    ),
    *(
        case("reduce", ("bool",), (2, 3, 4), to=(3,), kind=kind, axes=(0, 2), label=f"_{kind}")
        for kind in ("any", "all")
    ),
    *(
        case("reduce", NUMBERS, (2, 0), to=(2,), kind=kind, axes=(1,), label=f"_{kind}_of_none")
        for kind in ("sum", "prod", "max", "min")
    ),
]


def function(item: Case, dtype: str) -> Function:
    operands = tuple(Value(TensorType(kind or dtype, shape)) for shape, kind in item.operands)
    shape, gives = item.result
    result = Value(TensorType(gives or dtype, shape))
    op = Op(item.op, operands, (result,), item.attributes)
    inputs = tuple(
        Port(f"x{i}", value.type.dtype, value.type.shape) for i, value in enumerate(operands)
    )
    port = Port("result", result.type.dtype, result.type.shape)
    signature = Signature(item.name, None, {}, {}, inputs, (), (), (port,))
    return Function(signature, Region(operands, (op, Op("return", (result,), (), {}))))


def values(rng: np.random.Generator, port: Port, item: Case) -> np.ndarray[Any, Any]:
    """Inputs with a defined result: no division by zero, no shift beyond the width."""
    dtype = numpy_dtype(port.dtype)
    second = port.name == "x1"
    if port.dtype == "bool":
        return rng.integers(0, 2, port.shape).astype(np.bool_)
    if port.dtype in FLOATS:
        x = rng.uniform(0.25 if item.op in ("log", "sqrt", "rsqrt") else -4, 4, port.shape)
        if item.op == "cast" and "_u" in item.name:
            x = abs(x)
        return x.astype(dtype)
    low = 0 if port.dtype in UNSIGNED else -5
    if item.op in ("take", "update_slice") and port.dtype in ("i32", "i64", "u8"):
        return rng.integers(low, 9, port.shape).astype(dtype)
    if second and item.op in ("div", "rem"):
        return rng.integers(1, 4, port.shape).astype(dtype)
    if second and item.op in ("shl", "shr"):
        return rng.integers(0, dtype.itemsize * 8, port.shape).astype(dtype)
    return rng.integers(low, 9, port.shape).astype(dtype)


@dataclass(frozen=True)
class Table:
    """The functions of one dtype, their inputs, and what the reference says."""

    core: CoreModule
    modules: list[Module]
    inputs: dict[str, list[np.ndarray[Any, Any]]]
    wanted: dict[str, np.ndarray[Any, Any]]


def table(dtype: str) -> Table:
    rng = np.random.default_rng(7)
    cases = [item for item in CASES if dtype in item.dtypes]
    core = CoreModule({item.name: function(item, dtype) for item in cases})
    inputs = {
        item.name: [values(rng, port, item) for port in core.functions[item.name].signature.inputs]
        for item in cases
    }
    wanted = {name: run(core, name, arguments)[0] for name, arguments in inputs.items()}
    modules = [
        Module(name, core.functions[name].signature, build(core, {"main": name}).portable())
        for name in core.functions
    ]
    return Table(core, modules, inputs, wanted)


def differences(
    made: Table, call: Callable[[str, list[np.ndarray[Any, Any]]], list[Any]], dtype: str
) -> list[str]:
    tolerance = {"f16": 4e-3, "bf16": 3e-2, "f32": 2e-6, "f64": 1e-12}.get(dtype, 0.0)
    found: list[str] = []
    for name, want in made.wanted.items():
        got = np.asarray(call(name, made.inputs[name])[0])
        if got.dtype != want.dtype or got.shape != want.shape:
            found.append(f"{name}: {got.dtype}{got.shape} for {want.dtype}{want.shape}")
        elif not np.allclose(
            got.astype(np.float64), want.astype(np.float64), rtol=tolerance, atol=tolerance
        ):
            found.append(f"{name}: got {got.tolist()}, want {want.tolist()}")
    return found


@pytest.mark.parametrize("dtype", ALL)
def test_xla_agrees_with_the_reference_on_every_op(dtype: str) -> None:
    made = table(dtype)
    instance = XlaInstance({})
    for module in made.modules:
        code = compile_entry(module, isolated=False)
        instance.add(module.function, module.signature, code)
    assert differences(made, instance.call, dtype) == []


@pytest.mark.parametrize("dtype", ALL)
def test_iree_agrees_with_the_reference_on_every_op(dtype: str) -> None:
    made = table(dtype)
    lacking = LACKING_ON_IREE if dtype == "f64" else ()
    kept = [m for m in made.modules if m.function not in lacking]
    wanted = {name: value for name, value in made.wanted.items() if name not in lacking}
    made = Table(made.core, kept, made.inputs, wanted)
    instance = IreeInstance({})
    signatures = {module.function: module.signature for module in made.modules}
    instance.add(signatures, compile_entries(made.modules))
    assert differences(made, instance.call, dtype) == []


@pytest.mark.parametrize("name", LACKING_ON_IREE)
def test_iree_says_which_f64_functions_it_lacks(name: str) -> None:
    core = CoreModule({name: function(next(c for c in CASES if c.name == name), "f64")})
    module = Module(name, core.functions[name].signature, build(core).portable())
    with pytest.raises(CapabilityError, match="target cpu has no"):
        compile_entries([module])
