"""Masked writes give the same cache with and without `linnet-narrow-masked-writes`.

Positions are inside, at the edge, partly and wholly outside of the cache, and at the ends of their
dtype, where sums of them wrap.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from linnet import reference
from linnet.core import CoreModule, Op, Region
from linnet.signature import numpy_dtype
from lower import _naive
from lower._stages import LOWERED, NARROWED, SIMPLIFIED, Bound, bound

Array = NDArray[Any]
CACHE = (3, 2, 7, 4)
FAR = (-(2**31), -(2**31) + 1, 2**31 - 1, 2**31 - 2)
NEAR = tuple(range(-5, 10))


def ops(region: Region) -> list[Op]:
    """All ops of a region, those inside of others too."""
    return [inner for op in region.ops for inner in (op, *(o for r in op.regions for o in ops(r)))]


def narrowed(module: Bound) -> CoreModule:
    return module.core(*LOWERED, *NARROWED, *SIMPLIFIED)


def kept(module: Bound) -> CoreModule:
    return module.core(*LOWERED, *SIMPLIFIED)


def is_written_in_place(core: CoreModule, shape: tuple[int, ...] = CACHE) -> bool:
    """Whether the cache is updated, and no select, or update of all of it, is left."""
    found = ops(core.functions["run"].body)
    updates = [op for op in found if op.name == "update_slice"]
    whole = [op for op in found if op.name == "select" and op.results[0].type.shape == shape]
    parts = [op.operands[1].type.shape for op in updates]
    return bool(updates) and not whole and shape not in parts


def numbers(shape: tuple[int, ...], first: float = 1.0, dtype: str = "f32") -> Array:
    """Numbers that all differ."""
    count = int(np.prod(shape, dtype=int))
    return (first + np.arange(count)).reshape(shape).astype(numpy_dtype(dtype))


def program(name: str, value: str, extra: str, arguments: str) -> Bound:
    return bound(f"""module probe
use std.nn.cache::{{{name}}}

entry run(
    cache: Tensor[3, 2, 7, 4; f32],
    value: Tensor[{value}; f32],
    {extra},
) -> Tensor[3, 2, 7, 4; f32] {{
    return {name}(cache, value, {arguments})
}}
""")


def agree(module: Bound, arguments: list[list[Array]]) -> None:
    """Fail unless both ways give equal values."""
    fast, slow = narrowed(module), kept(module)
    for given_ in arguments:
        for a, b in zip(
            reference.run(fast, "run", given_), reference.run(slow, "run", given_), strict=True
        ):
            np.testing.assert_array_equal(a, b)


def scalars(*columns: Sequence[Any]) -> list[list[Array]]:
    return [[np.asarray(value, np.int32) for value in row] for row in product(*columns)]


SLOTS = ([2, 0], [1, 2], [0, 3], [-1, 1], [7, 2], [FAR[0], 0], [1, FAR[2]])
STD = {
    "write_at": ("3, 2, 1, 4", "at: i32", "at", scalars(NEAR + FAR)),
    "write_span": ("3, 2, 3, 4", "at: i32", "at", scalars(NEAR + FAR)),
    "write_rows": (
        "3, 2, 1, 4",
        "at: Tensor[3; i32]",
        "at",
        scalars([[0, 6, 3], [6, 7, -1], [2, 2, 2], list(FAR[:3]), [-5, 9, 0]]),
    ),
    "write_slots": (
        "2, 2, 3, 4",
        "slots: Tensor[2; i32], at: i32",
        "slots, at",
        scalars(SLOTS, (0, 2, 4, 5, 6, 7, -1, -2, -3, *FAR)),
    ),
    "write_slot": (
        "1, 2, 3, 4",
        "slot: i32, at: i32",
        "slot, at",
        scalars((-1, 0, 2, 3, *FAR), (0, 2, 4, 5, 6, 7, -1, -2, -3, *FAR)),
    ),
}


@pytest.mark.parametrize("name", STD)
def test_a_cache_op_of_std_writes_in_place_and_the_same(name: str) -> None:
    value, extra, arguments, positions = STD[name]
    module = program(name, value, extra, arguments)
    assert is_written_in_place(narrowed(module))
    assert not is_written_in_place(kept(module))
    shape = tuple(int(size) for size in value.split(","))
    agree(module, [[numbers(CACHE), numbers(shape, 1000.0), *row] for row in positions])


def test_slots_at_a_constant_position_are_written_in_place() -> None:
    module = program("write_slots", "2, 2, 3, 4", "slots: Tensor[2; i32]", "slots, 0")
    assert is_written_in_place(narrowed(module))
    given_ = [[numbers(CACHE), numbers((2, 2, 3, 4), 1000.0), *row] for row in scalars(SLOTS)]
    agree(module, given_)


@pytest.mark.parametrize("name", ["write_span", "write_slots"])
def test_a_span_longer_than_the_cache_is_not_cut_wrongly(name: str) -> None:
    rows, extra, arguments = ("3", "at: i32", "at")
    columns: list[Sequence[Any]] = [NEAR + FAR]
    if name == "write_slots":
        rows, extra, arguments = ("2", "slots: Tensor[2; i32], at: i32", "slots, at")
        columns = [SLOTS, NEAR + FAR]
    module = program(name, f"{rows}, 2, 9, 4", extra, arguments)
    value = numbers((int(rows), 2, 9, 4), 1000.0)
    agree(module, [[numbers(CACHE), value, *row] for row in scalars(*columns)])


# Element conditions over `places`, the positions of `s` as i32; `at` and `by` are scalars.
MASKS = {
    "the position on the right": "at == places[s]",
    "a difference that is zero": "places[s] - at == 0",
    "a difference the other way round": "at - places[s] == 0",
    "a sum of scalars": "places[s] == at + by",
    "a difference of scalars": "places[s] == at - by",
    "bounds written as such": "places[s] >= at && places[s] < at + 3",
    "bounds the other way round": "at <= places[s] && at + 3 > places[s]",
    "bounds without the first": "places[s] > at && places[s] <= at + 3",
    "bounds of a difference": "places[s] - at >= 0 && places[s] - at < 3",
    "bounds of a difference the other way round": "at - places[s] <= 0 && at - places[s] > -3",
    "a wider type": "cast<i64>(places[s]) == cast<i64>(at) + 1",
    "a sum in a wider type": "iota<i64>(7)[s] == cast<i64>(at) + cast<i64>(by)",
    "a sum that wraps before it is widened": "cast<i64>(places[s]) == cast<i64>(at + by)",
    "bounds that wrap apart": "places[s] >= at && places[s] - at < 3",
    "a narrower type": "iota<i8>(7)[s] == cast<i8>(at)",
    "unsigned, not read as a position": "iota<u32>(7)[s] == cast<u32>(at)",
    "a negated condition": "!(places[s] != at)",
    "negated bounds": "!(places[s] < at || places[s] >= at + 3)",
    "all but negated": "!(all[m] places[s] != several[m])",
    "one of several": "any[m] several[m] == places[s]",
    "one of several spans": "any[m] (places[s] >= several[m] && places[s] < several[m] + 2)",
    "a position and a condition besides": "places[s] == at && by > 0",
    "a constant position": "places[s] == 2",
    "constant bounds": "places[s] >= 2 && places[s] < 5",
    "one constant bound": "places[s] < 3",
    "the other constant bound": "places[s] >= 5",
}
NOT_IN_PLACE = {"unsigned, not read as a position", "bounds that wrap apart"}


def masked(condition: str, chosen: str = "select(hit[s], value[r, s], cache[r, s])") -> Bound:
    return bound(f"""module probe

