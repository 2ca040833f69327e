"""The example gpt2 at small sizes, written by `linnet torch --numerics equivalent`."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def split_heads(x: Tensor) -> Tensor:
    B, S, _ = x.shape
    return x.reshape(B, S, 4, 12).transpose(1, 2)  # [B, 4, S, 12]


def join_heads(x: Tensor) -> Tensor:
    B, _, S, _ = x.shape
    return x.transpose(1, 2).reshape(B, S, 48)  # [B, S, 48]


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


def write_at_(cache: Tensor, value: Tensor, at: Tensor) -> Tensor:
    """Write `value` at position `at`, or nothing where that is outside."""
    place = at.clamp(0, cache.shape[2] - 1).reshape(1)
    kept = cache.index_select(2, place)
    cache.index_copy_(2, place.long(), torch.where(place == at, value, kept))
    return cache


class LayerNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(48))
        self.bias = nn.Parameter(torch.empty(48))

    def forward(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)  # [..., 48]


class Conv1D(nn.Module):
    def __init__(self, in_: int, out: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_, out))
        self.bias = nn.Parameter(torch.empty(out))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight.T, self.bias)  # [B, S, out]


class Attention(nn.Module):
    cache_k: Tensor
    cache_v: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("cache_k", torch.zeros(2, 4, 16, 12), persistent=False)
        self.register_buffer("cache_v", torch.zeros(2, 4, 16, 12), persistent=False)
        self.qkv = Conv1D(48, 144)
        self.out = Conv1D(48, 48)

    def forward(self, x: Tensor) -> Tensor:
        fused = self.qkv(x)  # [B, S, 144]
        query = split_heads(fused[..., :48])  # [B, 4, S, 12]
        key = split_heads(fused[..., 48:96])  # [B, 4, S, 12]
        value = split_heads(fused[..., 96:])  # [B, 4, S, 12]
        # [B, 4, S, 12]
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=0.28867513)
        return self.out(join_heads(seen))  # [B, S, 48]

    def prefill(self, x: Tensor, pos: Tensor) -> Tensor:
        fused = self.qkv(x)  # [2, S, 144]
        query = split_heads(fused[..., :48])  # [2, 4, S, 12]
        key = split_heads(fused[..., 48:96])  # [2, 4, S, 12]
        value = split_heads(fused[..., 96:])  # [2, 4, S, 12]
        write_span_(self.cache_k, key, pos)
        write_span_(self.cache_v, value, pos)
        places = torch.arange(16, dtype=torch.int32, device=x.device)  # [16]
        offsets = torch.arange(x.shape[1], dtype=torch.int32, device=x.device)  # [S]
        mask = places <= (pos + offsets)[..., None]  # [S, 16]
        # [2, 4, S, 12]
        seen = F.scaled_dot_product_attention(
            query,
            self.cache_k,
            self.cache_v,
            attn_mask=torch.where(mask, 0.0, -1e30),
            scale=0.28867513,
        )
        return self.out(join_heads(seen))  # [2, S, 48]

    def decode(self, x: Tensor, pos: Tensor) -> Tensor:
        fused = self.qkv(x)  # [2, 1, 144]
        query = split_heads(fused[..., :48])  # [2, 4, 1, 12]
        key = split_heads(fused[..., 48:96])  # [2, 4, 1, 12]
        value = split_heads(fused[..., 96:])  # [2, 4, 1, 12]
        write_at_(self.cache_k, key, pos)
        write_at_(self.cache_v, value, pos)
        places = torch.arange(16, dtype=torch.int32, device=x.device)  # [16]
        filled = places <= pos  # [16]
        mask = filled.unsqueeze(0)  # [1, 16]
        # [2, 4, 1, 12]
        seen = F.scaled_dot_product_attention(
            query,
            self.cache_k,
            self.cache_v,
            attn_mask=torch.where(mask, 0.0, -1e30),
            scale=0.28867513,
        )
        return self.out(join_heads(seen))  # [2, 1, 48]


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = Conv1D(48, 192)
        self.down = Conv1D(192, 48)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x), approximate="tanh"))  # [B, S, 48]


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ln_1 = LayerNorm()
        self.attn = Attention()
        self.ln_2 = LayerNorm()
        self.mlp = Mlp()

    def forward(self, x: Tensor) -> Tensor:
        half = x + self.attn(self.ln_1(x))  # [B, S, 48]
        return half + self.mlp(self.ln_2(half))  # [B, S, 48]

    def prefill(self, x: Tensor, pos: Tensor) -> Tensor:
        half = x + self.attn.prefill(self.ln_1(x), pos)  # [2, S, 48]
        return half + self.mlp(self.ln_2(half))  # [2, S, 48]

    def decode(self, x: Tensor, pos: Tensor) -> Tensor:
        half = x + self.attn.decode(self.ln_1(x), pos)  # [2, 1, 48]
        return half + self.mlp(self.ln_2(half))  # [2, 1, 48]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wte = nn.Parameter(torch.empty(97, 48))
        self.wpe = nn.Parameter(torch.empty(32, 48))
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.ln_f = LayerNorm()

    def forward(self, tokens: Tensor) -> Tensor:
        # [S, 48]
        value = F.embedding(
            torch.arange(tokens.shape[1], dtype=torch.int32, device=tokens.device), self.wpe
        )
        x = F.embedding(tokens, self.wte) + value  # [B, S, 48]
        for block in self.blocks:
            x = block(x)  # [B, S, 48]
        final = self.ln_f(x)  # [B, S, 48]
        logits = final @ self.wte.T  # [B, S, 97]
        return logits

    @torch.no_grad()
    def prefill(self, tokens: Tensor, pos: Tensor) -> Tensor:
        pos = torch.as_tensor(pos, dtype=torch.int32, device=tokens.device)
        rows = pos.long() + torch.arange(tokens.shape[1], device=tokens.device)  # [S]
        places = self.wpe[rows.clamp(0, 31)]  # [S, 48]
        x = F.embedding(tokens, self.wte) + places  # [2, S, 48]
        for block in self.blocks:
            x = block.prefill(x, pos)  # [2, S, 48]
        final = self.ln_f(x[:, -1])  # [2, 48]
        logits = final @ self.wte.T  # [2, 97]
        return logits

    @torch.no_grad()
    def decode(self, token: Tensor, pos: Tensor) -> Tensor:
        pos = torch.as_tensor(pos, dtype=torch.int32, device=token.device)
        place = self.wpe.index_select(0, pos.long().clamp(0, 31).reshape(1)).squeeze(0)  # [48]
        x = F.embedding(token, self.wte) + place  # [2, 1, 48]
        for block in self.blocks:
            x = block.decode(x, pos)  # [2, 1, 48]
        final = self.ln_f(x[:, -1])  # [2, 48]
        logits = final @ self.wte.T  # [2, 97]
        return logits

    def reset(self) -> None:
        """Set all states to zero."""
        for name, buffer in self.named_buffers():
            if name.rpartition(".")[2] in ("cache_k", "cache_v"):
                buffer.zero_()
