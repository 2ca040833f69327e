"""The example resnet at small sizes, written by `linnet torch --numerics equivalent`."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Conv2d(nn.Module):
    def __init__(self, cout: int, cin: int, k: int, stride: int, pad: int) -> None:
        super().__init__()
        self.stride = stride
        self.pad = pad
        self.weight = nn.Parameter(torch.empty(cout, cin, k, k))

    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.weight, stride=self.stride, padding=self.pad)  # [B, cout, H, W]


class BatchNorm(nn.Module):
    running_mean: Tensor
    running_var: Tensor

    def __init__(self, c: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(c))
        self.bias = nn.Parameter(torch.empty(c))
        self.register_buffer("running_mean", torch.empty(c))
        self.register_buffer("running_var", torch.empty(c))

    def forward(self, x: Tensor) -> Tensor:
        # [B, c, H, W]
        return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias)


class Linear(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(10, 32))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight)  # [B, 10]


class Same(nn.Module):
    def __init__(self, c: int) -> None:
        super().__init__()
        self.conv1 = Conv2d(cout=c, cin=c, k=3, stride=1, pad=1)
        self.bn1 = BatchNorm(c)
        self.conv2 = Conv2d(cout=c, cin=c, k=3, stride=1, pad=1)
        self.bn2 = BatchNorm(c)

    def forward(self, x: Tensor) -> Tensor:
        first = F.relu(self.bn1(self.conv1(x)))  # [B, c, h, w]
        return F.relu(x + self.bn2(self.conv2(first)))  # [B, c, h, w]


class Down(nn.Module):
    def __init__(self, cout: int, cin: int) -> None:
        super().__init__()
        self.conv1 = Conv2d(cout=cout, cin=cin, k=3, stride=2, pad=1)
        self.bn1 = BatchNorm(cout)
        self.conv2 = Conv2d(cout=cout, cin=cout, k=3, stride=1, pad=1)
        self.bn2 = BatchNorm(cout)
        self.shortcut = Conv2d(cout=cout, cin=cin, k=1, stride=2, pad=0)
        self.shortcut_bn = BatchNorm(cout)

    def forward(self, x: Tensor) -> Tensor:
        first = F.relu(self.bn1(self.conv1(x)))  # [B, cout, _, _]
        beside = self.shortcut_bn(self.shortcut(x))  # [B, cout, _, _]
        return F.relu(beside + self.bn2(self.conv2(first)))  # [B, cout, _, _]


class Stage(nn.Module):
    def __init__(self, cout: int, cin: int) -> None:
        super().__init__()
        self.down = Down(cout, cin)
        self.rest = nn.ModuleList(Same(cout) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        y = self.down(x)  # [B, cout, _, _]
        for layer in self.rest:
            y = layer(y)  # [B, cout, _, _]
        return y


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = Conv2d(cout=8, cin=3, k=3, stride=1, pad=1)
        self.bn1 = BatchNorm(8)
        self.layer1 = nn.ModuleList(Same(8) for _ in range(2))
        self.layer2 = Stage(16, 8)
        self.layer3 = Stage(32, 16)
        self.fc = Linear()

    def forward(self, image: Tensor) -> Tensor:
        stem = F.relu(self.bn1(self.conv1(image)))  # [B, 8, H, W]
        x = F.max_pool2d(stem, 3, stride=2, padding=1)  # [B, 8, (H - 1) / 2 + 1, (W - 1) / 2 + 1]
        for layer in self.layer1:
            x = layer(x)  # [B, 8, (H - 1) / 2 + 1, (W - 1) / 2 + 1]
        return self.fc(self.layer3(self.layer2(x)).mean((-2, -1)))  # [B, 10]
