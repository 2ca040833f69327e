"""The example llama at small sizes, written by `linnet torch --numerics equivalent`."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def angles(positions: Tensor) -> Tensor:
    exponents = torch.arange(6, dtype=torch.float32, device=positions.device) * 2.0 / 12.0  # [6]
    speeds = (-exponents * 9.2103405).exp()  # [6]
    half = positions.float()[..., None] * speeds  # [S, 6]
    return torch.cat((half, half), dim=-1)  # [S, 12]


def split_heads(x: Tensor, n: int) -> Tensor:
    B, S, _ = x.shape
    return x.reshape(B, S, n, 12).transpose(1, 2)  # [B, n, S, 12]


def rotate_half(x: Tensor) -> Tensor:
    return torch.cat((-x[..., 6:], x[..., :6]), dim=-1)  # [B, _, S, 12]


def rope(x: Tensor, cos_table: Tensor, sin_table: Tensor) -> Tensor:
    return x * cos_table + rotate_half(x) * sin_table  # [B, h, S, 12]


def write_span_(cache: Tensor, value: Tensor, at: Tensor) -> Tensor:
    """Write `value` at positions `at` and on, as far as they are inside."""
    size, count = cache.shape[2], value.shape[2]
    first = at.clamp(0, max(size - count, 0))
    places = first + torch.arange(min(size, count), device=cache.device)
    source = places - at
    inside = (source >= 0) & (source < count)
    rows = value[:, :, source.clamp(0, count - 1)]
    kept = cache[:, :, places]
    cache.index_copy_(2, places, torch.where(inside[:, None], rows, kept))
    return cache


class Embedding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(97, 48))

    def forward(self, ids: Tensor) -> Tensor:
        return F.embedding(ids, self.weight)  # [B, S, 48]


class RmsNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(48))

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.weight.shape, self.weight, 1e-05)  # [..., 48]


class Linear(nn.Module):
    def __init__(self, out: int, in_: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out, in_))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight)  # [B, S, out]


class Attention(nn.Module):
    cache_k: Tensor
    cache_v: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("cache_k", torch.zeros(2, 2, 16, 12), persistent=False)
        self.register_buffer("cache_v", torch.zeros(2, 2, 16, 12), persistent=False)
        self.q_proj = Linear(48, 48)
        self.k_proj = Linear(24, 48)
        self.v_proj = Linear(24, 48)
        self.o_proj = Linear(48, 48)

    def forward(self, x: Tensor) -> Tensor:
        B, S, _ = x.shape
        turns = angles(torch.arange(S, dtype=torch.int32, device=x.device))  # [S, 12]
        cosines = turns.cos()  # [S, 12]
        sines = turns.sin()  # [S, 12]
        query = rope(split_heads(self.q_proj(x), n=4), cosines, sines)  # [B, 4, S, 12]
        key = rope(split_heads(self.k_proj(x), n=2), cosines, sines)  # [B, 2, S, 12]
        value = split_heads(self.v_proj(x), n=2)  # [B, 2, S, 12]
        # [B, 4, S, 12]
        seen = F.scaled_dot_product_attention(
            query, key, value, is_causal=True, scale=0.28867513, enable_gqa=True
        )
        return self.o_proj(seen.transpose(1, 2).reshape(B, S, 48))  # [B, S, 48]

    def extend(self, x: Tensor, pos: Tensor) -> Tensor:
        S = x.shape[1]
        positions = torch.arange(S, dtype=torch.int32, device=x.device) + pos  # [S]
        turns = angles(positions)  # [S, 12]
        cosines = turns.cos()  # [S, 12]
        sines = turns.sin()  # [S, 12]
        query = rope(split_heads(self.q_proj(x), n=4), cosines, sines)  # [2, 4, S, 12]
        key = rope(split_heads(self.k_proj(x), n=2), cosines, sines)  # [2, 2, S, 12]
        value = split_heads(self.v_proj(x), n=2)  # [2, 2, S, 12]
        write_span_(self.cache_k, key, pos)
        write_span_(self.cache_v, value, pos)
        places = torch.arange(16, dtype=torch.int32, device=x.device)  # [16]
        mask = places <= positions[..., None]  # [S, 16]
        # [2, 4, S, 12]
        seen = F.scaled_dot_product_attention(
            query,
            self.cache_k,
            self.cache_v,
            attn_mask=torch.where(mask, 0.0, -1e30),
            scale=0.28867513,
            enable_gqa=True,
        )
        return self.o_proj(seen.transpose(1, 2).reshape(2, S, 48))  # [2, S, 48]


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate_proj = Linear(80, 48)
        self.up_proj = Linear(80, 48)
        self.down_proj = Linear(48, 80)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))  # [B, S, 48]


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.input_layernorm = RmsNorm()
        self.self_attn = Attention()
        self.post_attention_layernorm = RmsNorm()
        self.mlp = Mlp()

    def forward(self, x: Tensor) -> Tensor:
        half = x + self.self_attn(self.input_layernorm(x))  # [B, S, 48]
        return half + self.mlp(self.post_attention_layernorm(half))  # [B, S, 48]

    def extend(self, x: Tensor, pos: Tensor) -> Tensor:
        half = x + self.self_attn.extend(self.input_layernorm(x), pos)  # [2, S, 48]
        return half + self.mlp(self.post_attention_layernorm(half))  # [2, S, 48]


class Decoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed_tokens = Embedding()
        self.layers = nn.ModuleList(Layer() for _ in range(3))
        self.norm = RmsNorm()

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embed_tokens(tokens)  # [B, S, 48]
        for layer in self.layers:
            x = layer(x)  # [B, S, 48]
        return self.norm(x)  # [B, S, 48]

    def extend(self, tokens: Tensor, pos: Tensor) -> Tensor:
        x = self.embed_tokens(tokens)  # [2, S, 48]
        for layer in self.layers:
            x = layer.extend(x, pos)  # [2, S, 48]
        return self.norm(x[:, -1])  # [2, 48]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = Decoder()

    def forward(self, tokens: Tensor) -> Tensor:
        return self.logits(self.model(tokens))  # [B, S, 97]

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.model.embed_tokens.weight)  # [..., 97]

    @torch.no_grad()
    def prefill(self, tokens: Tensor, pos: Tensor) -> Tensor:
        pos = torch.as_tensor(pos, dtype=torch.int32, device=tokens.device)
        return self.logits(self.model.extend(tokens, pos))  # [2, 97]

    @torch.no_grad()
    def decode(self, token: Tensor, pos: Tensor) -> Tensor:
        pos = torch.as_tensor(pos, dtype=torch.int32, device=token.device)
        return self.logits(self.model.extend(token, pos))  # [2, 97]

    def reset(self) -> None:
        """Set all states to zero."""
        for name, buffer in self.named_buffers():
            if name.rpartition(".")[2] in ("cache_k", "cache_v"):
                buffer.zero_()
