"""std.nn.attention against its formulas."""

import numpy as np
import pytest

SCALE = np.float32(0.35)


def attention(query, key, value, mask=None):
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) * np.float64(SCALE)
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("bhqk,bhkd->bhqd", raised / raised.sum(-1, keepdims=True), value)


def inputs_of(precision):
    return {
        "query": precision.random(2, 3, 4, 8),
        "key": precision.random(2, 3, 6, 8, seed=1),
        "value": precision.random(2, 3, 6, 8, seed=2),
        "scale": SCALE,
    }


def program(t: str, name: str, mask: str = "", argument: str = "") -> str:
    return f"""use std.nn.attention::{{{name}}}

entry run(
    query: Tensor[2, 3, 4, 8; {t}],
    key: Tensor[2, 3, 6, 8; {t}],
    value: Tensor[2, 3, 6, 8; {t}],
    scale: f32,{mask}
) -> Tensor[2, 3, 4, 8; {t}] {{
    return {name}(query, key, value, scale{argument})
}}
"""


@pytest.mark.parametrize(("q", "k"), [(4, 4), (2, 5), (5, 2), (1, 6)])
def test_causal_mask_puts_the_queries_last(evaluate, q, k) -> None:
    text = f"""use std.nn.attention::{{causal_mask}}

entry run() -> Tensor[{q}, {k}; bool] {{
    return causal_mask<{q}, {k}>()
}}
"""
    expected = np.arange(k)[None, :] <= np.arange(q)[:, None] + (k - q)
    found = evaluate(text, {})
    assert found.dtype == np.bool_
    np.testing.assert_array_equal(found, expected)


def test_attention_without_mask(evaluate, precision, exact) -> None:
    given = inputs_of(precision)
    found = evaluate(program(precision.name, "attention"), given)
    expected = attention(exact(given["query"]), exact(given["key"]), exact(given["value"]))
    precision.check(found, expected)


def test_attention_with_one_mask_for_all_rows(evaluate, precision, exact) -> None:
    given = inputs_of(precision)
    mask = np.random.default_rng(3).random((4, 6)) < 0.6
    mask[2] = False
    text = program(precision.name, "attention", "\n    mask: Tensor[4, 6; bool],", ", some(mask)")
    found = evaluate(text, given | {"mask": mask})
    query, key, value = (exact(given[name]) for name in ("query", "key", "value"))
    precision.check(found, attention(query, key, value, mask))
    np.testing.assert_allclose(
        exact(found)[:, :, 2], value.mean(2), atol=0.02, err_msg="a row that sees nothing"
    )


def test_attention_rows_has_a_mask_for_each_row(evaluate, precision, exact) -> None:
    given = inputs_of(precision)
    mask = np.random.default_rng(4).random((2, 4, 6)) < 0.6
    text = program(precision.name, "attention_rows", "\n    mask: Tensor[2, 4, 6; bool],", ", mask")
    found = evaluate(text, given | {"mask": mask})
    query, key, value = (exact(given[name]) for name in ("query", "key", "value"))
    precision.check(found, attention(query, key, value, mask[:, None]))


def grouped_inputs(precision):
    return {
        "query": precision.random(2, 6, 4, 8),
        "key": precision.random(2, 3, 5, 8, seed=1),
        "value": precision.random(2, 3, 5, 8, seed=2),
        "scale": SCALE,
    }


def grouped_program(t: str, name: str, more: str, call: str) -> str:
    return f"""use std.nn.attention::{{{name}}}

entry run(
    query: Tensor[2, 6, 4, 8; {t}],
    key: Tensor[2, 3, 5, 8; {t}],
    value: Tensor[2, 3, 5, 8; {t}],
    scale: f32,{more}
) -> Tensor[2, 6, 4, 8; {t}] {{
    return {name}(query, key, value, {call})
}}
"""


def spread(given, exact):
    """Return query, key and value with one key and value head for each query head."""
    key, value = (exact(given[name]).repeat(2, axis=1) for name in ("key", "value"))
    return exact(given["query"]), key, value


def test_grouped_attention_shares_heads_in_runs(evaluate, precision, exact) -> None:
    given = grouped_inputs(precision)
    mask = np.random.default_rng(5).random((4, 5)) < 0.6
    text = grouped_program(precision.name, "grouped_attention", "", "scale")
    precision.check(evaluate(text, given), attention(*spread(given, exact)))
    more = "\n    mask: Tensor[4, 5; bool],"
    text = grouped_program(precision.name, "grouped_attention", more, "scale, some(mask)")
    found = evaluate(text, given | {"mask": mask})
    precision.check(found, attention(*spread(given, exact), mask))


def test_grouped_attention_rows(evaluate, precision, exact) -> None:
    given = grouped_inputs(precision)
    mask = np.random.default_rng(6).random((2, 4, 5)) < 0.6
    more = "\n    mask: Tensor[2, 4, 5; bool],"
    text = grouped_program(precision.name, "grouped_attention_rows", more, "scale, mask")
    found = evaluate(text, given | {"mask": mask})
    precision.check(found, attention(*spread(given, exact), mask[:, None]))


def test_sink_attention_gives_part_of_each_row_away(evaluate, precision, exact) -> None:
    given = grouped_inputs(precision)
    mask = np.random.default_rng(7).random((2, 4, 5)) < 0.6
    sinks = precision.random(6, seed=3)
    more = f"\n    sinks: Tensor[6; {precision.name}],\n    mask: Tensor[2, 4, 5; bool],"
    text = grouped_program(precision.name, "sink_attention", more, "sinks, scale, mask")
    query, key, value = spread(given, exact)
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) * np.float64(SCALE)
    scores = np.where(mask[:, None], scores, -1e30)
    sink = np.broadcast_to(exact(sinks)[:, None, None], (*scores.shape[:3], 1))
    scores = np.concatenate([scores, sink], -1)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    shares = (raised / raised.sum(-1, keepdims=True))[..., :-1]
    found = evaluate(text, given | {"mask": mask, "sinks": sinks})
    precision.check(found, np.einsum("bhqk,bhkd->bhqd", shares, value))
