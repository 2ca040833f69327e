"""The prover against brute force over small integers [DIM-16]."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.mlir.dialects.linnet import Constraint, Dim, Facts

NAMES = ["A", "B", "C", "D"]
RELATIONS = ["==", "==", "!=", "<", "<=", ">", ">="]


def divided(pair: tuple[Dim, Dim | int, bool]) -> Dim:
    numerator, divisor, wants_quotient = pair
    return numerator // divisor if wants_quotient else numerator % divisor


def combined(inner: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] - p[1]),
        pair.map(lambda p: p[0] * p[1]),
        st.tuples(inner, inner | st.integers(1, 4), st.booleans()).map(divided),
        pair.map(lambda p: Dim.min(p[0], p[1])),
        pair.map(lambda p: Dim.max(p[0], p[1])),
    )


def dims(names: list[str], leaves: int) -> st.SearchStrategy[Dim]:
    leaf = st.sampled_from(names).map(Dim.symbol) | st.integers(0, 4).map(Dim.constant)
    return st.recursive(leaf, combined, max_leaves=leaves)


def constraints(names: list[str], leaves: int) -> st.SearchStrategy[Constraint]:
    symbols = st.sampled_from(names).map(Dim.symbol)
    return st.one_of(
        symbols.map(lambda n: Constraint(n, ">", 0)),
        st.tuples(dims(names, leaves), symbols).map(lambda p: Constraint(p[0] % p[1], "==", 0)),
        st.tuples(dims(names, leaves), st.sampled_from(RELATIONS), dims(names, 2)).map(
            lambda p: Constraint(*p)
        ),
    )


@st.composite
def sequents(draw: st.DrawFn) -> tuple[list[str], list[Constraint], Constraint]:
    names = NAMES[: draw(st.integers(1, 4))]
    facts = draw(st.lists(constraints(names, 2), max_size=3))
    return names, facts, draw(constraints(names, 4))


def models(names: list[str], facts: list[Constraint]) -> list[dict[str, int]]:
    """All small assignments that satisfy the facts: 0..6, or 0..4 for four names."""
    limit = 7 if len(names) < 4 else 5
    all_values = (
        dict(zip(names, values, strict=True)) for values in product(range(limit), repeat=len(names))
    )
    return [env for env in all_values if all(fact.evaluate(env) for fact in facts)]


often = settings(max_examples=500, deadline=None, derandomize=True)


@often
@given(sequents())
def test_proven_claims_hold_and_witnesses_refute(
    sequent: tuple[list[str], list[Constraint], Constraint],
) -> None:
    names, facts, claim = sequent
    known = Facts(facts)
    answer = known.prove(claim)
    satisfying = models(names, facts)
    if answer.is_proven:
        # True, and not merely without a value: no divisor may be 0.
        assert all(claim.evaluate(env) is True for env in satisfying)
    if answer.status == "refuted":
        assert answer.witness is not None
        assert answer.elsewhere is not None
        values = {**answer.witness, **answer.elsewhere}
        assert all(fact.evaluate(values) is True for fact in facts)
        assert claim.evaluate(answer.witness) is False
        assert not known.is_contradictory
    assert not (known.is_contradictory and satisfying)
    assert known.is_provable(claim) == answer.is_proven


@settings(often, max_examples=150)
@given(sequents())
def test_simplification_keeps_the_value(
    sequent: tuple[list[str], list[Constraint], Constraint],
) -> None:
    names, facts, claim = sequent
    known = Facts(facts)
    for dim in (claim.lhs, claim.rhs):
        simple = known.simplify(dim)
        for env in models(names, facts):
            value = dim.evaluate(env)
            assert value is None or simple.evaluate(env) == value


@settings(often, max_examples=60)
@given(sequents())
def test_suggested_lines_settle_the_claim(
    sequent: tuple[list[str], list[Constraint], Constraint],
) -> None:
    _, facts, claim = sequent
    known = Facts(facts)
    if known.is_provable(claim):
        return
    lines = known.suggest(claim)
    if lines:
        more = Facts([*facts, *lines])
        assert more.is_provable(claim)
        assert not more.is_contradictory
        assert {name for line in lines for name in line.symbols()} <= set(claim.symbols())
