"""Programs as folders of ONNX models, read back and run by ONNX Runtime."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from linnet.errors import CapabilityError, UsageError
from linnet.runtime import OnnxExport, export_onnx
from oracle import gpt2_numpy, llama_numpy
from oracle.weights import SMALL, bindings, random_weights

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")
onnxruntime = pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")

from linnet.backends.onnx import (  # noqa: E402
    OnnxInstance,
    Options,
    Read,
    read_models,
)

Array = NDArray[Any]
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
GPT2 = EXAMPLES / "gpt2" / "gpt2.linnet"
LLAMA = EXAMPLES / "llama" / "llama.linnet"
WEIGHTS = random_weights(SMALL)
LINE = np.random.default_rng(17).integers(0, SMALL.vocab, 32, dtype=np.int32)
ENTRIES = ("forward", "prefill", "decode")
TOLERANCE = 2e-5


def written(folder: Path, **options: Any) -> OnnxExport:
    """Write tiny GPT-2."""
    weights = folder.parent / "gpt2.safetensors"
    if not weights.exists():
        save_file(WEIGHTS, weights)
        (folder.parent / "gpt2.json").write_text(_json(bindings(SMALL.layers)), encoding="utf-8")
    generics = SMALL.generics(batch=1, max_seq=32)
    generics.pop("T")
    return export_onnx(
        GPT2,
        folder,
        root="Model",
        entries=options.pop("entries", ENTRIES),
        generics={**generics, **options.pop("generics", {})},
        weights=weights,
        bindings=folder.parent / "gpt2.json",
        dtype=options.pop("dtype", "f32"),
        options=Options(**options),
    )


def _json(value: object) -> str:
    import json

    return json.dumps(value)


def instance_of(read: Read) -> OnnxInstance:
    assert read.weights is not None
    made = OnnxInstance(read.weights)
    for name, model in read.models.items():
        made.add(name, model)
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("onnx") / "models"
    written(place)
    return place


@pytest.fixture(scope="module")
def gpt2(folder: Path) -> OnnxInstance:
    return instance_of(read_models(folder))


@pytest.mark.parametrize("shape", [(1, 1), (2, 7), (1, 32)])
def test_forward_takes_three_bindings_of_its_open_sizes(
    gpt2: OnnxInstance, shape: tuple[int, int]
) -> None:
    tokens = np.resize(LINE, shape)
    (found,) = gpt2.call("forward", [tokens])
    want = gpt2_numpy.forward(WEIGHTS, SMALL.heads, tokens)
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("length", [1, 5, 17])
def test_prefill_then_decode_keep_their_states(gpt2: OnnxInstance, length: int) -> None:
    other = gpt2.session()
    want = gpt2_numpy.forward(WEIGHTS, SMALL.heads, LINE[None])
    (found,) = other.call("prefill", [LINE[None, :length], np.array(0, np.int32)])
    np.testing.assert_allclose(found[0], want[0, length - 1], rtol=0, atol=TOLERANCE)
    for pos in range(length, length + 6):
        (found,) = other.call("decode", [LINE[None, pos : pos + 1], np.array(pos, np.int32)])
        np.testing.assert_allclose(found[0], want[0, pos], rtol=0, atol=TOLERANCE)
    cache = other.get_state("blocks.0.attn.cache_k")
    assert np.any(cache[:, :, : length + 6] != 0)
    assert np.all(cache[:, :, length + 6 :] == 0)


def test_a_write_outside_of_the_cache_changes_nothing(gpt2: OnnxInstance) -> None:
    other = gpt2.session()
    other.call("prefill", [LINE[None, :4], np.array(0, np.int32)])
    before = other.get_state("blocks.1.attn.cache_v")
    other.call("decode", [LINE[None, :1], np.array(32, np.int32)])
    np.testing.assert_array_equal(other.get_state("blocks.1.attn.cache_v"), before)


def test_a_session_has_states_of_its_own(gpt2: OnnxInstance) -> None:
    one, other = gpt2.session(), gpt2.session()
    one.call("prefill", [LINE[None, :4], np.array(0, np.int32)])
    assert np.any(one.get_state("blocks.0.attn.cache_k") != 0)
    assert np.all(other.get_state("blocks.0.attn.cache_k") == 0)


def test_caches_are_written_in_place(folder: Path) -> None:
    models = read_models(folder).models
    caches = {f"blocks.{i}.attn.cache_{c}" for i in range(SMALL.layers) for c in "kv"}
    assert models["decode"].in_place == models["prefill"].in_place == caches
    assert models["forward"].states == {}


def test_one_file_of_weights_serves_every_model(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        "decode.onnx",
        "forward.onnx",
        "prefill.onnx",
        "weights.bin",
    ]
    where: dict[str, set[tuple[str, ...]]] = {}
    for path in folder.glob("*.onnx"):
        model = onnx.load(path, load_external_data=False)
        for each in model.graph.initializer:
            if each.data_location == onnx.TensorProto.EXTERNAL:
                place = tuple(entry.value for entry in each.external_data)
                where.setdefault(each.name, set()).add(place)
                assert int(place[1]) % 4096 == 0
    assert len(where) == len(WEIGHTS)
    assert all(len(places) == 1 for places in where.values())
    read = read_models(folder).weights
    assert read is not None
    np.testing.assert_array_equal(read["wte"], WEIGHTS["wte.weight"])


def ports(model: Any, kind: str) -> dict[str, list[int | str]]:
    return {
        port.name: [dim.dim_param or dim.dim_value for dim in port.type.tensor_type.shape.dim]
        for port in getattr(model.graph, kind)
    }


def test_open_sizes_are_dim_params_and_their_constraints_metadata(folder: Path) -> None:
    model = onnx.load(folder / "forward.onnx", load_external_data=False)
    assert ports(model, "input") == {"tokens": ["B", "S"]}
    assert ports(model, "output") == {"result": ["B", "S", SMALL.vocab]}
    facts = {entry.key: entry.value for entry in model.metadata_props}
    assert facts["linnet.constraints"] == '["S <= MaxPositions"]'


def test_states_are_inputs_and_outputs(folder: Path) -> None:
    model = onnx.load(folder / "decode.onnx", load_external_data=False)
    shape = [1, SMALL.heads, 32, SMALL.h // SMALL.heads]
    assert ports(model, "input")["state.blocks.0.attn.cache_k"] == shape
    assert ports(model, "output")["state.blocks.0.attn.cache_k.next"] == shape


def test_shape_inference_finds_the_results_that_are_declared(folder: Path) -> None:
    for path in folder.glob("*.onnx"):
        model = onnx.load(path, load_external_data=False)
        declared = ports(model, "output")
        for output in model.graph.output:
            output.type.tensor_type.ClearField("shape")
        inferred = ports(onnx.shape_inference.infer_shapes(model, strict_mode=True), "output")
        for name, sizes in declared.items():
            # What it cannot tell it leaves open; a number must be ours.
            for ours, found in zip(sizes, inferred[name], strict=True):
                assert ours == found or not isinstance(found, int) or found == 0


@pytest.mark.parametrize("opset", [18, 20, 28])
@pytest.mark.parametrize("kept", [True, False])
def test_every_opset_gives_the_same_numbers(tmp_path: Path, opset: int, kept: bool) -> None:
    written(tmp_path / "models", entries=("forward",), opset=opset, kept=kept)
    read = read_models(tmp_path / "models")
    used = {node.op_type for node in read.models["forward"].proto.graph.node}
    assert ("LayerNormalization" in used, "Gelu" in used) == (kept, kept and opset >= 20)
    (found,) = instance_of(read).call("forward", [LINE[None, :9]])
    want = gpt2_numpy.forward(WEIGHTS, SMALL.heads, LINE[None, :9])
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize(("dtype", "tolerance"), [("f16", 4e-3), ("bf16", 4e-2)])
def test_narrow_floats_are_near(tmp_path: Path, dtype: str, tolerance: float) -> None:
    made = written(tmp_path / "models", dtype=dtype)
    assert len(made.rounded) == len(WEIGHTS)
    read = read_models(tmp_path / "models")
    instance = instance_of(read)
    want = gpt2_numpy.forward(WEIGHTS, SMALL.heads, LINE[None])
    (found,) = instance.call("forward", [LINE[None]])
    assert str(found.dtype) == {"f16": "float16", "bf16": "bfloat16"}[dtype]
    np.testing.assert_allclose(found.astype(np.float32), want, rtol=0, atol=tolerance)
    (found,) = instance.call("prefill", [LINE[None, :4], np.array(0, np.int32)])
    (found,) = instance.call("decode", [LINE[None, 4:5], np.array(4, np.int32)])
    np.testing.assert_allclose(found[0].astype(np.float32), want[0, 4], rtol=0, atol=tolerance)


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("opset", [18, 23])
def test_narrow_models_pass_the_checker_at_every_opset(
    tmp_path: Path, dtype: str, opset: int
) -> None:
    for kernels in ("cpu", "gpu"):
        written(tmp_path / "models", dtype=dtype, opset=opset, kernels=kernels)


def test_kernels_of_a_gpu_compute_in_the_narrow_dtype(tmp_path: Path) -> None:
    made = written(tmp_path / "models", dtype="f16", kernels="gpu", entries=("forward",))
    kinds = [node.op_type for node in made.written.models[0].proto.graph.node]
    assert kinds.count("Cast") < 20


def test_without_weights_params_are_inputs(tmp_path: Path) -> None:
    generics = SMALL.generics(batch=1, max_seq=32)
    export_onnx(GPT2, tmp_path / "m", root="Model", entries=("forward",), generics=generics)
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["forward.onnx"]
    read = read_models(tmp_path / "m")
    assert read.weights is None
    names = bindings(SMALL.layers)
    instance = OnnxInstance({path: WEIGHTS[names[path]] for path in read.models["forward"].params})
    instance.add("forward", read.models["forward"])
    (found,) = instance.call("forward", [LINE[None, :5]])
    want = gpt2_numpy.forward(WEIGHTS, SMALL.heads, LINE[None, :5])
    np.testing.assert_allclose(found, want, rtol=0, atol=TOLERANCE)


def test_llama_takes_three_bindings_and_decodes(tmp_path: Path) -> None:
    sizes = llama_numpy.Sizes()
    weights = llama_numpy.random_weights(sizes, tied=False)
    save_file(weights, tmp_path / "llama.safetensors")
    export_onnx(
        LLAMA,
        tmp_path / "models",
        root="Model",
        entries=ENTRIES,
        generics=sizes.generics(batch=1, max_seq=12),
        weights=tmp_path / "llama.safetensors",
    )
    read = read_models(tmp_path / "models")
    assert "RMSNormalization" in {n.op_type for n in read.models["forward"].proto.graph.node}
    instance = instance_of(read)
    line = np.random.default_rng(5).integers(0, sizes.vocab, (2, 12), dtype=np.int32)
    for tokens in (line[:1, :1], line[:, :7], line):
        (found,) = instance.call("forward", [tokens])
        want = llama_numpy.logits(sizes, weights, tokens)
        np.testing.assert_allclose(found, want, rtol=0, atol=5e-5)
    want = llama_numpy.logits(sizes, weights, line[:1])
    (found,) = instance.call("prefill", [line[:1, :5], np.array(0, np.int32)])
    np.testing.assert_allclose(found, want[:, 4], rtol=0, atol=5e-5)
    for pos in range(5, 10):
        (found,) = instance.call("decode", [line[:1, pos : pos + 1], np.array(pos, np.int32)])
        np.testing.assert_allclose(found, want[:, pos], rtol=0, atol=5e-5)


def program(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "m.linnet"
    path.write_text(text, encoding="utf-8")
    return path


TWO_READERS = """module m
use std.nn.cache::{write_at}
pub block Log {
    state rows: Tensor[1, 1, 8, 4; f32]
    pub entry late(row: Tensor[1, 1, 1, 4; f32], pos: i32) -> Tensor[1, 1, 8, 4; f32] {
        let old = rows
        rows = write_at(rows, row, pos)
        return old * 2.0
    }
    pub entry swap() -> Tensor[1, 1, 8, 4; f32] {
        let old = rows
        rows = old + 1.0
        return old
    }
}
"""


def test_a_state_that_is_read_after_its_write_is_not_written_in_place(tmp_path: Path) -> None:
    path = program(tmp_path, TWO_READERS)
    made = export_onnx(path, tmp_path / "m", root="Log")
    assert [model.in_place for model in made.written.models] == [frozenset(), frozenset()]
    instance = OnnxInstance({})
    for model in made.written.models:
        instance.add(model.signature.entry, model)
    row = np.arange(4, dtype=np.float32).reshape(1, 1, 1, 4)
    (first,) = instance.call("late", [row, np.array(3, np.int32)])
    assert np.all(first == 0)
    (second,) = instance.call("late", [row, np.array(5, np.int32)])
    np.testing.assert_array_equal(second[0, 0, 3], 2 * row[0, 0, 0])
    assert np.all(second[0, 0, 5] == 0)
    (third,) = instance.call("swap", [])
    np.testing.assert_array_equal(third[0, 0, 5], row[0, 0, 0])
    np.testing.assert_array_equal(instance.get_state("rows")[0, 0, 5], row[0, 0, 0] + 1)


def test_one_over_a_number_times_it_is_not_one(tmp_path: Path) -> None:
    text = "module m\npub entry f(x: Tensor[5; i32]) -> (Tensor[5; i32], Tensor[5; i32]) {\n"
    path = program(tmp_path, text + "    return (1 % x, 1 / x * x)\n}\n")
    made = export_onnx(path, tmp_path / "m")
    # As anyone would load it, with every optimisation of ONNX Runtime.
    session = onnxruntime.InferenceSession(made.written.models[0].proto.SerializeToString())
    rest, whole = session.run(None, {"x": np.array([1, -1, 2, 3, -7], np.int32)})
    assert (rest.tolist(), whole.tolist()) == ([0, 0, 1, 1, 1], [1, 1, 0, 0, 0])


def test_a_param_without_elements_is_no_part_of_the_model(tmp_path: Path) -> None:
    text = """module m
