"""Finds the attentions of `std.nn.attention` and gives them to the kernel.

What is looked for is the op's body as it arrives: scores by a `dot_general` over batch row and
head, a constant scale, a mask that sets -1e30, softmax, and the product with the values; the same
with several query heads for each key head. Any order of axes will do, as long as the elements of a
row are adjacent: the rest become strides. The kernel reads no keys that are masked for all queries
it works on, which for a cache are those behind the current position.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.backends.iree._cache import Write, write_of
from linnet.backends.iree._kernels import Call, Kernels, Size
from linnet.backends.iree._match import (
    Value,
    broadcast_of,
    column_of,
    dots_within,
    element_of,
    erase_unused,
    is_number,
    maker,
    number_of,
    only_user,
    reduces_last,
    same,
    shape_of,
    size,
    type_of,
)

_MASKED = -1e30
_HAS_MASK = 1
_MAX_D = 256  # LINNET_ATTENTION_MAX_D
_LONG = 24  # Ops between the two products.
_STORED = ("f32", "bf16", "f16")


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of D adjacent elements, for each batch row, head and position.

    `heads` are one axis, or two adjacent ones that count together.
    """

    value: Value
    batch: int
    heads: tuple[int, ...]
    position: int

    def extent(self, axis: int, operand: int) -> Size:
        return size([shape_of(self.value)[axis]], operand, axis)

    def head_count(self, operand: int) -> Size:
        first, last = self.heads[0], self.heads[-1]
        return size(shape_of(self.value)[first : last + 1], operand, first)

    def strides(self, operand: int) -> list[Size]:
        shape = shape_of(self.value)
        axes = (self.batch, self.heads[-1], self.position)
        return [size(shape[axis + 1 :], operand, axis + 1) for axis in axes]


@dataclass(frozen=True, slots=True)
class _Attention:
    q: _Rows
    k: _Rows
    v: _Rows
    scale: float
    scores: Value
    # The mask and the axes of [batch, head, query, key] along which it lies.
    mask: tuple[Value, list[int]] | None


def call_attention(function: ir.Operation, kernels: Kernels) -> None:
    """Replace the attentions in a function's body, in place; its context must be current."""
    for op in dots_within(function):
        whole = _ungrouped(op) or op
        if (found := _find(whole)) is not None:
            if whole != op:
                (apart,) = (use.owner.operation for use in op.results[0].uses)
                apart.results[0].replace_all_uses_with(whole.results[0])
            _replace(whole, found, kernels)
    erase_unused(function)


def _find(mix: ir.Operation) -> _Attention | None:
    """Return the parts of the attention of which an op is the last product."""
    weights = _before_reshape(mix.operands[0], type_of(mix.operands[0]).rank == 5)
    seen = None if weights is None else _before_softmax(weights)
    if seen is None:
        return None
    scaled, mask = seen, None
    choice = maker(seen, "select")
    if choice is not None:
        allowed, scaled, other = choice.operands
        if not is_number(other, _MASKED) or (mask := _mask(allowed, shape_of(seen))) is None:
            return None
    product = _before_reshape(scaled, type_of(mix.operands[0]).rank == 5)
    times = None if product is None else maker(product, "multiply")
    scale = None if times is None else number_of(times.operands[1])
    scores = None if times is None else _scores(times.operands[0])
    if scores is None or scale is None:
        return None
    q, k, v = _queries(scores), _keys(scores), _values(mix)
    if q is None or k is None or v is None:
        return None
    f32 = {element_of(q.value), element_of(scores.results[0]), element_of(mix.results[0])}
    stored = {element_of(k.value), element_of(v.value)}
    width = {shape_of(each.value)[-1] for each in (q, k, v)}
    if f32 != {"f32"} or len(stored) > 1 or not stored <= set(_STORED):
        return None
    if len(width) > 1 or not 1 <= width.pop() <= _MAX_D:
        return None
    return _Attention(q, k, v, scale, scores.results[0], mask)


def _scores(value: Value) -> ir.Operation | None:
    """Return the product that a value is, or is the reshape of."""
    product = maker(value, "dot_general")
    apart = None if product is not None else _reshape_of(value)
    merged = None if apart is None else maker(apart.operands[0], "dot_general")
    return product if merged is None else _ungrouped(merged)


def _reshape_of(value: Value) -> ir.Operation | None:
    return maker(value, "reshape") or maker(value, "dynamic_reshape")


