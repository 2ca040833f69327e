"""std.random: bit for bit what `jax.random` and the authors of Threefry give.

`VECTORS` were drawn with jax 0.10.2 and jaxlib 0.10.2 on a CPU, partitionable layout (its default),
from `jax.random.wrap_key_data(key, impl="threefry2x32")`: `split(key, 3)`, `bits(key, (6,))`,
`uniform(key, (6,))` and `fold_in(key, n)`. The first three keys are those of the seeds 0, 42 and
2^32 - 1.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from std._cases import Cases, Probe, entry
from std._precision import BF16, F16, F32, Array, Precision, Wide, exact, exactly, once

cases = Cases("std.random")
ALL = (F32, BF16, F16)
KEY = np.array([0x13198A2E, 0x03707344], np.int64)


@dataclass(frozen=True)
class Drawn:
    key: tuple[int, int]
    split: list[list[int]]
    bits: list[int]
    uniform: list[str]
    fold_in: dict[int, list[int]]


VECTORS = (
    Drawn(
        (0, 0),
        [[1797259609, 2579123966], [928981903, 3453687069], [4146024105, 2718843009]],
        [4070199207, 4202968722, 1427181096, 2012915765, 2447653815, 710830403],
        [
            "0x1.e5349c0000000p-1",
            "0x1.f5086c0000000p-1",
            "0x1.5444380000000p-2",
            "0x1.dfeaa00000000p-2",
            "0x1.23c8740000000p-1",
            "0x1.52f3400000000p-3",
        ],
        {
            0: [1797259609, 2579123966],
            7: [2716826189, 292468403],
            2147483647: [3380239599, 3343201961],
        },
    ),
    Drawn(
        (0, 42),
        [[1832780943, 270669613], [64467757, 2916123636], [2465931498, 255383827]],
        [2098992034, 2919706841, 2646866425, 2409546199, 1935504149, 2516274904],
        [
            "0x1.f470480000000p-2",
            "0x1.5c0e600000000p-1",
            "0x1.3b87f00000000p-1",
            "0x1.1f3d800000000p-1",
            "0x1.cd75c80000000p-2",
            "0x1.2bf69c0000000p-1",
        ],
        {
            0: [1832780943, 270669613],
            7: [2547012911, 1371500959],
            2147483647: [2455960720, 876592557],
        },
    ),
    Drawn(
        (0, 4294967295),
        [[2973345818, 897673333], [3461607691, 1112781462], [3122495753, 3444035234]],
        [2226700399, 2348827549, 2002407339, 3973470413, 1347664280, 1591134625],
        [
            "0x1.0971800000000p-1",
            "0x1.1800840000000p-1",
            "0x1.dd69380000000p-2",
            "0x1.d9acb00000000p-1",
            "0x1.414ee00000000p-2",
            "0x1.7b5b200000000p-2",
        ],
        {
            0: [2973345818, 897673333],
            7: [614485078, 1000807227],
            2147483647: [4257015881, 3976009116],
        },
    ),
    Drawn(
        (320440878, 57701188),
        [[1095259177, 3512222810], [3520574224, 438507793], [4239014620, 2355263051]],
        [2416971891, 3421809153, 1892174999, 2075171332, 299407124, 3106772290],
        [
            "0x1.2020200000000p-1",
            "0x1.97e9540000000p-1",
            "0x1.c321300000000p-2",
            "0x1.eec2680000000p-2",
            "0x1.1d89600000000p-4",
            "0x1.725b280000000p-1",
        ],
        {
            0: [1095259177, 3512222810],
            7: [124060718, 1542252569],
            2147483647: [167223508, 1601018406],
        },
    ),
)


def threefry(key: Array, counters: Array) -> Array:
    """Threefry-2x32 with 20 rounds, in Python's own integers."""
    mask = 0xFFFFFFFF
    schedule = [int(key[0]), int(key[1]), 0x1BD11BDA ^ int(key[0]) ^ int(key[1])]
    turns = [(13, 15, 26, 6), (17, 29, 16, 24)]
    words: list[tuple[int, int]] = []
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


def uniform(key: Array, count: int) -> Wide:
    pairs = threefry(key, np.stack([np.zeros(count, np.int64), np.arange(count)], 1))
    return ((pairs[:, 0] ^ pairs[:, 1]) >> 9) * 2.0**-23


def program(name: str, call: str, result: str, **extra: str) -> str:
    return entry(f"std.random::{{{name}}}", call, result, key="Tensor[2; i64]", **extra)


# The published known answers of Threefry-2x32 with 20 rounds (Random123, kat_vectors).
PUBLISHED = (
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 2, (0x1CB996FC, 0xBB002BE7)),
    ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
)


def published(number: int):
    def make(p: Precision) -> Probe:
        key, counter, words = (np.array(part, np.int64) for part in PUBLISHED[number])
        text = program(
            "threefry2x32",
            "threefry2x32(key, counter)",
            "Tensor[1, 2; i64]",
            counter="Tensor[1, 2; i64]",
        )
        return Probe(text, exactly(words[None]), {"key": key, "counter": counter[None]})

    return make


