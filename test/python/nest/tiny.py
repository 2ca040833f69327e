"""A nest of a few numbers: GPT-2's own program with seeded weights, and a backend of NumPy."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from linnet.compiler import Checked, Request, lower
from linnet.nest import Compile, Numerics, find
from linnet.reference import run
from linnet.signature import Signature, solve_sizes

SIZES = {"Vocab": 19, "MaxPositions": 16, "H": 8, "Heads": 2, "Layers": 2, "MaxSeq": 16}

CARD = """\
[model]
name = "tiny"
title = "A tiny GPT-2"
license = "Apache-2.0"

[source]
path = "gpt2.linnet"
root = "Model"
entry = "forward"

[generics]
Vocab = 19
MaxPositions = 16
H = 8
Heads = 2
Layers = 2
Batch = 1
MaxSeq = 16
T = "f32"

[check]
B = 1
S = 3

[weights]
files = ["model.safetensors"]
bindings = "bindings.json"
"""


def weights(seed: int = 0, vocab: int = 19) -> dict[str, NDArray[Any]]:
    """GPT-2's tensors at `SIZES` under the published names."""
    draw = np.random.default_rng(seed)
    h = SIZES["H"]
    shapes = {"wte.weight": (vocab, h), "wpe.weight": (16, h), "ln_f.weight": (h,)}
    shapes["ln_f.bias"] = (h,)
    for i in range(SIZES["Layers"]):
        shapes |= {
            f"h.{i}.ln_1.weight": (h,),
            f"h.{i}.ln_1.bias": (h,),
            f"h.{i}.ln_2.weight": (h,),
            f"h.{i}.ln_2.bias": (h,),
            f"h.{i}.attn.c_attn.weight": (h, 3 * h),
            f"h.{i}.attn.c_attn.bias": (3 * h,),
            f"h.{i}.attn.c_proj.weight": (h, h),
            f"h.{i}.attn.c_proj.bias": (h,),
            f"h.{i}.mlp.c_fc.weight": (h, 4 * h),
            f"h.{i}.mlp.c_fc.bias": (4 * h,),
            f"h.{i}.mlp.c_proj.weight": (4 * h, h),
            f"h.{i}.mlp.c_proj.bias": (h,),
        }
    return {
        name: draw.standard_normal(shape, np.float32) * np.float32(0.3)
        for name, shape in shapes.items()
    }


def make(folder: Path, card: str = CARD) -> Path:
    """Write the nest into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    gpt2 = find("gpt2")
    (folder / "nest.toml").write_text(card)
    shutil.copy(gpt2.program, folder / "gpt2.linnet")
    assert gpt2.bindings is not None
    shutil.copy(gpt2.bindings, folder / "bindings.json")
    save_file(weights(), folder / "model.safetensors")
    return folder


class NumpyBuilt:
    """The protocol of a backend in its smallest form: CORE interpreted at each call's sizes."""

    def __init__(self, program: Checked, request: Request, held: Mapping[str, Any]) -> None:
        self._program, self._request, self._weights = program, request, held
        emitted = program.accepted()
        self._core = lower(emitted, request, program.sources)
        self._states: dict[str, NDArray[Any]] = {}
        self.reset()

    @property
    def native(self) -> object:
        return self

    @property
    def signatures(self) -> Mapping[str, Signature]:
        return {name: each.signature for name, each in self._core.functions.items()}

    def call(self, entry: str, inputs: Sequence[object]) -> object:
        signature = self.signatures[entry]
        arrays = [np.asarray(each) for each in inputs]
        shapes = {v.name: a.shape for v, a in zip(signature.inputs, arrays, strict=True)}
        sizes = {f"{entry}.{k}": v for k, v in solve_sizes(signature, shapes).items()}
        generics = {**dict(self._request.generics), **sizes}
        request = replace(self._request, entries=[entry], generics=generics, open=False)
        core = lower(self._program.accepted(), request, self._program.sources)
        function = core.functions[entry].signature
        members = [self._weights[each.path] for each in function.params]
        states = [self._states[each.path] for each in function.states]
        found = [np.asarray(each) for each in run(core, entry, [*arrays, *members, *states])]
        count = len(function.results)
        for state, value in zip(function.states, found[count:], strict=True):
            self._states[state.path] = value
        return found[0] if count == 1 else tuple(found[:count])

    def numpy(self, value: Any) -> NDArray[Any]:
        return np.asarray(value)

    def states(self) -> Mapping[str, NDArray[Any]]:
        return dict(self._states)

    def reset(self) -> None:
        for each in self._core.functions.values():
            for state in each.signature.states:
                self._states[state.path] = np.zeros(state.shape, state.numpy)


def build(
    program: Checked,
    request: Request,
    weights: Mapping[str, NDArray[Any]],
    *,
    numerics: Numerics = "exact",
    compile: Compile | None = None,
) -> NumpyBuilt:
    """The backend's `build`."""
    assert (numerics, compile) == ("exact", None)
    return NumpyBuilt(program, request, weights)
