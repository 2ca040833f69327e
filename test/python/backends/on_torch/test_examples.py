"""The example models as PyTorch: what the file says, that it reads well, and what it computes."""

import importlib.util
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linnet.backends.torch import torch_source
from linnet.core import CoreModule
from linnet.reference import run

from ._examples import EXAMPLES, Example, inputs_of, weights_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
TITLE = "The example {} at small sizes, written by `linnet torch --numerics {}`."


@cache
def core_of(example: str, keep: bool) -> CoreModule:
    return next(each for each in EXAMPLES if each.name == example).core(keep)


def text_of(example: str, numerics: Any) -> str:
    title = TITLE.format(example, numerics)
    return torch_source(core_of(example, True), numerics, title).text


@pytest.mark.parametrize("example", [each.name for each in EXAMPLES])
def test_the_source_is_that_of_the_snapshot(example: str) -> None:
    text, path = text_of(example, "equivalent"), SNAPSHOTS / f"{example}.py"
    if os.environ.get("LINNET_WRITE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_bodies_as_written_are_a_snapshot_too() -> None:
    text, path = text_of("gpt2", "exact"), SNAPSHOTS / "gpt2_exact.py"
    if os.environ.get("LINNET_WRITE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
@pytest.mark.parametrize("example", [each.name for each in EXAMPLES])
def test_the_source_is_formatted(example: str, numerics: str, tmp_path: Path) -> None:
    pytest.importorskip("ruff")
    path = tmp_path / "model.py"
    path.write_text(text_of(example, numerics), encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "--line-length=100"]
    found = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("example", [each.name for each in EXAMPLES])
def test_the_source_imports_torch_alone(example: str) -> None:
    imports = [line for line in text_of(example, "equivalent").splitlines() if "import" in line]
    assert [line for line in imports if "torch" not in line] == []


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch")
@pytest.mark.parametrize("form", ["exact", "equivalent", "flat"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_entries_agree_with_the_reference(example: Example, form: str) -> None:
    """Calls in a row, so that states count; `flat` is CORE without its calls."""
    from linnet.backends.torch import TorchModel

    core = core_of(example.name, False)
    weights = weights_of(core)
    signatures = {name: function.signature for name, function in core.functions.items()}
    numerics: Any = "exact" if form == "flat" else form
    source = torch_source(core_of(example.name, form != "flat"), numerics)
    model = TorchModel(source, signatures, weights, numerics, None, None)
    states = model.states()
    for name, signature in signatures.items():
        given = inputs_of(signature, example.sizes, example.most)
        arguments = [
            *given,
            *(weights[member.path] for member in signature.params),
            *(states[member.path] for member in signature.states),
        ]
        wanted = run(core, name, arguments)
        found: Any = model.call(name, given)
        results = [model.numpy(each) for each in (found if isinstance(found, tuple) else (found,))]
        after = model.states()
        results += [after[member.path] for member in signature.states]
        states = {**states, **{m.path: after[m.path] for m in signature.states}}
        assert len(results) == len(wanted)
        for got, want in zip(results, wanted, strict=True):
            assert got.dtype == want.dtype
            scale = max(1.0, float(np.abs(want.astype(np.float64)).max(initial=0)))
            np.testing.assert_allclose(got, want, rtol=0, atol=2e-5 * scale)
