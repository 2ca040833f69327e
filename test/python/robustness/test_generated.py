"""Generated programs on every target against the generator's own arithmetic.

A minute of it with fixed seeds; `test/python/generate/fuzz.py` runs for as long as wanted. The
expected values come from the generator, which reads nothing of the compiler.
"""

import numpy as np
import pytest
from generate._program import Program, programs
from generate._targets import prepared, run_on
from hypothesis import HealthCheck, Phase, given, settings

FIXED = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


def compare(program: Program | None, *targets: str) -> None:
    if program is None:
        return
    with np.errstate(all="ignore"):
        result = prepared(program)
        for target in targets:
            run_on(program, result, target, {})


@settings(FIXED, max_examples=120)
@given(programs())
def test_a_generated_program_has_its_value_on_reference_and_in_stablehlo(
    program: Program | None,
) -> None:
    compare(program, "reference", "stablehlo")


@settings(FIXED, max_examples=60)
@given(programs())
def test_a_generated_program_has_its_value_with_its_calls_kept(program: Program | None) -> None:
    compare(program, "kept", "composites")


@settings(FIXED, max_examples=40)
@given(programs())
def test_a_generated_program_has_its_value_as_pytorch_source(program: Program | None) -> None:
    pytest.importorskip("torch")
    compare(program, "torch", "torch-flat")


@settings(FIXED, max_examples=40)
@given(programs())
def test_a_generated_program_has_its_value_on_xla(program: Program | None) -> None:
    pytest.importorskip("jaxlib")
    compare(program, "xla-cpu")


@settings(FIXED, max_examples=8)
@given(programs())
def test_a_generated_program_has_its_value_on_iree(program: Program | None) -> None:
    pytest.importorskip("iree.compiler")
    compare(program, "cpu")


@settings(FIXED, max_examples=40)
@given(programs())
def test_a_generated_program_has_its_value_on_onnx_runtime(program: Program | None) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")
    compare(program, "onnx")
