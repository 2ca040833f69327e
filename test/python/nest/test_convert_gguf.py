"""GGUF models as nests: the logits that `transformers` has from the same file, and refusals."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nest.gguf_models import (
    GPT2,
    HEADS,
    INNER,
    LAYERS,
    LLAMA,
    Q8_0,
    SHARED,
    H,
    gpt2_shapes,
    llama_shapes,
    pairs_tokenizer,
    pieces_tokenizer,
    save_gguf,
)
from weights.gguf_bytes import STRING, U32, listed, pair, small

from linnet import nest
from linnet.errors import CapabilityError, ConversionError, LinnetError, UsageError, WeightsError

TOKENS = np.array([[3, 1, 4, 1, 5, 9, 2, 6]], np.int32)


_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_GPT2_NAMES = {
    "token_embd": "transformer.wte",
    "position_embd": "transformer.wpe",
    "output_norm": "transformer.ln_f",
    "attn_norm": "ln_1",
    "attn_qkv": "attn.c_attn",
    "attn_output": "attn.c_proj",
    "ffn_norm": "ln_2",
    "ffn_up": "mlp.c_fc",
    "ffn_down": "mlp.c_proj",
}


def neighbours_apart(matrix: Any, heads: int) -> Any:
    """Row `2i` of a head to its row `i`, row `2i + 1` to `i + D / 2`."""
    out = np.empty_like(matrix)
    size = len(matrix) // heads
    for row in range(len(matrix)):
        head, place = divmod(row, size)
        half, which = divmod(place, 2)
        out[head * size + half + which * size // 2] = matrix[row]
    return out


def theirs(path: Path, name: str, **fields: Any) -> Any:
    """What `transformers` computes from the numbers that the package `gguf` reads."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    gguf = pytest.importorskip("gguf")
    kind = getattr(transformers, name)
    held: dict[str, Any] = {}
    for tensor in gguf.GGUFReader(path).tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        parts = tensor.name.split(".")
        if name == "LlamaForCausalLM":
            place = f"model.layers.{parts[1]}." if parts[0] == "blk" else ""
            full = f"{place}{_NAMES[parts[-2]]}.{parts[-1]}"
            if parts[-2] in ("attn_q", "attn_k"):
                values = neighbours_apart(values, HEADS if parts[-2] == "attn_q" else SHARED)
        else:
            place = f"transformer.h.{parts[1]}." if parts[0] == "blk" else ""
            full = f"{place}{_GPT2_NAMES[parts[-2]]}.{parts[-1]}"
            if place and values.ndim == 2:
                values = values.T
        held[full] = torch.tensor(np.ascontiguousarray(values))
    model = kind(kind.config_class(**fields)).eval()
    missing, unexpected = model.load_state_dict(held, strict=False)
    assert not unexpected
    assert set(missing) <= {"lm_head.weight"}
    model.tie_weights()
    with torch.no_grad():
        return model(torch.tensor(TOKENS)).logits.numpy()


_ENDS = {"bos_token_id": None, "eos_token_id": None}
_LLAMA_FIELDS = {
    "vocab_size": 64,
    "hidden_size": H,
    "intermediate_size": INNER,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": SHARED,
    "rms_norm_eps": 1e-3,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500.0},
    **_ENDS,
}
_GPT2_FIELDS = {
    "vocab_size": 64,
    "n_embd": H,
    "n_layer": LAYERS,
    "n_head": HEADS,
    "n_positions": 32,
    **_ENDS,
}


@pytest.mark.parametrize(("tied", "matrices"), [(True, Q8_0), (False, 0), (True, 1)])
def test_a_llama_file_gives_the_logits_of_transformers(tied: bool, matrices: int, tmp_path: Path):
    path = save_gguf(tmp_path / "m.gguf", LLAMA, llama_shapes(64, tied), matrices)
    made = nest.convert(path, tmp_path / "made")
    assert (made.family, made.architecture) == ("llama", "LlamaForCausalLM")
    assert made.generics["T"] == "f32"
    model = nest.load(made.path, target="reference", entries=["forward"])
    found = np.asarray(model.forward(TOKENS))
    np.testing.assert_allclose(
        found,
        theirs(path, "LlamaForCausalLM", **_LLAMA_FIELDS, tie_word_embeddings=tied),
        atol=2e-4,
        rtol=1e-4,
    )


