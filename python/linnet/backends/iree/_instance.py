"""Entries as one IREE module whose globals hold the weights and the states."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linnet.backends.iree._device import Loaded
from linnet.signature import Member, Signature, at_sizes, solve_sizes

Array = NDArray[np.generic]


class Memory(Protocol):
    """Where the weights lie, if they move there only after the first call."""

    def check(self) -> None:
        """Raise where they are not what they were."""
        ...

    def settle(self) -> None:
        """Begin to move them."""
        ...


class IreeInstance:
    """An `Instance` of modules made by `compile_entries`.

    `signatures` name the entries in the order in which they were compiled. A second module
    (`add`) shares the states by moving them whenever the module in use changes.
    """

    def __init__(self, weights: Mapping[str, Array], memory: Memory | None = None) -> None:
        """Take the weights by path, each with its exact dtype and shape."""
        self._weights = dict(weights)
        self._memory = memory
        self._modules: list[_Module] = []
        self._where: dict[str, tuple[_Module, int]] = {}
        self._members: dict[str, Member] = {}
        self._holder: _Module | None = None
        # The values of states before there is a module to hold them; None for zeros.
        self._waiting: dict[str, Array | None] = {}

    def declare(self, states: Sequence[Member]) -> None:
        """Make states at zeros [STA-1]; one that is there keeps its value."""
        for state in states:
            if state.path not in self._members:
                self._members[state.path] = state
                self._waiting[state.path] = None

    def add(self, signatures: Mapping[str, Signature], code: Path | bytes) -> None:
        """Load a module. New states start at zeros [STA-1]."""
        module = _Module(signatures, code, self._weights)
        self._modules.append(module)
        for index, function in enumerate(signatures):
            self._where[function] = (module, index)
        self.declare(list(module.members.values()))
        for path in module.members:
            # A global that was never set cannot be read.
            value = self._waiting.pop(path, None)
            if value is None:
                module.clear_state(path)
            else:
                module.set_state(path, value)
        if self._holder is None:
            self._holder = module

    def call(self, function: str, inputs: Sequence[Array]) -> list[Array]:
        """Run a function; see `Instance.call`."""
        module, index = self._where[function]
        if module is not self._holder and module.members:
            self._move_states(module)
        if self._memory is None:
            return module.call(index, inputs)
        self._memory.check()
        results = module.call(index, inputs)
        self._memory.settle()
        return results

    def _move_states(self, to: "_Module") -> None:
        holder = self._holder
        if holder is not None:
            for path in to.members:
                if path in holder.members:
                    to.set_state(path, holder.get_state(path))
        self._holder = to

    def _module_with(self, path: str) -> "_Module":
        holder = self._holder
        if holder is not None and path in holder.members:
            return holder
        return next(module for module in self._modules if path in module.members)

    def get_state(self, path: str) -> Array:
        """Return a copy of the state's value."""
        if path in self._waiting:
            value, member = self._waiting[path], self._members[path]
            return np.zeros(member.shape, member.numpy) if value is None else value.copy()
        return self._module_with(path).get_state(path)

    def set_state(self, path: str, value: Array) -> None:
        """Replace the state's value by a copy of `value`."""
        if path in self._waiting:
            self._waiting[path] = value.copy()
        else:
            self._module_with(path).set_state(path, value)

    def clear_state(self, path: str) -> None:
        """Set a state to zeros, on the device."""
        if path in self._waiting:
            self._waiting[path] = None
        else:
            self._module_with(path).clear_state(path)

    def session(self) -> "IreeInstance":
        """Return an instance with states of its own at zeros; it loads the weights again."""
        other = IreeInstance(self._weights, self._memory)
        other.declare(list(self._members.values()))
        for module in self._modules:
            other.add(module.signatures, module.code)
        return other


class _Module:
    """One loaded `.vmfb`."""

    def __init__(
        self, signatures: Mapping[str, Signature], code: Path | bytes, weights: Mapping[str, Array]
    ) -> None:
        self.signatures = dict(signatures)
        self.code = code
        self.members = {s.path: s for each in signatures.values() for s in each.states}
        self._number = {path: index for index, path in enumerate(self.members)}
        self._order = list(self.signatures.values())
        # The states that are at zeros since they were cleared.
        self._cleared: set[str] = set()
        used = {p.path: weights[p.path] for each in signatures.values() for p in each.params}
        self._loaded = Loaded(code, used)

    def call(self, index: int, inputs: Sequence[Array]) -> list[Array]:
        signature = self._order[index]
        if signature.symbols:
            shapes = {v.name: a.shape for v, a in zip(signature.inputs, inputs, strict=True)}
            signature = at_sizes(signature, solve_sizes(signature, shapes))
        arguments = [
            (array, value.dtype) for array, value in zip(inputs, signature.inputs, strict=True)
        ]
        results = [(value.fixed, value.numpy) for value in signature.results]
        self._cleared.clear()
        return self._loaded.call(f"call.{index}", arguments, results)

    def get_state(self, path: str) -> Array:
        member = self.members[path]
        name = f"get.{self._number[path]}"
        return self._loaded.call(name, [], [(member.shape, member.numpy)])[0]

    def set_state(self, path: str, value: Array) -> None:
        self._cleared.discard(path)
        self._loaded.store(f"set.{self._number[path]}", value, self.members[path].dtype)

    def clear_state(self, path: str) -> None:
        """Set a state to zeros, if it is not."""
        if path in self._cleared:
            return
        if not self._loaded.run(f"clear.{self._number[path]}"):
            # Code that an earlier version compiled.
            member = self.members[path]
            self.set_state(path, np.zeros(member.shape, member.numpy))
        self._cleared.add(path)
