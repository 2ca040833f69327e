"""std.nn.cache: what is written is exact, the rest is untouched, outside writes nothing."""

import numpy as np
import pytest

CACHE = (3, 2, 6, 4)


def expected_span(cache, value, at, rows, entries):
    """Write position by position, the way a person would."""
    written = cache.copy()
    for row, entry in zip(rows, entries, strict=True):
        for offset in range(value.shape[2]):
            if 0 <= at[row] + offset < cache.shape[2]:
                written[row, :, at[row] + offset] = value[entry, :, offset]
    return written


def program(t: str, name: str, value: str, extra: str, arguments: str) -> str:
    return f"""use std.nn.cache::{{{name}}}

entry run(
    cache: Tensor[3, 2, 6, 4; {t}],
    value: Tensor[{value}; {t}],
    {extra},
) -> Tensor[3, 2, 6, 4; {t}] {{
    return {name}(cache, value, {arguments})
}}
"""


@pytest.mark.parametrize("at", [0, 3, 5, 6, -1, -(2**31), 2**31 - 1])
def test_write_at(evaluate, precision, at) -> None:
    cache, value = precision.random(*CACHE), precision.random(3, 2, 1, 4, seed=1)
    text = program(precision.name, "write_at", "3, 2, 1, 4", "at: i32", "at")
    found = evaluate(text, {"cache": cache, "value": value, "at": np.int32(at)})
    np.testing.assert_array_equal(found, expected_span(cache, value, [at] * 3, range(3), range(3)))


@pytest.mark.parametrize("at", [0, 2, 4, 5, 6, -1, -2, -3, -(2**31), 2**31 - 1])
def test_write_span(evaluate, precision, at) -> None:
    cache, value = precision.random(*CACHE), precision.random(3, 2, 3, 4, seed=1)
    text = program(precision.name, "write_span", "3, 2, 3, 4", "at: i32", "at")
    found = evaluate(text, {"cache": cache, "value": value, "at": np.int32(at)})
    np.testing.assert_array_equal(found, expected_span(cache, value, [at] * 3, range(3), range(3)))


@pytest.mark.parametrize("at", [0, 2])
def test_write_span_longer_than_the_cache_fills_it(evaluate, precision, at) -> None:
    cache, value = precision.random(*CACHE), precision.random(3, 2, 9, 4, seed=1)
    text = program(precision.name, "write_span", "3, 2, 9, 4", "at: i32", "at")
    found = evaluate(text, {"cache": cache, "value": value, "at": np.int32(at)})
    np.testing.assert_array_equal(found, expected_span(cache, value, [at] * 3, range(3), range(3)))


@pytest.mark.parametrize("at", [[0, 5, 2], [4, 4, 4], [-1, 6, 1]])
def test_write_rows(evaluate, precision, at) -> None:
    cache, value = precision.random(*CACHE), precision.random(3, 2, 1, 4, seed=1)
    text = program(precision.name, "write_rows", "3, 2, 1, 4", "at: Tensor[3; i32]", "at")
    found = evaluate(text, {"cache": cache, "value": value, "at": np.array(at, np.int32)})
    np.testing.assert_array_equal(found, expected_span(cache, value, at, range(3), range(3)))


@pytest.mark.parametrize("at", [0, 2, 5, -1, 6])
@pytest.mark.parametrize("slots", [[2, 0], [1, 2]])
def test_write_slots(evaluate, precision, slots, at) -> None:
    cache, value = precision.random(*CACHE), precision.random(2, 2, 3, 4, seed=1)
    text = program(
        precision.name, "write_slots", "2, 2, 3, 4", "slots: Tensor[2; i32], at: i32", "slots, at"
    )
    given = {"cache": cache, "value": value, "slots": np.array(slots, np.int32)}
    found = evaluate(text, given | {"at": np.int32(at)})
    np.testing.assert_array_equal(found, expected_span(cache, value, [at] * 3, slots, range(2)))


def test_write_slots_ignores_a_slot_outside_the_cache(evaluate, precision) -> None:
    cache, value = precision.random(*CACHE), precision.random(2, 2, 3, 4, seed=1)
    text = program(
        precision.name, "write_slots", "2, 2, 3, 4", "slots: Tensor[2; i32], at: i32", "slots, at"
    )
    given = {"cache": cache, "value": value, "slots": np.array([7, 1], np.int32)}
    found = evaluate(text, given | {"at": np.int32(1)})
    np.testing.assert_array_equal(found, expected_span(cache, value, [1] * 3, [1], [1]))


@pytest.mark.parametrize(("slot", "at"), [(0, 0), (2, 4), (1, -2), (3, 0), (-1, 0)])
def test_write_slot(evaluate, precision, slot, at) -> None:
    cache, value = precision.random(*CACHE), precision.random(1, 2, 3, 4, seed=1)
    text = program(precision.name, "write_slot", "1, 2, 3, 4", "slot: i32, at: i32", "slot, at")
    given = {"cache": cache, "value": value, "slot": np.int32(slot), "at": np.int32(at)}
    rows = [slot] if 0 <= slot < 3 else []
    expected = expected_span(cache, value, [at] * 3, rows, [0] * len(rows))
    np.testing.assert_array_equal(evaluate(text, given), expected)
