"""No false claim is proven where numbers are negative or larger than the prover's own examples."""

import numpy as np
import pytest

from linnet.mlir.dialects.linnet import Constraint, Facts
from oracle.claims import NAMES, Points, Writer

COUNT = 1500


def far_points(count: int, limit: int) -> dict[int, Points]:
    """For each number of names, all small values and random ones up to `limit`."""
    result: dict[int, Points] = {}
    for n in range(1, len(NAMES) + 1):
        random = np.random.default_rng(n)
        values = random.integers(0, limit + 1, (n, count))
        small = random.integers(0, 4, (n, count))
        mixed = np.where(random.random((n, count)) < 0.3, small, values).astype(np.int64)
        result[n] = Points({name: mixed[i] for i, name in enumerate(NAMES[:n])})
    return result


@pytest.mark.parametrize(
    ("seed", "smallest", "largest", "limit"),
    [(1, -9, 9, 40), (2, -60, 60, 200), (3, 0, 2, 40), (4, -3, 30, 40), (5, -500, 500, 3000)],
)
def test_no_false_claim_is_proven_with_other_numbers(
    seed: int, smallest: int, largest: int, limit: int
) -> None:
    writer, points = Writer(seed, smallest, largest), far_points(6000, limit)
    wrong: list[str] = []
    for _ in range(COUNT):
        sequent = writer.sequent()
        facts = [Constraint.parse(str(fact)) for fact in sequent.facts]
        claim = Constraint.parse(str(sequent.claim))
        known = Facts(facts)
        answer = known.prove(claim)
        places = points[len(sequent.names)]
        holds, _ = places.models(sequent.facts)
        _, false = places.judge(sequent.claim)
        if answer.is_proven and (holds & false).any():
            wrong.append(f"{sequent} at {places.at(int(np.flatnonzero(holds & false)[0]))}")
        if known.is_contradictory and holds.any():
            wrong.append(f"{sequent} is not contradictory")
        if answer.witness is not None and answer.elsewhere is not None:
            values = {**answer.witness, **answer.elsewhere}
            if claim.evaluate(values) is not False or not all(f.evaluate(values) for f in facts):
                wrong.append(f"{sequent} by {values}")
    assert wrong == []
