"""The example moe at small sizes, written by `linnet torch --numerics equivalent`."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def top(scores: Tensor) -> tuple[Tensor, Tensor]:
    R = scores.shape[0]
    places = torch.arange(8, device=scores.device)  # [8]
    mask = scores[:, None] > scores[..., None]  # [R, 8, 8]
    # [R, 8, 8]
    value = mask | (scores[:, None] == scores[..., None]) & (places < places[..., None])
    ranks = torch.where(value, 1, 0).sum(-1, dtype=torch.int64)  # [R, 8]
    wanted = torch.arange(2, device=scores.device)  # [2]
    chosen = torch.where(ranks[:, None] == wanted[..., None], places, 0)  # [R, 2, 8]
    chosen = chosen.sum(-1, dtype=torch.int64)  # [R, 2]
    shifted = torch.arange(R, device=scores.device)[..., None] * 8 + chosen.clamp(0, 7)  # [R, 2]
    values = scores.reshape(-1)[shifted.clamp(0, 8 * R - 1)]  # [R, 2]
    return values, chosen


def through_each(x: Tensor, weight: Tensor, experts: Tensor) -> Tensor:
    carried = torch.tensor(0, dtype=torch.int64, device=x.device)
    product = torch.zeros((x.shape[0], 2, weight.shape[1]), dtype=torch.float32, device=x.device)
    while carried < 8:
        own = weight.index_select(0, carried.clamp(0, 7).reshape(1)).squeeze(0)  # [out, in_]
        through = x @ own.T  # [B * S, 2, out]
        kept = torch.where((experts == carried)[..., None], through, product)  # [B * S, 2, out]
        carried = carried + 1
        product = kept
    return product


def through_its_own(x: Tensor, weight: Tensor, experts: Tensor) -> Tensor:
    product = torch.einsum("abc,abdc->abd", x, weight[experts.clamp(0, 7)])  # [B * S, 2, out]
    return product


def linear_experts(x: Tensor, weight: Tensor, experts: Tensor) -> Tensor:
    if 2 * x.shape[0] > 8:
        chosen = through_each(x, weight, experts)
    else:
        chosen = through_its_own(x, weight, experts)
    return chosen


class Linear(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(8, 24))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight)  # [R, 8]


class Experts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Parameter(torch.empty(8, 40, 24))
        self.up = nn.Parameter(torch.empty(8, 40, 24))
        self.down = nn.Parameter(torch.empty(8, 24, 40))

    def forward(self, x: Tensor, chosen: Tensor) -> Tensor:
        r = x.shape[0]
        copies = x[:, None]  # [B * S, 1, 24]
        value = F.silu(linear_experts(copies.expand(r, 2, 24), self.gate, chosen))  # [B * S, 2, 40]
        inner = value * linear_experts(copies.expand(r, 2, 24), self.up, chosen)  # [B * S, 2, 40]
        return linear_experts(inner, self.down, chosen)  # [B * S, 2, 24]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.router = Linear()
        self.experts = Experts()

    def forward(self, x: Tensor) -> Tensor:
        B, S, _ = x.shape
        tokens = x.reshape(B * S, 24)  # [B * S, 24]
        scores = F.softmax(self.router(tokens), dim=-1)  # [B * S, 8]
        weights, chosen = top(scores)
        answers = self.experts(tokens, chosen)  # [B * S, 2, 24]
        # [B * S, 24]
        mixed = torch.einsum("ab,abc->ac", weights / weights.sum(-1, keepdim=True), answers)
        return mixed.reshape(B, S, 24)  # [B, S, 24]

    def route(self, tokens: Tensor) -> Tensor:
        _, chosen = top(F.softmax(self.router(tokens), dim=-1))
        return chosen
