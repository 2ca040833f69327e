"""The reference interpreter as an instance: states are NumPy arrays."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linnet.core import CoreModule
from linnet.reference import run
from linnet.signature import Member

Array = NDArray[np.generic]


class HostInstance:
    """An `Instance` of CORE functions."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        """Take the weights by path, each with its exact dtype and shape."""
        self._weights = dict(weights)
        self._functions: dict[str, tuple[CoreModule, str]] = {}
        self._states: dict[str, Array] = {}

    def declare(self, states: Sequence[Member]) -> None:
        """Make states at zeros [STA-1]; one that is there keeps its value."""
        for state in states:
            self._states.setdefault(state.path, np.zeros(state.shape, state.numpy))

    def add(self, function: str, core: CoreModule, entry: str) -> None:
        """Add an entry of a CORE module under a name."""
        self._functions[function] = (core, entry)
        self.declare(core.functions[entry].signature.states)

    def call(self, function: str, inputs: Sequence[Array]) -> list[Array]:
        """Run a function; see `Instance.call`."""
        core, entry = self._functions[function]
        signature = core.functions[entry].signature
        arguments = [
            *inputs,
            *(self._weights[param.path] for param in signature.params),
            *(self._states[state.path] for state in signature.states),
        ]
        results = [np.asarray(value) for value in run(core, entry, arguments)]
        count = len(signature.results)
        for state, value in zip(signature.states, results[count:], strict=True):
            self._states[state.path] = value
        # A result may be the very array of an input, a weight or a state.
        return [np.array(result, copy=True) for result in results[:count]]

    def get_state(self, path: str) -> Array:
        """Return a copy of the state's value."""
        return self._states[path].copy()

    def set_state(self, path: str, value: Array) -> None:
        """Replace the state's value by a copy of `value`."""
        self._states[path] = np.array(value, copy=True)

    def clear_state(self, path: str) -> None:
        """Set a state to zeros."""
        self._states[path] = np.zeros_like(self._states[path])

    def session(self) -> "HostInstance":
        """Return an instance over the same code and weights with states of its own, at zeros."""
        other = HostInstance(self._weights)
        other._functions = self._functions
        for path, value in self._states.items():
            other._states[path] = np.zeros_like(value)
        return other
