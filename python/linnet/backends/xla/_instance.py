"""Entries as PJRT executables; weights and states are buffers on the device."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linnet.backends.xla._client import Buffer, Executable, deserialize, execute, fetch, put
from linnet.signature import Member, Signature, numpy_dtype

Array = NDArray[np.generic]


class XlaInstance:
    """An `Instance` of executables compiled one by one; `add` loads a further one."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        """Take the weights by path, each with its exact dtype and shape."""
        # Held for as long as the buffers that may lie in their memory.
        self._arrays = {path: np.ascontiguousarray(array) for path, array in weights.items()}
        self._weights: dict[str, Buffer] = {}
        self._functions: dict[str, tuple[Executable, Signature]] = {}
        self._states: dict[str, Buffer] = {}
        self._members: dict[str, Member] = {}

    def declare(self, states: Sequence[Member]) -> None:
        """Make states at zeros [STA-1]; one that is there keeps its value."""
        for state in states:
            if state.path not in self._states:
                self._members[state.path] = state
                self._states[state.path] = put(np.zeros(state.shape, state.numpy), copy=True)

    def add(self, function: str, signature: Signature, code: bytes) -> None:
        """Load the code of one entry."""
        self._functions[function] = (deserialize(code), signature)
        for param in signature.params:
            if param.path not in self._weights:
                array = self._arrays[param.path]
                if param.stored is not None and param.stored.role == "values":
                    # Once, here: the code takes it wide (see `_widen`).
                    array = array.astype(numpy_dtype(param.stored.dtype))
                    self._arrays[param.path] = array
                self._weights[param.path] = put(array, copy=False)
        self.declare(signature.states)

    def call(self, function: str, inputs: Sequence[Array]) -> list[Array]:
        """Run a function; see `Instance.call`."""
        executable, signature = self._functions[function]
        arguments = [put(array, copy=True) for array in inputs]
        arguments += [self._weights[param.path] for param in signature.params]
        arguments += [self._states[state.path] for state in signature.states]
        results = execute(executable, arguments)
        count = len(signature.results)
        for state, value in zip(signature.states, results[count:], strict=True):
            self._states[state.path] = value
        return [fetch(result) for result in results[:count]]

    def get_state(self, path: str) -> Array:
        """Return a copy of the state's value."""
        # An executable may hold it with fewer axes: see `_layout`.
        return fetch(self._states[path]).reshape(self._members[path].shape)

    def set_state(self, path: str, value: Array) -> None:
        """Replace the state's value by a copy of `value`."""
        self._states[path] = put(value, copy=True)

    def session(self) -> "XlaInstance":
        """Return an instance over the same code and weights with states of its own, at zeros."""
        other = XlaInstance({})
        other._arrays = self._arrays
        other._weights = self._weights
        other._functions = self._functions
        other.declare(list(self._members.values()))
        return other
