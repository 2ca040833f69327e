"""Programs of a few lines, as PyTorch and on the reference."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.backends.torch import TorchModel, torch_source
from linnet.compiler import Request, check_path, lower
from linnet.core import CoreModule
from linnet.reference import run

Array = NDArray[Any]


class Small:
    """A program's entries in both forms; states go along between calls of `run`."""

    def __init__(
        self,
        text: str,
        folder: Path,
        numerics: Any = "exact",
        weights: Mapping[str, Array] | None = None,
        compile: Any = None,
        **generics: int | str,
    ) -> None:
        path = folder / "small.linnet"
        path.write_text(f"module small\n\n{text}", encoding="utf-8")
        checked = check_path(path)
        emitted = checked.accepted()
        # Blocks without a name are module entries.
        root = "Model" if "block Model" in text else None
        self.core: CoreModule = lower(
            emitted, Request(root, (), generics, open=True), checked.sources
        )
        kept = lower(emitted, Request(root, (), generics, open=True, keep=True), checked.sources)
        self.source = torch_source(kept, numerics)
        self.weights = dict(weights or {})
        signatures = {name: f.signature for name, f in self.core.functions.items()}
        self.model = TorchModel(self.source, signatures, self.weights, numerics, compile, None)

    def run(self, entry: str, *inputs: Array) -> tuple[list[Array], list[Array]]:
        """Results and states of PyTorch and of the reference."""
        signature = self.core.functions[entry].signature
        states = self.model.states()
        arguments = [
            *inputs,
            *(self.weights[m.path] for m in signature.params),
            *(states[m.path] for m in signature.states),
        ]
        wanted = run(self.core, entry, arguments)
        found: Any = self.model.call(entry, inputs)
        single: Any = () if found is None else (found,)
        results: Any = found if isinstance(found, tuple) else single
        after = self.model.states()
        given = [self.model.numpy(each) for each in results]
        return [*given, *(after[m.path] for m in signature.states)], wanted

    def agrees(self, entry: str, *inputs: Array, atol: float = 0.0) -> None:
        found, wanted = self.run(entry, *inputs)
        assert len(found) == len(wanted)
        for got, want in zip(found, wanted, strict=True):
            assert got.dtype == want.dtype
            wide = got.astype(np.float64), want.astype(np.float64)
            np.testing.assert_allclose(*wide, rtol=0, atol=atol)


def normal(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    """Seeded numbers around zero."""
    return np.random.default_rng(seed).normal(0, 1, shape).astype(dtype)


def shown(texts: Sequence[str]) -> str:
    """The texts as lines."""
    return "\n".join(texts)
