"""Train the small byte-level GPT-2 whose weights lie beside this script.

Takes the King James Version of 1611 (public domain: its copyright is long expired), as Debian
packages it in `bible-kjv-text`; gives `model.safetensors` with the names and the [in, out] layout
of the published GPT-2 checkpoints, and `bindings.json` from Linnet's parameter paths to those
names. The network is GPT-2 itself (pre-norm blocks, learned positions, tanh GELU, tied head),
written here in plain PyTorch: nothing of Linnet is used, so the weights are an independent check.

    python examples/gpt2/train.py                     # fetches the text with apt-get, about 25 min
    python examples/gpt2/train.py --text FILE         # any other text

Needs torch and safetensors. One thread and one seed, so that a run can be repeated.
"""

import argparse
import hashlib
import json
import math
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

HERE = Path(__file__).resolve().parent
PACKAGES = ("bible-kjv", "bible-kjv-text")
TEXT_SHA256 = "b5c4940bcfeee072c0935b5200d0f9d88a00a0199cb0961d16133458fcdfae5d"


@dataclass(frozen=True, slots=True)
class Config:
    """The sizes of the network: the generics of the Linnet program's `Model`."""

    vocab: int = 256
    max_positions: int = 256
    h: int = 128
    heads: int = 4
    layers: int = 4


@dataclass(frozen=True, slots=True)
class Recipe:
    """How it is trained: AdamW, linear warm-up, then a cosine down to a twentieth."""

    steps: int = 7000
    batch: int = 8
    rate: float = 3e-3
    warmup: int = 200
    decay: float = 0.1
    clip: float = 1.0
    seed: int = 1611


