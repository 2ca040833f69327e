"""Params that are stored narrow are bound to weights in either form [WGT-3]."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.errors import WeightsError
from linnet.signature import Member, Stored
from linnet.weights import bind_weights, narrow, open_weights, read_bindings

W = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def int8(axis: int, shape: tuple[int, int] = (2, 3)) -> tuple[Member, Member]:
    values = Stored("w", "f32", shape, "int8", "values", axis)
    scale = Stored("w", "f32", shape, "int8", "scale", axis)
    return (
        Member("w", "param", "i8", shape, stored=values),
        Member("w.scale", "param", "f32", (shape[axis],), stored=scale),
    )


def int4(axis: int, shape: tuple[int, int] = (3, 32)) -> tuple[Member, ...]:
    """In groups of 16."""
    rows, groups = shape[axis], shape[1 - axis] // 16
    shapes = {"values": (rows, groups, 8), "scale": (rows, groups), "zero": (rows, groups)}
    return tuple(
        Member(
            "w" if role == "values" else f"w.{role}",
            "param",
            "u8" if role == "values" else "f32",
            of,
            stored=Stored("w", "f32", shape, "int4", role, axis, 16),
        )
        for role, of in shapes.items()
    )


WIDE = np.arange(96, dtype=np.float32).reshape(3, 32) ** 2
BF16 = (
    Member("w", "param", "bf16", (2, 3), stored=Stored("w", "f32", (2, 3), "bf16", "values", 0)),
)


def bind(members, weights, bindings=None, strict=True):
    rules = read_bindings(bindings)
    return bind_weights(members, open_weights(weights, rules), rules, strict).arrays


def failure(members, weights, bindings=None) -> WeightsError:
    with pytest.raises(WeightsError) as caught:
        bind(members, weights, bindings)
    assert "\n" not in str(caught.value)
    assert caught.value.hint is not None
    return caught.value


@pytest.mark.parametrize("axis", [0, 1])
def test_float_weights_are_quantised_along_the_axis(axis: int):
    found = bind(int8(axis), {"w": W})
    want = narrow("w", W, "int8", axis)
    np.testing.assert_array_equal(found["w"], want.values)
    np.testing.assert_array_equal(found["w.scale"], want.scale)


@pytest.mark.parametrize("axis", [0, 1])
def test_float_weights_become_half_bytes(axis: int):
    given = WIDE if axis == 0 else np.ascontiguousarray(WIDE.T)
    found = bind(int4(axis, given.shape), {"w": given})
    want = narrow("w", given, "int4", axis, 16)
    np.testing.assert_array_equal(found["w"], want.values)
    np.testing.assert_array_equal(found["w.scale"], want.scale)
    np.testing.assert_array_equal(found["w.zero"], want.zero)


@pytest.mark.parametrize("axis", [0, 1])
def test_half_bytes_are_taken_as_they_lie(axis: int):
    shape = (3, 32) if axis == 0 else (32, 3)
    quantised = narrow("w", WIDE if axis == 0 else WIDE.T, "int4", axis, 16)
    assert quantised.scale is not None
    assert quantised.zero is not None
    before = () if axis == 0 else (None,)
    given = {
        "w": quantised.values,
        "w.scale": quantised.scale[before],
        "w.zero": quantised.zero[before],
    }
    found = bind(int4(axis, shape), given)
    np.testing.assert_array_equal(found["w"], quantised.values)
    np.testing.assert_array_equal(found["w.zero"], quantised.zero)
    error = failure(int4(axis, shape), {**given, "w.zero": quantised.zero[:2]})
    assert error.message.startswith("the zeros `w.zero` of `w` do not fit: the program needs")
    del given["w.zero"]
    error = failure(int4(axis, shape), given)
    assert error.message == "`w` has integers in the weights, but their zeros `w.zero` are missing"


def test_half_bytes_of_rows_that_lie_across_are_refused_even_in_a_square():
    square = narrow("w", np.eye(32, dtype=np.float32), "int4", 1, 16)
    assert square.scale is not None
    assert square.zero is not None
    given = {"w": square.values, "w.scale": square.scale[None], "w.zero": square.zero[None]}
    assert "w.zero" in bind(int4(1, (32, 32)), given)
    error = failure(int4(0, (32, 32)), given)
    assert error.message == (
        "the scales `w.scale` of `w` do not fit: the program needs Tensor[32, 2; f32], "
        "the weights has Tensor[1, 32, 2; f32]"
    )


def test_other_groups_are_refused_with_the_way_out():
    other = narrow("w", WIDE, "int4", 0, 32)
    error = failure(int4(0), {"w": other.values, "w.scale": other.scale, "w.zero": other.zero})
    assert error.message == (
        "`w` has other groups: the program needs groups of 16, the weights has groups of 32"
    )
    assert error.hint == (
        "build the program with --weights-dtype int4:32, or quantise with --group 16"
    )


def test_float_weights_are_rounded():
    assert bind(BF16, {"w": W})["w"].dtype == ml_dtypes.bfloat16


def test_what_has_the_narrow_form_is_taken_as_it_lies(tmp_path: Path):
    given = W.astype(ml_dtypes.bfloat16)
    assert bind(BF16, {"w": given})["w"] is given
    quantised = narrow("w", W, "int8", 0)
    assert quantised.scale is not None
    save_file(
        {"k": quantised.values, "k.scale": quantised.scale[:, None]}, tmp_path / "w.safetensors"
    )
    found = bind(int8(0), tmp_path / "w.safetensors", {"w": "k"})
    np.testing.assert_array_equal(found["w"], quantised.values)
    np.testing.assert_array_equal(found["w.scale"], quantised.scale)


def test_scales_may_have_a_binding_of_their_own():
    quantised = narrow("w", W, "int8", 0)
    given = {"q": quantised.values, "s": quantised.scale}
    found = bind(int8(0), given, {"w": "q", "w.scale": "s"})
    np.testing.assert_array_equal(found["w.scale"], quantised.scale)


def test_missing_scales_are_refused():
    error = failure(int8(0), {"w": np.zeros((2, 3), np.int8)})
    assert error.message == (
        "`w` has integers in the weights, but their scales `w.scale` are missing"
    )


def test_scales_along_the_other_axis_are_refused_even_in_a_square():
    square = narrow("w", np.eye(3, dtype=np.float32), "int8", 1)
    assert square.scale is not None
    given = {"w": square.values, "w.scale": square.scale[None, :]}
    assert "w.scale" in bind(int8(1, (3, 3)), given)
    error = failure(int8(0, (3, 3)), given)
    assert error.message == (
        "the scales `w.scale` of `w` do not fit: the program needs Tensor[3, 1; f32], "
        "the weights has Tensor[1, 3; f32]"
    )


@pytest.mark.parametrize(
    ("members", "given", "said"),
    [
        (int8(0), W.astype(np.float16), "has the wrong dtype: the program needs"),
        (int8(0), W.astype(np.float64), "has the wrong dtype"),
        (BF16, W.astype(np.float16), "Tensor[2, 3; bf16], or Tensor[2, 3; f32] to make it of"),
        (int8(0), np.ones((3, 2), np.float32), "has the wrong shape"),
        (int8(0), np.full((2, 3), np.nan, np.float32), "holds a NaN or an infinity"),
        (int4(0), np.zeros((3, 2, 8), np.int8), "has the wrong dtype: the program needs"),
        (int4(0), np.zeros((3, 3, 8), np.uint8), "has the wrong shape"),
        (int4(0), np.full((3, 32), np.inf, np.float32), "holds a NaN or an infinity"),
    ],
)
def test_other_weights_are_refused(members: tuple[Member, ...], given: np.ndarray, said: str):
    assert said in failure(members, {"w": given}).message


def test_quantised_weights_for_a_program_without_are_refused():
    quantised = narrow("w", W, "int8", 0)
    error = failure(
        (Member("w", "param", "f32", (2, 3)),), {"w": quantised.values, "w.scale": quantised.scale}
    )
    assert "`w` has the wrong dtype" in error.message
    assert error.hint == (
        "these are quantised weights: build the program with --weights-dtype int8"
    )


def resident_bytes(path: Path) -> int:
    """How much of a mapped file lies in this process's memory."""
    found, here = 0, False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        if "-" in line.split(" ", 1)[0]:
            here = line.endswith(str(path))
        elif here and line.startswith("Rss:"):
            found += int(line.split()[1]) * 1024
    return found


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs /proc/self/smaps")
def test_what_was_rounded_does_not_stay_in_memory_beside_the_result(tmp_path: Path):
    path = tmp_path / "w.safetensors"
    shape = (1024, 1024)
    save_file({"w": np.ones(shape, np.float32)}, path)
    rules = read_bindings(None)
    tensors = open_weights(path, rules)
    wide = tensors.by_key[None, "w"].array
    assert wide is not None
    assert wide.sum() == wide.size
    assert resident_bytes(path) >= wide.nbytes
    bind_weights(int8(0, shape), tensors, rules)
    assert resident_bytes(path) < wide.nbytes // 8
    assert wide.sum() == wide.size  # It is read again.
