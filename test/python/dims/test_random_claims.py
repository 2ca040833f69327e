"""20,000 random claims: what is proven is true, what is refuted is false, and few stay open.

Judged by brute force over 0..12 for every symbol, and at many larger points; see `oracle.claims`.
"""

from dataclasses import dataclass, field

import numpy as np
import pytest

from linnet.mlir.dialects.linnet import Constraint, Facts, Proof
from oracle.claims import (
    NAMES,
    Numbers,
    Points,
    Relation,
    Sequent,
    Writer,
    has_product_of_quotients,
)

COUNT = 20_000
AXIS = range(13)
FAR = (0, 1, 2, 3, 5, 7, 8, 12, 13, 16, 24, 30, 36, 49, 64, 97, 210, 1000)


@dataclass
class Share:
    """Of how many claims, how many got the answer that is right."""

    total: int = 0
    settled: int = 0

    def count(self, is_settled: bool) -> None:
        self.total += 1
        self.settled += is_settled

    @property
    def percent(self) -> float:
        return 100 * self.settled / self.total

    def __str__(self) -> str:
        return f"{self.settled} of {self.total}, {self.percent:.2f} %"


@dataclass
class Tally:
    """What became of all claims. The lists name what must not happen."""

    true: Share = field(default_factory=Share)
    true_but_products: Share = field(default_factory=Share)
    false: Share = field(default_factory=Share)
    contradictory: Share = field(default_factory=Share)
    wrongly_proven: list[str] = field(default_factory=list[str])
    wrongly_refuted: list[str] = field(default_factory=list[str])


def far_points(names: tuple[str, ...]) -> Points:
    """Points outside the cube, small and large coordinates mixed."""
    random = np.random.default_rng(len(names))
    count = 12_000
    values: dict[str, Numbers] = {}
    for name in names:
        large = np.where(
            random.random(count) < 0.5, random.choice(FAR, count), random.integers(0, 1000, count)
        )
        values[name] = np.where(
            random.random(count) < 0.5, random.integers(0, 13, count), large
        ).astype(np.int64)
    return Points(values)


CUBES = {n: Points.cube(NAMES[:n], AXIS) for n in range(1, len(NAMES) + 1)}
FAR_POINTS = {n: far_points(NAMES[:n]) for n in range(1, len(NAMES) + 1)}


def parsed(relation: Relation) -> Constraint:
    return Constraint.parse(str(relation))


def judge(sequent: Sequent, tally: Tally) -> None:
    facts, claim = [parsed(fact) for fact in sequent.facts], parsed(sequent.claim)
    answer = Facts(facts).prove(claim)
    is_true, is_false, is_vacuous = True, False, True
    for points in (CUBES[len(sequent.names)], FAR_POINTS[len(sequent.names)]):
        holds, allows = points.models(sequent.facts)
        true, false = points.judge(sequent.claim)
        # Dividing by 0 makes a claim neither true nor false. What is proven may only do so in a
        # divisor that its canonical form has lost, as `A % 1` is 0: such are claims of their own.
        open_points = np.flatnonzero(holds & ~true & ~false)
        is_false |= bool((holds & false).any())
        if answer.is_proven and len(open_points):
            at = (points.at(int(open_points[k])) for k in (0, -1))
            is_false |= any(claim.evaluate(values) is not True for values in at)
        is_true &= not (allows & ~true).any()
        is_vacuous &= not allows.any()
        if not is_true and not answer.is_proven:
            break

    if answer.is_proven and is_false:
        tally.wrongly_proven.append(str(sequent))
    if answer.status == "refuted":
        check_witness(sequent, facts, claim, answer, tally)
    if is_true and is_vacuous:
        tally.contradictory.count(answer.is_proven)
    elif is_true:
        tally.true.count(answer.is_proven)
        relations = (*sequent.facts, sequent.claim)
        sides = [side for relation in relations for side in (relation.left, relation.right)]
        if not any(map(has_product_of_quotients, sides)):
            tally.true_but_products.count(answer.is_proven)
    elif is_false:
        tally.false.count(answer.status == "refuted")


def check_witness(
    sequent: Sequent,
    facts: list[Constraint],
    claim: Constraint,
    answer: Proof,
    tally: Tally,
) -> None:
    """A witness fulfils the facts and not the claim, and is about names of the claim or facts."""
    witness, elsewhere = answer.witness, answer.elsewhere
    assert witness is not None
    assert elsewhere is not None
    if claim.evaluate(witness) is not False or not all(
        fact.evaluate({**witness, **elsewhere}) for fact in facts
    ):
        tally.wrongly_refuted.append(f"{sequent} by {witness}")


@pytest.fixture(scope="module")
def tally() -> Tally:
    """All claims, judged; always the same ones."""
    result, writer = Tally(), Writer(seed=20)
    for _ in range(COUNT):
        judge(writer.sequent(), result)
    return result


@pytest.mark.slow
def test_no_false_claim_is_proven(tally: Tally) -> None:
    assert tally.wrongly_proven == []


@pytest.mark.slow
def test_every_witness_holds(tally: Tally) -> None:
    assert tally.wrongly_refuted == []


@pytest.mark.slow
def test_nearly_all_claims_are_settled(tally: Tally, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nof {COUNT} random claims")
        print(f"  true ones proven: {tally.true}")
        print(f"  without a product of two quotients: {tally.true_but_products}")
        print(f"  false ones refuted by a witness: {tally.false}")
        print(f"  under contradictory facts, proven: {tally.contradictory}")
    assert tally.true_but_products.percent > 95
    assert tally.true.percent > 95
    assert tally.false.percent > 95
