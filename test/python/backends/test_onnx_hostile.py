"""ONNX files that are damaged or mean harm: each is refused with one line, by its bytes alone."""

import random
from pathlib import Path

import numpy as np
import pytest

from linnet.errors import ArtifactError
from linnet.runtime import export_onnx

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")
pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")

from onnx import TensorProto, helper  # noqa: E402

from linnet.backends.onnx import read_models, scan  # noqa: E402


def number(value: int) -> bytes:
    """A number as protobuf writes it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def record(field: int, data: bytes) -> bytes:
    return number(field << 3 | 2) + number(len(data)) + data


def plain(field: int, value: int) -> bytes:
    return number(field << 3) + number(value)


def refusal(data: bytes, tmp_path: Path) -> str:
    path = tmp_path / "m.onnx"
    with pytest.raises(ArtifactError) as raised:
        scan(data, path)
    message = raised.value.message
    assert "\n" not in message
    assert message.startswith(f"{path} is no ONNX file that can be read: ")
    return message.partition("read: ")[2]


def tensor(dims: list[int], kind: int, *rest: bytes, name: bytes = b"t") -> bytes:
    sizes = b"".join(plain(1, size & (2**64 - 1)) for size in dims)
    return sizes + plain(2, kind) + record(8, name) + b"".join(rest)


def constant(data: bytes) -> bytes:
    """A model whose graph has one constant."""
    return record(7, record(5, data))


def node(op: bytes, inputs: list[bytes], *attributes: bytes) -> bytes:
    names = b"".join(record(1, name) for name in inputs)
    return names + record(2, b"y") + record(4, op) + b"".join(record(5, a) for a in attributes)


def endless() -> bytes:
    """A model of 43 bytes: a loop without a count, whose condition is the one it is given."""
    body = record(2, b"b") + record(11, record(1, b"c")) + record(12, record(1, b"c"))
    loop = (
        record(1, b"")
        + record(2, b"")
        + record(4, b"Loop")
        + record(5, record(1, b"body") + record(6, body))
    )
    return plain(1, 8) + record(8, plain(2, 13)) + record(7, record(1, loop))


def test_the_loop_of_43_bytes_is_refused(tmp_path: Path) -> None:
    assert len(endless()) == 43
    said = refusal(endless(), tmp_path)
    assert said == "a `Loop` without a count never ends: its condition does not change"


def nested(depth: int) -> bytes:
    graph = b""
    for _ in range(depth):
        branch = record(1, b"then_branch") + record(6, graph)
        graph = record(1, record(4, b"If") + record(5, branch))
    return record(7, graph)


def with_graph(*parts: bytes) -> bytes:
    return record(7, b"".join(parts))


def sizes(*values: int) -> bytes:
    raw = b"".join((v & (2**64 - 1)).to_bytes(8, "little") for v in values)
    return record(5, tensor([len(values)], 7, record(9, raw), name=b"n"))


FILES = {
    "nothing": (b"", "it holds 0 graphs, where a model has one"),
    "two_graphs": (record(7, b"") * 2, "it holds 2 graphs, where a model has one"),
    "length_past_the_end": (
        number(7 << 3 | 2) + number(2**60),
        "a field at byte 10 says 1152921504606846976 bytes, where 0 are left",
    ),
    "inner_length_past_its_record": (
        record(7, number(5 << 3 | 2) + number(9)) + b"123456789",
        "a field at byte 4 says 9 bytes, where 0 are left",
    ),
    "number_without_end": (b"\xff" * 11, "a number of more than ten bytes ends at byte 10"),
    "cut_within_a_number": (b"\x80", "the file ends within a number at byte 1"),
    "field_without_number": (b"\x02\x00", "a field without a number at byte 1"),
    "group": (b"\x0b\x0c", "a field of the unknown kind 3 at byte 1"),
    "graphs_in_graphs": (nested(40), "its graphs are nested more than 32 deep"),
    "functions": (record(7, b"") + record(25, b""), "it defines functions, which may call"),
    "training": (record(20, b"") + record(7, b""), "it holds a training graph"),
    "other_operators": (
        record(8, record(1, b"com.evil")) + record(7, b""),
        "it needs the operator set `com.evil`",
    ),
    "node_of_other_operators": (
        with_graph(record(1, record(4, b"Run") + record(7, b"x.y"))),
        "a node is of the operator set `x.y`",
    ),
    "negative_size": (constant(tensor([-1], 1)), "tensor `t` has a negative size"),
    "huge_size": (
        constant(tensor([2**40, 2**40], 1)),
        "tensor `t` has [1099511627776, 1099511627776] elements",
    ),
    "fewer_bytes_than_elements": (
        constant(tensor([4], 1, record(9, b"\0" * 8))),
        "tensor `t` needs 16 bytes, found 8",
    ),
    "fewer_numbers_than_elements": (
        constant(tensor([4], 7, plain(7, 1))),
        "tensor `t` needs 4 elements, found 1",
    ),
    "texts": (constant(tensor([1], 8, record(6, b"x"))), "it holds a tensor of texts"),
    "unknown_dtype": (constant(tensor([1], 99)), "tensor `t` has the dtype 99, which"),
    "sparse": (with_graph(record(15, b"")), "it holds a sparse tensor"),
    "not_text": (with_graph(record(1, record(4, b"\xff"))), "the op of a node is no text"),
    "number_for_a_record": (plain(7, 1), "a graph is a number, not a record"),
    "constant_of_a_huge_shape": (
        with_graph(sizes(2**20, 2**20), record(1, node(b"ConstantOfShape", [b"n"]))),
        "`ConstantOfShape` asks for [1048576, 1048576] elements",
    ),
    "expand_to_a_huge_shape": (
        with_graph(sizes(2**62), record(1, node(b"Expand", [b"x", b"n"]))),
        "`Expand` asks for [4611686018427387904] elements",
    ),
    "loop_of_many_passes": (
        with_graph(sizes(2**63 - 1), record(1, node(b"Loop", [b"n", b""]))),
        "a `Loop` of 9223372036854775807 passes",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_refused(name: str, tmp_path: Path) -> None:
    data, said = FILES[name]
    assert refusal(data, tmp_path).startswith(said)


def outside(tmp_path: Path, **where: str) -> str:
    entries = b"".join(
        record(13, record(1, key.encode()) + record(2, text.encode()))
        for key, text in where.items()
    )
    return refusal(constant(tensor([4], 1, plain(14, 1), entries)), tmp_path)


@pytest.mark.parametrize("location", ["/etc/passwd", "../secret", "a/b", "..\\x", "", "."])
def test_weights_outside_of_the_folder_are_refused(location: str, tmp_path: Path) -> None:
    assert outside(tmp_path, location=location).startswith("tensor `t` lies ")


def test_weights_behind_a_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"0" * 64)
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "w.bin").symlink_to(tmp_path / "secret")
    assert "which is no file here" in outside(inner, location="w.bin")


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"offset": "8"}, "tensor `t` ends at byte 24 of `w.bin`, which has 16"),
        ({"offset": "-8"}, "the place of tensor `t` is no number: `-8`"),
        ({"offset": "9" * 30}, "the place of tensor `t` is no number: "),
        ({"length": "12"}, "tensor `t` needs 16 bytes, 12 are named"),
    ],
)
def test_weights_past_the_end_of_their_file_are_refused(
    where: dict[str, str], said: str, tmp_path: Path
) -> None:
    (tmp_path / "w.bin").write_bytes(b"0" * 16)
    assert outside(tmp_path, location="w.bin", **where).startswith(said)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile")
    text = """module m
