"""Ops of `std` as functions of `jax.nn`: the same mathematics, rounded otherwise."""

from collections.abc import Mapping, Sequence
from typing import cast

from linnet.backends.jax._ops import exactly
from linnet.core import Op
from linnet.outline import Body, Expr

_OF_ONE: Mapping[str, str] = {
    "std.nn.activations::gelu": "jax.nn.gelu({})",
    "std.nn.activations::gelu_exact": "jax.nn.gelu({}, approximate=False)",
    "std.nn.activations::relu": "jax.nn.relu({})",
    "std.nn.activations::sigmoid": "jax.nn.sigmoid({})",
    "std.nn.activations::silu": "jax.nn.silu({})",
    "std.nn.activations::softplus": "jax.nn.softplus({})",
    "std.nn.softmax::softmax": "jax.nn.softmax({})",
    "std.nn.softmax::log_softmax": "jax.nn.log_softmax({})",
}


def kernel(op: Op, operands: Sequence[Expr], body: Body) -> Expr | None:
    """The function for a call that was kept, or None where there is none."""
    form = _OF_ONE.get(str(op.attributes["callee"]))
    names = cast("tuple[str, ...]", op.attributes["names"])
    if form is None or len(op.results) != 1 or names != ("x",):
        return None
    # `std` computes narrow floats in f32 and rounds once; `jax.nn` would round every step.
    if op.results[0].type.dtype not in ("f32", "f64"):
        return None
    x = exactly(operands[0], op.operands[0].type)
    return Expr(form.format(x.text), op.results[0].type.shape, cost=2)