def _ungrouped(product: ir.Operation) -> ir.Operation | None:
    """Return a product over batch row and head, made beside one over both as one axis.

    With open sizes products come with one batch axis, between reshapes. Nothing uses what is made
    here, and it goes with all that is unused where no attention is found.
    """
    numbers, (result,) = _numbers(product), product.results
    apart = only_user(result)
    sides = [_reshape_of(operand) for operand in product.operands]
    lists = (numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions)
    if apart is None or apart.name not in ("stablehlo.reshape", "stablehlo.dynamic_reshape"):
        return None
    batching = (numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions)
    if any(list(each) != [0] for each in batching):
        return None
    if sides[0] is None or sides[1] is None or any(len(list(each)) != 1 for each in lists):
        return None
    pairs = [
        (sides[0].operands[0], product.operands[0]),
        (sides[1].operands[0], product.operands[1]),
    ]
    leading = shape_of(apart.results[0])[:2]
    for four, three in [*pairs, (apart.results[0], result)]:
        wide, narrow = shape_of(four), shape_of(three)
        # With an open batch the types leave it open which axes were merged.
        if len(wide) != 4 or wide[:2] != leading or -1 in leading:
            return None
        if narrow != [leading[0] * leading[1], *wide[2:]]:
            return None
    left, right = ([axis + 1 for axis in each] for each in lists)
    dims = stablehlo.DotDimensionNumbers.get([0, 1], [0, 1], left, right)
    with ir.InsertionPoint(apart):
        return ir.Operation.create(
            product.name,
            results=[apart.results[0].type],
            operands=[four for four, _ in pairs],
            attributes={"dot_dimension_numbers": dims},
        )


def _before_reshape(value: Value, grouped: bool) -> Value | None:
    """Return the value itself, or for grouped heads what it is a reshape of."""
    if not grouped:
        return value
    op = maker(value, "reshape")
    return None if op is None else op.operands[0]


def _before_softmax(value: Value) -> Value | None:
    """Return the s of `exp(s - max s) / sum exp(s - max s)` over the last axis."""
    quotient = maker(value, "divide")
    raised = None if quotient is None else maker(quotient.operands[0], "exponential")
    total = None if quotient is None else column_of(quotient.operands[1])
    difference = None if raised is None else maker(raised.operands[0], "subtract")
    if quotient is None or total is None or difference is None:
        return None
    s, peaks = difference.operands
    peak = column_of(peaks)
    if peak is None or not same(reduces_last(peak, "maximum", float("-inf")), s):
        return None
    return s if same(reduces_last(total, "add", 0.0), quotient.operands[0]) else None


def _mask(allowed: Value, shape: Sequence[int]) -> tuple[Value, list[int]] | None:
    """Return the mask of [batch, head, query, key] that `allowed` repeats, and its axes."""
    found = broadcast_of(allowed)
    if found is None or len(shape) != 4:
        return None
    mask, axes = found
    given = shape_of(mask)
    whole = all(extent == shape[axis] for extent, axis in zip(given, axes, strict=True))
    return (mask, axes) if whole and axes[-1:] == [3] and 1 not in axes else None


def _numbers(op: ir.Operation) -> stablehlo.DotDimensionNumbers:
    return stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])


def _lying(value: Value) -> Value:
    """Return the value as it lies in memory, which may be narrower than f32."""
    cast = maker(value, "convert")
    if cast is not None and element_of(cast.operands[0]) in _STORED:
        return cast.operands[0]
    return value


def _queries(scores: ir.Operation) -> _Rows | None:
    numbers, value = _numbers(scores), scores.operands[0]
    rank = type_of(value).rank
    batching = list(numbers.lhs_batching_dimensions)
    if rank not in (4, 5) or list(numbers.lhs_contracting_dimensions) != [rank - 1]:
        return None
    if len(batching) != 2:
        return None
    free = [axis for axis in range(rank - 1) if axis not in batching]
    if rank == 4:
        return _Rows(value, batching[0], (batching[1],), free[0])
    if free[0] != batching[1] + 1 or -1 in (shape_of(value)[batching[1]], shape_of(value)[free[0]]):
        return None
    return _Rows(value, batching[0], (batching[1], free[0]), free[1])


def _keys(scores: ir.Operation) -> _Rows | None:
    numbers = _numbers(scores)
    batching = list(numbers.rhs_batching_dimensions)
    value = _lying(scores.operands[1])
    if type_of(value).rank != 4 or list(numbers.rhs_contracting_dimensions) != [3]:
        return None
    if len(batching) != 2:
        return None
    (free,) = (axis for axis in range(3) if axis not in batching)
    return _Rows(value, batching[0], (batching[1],), free)


def _values(mix: ir.Operation) -> _Rows | None:
    numbers = _numbers(mix)
    weights, value = mix.operands[0], _lying(mix.operands[1])
    rank = type_of(weights).rank
    batching = list(numbers.rhs_batching_dimensions)
    contracting = list(numbers.rhs_contracting_dimensions)
    if list(numbers.lhs_batching_dimensions) != [0, 1] or type_of(value).rank != 4:
        return None
    if list(numbers.lhs_contracting_dimensions) != [rank - 1] or len(contracting) != 1:
        return None
    if 3 in (*batching, *contracting):
        return None
    return _Rows(value, batching[0], (batching[1],), contracting[0])


