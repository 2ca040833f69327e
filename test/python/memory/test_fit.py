"""The search for the largest size: right for any growing need, with few questions."""

import math
from collections.abc import Callable

import pytest

from linnet.memory import largest


def asked(need: Callable[[int], float], start: int = 1) -> tuple[int | None, int]:
    """What is found, and how many sizes were tried."""
    tried: list[int] = []

    def share(n: int) -> float:
        tried.append(n)
        return need(n)

    return largest(share, start), len(tried)


@pytest.mark.parametrize("start", [1, 64, 5000])
@pytest.mark.parametrize(
    "need",
    [
        lambda n: n / 1000,
        lambda n: 0.4 + n / 1234.56,
        lambda n: (n / 700) ** 2 + 0.1,
        lambda n: math.exp(n / 500) / 10,
        lambda n: 0.5 if n <= 777 else math.inf,
        lambda n: 0.2 + n / 4096 if n % 2 == 0 else 0.2 + (n + 1) / 4096,
    ],
)
def test_the_largest_that_fits_is_found(need: Callable[[int], float], start: int) -> None:
    found, _ = asked(need, start)
    expected = max(n for n in range(1, 6000) if need(n) <= 1)
    assert found == expected


def test_nothing_fits_where_one_does_not() -> None:
    assert asked(lambda n: 2.0 + n)[0] is None
    assert asked(lambda n: math.inf, 64)[0] is None


def test_a_straight_line_is_asked_a_few_times_only() -> None:
    found, tries = asked(lambda n: 0.299999 + n * 7e-6, 64)
    assert found == 100000
    assert tries <= 12


def test_a_good_start_saves_questions() -> None:
    def need(n: int) -> float:
        return 0.3 + (n / 15000) ** 2

    _, from_nothing = asked(need)
    _, from_near = asked(need, 12540)
    assert from_near <= 7 < from_nothing
