"""Calls of ops as `stablehlo.composite`: what is printed, and that every evaluator agrees."""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _stablehlo
from jaxlib.mlir.dialects import stablehlo
from jaxlib.mlir.passmanager import PassManager
from numpy.typing import NDArray

from linnet import reference
from linnet.compiler import Request, check_path, lower
from linnet.core import CoreModule
from linnet.errors import UsageError
from linnet.stablehlo import StableHlo, build
from oracle import stablehlo_interpreter

Array = NDArray[Any]

PROGRAM = """
module m

use std.nn.attention::{attention, causal_mask}
use std.nn.norm::{layer_norm}

op scaled_norm<*S: Shape, H: Dim, T: Float>(
    x: Tensor[*S, H; T], weight: Tensor[H; T], factor: T,
) -> Tensor[*S, H; T] where H > 0 {
    return layer_norm(x, weight) * factor
}

pub block Model<H: Dim> where H > 0 {
    param first: Tensor[H; f32]
    param second: Tensor[H; f32]

    entry run<S: Dim>(x: Tensor[1, S, H; f32]) -> Tensor[1, S, H; f32] where S > 0 {
        let a = scaled_norm(x, first, 0.5)
        let b = scaled_norm(a, second, 0.5)
        let heads = reshape(b, [1, 1, S, H])
        let seen = attention(heads, heads, heads, 0.25, some(causal_mask<S, S>()))
        return reshape(seen, [1, S, H])
    }
}
"""


@cache
def core(keep: bool, is_open: bool = False) -> CoreModule:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.linnet"
        path.write_text(PROGRAM, encoding="utf-8")
        checked = check_path(path)
    generics = {"H": 4} if is_open else {"H": 4, "S": 3}
    request = Request("m::Model", (), generics, open=is_open, keep="ops" if keep else False)
    return lower(checked.accepted(), request, checked.sources)


def arguments() -> list[Array]:
    draw = np.random.default_rng(4)
    shapes = ((1, 3, 4), (4,), (4,))
    return [draw.normal(0, 1, shape).astype(np.float32) for shape in shapes]


def composites(text: str) -> list[str]:
    return re.findall(r'stablehlo\.composite "([\w.]+)"', text)


def test_calls_of_ops_are_named_and_equal_bodies_are_one_function() -> None:
    text = build(core(True)).text()
    body, *functions = text.split("func.func private ")
    assert composites(body) == [
        "m.scaled_norm",
        "m.scaled_norm",
        "std.nn.attention.causal_mask",
        "std.nn.attention.attention",
    ]
    names = [function.split("(")[0] for function in functions]
    assert sorted(names) == [
        "@m.scaled_norm",
        "@std.nn.attention.attention",
        "@std.nn.attention.causal_mask",
        "@std.nn.norm.layer_norm",
        "@std.nn.softmax.softmax",
    ]


def test_a_composite_says_its_operands_its_generics_and_its_constants() -> None:
    text = build(core(True)).text()
    assert (
        "composite_attributes = {constants = {factor = 5.000000e-01 : f32}, "
        'generics = {H = 4 : i64, S = "[1, 3]", T = "f32"}, '
        'operands = ["x", "weight", "factor"]}, decomposition = @m.scaled_norm' in text
    )


def test_the_interpreter_agrees() -> None:
    found = stablehlo_interpreter.run(core(True), "run", arguments())
    same(found, reference.run(core(False), "run", arguments()))


def test_an_open_size_that_no_operand_has_is_an_operand() -> None:
    text = build(core(True, is_open=True)).text()
    assert 'operands = ["size.S"]}, decomposition = @std.nn.attention.causal_mask' in text
    # The interpreter takes no composites of open sizes; calls it makes out of them.
    with stablehlo_interpreter.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        _stablehlo.register_stablehlo_passes()
        passes = "builtin.module(func.func(stablehlo-legalize-composite-to-call))"
        PassManager.parse(passes).run(module.operation)
        given = [ir.DenseElementsAttr.get(array) for array in arguments()]
        found = [np.array(value) for value in stablehlo.eval_module(module, given)]
    same(found, reference.run(core(False), "run", arguments()))


def test_xla_runs_them_as_the_flat_module() -> None:
    from linnet.backends.xla._client import compile_module, execute, fetch, hlo_text, put

    kept, flat = (compile_module(build(core(keep)).text()) for keep in (True, False))
    found = execute(kept, [put(array, True) for array in arguments()])
    same([fetch(found[0])], reference.run(core(False), "run", arguments()))
    # No call is left, and as much is fused.
    assert hlo_text(kept).count(" call(") == hlo_text(flat).count(" call(")
    assert hlo_text(kept).count(" fusion(") == hlo_text(flat).count(" fusion(")


def test_iree_compiles_and_runs_them() -> None:
    iree = pytest.importorskip("iree.runtime")
    compiler = pytest.importorskip("iree.compiler")
    flags = ["--iree-llvmcpu-target-cpu=host", "--iree-hal-target-device=local"]
    flags.append("--iree-hal-local-target-device-backends=llvm-cpu")
    code = compiler.compile_str(
        build(core(True)).portable(), input_type="stablehlo", extra_args=flags
    )
    loaded = iree.load_vm_flatbuffer(code, driver="local-sync")
    same([loaded.main(*arguments()).to_host()], reference.run(core(False), "run", arguments()))


def test_the_portable_form_is_of_the_first_version_with_composites() -> None:
    module = build(core(True))
    assert module.portable() == module.portable("0.19.0")
    with pytest.raises(UsageError, match=r"0\.9\.0.*versions 0\.19\.0 to"):
        module.portable("0.9.0")
    assert build(core(False)).portable("0.9.0")


def test_flat_core_has_no_composites() -> None:
    module: StableHlo = build(core(False))
    assert not composites(module.text())
    assert module.text().count("func.func") == 1


def test_the_command_prints_them_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "m.linnet"
    path.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "linnet", "stablehlo", str(path), "--bind", "H=4"]
    command += ["--bind", "S=3", "--composites"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == build(core(True)).text().strip()


def same(found: list[Array], wanted: list[Array]) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.reshape(other.shape), other, rtol=1e-5, atol=1e-6)
