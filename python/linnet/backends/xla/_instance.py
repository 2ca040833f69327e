"""Entries as PJRT executables; weights and states are buffers on the device."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linnet.backends.xla._client import Buffer, Client, Executable, cpu, execute, fetch
from linnet.backends.xla._widen import whole_matrices
from linnet.errors import InternalError
from linnet.signature import Member, Signature, at_sizes, numpy_dtype, shape_at, solve_sizes

Array = NDArray[np.generic]


# Code, and the bucket that it is for.
_Code = tuple[dict[str, int], Executable]


def _least(codes: Sequence[_Code], sizes: Mapping[str, int]) -> _Code:
    """Return the code with the least bucket that holds the sizes."""
    fit = [code for code in codes if all(code[0].get(n, -1) >= of for n, of in sizes.items())]
    if not fit:
        raise InternalError(f"no bucket holds the sizes {dict(sizes)}")
    return min(fit, key=lambda code: tuple(code[0].values()))


def _padded(array: Array, shape: tuple[int, ...]) -> Array:
    if array.shape == shape:
        return array
    whole = np.zeros(shape, array.dtype)
    whole[tuple(map(slice, array.shape))] = array
    return whole


class XlaInstance:
    """An `Instance` of executables compiled one by one; `add` loads a further one."""

    def __init__(self, weights: Mapping[str, Array], client: Client | None = None) -> None:
        """Take the weights by path, each with its exact dtype and shape.

        `client` is that of the device that the code was compiled for; without, the processor's.
        """
        self._client = client or cpu()
        # Held for as long as the buffers that may lie in their memory.
        self._arrays = {path: np.ascontiguousarray(array) for path, array in weights.items()}
        self._weights: dict[str, Buffer] = {}
        self._whole: dict[str, Buffer] = {}
        self._functions: dict[str, tuple[Signature, list[_Code]]] = {}
        self._states: dict[str, Buffer] = {}
        self._members: dict[str, Member] = {}

    def declare(self, states: Sequence[Member]) -> None:
        """Make states at zeros [STA-1]; one that is there keeps its value."""
        for state in states:
            if state.path not in self._states:
                self._members[state.path] = state
                self.clear_state(state.path)

    def add(
        self,
        function: str,
        signature: Signature,
        code: bytes,
        bucket: Mapping[str, int] | None = None,
    ) -> None:
        """Load the code of one entry, or of one at a `bucket`: see `linnet.core.pad_sizes`."""
        _, codes = self._functions.setdefault(function, (signature, []))
        codes.append((dict(bucket or {}), self._client.deserialize(code)))
        for param in signature.params:
            if param.path not in self._weights:
                array = self._arrays[param.path]
                stored = param.stored
                if stored is not None and stored.role == "values" and stored.group is None:
                    # Once, here: the code takes it wide (see `_widen`).
                    array = array.astype(numpy_dtype(stored.dtype))
                    self._arrays[param.path] = array
                self._weights[param.path] = self._client.put(array, copy=False)
        for param in whole_matrices(signature):
            if param.path not in self._whole:
                self._whole[param.path] = self._client.put(self._made_whole(param), copy=True)
        self.declare(signature.states)

    def _made_whole(self, param: Member) -> Array:
        """Return the numbers of a matrix of half bytes, rows first (see `_widen`)."""
        assert param.stored is not None
        packed = self._arrays[param.path].view(np.uint8)
        scale = self._arrays[f"{param.path}.scale"].view(np.float32)[..., None]
        zero = self._arrays[f"{param.path}.zero"].view(np.float32)[..., None]
        halves = np.empty((*packed.shape, 2), np.float32)
        halves[..., 0] = packed & 15
        halves[..., 1] = packed >> 4
        numbers = halves.reshape(*packed.shape[:2], -1)
        numbers -= zero
        numbers *= scale
        return numbers.reshape(len(numbers), -1).astype(numpy_dtype(param.stored.dtype))

    def call(self, function: str, inputs: Sequence[Array]) -> list[Array]:
        """Run a function; see `Instance.call`."""
        signature, codes = self._functions[function]
        if not signature.symbols:
            return self._run(codes[0][1], signature, inputs)
        named = zip(signature.inputs, inputs, strict=True)
        sizes = solve_sizes(signature, {value.name: array.shape for value, array in named})
        bucket, executable = _least(codes, sizes)
        padded = [
            _padded(array, shape_at(value.shape, bucket))
            for value, array in zip(signature.inputs, inputs, strict=True)
        ]
        padded += [np.asarray(sizes[name], np.int64) for name in bucket]
        results = self._run(executable, at_sizes(signature, bucket), padded)
        return [
            np.array(result[tuple(map(slice, shape_at(value.shape, sizes)))], order="C")
            for value, result in zip(signature.results, results, strict=True)
        ]

    def _run(
        self, executable: Executable, signature: Signature, inputs: Sequence[Array]
    ) -> list[Array]:
        arguments = [self._client.put(array, copy=True) for array in inputs]
        arguments += [self._weights[param.path] for param in signature.params]
        arguments += [self._states[state.path] for state in signature.states]
        arguments += [self._whole[param.path] for param in whole_matrices(signature)]
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
        self._states[path] = self._client.put(value, copy=True)

    def clear_state(self, path: str) -> None:
        """Set a state to zeros."""
        member = self._members[path]
        self._states[path] = self._client.put(np.zeros(member.shape, member.numpy), copy=True)

    def session(self) -> "XlaInstance":
        """Return an instance over the same code and weights with states of its own, at zeros."""
        other = XlaInstance({}, self._client)
        other._arrays = self._arrays
        other._weights = self._weights
        other._whole = self._whole
        other._functions = self._functions
        other.declare(list(self._members.values()))
        return other
