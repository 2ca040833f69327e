"""Weights that are made up, for measuring a model without its own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from linnet.signature import Member

# Small enough that sums over thousands stay finite in every float dtype, and no token is likelier
# than all others by much.
_SCALE = 0.02


def random_weights(path: Path, members: Sequence[Member], seed: int = 0) -> None:
    """Write a safetensors file with every member under its path: seeded normal numbers around 0,
    integers at 1, booleans true."""
    draw = np.random.default_rng(seed)
    save_file({member.path: _array(draw, member) for member in members}, path)


def _array(draw: np.random.Generator, member: Member) -> NDArray[np.generic]:
    if member.dtype[0] in "iu" or member.dtype == "bool":
        return np.ones(member.shape, member.numpy)
    values = draw.standard_normal(member.shape, np.float32)
    values *= np.float32(_SCALE)
    return np.asarray(values).astype(member.numpy)
