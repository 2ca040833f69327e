"""`build`, for `linnet.nest.load(..., backend="onnx")`; see the protocol there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.backends.onnx._build import Options, build_model
from linnet.backends.onnx._session import OnnxInstance, chosen_providers, runs_on_gpu
from linnet.compiler import Checked, Request, lower
from linnet.core import Function
from linnet.errors import UsageError
from linnet.signature import Signature

Array = NDArray[Any]


class OnnxBuilt:
    """Entries as sessions of ONNX Runtime, each made when it is first called."""

    def __init__(
        self, functions: Mapping[str, Function], instance: OnnxInstance, options: Options
    ) -> None:
        """Take the entries, the instance that runs them, and how their models are written."""
        self._functions = functions
        self._instance = instance
        self._options = options
        self._added: set[str] = set()
        self.signatures: Mapping[str, Signature] = {
            name: function.signature for name, function in functions.items()
        }
        for signature in self.signatures.values():
            instance.declare(signature.states)

    @property
    def native(self) -> OnnxInstance:
        """The sessions, weights and states."""
        return self._instance

    def call(self, entry: str, inputs: Sequence[object]) -> object:
        """Run an entry on NumPy arrays; gives one, a tuple of them, or None."""
        if entry not in self._added:
            self._instance.add(entry, build_model(self._functions[entry], self._options, "weights"))
            self._added.add(entry)
        results = self._instance.call(entry, [np.asarray(each) for each in inputs])
        if len(results) == 1:
            return results[0]
        return tuple(results) or None

    def numpy(self, value: Any) -> Array:
        """Return an array, which is NumPy's already."""
        return np.asarray(value)

    def states(self) -> Mapping[str, Array]:
        """Return copies of the states by path."""
        members = {m.path for signature in self.signatures.values() for m in signature.states}
        return {path: self._instance.get_state(path) for path in sorted(members)}

    def reset(self) -> None:
        """Set every state to zeros."""
        for path, value in self.states().items():
            self._instance.set_state(path, np.zeros_like(value))


def build(
    program: Checked,
    request: Request,
    weights: Mapping[str, Array],
    *,
    numerics: str = "exact",
    compile: str | None = None,
    providers: Sequence[str] | None = None,
    opset: int | None = None,
) -> OnnxBuilt:
    """Build the entries that a request names, for `providers` of ONNX Runtime or the best here.

    `exact` writes bodies as they are; `equivalent` writes `LayerNormalization`, `Softmax` and the
    like for kept calls; `fast` too lets a GPU compute 16-bit floats as such.
    """
    if compile is not None:
        raise UsageError(f"backend `onnx` has no compile `{compile}`", "leave out compile")
    known = chosen_providers()
    for name in providers or ():
        if name not in known:
            raise UsageError(f"ONNX Runtime has no `{name}` here", f"it has: {', '.join(known)}")
    chosen = list(providers or known)
    kept = numerics != "exact"
    kernels = "gpu" if numerics == "fast" and runs_on_gpu(chosen) else "cpu"
    options = Options(kernels=kernels, kept=kept)
    if opset is not None:
        options = replace(options, opset=opset)
    asked = replace(request, keep="ops" if kept else False)
    core = lower(program.accepted(), asked, program.sources)
    return OnnxBuilt(core.functions, OnnxInstance(weights, chosen), options)
