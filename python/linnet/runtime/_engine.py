"""What a model runs on: it finds the compiled function that fits a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from linnet.backends import Instance
from linnet.signature import Member, Signature

Generics = Mapping[str, int | str | Sequence[int]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A function of the instance, ready to call."""

    function: str
    signature: Signature


class Engine(Protocol):
    """Compiled entries with an instance of them."""

    @property
    def instance(self) -> Instance:
        """The functions, weights and states."""
        ...

    def names(self) -> Sequence[str]:
        """Return the entries' names."""
        ...

    def inputs(self, entry: str) -> Sequence[str]:
        """Return the names of an entry's inputs, in order; UsageError for an unknown entry."""
        ...

    def choose(self, entry: str, inputs: Mapping[str, object], generics: Generics) -> Chosen:
        """Return the function for a call, compiling it if it must and can."""
        ...

    def compiled(self, entry: str) -> Sequence[Signature] | None:
        """Return the sizes at which the entry exists; None if any can be compiled."""
        ...

    def states(self) -> Sequence[Member]:
        """Return the states in manifest order."""
        ...

    def session(self) -> "Engine":
        """Return an engine with states of its own, at zeros."""
        ...
