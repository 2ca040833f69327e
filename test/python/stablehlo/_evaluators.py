"""The table's functions on an evaluator: StableHLO's own interpreter, XLA or IREE."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from linnet.backends import Module
from linnet.backends.iree import IreeInstance, compile_entries
from linnet.backends.xla import XlaInstance, compile_entry
from linnet.core import CoreModule
from linnet.reference import run
from linnet.stablehlo import build
from oracle import stablehlo_interpreter
from stablehlo._case import Array, Case, Family, together
from stablehlo._table import CASES

Call = Callable[[str, list[Array]], Sequence[Array]]
# IREE 3.13 calls a C library for these in f64, which its code is not linked to.
LACKING = {("iree", "f64"): ("sin", "cos", "tanh", "rem")}


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


def disagreements(name: str, dtype: str) -> str:
    """Run all that an evaluator has in a dtype; say what differs from the reference."""
    made = table(dtype)
    lacking = LACKING.get((name, dtype), ())
    kept = [family for family in made.families if family not in lacking]
    # The code of both compilers runs with subnormal results taken for zero.
    return "\n".join(differences(made, evaluator(name, made, kept), kept, name != "interpreter"))
