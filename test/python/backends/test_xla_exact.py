"""What XLA would rearrange as if floats were numbers gives what the program says."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jaxlib.mlir import ir
from numpy.typing import NDArray

import linnet
from linnet.backends._portable import read_portable
from linnet.backends.xla._exact import keep_operations
from linnet.compiler import Request, check_path, lower
from linnet.stablehlo import build

Array = NDArray[Any]

EXPRESSIONS = {
    "sum_of_constants": "(x + 1e30) - 1e30",
    "difference_from_a_constant": "(1e30 - x) - 1e30",
    "behind_a_broadcast": "broadcast_to(reshape(x[0] + 1e30, [1]), [4]) - 1e30",
    "computed_constants": "(x + exp(y - y + 69.0)) + (x - (x + 1e30)) + 1e30",
    "product_of_constants": "(x * 1e30) * 1e-30 * 1e10",
    "product_and_quotient": "(x * 1e30) / 1e30",
    "quotient_and_product": "(x / 1e30) * 1e30",
    "quotients_by_constants": "(x / 1e30) / 1e-30",
    "log_of_exp": "log(exp(x))",
    "exp_times_exp": "exp(x) * exp(y)",
    "exp_over_exp": "exp(x) / exp(y)",
    "quotient_of_a_quotient": "(x / y) / z",
    "quotient_by_a_quotient": "x / (y / z)",
    "inverse_of_an_inverse": "1.0 / (1.0 / x)",
    "root_of_a_square": "sqrt(z * z)",
    "inverse_root_of_a_square": "rsqrt(z * z)",
    "quotient_by_a_large_number": "z / 3e38",
}
ARGUMENTS = {
    "x": np.array([1.5, 100.0, -3.7, 3e20], np.float32),
    "y": np.array([2.5, -60.0, 7.7, 1e30], np.float32),
    "z": np.array([1e-30, 1e20, 33.0, 3e38], np.float32),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exact") / "exact.linnet"
    inputs = ", ".join(f"{name}: Tensor[4; f32]" for name in ARGUMENTS)
    results = ", ".join("Tensor[4; f32]" for _ in EXPRESSIONS)
    values = ", ".join(EXPRESSIONS.values())
    path.write_text(
        f"module exact\n\nentry run({inputs}) -> ({results}) {{\n    return ({values})\n}}\n",
        encoding="utf-8",
    )
    return path


def test_a_program_that_overflows_or_rounds_does_so_on_xla(program: Path) -> None:
    found, wanted = (
        linnet.compile(program, target=target).call("run", ARGUMENTS, {})
        for target in ("xla-cpu", "reference")
    )
    for name, got, want in zip(EXPRESSIONS, found, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=3e-7, err_msg=name)


def barriers(source: str, tmp_path: Path) -> int:
    path = tmp_path / "m.linnet"
    path.write_text(f"module m\n\n{source}\n", encoding="utf-8")
    checked = check_path(path)
    core = lower(checked.accepted(), Request(), checked.sources)
    context, module, main = read_portable(build(core, {"main": "run"}).portable())
    with context, ir.Location.unknown():
        keep_operations(main)
        assert module.operation.verify()
        return str(module).count("stablehlo.optimization_barrier")


def test_barriers_stand_only_where_xla_would_rearrange(tmp_path: Path) -> None:
    def count(value: str) -> int:
        inputs = "x: Tensor[4; f32], y: Tensor[4; f32]"
        entry = f"entry run({inputs}) -> Tensor[4; f32] {{ return {value} }}"
        return barriers(entry, tmp_path)

    assert count("(x + 1.0) + 2.0") == 1
    assert count("(x + y) + 2.0") == 0
    assert count("(x * 2.0) * y + 1.0") == 0
    assert count("x / 768.0") == 0
    assert count("x / sqrt(y + 1e-5)") == 0
    assert count("exp(x - y)") == 0
    assert count("log(1.0 + exp(x))") == 0


def test_integers_stay_as_they_are(tmp_path: Path) -> None:
    entry = "entry run(x: Tensor[4; i32]) -> Tensor[4; i32] { return (x + 1) + 2 }"
    assert barriers(entry, tmp_path) == 0


def test_a_loop_is_looked_into(tmp_path: Path) -> None:
    entry = """entry run(x: f32) -> f32 {
    var y = x
    while y < 10.0 {
        y = (y + 1e30) - 1e30 + 1.0
    }
    return y
}"""
    assert barriers(entry, tmp_path) == 2
