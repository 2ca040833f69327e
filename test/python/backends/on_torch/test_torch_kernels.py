"""Each op of `std` that becomes a kernel of PyTorch's, against its body."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("torch")

from ._small import Array, Small, normal

Case = tuple[str, str, str, dict[str, Any], list[Array]]


def case(name: str, text: str, kernel: str, inputs: list[Array], **generics: Any) -> Any:
    return pytest.param(text, kernel, generics, inputs, id=name)


X, W, B = normal(2, 3, 8), normal(8, seed=1), normal(8, seed=2)
IMAGE = normal(2, 4, 9, 7)
QUERY, KEY, VALUE = normal(2, 4, 5, 6), normal(2, 4, 7, 6, seed=1), normal(2, 4, 7, 6, seed=2)
# Row 2 sees nothing, so it averages all values.
MASK = np.arange(7)[None] <= np.array([0, 3, -1, 6, 2])[:, None]
ROWS = np.stack([MASK, ~MASK])

CASES = [
    case(
        "layer_norm",
        """use std.nn.norm::{layer_norm}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32], w: Tensor[8; f32], b: Tensor[8; f32])
    -> Tensor[B, 3, 8; f32] { return layer_norm(x, w, some(b), 1e-3) }""",
        "F.layer_norm(",
        [X, W, B],
    ),
    case(
        "layer_norm_without_bias",
        """use std.nn.norm::{layer_norm}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32], w: Tensor[8; f32]) -> Tensor[B, 3, 8; f32] {
    return layer_norm(x, w)
}""",
        "F.layer_norm(",
        [X, W],
    ),
    case(
        "rms_norm",
        """use std.nn.norm::{rms_norm}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32], w: Tensor[8; f32]) -> Tensor[B, 3, 8; f32] {
    return rms_norm(x, w)
}""",
        "F.rms_norm(",
        [X, W],
    ),
    case(
        "batch_norm",
        """use std.nn.norm::{batch_norm}
pub entry forward<B: Dim>(x: Tensor[B, 4, 9, 7; f32], m: Tensor[4; f32], v: Tensor[4; f32],
    w: Tensor[4; f32], b: Tensor[4; f32]) -> Tensor[B, 4, 9, 7; f32] {
    return batch_norm(x, m, v, w, b)
}""",
        "F.batch_norm(",
        [IMAGE, W[:4], np.abs(B[:4]) + 0.1, B[4:], W[4:]],
    ),
    case(
        "group_norm",
        """use std.nn.norm::{group_norm}
pub entry forward<B: Dim>(x: Tensor[B, 4, 9, 7; f32], w: Tensor[4; f32], b: Tensor[4; f32])
    -> Tensor[B, 4, 9, 7; f32] { return group_norm<B, 4, 9, 7, 2, f32>(x, w, b) }""",
        "F.group_norm(",
        [IMAGE, W[:4], B[:4]],
    ),
    *(
        case(
            name,
            f"""use std.nn.activations::{{{name}}}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32]) -> Tensor[B, 3, 8; f32] {{
    return {name}(x)
}}""",
            kernel,
            [X],
        )
        for name, kernel in (
            ("relu", "F.relu("),
            ("sigmoid", "torch.sigmoid("),
            ("silu", "F.silu("),
            ("gelu", 'approximate="tanh")'),
            ("gelu_erf", "F.gelu("),
        )
    ),
    case(
        "softmax",
        """use std.nn.softmax::{softmax}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32]) -> Tensor[B, 3, 8; f32] { return softmax(x) }""",
        "F.softmax(",
        [X],
    ),
    case(
        "linear",
        """use std.nn.linear::{linear}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32], w: Tensor[5, 8; f32], b: Tensor[5; f32])
    -> Tensor[B, 3, 5; f32] { return linear(x, w, some(b)) + linear(x, w) }""",
        "F.linear(",
        [X, normal(5, 8), B[:5]],
    ),
    case(
        "embedding",
        """use std.nn.embedding::{embedding}
pub entry forward<B: Dim>(ids: Tensor[B; i32], t: Tensor[5, 8; f32]) -> Tensor[B, 8; f32] {
    return embedding(ids, t)
}""",
        "F.embedding(",
        [np.array([4, 0, 2], np.int32), normal(5, 8)],
    ),
    case(
        "attention",
        """use std.nn.attention::{attention}
pub entry forward<B: Dim>(q: Tensor[B, 4, 5, 6; f32], k: Tensor[B, 4, 7, 6; f32],
    v: Tensor[B, 4, 7, 6; f32], m: Tensor[5, 7; bool]) -> Tensor[B, 4, 5, 6; f32] {
    return attention(q, k, v, 0.3, some(m))
}""",
        "F.scaled_dot_product_attention(",
        [QUERY, KEY, VALUE, MASK],
    ),
    case(
        "causal_attention",
        """use std.nn.attention::{attention, causal_mask}
pub entry forward<B: Dim, S: Dim>(q: Tensor[B, 4, S, 6; f32]) -> Tensor[B, 4, S, 6; f32] {
    return attention(q, q, q, 0.3, some(causal_mask<S, S>()))
}""",
        "is_causal=True",
        [QUERY],
    ),
    case(
        "attention_rows",
        """use std.nn.attention::{attention_rows}
