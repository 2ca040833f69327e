"""The backend `linnet`: IREE and XLA through the runtime, and the reference interpreter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.runtime import Model
from linnet.signature import Signature


class LinnetBuilt:
    """A `linnet.Model` as a backend of `load`; see `Built`."""

    def __init__(
        self, model: Model, entries: Sequence[str], signature: Callable[[str], Signature]
    ) -> None:
        """Take a model, its entries, and what tells an entry's signature with open sizes."""
        self._model = model
        self.signatures: Mapping[str, Signature] = _Lazily(entries, signature)

    @property
    def native(self) -> Model:
        """The model of the runtime."""
        return self._model

    def call(self, entry: str, inputs: Sequence[object]) -> object:
        """Run an entry; see `Built.call`."""
        names = self.native.inputs(entry)
        return self.native.call(entry, dict(zip(names, inputs, strict=True)))

    def numpy(self, value: Any) -> NDArray[Any]:
        """Return an array, which is NumPy's already."""
        return np.asarray(value)

    def states(self) -> Mapping[str, NDArray[Any]]:
        """Return copies of the states by path."""
        return dict(self.native.state)

    def reset(self) -> None:
        """Set every state to zeros."""
        self.native.reset()


class _Lazily(Mapping[str, Signature]):
    """Signatures that are found when they are asked for: each lowers its entry."""

    def __init__(self, names: Sequence[str], find: Callable[[str], Signature]) -> None:
        self._names = names
        self._find = find
        self._found: dict[str, Signature] = {}

    def __getitem__(self, name: str) -> Signature:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
