"""A generated program of many blocks: the checker's load test.

    python bench/many_blocks.py [BLOCKS] > many_blocks.linnet

Four kinds of block take turns, each with sizes and facts of its own, so that few claims repeat to
the letter: heads that are split and joined, a gated feed-forward part, a convolution-like window,
a mixture by index notation. A root block runs them one after the other. 500 blocks are about
10,000 lines.
"""

import sys

_ATTENTION = """\
// Heads of block {n}: {k} to a group.
block Layer{n}<H: Dim, Heads: Dim, T: Float>
where
    Heads > 0,
    H % ({k} * Heads) == 0
{{
    param norm: Tensor[H; T]
    sub qkv: Linear<H, 3 * H, T>
    sub out: Linear<H, H, T>

    pub fn forward<B: Dim, S: Dim>(x: Tensor[B, S, H; T]) -> Tensor[B, S, H; T] {{
        let fused = qkv.forward(rms_norm(x, norm))
        let query = reshape(fused[:, :, 0:H], [B, S, {k} * Heads, H / ({k} * Heads)])
        let key = reshape(fused[:, :, H:2 * H], [B, S, {k} * Heads, H / ({k} * Heads)])
        let value = reshape(fused[:, :, 2 * H:3 * H], [B, S, {k} * Heads, H / ({k} * Heads)])
        let scores[b, h, q, s] = sum[d] query[b, q, h, d] * key[b, s, h, d]
        let shares = softmax(scores)
        let mixed[b, q, h, d] = sum[s] shares[b, h, q, s] * value[b, s, h, d]
        return x + out.forward(reshape(mixed, [B, S, H]))
    }}
}}
"""

_GATED = """\
// A gated feed-forward part, {k} times as wide as its input.
block Layer{n}<H: Dim, Heads: Dim, T: Float>
where
    Heads > 0,
    H % ({k} * Heads) == 0
{{
    sub up: Linear<H, {k} * H + {k} * H, T>
    sub down: Linear<{k} * H, H, T>

    pub fn forward<B: Dim, S: Dim>(x: Tensor[B, S, H; T]) -> Tensor[B, S, H; T] {{
        let wide = up.forward(x)
        let gate = wide[:, :, 0:{k} * H]
        let value = wide[:, :, {k} * H:2 * {k} * H]
        return x + down.forward(silu(gate) * value)
    }}
}}
"""

_WINDOW = """\
// Runs of {k} places along the sequence, each replaced by what stands {k} places before it.
block Layer{n}<H: Dim, Heads: Dim, T: Float>
where
    Heads > 0,
    H % ({k} * Heads) == 0
{{
    param weight: Tensor[{k}, H / {k}; T]

    fn rows<R: Dim>(x: Tensor[R, H; T]) -> Tensor[R, {k}, H / {k}; T] {{
        return reshape(x, [R, {k}, H / {k}])
    }}

    pub fn forward<B: Dim, S: Dim>(x: Tensor[B, S, H; T]) -> Tensor[B, S, H; T] {{
        let parts = rows<B * S>(reshape(x, [B * S, H]))
        let turned = concat(parts[:, 1:{k}, :], parts[:, 0:1, :], axis = 1)
        let scaled[r, g, d] = turned[r, g, d] * weight[g, d] + parts[r, g, d]
        return reshape(scaled, [B, S, H])
    }}
}}
"""

_MIXTURE = """\
// Every position mixes with its row's mean, by {k} learned shares.
block Layer{n}<H: Dim, Heads: Dim, T: Float>
where
    Heads > 0,
    H % ({k} * Heads) == 0
{{
    param shares: Tensor[{k}, H; T]
    param bias: Tensor[H; T]? = none

    pub fn forward<B: Dim, S: Dim>(x: Tensor[B, S, H; T]) -> Tensor[B, S, H; T] {{
        let total[b, h] = sum[s] x[b, s, h]
        let mixed[b, s, h] = sum[g] (x[b, s, h] + total[b, h]) * shares[g, h]
        return match bias {{
            some(offset) => mixed + offset
            none => mixed
        }}
    }}
}}
"""

_KINDS = (_ATTENTION, _GATED, _WINDOW, _MIXTURE)

_HEAD = """\
module bench.many_blocks

use std.nn.activations::{silu}
use std.nn.linear::{Linear}
use std.nn.norm::{rms_norm}
use std.nn.softmax::{softmax}
"""


def program(blocks: int) -> str:
    """Return the program with `blocks` blocks and a root that runs them all."""
    widths = [2 + n // len(_KINDS) % 7 for n in range(blocks)]
    parts = [_HEAD]
    parts += [_KINDS[n % len(_KINDS)].format(n=n, k=k) for n, k in enumerate(widths)]
    facts = [f"    H % ({k} * Heads) == 0" for k in sorted(set(widths))]
    members = [f"    sub l{n}: Layer{n}<H, Heads, T>" for n in range(blocks)]
    steps = [f"        let y{n + 1} = l{n}.forward(y{n})" for n in range(blocks)]
    root = [
        "pub block Model<H: Dim, Heads: Dim, T: Float = f32>",
        "where",
        ",\n".join(["    Heads > 0", *facts]),
        "{",
        *members,
        "",
        "    pub entry forward<B: Dim, S: Dim>(y0: Tensor[B, S, H; T]) -> Tensor[B, S, H; T] {",
        *steps,
        f"        return y{blocks}",
        "    }",
        "}",
        "",
    ]
    return "\n".join([*parts, "\n".join(root)])


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