entry run(
    cache: Tensor[2, 7; f32],
    value: Tensor[2, 7; f32],
    at: i32,
    by: i32,
    several: Tensor[3; i32],
) -> Tensor[2, 7; f32] {{
    let places = iota<i32>(7)
    let hit[s] = (({condition}) && places[s] == places[s])
    let y[r, s] = {chosen}
    return y
}}
""")


def positions() -> list[list[Array]]:
    """Arguments of `masked`: `at` and `by` at all ends together, where their sums wrap."""
    rng = np.random.default_rng(3)
    around = np.array([*NEAR, *NEAR, *FAR, 2**30, -(2**30), 127, 128, -128, 255, 256])
    drawn = [(*ends, *rng.choice(around, 3)) for ends in product((*FAR, 3), (*FAR, 4))]
    drawn += [tuple(rng.choice(around, 5)) for _ in range(40)]
    return [
        [numbers((2, 7)), numbers((2, 7), 1000.0), d[:1].reshape(()), d[1:2].reshape(()), d[2:]]
        for d in np.array(drawn, np.int32)
    ]


@pytest.mark.parametrize("name", MASKS)
def test_a_mask_by_hand_writes_in_place_and_the_same(name: str) -> None:
    module = masked(MASKS[name])
    assert is_written_in_place(narrowed(module), (2, 7)) is (name not in NOT_IN_PLACE)
    agree(module, positions())


def test_a_mask_that_keeps_where_it_is_true_is_read_the_other_way_round() -> None:
    chosen = "select(places[s] != at, cache[r, s], value[r, s])"
    module = masked("by == by", chosen)
    assert is_written_in_place(narrowed(module), (2, 7))
    agree(module, positions())


def test_an_element_choice_writes_in_place_too() -> None:
    module = masked("places[s] == at", "(if hit[s] { value[r, s] * 2.0 } else { cache[r, s] })")
    assert is_written_in_place(narrowed(module), (2, 7))
    agree(module, positions())


def test_what_was_only_just_computed_is_not_updated_in_place() -> None:
    module = masked("places[s] == at", "select(hit[s], value[r, s], cache[r, s] * 2.0)")
    assert not [op for op in ops(narrowed(module).functions["run"].body) if "update" in op.name]
    agree(module, positions())


def test_a_cache_is_written_in_place_inside_of_a_loop() -> None:
    module = bound("""module probe
use std.nn.cache::{write_at}