def _swapped(value: Value) -> Value | None:
    """Return the value with heads and positions exchanged, if it is used so only."""
    user = only_user(value)
    if user is None or user.name != "stablehlo.transpose":
        return None
    order = list(ir.DenseI64ArrayAttr(user.attributes["permutation"]))
    return user.results[0] if order == [0, 2, 1, 3] else None


def _times(first: Size, second: Size) -> Size:
    return Size(first.factor * second.factor, first.dims + second.dims)


def _replace(mix: ir.Operation, found: _Attention, kernels: Kernels) -> None:
    q, k, v = found.q, found.k, found.v
    result = mix.results[0]
    batch, heads = q.extent(q.batch, 0), q.head_count(0)
    queries, d = q.extent(q.position, 0), Size(shape_of(q.value)[-1])
    row = len(shape_of(result)) - 2
    y_strides = [_times(_times(heads, queries), d), _times(queries, d), d]
    if (swapped := _swapped(result)) is not None:
        result, row = swapped, 1
        y_strides = [_times(_times(heads, queries), d), d, _times(heads, d)]
    operands = [q.value, k.value, v.value]
    writes = _step_writes(found, mix)
    if writes is not None:
        operands[1:] = [writes[0].cache, writes[1].cache]
    mask_b = mask_q = Size(0)
    if found.mask is not None:
        mask, axes = found.mask
        shape = shape_of(mask)
        with ir.InsertionPoint(mix):
            i8 = ir.IntegerType.get_signless(8)
            bytes_ = ir.RankedTensorType.get(type_of(mask).shape, i8)
            operands.append(stablehlo.convert(bytes_, mask))
        strides = {axis: size(shape[at + 1 :], 3, at + 1) for at, axis in enumerate(axes)}
        mask_b, mask_q = strides.get(0, Size(0)), strides.get(2, Size(0))
    passed = [0, 1, 2, 3 if found.mask is not None else 0]
    if writes is not None:
        passed += range(len(operands), len(operands) + 3)
        operands += [writes[0].rows, writes[1].rows, writes[0].at]
    (scale,) = struct.unpack("<I", struct.pack("<f", found.scale))
    call = Call(
        f"{'attention' if writes is None else 'step'}_{element_of(k.value)}",
        tuple(str(each.type) for each in operands),
        str(result.type),
        tuple(passed),
        (
            batch,
            heads,
            k.head_count(1),
            queries,
            k.extent(k.position, 1),
            d,
            Size(0 if found.mask is None else _HAS_MASK),
            Size(scale),
            *q.strides(0),
            *k.strides(1),
            *v.strides(2),
            *y_strides,
            mask_b,
            mask_q,
        ),
        _result_dims(shape_of(result), row, batch, heads, queries),
        () if writes is None else (1, 2),
    )
    replaced = [result] if writes is None else [result, k.value, v.value]
    # Where all operands are there, and nothing uses the result or the written caches before.
    with ir.InsertionPoint(mix):
        made = ir.Operation.create(
            "func.call",
            results=[value.type for value in replaced],
            operands=operands,
            attributes={"callee": ir.FlatSymbolRefAttr.get(kernels.name(call))},
        )
    for old, new in zip(replaced, made.results, strict=True):
        old.replace_all_uses_with(new)


def _step_writes(found: _Attention, mix: ir.Operation) -> tuple[Write, Write] | None:
    """Return how the new row enters both caches, where the attention is the first to read them."""
    q, k, v = found.q, found.k, found.v
    if shape_of(q.value)[q.position] != 1 or (k.batch, k.heads, k.position) != (0, (1,), 2):
        return None
    if (v.batch, v.heads, v.position) != (0, (1,), 2):
        return None
    first, second = write_of(k.value), write_of(v.value)
    if first is None or second is None or first.at != second.at:
        return None
    alone = all(_reads_once(value) for value in (k.value, v.value))
    return (first, second) if alone and _serves_only(found.scores, mix) else None


def _serves_only(value: Value, end: ir.Operation) -> bool:
    """Whether a value is used, and what is made of it, for an op alone."""
    found, seen = [value], {end}
    while found:
        users = {use.owner.operation for each in found for use in each.uses} - seen
        seen |= users
        if len(seen) > _LONG or any(not user.results for user in users):
            return False
        found = [result for user in users for result in user.results]
    return True


def _reads_once(cache: Value) -> bool:
    """Whether one product alone reads a cache, and else it is only returned."""
    readers = [use.owner.operation.name for use in cache.uses]
    return readers.count("stablehlo.dot_general") == 1 and all(
        name in ("stablehlo.dot_general", "func.return", "stablehlo.return") for name in readers
    )


def _result_dims(
    shape: Sequence[int], row: int, batch: Size, heads: Size, queries: Size
) -> tuple[Size, ...]:
    """Return the extents of a result that are known at run time only."""
    unknown = [axis for axis, extent in enumerate(shape) if extent < 0]
    each = {0: batch, row: queries}
    return tuple(each.get(axis, heads) for axis in unknown)
