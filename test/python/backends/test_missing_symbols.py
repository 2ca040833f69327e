"""A function that IREE leaves to a C library is named in one line, with loops and without."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

import linnet
from linnet.errors import CapabilityError

pytest.importorskip("iree.compiler")

PROGRAM = """module probe

entry run(x: Tensor[3; f64], start: u8) -> (Tensor[3; f64], Tensor[3; f64]) {
    var y = x - x
    var n = start
    while n > 0 {
        y = x + x
        n = n - 1
    }
    return (y, tanh(x))
}
"""
STRAIGHT = """module probe

entry run(x: Tensor[3; f64], start: u8) -> Tensor[3; f64] {
    return tanh(x)
}
"""


@pytest.mark.parametrize("text", [PROGRAM, STRAIGHT], ids=["loop", "straight"])
def test_a_function_that_the_target_lacks_is_named(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = tmp_path / "probe.linnet"
    path.write_text(text, encoding="utf-8")
    model = linnet.compile(path, target="cpu")
    inputs = {"x": np.ones(3), "start": np.uint8(4)}
    with pytest.raises(CapabilityError, match="target cpu has no `tanh` for this dtype"):
        model.call("run", inputs, {})
    assert not list(tmp_path.glob("linnet-crash-*"))