for number_ in range(len(PUBLISHED)):
    cases.add("threefry2x32", f"threefry_published_{number_}", published(number_), F32)


@cases.of("threefry2x32", F32)
def threefry_of_several_counters(p: Precision) -> Probe:
    counters = np.random.default_rng(0).integers(0, 2**32, (7, 2))
    text = program(
        "threefry2x32",
        "threefry2x32(key, counter)",
        "Tensor[7, 2; i64]",
        counter="Tensor[7, 2; i64]",
    )
    return Probe(text, exactly(threefry(KEY, counters)), {"key": KEY, "counter": counters})


def as_jax(drawn: Drawn, name: str):
    def make(p: Precision) -> Probe:
        key = np.array(drawn.key, np.int64)
        match name:
            case "split":
                text = program("split", "split<3>(key)", "Tensor[3, 2; i64]")
                return Probe(text, exactly(np.array(drawn.split, np.int64)), {"key": key})
            case "bits":
                text = program("bits", "bits<6>(key)", "Tensor[6; i64]")
                return Probe(text, exactly(np.array(drawn.bits, np.int64)), {"key": key})
            case _:
                text = program("uniform", "uniform<6, f32>(key)", "Tensor[6; f32]")
                values = np.array([float.fromhex(u) for u in drawn.uniform], np.float32)
                return Probe(text, exactly(values), {"key": key})

    return make


def folded(drawn: Drawn, data: int):
    def make(p: Precision) -> Probe:
        text = program("fold_in", "fold_in(key, data)", "Tensor[2; i64]", data="i32")
        given = {"key": np.array(drawn.key, np.int64), "data": np.array(data, np.int32)}
        return Probe(text, exactly(np.array(drawn.fold_in[data], np.int64)), given)

    return make


for number_, drawn_ in enumerate(VECTORS):
    for name_ in ("split", "bits", "uniform"):
        cases.add(name_, f"{name_}_is_that_of_jax_{number_}", as_jax(drawn_, name_), F32)
    for data_ in drawn_.fold_in:
        cases.add(
            "fold_in", f"fold_in_{data_}_is_that_of_jax_{number_}", folded(drawn_, data_), F32
        )


@cases.of("fold_in", F32)
def fold_in_takes_a_negative_number_as_a_word(p: Precision) -> Probe:
    text = program("fold_in", "fold_in(key, data)", "Tensor[2; i64]", data="i32")
    expected = threefry(KEY, np.array([[0, 0xFFFFFFFF]]))[0]
    return Probe(text, exactly(expected), {"key": KEY, "data": np.array(-1, np.int32)})


@cases.of("MASK", F32)
def mask_is_a_word_of_ones(p: Precision) -> Probe:
    text = "use std.random::{MASK}\n\nentry run(x: i64) -> i64 {\n    return x & MASK\n}\n"
    return Probe(text, exactly(np.array(2**32 - 1)), {"x": np.array(-1, np.int64)})


@cases.of("uniform", *ALL)
def uniform_rounds_once(p: Precision) -> Probe:
    text = program("uniform", f"uniform<50, {p.name}>(key)", f"Tensor[50; {p.name}]")
    return Probe(text, exactly(p.of(uniform(KEY, 50))), {"key": KEY})


@cases.of("normal", *ALL)
def normal(p: Precision) -> Probe:
    text = program("normal", f"normal<50, {p.name}>(key)", f"Tensor[50; {p.name}]")
    u = uniform(KEY, 100)
    value = np.sqrt(-2 * np.log(1 - u[:50])) * np.cos(2 * np.pi * u[50:])
    return Probe(text, once(p, value, 4.0, 16), {"key": KEY})


@cases.of("categorical", *ALL)
def categorical_adds_gumbel_noise(p: Precision) -> Probe:
    logits = p.random(6, 9, scale=0.5)
    noise = -np.log(-np.log(1 - uniform(KEY, 54).reshape(6, 9)))
    text = program(
        "categorical",
        "categorical(key, logits)",
        "Tensor[6; i32]",
        logits=f"Tensor[6, 9; {p.name}]",
    )
    expected = (exact(logits) + noise).argmax(-1).astype(np.int32)
    return Probe(text, exactly(expected), {"key": KEY, "logits": logits})


@cases.of("categorical")
def categorical_never_takes_what_is_impossible(p: Precision) -> Probe:
    logits = p.of(np.full((5, 4), -np.inf))
    logits[np.arange(5), [0, 3, 1, 2, 3]] = 0.0
    text = program(
        "categorical",
        "categorical(key, logits)",
        "Tensor[5; i32]",
        logits=f"Tensor[5, 4; {p.name}]",
    )
    expected = np.array([0, 3, 1, 2, 3], np.int32)
    return Probe(text, exactly(expected), {"key": KEY, "logits": logits})


test_value = cases.test()


@pytest.mark.parametrize(("key", "counter", "words"), PUBLISHED)
def test_our_own_threefry_gives_the_published_words(key, counter, words) -> None:
    assert threefry(np.array(key), np.array([counter])).tolist() == [list(words)]
