"""Every argument of a call is checked or put right before a backend sees it: they check nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet.errors import ArgumentError, WeightsError
from linnet.runtime._arguments import checked
from linnet.signature import Value

TARGETS = ["reference", "cpu", "xla-cpu"]
PROGRAM = """
module m

block Mixed {
    param w: Tensor[2, 3; f32]

    pub entry run(x: Tensor[2, 3; f32], keep: Tensor[2, 3; bool], k: i32) -> Tensor[2, 3; f32] {
        let chosen[i, j] = if keep[i, j] { x[i, j] * w[i, j] } else { 0.0 }
        return chosen + cast<f32>(k)
    }
}
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)
W = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
KEEP = np.array([[True, False, True], [True, True, False]])
EXPECTED = np.where(KEEP, X * W, 0) + 7


@pytest.fixture(scope="module", params=TARGETS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what makes the model with weights."""
    path = tmp_path_factory.mktemp("mixed") / "m.linnet"
    path.write_text(PROGRAM)
    return lambda weights: linnet.compile(path, weights=weights, target=request.param)


@pytest.fixture(scope="module")
def model(program: Any) -> linnet.Model:
    return program({"w": W})


def given(**change: object) -> dict[str, object]:
    return {"x": X, "keep": KEEP, "k": np.int32(7), **change}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"x": X[None]}, "input `x` has the wrong shape: needs [2, 3], found [1, 2, 3]"),
        ({"x": X[0]}, "input `x` has the wrong shape: needs [2, 3], found [3]"),
        ({"x": X.T}, "needs Tensor[2, 3; f32], found Tensor[3, 2; f32]"),
        ({"x": X.reshape(6)}, "needs [2, 3], found [6]"),
        (
            {"x": X.astype(np.float64)},
            "wrong dtype: needs Tensor[2, 3; f32], found Tensor[2, 3; f64]",
        ),
        ({"x": X.view(np.int32)}, "found Tensor[2, 3; i32]"),
        ({"x": X.view(np.uint8)}, "found Tensor[2, 12; u8]"),
        ({"x": X.astype("S4")}, "wrong dtype"),
        ({"x": np.array(X, object)}, "wrong dtype"),
        ({"x": np.zeros((0, 3), np.float32)}, "found Tensor[0, 3; f32]"),
        ({"keep": KEEP.astype(np.int8)}, "needs Tensor[2, 3; bool], found Tensor[2, 3; i8]"),
        ({"keep": KEEP[:, :2]}, "found Tensor[2, 2; bool]"),
        ({"k": np.int64(7)}, "input `k` has the wrong dtype: needs i32, found i64"),
        ({"k": np.zeros(1, np.int32)}, "input `k` has the wrong shape: needs [], found [1]"),
        ({"k": 7.5}, "holds fractions"),
        ({"k": 1 << 31}, "holds a number out of range"),
        ({"x": np.ma.masked_array(X, KEEP)}, "input `x` is a masked array"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(
    model: linnet.Model, change: dict[str, object], said: str
):
    with pytest.raises(ArgumentError) as caught:
        model.call("run", given(**change))
    assert said in caught.value.message
    assert "\n" not in str(caught.value)


def read_only() -> np.ndarray:
    array = X.copy()
    array.flags.writeable = False
    return array


def unaligned() -> np.ndarray:
    raw = np.zeros(X.nbytes + 1, np.uint8)
    raw[1:] = X.view(np.uint8).reshape(-1)
    return raw[1:].view(np.float32).reshape(2, 3)


class Foreign:
    """An array of another library, that gives it by DLPack alone."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self._array, self._device = array, device

    def __dlpack__(self, **options: object) -> object:
        return self._array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


class Broken:
    """An array of another library, that cannot be given."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise AssertionError("the tensor is on another device\nand more")


@pytest.mark.parametrize(
    "x",
    [
        np.asfortranarray(X),
        np.repeat(X, 2, axis=1)[:, ::2],
        np.array(X[::-1, ::-1])[::-1, ::-1],
        read_only(),
        unaligned(),
        X.astype(">f4"),
        Foreign(X),
        Foreign(np.asfortranarray(X)),
        X.tolist(),
    ],
    ids=["fortran", "strided", "reversed", "read-only", "unaligned", "big-endian", "dlpack",
         "dlpack-fortran", "list"],
)  # fmt: skip
def test_an_array_of_any_layout_is_read_right(model: linnet.Model, x: object):
    found = model.call("run", given(x=x))
    np.testing.assert_array_equal(np.asarray(found), EXPECTED)


def test_an_array_that_repeats_itself_is_read_right(model: linnet.Model):
    found = model.call("run", given(x=np.broadcast_to(X[0], (2, 3))))
    expected = np.where(KEEP, X[0] * W, 0) + 7
    np.testing.assert_array_equal(np.asarray(found), expected)


def test_a_truth_value_is_any_byte_but_zero(model: linnet.Model):
    odd = np.where(KEEP, 2, 0).astype(np.uint8).view(np.bool_)
    np.testing.assert_array_equal(np.asarray(model.call("run", given(keep=odd))), EXPECTED)


def test_an_argument_stays_what_it_was(model: linnet.Model):
    x, keep = X.copy(), KEEP.copy()
    found = np.asarray(model.call("run", given(x=x, keep=keep)))
    found += 1
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(keep, KEEP)


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (Broken(), "input `x` gives no array: the tensor is on another device"),
        (Foreign(X, (2, 0)), "input `x` gives no array: it lies on another device"),
        (object(), "input `x` is no array: object"),
        ({"a": 1}, "input `x` is no array: dict"),
    ],
)
def test_what_gives_no_array_is_named(model: linnet.Model, x: object, said: str):
    with pytest.raises(ArgumentError) as caught:
        model.call("run", given(x=x))
    assert caught.value.message.startswith(said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "w", [W.astype(">f4"), np.asfortranarray(W), np.repeat(W, 2, axis=1)[:, ::2]]
)
def test_weights_of_any_layout_are_read_right(program: Any, w: np.ndarray):
    found = program({"w": w}).call("run", given())
    np.testing.assert_array_equal(np.asarray(found), EXPECTED)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"w": [[1.0], [2.0, 3.0]]}, "tensor `w` is no array"),
        ({"w": Broken()}, "tensor `w` is no array: the tensor is on another device"),
        ({"w": W.T}, "`w` has the wrong shape"),
        ({"w": W.astype(np.float64)}, "`w` has the wrong dtype"),
        ({"w": W.astype(np.complex64)}, "`w` has the wrong dtype"),
        ({"v": W}, "`w` is missing"),
    ],
)
def test_wrong_weights_are_refused_in_one_line(tmp_path: Path, weights: Any, said: str):
    (tmp_path / "m.linnet").write_text(PROGRAM)
    with pytest.raises(WeightsError) as caught:
        linnet.compile(tmp_path / "m.linnet", weights=weights)
    assert said in caught.value.message
    assert "\n" not in str(caught.value)


def test_a_number_takes_the_dtype_that_is_needed():
    assert checked("k", True, Value("k", "bool", ())).dtype == np.bool_
    assert checked("k", 3, Value("k", "f32", ())).dtype == np.float32
