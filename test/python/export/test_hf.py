"""Exports to the Hugging Face form: loaded by `transformers` without a word, the same numbers."""

import json
import logging
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from nest._published import BERT, DECODERS, VIT, save
from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType]

import linnet.hf
from linnet import export, nest
from linnet.cli._main import run
from linnet.errors import CapabilityError, ConversionError, UsageError

SCHEMA = json.loads(
    Path(export.__file__).with_name("certificate.schema.json").read_text(encoding="utf-8")
)
_CASES = {**DECODERS, "bert": ("BertModel", BERT), "vit": ("ViTForImageClassification", VIT)}


@contextmanager
def silent() -> Generator[None]:
    """Fail on a warning of `transformers` or of Python."""
    transformers = pytest.importorskip("transformers")
    said: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    handler = Keep(logging.WARNING)
    logger = transformers.logging.get_logger("transformers")
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_warning()
    logger.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        logger.removeHandler(handler)
        transformers.logging.set_verbosity(before)
    assert said == []


def results(model: Any, inputs: dict[str, Any]) -> Any:
    torch = pytest.importorskip("torch")
    with torch.no_grad():
        found = model(**{name: torch.tensor(value) for name, value in inputs.items()})
    return (found["logits"] if "logits" in found else found["last_hidden_state"]).numpy()


@pytest.mark.parametrize("case", _CASES)
def test_converted_and_exported_a_model_is_what_it_was(case: str, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    name, fields = _CASES[case]
    published = save(tmp_path / "published", name, fields)
    made = nest.convert(tmp_path / "published", tmp_path / "made")
    out = linnet.hf.export(made.path, tmp_path / "out")
    assert out.architecture == name
    assert out.parameters == made.parameters
    kind = getattr(transformers, name)
    with silent():
        again, report = kind.from_pretrained(out.path, output_loading_info=True)
    assert not any(report.values())
    draw = np.random.default_rng(5)
    if case == "vit":
        inputs = {"pixel_values": draw.standard_normal((2, 2, 12, 12), np.float32)}
    else:
        inputs = {"input_ids": draw.integers(0, 61, (2, 9))}
    np.testing.assert_allclose(
        results(again.eval(), inputs), results(published, inputs), atol=1e-6, rtol=0
    )
    certificate = json.loads((out.path / "certificate.json").read_text(encoding="utf-8"))
    assert certificate == out.certificate
    jsonschema.validate(certificate, SCHEMA)
    small = certificate["small"]
    assert small["largest_result"] > 0.1
    assert small["largest_difference"] < 1e-5 * max(1, small["largest_result"])


def converted(tmp_path: Path, case: str = "llama") -> Path:
    save(tmp_path / "published", *_CASES[case])
    return nest.convert(tmp_path / "published", tmp_path / "made").path


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def refused(made: Path, said: str, **options: Any) -> None:
    out = made.parent / "out"
    with pytest.raises(ConversionError) as caught:
        linnet.hf.export(made, out, **options)
    assert said in caught.value.message
    assert not out.exists()
    assert {each.name for each in made.parent.iterdir()} == {"published", "made"}


def test_a_configuration_is_written_for_a_nest_that_has_none(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    made = converted(tmp_path)
    (made / "config.json").unlink()
    out = linnet.hf.export(made, tmp_path / "out", full=True)
    assert out.certificate["weights"]["largest_difference"] < 2e-4
    jsonschema.validate(dict(out.certificate), SCHEMA)
    with silent():
        transformers.LlamaForCausalLM.from_pretrained(out.path)


def test_a_model_that_was_loaded_is_exported_with_its_weights(tmp_path: Path) -> None:
    made = converted(tmp_path)
    held = {name: array * 2 for name, array in load_file(made / "model.safetensors").items()}
    model = nest.load(made, target="reference", weights=held)
    linnet.hf.export(model, tmp_path / "out")
    found = load_file(tmp_path / "out" / "model.safetensors")
    np.testing.assert_array_equal(found["model.norm.weight"], held["model.norm.weight"])


def test_an_export_in_another_dtype_says_so(tmp_path: Path) -> None:
    made = converted(tmp_path)
    out = linnet.hf.export(made, tmp_path / "out", dtype="bf16")
    config = json.loads((out.path / "config.json").read_text(encoding="utf-8"))
    assert config["torch_dtype"] == "bfloat16"


def test_a_path_without_a_place_is_named(tmp_path: Path) -> None:
    made = converted(tmp_path)
    edited(
        made / "llama.linnet",
        "    sub norm: RmsNorm<H, T>\n",
        "    sub norm: RmsNorm<H, T>\n    param spare: Tensor[H; T]\n",
    )
    edited(
        made / "bindings.json",
        '"model.norm.weight": "model.norm.weight"',
        '"model.norm.weight": "model.norm.weight", "model.spare": "model.norm.weight"',
    )
    refused(made, "`model.spare` has no place in llama of transformers")


def test_a_program_that_computes_something_else_is_refused(tmp_path: Path) -> None:
    made = converted(tmp_path)
    edited(made / "llama.linnet", "silu(gate_proj.forward(x))", "gate_proj.forward(x)")
    refused(made, "gives other numbers in transformers")


def test_the_other_form_of_gelu_is_not_taken_for_the_same(tmp_path: Path) -> None:
    made = converted(tmp_path, "bert")
    edited(made / "bert.linnet", "gelu_erf", "gelu")
    refused(made, "gives other numbers in transformers")


def test_a_mask_that_is_not_looked_at_is_noticed(tmp_path: Path) -> None:
    made = converted(tmp_path, "bert")
    edited(made / "bert.linnet", "reshape(mask != 0,", "reshape(mask < 2,")
    refused(made, "gives other numbers in transformers")


def test_a_family_without_a_place_is_refused(tmp_path: Path) -> None:
    made = converted(tmp_path)
    edited(made / "nest.toml", 'family = "llama"', 'family = "alpaca"')
    refused(made, "the family `alpaca`, which has no place in transformers")


def test_a_bias_that_some_layers_lack_is_named(tmp_path: Path) -> None:
    made = converted(tmp_path, "qwen2")
    held = load_file(made / "model.safetensors")
    del held["model.layers.1.self_attn.k_proj.bias"]
    refused(made, "lacks `model.layers.1.self_attn.k_proj.bias`", weights=held)


def test_a_target_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    made = converted(tmp_path)
    with pytest.raises(UsageError, match="is not empty"):
        linnet.hf.export(made, tmp_path / "published")


def test_the_command_exports_and_tells_the_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = converted(tmp_path)
    capsys.readouterr()
    assert run(["export", "hf", str(made), "-o", str(tmp_path / "out")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("out: LlamaForCausalLM, 17,888 parameters")
    assert second.startswith("  at small sizes: differs from transformers by ")
    assert run(["export", "hf", str(made), "-o", str(tmp_path / "out")]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert run(["export", "hf", "alpaca", "-o", str(tmp_path / "other")]) == 1
    assert "no nest `alpaca`" in capsys.readouterr().err


def test_without_a_certificate_no_transformers_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = converted(tmp_path)

    def nothing(_: str) -> None:
        return None

    monkeypatch.setattr("linnet.export._twin.find_spec", nothing)
    with pytest.raises(CapabilityError, match=r"linnet-mlir\[transformers\]"):
        linnet.hf.export(made, tmp_path / "out")
    out = linnet.hf.export(made, tmp_path / "out", certify=False)
    assert not (out.path / "certificate.json").exists()
    assert (out.path / "model.safetensors").is_file()
