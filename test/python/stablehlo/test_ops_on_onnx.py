"""Every CORE op in every dtype on ONNX Runtime's CPU provider; see `test_ops.py`."""

import pytest

from stablehlo._case import ALL

pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")


@pytest.mark.parametrize("dtype", ALL)
def test_onnx_runtime_agrees_with_the_reference(dtype: str) -> None:
    from stablehlo._onnx import disagreements

    assert disagreements(dtype) == ""
