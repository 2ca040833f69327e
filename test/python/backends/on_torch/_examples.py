"""The example models at small sizes: their CORE, weights and inputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.compiler import Checked, Request, check_path, lower
from linnet.core import CoreModule
from linnet.signature import Signature, shape_at

ROOT = Path(__file__).resolve().parents[4]
Array = NDArray[Any]


@dataclass(frozen=True)
class Example:
    name: str
    entries: tuple[str, ...]
    generics: Mapping[str, int | str]
    # Sizes that a call leaves open.
    sizes: Mapping[str, int]
    # An integer input's greatest value.
    most: int = 1

    @property
    def program(self) -> Path:
        return ROOT / "examples" / self.name / f"{self.name}.linnet"

    def checked(self) -> Checked:
        return check_path(self.program)

    def request(self, **more: Any) -> Request:
        return Request("Model", self.entries, {**self.generics, **more}, open=True)

    def core(self, keep: bool) -> CoreModule:
        checked = self.checked()
        request = Request("Model", self.entries, self.generics, open=True, keep=keep)
        return lower(checked.accepted(), request, checked.sources)


EXAMPLES = (
    Example(
        "gpt2",
        ("forward", "prefill", "decode"),
        {
            "Vocab": 97,
            "MaxPositions": 32,
            "H": 48,
            "Heads": 4,
            "Layers": 3,
            "Batch": 2,
            "MaxSeq": 16,
        },
        {"B": 2, "S": 5},
        97,
    ),
    Example(
        "llama",
        ("forward", "prefill", "decode"),
        {
            "Vocab": 97,
            "H": 48,
            "Inner": 80,
            "Heads": 4,
            "KvHeads": 2,
            "D": 12,
            "Layers": 3,
            "Batch": 2,
            "MaxSeq": 16,
        },
        {"B": 2, "S": 5},
        97,
    ),
    Example(
        "moe",
        ("forward", "route"),
        {"E": 8, "K": 2, "H": 24, "Inner": 40},
        {"B": 2, "S": 3, "R": 5},
    ),
    Example(
        "resnet", ("forward",), {"C": 8, "Depth": 2, "Classes": 10}, {"B": 2, "H": 13, "W": 11}
    ),
    Example(
        "vit",
        ("forward", "features"),
        {
            "Channels": 3,
            "Grid": 4,
            "P": 4,
            "H": 48,
            "Heads": 4,
            "Inner": 80,
            "Layers": 3,
            "Classes": 10,
        },
        {"B": 2},
    ),
)


def weights_of(core: CoreModule, seed: int = 0) -> dict[str, Array]:
    """Random numbers for every param and buffer; a variance is positive."""
    rng = np.random.default_rng(seed)
    found: dict[str, Array] = {}
    for function in core.functions.values():
        for member in function.signature.params:
            if member.path not in found:
                values = rng.normal(0.1, 0.3, member.shape)
                values = np.abs(values) + 0.5 if "var" in member.path else values
                found[member.path] = values.astype(member.numpy)
    return found


def inputs_of(
    signature: Signature, sizes: Mapping[str, int], most: int, seed: int = 1
) -> list[Array]:
    """Random inputs of an entry at given sizes."""
    rng = np.random.default_rng(seed)
    found: list[Array] = []
    for value in signature.inputs:
        shape = shape_at(value.shape, sizes)
        if value.dtype[0] in "iu":
            found.append(np.asarray(rng.integers(0, most, shape)).astype(value.numpy))
        else:
            found.append(rng.normal(0, 1, shape).astype(value.numpy))
    return found
