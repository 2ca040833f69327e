"""What IREE will allocate, read from the module at its stream level: every size is decided there.

Each function there allocates what it needs for its own time with `stream.resource.alloca`, packed
by lifetime, and gives it back with `stream.resource.dealloca`; what an initializer allocates of
kind `constant` stays: copies of parameters in another layout, and constants.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linnet.backends._instance import Module
from linnet.errors import BackendError

_NUMBER = re.compile(r"(%[\w#]+) = arith\.constant (\d+) : index")
_FUNCTION = re.compile(r"util\.(?:func (?:public|private) @([\w.$\"]+)|initializer\b)")
_ALLOC = re.compile(
    r"(%[\w#]+)(?:, %[\w#]+)? = stream\.resource\.alloca?\b.*!stream\.resource<(\w+)>\{(%[\w#]+)\}"
)
_FREE = re.compile(r"stream\.resource\.dealloca\b.*=> (%[\w#]+) : ")
_CALL = re.compile(r"util\.call @([\w.$\"]+)\(")


@dataclass(frozen=True, slots=True)
class Plan:
    """Bytes that a module allocates beside parameters and states.

    `constants` are made when it is loaded and stay; while that is done there are `loading` more for
    a time. `calls` are the most that each function holds at once, results included; None where the
    size is known at the call only.
    """

    constants: int
    loading: int
    calls: Mapping[str, int | None]


@dataclass(slots=True)
class _Held:
    """What a function holds as its ops are read in order."""

    live: dict[str, int]
    kept: int = 0
    most: int = 0
    is_open: bool = False


def plan_memory(modules: Sequence[Module], target: str = "cpu") -> Plan:
    """Return what the entries will allocate, by the names of the modules' functions.

    Compiles half of the way, in a child process; raises as `compile_entries` does.
    """
    from linnet.backends.iree._compile import stream_level

    try:
        text = stream_level(modules, target)
    except BackendError as error:
        try:
            text = stream_level(modules, target, other_loops=True)
        except BackendError:
            raise error from None
    plan = read_plan(text)
    calls = {each.function: plan.calls[f"call.{n}"] for n, each in enumerate(modules)}
    return Plan(plan.constants, plan.loading, calls)


def read_plan(text: str) -> Plan:
    """Read a module at the stream level; functions have the names that it gives them."""
    numbers: dict[str, int] = {}
    functions: dict[str, _Held] = {}
    initial = current = _Held({})
    for line in text.splitlines():
        if found := _FUNCTION.search(line):
            numbers = {}
            if found[1] is None:
                current = initial
            else:
                current = functions[found[1].strip('"')] = _Held({})
        elif found := _NUMBER.search(line):
            numbers[found[1]] = int(found[2])
        elif found := _ALLOC.search(line):
            _hold(current, found[1], found[2], numbers.get(found[3]))
        elif found := _FREE.search(line):
            current.live.pop(found[1], None)
        elif found := _CALL.search(line):
            _hold_call(current, functions.get(found[1].strip('"')))
    calls = {
        name: None if held.is_open else held.most + held.kept for name, held in functions.items()
    }
    return Plan(initial.kept, initial.most, calls)


def _hold(held: _Held, name: str, kind: str, size: int | None) -> None:
    """Count an allocation. A new value of a state lies beside the old one, so it counts too."""
    if size is None:
        # A loop's result has a size that is not written; the results are known from the signature.
        held.is_open |= kind != "external"
    elif kind == "constant":
        held.kept += size
    else:
        held.live[name] = size
        held.most = max(held.most, sum(held.live.values()))


def _hold_call(held: _Held, called: _Held | None) -> None:
    """Count what a function that was read before holds while it is called."""
    if called is not None:
        held.is_open |= called.is_open
        held.most = max(held.most, sum(held.live.values()) + called.most + called.kept)
