"""Every CORE op in every dtype on ONNX Runtime's CPU provider; see `test_ops.py`."""

import pytest

from stablehlo._case import ALL

pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")


@pytest.mark.parametrize("dtype", ALL)
def test_onnx_runtime_agrees_with_the_reference(dtype: str) -> None:
    from stablehlo._onnx import disagreements

    assert disagreements(dtype) == ""


@pytest.mark.parametrize(("opset", "kernels"), [(18, "cpu"), (28, "cpu"), (18, "gpu"), (23, "gpu")])
def test_onnx_checker_takes_every_op_at_every_opset(opset: int, kernels: str) -> None:
    from stablehlo._onnx import refused

    assert refused(opset, kernels) == ""
