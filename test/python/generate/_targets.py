"""Runs a generated program on the targets and compares with what it must give."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import numpy as np

from generate._numbers import Array, difference
from generate._program import Program
from linnet import errors
from linnet.compiler import Checked, Request, check_path, lower
from linnet.core import CoreModule
from linnet.emit import Emitted
from linnet.runtime._engine import read_generics
from linnet.runtime._model import Model
from linnet.runtime._source import SourceEngine
from linnet.weights import open_weights, read_bindings
from oracle import stablehlo_interpreter

# `stablehlo` is the interpreter that comes with StableHLO, `kept` the reference with the calls of
# the program kept together, `composites` the interpreter with those of ops.
# `torch` is the PyTorch source of the program, with and without its calls.
TARGETS = (
    "reference",
    "stablehlo",
    "kept",
    "composites",
    "torch",
    "torch-flat",
    "xla-cpu",
    "cpu",
    "onnx",
)


class Refused(Exception):  # noqa: N818 - a finding
    """A valid program has been refused."""


class Wrong(Exception):  # noqa: N818 - a finding
    """A target gives another value."""


def prepared(program: Program) -> Checked:
    """Check a program; a refusal is a finding."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.linnet"
        path.write_text(program.text, encoding="utf-8")
        result = check_path(path)
    if result.emitted is None:
        said = "; ".join(f"{d.code} {d.message} {d.notes}" for d in result.diagnostics)
        raise Refused(f"{said}\n{program.text}")
    return result


def run_on(program: Program, result: Checked, target: str, lacking: dict[str, int]) -> None:
    """Run on a target; a capability error is counted in `lacking`, not raised."""
    try:
        _run(program, result, target)
    except errors.CapabilityError as error:
        key = f"{target}: {str(error)[:100]}"
        lacking[key] = lacking.get(key, 0) + 1


def _run(program: Program, result: Checked, target: str, shown: str = "") -> None:
    if target in ("torch", "torch-flat"):
        from oracle import torch_runner

        keep = target == "torch"
        with (
            patch("linnet.runtime._source.lower", _keeping(keep)),
            patch("linnet.runtime._host.run", torch_runner.run),
        ):
            _run(program, result, "reference", target)
        return
    if target in ("kept", "composites"):
        keep = True if target == "kept" else "ops"
        with patch("linnet.runtime._source.lower", _keeping(keep)):
            _run(program, result, "reference" if target == "kept" else "stablehlo", target)
        return
    if target == "stablehlo":
        with patch("linnet.runtime._host.run", stablehlo_interpreter.run):
            _run(program, result, "reference", shown or target)
        return
    rules = read_bindings(None)
    tensors = open_weights(program.weights, rules)
    generics = read_generics(program.generics)
    model = Model(SourceEngine(result, program.root, generics, tensors, rules, target))
    target = shown or target
    for number, call in enumerate(program.calls):
        found = model.call(call.entry, call.inputs)
        results: tuple[Any, ...] = found if isinstance(found, tuple) else (found,)
        for at, (array, wanted) in enumerate(zip(results, call.results, strict=True)):
            _compare(program, target, f"call {number} of {call.entry}, result {at}", array, wanted)
    for path, wanted in program.states.items():
        if path in model.state:
            _compare(program, target, f"state {path}", model.state[path], wanted)


def _keeping(keep: bool | Literal["ops"]) -> Callable[..., CoreModule]:
    def lowered(emitted: Emitted, request: Request, *more: Any) -> CoreModule:
        return lower(emitted, replace(request, keep=keep), *more)

    return lowered


def _compare(program: Program, target: str, where: str, found: Array, wanted: Any) -> None:
    problem = difference(np.asarray(found), wanted)
    if problem is not None:
        raise Wrong(f"{target}: {where}: {problem}\n{program!r}")
