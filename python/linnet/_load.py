"""`linnet.load`, which begins with the weights and imports the rest meanwhile."""

import gc
import os
from typing import TYPE_CHECKING

from linnet import _ahead

if TYPE_CHECKING:
    from linnet.runtime import BindingsSource, Model
    from linnet.weights import WeightsSource


def load(
    path: str | os.PathLike[str],
    weights: "WeightsSource" = None,
    bindings: "BindingsSource" = None,
    target: str | None = None,
    strict_weights: bool = False,
    recompile: bool = False,
) -> "Model":
    """Return an artifact as a model, on `target` or the first of its targets that fits.

    `weights` is a safetensors file, a folder of them, or arrays by name; `bindings` maps paths to
    tensor names, as a file or a mapping.
    ArtifactError says what is damaged or does not fit this machine, WeightsError names the first
    tensor that does not fit. Everything is checked before any code of the artifact is touched.
    With `recompile`, code that does not fit is made anew from the portable form, in a child process
    with limits, and kept in the compile cache; a warning `Recompiled` says why.

    Large files of weights are used where they lie, and moved into memory of their own while the
    model is used: until a second or so has passed they must stay as they are.
    """
    if target is None or target.partition(":")[0] == "cpu":
        _ahead.begin(weights)
    # All that is imported here stays: to look for garbage in it takes time and finds none.
    collects = gc.isenabled()
    if collects:
        gc.disable()
    try:
        from linnet import runtime

        return runtime.load(path, weights, bindings, target, strict_weights, recompile)
    finally:
        if collects:
            gc.enable()
        _ahead.end()
