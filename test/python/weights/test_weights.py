"""Weights are found by path and checked before anything runs [WGT-2] [WGT-3]."""

import json
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.errors import WeightsError
from linnet.signature import Member
from linnet.weights import bind_weights, open_weights, presence, read_bindings, read_safetensors

W = Member("layers.0.w", "param", "f32", (2, 3))
V = Member("layers.1.w", "param", "f32", (2, 3))
ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)


def bind(members, weights, bindings=None, strict=False):
    rules = read_bindings(bindings)
    return bind_weights(members, open_weights(weights, rules), rules, strict)


def failure(*arguments, **options) -> str:
    with pytest.raises(WeightsError) as caught:
        bind(*arguments, **options)
    assert "\n" not in str(caught.value)
    assert caught.value.hint is not None
    return caught.value.message


def test_a_file_is_mapped_with_every_dtype(tmp_path: Path):
    given = {
        "b": np.array([True, False]),
        "h": np.array([1.5], np.float16),
        "u": np.array([[250]], np.uint8),
        "s": np.array(7, np.int64),
        "e": np.zeros((0, 3), np.float32),
    }
    save_file(given, tmp_path / "w.safetensors")
    read = read_safetensors(tmp_path / "w.safetensors")
    for name, array in given.items():
        found = read[name].array
        assert found is not None
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found, array)
        assert not found.flags.writeable


def raw(path: Path, header: object, data: bytes = b"", length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", length or len(text)) + text + data)
    return path


def test_bfloat16_is_read(tmp_path: Path):
    entry = {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}
    path = raw(tmp_path / "w.safetensors", {"x": entry}, b"\x80\x3f")
    array = read_safetensors(path)["x"].array
    assert array is not None
    assert array.dtype == ml_dtypes.bfloat16
    assert array.astype(np.float32).tolist() == [1.0]


F32 = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("header", "data", "length", "said"),
    [
        (b"", b"", 50, "truncated"),
        ({"x": F32}, b"1234", None, "truncated: tensor `x`"),
        (b"{]", b"", None, "no JSON"),
        ([], b"", None, "no JSON object"),
        (b"\xff" * 8, b"", None, "no JSON"),
        ({}, b"", 1 << 60, "no safetensors file"),
        ({"x": {**F32, "shape": [3]}}, b"12345678", None, "`x` has 8 bytes"),
        ({"x": {**F32, "shape": [-2]}}, b"12345678", None, "`x` has no shape"),
        ({"x": {**F32, "data_offsets": [8, 0]}}, b"12345678", None, "`x` ends before"),
        ({"x": {**F32, "data_offsets": [0]}}, b"12345678", None, "`x` has no data_offsets"),
        ({"x": {"shape": [2]}}, b"", None, "`x` has no dtype"),
        ({"x": 1}, b"", None, "`x` is no object"),
        ({"x": {**F32, "shape": [1 << 63, 0], "data_offsets": [0, 0]}}, b"", None, "no array can"),
        ({"x": {**F32, "shape": [1] * 70 + [2]}}, b"12345678", None, "shape that no array can"),
        ({"x": {**F32, "dtype": "BOOL"}}, b"12345678", None, "`x` has 8 bytes"),
        (
            {"x": {"dtype": "BOOL", "shape": [2], "data_offsets": [0, 2]}},
            b"\1\2",
            None,
            "neither true nor false",
        ),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, header, data, length, said: str):
    path = raw(tmp_path / "w.safetensors", header, data, length)
    with pytest.raises(WeightsError) as caught:
        read_safetensors(path)
    assert said in caught.value.message
    assert str(path) in caught.value.message


def test_any_flipped_byte_of_a_header_is_refused_or_read(tmp_path: Path):
    entry = {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]}
    path = raw(tmp_path / "w.safetensors", {"x": entry}, bytes(8))
    whole = path.read_bytes()
    refused = 0
    for at in range(len(whole) - 8):
        for bit in (0, 3, 7):
            data = bytearray(whole)
            data[at] ^= 1 << bit
            path.write_bytes(data)
            try:
                tensors = read_safetensors(path)
            except WeightsError:
                refused += 1
            else:
                assert all(t.array is None or t.array.shape == t.shape for t in tensors.values())
    assert refused > 100


def test_an_empty_file_and_no_file_are_named(tmp_path: Path):
    (tmp_path / "w").write_bytes(b"123")
    with pytest.raises(WeightsError, match="truncated: 3 bytes"):
        read_safetensors(tmp_path / "w")
    with pytest.raises(WeightsError, match="no such file"):
        read_safetensors(tmp_path / "none")


def test_a_byte_of_two_tensors_and_a_name_that_stands_twice_are_refused(tmp_path: Path):
    def header(*entries: tuple[str, int, int]) -> bytes:
        shown = ", ".join(
            f'"{name}": {{"dtype": "U8", "shape": [{end - at}], "data_offsets": [{at}, {end}]}}'
            for name, at, end in entries
        )
        return f"{{{shown}}}".encode()

    path = tmp_path / "w.safetensors"

    def read(*entries: tuple[str, int, int]) -> list[str]:
        text = header(*entries)
        path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(8))
        return sorted(read_safetensors(path))

    assert read(("a", 4, 8), ("b", 0, 4), ("empty", 2, 2)) == ["a", "b", "empty"]
    with pytest.raises(WeightsError, match="tensors `b` and `a` overlap"):
        read(("a", 3, 8), ("b", 0, 4))
    with pytest.raises(WeightsError, match="tensors `b` and `a` overlap"):
        read(("a", 2, 3), ("b", 0, 8))
    with pytest.raises(WeightsError, match="`a` stands twice"):
        read(("a", 0, 4), ("a", 4, 8))


