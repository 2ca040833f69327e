"""PyTorch modules as Linnet programs: the same numbers, and what is refused by name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import linnet  # noqa: E402
from linnet.errors import CapabilityError  # noqa: E402
from linnet.torch import export_linnet  # noqa: E402

nn: Any = torch.nn


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(12)
        self.table = nn.Embedding(11, 12)
        self.qkv = nn.Linear(12, 36)
        self.out = nn.Linear(12, 12, bias=False)

    def forward(self, ids: Any) -> Any:
        x = self.table(ids)
        batch, length, _ = x.shape
        query, key, value = self.qkv(self.norm(x)).split(12, dim=-1)
        parts = [p.view(batch, length, 3, 4).transpose(1, 2) for p in (query, key, value)]
        seen = nn.functional.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, 12))
        return torch.softmax(x @ self.table.weight.t(), dim=-1)


def mlp() -> Any:
    return nn.Sequential(nn.Linear(6, 10), nn.GELU("tanh"), nn.Linear(10, 4), nn.Sigmoid())


def convolutions() -> Any:
    return nn.Sequential(
        nn.Conv2d(3, 5, 3, stride=2, padding=1),
        nn.BatchNorm2d(5),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, 2, 1),
        nn.Flatten(),
        nn.Linear(5 * 3 * 2, 4),
    )


@pytest.mark.parametrize(
    ("make", "shape", "most"),
    [(mlp, (3, 6), 0), (Attention, (2, 5), 11), (convolutions, (2, 3, 11, 8), 0)],
    ids=["mlp", "attention", "convolutions"],
)
def test_a_module_comes_back_with_its_numbers(
    make: Any, shape: tuple[int, ...], most: int, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    module = make()
    example = torch.randint(0, most, shape) if most else torch.randn(shape)
    module(example)  # Batch norm has seen something.
    module.eval()
    found = export_linnet(module, (example,))
    path = tmp_path / "model.linnet"
    found.write(path)
    assert set(found.bindings.values()) <= set(module.state_dict())
    model = linnet.compile(path, root="Model", weights=dict(found.weights), target="reference")
    (name,) = model.inputs("forward")
    given = model.call("forward", {name: example.numpy()})
    np.testing.assert_allclose(given, module(example).detach().numpy(), rtol=0, atol=2e-6)


def test_open_sizes_become_generics(tmp_path: Path) -> None:
    torch.manual_seed(0)
    module = mlp().eval()
    batch = torch.export.Dim("batch", min=2, max=64)
    found = export_linnet(module, (torch.randn(3, 6),), dynamic_shapes=({0: batch},))
    assert "forward<B: Dim>" in found.text
    path = tmp_path / "model.linnet"
    found.write(path)
    model = linnet.compile(path, root="Model", weights=dict(found.weights), target="reference")
    (name,) = model.inputs("forward")
    example = torch.randn(7, 6)
    given = model.call("forward", {name: example.numpy()})
    np.testing.assert_allclose(given, module(example).detach().numpy(), rtol=0, atol=2e-6)


def test_writes_in_place_come_in_their_order(tmp_path: Path) -> None:
    class Writes(nn.Module):
        def forward(self, x: Any) -> Any:
            y = x * -2.0
            y.add_(1.0)
            return y[:, 1:] - y[:, :3].clone().exp_()

    found = export_linnet(Writes(), (torch.randn(2, 4),))
    path = tmp_path / "model.linnet"
    found.write(path)
    model = linnet.compile(path, root="Model", target="reference")
    example = torch.randn(2, 4)
    given = model.call("forward", {model.inputs("forward")[0]: example.numpy()})
    np.testing.assert_allclose(given, Writes()(example).numpy(), rtol=1e-6, atol=2e-6)


def test_an_op_that_is_not_known_is_named() -> None:
    class Sorted(nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.sort(x).values

    with pytest.raises(CapabilityError, match=r"has no `aten\.sort"):
        export_linnet(Sorted(), (torch.randn(3),))


def test_a_module_that_torch_cannot_export_is_refused() -> None:
    class Branching(nn.Module):
        def forward(self, x: Any) -> Any:
            return x if x.sum() > 0 else -x

    with pytest.raises(CapabilityError, match=r"torch\.export refuses the module"):
        export_linnet(Branching(), (torch.randn(3),))
