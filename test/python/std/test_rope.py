"""std.nn.rope against its formula."""

import numpy as np


def rotate_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def tables(precision, *shape):
    angles = np.random.default_rng(5).uniform(0, 6, shape)
    return np.cos(angles).astype(precision.dtype), np.sin(angles).astype(precision.dtype)


def test_rotate_half_is_exact(evaluate, precision) -> None:
    t = precision.name
    text = f"""use std.nn.rope::{{rotate_half}}

entry run(x: Tensor[2, 3, 6; {t}]) -> Tensor[2, 3, 6; {t}] {{
    return rotate_half(x)
}}
"""
    x = precision.random(2, 3, 6)
    np.testing.assert_array_equal(evaluate(text, {"x": x}), rotate_half(x))


def test_rope_uses_a_table_row_per_position(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.rope::{{rope}}

entry run(
    x: Tensor[2, 3, 4, 6; {t}], c: Tensor[4, 6; {t}], s: Tensor[4, 6; {t}],
) -> Tensor[2, 3, 4, 6; {t}] {{
    return rope(x, c, s)
}}
"""
    x, (c, s) = precision.random(2, 3, 4, 6), tables(precision, 4, 6)
    expected = exact(x) * exact(c) + rotate_half(exact(x)) * exact(s)
    precision.check(evaluate(text, {"x": x, "c": c, "s": s}), expected, roundings=3)


def test_rope_rows_uses_rows_of_each_batch_entry(evaluate, precision, exact) -> None:
    t = precision.name
    text = f"""use std.nn.rope::{{rope_rows}}

entry run(
    x: Tensor[2, 3, 4, 6; {t}], c: Tensor[2, 4, 6; {t}], s: Tensor[2, 4, 6; {t}],
) -> Tensor[2, 3, 4, 6; {t}] {{
    return rope_rows(x, cos_rows = c, sin_rows = s)
}}
"""
    x, (c, s) = precision.random(2, 3, 4, 6), tables(precision, 2, 4, 6)
    expected = exact(x) * exact(c)[:, None] + rotate_half(exact(x)) * exact(s)[:, None]
    precision.check(evaluate(text, {"x": x, "c": c, "s": s}), expected, roundings=3)
