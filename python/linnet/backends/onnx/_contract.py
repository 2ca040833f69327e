"""Contractions: `Gemm` for a matrix of weights that lies transposed, else `MatMul`.

Axes of one role are merged, so that both operands are (batches of) matrices; where the operands
already lie so, no node but the product is made.
"""

from collections.abc import Sequence
from typing import cast

from linnet.backends.onnx._dtypes import carrier
from linnet.backends.onnx._graph import Graph, Ref
from linnet.core import Op
from linnet.signature import Shape, Size


def _axes(op: Op, name: str) -> tuple[int, ...]:
    return cast("tuple[int, ...]", op.attributes[name])


def _through(turned: Sequence[int], axes: Sequence[int]) -> tuple[int, ...]:
    """Return axes of a transposed value as those of what it is made of."""
    return tuple(turned[axis] for axis in axes)


def product(sizes: Sequence[Size]) -> Size:
    """Return the product of sizes as a size."""
    number, factors = 1, list[str]()
    for size in sizes:
        if isinstance(size, int):
            number *= size
        else:
            factors.append(size if size.isidentifier() else f"({size})")
    if not factors or number == 0:
        return number
    return " * ".join(factors if number == 1 else [str(number), *factors])


def contract(graph: Graph, op: Op, operands: Sequence[Ref]) -> Ref:
    """Build a contraction of whole operands."""
    result = op.results[0].type
    (left, lefts), (right, rights) = (graph.unturned(each) for each in operands)
    batch = (_through(lefts, _axes(op, "lhs_batch")), _through(rights, _axes(op, "rhs_batch")))
    summed = (
        _through(lefts, _axes(op, "lhs_contract")),
        _through(rights, _axes(op, "rhs_contract")),
    )
    if any(left.shape[axis] == 0 for axis in summed[0]):
        return graph.literal(0, result.dtype)
    if 0 in result.shape:
        return graph.zeros(result.dtype, result.shape)
    free = tuple(
        tuple(axis for axis in turn if axis not in (*batch[at], *summed[at]))
        for at, turn in enumerate((lefts, rights))
    )
    held = carrier("MatMul", result.dtype, graph.kernels)
    left, right = graph.cast(left, held), graph.cast(right, held)
    if not summed[0]:
        return graph.cast(_outer(graph, left, right, batch, free, result.shape), result.dtype)
    if len(right.shape) == 2 and not batch[1] and summed[1] == (1,) and held in ("f32", "f64"):
        made = _by_rows(graph, left, right, free[0], summed[0])
    elif batch[0]:
        a = _matrices(graph, left, batch[0], free[0], summed[0])
        b = _matrices(graph, right, batch[1], summed[1], free[1])
        made = graph.node("MatMul", [a, b], held, (*a.shape[:-1], b.shape[-1]))
    else:
        # A matrix of no batch multiplies on the right as it is, and the left keeps its axes.
        a = graph.transpose(left, [*free[0], *summed[0]])
        kept = _of(left, free[0]) or [1]
        a = graph.reshape(a, (*kept, product(_of(left, summed[0]))))
        b = _matrices(graph, right, (), summed[1], free[1])
        made = graph.node("MatMul", [a, b], held, (*a.shape[:-1], b.shape[-1]))
    return graph.cast(graph.reshape(made, result.shape), result.dtype)


def _of(value: Ref, axes: Sequence[int]) -> list[Size]:
    return [value.shape[axis] for axis in axes]


def _matrices(
    graph: Graph, value: Ref, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]
) -> Ref:
    """Lay the axes in this order, and merge rows and columns."""
    turned = graph.transpose(value, [*batch, *rows, *columns])
    shape = (*_of(value, batch), product(_of(value, rows)), product(_of(value, columns)))
    return graph.reshape(turned, shape)


def _by_rows(
    graph: Graph, left: Ref, right: Ref, free: Sequence[int], summed: Sequence[int]
) -> Ref:
    """Multiply by a matrix that lies with its summed axis last, which `Gemm` reads so."""
    a = _matrices(graph, left, (), free, summed)
    flat = (a.shape[0], right.shape[0])
    return graph.node("Gemm", [a, right], left.dtype, flat, transB=1)


def _outer(
    graph: Graph,
    left: Ref,
    right: Ref,
    batch: Sequence[Sequence[int]],
    free: Sequence[Sequence[int]],
    shape: Shape,
) -> Ref:
    """A product of each with each: nothing is summed."""
    a = graph.transpose(left, [*batch[0], *free[0]])
    b = graph.transpose(right, [*batch[1], *free[1]])
    a = graph.reshape(a, (*a.shape, *[1] * len(free[1])))
    after = len(batch[1])
    b = graph.reshape(b, (*b.shape[:after], *[1] * len(free[0]), *b.shape[after:]))
    return graph.node("Mul", [a, b], left.dtype, shape)