pub block Step {
    param weight: Tensor[3; f32]
    state total: Tensor[3; f32]
    pub entry add(x: Tensor[3; f32]) -> Tensor[3; f32] {
        total = total + x * weight
        return total
    }
}
"""
    (place / "m.linnet").write_text(text, encoding="utf-8")
    from safetensors.numpy import save_file

    save_file({"weight": np.ones(3, np.float32)}, place / "w.safetensors")
    export_onnx(place / "m.linnet", place / "models", weights=place / "w.safetensors")
    return place / "models"


def changed(folder: Path, tmp_path: Path, data: bytes) -> Path:
    copy = tmp_path / "models"
    copy.mkdir()
    (copy / "weights.bin").write_bytes((folder / "weights.bin").read_bytes())
    (copy / "add.onnx").write_bytes(data)
    return copy


def test_our_own_files_are_taken(folder: Path) -> None:
    assert list(read_models(folder).models) == ["add"]


def refused_with(folder: Path) -> str | None:
    """What a folder is refused with, in one line, or None where it is taken."""
    try:
        read_models(folder)
    except ArtifactError as error:
        return error.message
    return None


def test_a_prefix_of_a_file_is_refused_or_whole(folder: Path, tmp_path: Path) -> None:
    data = (folder / "add.onnx").read_bytes()
    copy = changed(folder, tmp_path, data)
    said: list[str | None] = []
    for end in range(0, len(data), 11):
        (copy / "add.onnx").write_bytes(data[:end])
        said.append(refused_with(copy))
    assert None not in said
    assert not any("\n" in each for each in said if each)


def test_flipped_bytes_raise_nothing_else(folder: Path, tmp_path: Path) -> None:
    data = (folder / "add.onnx").read_bytes()
    copy = changed(folder, tmp_path, data)
    draw = random.Random(3)
    said: list[str] = []
    for _ in range(300):
        broken = bytearray(data)
        for _ in range(draw.randint(1, 3)):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        (copy / "add.onnx").write_bytes(broken)
        said.append(refused_with(copy) or "")
    assert sum(map(bool, said)) > 50
    assert not any("\n" in each for each in said)


def test_ports_that_are_not_the_signatures_are_refused(folder: Path, tmp_path: Path) -> None:
    model = onnx.load(folder / "add.onnx", load_external_data=False)
    model.graph.input.append(helper.make_tensor_value_info("more", TensorProto.FLOAT, [1]))
    copy = changed(folder, tmp_path, model.SerializeToString())
    with pytest.raises(ArtifactError) as raised:
        read_models(copy)
    assert raised.value.message.endswith("the input `more` is in no signature")


def test_a_model_of_somebody_else_is_refused(folder: Path, tmp_path: Path) -> None:
    model = onnx.load(folder / "add.onnx", load_external_data=False)
    del model.metadata_props[:]
    copy = changed(folder, tmp_path, model.SerializeToString())
    with pytest.raises(ArtifactError) as raised:
        read_models(copy)
    assert "does not say what Linnet wrote of it" in raised.value.message


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError) as raised:
        read_models(tmp_path)
    assert raised.value.message == f"{tmp_path} holds no .onnx file"
