"""Ops that move or combine elements. Each function takes the graph, the CORE op and its operands,
and gives the result; what it needs whole it makes whole.
"""

from collections.abc import Sequence
from typing import cast

from linnet.backends.onnx._contract import contract, product
from linnet.backends.onnx._dtypes import carrier, is_float, is_unsigned
from linnet.backends.onnx._elementwise import Emit, apply, selected
from linnet.backends.onnx._graph import Graph, Ref, subgraph
from linnet.backends.onnx._lookup import take, update_slice
from linnet.core import Op, TensorType
from linnet.errors import InternalError
from linnet.signature import Shape, Size, names_of


def ints(op: Op, name: str) -> tuple[int, ...]:
    """Return an attribute that is a list of numbers."""
    return cast("tuple[int, ...]", op.attributes[name])


def whole(graph: Graph, op: Op, operands: Sequence[Ref]) -> list[Ref]:
    """Return the operands in the shapes of their types."""
    return [graph.full(ref, value.type) for ref, value in zip(operands, op.operands, strict=True)]


def _constant(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    literal = cast("bool | int | float", op.attributes["literal"])
    return graph.literal(literal, op.results[0].type.dtype)


def _dim_constant(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    size = str(op.attributes["value"])
    number: Size = size if names_of(size) else int(size)
    return graph.cast(graph.size_scalar(number), op.results[0].type.dtype)


def _iota(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    type_ = op.results[0].type
    axis = cast(int, op.attributes["axis"])
    line = graph.positions(type_.shape[axis], type_.dtype)
    return _along(graph, line, axis, len(type_.shape))


def _along(graph: Graph, line: Ref, axis: int, rank: int) -> Ref:
    """Lay a line along an axis, with axes of 1 behind it; those before are left out."""
    shape: Shape = (line.shape[0], *[1] * (rank - 1 - axis))
    return _unsqueezed(graph, line, list(range(1, rank - axis)), shape)


def _unsqueezed(graph: Graph, value: Ref, axes: Sequence[int], shape: Shape) -> Ref:
    if not axes:
        return value
    return graph.node("Unsqueeze", [value, graph.integers(axes)], value.dtype, shape)


def _splat(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return operands[0]


def _broadcast(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """Put axes of 1 where the result has new ones: what uses it broadcasts."""
    value, axes = operands[0], ints(op, "axes")
    if value.shape == ():
        return value
    rank = len(op.results[0].type.shape)
    if len(value.shape) < len(axes):
        value = graph.reshape(value, (*[1] * (len(axes) - len(value.shape)), *value.shape))
    order = sorted(range(len(axes)), key=lambda axis: axes[axis])
    value = graph.transpose(value, order)
    there = [axes[axis] for axis in order]
    # Axes of 1 in front are as good as none.
    new = [axis for axis in range(there[0], rank) if axis not in there] if there else []
    shape: Shape = tuple(
        value.shape[there.index(axis)] if axis in there else 1 for axis in range(there[0], rank)
    )
    return _unsqueezed(graph, value, [axis - there[0] for axis in new], shape)


def _reshape(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    if operands[0].literal is not None:
        return operands[0]
    (value,) = whole(graph, op, operands)
    return graph.reshape(value, op.results[0].type.shape)


def _transpose(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    if operands[0].literal is not None:
        return operands[0]
    (value,) = whole(graph, op, operands)
    return graph.transpose(value, ints(op, "perm"))


def _slice(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    if operands[0].literal is not None:
        return operands[0]
    (value,) = whole(graph, op, operands)
    result = op.results[0].type
    starts = cast("tuple[Size, ...]", op.attributes["starts"])
    steps = ints(op, "steps")
    cut = [
        axis
        for axis, (size, had) in enumerate(zip(result.shape, value.shape, strict=True))
        if (starts[axis], steps[axis]) != (0, 1) or size != had
    ]
    if not cut:
        return value
    if 0 in result.shape:
        return graph.zeros(result.dtype, result.shape)
    first: Shape = tuple(starts[axis] for axis in cut)
    ends: Shape = tuple(
        _end(starts[axis], result.shape[axis], steps[axis], value.shape[axis]) for axis in cut
    )
    parts = [graph.sizes(first), graph.sizes(ends), graph.integers(cut)]
    if any(steps[axis] != 1 for axis in cut):
        parts.append(graph.integers([steps[axis] for axis in cut]))
    return graph.node("Slice", [value, *parts], value.dtype, result.shape)


def _end(start: Size, size: Size, step: int, axis: Size) -> Size:
    """Return one past the last element."""
    if isinstance(start, int) and isinstance(size, int):
        return start + (size - 1) * step + 1
    if step == 1 and start == 0:
        return size
    if step == 1:
        return f"({start}) + ({size})"
    # An empty part ends where it starts.
    return f"({start}) + max(({size}) * {step} - {step - 1}, 0)"


def _concat(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    axis = cast(int, op.attributes["axis"])
    parts = [part for part in whole(graph, op, operands) if part.shape[axis] != 0]
    result = op.results[0].type
    if not parts:
        return graph.zeros(result.dtype, result.shape)
    if len(parts) == 1:
        return parts[0]
    return graph.node("Concat", parts, result.dtype, result.shape, axis=axis)


_REDUCTIONS = {"sum": "ReduceSum", "prod": "ReduceProd", "max": "ReduceMax", "min": "ReduceMin"}


def _reduce(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    (value,) = whole(graph, op, operands)
    kind, axes = cast(str, op.attributes["kind"]), ints(op, "axes")
    result = op.results[0].type
    if not axes:
        return value
    if any(value.shape[axis] == 0 for axis in axes):
        return graph.literal(_nothing(kind, result.dtype), result.dtype)
    if kind in ("any", "all"):
        counted = graph.cast(value, "i32")
        name = "ReduceMax" if kind == "any" else "ReduceMin"
        return graph.cast(_reduced(graph, name, counted, axes, result.shape), "bool")
    name = _REDUCTIONS[kind]
    if kind in ("max", "min"):
        return _extreme(graph, name, value, axes, result)
    if is_float(result.dtype):
        return _carried(graph, name, value, axes, result.shape)
    # ONNX Runtime's kernels sum and multiply integers as f64 and then cut off, where ours wrap.
    if kind == "sum":
        return _whole_sum(graph, value, axes, result.shape)
    return _whole_product(graph, value, axes, result.shape)


def _whole_sum(graph: Graph, value: Ref, axes: Sequence[int], shape: Shape) -> Ref:
    """Sum integers of 64 bits as two halves, whose sums are exact in f64 up to 2^21 elements."""
    if value.dtype not in ("i64", "u64"):
        wide = graph.cast(value, "i64")
        return graph.cast(_reduced(graph, "ReduceSum", wide, axes, shape), value.dtype)
    half = graph.literal(1 << 32, "i64")
    wide = graph.cast(value, "i64")
    low = graph.cast(graph.cast(wide, "u32"), "i64")
    high = apply(graph, "Div", [apply(graph, "Sub", [wide, low]), half])
    lows, highs = (_reduced(graph, "ReduceSum", each, axes, shape) for each in (low, high))
    return graph.cast(apply(graph, "Add", [apply(graph, "Mul", [highs, half]), lows]), value.dtype)


def _whole_product(graph: Graph, value: Ref, axes: Sequence[int], shape: Shape) -> Ref:
    """Multiply integers one after the other, in a loop along the axes, which are merged."""
    kept = [axis for axis in range(len(value.shape)) if axis not in axes]
    count = product([value.shape[axis] for axis in axes])
    turned = graph.transpose(graph.cast(value, "i64"), [*axes, *kept])
    rows = graph.reshape(turned, (count, *shape))
    first = graph.full(graph.literal(1, "i64"), TensorType("i64", shape))
    with graph.inner() as nodes:
        at = Ref(graph.reserve("pass"), "i64", ())
        again = Ref(graph.reserve("again"), "bool", ())
        so_far = Ref(graph.reserve("product"), "i64", shape)
        row = graph.node("Gather", [rows, at], "i64", shape, axis=0)
        following = graph.node("Mul", [so_far, row], "i64", shape)
        on = graph.node("Identity", [again], "bool", ())
    body = subgraph("product", nodes, [at, again, so_far], [on, following])
    times = graph.size_scalar(count)
    made = graph.nodes_of("Loop", [times, None, first], [("i64", shape)], body=body)[0]
    return graph.cast(made, value.dtype)


def _nothing(kind: str, dtype: str) -> bool | int | float:
    """What a reduction over nothing gives [IDX-10]."""
    match kind:
        case "sum" | "any":
            return False if dtype == "bool" else 0
        case "prod" | "all":
            return True if dtype == "bool" else 1
        case "max" if is_float(dtype):
            return float("-inf")
        case "min" if is_float(dtype):
            return float("inf")
        case "max":
            return 0 if is_unsigned(dtype) else -(1 << (int(dtype[1:]) - 1))
        case "min":
            return (1 << (int(dtype[1:]) - (not is_unsigned(dtype)))) - 1
        case _:
            raise InternalError(f"no reduction: {kind}")


def _reduced(graph: Graph, name: str, value: Ref, axes: Sequence[int], shape: Shape) -> Ref:
    return graph.node(name, [value, graph.integers(axes)], value.dtype, shape, keepdims=0)


def _carried(graph: Graph, name: str, value: Ref, axes: Sequence[int], shape: Shape) -> Ref:
    wide = graph.cast(value, carrier(name, value.dtype, graph.kernels))
    return graph.cast(_reduced(graph, name, wide, axes, shape), value.dtype)


def _extreme(graph: Graph, name: str, value: Ref, axes: Sequence[int], type_: TensorType) -> Ref:
    """ONNX Runtime's kernels miss a NaN that does not come first, and have no `u64`."""
    shape, dtype = type_.shape, type_.dtype
    if dtype == "u64":
        # With the highest bit flipped, the order of the bits as signed numbers is theirs.
        bit = graph.literal(1 << 63, "u64")
        turned = graph.cast(apply(graph, "BitwiseXor", [value, bit]), "i64")
        found = graph.cast(_reduced(graph, name, turned, axes, shape), "u64")
        return apply(graph, "BitwiseXor", [found, bit])
    found = _carried(graph, name, value, axes, shape)
    if not is_float(dtype):
        return found
    missing = graph.cast(graph.node("IsNaN", [value], "bool", value.shape), "f32")
    any_ = _reduced(graph, "ReduceMax", missing, axes, shape)
    is_missing = graph.cast(any_, "bool")
    return selected(graph, is_missing, graph.literal(float("nan"), dtype), found)


def _take(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return take(graph, op, whole(graph, op, operands))


def _update_slice(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return update_slice(graph, op, whole(graph, op, operands))


def _contract(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    return contract(graph, op, whole(graph, op, operands))


STRUCTURED: dict[str, Emit] = {
    "constant": _constant,
    "dim_constant": _dim_constant,
    "iota": _iota,
    "splat": _splat,
    "broadcast": _broadcast,
    "reshape": _reshape,
    "transpose": _transpose,
    "slice": _slice,
    "concat": _concat,
    "take": _take,
    "update_slice": _update_slice,
    "contract": _contract,
    "reduce": _reduce,
}
