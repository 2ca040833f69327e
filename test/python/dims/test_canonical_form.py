"""The canonical form: laws that need no facts, text, values, and what must not simplify."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.mlir.dialects.linnet import Constraint, Dim

NAMES = ["A", "B", "C", "*S"]


def named(name: str) -> Dim:
    return Dim.pack(name[1:]) if name.startswith("*") else Dim.symbol(name)


def combined(inner: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] - p[1]),
        pair.map(lambda p: p[0] * p[1]),
        pair.map(lambda p: p[0] // p[1]),
        pair.map(lambda p: p[0] % p[1]),
        pair.map(lambda p: Dim.min(p[0], p[1])),
        pair.map(lambda p: Dim.max(p[0], p[1])),
        st.tuples(inner, st.integers(1, 12)).map(lambda p: p[0] // p[1]),
        st.tuples(inner, st.integers(1, 12)).map(lambda p: p[0] % p[1]),
    )


leaves = st.sampled_from(NAMES).map(named) | st.integers(-9, 9).map(Dim.constant)
dims = st.recursive(leaves, combined, max_leaves=6)
values = st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES})
quick = settings(max_examples=300, deadline=None, derandomize=True)


@quick
@given(dims, dims, dims)
def test_ring_laws_hold_in_the_form(a: Dim, b: Dim, c: Dim) -> None:
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a - a == 0
    assert a * 0 == 0
    assert 0 - (0 - a) == a
    assert -a == 0 - a
    assert hash(a + b) == hash(b + a)


@quick
@given(dims, dims, dims)
def test_minimum_and_maximum_are_lattice_operations(a: Dim, b: Dim, c: Dim) -> None:
    for pick in (Dim.min, Dim.max):
        assert pick(a, a) == a
        assert pick(a, b) == pick(b, a)
        assert pick(pick(a, b), c) == pick(a, pick(b, c))
    assert Dim.min(a, a + 3) == a
    assert Dim.max(a, a + 3) == a + 3


@quick
@given(dims, dims, st.integers(1, 12))
def test_constant_divisors_shift_out_multiples(a: Dim, b: Dim, k: int) -> None:
    assert (k * a) // k == a
    assert (k * a) % k == 0
    assert a // 1 == a
    assert a % 1 == 0
    assert (k * a) % k + b % 1 == 0


@quick
@given(dims)
def test_text_reads_back_to_an_equal_dimension(a: Dim) -> None:
    assert Dim.parse(str(a)) == a
    assert hash(Dim.parse(str(a))) == hash(a)


@quick
@given(dims, dims, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
def test_constraint_text_reads_back_to_an_equal_constraint(a: Dim, b: Dim, op: str) -> None:
    constraint = Constraint(a, op, b)
    assert Constraint.parse(str(constraint)) == constraint


@quick
@given(dims, dims, values)
def test_the_form_keeps_the_value(a: Dim, b: Dim, env: dict[str, int]) -> None:
    x, y = a.evaluate(env), b.evaluate(env)
    if x is None or y is None:
        return
    assert (a + b).evaluate(env) == x + y
    assert (a - b).evaluate(env) == x - y
    assert (a * b).evaluate(env) == x * y
    assert Dim.min(a, b).evaluate(env) == min(x, y)
    assert Dim.max(a, b).evaluate(env) == max(x, y)
    assert (a // b).evaluate(env) == (x // y if y > 0 else None)
    assert (a % b).evaluate(env) == (x % y if y > 0 else None)
    for k in (2, 6):
        assert (a // k).evaluate(env) == x // k
        assert (a % k).evaluate(env) == x % k


@quick
@given(dims, st.fixed_dictionaries(dict.fromkeys(NAMES, dims)), values)
def test_substitution_then_value_is_value_of_the_values(
    a: Dim, substitution: dict[str, Dim], env: dict[str, int]
) -> None:
    inner = {name: dim.evaluate(env) for name, dim in substitution.items()}
    known = {name: value for name, value in inner.items() if value is not None}
    direct = a.evaluate(known)
    if direct is not None:
        assert a.substitute(substitution).evaluate(env) == direct


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("3*H", "3 * H"),
        ("H / Heads", "H / Heads"),
        ("MaxSeq - 1", "MaxSeq - 1"),
        ("N - M", "N - M"),
        ("-(D / 2)", "-(D / 2)"),
        ("min(K, N)", "min(K, N)"),
        ("min(A, min(B, C))", "min(A, min(B, C))"),
        ("(A + B) * C", "A * C + B * C"),
        ("N * (H / N)", "N * (H / N)"),
        ("H / N / 2", "H / N / 2"),
        ("H / (N * M)", "H / (M * N)"),
        ("prod(*S) * 4", "4 * prod(*S)"),
        ("(D - 1) / 2", "(D - 1) / 2"),
        ("(D + 3) / 2", "(D + 1) / 2 + 1"),
        ("(H + 2 - 3) / 1 + 1", "H"),
        ("(8 * D + 3) % 8", "3"),
        ("(4 * D + 2) / 6", "(2 * D + 1) / 3"),
        ("-7 / 2", "-4"),
        ("-7 % 2", "1"),
    ],
)
def test_text_is_what_a_user_would_write(written: str, shown: str) -> None:
    assert str(Dim.parse(written)) == shown


@pytest.mark.parametrize("text", ["N * D / N", "N / N", "0 / N", "N % N", "4 / 0", "N % -2"])
def test_divisor_that_may_not_be_positive_is_kept(text: str) -> None:
    dim = Dim.parse(text)
    assert dim.value is None
    assert dim.evaluate({"N": 0, "D": 1}) is None


@pytest.mark.parametrize(
    "text", ["", "N +", "(N", "N)", "f(N)", "12a", "N // 2", "min()", "prod(S)", "--N", "N = 1"]
)
def test_other_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|malformed|not a function"):
        Dim.parse(text)


def test_deep_nesting_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        Dim.parse("(" * 10000 + "N" + ")" * 10000)


def test_integers_do_not_overflow() -> None:
    huge = Dim.constant(2**63 - 1)
    assert (huge * huge).value == (2**63 - 1) ** 2
    assert (Dim.symbol("N") * 10**30).evaluate({"N": -(10**30)}) == -(10**60)
    assert Dim.parse(str(10**40)) == 10**40


def test_constants_equal_and_hash_like_integers() -> None:
    assert Dim.constant(3) == 3
    assert hash(Dim.constant(3)) == hash(3)
    assert Dim.symbol("N") != 3
    assert Dim.symbol("S") != Dim.pack("S")
    assert Dim.pack("S").symbols() == ["*S"]
