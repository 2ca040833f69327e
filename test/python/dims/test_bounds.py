"""No expression and no claim takes more than its steps, however it was made; none overflows."""

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from operator import add, mul

import pytest

from linnet.mlir.dialects.linnet import Constraint, Dim, Facts

# The sum of what the parts of one answer may take, see `lib/Dims/Closure.h`, and a little more
# for the last operation of each part.
MOST_STEPS = 2_500_000

Case = tuple[list[Constraint], Constraint]


def symbols(count: int) -> list[Dim]:
    return [Dim.symbol(f"N{i}") for i in range(count)]


def total(parts: list[Dim]) -> Dim:
    return reduce(add, parts, Dim.constant(0))


def product_of_sums(count: int) -> Dim:
    names = symbols(2 * count)
    return reduce(mul, (names[2 * i] + names[2 * i + 1] for i in range(count)), Dim.constant(1))


def products_of_sums() -> Case:
    return [], Constraint(product_of_sums(20), ">=", product_of_sums(12))


def deep_extrema() -> Case:
    names = symbols(70)
    nest = names[0]
    for i in range(60):
        nest = Dim.min(Dim.max(nest, names[i + 1] * names[i]), names[i % 7] + i)
    return [], Constraint(nest, "<=", names[0] + names[1])


def deep_quotients() -> Case:
    names = symbols(4)
    nest = names[0]
    for i in range(40):
        nest = (nest + i) // (names[i % 4] + 1) + nest % 3
    return [], Constraint(nest, "<=", names[1])


def many_extrema() -> Case:
    names = symbols(300)
    nest = reduce(Dim.min, (a * b for a, b in pairwise(names)), names[0])
    return [], Constraint(nest, "<=", names[7])


def thirty_product_facts() -> Case:
    n = symbols(40)
    facts = [
        Constraint(
            n[(7 * i) % 40] * n[(3 * i + 1) % 40], "<=", n[(5 * i) % 40] * n[(11 * i) % 40] + i
        )
        for i in range(30)
    ]
    return facts, Constraint(total([a * b for a, b in pairwise(n)]), "<=", n[0])


def thirty_divisibility_facts() -> Case:
    n = symbols(40)
    facts = [
        Constraint(n[(7 * i) % 40] * n[(3 * i + 1) % 40] % n[(11 * i) % 40], "==", 0)
        for i in range(30)
    ]
    facts += [Constraint(name, ">", 0) for name in n]
    return facts, Constraint((n[0] * n[1] + n[2]) % n[3], "==", 0)


def thirty_extremum_facts() -> Case:
    n = symbols(40)
    facts = [
        Constraint(
            Dim.min(n[(7 * i) % 40], n[(3 * i + 1) % 40] + i),
            "<=",
            Dim.max(n[(5 * i) % 40] * n[(11 * i) % 40], n[i]),
        )
        for i in range(30)
    ]
    return facts, Constraint(Dim.min(n[0] * n[1], n[2]), "<=", Dim.max(n[3], n[4]))


def huge_coefficients() -> Case:
    n, big = symbols(40), 2**63 - 1
    facts = [
        Constraint(
            n[(7 * i) % 40] * (big - 5 * i) + n[(3 * i + 1) % 40] * (big - 77 * i),
            "<=" if i % 3 else ">=",
            n[(5 * i) % 40] * (big - 3 * i) + (big - i * i),
        )
        for i in range(30)
    ]
    return facts, Constraint(n[0] * big + n[1] * (big - 1), ">=", n[2] * (big - 3) + 7)


