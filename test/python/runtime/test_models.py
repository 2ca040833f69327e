"""A loaded model: calls, checks of every argument, state, sessions and generation."""

from pathlib import Path

import numpy as np
import pytest

import linnet
from linnet.errors import ArgumentError, LinnetError, UsageError, WeightsError
from linnet.runtime import SurplusWeights
from linnet.runtime._engine import read_generics
from oracle.toy import expected


@pytest.fixture(scope="module", params=["cpu", "xla-cpu"])
def model(request: pytest.FixtureRequest, toy: Path) -> linnet.Model:
    return linnet.load(toy, weights={"scale": np.array(3.0, np.float32)}, target=request.param)


def i32(value: object) -> np.ndarray:
    return np.array(value, np.int32)


def test_entries_are_methods_by_position_and_by_name(model: linnet.Model):
    model.reset()
    assert model.entries == ("prefill", "decode")
    logits = model.decode(i32([[5]]), i32(0))
    assert logits.shape == (1, 8)
    assert logits[0].argmax() == 6
    assert model.decode(pos=i32(1), token=i32([[5]]))[0].argmax() == 7
    assert model.call("decode", {"token": [[5]], "pos": 2})[0].argmax() == 0


def test_an_entry_compiled_at_two_sizes_is_chosen_by_shape(model: linnet.Model):
    model.reset()
    assert model.prefill(i32([[1, 2]]), i32(0))[0].argmax() == 4
    assert model.prefill(i32([[1, 2, 3, 4]]), i32(0))[0].argmax() == (4 + 6) % 8
    model.call("prefill", {"tokens": [[1, 2]], "pos": 0}, generics={"S": 2})


def test_state_is_read_written_and_reset(model: linnet.Model):
    model.reset()
    model.decode(i32([[5]]), i32(0))
    assert dict(model.state) == {"seen": 1, "last": [5]}
    model.state["seen"] = i32(10)
    model.decode(i32([[0]]), i32(0))
    assert model.state["seen"] == 11
    model.reset()
    assert model.state["seen"] == 0
    with pytest.raises(ArgumentError, match="state `seen` has the wrong shape"):
        model.state["seen"] = i32([1, 2])
    with pytest.raises(UsageError, match="no state `sen`"):
        model.state["sen"]


def test_a_session_has_its_own_state(model: linnet.Model):
    model.reset()
    other = model.session()
    other.decode(i32([[1]]), i32(0))
    assert (model.state["seen"], other.state["seen"]) == (0, 1)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 7])
def test_generation_feeds_a_prompt_of_any_length(model: linnet.Model, length: int):
    prompt = [3, 1, 4, 1, 5, 2, 6][:length]
    model.state["seen"] = i32(77)
    assert list(model.generate(prompt, max_new_tokens=5)) == expected(prompt, 5)


def test_sampling_repeats_with_its_seed(model: linnet.Model):
    draws = [list(model.generate([1], 12, temperature=2.0, seed=s)) for s in (1, 1, 2)]
    assert draws[0] == draws[1]
    assert draws[0] != draws[2]


@pytest.mark.parametrize(
    ("inputs", "error", "said"),
    [
        ({"token": [[1]]}, UsageError, "input `pos` of entry `decode` is missing"),
        ({"token": [[1]], "pos": 0, "x": 1}, UsageError, "entry `decode` has no input `x`"),
        ({"token": np.zeros((1, 1), np.int64), "pos": 0}, ArgumentError, "found Tensor[1, 1; i64]"),
        (
            {"token": i32([1]), "pos": 0},
            ArgumentError,
            "needs Tensor[1, 1; i32], found Tensor[1; i32]",
        ),
        ({"token": [[1.5]], "pos": 0}, ArgumentError, "input `token` holds fractions"),
        ({"token": [[1 << 40]], "pos": 0}, ArgumentError, "input `token` holds a number out of"),
        ({"token": [[True]], "pos": 0}, ArgumentError, "input `token` holds truth values"),
        ({"token": [[1], [2, 3]], "pos": 0}, ArgumentError, "input `token` is a ragged list"),
        ({"token": [["a"]], "pos": 0}, ArgumentError, "something else than numbers"),
        ({"token": "a", "pos": 0}, ArgumentError, "input `token` is no array: str"),
        ({"token": np.zeros((1, 1), complex), "pos": 0}, ArgumentError, "complex128"),
    ],
)
def test_a_wrong_input_is_named(model: linnet.Model, inputs, error, said: str):
    with pytest.raises(error) as caught:
        model.call("decode", inputs)
    assert said in caught.value.message
    assert "\n" not in str(caught.value)


