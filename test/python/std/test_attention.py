"""std.nn.attention: f32 inside, whatever T; a masked score is -1e30."""

from collections.abc import Callable
from typing import Any

import numpy as np

from std._cases import Cases, Make, Probe, entry
from std._precision import BF16, F16, F32, Array, Expected, Precision, Wide, exact, exactly, once

cases = Cases("std.nn.attention")
ALL = (F32, BF16, F16)
SCALE = np.float32(0.35)
Mask = Array | None


def attention(query: Wide, key: Wide, value: Wide, mask: Mask = None) -> Wide:
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) * np.float64(SCALE)
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("bhqk,bhkd->bhqd", raised / raised.sum(-1, keepdims=True), value)


def mixed(p: Precision, value: Wide, values: Array) -> Expected:
    """A weighted mean of `values`: no larger than the largest, after some f32 roundings."""
    return once(p, value, np.abs(exact(values)).max(), 24)


def causal(q: int, k: int) -> Make:
    def make(p: Precision) -> Probe:
        expected = np.arange(k)[None, :] <= np.arange(q)[:, None] + (k - q)
        text = entry(
            "std.nn.attention::{causal_mask}", f"causal_mask<{q}, {k}>()", f"Tensor[{q}, {k}; bool]"
        )
        return Probe(text, exactly(expected))

    return make


for q_, k_ in ((4, 4), (2, 5), (5, 2), (1, 6), (0, 3)):
    cases.add("causal_mask", f"causal_mask_of_{q_}_and_{k_}", causal(q_, k_), F32)


def seen(*shape: int, empty: int | None = None) -> Array:
    """A mask, in which the query `empty` sees nothing."""
    mask = np.random.default_rng(3).random(shape) < 0.6
    if empty is not None:
        mask[..., empty, :] = False
    return mask


def plain(name: str, mask: Mask, argument: str) -> Make:
    """`name` with three heads, four queries and six keys, a mask for all or one for each row."""

    def make(p: Precision) -> Probe:
        t = p.name
        given: dict[str, Array] = {
            "query": p.random(2, 3, 4, 8),
            "key": p.random(2, 3, 6, 8, seed=1),
            "value": p.random(2, 3, 6, 8, seed=2),
            "scale": np.asarray(SCALE),
        }
        query, key, value = (exact(part) for part in list(given.values())[:3])
        types = {
            "query": f"Tensor[2, 3, 4, 8; {t}]",
            "key": f"Tensor[2, 3, 6, 8; {t}]",
            "value": f"Tensor[2, 3, 6, 8; {t}]",
            "scale": "f32",
        }
        spread: Mask = mask
        if mask is not None:
            given["mask"] = mask
            types["mask"] = f"Tensor[{', '.join(map(str, mask.shape))}; bool]"
            spread = mask[:, None] if mask.ndim == 3 else mask
        text = entry(
            f"std.nn.attention::{{{name}}}",
            f"{name}(query, key, value, scale{argument})",
            f"Tensor[2, 3, 4, 8; {t}]",
            **types,
        )
        expected = mixed(p, attention(query, key, value, spread), given["value"])
        return Probe(text, expected, given)

    return make


SOME = ", some(mask)"
add = cases.add
add("attention", "attention_without_mask", plain("attention", None, ""), *ALL)
add("attention", "attention_with_one_mask_for_all_rows", plain("attention", seen(4, 6), SOME), *ALL)
add(
    "attention",
    "attention_of_a_query_that_sees_nothing_is_the_mean",
    plain("attention", seen(4, 6, empty=2), SOME),
    *ALL,
)
add("attention_rows", "attention_rows", plain("attention_rows", seen(2, 4, 6), ", mask"), *ALL)
add(
    "attention_rows",
    "attention_rows_of_a_query_that_sees_nothing",
    plain("attention_rows", seen(2, 4, 6, empty=0), ", mask"),
)


def grouped(
    name: str,
    kv: int,
    mask: Mask,
    call: str,
    formula: Callable[..., Wide] = attention,
    sinks: bool = False,
) -> Make:
    """`name` with six query heads over `kv` key and value heads."""

    def make(p: Precision) -> Probe:
        t = p.name
        given: dict[str, Array] = {
            "query": p.random(2, 6, 4, 8),
            "key": p.random(2, kv, 5, 8, seed=1),
            "value": p.random(2, kv, 5, 8, seed=2),
        }
        types = {name: f"Tensor[{', '.join(map(str, x.shape))}; {t}]" for name, x in given.items()}
        query = exact(given["query"])
        key, value = (exact(given[name]).repeat(6 // kv, axis=1) for name in ("key", "value"))
        extra: list[Any] = []
        if sinks:
            given["sinks"], types["sinks"] = p.random(6, seed=3), f"Tensor[6; {t}]"
            extra.append(exact(given["sinks"]))
        given["scale"], types["scale"] = np.asarray(SCALE), "f32"
        spread: Mask = mask
        if mask is not None:
            given["mask"] = mask
            types["mask"] = f"Tensor[{', '.join(map(str, mask.shape))}; bool]"
            spread = mask[:, None] if mask.ndim == 3 else mask
        text = entry(
            f"std.nn.attention::{{{name}}}",
            f"{name}(query, key, value, {call})",
            f"Tensor[2, 6, 4, 8; {t}]",
            **types,
        )
        expected = mixed(p, formula(query, key, value, spread, *extra), given["value"])
        return Probe(text, expected, given)

    return make


def with_sinks(query: Wide, key: Wide, value: Wide, mask: Array, sinks: Wide) -> Wide:
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) * np.float64(SCALE)
    scores = np.where(mask, scores, -1e30)
    sink = np.broadcast_to(sinks[:, None, None], (*scores.shape[:3], 1))
    scores = np.concatenate([scores, sink], -1)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    shares = (raised / raised.sum(-1, keepdims=True))[..., :-1]
    return np.einsum("bhqk,bhkd->bhqd", shares, value)


NAME = "grouped_attention"
for kv_, label in ((3, "runs_of_two"), (1, "one_head_for_all"), (6, "a_head_for_each")):
    add(NAME, f"grouped_attention_with_{label}", grouped(NAME, kv_, None, "scale"))
add(
    NAME,
    "grouped_attention_with_a_mask",
    grouped(NAME, 3, seen(4, 5, empty=1), f"scale{SOME}"),
    *ALL,
)
ROWS = "grouped_attention_rows"
add(ROWS, ROWS, grouped(ROWS, 3, seen(2, 4, 5, empty=3), "scale, mask"), *ALL)
SINK = "sink_attention"
CALL = "sinks, scale, mask"
add(SINK, SINK, grouped(SINK, 3, seen(2, 4, 5), CALL, with_sinks, True), *ALL)
add(
    SINK,
    "sink_attention_of_a_query_that_sees_nothing_is_zero",
    grouped(SINK, 2, seen(2, 4, 5, empty=0), CALL, with_sinks, True),
)

test_value = cases.test()
