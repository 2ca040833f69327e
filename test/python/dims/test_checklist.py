"""The two lists of the spec's section 20: what must be proven, and what must be refuted."""

import pytest

from linnet.mlir.dialects.linnet import Constraint, Facts

# Facts, then the claims that must follow [DIM-17]. In the order of the spec.
ACCEPTED = [
    ("", "B * S * (N * D) == B * S * N * D"),
    ("H % N == 0, N > 0", "N * (H / N) == H"),
    ("", "(8 * D) % 8 == 0, (8 * D) / 8 == D"),
    ("N > 0", "(N * D) / N == D"),
    ("A % 4 == 0", "A % 2 == 0"),
    ("H % (2 * N) == 0, N > 0", "H % N == 0, (H / N) % 2 == 0"),
    ("H % N == 0, N > 0, (H / N) % 2 == 0", "N * (H / N / 2) * 2 == H"),
    ("D % 2 == 0", "(D + 1) / 2 == D / 2"),
    ("", "D / 2 + (D - D / 2) == D, D / 2 <= D"),
    ("", "2 * (N / 2) <= N, N - N % 4 == 4 * (N / 4)"),
    ("", "N + 1 > 0"),
    ("N != 0", "N > 0"),
    ("A > 0, B > 0", "A * B > 0"),
    ("H > 0, N > 0, H % N == 0", "H / N > 0"),
    ("A <= B, B <= C", "A <= C"),
    ("A <= B, B <= A", "A == B"),
    ("H == N * D", "B * H == B * N * D"),
    ("K <= N", "min(K, N) == K, K + (N - K) == N"),
    ("", "min(N, 4) <= N"),
    ("A <= B", "A * C <= B * C"),
    ("H >= 2", "(H - 2) / 2 + 1 == H / 2"),
    ("", "(H + 2 - 3) / 1 + 1 == H"),
    ("A % N == 0, B % N == 0, N > 0", "(A + B) % N == 0"),
    ("N > 0", "0 <= N - 1, N - 1 < N"),
    ("N == 1", "N == 1, N * M == M"),
]

REFUSED = [
    ("", "2 * (D / 2) == D"),
    ("", "(D + 1) / 2 == D / 2"),
    ("N % 2 == 0", "N % 4 == 0"),
    ("N > 0", "N - 1 > 0"),
    ("Heads > 0", "H / Heads > 0"),
    ("A <= B, C <= B", "A <= C"),
    ("", "min(K, N) == K"),
    ("H % 2 == 0, N % 2 == 0, N > 0", "(H / N) % 2 == 0"),
    ("", "A * B == A + B"),
    ("", "N * N == 2 * N"),
    ("Heads > 0", "H % Heads == 0"),
    ("", "A == B"),
    ("", "N == 2"),
    ("", "prod(*S) == N"),
]

# Rules P2 to P9 beyond the list.
ALSO_ACCEPTED = [
    ("N > 0", "N * (A / N) <= A, A < N * (A / N) + N, A - A % N == N * (A / N)"),
    ("N > 0", "0 <= A % N, A % N <= N - 1, A / N >= 0, A / N <= A"),
    ("N > 0, A >= N", "A / N >= 1"),
    ("N > 0", "(K * N + R) / N == K + R / N, (K * N + R) % N == R % N, (K - N) % N == K % N"),
    ("N > 0", "(K * N) % N == 0, (K * N) / N == K"),
    ("", "A / 1 == A, A % 1 == 0"),
    ("H % N == 0, N > 0", "(3 * H) % N == 0, (B * H) / N == B * (H / N)"),
    ("A % N == 0, B % N == 0, N > 0", "(A - B) % N == 0, (A + B) / N == A / N + B / N"),
    ("H % (N * M) == 0, N > 0, M > 0", "H % N == 0, H % M == 0, (H / N) % M == 0"),
    ("H == N * D, H % M == 0, M > 0", "(B * N * D) / M == B * (H / M)"),
    ("A == B + 1, B == 2 * C", "A % 2 == 1, A > 2 * C"),
    ("A < B", "A + 1 <= B, A != B, B > 0"),
    ("N * A == N * B, N > 0", "A == B"),
    ("A <= B, C <= D", "A * C <= B * D"),
    ("N > 0, A <= B", "A / N <= B / N"),
    ("A <= B", "A * C * D * N <= B * C * D * N, A * C * C <= B * C * C"),
    ("", "min(A, B) == min(B, A), min(A, B) + C == C + min(B, A), max(A, B) >= A"),
    ("A >= B", "max(A, B) == A, min(A + 1, B) == B"),
    ("", "prod(*S) * N == N * prod(*S), prod(*S) >= 0"),
    ("Past + S <= Max", "Past <= Max, min(Past + S, Max) == Past + S"),
    (
        "Heads > 0, Groups > 0, Heads % Groups == 0, H % Heads == 0",
        "Groups * (Heads / Groups) * (H / Heads) == H, H % Groups == 0",
    ),
]


def constraints(text: str) -> list[Constraint]:
    """Split at commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [Constraint.parse(part) for part in [*parts, text[start:]] if part.strip()]


def sequents(table: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(facts, str(claim)) for facts, claims in table for claim in constraints(claims)]


@pytest.mark.parametrize(("facts", "claim"), sequents(ACCEPTED + ALSO_ACCEPTED))
def test_sequent_is_proven(facts: str, claim: str) -> None:
    assert Facts(constraints(facts)).prove(Constraint.parse(claim)).status == "proven"


@pytest.mark.parametrize(("facts", "claim"), sequents(REFUSED))
def test_sequent_is_refuted_with_a_witness_that_holds(facts: str, claim: str) -> None:
    known, wanted = constraints(facts), Constraint.parse(claim)
    answer = Facts(known).prove(wanted)
    assert answer.status == "refuted"
    assert answer.witness is not None
    assert all(fact.evaluate(answer.witness) for fact in known)
    assert wanted.evaluate(answer.witness) is False
