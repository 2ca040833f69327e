"""Writes what IREE 3.13 does not take of dynamic StableHLO in ops of MLIR's `tensor` dialect.

`dynamic_reshape` becomes `tensor.expand_shape` or `collapse_shape` where the types tell how the
axes group, which IREE fuses, else `tensor.reshape`; `dynamic_update_slice` with a dynamic axis
becomes `tensor.insert_slice` at clamped starts.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import math
from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

_DYNAMIC = ir.ShapedType.get_dynamic_size()


def lower_dynamic(function: ir.Operation) -> None:
    """Rewrite a function in place; its context must be current and take unknown dialects."""
    for region in function.regions:
        for block in region.blocks:
            for view in list(block.operations):
                op = view.operation
                lower_dynamic(op)
                if op.name == "stablehlo.dynamic_reshape":
                    _replace(op, _reshape(op))
                elif op.name == "stablehlo.dynamic_update_slice" and _is_dynamic(op):
                    _replace(op, _insert(op))


def _replace(op: ir.Operation, value: Any) -> None:
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _is_dynamic(op: ir.Operation) -> bool:
    return any(_DYNAMIC in ir.RankedTensorType(each.type).shape for each in list(op.operands)[:2])


def _make(
    at: ir.Operation,
    name: str,
    operands: Sequence[Any],
    type_: ir.Type,
    attributes: dict[str, Any] | None = None,
) -> Any:
    made = ir.Operation.create(
        name,
        results=[type_],
        operands=list(operands),
        attributes=attributes or {},
        ip=ir.InsertionPoint(at),
    )
    return made.results[0]


def _index(at: ir.Operation, number: int) -> Any:
    type_ = ir.IndexType.get()
    value = ir.IntegerAttr.get(type_, number)
    return _make(at, "arith.constant", [], type_, {"value": value})


def _size(at: ir.Operation, tensor: Any, axis: int) -> Any:
    return _make(at, "tensor.dim", [tensor, _index(at, axis)], ir.IndexType.get())


def _reshape(op: ir.Operation) -> Any:
    source, shape = op.operands
    given, wanted = ir.RankedTensorType(source.type), ir.RankedTensorType(op.results[0].type)
    groups = _groups(given.shape, wanted.shape)
    if groups is None:
        return _make(op, "tensor.reshape", [source, shape], wanted)
    wide = wanted.rank > given.rank
    lists = [[ir.IntegerAttr.get(ir.IntegerType.get_signless(64), n) for n in g] for g in groups]
    attributes: dict[str, Any] = {
        "reassociation": ir.ArrayAttr.get([ir.ArrayAttr.get(each) for each in lists])
    }
    if not wide:
        return _make(op, "tensor.collapse_shape", [source], wanted, attributes)
    element = ir.RankedTensorType(shape.type).element_type
    sizes: list[Any] = []
    for axis, size in enumerate(wanted.shape):
        if size == _DYNAMIC:
            number = _make(op, "tensor.extract", [shape, _index(op, axis)], element)
            sizes.append(_make(op, "arith.index_cast", [number], ir.IndexType.get()))
    attributes["static_output_shape"] = ir.DenseI64ArrayAttr.get(list(wanted.shape))
    return _make(op, "tensor.expand_shape", [source, *sizes], wanted, attributes)


def _groups(given: Sequence[int], wanted: Sequence[int]) -> list[list[int]] | None:
    """Return the axes of the longer shape that make up each axis of the shorter.

    None where the types leave it open. With one dynamic axis in the shorter, and all others in
    groups of equal products, that one is the product of its group, as the products of all are
    equal.
    """
    short, long = sorted((list(given), list(wanted)), key=len)
    if not short or len(short) == len(long) or 0 in long:
        return None
    if short.count(_DYNAMIC) != 1:
        return None
    middle = short.index(_DYNAMIC)
    # The static axes before and behind the dynamic one each take what makes up their product.
    front = _taken(short[:middle], long)
    behind = _taken(short[middle + 1 :][::-1], long[::-1])
    if front is None or behind is None:
        return None
    used = sum(map(len, front)), len(long) - sum(map(len, behind))
    inner = list(range(*used))
    if not any(long[at] == _DYNAMIC for at in inner):
        return None
    last = len(long) - 1
    turned = [[last - at for at in reversed(group)] for group in reversed(behind)]
    return [*front, inner, *turned]


def _taken(sizes: Sequence[int], long: Sequence[int]) -> list[list[int]] | None:
    """Return the leading axes of `long` that make up each of these static sizes, one or more."""
    groups: list[list[int]] = []
    at = 0
    for size in sizes:
        group: list[int] = []
        while not group or math.prod(long[each] for each in group) != size:
            if at == len(long) or long[at] == _DYNAMIC:
                return None
            group.append(at)
            at += 1
        groups.append(group)
    return groups


def _insert(op: ir.Operation) -> Any:
    whole, part, *starts = op.operands
    target, source = ir.RankedTensorType(whole.type), ir.RankedTensorType(part.type)
    index = ir.IndexType.get()
    zero = _index(op, 0)
    offsets: list[Any] = []
    sizes: list[Any] = []
    for axis, start in enumerate(starts):
        element = ir.RankedTensorType(start.type).element_type
        number = _make(op, "tensor.extract", [start], element)
        at = _make(op, "arith.index_cast", [number], index)
        size, limit = source.shape[axis], target.shape[axis]
        count = _size(op, part, axis) if size == _DYNAMIC else _index(op, size)
        end = _size(op, whole, axis) if limit == _DYNAMIC else _index(op, limit)
        room = _make(op, "arith.subi", [end, count], index)
        at = _make(op, "arith.maxsi", [_make(op, "arith.minsi", [at, room], index), zero], index)
        offsets.append(at)
        if size == _DYNAMIC:
            sizes.append(count)
    attributes = {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, len(offsets), len(sizes), 0]),
        "static_offsets": ir.DenseI64ArrayAttr.get([_DYNAMIC] * len(offsets)),
        "static_sizes": ir.DenseI64ArrayAttr.get(list(source.shape)),
        "static_strides": ir.DenseI64ArrayAttr.get([1] * len(offsets)),
    }
    return _make(op, "tensor.insert_slice", [part, whole, *offsets, *sizes], target, attributes)