def chain_of_equations() -> Case:
    n = symbols(33)
    facts = [Constraint(n[i], "==", n[i + 1] + n[i + 2] + n[i + 3] // 2) for i in range(30)]
    return facts, Constraint(n[0] % 3, "==", 0)


def chain_of_squares() -> Case:
    n = symbols(33)
    facts = [Constraint(n[i], "==", n[i + 1] * n[i + 1] + n[i + 2]) for i in range(30)]
    return facts, Constraint(n[0], ">=", n[30])


def ten_thousand_terms() -> Case:
    n = symbols(10_000)
    return [], Constraint(total([a * b for a, b in pairwise(n)]), ">=", total(n))


def ten_thousand_factors() -> Case:
    return [], Constraint(reduce(mul, symbols(10_000)), ">=", Dim.symbol("N0"))


def depth_of_a_hundred_thousand() -> Case:
    nest = Dim.symbol("N")
    for _ in range(100_000):
        nest = (nest + 1) // 3
    return [], Constraint(nest, "<=", Dim.symbol("N"))


def repeated_squares() -> Case:
    nest = Dim.symbol("N")
    for _ in range(70):
        nest = nest * nest
    return [], Constraint(nest, ">=", Dim.symbol("N"))


def large_number() -> Case:
    return [], Constraint.parse("9" * 4000 + " >= N")


CASES: list[Callable[[], Case]] = [
    products_of_sums,
    deep_extrema,
    deep_quotients,
    many_extrema,
    thirty_product_facts,
    thirty_divisibility_facts,
    thirty_extremum_facts,
    huge_coefficients,
    chain_of_equations,
    chain_of_squares,
    ten_thousand_terms,
    ten_thousand_factors,
    depth_of_a_hundred_thousand,
    repeated_squares,
    large_number,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_answer_keeps_to_its_steps(case: Callable[[], Case]) -> None:
    facts, claim = case()
    known = Facts(facts)
    answer = known.prove(claim)
    assert answer.steps < MOST_STEPS
    assert known.prove(claim).steps == answer.steps
    known.simplify(claim.lhs)
    known.suggest_all(claim)


@pytest.mark.parametrize("case", [deep_quotients, chain_of_squares, huge_coefficients])
def test_unknown_answer_says_that_the_steps_ran_out(case: Callable[[], Case]) -> None:
    facts, claim = case()
    answer = Facts(facts).prove(claim)
    assert answer.status == "unknown"
    assert answer.is_cut_short


def test_small_unknown_answer_does_not_blame_the_steps() -> None:
    answer = Facts([Constraint.parse("H % N == 0")]).prove(Constraint.parse("N > 0"))
    assert answer.status == "unknown"
    assert not answer.is_cut_short


def test_large_product_keeps_its_value() -> None:
    product = product_of_sums(20)
    values = {f"N{i}": i % 5 + 1 for i in range(40)}
    expected = 1
    for i in range(20):
        expected *= values[f"N{2 * i}"] + values[f"N{2 * i + 1}"]
    assert product.evaluate(values) == expected
    assert product == product_of_sums(20)
    assert Dim.parse(str(product)).evaluate(values) == expected
    assert Facts().is_provable(Constraint(product, "==", product_of_sums(20)))
    assert not Facts().is_provable(Constraint(product, "==", product + 1))
    assert product.substitute({"N0": 0, "N1": 0}).evaluate(values) == 0
    assert Facts().prove(Constraint(product, ">=", 0)).is_proven


def test_large_sum_keeps_its_value() -> None:
    names = symbols(10_000)
    values = {f"N{i}": i for i in range(10_000)}
    assert total(names).evaluate(values) == sum(range(10_000))
    assert (total(names) * 3 - total(names) * 3).value == 0
    assert Facts().prove(Constraint(total(names), ">=", 0)).is_proven


def test_degree_does_not_wrap() -> None:
    power = Dim.symbol("N")
    for _ in range(32):  # the exponent passes 2 ** 32
        power = power * power
    assert power * Dim.symbol("N") != Dim.symbol("N")
    assert power.evaluate({"N": 3}) is None
    assert not Facts().is_provable(Constraint(power * Dim.symbol("N"), "==", Dim.symbol("N")))


def test_what_is_too_large_to_keep_is_told_apart() -> None:
    def deep(seed: int) -> Dim:
        nest = Dim.symbol("N") + seed
        for _ in range(400):
            nest = (nest + 1) // 3
        return nest

    one, same, other = deep(0), deep(0), deep(1)
    assert one == same
    assert one != other
    assert one.evaluate({"N": 7}) is None
    assert one.substitute({"N": 3}) != one.substitute({"N": 4})
    assert one.substitute({"N": 3}) != one
    assert Dim.parse(str(one)) == one
    known = Facts()
    assert known.is_provable(Constraint(one, "==", same))
    assert not known.is_provable(Constraint(one, "==", other))
    assert not known.is_provable(Constraint(one, ">=", 0))
    assert known.prove(Constraint(one, "==", other)).is_cut_short


def test_equal_dimensions_hash_alike_whatever_numbers_they_passed() -> None:
    name = Dim.symbol("N")
    back = name * 2**63 - name * (2**63 - 1)
    assert back == name
    assert hash(back) == hash(name)
    assert (back * 2**200 - name * (2**200 - 1)) == name


def test_long_text_is_read_or_refused() -> None:
    text = " + ".join(f"N{i}" for i in range(10_000))
    assert Dim.parse(text).evaluate({f"N{i}": 1 for i in range(10_000)}) == 10_000
    with pytest.raises(ValueError, match="digits"):
        Dim.parse("9" * 5000)
    with pytest.raises(ValueError, match="nested too deeply"):
        Dim.parse("min(" * 500 + "N" + ", N)" * 500)
