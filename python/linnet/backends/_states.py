"""What a check of compiled code says about the states: proven in place, or the op that copies.

The check runs in the child that compiles, so the report comes with the code: a line of JSON, then
the code (`pack_checked`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from linnet.signature import Member

# A smaller state costs less than the call; nothing is asked of it.
SMALLEST_BYTES = 4096


class Verdict(StrEnum):
    """What one step does with one state."""

    UNTOUCHED = "untouched"  # read at most
    IN_PLACE = "in place"  # parts are written where the state lies
    REPLACED = "replaced"  # every element is computed anew, none is only moved
    SMALL = "small"  # under `SMALLEST_BYTES`: not looked at
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class StateCopy:
    """An op of compiled code that moves most of a state's elements.

    `op` names it as the backend's own text does, `line` is the line of the program where known.
    """

    function: str
    state: str
    op: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class StateProof:
    """The verdict on a state in a function."""

    function: str
    state: str
    nbytes: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class StateReport:
    """The verdicts on all states in all functions of a target, and what copies."""

    proofs: tuple[StateProof, ...] = ()
    copies: tuple[StateCopy, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """Code with the report on its states, and the bytes it needs where the compiler tells."""

    code: bytes
    states: StateReport = field(default_factory=StateReport)
    memory: Mapping[str, int] = field(default_factory=dict[str, int])


def pack_checked(checked: Checked) -> bytes:
    """Return code and report as bytes."""
    report = checked.states
    head = {
        "proofs": [asdict(proof) for proof in report.proofs],
        "copies": [asdict(copy) for copy in report.copies],
        "memory": dict(checked.memory),
    }
    return json.dumps(head).encode() + b"\n" + checked.code


def unpack_checked(packed: bytes) -> Checked:
    """Return what `pack_checked` made bytes of."""
    line, _, code = packed.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    proofs = tuple(
        StateProof(item["function"], item["state"], item["nbytes"], Verdict(item["verdict"]))
        for item in head["proofs"]
    )
    copies = tuple(StateCopy(**item) for item in head["copies"])
    return Checked(code, StateReport(proofs, copies), head["memory"])


def states_to_json(functions: Sequence[str], states: Sequence[Member]) -> bytes:
    """Return names of functions and their states, for a child."""
    members = [[state.path, state.dtype, list(state.shape)] for state in states]
    return json.dumps({"functions": list(functions), "states": members}).encode()


def states_from_json(data: bytes) -> tuple[list[str], list[Member]]:
    """Return what `states_to_json` wrote."""
    form: dict[str, list[Any]] = json.loads(data)
    members = [Member(path, "state", dtype, tuple(shape)) for path, dtype, shape in form["states"]]
    return form["functions"], members


def nbytes(member: Member) -> int:
    """Return the size of a state in bytes."""
    count = 1
    for size in member.shape:
        count *= size
    return count * member.numpy.itemsize


def is_small(member: Member) -> bool:
    """Return whether a state is too small to be looked at."""
    return nbytes(member) < SMALLEST_BYTES


def join_reports(reports: Iterable[StateReport]) -> StateReport:
    """Return one report of several functions."""
    every = list(reports)
    return StateReport(
        tuple(proof for report in every for proof in report.proofs),
        tuple(copy for report in every for copy in report.copies),
    )


def report_of(
    function: str,
    states: Sequence[Member],
    verdicts: Sequence[Verdict],
    copies: Sequence[StateCopy],
) -> StateReport:
    """Return a report where a copy, or too small a size, settles the verdict."""
    copied = {copy.state for copy in copies}
    proofs: list[StateProof] = []
    for state, verdict in zip(states, verdicts, strict=True):
        if is_small(state):
            verdict = Verdict.SMALL
        elif state.path in copied:
            verdict = Verdict.COPIED
        proofs.append(StateProof(function, state.path, nbytes(state), verdict))
    return StateReport(tuple(proofs), tuple(copies))
