"""Exports at true shapes, with weights from a seed: `transformers` gives the same logits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet.hf
from linnet import nest

pytestmark = pytest.mark.slow


def seeded(name: str) -> dict[str, Any]:
    """Arrays for the required params of a packaged model, by path, in f32."""
    draw = np.random.default_rng(11)
    opened = nest.open_program(nest.find(name), dtype="f32")
    arrays: dict[str, Any] = {}
    for member in opened.members():
        if not member.optional:
            values = draw.standard_normal(member.shape, np.float32) * np.float32(0.03)
            arrays[member.path] = values + np.float32(len(member.shape) == 1)
    return arrays


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_an_export_at_true_shapes_gives_the_logits_of_the_program(
    name: str, tmp_path: Path
) -> None:
    pytest.importorskip("transformers")
    out = linnet.hf.export(
        name, tmp_path / "out", weights=seeded(name), bindings={}, dtype="f32", full=True
    )
    assert out.parameters > 120_000_000
    found = out.certificate["weights"]
    assert found["largest_difference"] < 2e-4
    assert found["largest_result"] > 1
