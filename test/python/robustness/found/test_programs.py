"""What the generators and the hostile inputs found, each with the smallest input that shows it.

Hostile inputs that took too long are in `robustness/_hostile.py` and run from there:

- `huge-squares`, `huge-quotients`, `huge-polynomial`, `huge-tuples`: compile-time integers and
  aliases that double a hundred times ran for ever; a size beyond 4,096 parts or bits is E2190.
- `deep-generic_types`: each `<` was searched to its `>` again, 100 times over 200,000 tokens.
- `long-line_of_signs`: ten million stray characters were lexed one by one.
- `many-undeclared_names`, `many-wrong_functions`: every undeclared name was compared with every
  name in scope, and all 20,000 problems were printed; now the first 100 and the first 200.
- `many-unproven_claims`: each claim was looked for in every function.
- a pipe, a device or an endless file as a program, or as a module beside it, was waited for.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet


def called(
    tmp_path: Path, text: str, target: str, weights: dict[str, Any], *inputs: Any
) -> tuple[NDArray[Any], ...]:
    """The results of two calls of `run`, one after the other."""
    path = tmp_path / "found.linnet"
    path.write_text(f"module found\n{text}", encoding="utf-8")
    model = linnet.compile(path, weights=weights or None, target=target)
    found: list[NDArray[Any]] = []
    for _ in range(2):
        result = model.run(*inputs)
        found += result if isinstance(result, tuple) else [result]
    return tuple(found)


# IREE failed to convert, or ran out of memory on, a loop that ignores a value it carries: MLIR
# dropped the argument from one of the two regions.
LOOPS = {
    "ignored": """
        y = abs(x)
        z = z + 1.0
""",
    "shifted": """
        y = z
        z = abs(x)
""",
    "equal": """
        y = y + z
        z = y
""",
    "constant": """
        y = fill<f32>([3], 1.0)
        z = y
""",
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_that_ignores_what_it_carries(name: str, tmp_path: Path) -> None:
    pytest.importorskip("iree.compiler")
    text = f"""
entry run(x: Tensor[3; f32], times: i32) -> (Tensor[3; f32], Tensor[3; f32]) {{
    var y = x
    var z = x * 2.0
    var n = times
    while n > 0 {{{LOOPS[name]}        n = n - 1
    }}
    return (y, z)
}}
"""
    x = np.array([1, -2, 3], np.float32)
    for times in (0, 1, 3):
        arguments = (x, np.int32(times))
        wanted = called(tmp_path, text, "reference", {}, *arguments)
        found = called(tmp_path, text, "cpu", {}, *arguments)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(a, b)


# IREE loads no global of an unsigned type, which every unsigned weight and state is.
@pytest.mark.parametrize("dtype", ["u8", "u16", "u32", "u64"])
def test_weights_and_states_of_unsigned_integers(dtype: str, tmp_path: Path) -> None:
    pytest.importorskip("iree.compiler")
    text = f"""
block Counter {{
    param step: Tensor[2; {dtype}]
    state total: Tensor[2; {dtype}]

    entry run(x: Tensor[2; {dtype}]) -> Tensor[2; {dtype}] {{
        total = total + step / x
        return total
    }}
}}
"""
    of = np.dtype(dtype.replace("u", "uint"))
    weights = {"step": np.array([np.iinfo(of).max, 9], of)}
    x = np.array([2, 3], of)
    found = called(tmp_path, text, "cpu", weights, x)
    np.testing.assert_array_equal(found[0], weights["step"] // x)
    np.testing.assert_array_equal(found[1], weights["step"] // x * of.type(2))


# A sub whose only weights are buffers counted as present when the weights held none of them.
def test_an_optional_sub_of_buffers_is_absent_without_them(tmp_path: Path) -> None:
    text = """
block Shift {
    buffer by: Tensor[2; f32]

    fn forward(x: Tensor[2; f32]) -> Tensor[2; f32] {
        return x + by
    }
}

block Model {
    param scale: Tensor[2; f32]
    sub shift: Shift? = none

    entry run(x: Tensor[2; f32]) -> Tensor[2; f32] {
        let y = match shift {
            some(shift) => shift.forward(x)
            none => x
        }
        return y * scale
    }
}
"""
    x, scale = np.array([1, 2], np.float32), np.array([3, 4], np.float32)
    (found, _) = called(tmp_path, text, "reference", {"scale": scale}, x)
    np.testing.assert_array_equal(found, x * scale)
    by = np.array([5, 6], np.float32)
    (found, _) = called(tmp_path, text, "reference", {"scale": scale, "shift.by": by}, x)
    np.testing.assert_array_equal(found, (x + by) * scale)


# IREE fused a slice with steps into a gather behind it and could not translate the result.
@pytest.mark.parametrize("dtype", ["f32", "u32", "bool"])
def test_elements_of_a_slice_with_steps(dtype: str, tmp_path: Path) -> None:
    pytest.importorskip("iree.compiler")
    text = f"""
entry run(x: Tensor[12; {dtype}], at: Tensor[4, 4; i32]) -> Tensor[4, 4; {dtype}] {{
    let thirds = x[::3]
    let y[i, j] = thirds[at[i, j]]
    return y
}}
"""
    of = {"f32": np.float32, "u32": np.uint32, "bool": np.bool_}[dtype]
    x = (np.arange(12) % 5).astype(of)
    at = np.arange(16, dtype=np.int32).reshape(4, 4) % 4
    np.testing.assert_array_equal(called(tmp_path, text, "cpu", {}, x, at)[0], x[::3][at])


# IREE failed to translate the index arithmetic of a column at a run-time position, fused with a
# gather that reads it; a slice with steps was held apart already.
@pytest.mark.parametrize("target", ["reference", "xla-cpu", "cpu"])
def test_a_column_at_a_runtime_position_can_be_gathered(tmp_path: Path, target: str):
    text = """
entry run(b: Tensor[8, 1; f32], x: Tensor[1, 3, 3; f32], k: i32) -> Tensor[8, 1; f32] {
    let s = x[0, :, k]
    let q = iota<u16>(8) % 3
    let z[n, m] = b[n, m] - s[q[n]]
    return z
}
"""
    b = np.arange(8, dtype=np.float32).reshape(8, 1)
    x = np.arange(9, dtype=np.float32).reshape(1, 3, 3)
    expected = b - x[0, np.arange(8) % 3, 1][:, None]
    for found in called(tmp_path, text, target, {}, b, x, np.int32(1)):
        np.testing.assert_array_equal(found, expected)
