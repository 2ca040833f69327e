"""What a model runs on: it finds the compiled function that fits a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Protocol, SupportsIndex, cast

from linnet.backends import Instance
from linnet.errors import UsageError
from linnet.signature import Member, Signature

Generics = Mapping[str, int | str | Sequence[int]]


def read_generics(given: Mapping[str, object] | None) -> dict[str, int | str | tuple[int, ...]]:
    """Return generics of a caller, with NumPy's integers as Python's.

    UsageError for a value that is no integer, dtype's name or list of integers.
    """
    read: dict[str, int | str | tuple[int, ...]] = {}
    for name, value in dict(given or {}).items():
        try:
            if isinstance(value, bool):
                raise TypeError
            if isinstance(value, str):
                read[name] = value
            elif isinstance(value, list | tuple):
                read[name] = tuple(map(index, cast(Sequence[SupportsIndex], value)))
            else:
                read[name] = index(cast(SupportsIndex, value))
        except TypeError:
            raise UsageError(
                f"generic `{name}` cannot be {value!r}",
                "give an integer, a list of integers, or the name of a dtype",
            ) from None
    return read


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
