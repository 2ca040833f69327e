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