def test_unknown_entries_and_generics_are_named_with_the_known(model: linnet.Model):
    with pytest.raises(UsageError) as caught:
        model.call("decod", {})
    assert caught.value.hint == "did you mean `decode`? compiled entries: `prefill`, `decode`"
    with pytest.raises(UsageError, match="not compiled for S = 3"):
        model.call("prefill", {"tokens": [[1, 2, 3]], "pos": 0}, generics={"S": 3})
    with pytest.raises(AttributeError, match="no entry `missing`"):
        _ = model.missing
    with pytest.raises(ArgumentError, match="takes 2 inputs, found 3"):
        model.decode(1, 2, 3)
    with pytest.raises(ArgumentError, match="given twice"):
        model.decode(1, token=2)


def test_arrays_come_in_any_layout_and_from_any_library(model: linnet.Model):
    class Foreign:
        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __dlpack__(self, **options: object) -> object:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> object:
            return self.array.__dlpack_device__()

    model.reset()
    tokens = np.array([[1, 0], [2, 0]], np.int32)[:, 0][None]
    assert not tokens.flags.c_contiguous or tokens.strides[-1] != 4
    assert model.prefill(tokens, i32(0))[0].argmax() == 4
    model.reset()
    assert model.prefill(Foreign(i32([[1, 2]])), Foreign(i32(0)))[0].argmax() == 4
    model.reset()
    assert model.prefill(tokens.astype(">i4"), i32(0))[0].argmax() == 4


@pytest.mark.parametrize(
    ("prompt", "count", "said"),
    [([], 1, "no tokens"), ([1], 17, "exceed MaxSeq = 16"), ([9], 1, "vocabulary of 8")],
)
def test_a_prompt_that_cannot_be_continued_is_refused_at_once(model, prompt, count, said: str):
    with pytest.raises(ArgumentError, match=said):
        model.generate(prompt, count)


def test_weights_are_checked_before_anything_runs(toy: Path, weights):
    with pytest.raises(WeightsError, match="`scale` needs a tensor"):
        linnet.load(toy)
    with pytest.raises(WeightsError, match="wrong shape"):
        linnet.load(toy, {"scale": np.zeros(1, np.float32)})
    with pytest.warns(SurplusWeights, match="`spare`"):
        linnet.load(toy, {**weights, "spare": np.zeros(1)})
    with pytest.raises(WeightsError, match="`spare` that the program does not take"):
        linnet.load(toy, {**weights, "spare": np.zeros(1)}, strict_weights=True)
    linnet.load(toy, {"s": weights["scale"]}, {"scale": "s"})


def test_an_unknown_target_is_named(toy: Path, weights):
    with pytest.raises(UsageError) as caught:
        linnet.load(toy, weights, target="gpu")
    assert isinstance(caught.value, LinnetError)
    assert caught.value.hint == "targets: `cpu`, `xla-cpu`"


def test_generics_are_integers_of_any_kind_names_or_lists():
    given = {"N": np.int64(3), "S": [2, np.int32(3)], "T": "f32"}
    assert read_generics(given) == {"N": 3, "S": (2, 3), "T": "f32"}
    for wrong in (1.5, None, True, [1.5], {}):
        with pytest.raises(UsageError, match="generic `N` cannot be "):
            read_generics({"N": wrong})


def test_a_prompt_is_a_list_of_integers(model: linnet.Model):
    assert list(model.generate(np.array([3, 1, 4]), 2)) == expected([3, 1, 4], 2)
    for wrong in ("ab", [1.5], [[1, 2]]):
        with pytest.raises(ArgumentError, match="the prompt is no list of token ids"):
            model.generate(wrong, 2)
