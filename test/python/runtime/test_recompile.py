"""An artifact whose code does not fit is refused, or compiled again from its portable form."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet.artifact._manifest import digest
from linnet.cache import Store
from linnet.errors import ArtifactError, BackendError, CapabilityError, UsageError
from linnet.runtime import Recompiled

Edit = Callable[[dict[str, Any]], None]


@pytest.fixture
def copied(toy: Path, tmp_path: Path) -> Callable[[Edit], Path]:
    """Return what makes a copy of the toy artifact with an edited, sealed manifest."""

    def make(edit: Edit) -> Path:
        copy = tmp_path / "copy.lna"
        shutil.copytree(toy, copy)
        file = copy / "manifest.json"
        form = json.loads(file.read_text())
        edit(form)
        form["digest"] = digest(form)
        file.write_text(json.dumps(form))
        return copy

    return make


def other_version(form: dict[str, Any]) -> None:
    for variant in form["variants"]:
        variant["versions"] = {"numpy": "0.0.1"}


def other_cpu(form: dict[str, Any]) -> None:
    for variant in form["variants"]:
        variant["cpu"]["features"].append("avx99")


def only_cpu(form: dict[str, Any]) -> None:
    del form["variants"][1]


CASES = [
    (other_version, "cpu", "was built for numpy 0.0.1, but"),
    (other_cpu, "xla-cpu", "needs a processor with avx99"),
    (only_cpu, "xla-cpu", "has no code for target `xla-cpu`, only for `cpu`"),
]


@pytest.mark.parametrize(("edit", "target", "said"), CASES)
def test_what_does_not_fit_is_refused_or_compiled_again(
    copied: Callable[[Edit], Path],
    weights: dict[str, np.ndarray],
    edit: Edit,
    target: str,
    said: str,
):
    path = copied(edit)
    before = (path / "manifest.json").read_bytes()
    with pytest.raises(ArtifactError, match=said) as caught:
        linnet.load(path, weights, target=target)
    assert "recompile=True" in (caught.value.hint or "")
    with pytest.warns(Recompiled, match=said):
        model = linnet.load(path, weights, target=target, recompile=True)
    assert np.argmax(np.asarray(model.decode([[5]], 0))) == 6
    assert (path / "manifest.json").read_bytes() == before


def test_what_fits_is_not_compiled_again(toy: Path, weights: dict[str, np.ndarray]):
    model = linnet.load(toy, weights, recompile=True)
    assert np.argmax(np.asarray(model.decode([[5]], 0))) == 6


def test_a_processor_that_is_named_gives_way_to_this_one(
    copied: Callable[[Edit], Path], weights: dict[str, np.ndarray]
):
    def other(form: dict[str, Any]) -> None:
        other_cpu(form)
        form["variants"][0]["target"] = "cpu:x86-64-v4"

    path = copied(other)
    with pytest.warns(Recompiled, match="needs a processor with avx99"):
        model = linnet.load(path, weights, recompile=True)
    assert np.argmax(np.asarray(model.decode([[5]], 0))) == 6


def test_it_is_compiled_once(
    copied: Callable[[Edit], Path],
    weights: dict[str, np.ndarray],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("LINNET_CACHE_DIR", str(tmp_path / "cache"))
    path = copied(other_version)
    for _ in range(2):
        with pytest.warns(Recompiled):
            linnet.load(path, weights, target="xla-cpu", recompile=True)
        labels = [each.label for each in Store(tmp_path / "cache", 1 << 30).kept()]
        assert labels == ["recompile: copy.lna"]
        monkeypatch.setattr("linnet.backends.run_child", None)


def test_an_unknown_target_is_named_before_anything_is_compiled(
    toy: Path, weights: dict[str, np.ndarray]
):
    with pytest.raises(UsageError, match="no target `gpu`"):
        linnet.load(toy, weights, target="gpu", recompile=True)


def test_a_portable_form_that_no_compiler_reads_ends_the_child_alone(
    copied: Callable[[Edit], Path],
    weights: dict[str, np.ndarray],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def spoiled(form: dict[str, Any]) -> None:
        import hashlib

        other_version(form)
        file = form["entries"][0]["stablehlo"]
        data = bytearray((tmp_path / "copy.lna" / file["path"]).read_bytes())
        data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
        (tmp_path / "copy.lna" / file["path"]).write_bytes(data)
        file["sha256"] = hashlib.sha256(data).hexdigest()

    path = copied(spoiled)
    with pytest.raises((BackendError, CapabilityError)) as caught:
        linnet.load(path, weights, target="cpu", recompile=True)
    assert "\n" not in str(caught.value)
