"""Kept calls of `std` as ONNX's own operators, which compute the same with other rounding.

Each function takes the graph, the `scope` op and its operands by name, and gives the result, or
None where the operator does not fit: then the body is written.
"""

from collections.abc import Callable, Mapping

from linnet.backends.onnx._dtypes import carrier
from linnet.backends.onnx._elementwise import apply
from linnet.backends.onnx._graph import Graph, Ref
from linnet.core import Op

Kept = Callable[[Graph, Op, Mapping[str, Ref]], Ref | None]


def _epsilon(given: Mapping[str, Ref]) -> float | None:
    literal = given["eps"].literal
    return None if literal is None else float(literal)


def _layer_norm(graph: Graph, op: Op, given: Mapping[str, Ref]) -> Ref | None:
    epsilon = _epsilon(given)
    if epsilon is None:
        return None
    x = given["x"]
    held = carrier("LayerNormalization", x.dtype, graph.kernels)
    inputs = [graph.cast(given[name], held) for name in ("x", "weight", "bias") if name in given]
    made = graph.node("LayerNormalization", inputs, held, x.shape, axis=-1, epsilon=epsilon)
    return graph.cast(made, x.dtype)


def _rms_norm(graph: Graph, op: Op, given: Mapping[str, Ref]) -> Ref | None:
    epsilon = _epsilon(given)
    if epsilon is None or graph.opset < 23:
        return None
    x = given["x"]
    held = carrier("RMSNormalization", x.dtype, graph.kernels)
    inputs = [graph.cast(given[name], held) for name in ("x", "weight")]
    made = graph.node("RMSNormalization", inputs, held, x.shape, axis=-1, epsilon=epsilon)
    return graph.cast(made, x.dtype)


def _gelu(approximate: str) -> Kept:
    def emit(graph: Graph, op: Op, given: Mapping[str, Ref]) -> Ref | None:
        x = given["x"]
        if graph.opset < 20 or x.dtype == "f64":
            return None
        return graph.carried("Gelu", [x], x.dtype, x.shape, approximate=approximate)

    return emit


def _sigmoid(graph: Graph, op: Op, given: Mapping[str, Ref]) -> Ref | None:
    x = given["x"]
    return graph.carried("Sigmoid", [x], x.dtype, x.shape)


def _silu(graph: Graph, op: Op, given: Mapping[str, Ref]) -> Ref | None:
    x = given["x"]
    wide = graph.cast(x, carrier("Sigmoid", x.dtype, graph.kernels))
    gate = graph.node("Sigmoid", [wide], wide.dtype, wide.shape)
    return graph.cast(apply(graph, "Mul", [wide, gate]), x.dtype)


def _softmax(graph: Graph, op: Op, given: Mapping[str, Ref]) -> Ref | None:
    x = given["x"]
    return graph.carried("Softmax", [x], x.dtype, x.shape, axis=-1)


KEPT: Mapping[str, Kept] = {
    "std.nn.norm::layer_norm": _layer_norm,
    "std.nn.norm::rms_norm": _rms_norm,
    "std.nn.activations::gelu": _gelu("tanh"),
    "std.nn.activations::gelu_erf": _gelu("none"),
    "std.nn.activations::sigmoid": _sigmoid,
    "std.nn.activations::silu": _silu,
    "std.nn.softmax::softmax": _softmax,
}