def test_a_gpt2_file_gives_the_logits_of_transformers(tmp_path: Path):
    path = save_gguf(tmp_path / "m.gguf", GPT2, gpt2_shapes(64), Q8_0)
    made = nest.convert(path, tmp_path / "made")
    assert made.family == "gpt2"
    model = nest.load(made.path, target="reference", entries=["forward"])
    found = np.asarray(model.forward(TOKENS))
    np.testing.assert_allclose(
        found, theirs(path, "GPT2LMHeadModel", **_GPT2_FIELDS), atol=2e-4, rtol=1e-4
    )


def test_positions_slowed_as_llama_3_does_are_recognised(tmp_path: Path):
    shapes = {**llama_shapes(64), "rope_freqs.weight": (H // HEADS // 2,)}
    path = save_gguf(tmp_path / "m.gguf", LLAMA, shapes)
    with pytest.raises(ConversionError, match="slows positions in a way that is not known"):
        nest.convert(path, tmp_path / "made")
    data = path.read_bytes()
    # From the definition: turns within 8192 positions, of the base 500 and heads of 8.
    turns = 8192 * 500.0 ** (-np.arange(4) / 4) / (2 * np.pi)
    assert turns.min() > 4  # All turn fast: nothing is slowed.
    path.write_bytes(data[:-32] + np.ones(4, "<f4").tobytes() + b"\0" * 16)
    nest.convert(path, tmp_path / "made")
    assert "ROPE_SCALING = Scaling.Llama3" in (tmp_path / "made/llama.linnet").read_text("utf-8")


def test_a_dtype_rounds_and_what_it_cannot_hold_is_refused(tmp_path: Path):
    path = save_gguf(tmp_path / "m.gguf", LLAMA, llama_shapes(64), Q8_0)
    made = nest.convert(path, tmp_path / "made", dtype="bf16")
    assert made.generics["T"] == "bf16"
    with pytest.raises(UsageError, match="no dtype `int4`"):
        nest.convert(path, tmp_path / "other", dtype="int4")
    with pytest.raises(UsageError, match="cannot be linked"):
        nest.convert(path, tmp_path / "other", link=True)
    large = save_gguf(tmp_path / "l.gguf", LLAMA, llama_shapes(64))
    raw = bytearray(large.read_bytes())
    raw[-4:] = np.float32(1e30).tobytes()
    large.write_bytes(bytes(raw))
    with pytest.raises(ConversionError, match="numbers that f16 cannot hold"):
        nest.convert(large, tmp_path / "other", dtype="f16")
    assert not (tmp_path / "other").exists()


def test_a_byte_level_tokenizer_becomes_a_tokenizer_json(tmp_path: Path):
    tokenizers = pytest.importorskip("tokenizers")
    held, count = pairs_tokenizer()
    path = save_gguf(tmp_path / "m.gguf", LLAMA + held, llama_shapes(count))
    made = nest.convert(path, tmp_path / "made").path
    read = tokenizers.Tokenizer.from_file(str(made / "tokenizer.json"))
    said = read.encode("<|say|>hello there 12")
    assert said.tokens == [
        *("<|say|>", "hell", "o", "Ġt", "he", "r", "e", "Ġ", "1", "2"),
    ]
    text = "naïve  café\n\tthe end 😀"
    assert read.decode(read.encode(text).ids) == text
    config = json.loads((made / "tokenizer_config.json").read_text("utf-8"))
    assert config["eos_token"] == "<|end|>"
    assert (made / "chat_template.jinja").read_text("utf-8") == "{{ messages[0]['content'] }}"
    assert "stop = [0]" in (made / "nest.toml").read_text("utf-8")


def test_pieces_merge_by_their_scores(tmp_path: Path):
    tokenizers = pytest.importorskip("tokenizers")
    held, count = pieces_tokenizer()
    path = save_gguf(tmp_path / "m.gguf", LLAMA + held, llama_shapes(count))
    made = nest.convert(path, tmp_path / "made").path
    read = tokenizers.Tokenizer.from_file(str(made / "tokenizer.json"))
    # By hand: `th` is the best pair, then `▁th`, then all three; `he`, `lo`, `llo`.
    assert read.encode("the hello").tokens == ["<s>", "▁the", "▁", "he", "llo"]
    text = "the é hello"
    assert read.decode(read.encode(text).ids) == text


def refused(
    kind: type[LinnetError], said: str, tmp_path: Path, *arguments: Any, **options: Any
) -> None:
    path = save_gguf(tmp_path / "m.gguf", *arguments)
    with pytest.raises(kind) as caught:
        nest.convert(path, tmp_path / "made", **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "made").exists()


def instead(key: str, *held: bytes) -> list[bytes]:
    """The pairs with another under a key."""
    return [each for each in LLAMA if key.encode() not in each] + list(held)


NAMED: dict[str, tuple[Callable[[], list[bytes]], str]] = {
    "architecture": (
        lambda: instead("general.arch", pair("general.architecture", STRING, "mamba\n")),
        "architecture `mamba\\n` is not known",
    ),
    "no architecture": (lambda: instead("general.arch"), "does not say its architecture"),
    "an adapter": (lambda: [*LLAMA, pair("general.type", STRING, "adapter")], "holds no model"),
    "a part": (lambda: [*LLAMA, pair("split.count", U32, 3)], "one part of several"),
    "a pair that is not known": (
        lambda: [*LLAMA, pair("llama.attention.sliding_window", U32, 4)],
        "sets `llama.attention.sliding_window` to 4, which is not known",
    ),
    "experts": (lambda: [*LLAMA, pair("llama.expert_count", U32, 8)], "`llama.expert_count` to 8"),
    "an array": (
        lambda: instead("feed_forward", listed("llama.feed_forward_length", U32, [64, 32])),
        "`llama.feed_forward_length`",
    ),
    "a part of each head": (
        lambda: instead("dimension_count", pair("llama.rope.dimension_count", U32, 4)),
        "`llama.rope.dimension_count` to 4",
    ),
    "yarn": (lambda: [*LLAMA, pair("llama.rope.scaling.type", STRING, "yarn")], "rope type `yarn`"),
    "no epsilon": (
        lambda: instead("rms_epsilon"),
        "has no `llama.attention.layer_norm_rms_epsilon`",
    ),
    "a number of text": (
        lambda: instead("block_count", pair("llama.block_count", STRING, "2")),
        '`llama.block_count` to "2"',
    ),
    "a tokenizer": (
        lambda: [*LLAMA, pair("tokenizer.ggml.model", STRING, "rwkv")],
        'tokenizer of the kind "rwkv"',
    ),
    "a pre-tokenizer": (lambda: LLAMA + pairs_tokenizer("falcon")[0], 'text as "falcon" does'),
    "too few tokens": (lambda: LLAMA + pairs_tokenizer()[0], "an embedding of 64 rows"),
}


@pytest.mark.parametrize("case", NAMED)
def test_what_is_not_known_is_named(case: str, tmp_path: Path):
    pairs, said = NAMED[case]
    refused(ConversionError, said, tmp_path, pairs(), llama_shapes(64))


def test_tensors_without_a_place_missing_or_of_another_shape_are_named(tmp_path: Path):
    shapes = llama_shapes(64)
    refused(ConversionError, "`blk.0.spare`", tmp_path, LLAMA, {**shapes, "blk.0.spare": (4,)})
    others = {**shapes, "blk.1.attn_q.weight": (16, H)}
    refused(ConversionError, "model.layers.1.self_attn.q_proj", tmp_path, LLAMA, others)
    del shapes["blk.1.ffn_up.weight"]
    refused(ConversionError, "model.layers.1.mlp.up_proj.weight", tmp_path, LLAMA, shapes)


def test_a_tokenizer_that_is_not_known_can_be_left_behind(tmp_path: Path):
    held, count = pairs_tokenizer("falcon")
    path = save_gguf(tmp_path / "m.gguf", LLAMA + held, llama_shapes(count))
    made = nest.convert(path, tmp_path / "made", ignore=["tokenizer.ggml.pre"])
    assert not (made.path / "tokenizer.json").exists()


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path):
    path = tmp_path / "m.gguf"
    path.write_bytes(b"PK\x03\x04" + bytes(60))
    with pytest.raises(WeightsError, match="no GGUF file"):
        nest.convert(path, tmp_path / "made")
    path.write_bytes(small())
    with pytest.raises(ConversionError):
        nest.convert(path, tmp_path / "made")


def test_keeping_blocks_is_one_capability_error(tmp_path: Path):
    from linnet.cli._nest_convert import command

    path = save_gguf(tmp_path / "m.gguf", LLAMA, llama_shapes(64), Q8_0)
    with pytest.raises(CapabilityError, match="quantised tensors are not kept"):
        command.main(
            [str(path), "-o", str(tmp_path / "made"), "--keep-quantised"], standalone_mode=False
        )