pub block Model {
    param empty: Tensor[0; f32]
    param ones: Tensor[2; f32]
    pub entry f(x: Tensor[3; f32]) -> Tensor[5; f32] {
        return concat(x, empty, ones, axis = 0)
    }
}
"""
    weights = {"empty": np.zeros(0, np.float32), "ones": np.ones(2, np.float32)}
    save_file(weights, tmp_path / "w.safetensors")
    export_onnx(program(tmp_path, text), tmp_path / "m", weights=tmp_path / "w.safetensors")
    read = read_models(tmp_path / "m")
    assert list(read.models["f"].params) == ["ones"]
    (found,) = instance_of(read).call("f", [np.zeros(3, np.float32)])
    assert found.tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"opset": 17}, "opset 17 cannot be written"),
        ({"dtype": "f64"}, "`f64` is no dtype that is written"),
    ],
)
def test_what_cannot_be_written_is_said(
    tmp_path: Path, arguments: Mapping[str, Any], said: str
) -> None:
    with pytest.raises(UsageError) as raised:
        written(tmp_path / "models", **arguments)
    assert said in raised.value.message


def test_a_size_that_no_input_gives_is_refused(tmp_path: Path) -> None:
    text = "module m\npub entry f<N: Dim>(x: Tensor[2 * N; f32]) -> Tensor[2 * N; f32] {\n"
    path = program(tmp_path, text + "    return x + x\n}\n")
    with pytest.raises(CapabilityError) as raised:
        export_onnx(path, tmp_path / "m")
    assert raised.value.hint == "give it a number with --bind f.N=VALUE"


def test_a_folder_of_something_else_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "models"
    place.mkdir()
    (place / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        written(place)
    assert raised.value.message == f"{place} exists and is no folder of models"
    assert (place / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_a_folder_of_models_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    place = tmp_path / "models"
    written(place)
    written(place, entries=("forward",))
    assert sorted(path.name for path in place.iterdir()) == ["forward.onnx", "weights.bin"]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["gpt2.json", "gpt2.safetensors", "models"]


def test_calls_of_no_integer_quotient_end_no_process(tmp_path: Path) -> None:
    text = "module m\npub entry f(a: Tensor[4; i32], b: Tensor[4; i32]) -> Tensor[4; i32] {\n"
    path = program(tmp_path, text + "    return a / b\n}\n")
    made = export_onnx(path, tmp_path / "m")
    instance = OnnxInstance({})
    instance.add("f", made.written.models[0])
    least = np.iinfo(np.int32).min
    given = [np.array([7, -7, least, 5], np.int32), np.array([2, 2, -1, 0], np.int32)]
    (found,) = instance.call("f", given)
    assert found[:2].tolist() == [3, -3]
