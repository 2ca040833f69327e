"""Nests on ONNX Runtime."""

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from linnet import nest
from linnet.errors import UsageError
from linnet.nest import Numerics

from . import tiny

pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")

TOKENS = np.array([[3, 1, 4, 1, 5]], np.int32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("nest") / "tiny")


@pytest.fixture(scope="module")
def reference(folder: Path) -> Any:
    return nest.load(folder, target="reference")


@pytest.mark.parametrize("numerics", get_args(Numerics))
def test_logits_and_tokens_are_those_of_the_reference(
    folder: Path, reference: Any, numerics: Numerics
) -> None:
    model = nest.load(folder, "onnx", numerics=numerics)
    for tokens in (TOKENS[:, :1], TOKENS, np.resize(TOKENS, (3, 16))):
        np.testing.assert_allclose(model(tokens), reference(tokens), rtol=0, atol=1e-5)
    assert list(model.generate([3, 1, 4], 8)) == list(reference.generate([3, 1, 4], 8))
    drawn = [list(m.generate([3], 8, temperature=1.0, seed=5)) for m in (model, reference)]
    assert drawn[0] == drawn[1]


def test_kept_calls_are_onnx_own_operators_where_that_is_asked(folder: Path) -> None:
    used: list[set[str]] = []
    for numerics in ("exact", "equivalent"):
        model = nest.load(folder, "onnx", numerics=numerics, entries=["forward"])
        model(TOKENS)
        native: Any = model.native
        used.append({node.op_type for node in native.model("forward").proto.graph.node})
    assert not used[0] & {"LayerNormalization", "Softmax", "Gelu"}
    assert used[1] > {"LayerNormalization", "Softmax", "Gelu"}


def test_states_are_kept_and_reset(folder: Path) -> None:
    model = nest.load(folder, "onnx")
    first = model.prefill(TOKENS, np.int32(0))
    assert any(np.any(value != 0) for value in model.states.values())
    model.reset()
    assert not any(np.any(value != 0) for value in model.states.values())
    np.testing.assert_array_equal(model.prefill(TOKENS, np.int32(0)), first)


def test_a_provider_that_is_not_here_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError) as raised:
        nest.load(folder, "onnx", providers=["MoonExecutionProvider"])
    assert raised.value.message == "ONNX Runtime has no `MoonExecutionProvider` here"


def test_without_the_extra_the_install_is_named(tmp_path: Path) -> None:
    program = tmp_path / "m.linnet"
    program.write_text("module m\npub entry f(x: f32) -> f32 {\n    return x\n}\n", "utf-8")
    code = (
        "import sys\nsys.modules['onnx'] = None\nfrom linnet.cli import main\n"
        f"main(['onnx', {str(program)!r}, '-o', {str(tmp_path / 'out')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: ONNX needs the packages onnx and onnxruntime",
        "hint: pip install 'linnet-mlir[onnx]'",
    ]
