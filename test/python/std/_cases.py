"""Small programs around items of `std`, run on the reference, XLA and IREE.

A test file collects its programs in a `Cases` and takes its test function from it. The programs of
a file and a dtype are lowered once, and a backend compiles them together: the compilers' start-up
would cost more than all the tests.
"""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from linnet.backends import Module
from linnet.backends.iree import IreeInstance, compile_entries
from linnet.backends.xla import XlaInstance, compile_entry
from linnet.compiler import Request, check_path, lower
from linnet.core import CoreModule, Function
from linnet.reference import run
from linnet.signature import Value
from linnet.stablehlo import build
from std._precision import BF16, F32, Array, Expected, Precision

TARGETS = ("reference", "xla", "iree")
Call = Callable[[str, list[Array]], list[Array]]


@dataclass(frozen=True, slots=True)
class Probe:
    """A program with one entry `run`, in a block `Probe` if it has weights."""

    text: str
    expected: Expected
    inputs: Mapping[str, Array] = field(default_factory=dict)
    weights: Mapping[str, Array] = field(default_factory=dict)


Make = Callable[[Precision], Probe]


def entry(use: str, call: str, result: str, **parameters: str) -> str:
    """Return the text of an entry that calls one item; `use` is `module::{names}`."""
    lines = "".join(f"    {name}: {type_},\n" for name, type_ in parameters.items())
    head = f"entry run(\n{lines})" if lines else "entry run()"
    return f"use {use}\n\n{head} -> {result} {{\n    return {call}\n}}\n"


def block(use: str, sub: str, call: str, result: str, **parameters: str) -> str:
    """Return the text of a block `Probe` with one sub, `layer`, whose entry calls it."""
    lines = ", ".join(f"{name}: {type_}" for name, type_ in parameters.items())
    return (
        f"use {use}\n\npub block Probe {{\n    sub layer: {sub}\n\n"
        f"    pub entry run({lines}) -> {result} {{\n        return {call}\n    }}\n}}\n"
    )


def lowered(probe: Probe) -> Function:
    """Return CORE of the entry, with the weights as further inputs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.linnet"
        path.write_text(f"module probe\n\n{probe.text}", encoding="utf-8")
        checked = check_path(path)
        assert checked.emitted is not None, f"{checked.diagnostics}\n{probe.text}"
        root = "Probe" if "block Probe" in probe.text else None
        request = Request(root, ["run"], {}, list(probe.weights) or "absent")
        function = lower(checked.emitted, request, checked.sources).functions["run"]
    signature = function.signature
    params = tuple(Value(param.path, param.dtype, param.shape) for param in signature.params)
    assert not signature.states
    return replace(
        function, signature=replace(signature, inputs=(*signature.inputs, *params), params=())
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """All the cases of a file in one dtype. `functions` says in which function of CORE a case runs:
    cases that differ in their inputs only share one."""

    probes: Mapping[str, Probe]
    functions: Mapping[str, str]
    core: CoreModule
    calls: dict[str, Call] = field(default_factory=dict)

    def found(self, target: str, name: str) -> Array:
        if target not in self.calls:
            self.calls[target] = self._load(target)
        probe, function = self.probes[name], self.functions[name]
        given = {**probe.inputs, **probe.weights}
        inputs = self.core.functions[function].signature.inputs
        (result,) = self.calls[target](function, [given[value.name] for value in inputs])
        return result

    def _load(self, target: str) -> Call:
        if target == "reference":
            return lambda name, arguments: run(self.core, name, arguments)
        modules = [
            Module(name, function.signature, build(self.core, {"main": name}).portable())
            for name, function in self.core.functions.items()
        ]
        if target == "iree":
            iree = IreeInstance({})
            iree.add({m.function: m.signature for m in modules}, compile_entries(modules))
            return iree.call  # pyright: ignore[reportReturnType]
        xla = XlaInstance({})
        for module in modules:
            xla.add(module.function, module.signature, compile_entry(module, isolated=False))
        return xla.call  # pyright: ignore[reportReturnType]


class Cases:
    """The programs of one test file, by name."""

    def __init__(self, module: str) -> None:
        """`module` is the one whose items the cases name."""
        self.module = module
        self.items: set[str] = set()
        self._made: dict[str, tuple[Make, tuple[Precision, ...]]] = {}

    def of(self, item: str, *precisions: Precision, module: str = "") -> Callable[[Make], Make]:
        """Add the decorated function as a case of `item`; without dtypes in f32 and bf16."""
        self.items.add(f"{module or self.module}::{item}")

        def add(make: Make) -> Make:
            name = getattr(make, "__name__", "")
            assert name not in self._made, name
            self._made[name] = (make, precisions or (F32, BF16))
            return make

        return add

    def add(self, item: str, name: str, make: Make, *precisions: Precision) -> None:
        """Add a case with a name of its own."""
        make.__name__ = name
        self.of(item, *precisions)(make)

    def test(self) -> Callable[..., None]:
        """Return the test of every case on every target in its dtypes."""

        @cache
        def batch(precision: Precision) -> Batch:
            probes = {
                name: make(precision)
                for name, (make, precisions) in self._made.items()
                if precision in precisions
            }
            programs = {(probe.text, *probe.weights): probe for probe in probes.values()}
            names = {key: f"f{number}" for number, key in enumerate(programs)}
            functions = {n: names[probe.text, *probe.weights] for n, probe in probes.items()}
            core = CoreModule({names[key]: lowered(probe) for key, probe in programs.items()})
            return Batch(probes, functions, core)

        parameters: list[Any] = [
            pytest.param(target, precision, name, id=f"{target}-{precision.name}-{name}")
            for target in TARGETS
            for name, (_, precisions) in self._made.items()
            for precision in precisions
        ]

        @pytest.mark.parametrize(("target", "precision", "name"), parameters)
        def agrees_with_its_formula(target: str, precision: Precision, name: str) -> None:
            made = batch(precision)
            made.probes[name].expected.check(made.found(target, name))

        return agrees_with_its_formula
