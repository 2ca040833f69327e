"""What every backend takes and gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from linnet.signature import Member, Signature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Module:
    """One entry as a portable StableHLO artifact with a single public function `@main`.

    `function` is its name among the entries that are loaded together. Code for a `bucket` serves
    the entry's calls up to these sizes; its inputs end in the true ones (`linnet.core.pad_sizes`).
    """

    function: str
    signature: Signature
    portable: bytes
    bucket: Mapping[str, int] = field(default_factory=dict[str, int])


class Instance(Protocol):
    """Loaded entries with their weights and one set of states.

    Arrays come in with exactly the dtype and shape of the signature and in C order: the caller
    checks (the backends don't). Results and states are copies, owned by the caller.
    """

    def declare(self, states: Sequence[Member]) -> None:
        """Make the states, at zeros, before any function that uses them is added."""
        ...

    def call(self, function: str, inputs: "Sequence[Array]") -> "list[Array]":
        """Run a function; the states are those after the last call [STA-1]."""
        ...

    def get_state(self, path: str) -> "Array":
        """Return a copy of the state's value."""
        ...

    def set_state(self, path: str, value: "Array") -> None:
        """Replace the state's value by a copy of `value`."""
        ...

    def clear_state(self, path: str) -> None:
        """Set a state to zeros."""
        ...

    def session(self) -> "Instance":
        """Return an instance with the same code and weights and states of its own, at zeros."""
        ...
