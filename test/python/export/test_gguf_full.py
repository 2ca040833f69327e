"""GGUF at true shapes: SmolLM2-135M as it was published, GPT-2 124M with weights from a seed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from export.llama_cpp_here import llama_greedy, llama_tokens, need_llama_cpp
from export.test_hf_full import seeded
from nest._test_data import published

import linnet.gguf
import linnet.hf
from linnet import nest
from linnet.export import llama_result
from linnet.weights import read_gguf

pytestmark = pytest.mark.slow

QUESTION = "What is the capital of France, and how many people live there in 2024?"
# The chat template of the file, by hand, for a question without a system message.
CHAT = (
    "<|im_start|>system\n"
    "You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    "<|im_start|>user\n"
    f"{QUESTION}<|im_end|>\n"
    "<|im_start|>assistant\n"
)


def greedy(model: nest.Model, prompt: list[int], count: int) -> list[int]:
    return list(model.generate(prompt, count, stop=[]))


def smollm2(folder: Path) -> tuple[Path, Path]:
    """The published file, and the nest that it becomes."""
    (file,) = published("smollm2").glob("*.gguf")
    nest.convert(file, folder / "smollm2")
    return file, folder / "smollm2"


def test_smollm2_answers_a_chat_with_the_tokens_of_llama_cpp(tmp_path: Path):
    need_llama_cpp()
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("iree.runtime", reason="IREE is not installed")
    file, made = smollm2(tmp_path)
    text = tokenizers.Tokenizer.from_file(str(made / "tokenizer.json"))
    prompt = text.encode(CHAT).ids
    assert prompt == llama_tokens(file, CHAT)
    for said in ("don't  stop\n\n\tat 1234567 ünïcödé 😀", " a <|im_end|>b", "x" * 50):
        assert text.encode(said).ids == llama_tokens(file, said)

    model = nest.load(made, entries=["forward", "prefill", "decode"], generics={"MaxSeq": 256})
    out = linnet.gguf.export(made, tmp_path / "f32.gguf")
    assert out.certificate["small"]["largest_difference"] < 2e-4
    # The same numbers stand in both files, and the same tokenizer.
    before, after = read_gguf(file), read_gguf(out.path)
    for key in ("tokens", "merges", "token_type", "pre", "bos_token_id", "eos_token_id"):
        assert before.get(f"tokenizer.ggml.{key}") == after.get(f"tokenizer.ggml.{key}")
    for name in ("blk.7.attn_q.weight", "blk.29.attn_k.weight", "token_embd.weight"):
        np.testing.assert_array_equal(before.tensors[name].floats(), after.tensors[name].floats())

    ours = greedy(model, prompt, 96)
    theirs = llama_greedy(out.path, prompt, 96)
    print(text.decode(ours))
    assert ours[:32] == theirs[:32]
    assert ours == theirs
    logits: Any = llama_result(out.path, rows=[prompt])
    found = np.asarray(model.forward(np.array([prompt], np.int32)))
    print("largest logit difference", np.abs(found - logits).max(), "of", np.abs(logits).max())
    np.testing.assert_allclose(found, logits, atol=1e-3, rtol=0)


def test_the_tokenizer_of_smollm2_is_one_of_transformers(tmp_path: Path):
    transformers = pytest.importorskip("transformers")
    _, made = smollm2(tmp_path)
    read = transformers.AutoTokenizer.from_pretrained(made)
    asked = [{"role": "user", "content": QUESTION}]
    assert read.apply_chat_template(asked, tokenize=False, add_generation_prompt=True) == CHAT
    assert read.eos_token == "<|im_end|>"


def test_gpt2_gives_the_tokens_of_llama_cpp(tmp_path: Path):
    need_llama_cpp()
    pytest.importorskip("iree.runtime", reason="IREE is not installed")
    weights = seeded("gpt2")
    # As drawn, biases are near one, and one token outweighs all else at every position.
    for path in weights:
        if path.endswith("bias"):
            weights[path] = weights[path] - np.float32(1)
    weights["wpe"] = weights["wpe"] * np.float32(10)
    model = nest.load(
        "gpt2", weights=weights, bindings={}, dtype="f32", entries=["forward", "prefill", "decode"]
    )
    out = linnet.gguf.export(model, tmp_path / "gpt2.gguf")
    prompt = np.random.default_rng(4).integers(0, 50257, 24).tolist()
    ours = greedy(model, prompt, 96)
    logits: Any = llama_result(out.path, rows=[prompt])
    found = np.asarray(model.forward(np.array([prompt], np.int32)))
    print("largest logit difference", np.abs(found - logits).max(), "of", np.abs(logits).max())
    theirs = llama_greedy(out.path, prompt, 96)
    print(len(set(ours)), "tokens of their own")
    assert len(set(ours)) > 4
    assert ours == theirs


def test_smollm2_goes_on_to_transformers_with_the_same_logits(tmp_path: Path):
    pytest.importorskip("transformers")
    _, made = smollm2(tmp_path)
    out = linnet.hf.export(made, tmp_path / "hf", full=True)
    found = out.certificate["weights"]
    print("transformers differs by", found["largest_difference"], "of", found["largest_result"])
    assert found["largest_difference"] < 2e-4
