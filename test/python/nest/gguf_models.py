"""Tiny GGUF models, byte by byte: numbers from a seed, a tokenizer of a few tokens."""

from pathlib import Path
from typing import Any

import numpy as np
from weights.gguf_bytes import F32, I32, STRING, U32, info, listed, pair, whole

H, INNER, HEADS, SHARED, LAYERS = 32, 64, 4, 2, 2
Q8_0 = 8

LLAMA: list[bytes] = [
    pair("general.architecture", STRING, "llama"),
    pair("llama.block_count", U32, LAYERS),
    pair("llama.context_length", U32, 64),
    pair("llama.embedding_length", U32, H),
    pair("llama.feed_forward_length", U32, INNER),
    pair("llama.attention.head_count", U32, HEADS),
    pair("llama.attention.head_count_kv", U32, SHARED),
    pair("llama.attention.layer_norm_rms_epsilon", F32, 1e-3),
    pair("llama.rope.freq_base", F32, 500.0),
    pair("llama.rope.dimension_count", U32, H // HEADS),
]
GPT2: list[bytes] = [
    pair("general.architecture", STRING, "gpt2"),
    pair("gpt2.block_count", U32, LAYERS),
    pair("gpt2.context_length", U32, 32),
    pair("gpt2.embedding_length", U32, H),
    pair("gpt2.feed_forward_length", U32, 4 * H),
    pair("gpt2.attention.head_count", U32, HEADS),
    pair("gpt2.attention.layer_norm_epsilon", F32, 1e-5),
]


def byte_letters() -> list[str]:
    """The letters that stand for the bytes in byte-level vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    held = {byte: chr(byte) for byte in plain}
    for byte in range(256):
        held.setdefault(byte, chr(256 + len(held) - len(plain)))
    return [held[byte] for byte in range(256)]


def pairs_tokenizer(pre: str = "smollm") -> tuple[list[bytes], int]:
    """A byte-level tokenizer with three merges and two marks; and how many tokens it has."""
    tokens = ["<|end|>", "<|say|>", *byte_letters(), "he", "ll", "hell", "Ġt"]
    kinds = [3, 4] + [1] * (len(tokens) - 2)
    held = [
        pair("tokenizer.ggml.model", STRING, "gpt2"),
        pair("tokenizer.ggml.pre", STRING, pre),
        listed("tokenizer.ggml.tokens", STRING, tokens),
        listed("tokenizer.ggml.token_type", I32, kinds),
        listed("tokenizer.ggml.merges", STRING, ["h e", "l l", "he ll", "Ġ t"]),
        pair("tokenizer.ggml.bos_token_id", U32, 0),
        pair("tokenizer.ggml.eos_token_id", U32, 0),
        pair("tokenizer.chat_template", STRING, "{{ messages[0]['content'] }}"),
    ]
    return held, len(tokens)


def pieces_tokenizer() -> tuple[list[bytes], int]:
    """A tokenizer of pieces with scores, and bytes to fall back to."""
    words = ["▁", "t", "h", "e", "a", "l", "o", "th", "he", "▁t", "▁the", "lo", "▁th", "llo"]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *words]
    kinds = [2, 3, 3] + [6] * 256 + [1] * len(words)
    scores = [0.0] * 259 + [-1.0 * i for i in range(len(words))]
    held = [
        pair("tokenizer.ggml.model", STRING, "llama"),
        pair("tokenizer.ggml.pre", STRING, "default"),
        listed("tokenizer.ggml.tokens", STRING, tokens),
        listed("tokenizer.ggml.scores", F32, scores),
        listed("tokenizer.ggml.token_type", I32, kinds),
        pair("tokenizer.ggml.bos_token_id", U32, 1),
        pair("tokenizer.ggml.eos_token_id", U32, 2),
        pair("tokenizer.ggml.unknown_token_id", U32, 0),
    ]
    return held, len(tokens)


def llama_shapes(vocabulary: int, tied: bool = True) -> dict[str, tuple[int, ...]]:
    """Shapes as NumPy has them."""
    each = {
        "attn_norm": (H,),
        "attn_q": (H, H),
        "attn_k": (H * SHARED // HEADS, H),
        "attn_v": (H * SHARED // HEADS, H),
        "attn_output": (H, H),
        "ffn_norm": (H,),
        "ffn_gate": (INNER, H),
        "ffn_up": (INNER, H),
        "ffn_down": (H, INNER),
    }
    layers = {f"blk.{i}.{n}.weight": s for i in range(LAYERS) for n, s in each.items()}
    head = {} if tied else {"output.weight": (vocabulary, H)}
    ends = {"token_embd.weight": (vocabulary, H), "output_norm.weight": (H,)}
    return {**ends, **head, **layers}


def gpt2_shapes(vocabulary: int) -> dict[str, tuple[int, ...]]:
    wide = {"attn_qkv": 3 * H, "attn_output": H, "ffn_up": 4 * H}
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (vocabulary, H),
        "position_embd.weight": (32, H),
        "output_norm.weight": (H,),
        "output_norm.bias": (H,),
    }
    for i in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            shapes |= {f"blk.{i}.{norm}.{leaf}": (H,) for leaf in ("weight", "bias")}
        for name, rows in wide.items():
            shapes |= {f"blk.{i}.{name}.weight": (rows, H), f"blk.{i}.{name}.bias": (rows,)}
        shapes |= {f"blk.{i}.ffn_down.weight": (H, 4 * H), f"blk.{i}.ffn_down.bias": (H,)}
    return shapes


def save_gguf(
    path: Path,
    pairs: list[bytes],
    shapes: dict[str, tuple[int, ...]],
    matrices: int = 0,
) -> Path:
    """Write a file with numbers drawn for each tensor; `matrices` is the type of those."""
    draw = np.random.default_rng(3)
    infos: list[bytes] = []
    data = b""
    for name, shape in shapes.items():
        kind = matrices if len(shape) > 1 else 0
        infos.append(info(name, list(reversed(shape)), kind, len(data)))
        values: Any = draw.standard_normal(shape) * 0.3 + name.endswith("norm.weight")
        if kind == Q8_0:
            blocks = draw.integers(-127, 128, (values.size // 32, 32), np.int8)
            scales = np.full((len(blocks), 1), 0.005, "<f2").view(np.int8)
            held = np.concatenate([scales, blocks], 1).tobytes()
        else:
            held = values.astype("<f2" if kind == 1 else "<f4").tobytes()
        data += held + b"\0" * (-len(held) % 32)
    path.write_bytes(whole(pairs, infos, data))
    return path
