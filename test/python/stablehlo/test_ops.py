"""Every CORE op in every dtype on four evaluators: the reference, StableHLO's own interpreter, XLA
and IREE.

The interpreter is what StableHLO means, so it checks our lowering; XLA and IREE compile the same
text. All must agree with the reference, to the last bit where the language leaves no choice. What
an evaluator cannot do is listed below, and refused in words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from linnet.backends import Module
from linnet.backends.iree import IreeInstance, compile_entries
from linnet.backends.xla import XlaInstance, compile_entry
from linnet.core import CoreModule, Region
from linnet.errors import CapabilityError
from linnet.reference import run
from linnet.stablehlo import build
from linnet.stablehlo._elementwise import ELEMENTWISE
from linnet.stablehlo._structured import STRUCTURED
from oracle import stablehlo_interpreter
from stablehlo._case import ALL, Array, Case, Family, together
from stablehlo._table import CASES

Call = Callable[[str, list[Array]], Sequence[Array]]
# IREE 3.13 calls a C library for these in f64, which its code is not linked to.
LACKING = {("iree", "f64"): ("sin", "cos", "tanh", "rem")}
EVALUATORS = ("interpreter", "xla", "iree")


@dataclass(frozen=True)
class Table:
    """The functions of one dtype, and what the reference says of each."""

    families: Mapping[str, Family]
    core: CoreModule
    wanted: Mapping[str, list[Array]]

    def modules(self, names: Sequence[str]) -> list[Module]:
        functions = self.core.functions
        return [
            Module(name, functions[name].signature, build(self.core, {"main": name}).portable())
            for name in names
        ]


@cache
def table(dtype: str) -> Table:
    groups: dict[str, list[Case]] = {}
    for case in CASES:
        if dtype in case.dtypes:
            groups.setdefault(case.family, []).append(case)
    families = {name: together(name, cases, dtype) for name, cases in groups.items()}
    core = CoreModule({name: family.function for name, family in families.items()})
    wanted = {name: run(core, name, family.inputs) for name, family in families.items()}
    return Table(families, core, wanted)


def evaluator(name: str, made: Table, functions: Sequence[str]) -> Call:
    if name == "interpreter":
        return lambda function, inputs: stablehlo_interpreter.run(made.core, function, inputs)
    modules = made.modules(functions)
    if name == "iree":
        iree = IreeInstance({})
        iree.add({m.function: m.signature for m in modules}, compile_entries(modules))
        return iree.call
    xla = XlaInstance({})
    for module in modules:
        xla.add(module.function, module.signature, compile_entry(module, isolated=False))
    return xla.call


def differences(
    made: Table, call: Call, functions: Sequence[str], flushes: bool = False
) -> list[str]:
    found: list[str] = []
    for function in functions:
        family = made.families[function]
        results = call(function, family.inputs)
        for case, got, want in zip(family.owners, results, made.wanted[function], strict=True):
            if difference := case.differs(got, want, flushes):
                found.append(f"{case.name}: {difference}")
    return found


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", EVALUATORS)
def test_agrees_with_the_reference(name: str, dtype: str) -> None:
    made = table(dtype)
    lacking = LACKING.get((name, dtype), ())
    kept = [family for family in made.families if family not in lacking]
    # The code of both compilers runs with subnormal results taken for zero.
    found = differences(made, evaluator(name, made, kept), kept, name != "interpreter")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "dtype", "family"),
    [(*key, family) for key, names in LACKING.items() for family in names],
)
def test_what_a_target_lacks_is_a_capability_error(name: str, dtype: str, family: str) -> None:
    with pytest.raises(CapabilityError, match="target cpu has no"):
        evaluator(name, table(dtype), [family])


def test_the_table_holds_every_op() -> None:
    """Those that StableHLO is built from, and each of its reductions and predicates."""
    ops: set[str] = set()

    def walk(region: Region) -> None:
        for op in region.ops:
            ops.add(op.name)
            for key in ("kind", "predicate"):
                if key in op.attributes:
                    ops.add(str(op.attributes[key]))
            for inner in op.regions:
                walk(inner)

    for dtype in ALL:
        for function in table(dtype).core.functions.values():
            walk(function.body)
    control = {"if", "while", "return", "yield", "condition"}
    reductions = {"sum", "prod", "max", "min", "any", "all"}
    predicates = {"eq", "ne", "lt", "le", "gt", "ge"}
    assert ops == set(ELEMENTWISE) | set(STRUCTURED) | control | reductions | predicates
