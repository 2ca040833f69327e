"""The example vit at small sizes, written by `linnet torch --numerics equivalent`."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class PatchEmbedding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(48, 3, 4, 4))
        self.bias = nn.Parameter(torch.empty(48))

    def forward(self, image: Tensor) -> Tensor:
        B = image.shape[0]
        tiles = image.reshape(B, 3, 4, 4, 4, 4)  # [B, 3, 4, 4, 4, 4]
        patches = torch.einsum("daebfc,gabc->defg", tiles, self.weight)  # [B, 4, 4, 48]
        return patches.reshape(B, 16, 48) + self.bias  # [B, 16, 48]


class LayerNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(48))
        self.bias = nn.Parameter(torch.empty(48))

    def forward(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-12)  # [B, 17, 48]


class Linear(nn.Module):
    def __init__(self, out: int, in_: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out, in_))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight)  # [...]


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm_before = LayerNorm()
        self.query = Linear(48, 48)
        self.key = Linear(48, 48)
        self.value = Linear(48, 48)
        self.output = Linear(48, 48)
        self.norm_after = LayerNorm()
        self.up = Linear(80, 48)
        self.down = Linear(48, 80)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm_before(x)  # [B, 17, 48]
        query = self.heads(self.query(normed))  # [B, 4, 17, 12]
        key = self.heads(self.key(normed))  # [B, 4, 17, 12]
        value = self.heads(self.value(normed))  # [B, 4, 17, 12]
        seen = F.scaled_dot_product_attention(query, key, value, scale=0.28867513)  # [B, 4, 17, 12]
        half = x + self.output(seen.transpose(1, 2).reshape(x.shape[0], 17, 48))  # [B, 17, 48]
        return half + self.down(F.gelu(self.up(self.norm_after(half))))  # [B, 17, 48]

    def heads(self, x: Tensor) -> Tensor:
        return x.reshape(x.shape[0], 17, 4, 12).transpose(1, 2)  # [B, 4, 17, 12]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.class_token = nn.Parameter(torch.empty(1, 1, 48))
        self.positions = nn.Parameter(torch.empty(1, 17, 48))
        self.patches = PatchEmbedding()
        self.layers = nn.ModuleList(Layer() for _ in range(3))
        self.norm = LayerNorm()
        self.classifier = Linear(10, 48)

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.encode(image)[:, 0])  # [B, 10]

    def encode(self, image: Tensor) -> Tensor:
        # [B, 17, 48]
        joined = torch.cat(
            (self.class_token.expand(image.shape[0], 1, 48), self.patches(image)), dim=1
        )
        x = joined + self.positions  # [B, 17, 48]
        for layer in self.layers:
            x = layer(x)  # [B, 17, 48]
        return self.norm(x)  # [B, 17, 48]

    def features(self, image: Tensor) -> Tensor:
        return self.encode(image)[:, 0]  # [B, 48]
