"""Exports to GGUF: the numbers, sizes and tokenizer that go in come out, and llama.cpp agrees."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from export.llama_cpp_here import llama_greedy, llama_tokens, need_llama_cpp
from nest._published import DECODERS, save
from nest.gguf_models import (
    GPT2,
    LLAMA,
    gpt2_shapes,
    llama_shapes,
    pairs_tokenizer,
    pieces_tokenizer,
    save_gguf,
)

import linnet.gguf
from linnet import nest
from linnet.cli import main
from linnet.errors import CapabilityError, ConversionError, UsageError
from linnet.export import llama_result
from linnet.weights import read_gguf

MODELS = {"llama": (LLAMA, llama_shapes), "gpt2": (GPT2, gpt2_shapes)}


def tiny(name: str, folder: Path) -> tuple[Path, Path]:
    """A GGUF file with a tokenizer, and the nest that it becomes."""
    pairs, shapes = MODELS[name]
    held, count = pairs_tokenizer()
    file = save_gguf(folder / f"{name}.gguf", pairs + held, shapes(count))
    return file, nest.convert(file, folder / name).path


@pytest.mark.parametrize("name", MODELS)
def test_what_was_converted_is_exported_as_it_was(name: str, tmp_path: Path):
    pytest.importorskip("gguf")
    file, made = tiny(name, tmp_path)
    out = linnet.gguf.export(made, tmp_path / "out.gguf", certify=False)
    before, after = read_gguf(file), read_gguf(out.path)
    assert before.tensors.keys() == after.tensors.keys()
    for key, tensor in before.tensors.items():
        np.testing.assert_array_equal(tensor.floats(), after.tensors[key].floats())
    for key in before:
        assert after.get(key) == before.get(key), key
    assert not (tmp_path / "out.gguf.certificate.json").exists()


@pytest.mark.parametrize(("dtype", "kind", "near"), [("f16", "F16", 1e-3), ("q8_0", "Q8_0", 2e-2)])
def test_matrices_become_the_dtype_and_vectors_stay(
    dtype: str, kind: str, near: float, tmp_path: Path
):
    pytest.importorskip("gguf")
    file, made = tiny("llama", tmp_path)
    out = linnet.gguf.export(made, tmp_path / "out.gguf", dtype, certify=False)
    before = read_gguf(file)
    for key, tensor in read_gguf(out.path).tensors.items():
        assert tensor.kind == (kind if len(tensor.shape) > 1 else "F32")
        np.testing.assert_allclose(tensor.floats(), before.tensors[key].floats(), atol=near)


@pytest.mark.parametrize("name", MODELS)
def test_llama_cpp_computes_what_the_program_says(name: str, tmp_path: Path):
    need_llama_cpp()
    file, made = tiny(name, tmp_path)
    out = linnet.gguf.export(made, tmp_path / "out.gguf", full=True)
    text = (tmp_path / "out.gguf.certificate.json").read_text("utf-8")
    assert json.loads(text) == out.certificate
    jsonschema = pytest.importorskip("jsonschema")
    schema = Path(linnet.gguf.__file__).parent / "export" / "certificate.schema.json"
    jsonschema.validate(out.certificate, json.loads(schema.read_text("utf-8")))
    assert out.certificate["target"] == "llama.cpp"
    tokenizers = pytest.importorskip("tokenizers")
    read = tokenizers.Tokenizer.from_file(str(made / "tokenizer.json"))
    for said in ("<|say|>hello there 123", "  a\n\tb", "naïve 😀 he"):
        assert read.encode(said).ids == llama_tokens(out.path, said) == llama_tokens(file, said)
    prompt = [5, 100, 7, 30]
    model = nest.load(made, target="reference", entries=["forward"])
    tokens = list(prompt)
    for _ in range(6):
        logits: Any = np.asarray(model.forward(np.array([tokens], np.int32)))
        tokens.append(int(logits[0, -1].argmax()))
    assert llama_greedy(out.path, prompt, 6) == tokens[4:]


@pytest.mark.parametrize("case", ["llama", "llama, tied, biased, stretched", "gpt2"])
def test_models_of_transformers_go_to_llama_cpp(case: str, tmp_path: Path):
    need_llama_cpp()
    name, fields = DECODERS[case]
    save(tmp_path / "published", name, fields)
    made = nest.convert(tmp_path / "published", tmp_path / "made").path
    out = linnet.gguf.export(made, tmp_path / "out.gguf", full=True)
    assert out.certificate["weights"]["largest_result"] > 0.5


def test_pieces_are_those_of_llama_cpp(tmp_path: Path):
    need_llama_cpp()
    tokenizers = pytest.importorskip("tokenizers")
    held, count = pieces_tokenizer()
    file = save_gguf(tmp_path / "m.gguf", LLAMA + held, llama_shapes(count))
    made = nest.convert(file, tmp_path / "made").path
    read = tokenizers.Tokenizer.from_file(str(made / "tokenizer.json"))
    for said in ("the hello", "  lo  the\nthé", "<s>hell", "a</s> tho"):
        assert read.encode(said, add_special_tokens=False).ids == llama_tokens(file, said)


def test_what_has_no_place_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("gguf")
    target = tmp_path / "out.gguf"
    _, made = tiny("llama", tmp_path)
    program = made / "llama.linnet"
    text = program.read_text("utf-8")
    with pytest.raises(UsageError, match="no dtype `q4_0`"):
        linnet.gguf.export(made, target, "q4_0", certify=False)
    with pytest.raises(UsageError, match="cannot write"):
        linnet.gguf.export(made, tmp_path / "absent" / "out.gguf", certify=False)
    with pytest.raises(UsageError, match="only a certified export in f32"):
        linnet.gguf.export(made, target, "f16", full=True)
    program.write_text(
        text.replace(
            "sub norm: RmsNorm<H, T>", "sub norm: RmsNorm<H, T>\n    param spare: Tensor[H; T]"
        ),
        encoding="utf-8",
    )
    arrays = {member.path: np.ones(member.shape, np.float32) for member in _members(made)}
    with pytest.raises(ConversionError, match=r"`model\.spare` has no place"):
        linnet.gguf.export(made, target, weights=arrays, bindings={}, certify=False)
    program.write_text(text, encoding="utf-8")
    tokenizer = made / "tokenizer.json"
    said = tokenizer.read_text("utf-8").replace(
        '"individual_digits": true', '"individual_digits": false'
    )
    tokenizer.write_text(said, encoding="utf-8")
    with pytest.raises(ConversionError, match="parts text in a way that has no name"):
        linnet.gguf.export(made, target, certify=False)
    linnet.gguf.export(made, target, certify=False, tokenizer=False)
    target.unlink()
    name, fields = DECODERS["qwen2"]
    save(tmp_path / "published", name, fields)
    other = nest.convert(tmp_path / "published", tmp_path / "qwen").path
    with pytest.raises(
        ConversionError, match="of the family `qwen2`, which is not written to GGUF"
    ):
        linnet.gguf.export(other, target, certify=False)
    monkeypatch.setattr("linnet.export._llama.llama_python", lambda: None)
    with pytest.raises(CapabilityError, match="pip install llama-cpp-python"):
        linnet.gguf.export(made, target, tokenizer=False)
    assert not target.exists()


def _members(made: Path) -> Any:
    return [m for m in nest.open_program(nest.find(made)).members() if not m.optional]


def test_a_program_that_computes_otherwise_is_not_exported(tmp_path: Path):
    need_llama_cpp()
    _, made = tiny("llama", tmp_path)
    program = made / "llama.linnet"
    text = program.read_text("utf-8")
    assert "half + mlp.forward" in text
    program.write_text(text.replace("half + mlp.forward", "half - mlp.forward"), encoding="utf-8")
    with pytest.raises(ConversionError, match=r"gives other numbers in llama\.cpp"):
        linnet.gguf.export(made, tmp_path / "out.gguf")
    assert list(tmp_path.glob("*out.gguf*")) == []


def test_a_number_that_a_dtype_cannot_hold_is_named(tmp_path: Path):
    pytest.importorskip("gguf")
    _, made = tiny("llama", tmp_path)
    arrays = {m.path: np.full(m.shape, 1e6, np.float32) for m in _members(made)}
    with pytest.raises(ConversionError, match="numbers that F16 cannot hold"):
        linnet.gguf.export(
            made, tmp_path / "out.gguf", "f16", weights=arrays, bindings={}, certify=False
        )


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    _, made = tiny("llama", tmp_path)
    monkeypatch.setattr("linnet.export._gguf.find_spec", lambda _: None)  # pyright: ignore
    with pytest.raises(CapabilityError, match=r"pip install 'linnet-mlir\[gguf\]'"):
        linnet.gguf.export(made, tmp_path / "out.gguf")


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("gguf")
    _, made = tiny("gpt2", tmp_path)
    target = tmp_path / "out.gguf"
    with pytest.raises(SystemExit) as done:
        main(["export", "gguf", str(made), "-o", str(target), "--no-certificate"])
    assert not done.value.code
    said = capsys.readouterr().out
    assert said.startswith(f"{target}: gpt2, ")
    assert target.is_file()


def test_llama_cpp_that_fails_is_one_line(tmp_path: Path):
    need_llama_cpp()
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    with pytest.raises(linnet.LinnetError, match=r"llama\.cpp failed") as caught:
        llama_result(path, rows=[[1]])
    assert "\n" not in str(caught.value)
