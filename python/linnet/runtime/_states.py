"""What compiled code does with the states: refused where it copies one, told otherwise."""

from collections.abc import Sequence

from linnet.artifact import Draft
from linnet.backends import StateReport, Verdict
from linnet.errors import CapabilityError

# What a step did that costs most stands for the state.
_WORST = (
    Verdict.COPIED,
    Verdict.REPLACED,
    Verdict.IN_PLACE,
    Verdict.UNTOUCHED,
    Verdict.SMALL,
)


def refuse_copies(drafts: Sequence[Draft]) -> None:
    """Raise CapabilityError, with the op and the state, where code for a target copies one."""
    for draft in drafts:
        copies = draft.states.copies
        if not copies:
            continue
        first = copies[0]
        line = "" if first.line is None else f" (line {first.line})"
        more = f", and {len(copies) - 1} more" if len(copies) > 1 else ""
        raise CapabilityError(
            f"target {draft.target} copies the state `{first.state}` in each call of "
            f"`{first.function}`: {first.op}{line}{more}",
            "write only what changes, and read the state after that; or accept the cost with "
            "--allow-state-copies",
        )


def state_facts(drafts: Sequence[Draft]) -> dict[str, dict[str, str]]:
    """Return, by target and path, the verdict on each state over all functions."""
    return {draft.target: _worst(draft.states) for draft in drafts}


def _worst(report: StateReport) -> dict[str, str]:
    found: dict[str, Verdict] = {}
    for proof in report.proofs:
        before = found.get(proof.state, Verdict.SMALL)
        found[proof.state] = min(before, proof.verdict, key=_WORST.index)
    return {path: verdict.value for path, verdict in found.items()}
