"""std.nn.mlp, std.nn.moe and std.nn.decoding."""

from typing import Any

import numpy as np

from std._cases import Cases, Make, Probe, block, entry
from std._precision import (
    BF16,
    F16,
    F32,
    Array,
    Expected,
    Precision,
    exact,
    exactly,
    once,
    stepwise,
)

cases = Cases("std.nn.mlp")
experts_ = Cases("std.nn.moe")
decoding = Cases("std.nn.decoding")
ALL = (F32, BF16, F16)


def gated(
    p: Precision, x: Array, gate: Array, up: Array, down: Array, bias: Array | None = None
) -> Expected:
    """`down(silu(gate(x)) * up(x))` in T.

    The two inner projections and `silu` are off by some roundings of their terms, and the outer
    one carries that on.
    """
    a, b = exact(x) @ exact(gate).T, exact(x) @ exact(up).T
    scale_a, scale_b = abs(exact(x)) @ abs(exact(gate)).T, abs(exact(x)) @ abs(exact(up)).T
    if bias is not None:
        b, scale_b = b + exact(bias), scale_b + abs(exact(bias))
    inner = a / (1 + np.exp(-a)) * b
    # |silu'| < 1.1, and |silu(a)| <= |a|.
    scale = (abs(a) + 1.1 * scale_a) * abs(b) + abs(a) * scale_b
    value, reach = inner @ exact(down).T, scale @ abs(exact(down)).T
    return stepwise(p, value, reach, x.shape[-1] + inner.shape[-1] + 2)


def projections(p: Precision) -> dict[str, Array]:
    return {
        "x": p.random(3, 4),
        "gate": p.random(6, 4, seed=1),
        "up": p.random(6, 4, seed=2),
        "down": p.random(4, 6, seed=3),
    }


@cases.of("swiglu", *ALL)
def swiglu(p: Precision) -> Probe:
    t = p.name
    given = projections(p)
    text = entry(
        "std.nn.mlp::{swiglu}",
        "swiglu(x, gate_weight = gate, up_weight = up, down_weight = down)",
        f"Tensor[3, 4; {t}]",
        **{name: f"Tensor[{a.shape[0]}, {a.shape[1]}; {t}]" for name, a in given.items()},
    )
    return Probe(text, gated(p, **given), given)


def layer(p: Precision, biased: bool) -> Probe:
    given = projections(p)
    weights = {f"layer.{name}.weight": given[name] for name in ("gate", "up", "down")}
    bias = p.random(6, seed=4)
    if biased:
        weights["layer.up.bias"] = bias
    text = block(
        "std.nn.mlp::{SwiGlu}",
        f"SwiGlu<4, 6, {p.name}>",
        "layer.forward(x)",
        f"Tensor[3, 4; {p.name}]",
        x=f"Tensor[3, 4; {p.name}]",
    )
    expected = gated(p, **given, bias=bias if biased else None)
    return Probe(text, expected, {"x": given["x"]}, weights)


cases.add("SwiGlu", "block", lambda p: layer(p, False))
cases.add("SwiGlu", "block_with_one_bias", lambda p: layer(p, True))


def through_experts(number: int) -> Make:
    """Six slots over `number` experts, the first and the last of them among the chosen ones."""

    def make(p: Precision) -> Probe:
        t = p.name
        x, weight = p.random(3, 2, 64), p.random(number, 6, 64, seed=1)
        chosen = np.array([[0, number - 1], [2, 2], [1, 3]], np.int64)
        value = np.einsum("rki,rkoi->rko", exact(x), exact(weight)[chosen])
        scale = np.einsum("rki,rkoi->rko", abs(exact(x)), abs(exact(weight)[chosen]))
        text = entry(
            "std.nn.moe::{linear_experts}",
            "linear_experts(x, weight, experts)",
            f"Tensor[3, 2, 6; {t}]",
            x=f"Tensor[3, 2, 64; {t}]",
            weight=f"Tensor[{number}, 6, 64; {t}]",
            experts="Tensor[3, 2; i64]",
        )
        given = {"x": x, "weight": weight, "experts": chosen}
        # Accumulated in f32: as near in bf16 as one rounding, however long the sum.
        return Probe(text, once(p, value, scale, 65 if p == F32 else 8), given)

    return make


# With fewer experts than slots the body goes over the experts, else over the slots.
experts_.add("linear_experts", "fewer_experts_than_slots", through_experts(5), *ALL)
experts_.add("linear_experts", "as_many_experts_as_slots", through_experts(6))
experts_.add("linear_experts", "more_experts_than_slots", through_experts(9), *ALL)


def first(dtype: str, shape: str, x: Array, result: Any) -> Make:
    def make(p: Precision) -> Probe:
        values = p.of(x) if dtype == "float" else x
        t = p.name if dtype == "float" else dtype
        lead = shape.rpartition(", ")[0]
        text = entry(
            "std.nn.decoding::{argmax}",
            "argmax(x)",
            f"Tensor[{lead}; i32]" if lead else "i32",
            x=f"Tensor[{shape}; {t}]",
        )
        return Probe(text, exactly(np.array(result, np.int32)), {"x": values})

    return make


TIES = np.array([[[1, 3, 3, 0, 3], [5, 4, 3, 2, 1]], [[0, 0, 0, 0, 0], [-4, -3, -2, -1, -1]]])
add = decoding.add
add("argmax", "takes_the_first_maximum", first("float", "2, 2, 5", TIES, [[1, 0], [0, 3]]), *ALL)
INFINITE = np.array([[-np.inf, -np.inf], [1, np.inf]])
add("argmax", "of_infinities", first("float", "2, 2", INFINITE, [0, 1]), *ALL)
# No element equals a NaN, so no position is below the default, N.
NOT_A_NUMBER = np.array([[1, np.nan, 2], [2, 1, 0]])
add("argmax", "of_a_row_with_nan_is_past_the_end", first("float", "2, 3", NOT_A_NUMBER, [3, 0]))
add("argmax", "of_one_element", first("float", "2, 1", np.array([[3.0], [-1.0]]), [0, 0]))
add("argmax", "of_u8", first("u8", "4", np.array([3, 250, 7, 250], np.uint8), 1), F32)
add("argmax", "of_i8", first("i8", "4", np.array([-3, -128, -1, -1], np.int8), 2), F32)
LARGE = np.array([2**63, 2**63 + 1, 5], np.uint64)
add("argmax", "of_u64", first("u64", "3", LARGE, 1), F32)
SMALL = np.array([-(2**63), -(2**63) + 1, -(2**63)], np.int64)
add("argmax", "of_i64", first("i64", "3", SMALL, 1), F32)

test_mlp = cases.test()
test_moe = experts_.test()
test_decoding = decoding.test()
