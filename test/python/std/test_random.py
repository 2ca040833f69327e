"""std.random: the published vectors of Threefry-2x32, and formulas over its words."""

import numpy as np
import pytest

KEY = np.array([0x13198A2E, 0x03707344], np.int64)


def threefry(key, counters):
    """Threefry-2x32 with 20 rounds, in Python's own integers."""
    mask = 0xFFFFFFFF
    schedule = [int(key[0]), int(key[1]), 0x1BD11BDA ^ int(key[0]) ^ int(key[1])]
    turns = [(13, 15, 26, 6), (17, 29, 16, 24)]
    words = []
    for high, low in counters:
        x, y = (int(high) + schedule[0]) & mask, (int(low) + schedule[1]) & mask
        for group in range(5):
            for turn in turns[group % 2]:
                x = (x + y) & mask
                y = (((y << turn) | (y >> (32 - turn))) & mask) ^ x
            x = (x + schedule[(group + 1) % 3]) & mask
            y = (y + schedule[(group + 2) % 3] + group + 1) & mask
        words.append((x, y))
    return np.array(words, np.int64).reshape(-1, 2)


def words(key, count):
    return threefry(key, [(0, i) for i in range(count)])


def uniform(key, count):
    pairs = words(key, count)
    return ((pairs[:, 0] ^ pairs[:, 1]) >> 9) * 2.0**-23


def program(name: str, call: str, result: str, extra: str = "") -> str:
    return f"""use std.random::{{{name}}}

entry run(key: Tensor[2; i64]{extra}) -> {result} {{
    return {call}
}}
"""


@pytest.mark.parametrize(
    ("key", "counter", "expected"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 2, (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_threefry_gives_the_published_words(evaluate, key, counter, expected) -> None:
    text = program(
        "threefry2x32",
        "threefry2x32(key, counter)",
        "Tensor[1, 2; i64]",
        ", counter: Tensor[1, 2; i64]",
    )
    assert threefry(key, [counter]).tolist() == [list(expected)]
    found = evaluate(text, {"key": np.array(key, np.int64), "counter": np.array([counter])})
    assert found.tolist() == [list(expected)]


def test_bits_are_both_words_together(evaluate) -> None:
    found = evaluate(program("bits", "bits<5>(key)", "Tensor[5; i64]"), {"key": KEY})
    expected = words(KEY, 5)
    assert found.tolist() == (expected[:, 0] ^ expected[:, 1]).tolist()


def test_split_gives_a_key_for_each_counter(evaluate) -> None:
    found = evaluate(program("split", "split<3>(key)", "Tensor[3, 2; i64]"), {"key": KEY})
    assert found.tolist() == words(KEY, 3).tolist()


@pytest.mark.parametrize("data", [0, 7, -1])
def test_fold_in_takes_the_data_as_a_word(evaluate, data) -> None:
    text = program("fold_in", "fold_in(key, data)", "Tensor[2; i64]", ", data: i32")
    found = evaluate(text, {"key": KEY, "data": np.int32(data)})
    assert found.tolist() == threefry(KEY, [(0, data & 0xFFFFFFFF)])[0].tolist()


def test_uniform(evaluate, precision) -> None:
    text = program(
        "uniform", f"uniform<50, {precision.name}>(key)", f"Tensor[50; {precision.name}]"
    )
    expected = uniform(KEY, 50)
    assert 0 <= expected.min() < expected.max() < 1
    precision.check(evaluate(text, {"key": KEY}), expected)


def test_normal(evaluate, precision) -> None:
    text = program("normal", f"normal<50, {precision.name}>(key)", f"Tensor[50; {precision.name}]")
    u = uniform(KEY, 100)
    expected = np.sqrt(-2 * np.log(1 - u[:50])) * np.cos(2 * np.pi * u[50:])
    precision.check(evaluate(text, {"key": KEY}), expected)


def test_categorical_adds_gumbel_noise(evaluate, precision, exact) -> None:
    t = precision.name
    text = program(
        "categorical", "categorical(key, logits)", "Tensor[6; i32]", f", logits: Tensor[6, 9; {t}]"
    )
    logits = precision.random(6, 9, scale=0.5)
    noise = -np.log(-np.log(1 - uniform(KEY, 54).reshape(6, 9)))
    found = evaluate(text, {"key": KEY, "logits": logits})
    assert found.dtype == np.int32
    assert found.tolist() == (exact(logits) + noise).argmax(-1).tolist()
