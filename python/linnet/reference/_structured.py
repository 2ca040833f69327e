"""Operations that move, combine or look up elements. Each takes the op, its operands and the
result's type, and gives the result."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from linnet.core import Op, TensorType
from linnet.reference._elementwise import Array, accumulator, is_float
from linnet.reference._elementwise import cast as convert
from linnet.signature import numpy_dtype

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _ints(op: Op, name: str) -> tuple[int, ...]:
    return cast(tuple[int, ...], op.attributes[name])


def _int(op: Op, name: str) -> int:
    return cast(int, op.attributes[name])


def _constant(op: Op, operands: list[Array], result: TensorType) -> Array:
    """A literal rounds or wraps to the element type [TYP-13]."""
    literal = op.attributes["literal"]
    dtype = numpy_dtype(result.dtype)
    if isinstance(literal, bool):
        value = np.asarray(literal, np.bool_)
    elif isinstance(literal, int):
        value = convert(np.asarray(literal, np.int64), dtype)
    else:
        value = convert(np.asarray(literal, np.float64), dtype)
    return np.full(result.fixed, value, dtype)


def _iota(op: Op, operands: list[Array], result: TensorType) -> Array:
    axis = _int(op, "axis")
    line = convert(np.arange(result.fixed[axis], dtype=np.int64), numpy_dtype(result.dtype))
    shape = [1] * len(result.fixed)
    shape[axis] = result.fixed[axis]
    return np.broadcast_to(line.reshape(shape), result.fixed)


def _splat(op: Op, operands: list[Array], result: TensorType) -> Array:
    return np.broadcast_to(operands[0], result.fixed)


def _broadcast(op: Op, operands: list[Array], result: TensorType) -> Array:
    shape = [1] * len(result.fixed)
    axes = _ints(op, "axes")
    for axis, size in zip(axes, operands[0].shape, strict=True):
        shape[axis] = size
    turned = operands[0].transpose(tuple(np.argsort(np.asarray(axes, np.intp), kind="stable")))
    return np.broadcast_to(turned.reshape(shape), result.fixed)


def _reshape(op: Op, operands: list[Array], result: TensorType) -> Array:
    return operands[0].reshape(result.fixed)


def _transpose(op: Op, operands: list[Array], result: TensorType) -> Array:
    return operands[0].transpose(_ints(op, "perm"))


def _slice(op: Op, operands: list[Array], result: TensorType) -> Array:
    parts = tuple(
        slice(start, start + (size - 1) * step + 1 if size else start, step)
        for start, step, size in zip(
            _ints(op, "starts"), _ints(op, "steps"), result.fixed, strict=True
        )
    )
    return operands[0][parts]


def _concat(op: Op, operands: list[Array], result: TensorType) -> Array:
    return np.concatenate(operands, axis=_int(op, "axis"))


def _take(op: Op, operands: list[Array], result: TensorType) -> Array:
    """Indices clamp to the axis [EXP-11]."""
    table, indices = operands
    axis = _int(op, "axis")
    if table.shape[axis] == 0:
        return np.zeros(result.fixed, table.dtype)
    return np.asarray(np.take(table, _clamped(indices, table.shape[axis] - 1), axis=axis))


def _clamped(indices: Array, high: int) -> Array:
    """The indices as `intp`, from 0 to `high`; an unsigned one is never taken for negative."""
    if indices.dtype == np.uint64:
        return np.minimum(indices, np.uint64(high)).astype(np.intp)
    return np.clip(indices.astype(np.int64), 0, high).astype(np.intp)


def _update_slice(op: Op, operands: list[Array], result: TensorType) -> Array:
    target, update, starts = operands[0].copy(), operands[1], operands[2:]
    parts: list[slice] = []
    for start, size, part in zip(starts, target.shape, update.shape, strict=True):
        first = int(_clamped(start, size - part))
        parts.append(slice(first, first + part))
    target[tuple(parts)] = update
    return target


def _contract(op: Op, operands: list[Array], result: TensorType) -> Array:
    """Result axes: batch, then the free axes of the left, then of the right operand."""
    left, right = operands
    dtype = numpy_dtype(result.dtype)
    wide = accumulator(dtype)
    names = iter(_LETTERS)
    left_names = [""] * left.ndim
    right_names = [""] * right.ndim
    batch = ""
    for a, b in zip(_ints(op, "lhs_batch"), _ints(op, "rhs_batch"), strict=True):
        left_names[a] = right_names[b] = name = next(names)
        batch += name
    for a, b in zip(_ints(op, "lhs_contract"), _ints(op, "rhs_contract"), strict=True):
        left_names[a] = right_names[b] = next(names)
    free = ""
    for side in (left_names, right_names):
        for axis, name in enumerate(side):
            if not name:
                side[axis] = next(names)
                free += side[axis]
    equation = f"{''.join(left_names)},{''.join(right_names)}->{batch}{free}"
    # Large integer products must not go through a float library, floats should.
    optimize = is_float(wide)
    product: Any = np.einsum(
        equation, left.astype(wide), right.astype(wide), optimize=optimize, dtype=wide
    )
    return np.asarray(product).astype(dtype)


def _extreme(dtype: np.dtype[Any], highest: bool) -> Any:
    """The highest or lowest value: infinite for floats [IDX-10]."""
    if is_float(dtype):
        return np.asarray(np.inf if highest else -np.inf, dtype)
    limits = np.iinfo(dtype)
    return limits.max if highest else limits.min


def _reduce(op: Op, operands: list[Array], result: TensorType) -> Array:
    x = operands[0]
    axes = _ints(op, "axes")
    wide = accumulator(x.dtype)
    match op.attributes["kind"]:
        case "sum":
            return np.asarray(np.sum(x.astype(wide), axis=axes, dtype=wide)).astype(x.dtype)
        case "prod":
            return np.asarray(np.prod(x.astype(wide), axis=axes, dtype=wide)).astype(x.dtype)
        case "max":
            first = _extreme(wide, highest=False)
            return np.asarray(np.max(x.astype(wide), axis=axes, initial=first)).astype(x.dtype)
        case "min":
            first = _extreme(wide, highest=True)
            return np.asarray(np.min(x.astype(wide), axis=axes, initial=first)).astype(x.dtype)
        case "any":
            return np.asarray(np.any(x, axis=axes))
        case "all":
            return np.asarray(np.all(x, axis=axes))
        case other:
            raise ValueError(f"no reduction: {other}")


STRUCTURED: dict[str, Callable[[Op, list[Array], TensorType], Array]] = {
    "constant": _constant,
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
