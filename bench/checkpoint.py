"""Writes a GPT-2 124M of seeded random weights, with the names of the hub's checkpoints.

    python bench/checkpoint.py MODEL_DIR [SEED]

Layer norms and biases are none of 0 and 1, so that a system that drops one gives other tokens.
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

LAYERS, WIDTH, POSITIONS, VOCAB = 12, 768, 1024, 50257

Array = NDArray[np.float32]


def tensors(seed: int) -> dict[str, Array]:
    """The tensors by name; the same numbers for the same seed."""
    draw = np.random.default_rng(seed)

    def normal(*shape: int, std: float = 0.02) -> Array:
        return draw.standard_normal(shape, np.float32) * np.float32(std)

    found = {
        "transformer.wte.weight": normal(VOCAB, WIDTH),
        "transformer.wpe.weight": normal(POSITIONS, WIDTH, std=0.01),
    }
    # Wider than GPT-2's own initial weights, so that the layers decide the token, not the
    # embedding alone.
    matrices = {
        "attn.c_attn": (WIDTH, 3 * WIDTH, 0.06),
        "attn.c_proj": (WIDTH, WIDTH, 0.05),
        "mlp.c_fc": (WIDTH, 4 * WIDTH, 0.05),
        "mlp.c_proj": (4 * WIDTH, WIDTH, 0.03),
    }
    layers = [f"transformer.h.{layer}" for layer in range(LAYERS)]
    norms = [f"{layer}.{norm}" for layer in layers for norm in ("ln_1", "ln_2")]
    for name in (*norms, "transformer.ln_f"):
        found[f"{name}.weight"] = 1 + normal(WIDTH, std=0.1)
        found[f"{name}.bias"] = normal(WIDTH, std=0.05)
    for layer in layers:
        for name, (rows, columns, std) in matrices.items():
            found[f"{layer}.{name}.weight"] = normal(rows, columns, std=std)
            found[f"{layer}.{name}.bias"] = normal(columns)
    return found


def write(folder: Path, seed: int = 0) -> None:
    """Write `model.safetensors` into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "model.safetensors.part"
    save_file(tensors(seed), part, metadata={"format": "pt"})
    part.replace(folder / "model.safetensors")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
