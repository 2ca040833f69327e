"""std.nn.loss and std.nn.moe against their formulas; losses are f32 for any logits."""

import numpy as np

TARGETS = np.array([0, 6, 3, 3, 1], np.int64)
WEIGHTS = np.array([1.0, 0.5, 0.0, 2.0, -1.0], np.float32)


def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def check(found, expected):
    assert np.asarray(found).dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=3e-6, atol=3e-6)


def program(name: str, t: str, more: str, call: str, result: str) -> str:
    return f"""use std.nn.loss::{{{name}}}

entry run(logits: Tensor[5, 7; {t}]{more}) -> {result} {{
    return {name}(logits{call})
}}
"""


def hidden_program(name: str, t: str, more: str, call: str, result: str) -> str:
    return f"""use std.nn.loss::{{{name}}}

entry run(
    hidden: Tensor[5, 4; {t}],
    weight: Tensor[7, 4; {t}],
    targets: Tensor[5; i64],{more}
) -> {result} {{
    return {name}(hidden, weight, targets{call})
}}
"""


def test_log_softmax(evaluate, precision, exact) -> None:
    logits = precision.random(5, 7, scale=3.0)
    text = program("log_softmax", precision.name, "", "", "Tensor[5, 7; f32]")
    check(evaluate(text, {"logits": logits}), log_softmax(exact(logits)))


def test_token_log_probs(evaluate, precision, exact) -> None:
    logits = precision.random(5, 7, scale=3.0)
    text = program(
        "token_log_probs", precision.name, ", t: Tensor[5; i64]", ", t", "Tensor[5; f32]"
    )
    expected = log_softmax(exact(logits))[np.arange(5), TARGETS]
    check(evaluate(text, {"logits": logits, "t": TARGETS}), expected)


def test_cross_entropy_is_weighted_and_not_averaged(evaluate, precision, exact) -> None:
    logits = precision.random(5, 7, scale=3.0)
    more = ", t: Tensor[5; i64], w: Tensor[5; f32]"
    text = program("cross_entropy", precision.name, more, ", t, w", "f32")
    expected = -(log_softmax(exact(logits))[np.arange(5), TARGETS] * WEIGHTS).sum()
    check(evaluate(text, {"logits": logits, "t": TARGETS, "w": WEIGHTS}), expected)


def test_entropy(evaluate, precision, exact) -> None:
    logits = precision.random(5, 7, scale=3.0)
    text = program("entropy", precision.name, "", "", "Tensor[5; f32]")
    logs = log_softmax(exact(logits))
    check(evaluate(text, {"logits": logits}), -(np.exp(logs) * logs).sum(-1))


def test_linear_forms_project_first(evaluate) -> None:
    generator = np.random.default_rng(9)
    hidden = generator.standard_normal((5, 4)).astype(np.float32)
    weight = generator.standard_normal((7, 4)).astype(np.float32)
    logs = log_softmax(hidden.astype(np.float64) @ weight.astype(np.float64).T)
    chosen = logs[np.arange(5), TARGETS]
    given = {"hidden": hidden, "weight": weight, "targets": TARGETS}
    text = hidden_program("linear_token_log_probs", "f32", "", "", "Tensor[5; f32]")
    check(evaluate(text, given), chosen)
    more = "\n    weights: Tensor[5; f32],"
    text = hidden_program("linear_cross_entropy", "f32", more, ", weights", "f32")
    check(evaluate(text, given | {"weights": WEIGHTS}), -(chosen * WEIGHTS).sum())


def test_linear_experts_accumulates_wide(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.moe::{{linear_experts}}

entry run(
    x: Tensor[3, 2, 4; {t}],
    weight: Tensor[5, 6, 4; {t}],
    experts: Tensor[3, 2; i64],
) -> Tensor[3, 2, 6; {t}] {{
    return linear_experts(x, weight, experts)
}}
"""
    x, weight = precision.random(3, 2, 4), precision.random(5, 6, 4, seed=1)
    experts = np.array([[0, 4], [2, 2], [1, 3]], np.int64)
    expected = np.einsum("rki,rkoi->rko", exact(x), exact(weight)[experts])
    found = evaluate(text, {"x": x, "weight": weight, "experts": experts})
    precision.check(found, expected)
