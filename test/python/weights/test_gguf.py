"""GGUF headers: what a sound file holds, and one line for every file that is not sound."""

import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weights.gguf_bytes import (
    ARRAY,
    BOOL,
    STRING,
    U32,
    U64,
    floats,
    info,
    listed,
    pair,
    small,
    text,
    whole,
)

from linnet.errors import CapabilityError, LinnetError, WeightsError
from linnet.weights import read_gguf

HUGE = 1 << 63


def written(folder: Path, data: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(data)
    return path


def looked_at(path: Path) -> None:
    """Read all that a file offers."""
    found = read_gguf(path)
    for key in found:
        found.get(key)
    for tensor in found.tensors.values():
        assert tensor.floats().shape == tensor.shape


def one_line_at_most(path: Path) -> None:
    said = ""
    try:
        looked_at(path)
    except LinnetError as error:
        said = str(error)
    assert "\n" not in said


def test_a_sound_file_gives_its_pairs_and_tensors(tmp_path: Path):
    for version in (2, 3):
        data = small()
        data = data[:4] + struct.pack("<I", version) + data[8:]
        found = read_gguf(written(tmp_path, data))
        assert found.version == version
        assert found.get("general.architecture") == "llama"
        assert found.get("llama.eps") == 1e-5
        assert found.get("llama.block_count") == 2
        assert found.get("flag") is True
        assert found.get("tokens") == ["a", "", "ü"]
        assert found.get("scores") == [0.1, -2.0]
        assert found.get("absent") is None
        np.testing.assert_array_equal(found.tensors["a.weight"].floats(), floats((3, 4)))
        np.testing.assert_array_equal(found.tensors["b.weight"].floats(), floats((8,), 1))


def test_what_the_package_gguf_writes_is_read(tmp_path: Path):
    gguf = pytest.importorskip("gguf")
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(3)
    writer.add_token_list(["a", "b"])
    writer.add_custom_alignment(64)
    matrix = floats((5, 64))
    packed = gguf.quants.quantize(matrix, gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("q", packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("f", matrix.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found = read_gguf(path)
    assert found.get("llama.block_count") == 3
    assert found.get("tokenizer.ggml.tokens") == ["a", "b"]
    assert found.tensors["q"].kind == "Q8_0"
    assert found.tensors["q"].shape == (5, 64)
    np.testing.assert_allclose(found.tensors["q"].floats(), matrix, atol=0.02)
    np.testing.assert_array_equal(found.tensors["f"].floats(), matrix.astype(np.float16))


def test_a_file_cut_anywhere_is_refused_in_one_line(tmp_path: Path):
    data = small()
    for size in range(len(data)):
        with pytest.raises(WeightsError) as caught:
            read_gguf(written(tmp_path, data[:size]))
        assert "\n" not in str(caught.value)


ONE = [pair("k", U32, 1)]
FLOAT = floats((8,)).tobytes()
HOSTILE = {
    "no magic": (b"GGML" + small()[4:], "does not begin with `GGUF`"),
    "version 1": (whole([], [], version=1), "GGUF version 1, which is not read"),
    "version 0": (whole([], [], version=0), "GGUF version 0"),
    "big-endian": (whole([], [], version=3 << 24), "big-endian"),
    "many tensors": (whole([], [], counts=(HUGE, 0)), "9223372036854775808 tensors"),
    "many pairs": (whole([], [], counts=(0, 2**64 - 1)), "18446744073709551615 pairs"),
    "43 bytes": (
        whole([text("loops") + struct.pack("<IH", ARRAY, 0)], [], counts=(0, 1 << 40), alignment=1),
        "1099511627776 pairs",
    ),
    "more pairs than there are": (whole(ONE, [], counts=(0, 3)), "3 pairs"),
    "a long key": (whole([struct.pack("<Q", HUGE) + b"k" * 40], []), "not 1 to 256"),
    "an empty key": (whole([pair("", U32, 1)], []), "has 0 bytes"),
    "a key of two lines": (whole([pair("k\nk", U32, 1)], []), "not printable"),
    "a key of no text": (whole([pair(b"\xff\xfe", U32, 1)], []), "no UTF-8"),
    "a long text": (
        whole([text("k") + struct.pack("<IQ", STRING, HUGE) + b"x" * 20], []),
        "`k` takes 9223372036854775808 bytes",
    ),
    "a text of no text": (whole([pair("k", STRING, b"\xff")], []), "no UTF-8 text at `k`"),
    "a key twice": (whole(ONE * 2, []), "`k` stands twice"),
    "an unknown type": (whole([text("k") + struct.pack("<IQ", 13, 0)], []), "type 13"),
    "an unknown type of elements": (
        whole([text("k") + struct.pack("<IIQ", ARRAY, 99, 0)], []),
        "type 99",
    ),
    "an array of arrays": (
        whole([text("k") + struct.pack("<IIQ", ARRAY, ARRAY, 1 << 40)], []),
        "array of arrays",
    ),
    "an array of many numbers": (
        whole([text("k") + struct.pack("<IIQ", ARRAY, U64, HUGE)], []),
        "truncated",
    ),
    "an array of many texts": (
        whole([text("k") + struct.pack("<IIQ", ARRAY, STRING, 1 << 60)], []),
        "more than the file has room for",
    ),
    "neither true nor false": (whole([pair("k", BOOL, 2)], []), "neither true nor false"),
    "alignment 0": (
        whole([pair("general.alignment", U32, 0)], [], alignment=64),
        "`general.alignment` is 0",
    ),
    "alignment 48": (
        whole([pair("general.alignment", U32, 48)], [], alignment=64),
        "`general.alignment` is 48",
    ),
    "alignment 2^31": (
        whole([pair("general.alignment", U32, 1 << 31)], [], alignment=64),
        "not a power of two from 8",
    ),
    "alignment of text": (
        whole([pair("general.alignment", STRING, "32")], []),
        "no number of type u32",
    ),
    "five axes": (whole([], [info("t", [1] * 5, 0, 0)], FLOAT), "has 5 axes"),
    "many axes": (
        whole([], [text("t") + struct.pack("<I", 2**32 - 1)], b"\0" * 32),
        "has 4294967295 axes",
    ),
    "no extent": (whole([], [info("t", [4, 0], 0, 0)], FLOAT), "an extent of 0"),
    "a product past 2^64": (
        whole([], [info("t", [1 << 40, 1 << 40], 0, 0)], FLOAT),
        "a shape that no array",
    ),
    "a product of 2^64 is not 0": (
        whole([], [info("t", [1 << 32, 1 << 32], 0, 0)], FLOAT),
        "a shape that no array",
    ),
    "larger than the file": (whole([], [info("t", [9], 0, 0)], FLOAT), "truncated: tensor `t`"),
    "past the end": (whole([], [info("t", [8], 0, 1 << 40)], FLOAT), "truncated: tensor `t`"),
    "an offset of 2^64 - 32": (
        whole([], [info("t", [8], 0, 2**64 - 32)], FLOAT),
        "truncated: tensor `t`",
    ),
    "misaligned": (whole([], [info("t", [2], 0, 4)], FLOAT), "no multiple of 32"),
    "two of a name": (
        whole([], [info("t", [8], 0, 0), info("t", [8], 0, 32)], FLOAT * 2),
        "`t` stands twice",
    ),
    "overlapping": (
        whole([], [info("t", [16], 0, 0), info("u", [8], 0, 32)], FLOAT * 2),
        "`t` and `u` overlap",
    ),
    "a long name": (whole([], [info("t" * 65, [8], 0, 0)], FLOAT), "has 65 bytes"),
    "a name of no text": (whole([], [info(b"\xff", [8], 0, 0)], FLOAT), "no UTF-8"),
    "an unknown type of tensor": (whole([], [info("t", [8], 77, 0)], FLOAT), "has type 77"),
    "a type of tensor that is not read": (
        whole([], [info("t", [256], 10, 0)], b"\0" * 256),
        "type Q2_K, which is not read",
    ),
    "rows that are no blocks": (
        whole([], [info("t", [33, 2], 8, 0)], b"\0" * 128),
        "has blocks of 32",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line(case: str, tmp_path: Path):
    data, said = HOSTILE[case]
    if case == "43 bytes":
        assert len(data) == 43
    path = written(tmp_path, data)
    tracemalloc.start()
    try:
        with pytest.raises((WeightsError, CapabilityError)) as caught:
            looked_at(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    shown = str(caught.value)
    assert said in shown
    assert "\n" not in shown
    assert peak < 1 << 20


def test_a_folder_and_a_file_that_is_not_there_are_refused(tmp_path: Path):
    for path in (tmp_path, tmp_path / "absent.gguf"):
        with pytest.raises(WeightsError, match="cannot read weights"):
            read_gguf(path)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.integers(0, len(small()) - 1), st.integers(0, 255)), max_size=6))
def test_bytes_that_change_give_other_values_or_one_line(
    tmp_path: Path, changes: list[tuple[int, int]]
):
    data = bytearray(small())
    for at, byte in changes:
        data[at] = byte
    path = written(tmp_path, bytes(data))
    one_line_at_most(path)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.integers(4, len(small()) - 8),
    st.sampled_from([0, 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 32, 2**64 - 1]),
)
def test_a_large_number_anywhere_gives_other_values_or_one_line(
    tmp_path: Path, at: int, number: int
):
    data = bytearray(small())
    data[at : at + 8] = struct.pack("<Q", number)
    one_line_at_most(written(tmp_path, bytes(data)))


def test_a_long_list_is_walked_over_and_not_made(tmp_path: Path):
    data = whole([listed("k", STRING, [""] * 500_000)], [])
    path = written(tmp_path, data)
    tracemalloc.start()
    found = read_gguf(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20
    assert found.is_array("k")
    assert len(found.get("k")) == 500_000  # type: ignore[arg-type]