entry run(cache: Tensor[3, 2, 7, 4; f32], value: Tensor[3, 2, 1, 4; f32], at: i32)
    -> Tensor[3, 2, 7, 4; f32] {
    var kept = cache
    var place = at
    var left: i32 = 3
    while left > 0 {
        kept = write_at(kept, value + kept[:, :, 0:1, :], place)
        place = place + 2
        left = left - 1
    }
    return kept
}
""")
    assert is_written_in_place(narrowed(module))
    value = numbers((3, 2, 1, 4), 1000.0)
    agree(module, [[numbers(CACHE), value, *row] for row in scalars(NEAR + FAR)])


def test_positions_of_a_type_too_small_for_the_axis_are_left_alone() -> None:
    module = bound("""module probe

entry run(cache: Tensor[300; f32], value: f32, at: i8) -> Tensor[300; f32] {
    let y[s] = select(iota<i8>(300)[s] == at, value, cache[s])
    return y
}
""")
    cache, value = numbers((300,)), np.asarray(-1, np.float32)
    agree(module, [[cache, value, np.asarray(at, np.int8)] for at in (-128, -100, 0, 43, 44, 127)])


# Random masks.

_TYPES = ("i8", "i16", "i32", "i64")


def _affine(draw: Callable[..., Any], type_: str, depth: int) -> str:
    options = [
        f"iota<{type_}>(5)[s]",
        f"iota<{type_}>(5)[s]",
        f"iota<{type_}>(2)[r]",
        f"cast<{type_}>(a)",
        f"cast<{type_}>(b)",
        f"cast<{type_}>(c[r])",
        "literal",
        "cast",
    ]
    terms: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        term = draw(st.sampled_from(options))
        if term == "literal":
            term = f"cast<{type_}>(d)" if not terms else str(draw(st.integers(0, 4)))
        if term == "cast":
            other = draw(st.sampled_from(_TYPES))
            inner = _affine(draw, other, depth - 1) if depth else f"cast<{other}>(d)"
            term = f"cast<{type_}>({inner})"
        terms.append(term)
    text = terms[0]
    for term in terms[1:]:
        text = f"({text} {draw(st.sampled_from('+-'))} {term})"
    return text


def _condition(draw: Callable[..., Any], depth: int) -> str:
    kind = draw(st.sampled_from(("compare", "compare", "both", "window", "not", "any", "either")))
    type_ = draw(st.sampled_from(_TYPES))
    if kind == "window" or (depth == 0 and kind != "compare"):
        shift = _affine(draw, type_, 1)
        low, high = draw(st.integers(-2, 1)), draw(st.integers(1, 3))
        return f"({shift} >= {low} && {shift} < {high})"
    match kind:
        case "compare":
            operator = draw(st.sampled_from(("==", "<", "<=", ">", ">=", "!=")))
            return f"({_affine(draw, type_, 1)} {operator} {_affine(draw, type_, 1)})"
        case "both" | "either":
            operator = "&&" if kind == "both" else "||"
            return f"({_condition(draw, depth - 1)} {operator} {_condition(draw, depth - 1)})"
        case "not":
            return f"(!{_condition(draw, depth - 1)})"
        case _:
            inner = _condition(draw, 0).replace("c[r]", "e[m]")
            return f"(any[m] e[m] != 3 && {inner})"


@st.composite
def masks(draw: Callable[..., Any]) -> tuple[str, list[Array]]:
    text = f"""module probe

entry run(
    cache: Tensor[2, 5; i32],
    value: Tensor[2, 5; i32],
    a: i64,
    b: i32,
    c: Tensor[2; i16],
    d: i8,
    e: Tensor[3; i16],
) -> Tensor[2, 5; i32] {{
    let y[r, s] = select({_condition(draw, 2)}, value[r, s], cache[r, s])
    return y
}}
"""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    arguments = [numbers((2, 5), 1, "i32"), numbers((2, 5), 100, "i32")]
    for bits, shape in ((64, ()), (32, ()), (16, (2,)), (8, ()), (16, (3,))):
        # Near zero, and around the ends of this type and the smaller ones.
        ends = [sign * 2**size for size in (7, 15, 31, 63) if size < bits for sign in (-1, 1)]
        pool = [*range(-4, 8), *range(5), *(end + step for end in ends for step in (-1, 0, 1))]
        inside = [number for number in pool if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1)]
        drawn = rng.choice(np.array(inside, np.int64), shape)
        arguments.append(np.asarray(drawn).astype(f"int{bits}"))
    return text, arguments


_narrowed: list[bool] = []


@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=500,
    suppress_health_check=list(HealthCheck),
)
@given(masks())
def test_any_mask_keeps_its_value(case: tuple[str, list[Array]]) -> None:
    text, arguments = case
    module = bound(text)
    fast = narrowed(module)
    _narrowed.append(is_written_in_place(fast, (2, 5)))
    expected = _naive.run(module.module, "run", arguments)
    for core in (kept(module), fast):
        np.testing.assert_array_equal(reference.run(core, "run", arguments)[0], expected[0])


def test_random_masks_are_often_narrowed() -> None:
    assert sum(_narrowed) > len(_narrowed) // 10