def test_weights_without_any_tensor_are_named(tmp_path: Path):
    save_file({}, tmp_path / "w.safetensors")
    assert failure([W], tmp_path / "w.safetensors").startswith("`layers.0.w` is missing from ")


def test_a_path_without_a_rule_keeps_its_name_and_two_may_share_a_tensor():
    bound = bind([W, V], {"layers.0.w": ARRAY}, {"layers.1.w": "layers.0.w"})
    assert bound.arrays["layers.0.w"] is bound.arrays["layers.1.w"]
    assert bound.surplus == ()


def test_a_missing_tensor_is_named_with_the_nearest():
    said = failure([W], {"model.layers.0.w": ARRAY})
    assert said == "`layers.0.w` is missing from the weights"
    said = failure([W], {"x": ARRAY}, {"layers.0.w": "h.0.w"})
    assert said == "`layers.0.w` (tensor `h.0.w`) is missing from the weights"
    assert failure([W], None) == "`layers.0.w` needs a tensor (Tensor[2, 3; f32])"


def test_a_wrong_shape_is_named_with_both():
    said = failure([W], {"layers.0.w": ARRAY.T})
    assert "wrong shape: the program needs Tensor[2, 3; f32], the weights has" in said
    assert "Tensor[3, 2; f32]" in said


def test_a_wrong_dtype_is_named_with_both():
    said = failure([W], {"layers.0.w": ARRAY.astype(np.float64)})
    assert "wrong dtype: the program needs Tensor[2, 3; f32]" in said
    assert "Tensor[2, 3; f64]" in said
    assert "complex64" in failure([W], {"layers.0.w": ARRAY.astype(np.complex64)})


def test_surplus_tensors_are_listed_and_refused_when_strict():
    weights = {"layers.0.w": ARRAY, "spare": ARRAY}
    assert bind([W], weights).surplus == ("spare",)
    said = failure([W], weights, strict=True)
    assert said == "the weights has a tensor `spare` that the program does not take"


def test_the_fuller_form_takes_patterns_and_files(tmp_path: Path):
    save_file({"h.0.k": ARRAY}, tmp_path / "m-1.safetensors")
    save_file({"h.1.k": ARRAY + 1}, tmp_path / "m-2.safetensors")
    text = {
        "sources": {"hub": {"type": "safetensors", "files": "m-*.safetensors"}},
        "bindings": {"layers.{i}.w": {"source": "hub", "key": "h.{i}.k"}},
    }
    (tmp_path / "b.json").write_text(json.dumps(text))
    bound = bind([W, V], None, tmp_path / "b.json")
    np.testing.assert_array_equal(bound.arrays["layers.1.w"], ARRAY + 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": "x", "a": "y"}', "binds `a` twice"),
        ("[1]", "is no object"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is nested too deep"),
        ('{"sources": [1], "bindings": {}}', "has `sources` that are no objects"),
        ('{"a": 1}', "gives `a` no tensor name"),
        ('{"bindings": {"a": {"source": "s", "key": "k"}}}', "names a source `s`"),
        ('{"bindings": {"a": {"key": "k", "scale": 2}}}', "gives `a` no `source` and `key`"),
        ('{"sources": {"s": {"type": "safetensors", "files": "/x"}}, "bindings": {}}', "beside"),
        ('{"sources": {"s": {"type": "pickle", "files": "x"}}, "bindings": {}}', "whose type"),
        ('{"sources": {"s": {"type": "safetensors", "files": "x"}}, "bindings": {}}', "no file"),
    ],
)
def test_a_malformed_binding_file_is_named(tmp_path: Path, text: str, said: str):
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(WeightsError) as caught:
        read_bindings(path)
    assert said in caught.value.message
    assert str(path) in caught.value.message


def test_presence_follows_the_bindings():
    rules = read_bindings({"layers.1.w": "h"})
    assert presence((W, V), rules, open_weights({"h": ARRAY}, rules)) == ["layers.1.w"]


def test_bindings_of_no_member_are_listed_and_refused_when_strict():
    rules = {"layers.0.w": "layers.0.w", "layrs.0.w": "x", "h.{i}.b": "y"}
    assert bind([W], {"layers.0.w": ARRAY}, rules).unused == ("layrs.0.w", "h.{i}.b")
    assert bind([W], {"layers.0.w": ARRAY}, {"layers.{i}.w": "layers.{i}.w"}).unused == ()
    said = failure([W], {"layers.0.w": ARRAY}, rules, strict=True)
    assert said == "the bindings has `layrs.0.w`, `h.{i}.b`, which the program does not have"
    given = open_weights({"layers.0.w": ARRAY}, read_bindings(rules))
    absent = ["layrs.0.w", "h.3.b"]  # Optional, and left out.
    assert bind_weights([W], given, read_bindings(rules), True, absent).unused == ()