class Conv1D(nn.Module):
    """A projection stored as GPT-2 stores it: `weight` is [in, out]."""

    def __init__(self, inputs: int, outputs: int, std: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inputs, outputs) * std)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class Attention(nn.Module):
    """Causal self-attention with one projection for queries, keys and values."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads = config.heads
        self.c_attn = Conv1D(config.h, 3 * config.h, 0.02)
        self.c_proj = Conv1D(config.h, config.h, 0.02 / math.sqrt(2 * config.layers))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        split = self.c_attn(x).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.c_proj(mixed.transpose(1, 2).reshape(batch, length, width))


class Mlp(nn.Module):
    """Up by four, tanh GELU, down again."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.c_fc = Conv1D(config.h, 4 * config.h, 0.02)
        self.c_proj = Conv1D(4 * config.h, config.h, 0.02 / math.sqrt(2 * config.layers))

    def forward(self, x: Tensor) -> Tensor:
        return self.c_proj(functional.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    """One pre-norm layer."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.h)
        self.attn = Attention(config)
        self.ln_2 = nn.LayerNorm(config.h)
        self.mlp = Mlp(config)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    """The whole network; its parameter names are those of the published checkpoints."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.wte = nn.Embedding(config.vocab, config.h)
        self.wpe = nn.Embedding(config.max_positions, config.h)
        self.h = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.ln_f = nn.LayerNorm(config.h)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.01)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, S, vocab] of tokens [B, S]."""
        x = self.wte(tokens) + self.wpe.weight[: tokens.shape[1]]
        for block in self.h:
            x = block(x)
        return self.ln_f(x) @ self.wte.weight.T


def fetch_text() -> bytes:
    """Download the two Debian packages, print all verses with them, one a line, no numbers."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=folder, check=True)
        for package in sorted(Path(folder).glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", str(package), folder], check=True)
        printed = subprocess.run(
            [f"{folder}/usr/bin/bible", "-l100000", "-f", "gen1:1-rev22:21"],
            cwd=f"{folder}/usr/lib",
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    verses = [line.split(b" ", 1)[1] for line in printed.splitlines() if b" " in line]
    text = b"\n".join(verses) + b"\n"
    found = hashlib.sha256(text).hexdigest()
    if found != TEXT_SHA256:
        raise SystemExit(f"the text has SHA-256 {found}, expected {TEXT_SHA256}")
    return text


def batches(data: Tensor, batch: int, length: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield inputs and targets [batch, length], windows drawn evenly from `data`."""
    generator = torch.Generator().manual_seed(seed)
    offsets = torch.arange(length + 1)
    while True:
        starts = torch.randint(len(data) - length, (batch, 1), generator=generator)
        window = data[starts + offsets]
        yield window[:, :-1], window[:, 1:]


def rate_at(step: int, recipe: Recipe) -> float:
    """Return the learning rate of `step`."""
    if step < recipe.warmup:
        return recipe.rate * (step + 1) / recipe.warmup
    done = (step - recipe.warmup) / max(1, recipe.steps - recipe.warmup)
    return recipe.rate * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def loss_of(model: Gpt2, tokens: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy in nats per byte."""
    return functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())


@torch.no_grad()
def held_out_loss(model: Gpt2, data: Tensor, length: int) -> float:
    """Return the loss over 64 windows spread evenly over `data`."""
    starts = torch.linspace(0, len(data) - length - 1, 64).long()[:, None]
    window = data[starts + torch.arange(length + 1)]
    return loss_of(model, window[:, :-1], window[:, 1:]).item()


def write(model: Gpt2, path: Path) -> None:
    """Write all parameters as float32; the file is complete before it takes its name."""
    tensors = {name: value.detach().contiguous() for name, value in model.named_parameters()}
    partial = path.with_suffix(".partial")
    save_file(tensors, partial, metadata={"format": "pt"})
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def linnet_bindings(config: Config) -> dict[str, str]:
    """Return the map from Linnet parameter paths to the names in the weights file."""
    inside = {"attn.qkv": "attn.c_attn", "attn.out": "attn.c_proj", "ln_1": "ln_1", "ln_2": "ln_2"}
    inside |= {"mlp.up": "mlp.c_fc", "mlp.down": "mlp.c_proj"}
    names = {"wte": "wte.weight", "wpe": "wpe.weight"}
    for layer in range(config.layers):
        for path, name in inside.items():
            for leaf in ("weight", "bias"):
                names[f"blocks.{layer}.{path}.{leaf}"] = f"h.{layer}.{name}.{leaf}"
    return names | {"ln_f.weight": "ln_f.weight", "ln_f.bias": "ln_f.bias"}


def train(text: bytes, config: Config, recipe: Recipe, out: Path) -> None:
    """Train on all of `text` but its last hundredth and keep the newest weights in `out`."""
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(1)
    data = torch.frombuffer(bytearray(text), dtype=torch.uint8).long()
    cut = len(data) * 99 // 100
    seen, held_out = data[:cut], data[cut:]
    model = Gpt2(config)
    matrices = [p for p in model.parameters() if p.ndim > 1]
    vectors = [p for p in model.parameters() if p.ndim == 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.98), fused=True)
    count = sum(p.numel() for p in model.parameters())
    print(f"{count} parameters, {len(seen)} bytes to learn from, {asdict(recipe)}", flush=True)
    start = time.perf_counter()
    source = batches(seen, recipe.batch, config.max_positions, recipe.seed)
    for step in range(recipe.steps):
        tokens, targets = next(source)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, recipe)
        loss = loss_of(model, tokens, targets)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimizer.step()
        if step % 50 == 49:
            seconds = time.perf_counter() - start
            print(f"{step + 1:6} {seconds:7.0f} s  loss {loss.item():.3f}", flush=True)
        if step % 500 == 499 or step + 1 == recipe.steps:
            write(model, out / "model.safetensors")
            print(
                f"held out {held_out_loss(model, held_out, config.max_positions):.3f}", flush=True
            )
    bindings = json.dumps(linnet_bindings(config), indent=2) + "\n"
    (out / "bindings.json").write_text(bindings, encoding="utf-8")


def main() -> None:
    """Read the options, then train."""
    parser = argparse.ArgumentParser(description="Train the example's byte-level GPT-2.")
    parser.add_argument("--text", type=Path, help="train on this file instead")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the weights")
    parser.add_argument("--steps", type=int, default=Recipe.steps)
    options = parser.parse_args()
    text = options.text.read_bytes() if options.text else fetch_text()
    options.out.mkdir(parents=True, exist_ok=True)
    train(text, Config(), Recipe(steps=options.steps), options.out)


if __name__ == "__main__":
    main()
