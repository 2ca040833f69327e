"""Facts: fact-reading rules, missing lines, suggestions, simplification."""

import pytest

from linnet.mlir.dialects.linnet import Constraint, Dim, Facts


def facts(*lines: str) -> Facts:
    return Facts([Constraint.parse(line) for line in lines])


def claim(text: str) -> Constraint:
    return Constraint.parse(text)


def test_claim_that_reads_like_a_fact_is_proven_divisors_included() -> None:
    known = facts("H % N == 0")
    assert known.prove(claim("H % N == 0")).status == "proven"
    assert known.prove(claim("0 == H % N")).status == "proven"


def test_division_in_a_fact_does_not_prove_its_divisor_positive() -> None:
    answer = facts("H % N == 0").prove(claim("N > 0"))
    assert answer.status == "unknown"
    assert answer.missing == claim("N > 0")


def test_claim_with_an_unproven_divisor_is_not_proven() -> None:
    answer = facts("H % N == 0").prove(claim("N * (H / N) == H"))
    assert answer.status == "unknown"
    assert answer.missing == claim("N > 0")


def test_contradictory_facts_prove_everything() -> None:
    known = facts("A > B", "B > A")
    assert known.is_contradictory
    assert known.prove(claim("1 == 2")).status == "proven"
    assert not facts("A > B").is_contradictory


def test_negative_dimension_is_provable() -> None:
    assert facts("A < B").is_provable(claim("A - B < 0"))
    assert facts().is_provable(claim("2 - 5 < 0"))
    assert not facts().is_provable(claim("A - B < 0"))


def test_witness_names_the_symbols_that_have_a_part() -> None:
    answer = facts("Heads > 0", "S <= Max", "H >= D").prove(claim("H % Heads == 0"))
    assert answer.witness == {"D": 2, "H": 10, "Heads": 4}
    assert answer.elsewhere is not None
    assert answer.elsewhere.keys() == {"S", "Max"}
    assert answer.elsewhere["S"] <= answer.elsewhere["Max"]


def test_claim_is_not_refuted_where_other_facts_cannot_be_satisfied() -> None:
    answer = facts("C * C == 2").prove(claim("A == B"))
    assert answer.status != "refuted"


@pytest.mark.parametrize(
    ("known", "wanted", "witness"),
    [
        (["Heads > 0"], "H % Heads == 0", {"H": 10, "Heads": 4}),
        (["Heads > 0"], "H / Heads > 0", {"H": 3, "Heads": 4}),
        ([], "6 >= B / 5", {"B": 35}),
        ([], "A - 11 != 3", {"A": 14}),
        (["A / 4 > 6"], "B > 2", {"B": 2}),
        ([], "S <= Max", {"Max": 2, "S": 3}),
    ],
)
def test_witness_is_small_and_natural(
    known: list[str], wanted: str, witness: dict[str, int]
) -> None:
    assert facts(*known).prove(claim(wanted)).witness == witness


def test_witness_avoids_zero_and_one_where_it_can() -> None:
    answer = facts().prove(claim("B * S * H == B * S * N * D"))
    assert answer.witness is not None
    assert min(answer.witness.values()) > 1


def test_witness_satisfies_facts_with_large_constants() -> None:
    answer = facts("H == 12 * D", "D == 64").prove(claim("H == 769"))
    assert answer.witness == {"D": 64, "H": 768}


@pytest.mark.parametrize(
    ("known", "wanted", "lines"),
    [
        (["N > 0"], "N * (H / N) == H", ["H % N == 0"]),
        ([], "N * (H / N) == H", ["N > 0", "H % N == 0"]),
        (["Heads > 0"], "H % Heads == 0", ["H % Heads == 0"]),
        ([], "A == B", ["A == B"]),
        ([], "B * S * H == B * S * N * D", ["H == D * N"]),
        ([], "2 * (D / 2) == D", ["D % 2 == 0"]),
        ([], "min(K, N) == K", ["K <= N"]),
        (["Heads > 0"], "H / Heads > 0", ["H >= Heads"]),
        (["N > 0"], "N - 1 > 0", ["N > 1"]),
        (["Heads > 0"], "B * S * Heads * (H / Heads) == B * S * H", ["H % Heads == 0"]),
        ([], "N + 1 == N", []),
        (["P > 0"], "(H / P) * (W / P) * P * P == H * W", ["H % P == 0", "W % P == 0"]),
        (["N > 0"], "H / N / 2 * 2 * N == H", ["H % (2 * N) == 0"]),
        ([], "(H - K) / S + 1 > 0", ["S > 0", "H >= K"]),
        ([], "A * B > 0", ["A > 0", "B > 0"]),
        ([], "0 <= N - 1", ["N > 0"]),
        ([], "N != 0", ["N > 0"]),
        # Nobody would write these, or could.
        ([], "0 == N", []),
        ([], "N <= 0", []),
        (["A > B"], "A <= B", []),
        ([], "prod(*S) > 0", []),
    ],
)
def test_suggestion_is_the_line_that_settles(
    known: list[str], wanted: str, lines: list[str]
) -> None:
    suggested = facts(*known).suggest(claim(wanted))
    assert [str(line) for line in suggested] == lines
    if lines:
        assert facts(*known, *lines).is_provable(claim(wanted))


def test_suggestions_are_ranked_and_each_settles() -> None:
    known, wanted = facts("N > 0"), claim("H / N / 2 * 2 * N == H")
    ways = known.suggest_all(wanted)
    assert [[str(line) for line in lines] for lines in ways] == [
        ["H % (2 * N) == 0"],
        ["H % N == 0", "H / N % 2 == 0"],
        ["2 * N * (H / N / 2) == H"],
    ]
    assert known.suggest_all(wanted, limit=1) == ways[:1]
    for lines in ways:
        assert Facts([*known.constraints, *lines]).is_provable(wanted)


@pytest.mark.parametrize(
    ("known", "dim", "simple"),
    [
        ([], "max(0, min(H, 3 * H))", "H"),
        ([], "max(0, min(3 * H, 3 * H) - 2 * H)", "H"),
        ([], "min(N, N + M)", "N"),
        ([], "D - D / 2", "D - D / 2"),
        (["K <= N"], "min(K, N)", "K"),
        (["N > 0"], "max(0, N - 1)", "N - 1"),
        ([], "max(0, N - 1)", "max(0, N - 1)"),
        (["H % N == 0", "N > 0"], "N * (H / N)", "H"),
        (["H % N == 0", "N > 0"], "B * N * (H / N) / N", "B * H / N"),
        (["H % N == 0"], "N * (H / N)", "N * (H / N)"),
        (["N > 0"], "N * D / N", "D"),
        (["H % N == 0", "N > 0"], "(3 * H) % N", "0"),
        (["H == N * D", "N > 0"], "H / N", "D"),
        (["A == B", "B > 0"], "A / B", "1"),
        (["S <= N"], "S % N", "S % N"),
        (["S < N"], "S % N", "S"),
    ],
)
def test_simplify_resolves_what_the_facts_decide(known: list[str], dim: str, simple: str) -> None:
    assert str(facts(*known).simplify(Dim.parse(dim))) == simple


def test_answers_are_the_same_every_time() -> None:
    lines = ["H % Heads == 0", "Heads > 0", "S <= Max", "Max < 4096"]
    wanted = claim("S * H / Heads <= Max * H")
    answers = [facts(*lines).prove(wanted) for _ in range(3)]
    assert len({(a.status, str(a.witness), str(a.missing)) for a in answers}) == 1
