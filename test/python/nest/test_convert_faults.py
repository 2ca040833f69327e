"""Published models that are refused: each with one line that names what is wrong."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from linnet import LinnetError, cli, nest
from linnet.cli._main import run
from linnet.errors import ConversionError, UsageError, WeightsError

H, INNER, VOCAB = 8, 12, 16
CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": VOCAB,
    "hidden_size": H,
    "intermediate_size": INNER,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 32,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "hidden_act": "silu",
    "tie_word_embeddings": True,
    "torch_dtype": "float32",
}


def shapes() -> dict[str, tuple[int, ...]]:
    layer = {
        "input_layernorm.weight": (H,),
        "self_attn.q_proj.weight": (8, H),
        "self_attn.k_proj.weight": (4, H),
        "self_attn.v_proj.weight": (4, H),
        "self_attn.o_proj.weight": (H, 8),
        "post_attention_layernorm.weight": (H,),
        "mlp.gate_proj.weight": (INNER, H),
        "mlp.up_proj.weight": (INNER, H),
        "mlp.down_proj.weight": (H, INNER),
    }
    return {
        "model.embed_tokens.weight": (VOCAB, H),
        **{f"model.layers.0.{name}": shape for name, shape in layer.items()},
        "model.norm.weight": (H,),
    }


def tensors() -> dict[str, Any]:
    draw = np.random.default_rng(0)
    return {name: draw.standard_normal(shape, np.float32) for name, shape in shapes().items()}


def written(folder: Path, config: object = None, weights: dict[str, Any] | None = None) -> Path:
    folder.mkdir()
    text = config if isinstance(config, str) else json.dumps(CONFIG if config is None else config)
    (folder / "config.json").write_text(text, encoding="utf-8")
    save_file(tensors() if weights is None else weights, folder / "model.safetensors")
    return folder


def sharded(folder: Path) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    held = tensors()
    names = list(held)
    places = {name: f"model-0000{1 + (i > 4)}-of-00002.safetensors" for i, name in enumerate(names)}
    for shard in set(places.values()):
        save_file({n: held[n] for n in names if places[n] == shard}, folder / shard)
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


def refused(folder: Path, kind: type[LinnetError], said: str, **options: Any) -> None:
    target = folder.parent / "made"
    with pytest.raises(kind) as caught:
        nest.convert(folder, target, **options)
    assert said in caught.value.message
    assert "\n" not in caught.value.message
    assert not target.exists()
    assert {each.name for each in folder.parent.iterdir()} <= {folder.name}


def test_a_sound_model_is_converted_and_its_weights_are_not_touched(tmp_path: Path) -> None:
    folder = written(tmp_path / "published")
    made = nest.convert(folder, tmp_path / "made")
    assert made.parameters == sum(int(np.prod(shape)) for shape in shapes().values())
    held = (made.path / "model.safetensors").read_bytes()
    assert held == (folder / "model.safetensors").read_bytes()


def test_a_link_is_the_same_file(tmp_path: Path) -> None:
    folder = written(tmp_path / "published")
    made = nest.convert(folder, tmp_path / "made", link=True)
    assert os.path.samefile(made.path / "model.safetensors", folder / "model.safetensors")


def test_shards_are_one_model(tmp_path: Path) -> None:
    folder = sharded(tmp_path / "published")
    assert len(nest.convert(folder, tmp_path / "made").files) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"architectures": ["FalconForCausalLM"]}, "architecture `FalconForCausalLM`"),
        ({"model_type": "falcon"}, "(model type `falcon`) is not known"),
        ({"architectures": []}, "names no architectures"),
        ({"quantization_config": {"bits": 4}}, "`quantization_config`"),
        ({"auto_map": {"AutoModel": "evil.py"}}, "which is never run"),
        ({"hidden_act": "relu2"}, '`hidden_act` to "relu2"'),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, "rope type `yarn`"),
        ({"rope_scaling": {"type": "dynamic", "factor": 4.0}}, "rope type `dynamic`"),
        ({"rope_scaling": {"type": "linear"}}, "has no `factor`"),
        ({"rope_scaling": {"type": "linear", "factor": "2"}}, '`factor` to "2"'),
        ({"rope_scaling": {"type": "linear", "factor": 2.0, "twist": 3}}, "`twist`"),
        ({"rope_scaling": [1]}, "`rope_scaling` to [1]"),
        ({"rope_theta": -1}, "`rope_theta` to -1"),
        ({"shared_expert_size": 4}, "`shared_expert_size` to 4"),
        ({"hidden_size": "wide"}, '`hidden_size` to "wide"'),
        ({"hidden_size": None}, "no `hidden_size`"),
        ({"hidden_size": 9}, "no multiple of `num_attention_heads`"),
        ({"num_key_value_heads": 3}, "no multiple of `num_key_value_heads`"),
        ({"head_dim": 5}, "`head_dim` 5 is odd"),
        ({"num_hidden_layers": 2}, "no `model.layers.1.input_layernorm.weight`"),
        ({"vocab_size": 17}, "has shape [16, 8], config.json calls for [17, 8]"),
        ({"tie_word_embeddings": False}, "no `lm_head.weight`"),
        ({"attention_bias": True}, "no `model.layers.0.self_attn.q_proj.bias`"),
        ({"tie_word_embeddings": 1}, "not to true or false"),
        ({"rms_norm_eps": float("inf")}, "`rms_norm_eps`"),
    ],
    ids=str,
)
def test_a_configuration_that_is_not_known_is_named(
    change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    refused(written(tmp_path / "published", {**CONFIG, **change}), ConversionError, said)


def test_a_key_of_no_effect_can_be_ignored(tmp_path: Path) -> None:
    folder = written(tmp_path / "published", {**CONFIG, "origin": "a lab", "auto_map": {"A": "b"}})
    nest.convert(folder, tmp_path / "made", ignore=("origin", "auto_map"))


@pytest.mark.parametrize("text", ["", "[1]", "{" * 5000, '{"a": NaN}'])
def test_a_configuration_that_is_no_object_is_refused(text: str, tmp_path: Path) -> None:
    refused(written(tmp_path / "published", text), ConversionError, "config.json")


def test_a_folder_without_a_configuration_is_refused(tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    refused(tmp_path / "published", ConversionError, "has no config.json")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "published", UsageError, "does not exist")


def test_a_target_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "published")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        nest.convert(folder, tmp_path / "made")
    assert [each.name for each in (tmp_path / "made").iterdir()] == ["mine.txt"]


def test_a_tensor_without_a_place_is_refused(tmp_path: Path) -> None:
    held = {**tensors(), "model.layers.0.mlp.extra.weight": np.zeros(3, np.float32)}
    folder = written(tmp_path / "published", weights=held)
    refused(folder, ConversionError, "`model.layers.0.mlp.extra.weight`, which has no place")


def test_a_tied_head_that_is_another_matrix_is_refused(tmp_path: Path) -> None:
    held = {**tensors(), "lm_head.weight": np.ones((VOCAB, H), np.float32)}
    refused(written(tmp_path / "published", weights=held), ConversionError, "`lm_head.weight`")


def test_a_copy_of_a_tied_head_is_passed_over(tmp_path: Path) -> None:
    held = tensors()
    held["lm_head.weight"] = held["model.embed_tokens.weight"].copy()
    made = nest.convert(written(tmp_path / "published", weights=held), tmp_path / "made")
    assert 'ignore = ["lm_head.weight"]' in (made.path / "nest.toml").read_text(encoding="utf-8")


def test_weights_of_two_dtypes_are_refused(tmp_path: Path) -> None:
    held = tensors()
    held["model.norm.weight"] = held["model.norm.weight"].astype(np.float16)
    folder = written(tmp_path / "published", weights=held)
    refused(folder, ConversionError, "`model.norm.weight` is f16, other weights are f32")


@pytest.mark.parametrize("length", [3, 40, 2000])
def test_cut_weights_are_refused(length: int, tmp_path: Path) -> None:
    folder = written(tmp_path / "published")
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[:length])
    refused(folder, WeightsError, "is truncated")


@pytest.mark.parametrize(
    ("name", "said"),
    [("pytorch_model.bin", "could run code when read"), ("adapter_config.json", "an adapter")],
)
def test_weights_in_another_form_are_refused(name: str, said: str, tmp_path: Path) -> None:
    folder = written(tmp_path / "published")
    (folder / "model.safetensors").rename(folder / name)
    refused(folder, ConversionError, said)


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "published")
    (folder / "model.safetensors").unlink()
    refused(folder, ConversionError, "has no model.safetensors")


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    folder = sharded(tmp_path / "published")
    (folder / "model-00002-of-00002.safetensors").unlink()
    refused(folder, ConversionError, "model-00002-of-00002.safetensors, which is missing")


@pytest.mark.parametrize("place", ["../up.safetensors", "/etc/passwd", 7, ""])
def test_a_shard_outside_the_folder_is_refused(place: object, tmp_path: Path) -> None:
    folder = sharded(tmp_path / "published")
    index = {"weight_map": {"model.norm.weight": place}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    refused(folder, ConversionError, "is no file beside it")


def test_an_index_at_odds_with_its_shards_is_refused(tmp_path: Path) -> None:
    folder = sharded(tmp_path / "published")
    path = folder / "model.safetensors.index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    index["weight_map"]["model.norm.weight"] = "model-00001-of-00002.safetensors"
    path.write_text(json.dumps(index), encoding="utf-8")
    refused(folder, ConversionError, "`model.norm.weight`")


def test_the_command_converts_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path / "published")
    made = str(tmp_path / "made")
    assert run(["nest", "convert", str(folder), "-o", made, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    schema = json.loads(
        (Path(cli.__file__).parent / "nest.schema.json").read_text(encoding="utf-8")
    )
    jsonschema.validate(found, {"$ref": "#/$defs/convert", "$defs": schema["$defs"]})
    assert found["family"] == "llama"
    assert run(["nest", "convert", str(folder), "-o", made]) == 2
    assert "is not empty" in capsys.readouterr().err
    strange = written(tmp_path / "strange", {**CONFIG, "architectures": ["X"]})
    assert run(["nest", "convert", str(strange), "-o", str(tmp_path / "other")]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "error: architecture `X` (model type `llama`) is not known"
    assert said[1] == "hint: known of llama: LlamaForCausalLM"
