"""Constants among whole numbers: PyTorch's promotion must not show."""

from pathlib import Path

import numpy as np
import pytest

from linnet import reference
from linnet.backends.torch import build
from linnet.compiler import Request, check_path, lower

pytest.importorskip("torch")

CASES = {
    "a_number_by_a_tensor": ("x: i32", "i32", "7 / x"),
    "the_rest_of_a_number": ("x: i16", "i16", "7 % x"),
    "a_cast_back_and_forth": ("x: i64", "i64", "cast<i64>(cast<f32>(2)) | x"),
    "a_float_made_whole": ("x: u8", "u8", "cast<u8>(sqrt(cast<f32>(6))) + x"),
    "an_unsigned_number_first": ("x: u64", "u64", "max(7, x) + min(3, x) + 9 / x + 9 % x"),
}


@pytest.mark.parametrize(("taken", "given", "value"), CASES.values(), ids=CASES)
def test_a_constant_keeps_the_dtype(taken: str, given: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "probe.linnet"
    path.write_text(f"module probe\n\nentry run({taken}) -> {given} {{ return {value} }}\n")
    checked = check_path(path)
    argument = np.array(5, {"u": "uint", "i": "int"}[given[0]] + given[1:])
    (wanted,) = reference.run(
        lower(checked.accepted(), Request(), checked.sources), "run", [argument]
    )
    model = build(checked, Request(), {})
    found = model.numpy(model.call("run", [argument]))
    assert found.dtype == wanted.dtype
    assert found == wanted
