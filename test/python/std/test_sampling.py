"""std.nn.sampling: the draws of a formula in float64, and the host's sampler bit for bit."""

from dataclasses import dataclass

import numpy as np
import pytest

from linnet.runtime._sampling import sample
from std._cases import Cases, Probe, entry
from std._precision import BF16, F16, F32, Array, Precision, exact, exactly
from std.test_random import threefry

cases = Cases("std.nn.sampling")
KEY = np.array([0x243F6A88, 0x85A308D3], np.int64)
ROWS, VOCAB = 3, 600


@dataclass(frozen=True)
class Setting:
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    position: int = 5

    @property
    def inputs(self) -> dict[str, Array]:
        return {
            "key": KEY,
            "position": np.array(self.position, np.int32),
            "temperature": np.array(self.temperature, np.float32),
            "top_k": np.array(self.top_k, np.int32),
            "top_p": np.array(self.top_p, np.float32),
        }


def probabilities(row: Array, setting: Setting) -> Array:
    """softmax(row / temperature) of the tokens that are kept, in float64."""
    scaled = exact(row) / setting.temperature
    weights = np.exp(scaled - scaled.max())
    before = row[None, :] > row[:, None]
    if 0 < setting.top_k < row.size:
        weights = np.where(before.sum(1) < setting.top_k, weights, 0)
    weights /= weights.sum()
    if setting.top_p < 1:
        kept = (before * weights).sum(1) < setting.top_p
        kept |= row == row.max()
        weights = np.where(kept, weights, 0)
    return weights / weights.sum()


def drawn(logits: Array, setting: Setting) -> Array:
    """The token whose part of the line from 0 to 1 holds the row's word."""
    if setting.temperature == 0:
        return logits.argmax(-1).astype(np.int32)
    key = threefry(KEY, np.array([[0, setting.position]]))[0]
    counters = np.stack([np.zeros(len(logits), np.int64), np.arange(len(logits))], 1)
    words = threefry(key, counters)
    tokens: list[int] = []
    for row, (left, right) in zip(logits, words, strict=True):
        ends = np.cumsum(probabilities(row, setting))
        place = ((int(left) ^ int(right)) >> 1) / 2**31
        assert np.abs(ends - place).min() > 1e-6, "no place to compare at"
        tokens.append(int((ends <= place).sum()))
    return np.array(tokens, np.int32)


CALL = "sample(logits, key, position, temperature, top_k, top_p)"
SETTINGS = {
    "greedy": Setting(0.0, 5, 0.3),
    "plain": Setting(),
    "warm": Setting(1.7, position=1000),
    "top_k": Setting(0.9, top_k=3),
    "top_p": Setting(1.2, top_p=0.7),
    "both": Setting(0.8, 40, 0.6, position=7),
    "one": Setting(1.0, 1),
    "likeliest": Setting(1.0, 0, 0.0),
    "more_than_all": Setting(1.0, VOCAB + 1, 1.0),
}


def case(p: Precision, logits: Array, setting: Setting) -> Probe:
    rows, vocab = logits.shape
    text = entry(
        "std.nn.sampling::{sample}",
        CALL,
        f"Tensor[{rows}; i32]",
        logits=f"Tensor[{rows}, {vocab}; {p.name}]",
        key="Tensor[2; i64]",
        position="i32",
        temperature="f32",
        top_k="i32",
        top_p="f32",
    )
    expected = drawn(logits, setting)
    return Probe(text, exactly(expected), {"logits": logits, **setting.inputs})


for label, each in SETTINGS.items():

    def by_setting(p: Precision, setting: Setting = each) -> Probe:
        return case(p, p.random(ROWS, VOCAB, scale=3.0), setting)

    cases.add("sample", f"sample_{label}", by_setting, F32, BF16, F16)


@cases.of("sample", F32)
def sample_keeps_or_drops_equal_logits_together(p: Precision) -> Probe:
    logits = np.tile(p.of([2.0, 1.0, 2.0, 0.5, 1.0, 2.0] * 100), (ROWS, 1))
    return case(p, logits, Setting(1.0, top_k=2, position=3))


@cases.of("sample", F32)
def sample_never_takes_what_is_impossible(p: Precision) -> Probe:
    logits = np.full((ROWS, VOCAB), -np.inf, np.float32)
    logits[:, [17, 300, 599]] = 1.0
    return case(p, logits, Setting(1.5, 50, 0.9))


test_value = cases.test()


def test_the_host_draws_what_the_formula_draws() -> None:
    generator = np.random.default_rng(8)
    key = (int(KEY[0]), int(KEY[1]))
    for setting in SETTINGS.values():
        logits = (generator.standard_normal((ROWS, VOCAB)) * 4).astype(np.float32)
        found = [
            sample(
                logits[row],
                key,
                setting.position,
                row,
                temperature=setting.temperature,
                top_k=setting.top_k,
                top_p=setting.top_p,
            )
            for row in range(ROWS)
        ]
        assert found == drawn(logits, setting).tolist()


@pytest.mark.parametrize("setting", [Setting(0.7), Setting(1.0, 4), Setting(1.0, 0, 0.8)])
def test_tokens_come_as_often_as_they_are_likely(setting: Setting) -> None:
    row = np.array([0.3, 2.0, -1.0, 1.1, 0.0, 1.9, -3.0, 0.9], np.float32)
    key, count = (1, 2), 4000
    wanted = probabilities(row, setting)
    tokens = [
        sample(
            row,
            key,
            position,
            temperature=setting.temperature,
            top_k=setting.top_k,
            top_p=setting.top_p,
        )
        for position in range(count)
    ]
    found = np.bincount(tokens, minlength=row.size) / count
    # Five standard deviations.
    assert (np.abs(found - wanted) <= 5 * np.sqrt(wanted * (1 - wanted) / count)).all()
