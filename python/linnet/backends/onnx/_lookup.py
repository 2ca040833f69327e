"""Elements at run-time positions: `take` is a `Gather`, `update_slice` a `ScatterND`.

Positions clamp to the axis [EXP-11], where ONNX counts a negative one from the end and leaves
one outside undefined. `ScatterND` writes into its operand where the caller lets both lie in one
place, as the runtime does with a state (see `_states`); nothing else of the operand moves.
"""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np

from linnet.backends.onnx._dtypes import is_unsigned
from linnet.backends.onnx._elementwise import apply
from linnet.backends.onnx._graph import Graph, Ref
from linnet.core import Op
from linnet.signature import Shape, Size

# No axis is longer.
_LARGEST = 2**31 - 1
# A grid of more numbers is computed by the model, not stored in it.
_STORED = 4096


def _less(size: Size, by: Size) -> Size:
    if isinstance(size, int) and isinstance(by, int):
        return size - by
    return f"({size}) - ({by})"


def _clamped(graph: Graph, index: Ref, last: Size) -> Ref:
    """Return positions as `i64`, from 0 to `last`; from 0 where that is less."""
    if index.dtype == "u64":
        index = apply(graph, "Min", [index, graph.literal(_LARGEST, "u64")])
    zero = graph.literal(0, "i64")
    wide = graph.cast(index, "i64")
    if last == 0:
        return graph.node("Mul", [wide, zero], "i64", wide.shape)
    top = graph.literal(last, "i64") if isinstance(last, int) else graph.size_scalar(last)
    high = graph.node("Min", [wide, top], "i64", wide.shape)
    if is_unsigned(index.dtype) and isinstance(last, int):
        return high
    return graph.node("Max", [high, zero], "i64", wide.shape)


def take(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """Build a look-up in a whole table."""
    table, index = operands
    axis = cast(int, op.attributes["axis"])
    result = op.results[0].type
    size = table.shape[axis]
    if size == 0 or 0 in result.shape:
        return graph.zeros(result.dtype, result.shape)
    places = _clamped(graph, index, _less(size, 1))
    if graph.least(size) == 0:
        # An empty axis is read at a row of zeros behind it.
        shape = (*table.shape[:axis], 1, *table.shape[axis + 1 :])
        row = graph.zeros(table.dtype, shape)
        longer = (*table.shape[:axis], f"({size}) + 1", *table.shape[axis + 1 :])
        table = graph.node("Concat", [table, row], table.dtype, longer, axis=axis)
    return graph.node("Gather", [table, places], table.dtype, result.shape, axis=axis)


def update_slice(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """Build a write of a whole value into a whole target."""
    target, value, *starts = operands
    rank = len(target.shape)
    if 0 in value.shape or 0 in target.shape:
        return target
    moved = [axis for axis in range(rank) if target.shape[axis] != value.shape[axis]]
    if not moved:
        return value
    # One index for all axes up to the last that is not written whole: what lies behind is copied
    # as it lies.
    count = moved[-1] + 1
    part: Shape = value.shape[:count]
    grid = _grid(graph, part)
    offsets: list[Ref] = []
    for axis in range(count):
        if axis in moved:
            last = _less(target.shape[axis], value.shape[axis])
            start = _clamped(graph, starts[axis], last)
            offsets.append(graph.node("Unsqueeze", [start, graph.integers([0])], "i64", (1,)))
        else:
            offsets.append(graph.integers([0]))
    offset = offsets[0]
    if count > 1:
        offset = graph.node("Concat", offsets, "i64", (count,), axis=0)
    index = graph.node("Add", [grid, offset], "i64", (*part, count))
    return graph.node("ScatterND", [target, index, value], target.dtype, target.shape)


def _grid(graph: Graph, shape: Shape) -> Ref:
    """Return the position of every element of a shape, as `i64` along a last axis."""
    numbers = [size for size in shape if isinstance(size, int)]
    if len(numbers) == len(shape) and math.prod(numbers) * len(shape) <= _STORED:
        grid = np.indices(numbers, np.int64)
        return graph.constant(np.moveaxis(grid, 0, -1), "i64")
    whole = (*shape, 1)
    columns: list[Ref] = []
    for axis, size in enumerate(shape):
        line = graph.positions(size)
        behind = len(shape) - axis
        laid = graph.node(
            "Unsqueeze",
            [line, graph.integers(range(1, behind + 1))],
            "i64",
            (size, *[1] * behind),
        )
        columns.append(graph.node("Expand", [laid, graph.sizes(whole)], "i64", whole))
    if len(columns) == 1:
        return columns[0]
    return graph.node("Concat", columns, "i64", (*shape, len(shape)), axis=len(shape))
