"""`compile` from source and `load` from an artifact."""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path

from linnet.artifact import read_artifact
from linnet.runtime._artifact import ArtifactEngine
from linnet.runtime._engine import Generics, read_generics
from linnet.runtime._instances import TARGETS, check_target
from linnet.runtime._model import Model
from linnet.runtime._recompile import chosen_variant
from linnet.weights import WeightsSource, bind_weights, listed, open_weights, read_bindings

BindingsSource = str | os.PathLike[str] | Mapping[str, str] | None


class SurplusWeights(UserWarning):
    """The weights hold tensors, or the bindings paths, that the program does not take."""


def _bindings_source(bindings: BindingsSource) -> Path | Mapping[str, str] | None:
    return bindings if bindings is None or isinstance(bindings, Mapping) else Path(bindings)


def compile(
    path: str | os.PathLike[str],
    root: str | None = None,
    generics: Generics | None = None,
    weights: WeightsSource = None,
    bindings: BindingsSource = None,
    target: str = "reference",
    std: str | os.PathLike[str] | None = None,
    strict_weights: bool = False,
    cache: bool = True,
    loops: bool = True,
    weights_dtype: str | None = None,
) -> Model:
    """Return the program at `path` as a model; entries are compiled when they are called.

    `root` names a block (None: the only one with entries, or the module's own entries);
    `generics` binds its generics, and those of entries where the inputs leave them open.
    `weights` is a safetensors file, a folder of them, or arrays by name; `bindings` maps paths to
    tensor names. `target` is `reference` (the NumPy interpreter), `cpu` (IREE), `xla-cpu`
    or `onnx` (ONNX Runtime).
    Without `cache`, compiled code is neither taken from the compile cache nor kept there.
    With `loops` a root that has an entry `decode(token, pos)` gets an entry `generate`, which
    `Model.generate` then runs.
    `weights_dtype` (`bf16`, `f16`, `int8`, or `int4`, as `int4:32` in other groups than of 64)
    holds the matrices narrower than the program computes with; float weights are rounded as they
    are loaded, those of `linnet quantize` are read as they are.

    ProgramError holds the diagnostics of a refused program, WeightsError names the first tensor
    that does not fit, UsageError an unknown name.
    """
    from linnet.compiler import check_path
    from linnet.runtime._source import SourceEngine
    from linnet.runtime._storage import read_storage

    check_target(target, ("reference", "onnx", *TARGETS))
    checked = check_path(Path(path), None if std is None else Path(std), loops=loops)
    rules = read_bindings(_bindings_source(bindings))
    tensors = open_weights(weights, rules)
    bound = read_generics(generics)
    storage = read_storage(weights_dtype)
    engine = SourceEngine(
        checked, root, bound, tensors, rules, target, strict_weights, cache, storage
    )
    _notice(engine.surplus, engine.unused, 3)
    return Model(engine)


def load(
    path: str | os.PathLike[str],
    weights: WeightsSource = None,
    bindings: BindingsSource = None,
    target: str | None = None,
    strict_weights: bool = False,
    recompile: bool = False,
) -> Model:
    """Return an artifact as a model: what `linnet.load` does once all is imported."""
    if target is not None:
        check_target(target)
    artifact = read_artifact(Path(path))
    artifact, variant = chosen_variant(artifact, target, recompile)
    rules = read_bindings(_bindings_source(bindings))
    tensors = open_weights(weights, rules)
    bound = bind_weights(artifact.manifest.parameters, tensors, rules, strict_weights)
    _notice(bound.surplus, bound.unused, 4)
    return Model(ArtifactEngine(artifact, variant, bound))


def _notice(surplus: tuple[str, ...], unused: tuple[str, ...], level: int) -> None:
    """Warn of tensors and bindings that nothing takes [WGT-3], `level` frames up."""
    if surplus:
        said = f"the weights hold tensors that the program does not take: {listed(surplus)}"
        warnings.warn(said, SurplusWeights, stacklevel=level)
    if unused:
        said = f"the bindings name paths that the program does not have: {listed(unused)}"
        warnings.warn(said, SurplusWeights, stacklevel=level)