pub entry forward<B: Dim>(q: Tensor[B, 4, 5, 6; f32], k: Tensor[B, 4, 7, 6; f32],
    v: Tensor[B, 4, 7, 6; f32], m: Tensor[B, 5, 7; bool]) -> Tensor[B, 4, 5, 6; f32] {
    return attention_rows(q, k, v, 0.3, m)
}""",
        "F.scaled_dot_product_attention(",
        [QUERY, KEY, VALUE, ROWS],
    ),
    case(
        "grouped_attention",
        """use std.nn.attention::{grouped_attention}
pub entry forward<B: Dim>(q: Tensor[B, 4, 5, 6; f32], k: Tensor[B, 2, 7, 6; f32],
    v: Tensor[B, 2, 7, 6; f32], m: Tensor[5, 7; bool]) -> Tensor[B, 4, 5, 6; f32] {
    return grouped_attention(q, k, v, 0.3, some(m))
}""",
        "enable_gqa=True",
        [QUERY, KEY[:, :2], VALUE[:, :2], MASK],
    ),
    case(
        "grouped_attention_rows",
        """use std.nn.attention::{grouped_attention_rows}
pub entry forward<B: Dim>(q: Tensor[B, 4, 5, 6; f32], k: Tensor[B, 2, 7, 6; f32],
    v: Tensor[B, 2, 7, 6; f32], m: Tensor[B, 5, 7; bool]) -> Tensor[B, 4, 5, 6; f32] {
    return grouped_attention_rows(q, k, v, 0.3, m)
}""",
        "enable_gqa=True",
        [QUERY, KEY[:, :2], VALUE[:, :2], ROWS],
    ),
    case(
        "conv2d",
        """use std.nn.conv::{conv2d}
pub entry forward<B: Dim>(x: Tensor[B, 4, 9, 7; f32], w: Tensor[5, 4, 3, 3; f32],
    b: Tensor[5; f32]) -> Tensor[B, 5, 5, 4; f32] {
    return conv2d<B, 4, 5, 9, 7, 3, 2, 1, f32>(x, w, some(b))
}""",
        "F.conv2d(",
        [IMAGE, normal(5, 4, 3, 3), B[:5]],
    ),
    case(
        "conv2d_rect",
        """use std.nn.conv::{conv2d_rect}
pub entry forward<B: Dim>(x: Tensor[B, 4, 9, 7; f32], w: Tensor[5, 4, 3, 2; f32])
    -> Tensor[B, 5, 5, 6; f32] {
    return conv2d_rect<B, 4, 5, 9, 7, 3, 2, 2, 1, 1, 0, f32>(x, w)
}""",
        "F.conv2d(",
        [IMAGE, normal(5, 4, 3, 2)],
    ),
    case(
        "conv1d",
        """use std.nn.conv::{conv1d}
pub entry forward<B: Dim>(x: Tensor[B, 3, 8; f32], w: Tensor[5, 3, 3; f32], b: Tensor[5; f32])
    -> Tensor[B, 5, 4; f32] { return conv1d<B, 3, 5, 8, 3, 2, 1, f32>(x, w, some(b)) }""",
        "F.conv1d(",
        [X, normal(5, 3, 3), B[:5]],
    ),
    case(
        "max_pool2d",
        """use std.nn.pool::{max_pool2d}
pub entry forward<B: Dim>(x: Tensor[B, 4, 9, 7; f32]) -> Tensor[B, 4, 5, 4; f32] {
    return max_pool2d<B, 4, 9, 7, 3, 2, 1, f32>(x)
}""",
        "F.max_pool2d(",
        [IMAGE],
    ),
    case(
        "global_average_pool2d",
        """use std.nn.pool::{global_average_pool2d}
pub entry forward<B: Dim>(x: Tensor[B, 4, 9, 7; f32]) -> Tensor[B, 4; f32] {
    return global_average_pool2d(x)
}""",
        ".mean((-2, -1))",
        [IMAGE],
    ),
]


@pytest.mark.parametrize(("text", "kernel", "generics", "inputs"), CASES)
def test_a_kernel_computes_what_the_body_does(
    text: str, kernel: str, generics: dict[str, Any], inputs: list[Array], tmp_path: Path
) -> None:
    exact = Small(text, tmp_path, "exact", **generics)
    assert kernel not in exact.source.text
    exact.agrees("forward", *inputs, atol=1e-5)
    kernels = Small(text, tmp_path, "equivalent", **generics)
    assert kernel in kernels.source.text
    kernels.agrees("forward", *inputs, atol=1e-5)


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_a_row_that_sees_nothing_averages_in_narrow_dtypes_too(dtype: str, tmp_path: Path) -> None:
    text = f"""use std.nn.attention::{{attention}}
pub entry forward<B: Dim>(q: Tensor[B, 4, 5, 6; {dtype}], k: Tensor[B, 4, 7, 6; {dtype}],
    v: Tensor[B, 4, 7, 6; {dtype}], m: Tensor[5, 7; bool]) -> Tensor[B, 4, 5, 6; {dtype}] {{
    return attention(q, k, v, 0.3, some(m))
}}"""
    kind = np.float16 if dtype == "f16" else ml_dtypes.bfloat16
    given = [array.astype(kind) for array in (QUERY, KEY, VALUE)]
    atol = 4e-3 if dtype == "f16" else 3e-2
    Small(text, tmp_path, "equivalent").agrees("forward", *given, MASK, atol=atol)
