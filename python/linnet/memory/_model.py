"""What an entry needs when it is loaded and run alone, as records, and the sums over them.

In memory lie, one beside the other: the process itself; the weights, once, as they come from their
file; what a target makes of them while it loads, as packed copies are; the states; and for the time
of a call the entry's temporaries, with its inputs and results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from linnet.signature import Member, Signature, Value, fixed_shape

How = Literal["exact", "estimated", "measured"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes, how they are known, and in the program's symbols where those say it.

    `bytes` is None where a symbol has no value yet.
    """

    bytes: int | None
    how: How
    symbols: str | None = None


@dataclass(frozen=True, slots=True)
class EntryMemory:
    """One entry: what a call takes for its time, and the most that its process holds.

    `missing` names the generics without which neither is known.
    """

    entry: str
    generics: Mapping[str, int | str]
    temporaries: Amount | None
    peak: Amount | None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """All of a root: what every entry's process has, and what each adds."""

    target: str
    root: str | None
    process: Amount
    weights: Amount
    states: Amount
    made_at_load: Amount | None
    entries: tuple[EntryMemory, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What a target allocates: `constants` when it loads, for good, `loading` more for that time,
    and `call` for a call, results included; `how` all that is known."""

    constants: int
    loading: int
    call: int
    how: How


def bytes_of(parts: Sequence[Member | Value]) -> int:
    """Return the bytes of tensors."""
    return sum(prod(fixed_shape(part.shape)) * part.numpy.itemsize for part in parts)


def entry_memory(signature: Signature, process: int, taken: Taken) -> EntryMemory:
    """Return what a process that loads this entry and runs it holds at most."""
    inputs, results = bytes_of(signature.inputs), bytes_of(signature.results)
    # A caller's input and the target's copy of it; the result, and the copy that is returned.
    call = taken.call + 2 * inputs + results
    stays = process + bytes_of(signature.params) + taken.constants
    # A state's first value comes from an array and the target's copy of it, which the heap keeps.
    first = 2 * max((bytes_of([state]) for state in signature.states), default=0)
    running = stays + bytes_of(signature.states) + max(call, first)
    return EntryMemory(
        signature.entry,
        signature.generics,
        Amount(call, taken.how),
        Amount(max(running, stays + taken.loading), taken.how),
    )
