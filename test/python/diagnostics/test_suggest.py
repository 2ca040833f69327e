"""Which name is taken for the one that was meant, and when none is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.diagnostics import did_you_mean

SCOPE = [
    "weight",
    "bias",
    "x",
    "y",
    "layer_norm",
    "linear",
    "Linear",
    "softmax",
    "f32",
    "N",
    "Heads",
]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("weigth", "weight"),
        ("wieght", "weight"),
        ("weigh", "weight"),
        ("weights", "weight"),
        ("linaer", "linear"),
        ("Liner", "Linear"),
        ("liner", "linear"),
        ("LINEAR", "linear"),
        ("LayerNorm", "layer_norm"),
        ("layernorm", "layer_norm"),
        ("norm_layer", "layer_norm"),
        ("sofmax", "softmax"),
        ("soft_max", "softmax"),
        ("F32", "f32"),
        ("n", "N"),
        ("heads", "Heads"),
        ("hedas", "Heads"),
    ],
)
def test_a_slip_finds_what_was_meant(name: str, meant: str) -> None:
    assert did_you_mean(name, SCOPE) == meant


@pytest.mark.parametrize("name", ["z", "xy", "missing", "attention", "wide", "boa", "M", "kernel"])
def test_an_unrelated_name_finds_nothing(name: str) -> None:
    assert did_you_mean(name, SCOPE) is None


def test_of_two_equally_near_names_the_first_is_taken() -> None:
    assert did_you_mean("cat", ["car", "cap"]) == "car"
    assert did_you_mean("cat", ["cap", "car"]) == "cap"


def test_a_slip_in_the_first_letter_is_less_likely() -> None:
    assert did_you_mean("mask", ["task", "mark"]) == "mark"


def test_a_name_is_never_taken_for_itself() -> None:
    assert did_you_mean("weight", ["weight"]) is None


@given(st.text("abcdef_AB", min_size=4, max_size=12), st.integers(0, 11))
def test_one_letter_left_out_is_always_found(name: str, at: int) -> None:
    typed = name[: at % len(name)] + name[at % len(name) + 1 :]
    if typed != name:
        assert did_you_mean(typed, [name]) == name


def slips(left: str, right: str) -> int:
    """The distance by its definition: letters more, less, other or swapped."""
    if not left or not right:
        return len(left) + len(right)
    least = min(
        slips(left[1:], right) + 1,
        slips(left, right[1:]) + 1,
        slips(left[1:], right[1:]) + (left[0] != right[0]),
    )
    if left[:2] == right[1::-1] and len(left) > 1 and len(right) > 1:
        least = min(least, slips(left[2:], right[2:]) + 1)
    return least


@given(st.text("abc", min_size=5, max_size=6), st.text("abc", min_size=5, max_size=6))
def test_the_distance_is_that_of_its_definition(name: str, known: str) -> None:
    expected = (
        known if name != known and slips(name, known) <= max(len(name), len(known)) // 3 else None
    )
    assert did_you_mean(name, [known]) == expected


def test_long_paths_that_differ_in_one_place_are_compared_there() -> None:
    paths = [f"model.layers.{i}.self_attn.{p}_proj.weight" for i in range(50) for p in "qkv"]
    assert did_you_mean("model.layers.17.self_atn.q_proj.weight", paths) == paths[17 * 3]
