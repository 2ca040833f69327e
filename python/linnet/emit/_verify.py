"""Claims that the prover did not settle, worded for the user."""

from linnet.checker import CheckResult, Outcome, refuse
from linnet.diagnostics import Diagnostic, in_source_order
from linnet.emit._emit import Emitted, emit
from linnet.mlir.dialects import linnet


def diagnose(result: CheckResult) -> tuple[Diagnostic, ...]:
    """All that there is to say of a checked program, proofs included, in source order.

    The sound part of a program with errors is proven too; warnings stand only alone.
    """
    program = result.program or result.sound
    refused = () if program is None else verify(emit(program))
    if result.program is not None and refused:
        return refused
    return in_source_order((*result.diagnostics, *refused))


def verify(emitted: Emitted) -> tuple[Diagnostic, ...]:
    """Prove every claim of an emitted module; what fails, in source order [DIM-16]."""
    problems: list[Diagnostic] = []
    seen: set[int] = set()
    for failure in linnet.verify_obligations(emitted.module):
        claim = None if failure.claim_id is None else emitted.claims.get(failure.claim_id)
        outcome = Outcome(
            failure.claim, failure.status, failure.witness, failure.settles, failure.index
        )
        if claim is None:
            message = f"cannot prove `{failure.claim}`"
            problems.append(Diagnostic(failure.code, message, None, witness=failure.witness))
            continue
        # One value that meets one type is one problem, however many axes disagree.
        assert failure.claim_id is not None
        if failure.claim_id in seen and failure.code != "E2206":
            continue
        seen.add(failure.claim_id)
        problems.append(refuse(claim, outcome))
    return in_source_order(problems)
