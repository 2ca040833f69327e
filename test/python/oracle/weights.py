"""Seeded random GPT-2 weights: a small set in memory, the true 124M shapes in a cache on disk.

The values follow the recipe of the benchmark's checkpoint (seed 0, one generator, the same draws
in the same order), so that figures are of one model; the names have no `transformer.` prefix, as
in the checkpoint that the published bindings expect. Norms and biases are not 1 and 0, so that code
which drops one of them is caught.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The generics of the GPT-2 program that shape its weights."""

    vocab: int
    max_positions: int
    h: int
    heads: int
    layers: int

    def generics(self, batch: int, max_seq: int) -> dict[str, int | str]:
        """Return the bindings of the program's root block."""
        return {
            "Vocab": self.vocab,
            "MaxPositions": self.max_positions,
            "H": self.h,
            "Heads": self.heads,
            "Layers": self.layers,
            "Batch": batch,
            "MaxSeq": max_seq,
            "T": "f32",
        }


SMALL: Final = Sizes(vocab=97, max_positions=32, h=48, heads=4, layers=2)
FULL: Final = Sizes(vocab=50257, max_positions=1024, h=768, heads=12, layers=12)
FULL_DIGEST: Final = "f1df0ef0e5ab19b9866f2448fe65c5fc54a469f2a1b4a62cecbcb685f8e8f774"


def _shapes(sizes: Sizes) -> Iterator[tuple[str, tuple[int, ...], float, float]]:
    """Yield name, shape, mean and deviation of each tensor, in the order of the draws."""
    h = sizes.h
    yield "wte.weight", (sizes.vocab, h), 0, 0.02
    yield "wpe.weight", (sizes.max_positions, h), 0, 0.01
    for layer in range(sizes.layers):
        for norm in ("ln_1", "ln_2"):
            yield f"h.{layer}.{norm}.weight", (h,), 1, 0.1
            yield f"h.{layer}.{norm}.bias", (h,), 0, 0.05
        # Larger than GPT-2's own 0.02: the layers, not the embedding, have to decide the token.
        for name, inputs, outputs, deviation in (
            ("attn.c_attn", h, 3 * h, 0.06),
            ("attn.c_proj", h, h, 0.05),
            ("mlp.c_fc", h, 4 * h, 0.05),
            ("mlp.c_proj", 4 * h, h, 0.03),
        ):
            yield f"h.{layer}.{name}.weight", (inputs, outputs), 0, deviation
            yield f"h.{layer}.{name}.bias", (outputs,), 0, 0.02
    yield "ln_f.weight", (h,), 1, 0.1
    yield "ln_f.bias", (h,), 0, 0.05


def random_weights(sizes: Sizes, seed: int = 0) -> dict[str, Array]:
    """Return the tensors of `sizes` by name; one seed gives one set."""
    generator = np.random.default_rng(seed)
    weights: dict[str, Array] = {}
    for name, shape, mean, deviation in _shapes(sizes):
        drawn = generator.standard_normal(shape, dtype=np.float32) * np.float32(deviation)
        weights[name] = drawn + np.float32(mean) if mean else drawn
    return weights


def digest(weights: dict[str, Array]) -> str:
    """Return the SHA-256 over names and values, whatever the layout of the file."""
    sha = hashlib.sha256()
    for name in sorted(weights):
        sha.update(name.encode())
        sha.update(np.ascontiguousarray(weights[name]).data)
    return sha.hexdigest()


def bindings(layers: int) -> dict[str, str]:
    """Return the map from the program's parameter paths to the names used here."""
    inside = {
        "ln_1": "ln_1",
        "attn.qkv": "attn.c_attn",
        "attn.out": "attn.c_proj",
        "ln_2": "ln_2",
        "mlp.up": "mlp.c_fc",
        "mlp.down": "mlp.c_proj",
    }
    found = {"wte": "wte.weight", "wpe": "wpe.weight"}
    for layer in range(layers):
        for path, name in inside.items():
            for leaf in ("weight", "bias"):
                found[f"blocks.{layer}.{path}.{leaf}"] = f"h.{layer}.{name}.{leaf}"
    return found | {"ln_f.weight": "ln_f.weight", "ln_f.bias": "ln_f.bias"}


def cache_folder() -> Path:
    """Return the folder for large test files: outside the repository, kept between runs."""
    chosen = os.environ.get("LINNET_TEST_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(chosen) if chosen else Path(base) / "linnet-tests"


@cache
def full_weights_file() -> Path:
    """Return the safetensors file of the true shapes, made on first use (about 500 MB).

    A lock lets parallel test processes wait for one writer; the content is checked by its digest
    at each first use in a process, and made anew if it does not agree.
    """
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "gpt2-124m-seed0.safetensors"
    with (folder / "gpt2-124m-seed0.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists() or digest(load_file(path)) != FULL_DIGEST:
            weights = random_weights(FULL)
            found = digest(weights)
            if found != FULL_DIGEST:
                raise AssertionError(f"random draws changed: digest {found}, not {FULL_DIGEST}")
            partial = path.with_suffix(".partial")
            save_file(weights, partial, metadata={"format": "pt"})
            with partial.open("rb") as file:
                os.fsync(file.fileno())
            partial.replace(path)
    return path
