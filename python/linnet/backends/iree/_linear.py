"""Finds products of rows with a weight and gives them to the kernel.

A `dot_general` without batch axes of f32 rows and a parameter of rank 2, as it is stored, or one of
half bytes in groups, becomes a call, with the layer norm before it and what follows it: a factor
for each column, a bias, the tanh form of GELU, the addition of another tensor.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.backends._group_weights import GroupWeights, group_weights
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
    other_operand,
    reduces_last,
    same,
    shape_of,
    size,
    type_of,
    vector_along_last,
    without_number,
)

# Words and bits of `kernels/linnet_kernels.h`.
_SCALE, _BIAS, _RESIDUAL, _GAIN, _SHIFT, _ZERO = (1 << bit for bit in range(8, 14))
# The place of each operand in the C function, behind x and w; y comes last.
_AT = {_SCALE: 2, _ZERO: 3, _BIAS: 4, _RESIDUAL: 5, _GAIN: 6, _SHIFT: 7}
_GELU = 1
_LAYER_NORM = 1
_STORED = ("f32", "bf16", "f16", "i8", "ui8")
# The kernel takes half bytes by words of eight.
_WORD = 8


def call_linear(function: ir.Operation, is_weight: Callable[[int], bool], kernels: Kernels) -> None:
    """Replace the products in a function's body, in place; its context must be current.

    `is_weight` says which of its arguments are.
    """
    stored = [
        argument
        for argument in function.regions[0].blocks[0].arguments
        if is_weight(argument.arg_number) and element_of(argument) in _STORED
    ]
    for op in dots_within(function):
        _replace(op, stored, kernels)
    erase_unused(function)


def _replace(op: ir.Operation, weights: Sequence[Value], kernels: Kernels) -> None:
    rows, second = op.operands
    numbers = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    rank = type_of(rows).rank
    if numbers.lhs_batching_dimensions or list(numbers.lhs_contracting_dimensions) != [rank - 1]:
        return
    if {element_of(rows), element_of(op.results[0])} != {"f32"}:
        return
    (axis,) = numbers.rhs_contracting_dimensions
    weight = _weight(second, axis, weights)
    if weight is None:
        return
    flags = norm = activation = 0
    eps = 0.0
    operands = [rows, weight.value]
    positions = [0, 1, *(0 for _ in _AT)]

    def pass_as(flag: int, value: Value) -> None:
        nonlocal flags
        flags |= flag
        positions[_AT[flag]] = len(operands)
        operands.append(value)

    if (normed := _layer_norm(rows)) is not None:
        operands[0], eps, norm = normed.x, normed.eps, _LAYER_NORM
        pass_as(_GAIN, normed.gain)
        pass_as(_SHIFT, normed.shift)
    last = op.results[0]
    if (groups := weight.groups) is not None:
        pass_as(_SCALE, groups.scale)
        pass_as(_ZERO, groups.zero)
    elif (scaled := _with_vector(last, "multiply")) is not None:
        last, scale = scaled
        pass_as(_SCALE, scale)
    if (biased := _with_vector(last, "add")) is not None:
        last, bias = biased
        pass_as(_BIAS, bias)
    if (bent := _gelu(last)) is not None:
        last, activation = bent, _GELU
    if (added := _added(last)) is not None:
        last, other = added
        pass_as(_RESIDUAL, other)
    m = size(shape_of(rows)[:-1], 0)
    (bits,) = struct.unpack("<I", struct.pack("<f", eps))
    group = 0 if groups is None else groups.group
    if groups is not None:
        operands[1] = _signless(groups.packed, last.owner)
    call = Call(
        f"linear_{weight.storage}_{'nk' if axis else 'kn'}",
        tuple(str(each.type) for each in operands),
        str(last.type),
        tuple(positions),
        (m, *map(Size, (weight.n, weight.k, flags, group, activation, norm, bits))),
        tuple(Size(1, ((0, i),)) for i, extent in enumerate(shape_of(rows)[:-1]) if extent < 0),
    )
    with ir.InsertionPoint(last.owner):
        made = ir.Operation.create(
            "func.call",
            results=[last.type],
            operands=operands,
            attributes={"callee": ir.FlatSymbolRefAttr.get(kernels.name(call))},
        )
    last.replace_all_uses_with(made.results[0])


@dataclass(frozen=True, slots=True)
class _Weight:
    """A parameter that is the weight of a product, of `k` numbers for each of `n` results."""

    value: Value
    storage: str
    k: int
    n: int
    groups: GroupWeights | None = None


def _weight(value: Value, axis: int, weights: Sequence[Value]) -> _Weight | None:
    """Return the parameter that a value is, or is the wide form of; `axis` is summed over."""
    cast = maker(value, "convert")
    lying = value if cast is None else cast.operands[0]
    if lying in weights and element_of(lying) != "ui8":
        shape = shape_of(lying)
        if len(shape) != 2 or -1 in shape:
            return None
        return _Weight(lying, element_of(lying), shape[axis], shape[1 - axis])
    groups = group_weights(value) if axis == 1 else None
    if groups is None or groups.packed not in weights or groups.group % _WORD:
        return None
    n, k = shape_of(value)
    return _Weight(groups.packed, "i4", k, n, groups)


def _signless(value: Value, before: ir.Operation) -> Value:
    """Return the bytes as IREE's own ops take them; a program's are unsigned."""
    type_ = ir.RankedTensorType.get(shape_of(value), ir.IntegerType.get_signless(8))
    with ir.InsertionPoint(before):
        return stablehlo.bitcast_convert(type_, value)


def _with_vector(value: Value, name: str) -> tuple[Value, Value] | None:
    """Return `NAME` of a value and a vector along its last axis, and the vector."""
    user = only_user(value)
    if user is None or user.name != f"stablehlo.{name}":
        return None
    vector = vector_along_last(other_operand(user, value))
    return None if vector is None else (user.results[0], vector)


def _added(value: Value) -> tuple[Value, Value] | None:
    """Return the sum of a value and another tensor, and that tensor."""
    user = only_user(value)
    if user is None or user.name != "stablehlo.add":
        return None
    other = other_operand(user, value)
    return None if broadcast_of(other) is not None else (user.results[0], other)


def _gelu(value: Value) -> Value | None:
    """Return `0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x x x)))` of a value x, if it is there.

    Every use of the value must be in it.
    """
    users = {use.owner.operation for use in value.uses}
    for half in users:
        x = without_number(half.results[0], "multiply", 0.5) if half.results else None
        end = only_user(half.results[0]) if same(x, value) else None
        if end is None or end.name != "stablehlo.multiply":
            continue
        inner = without_number(other_operand(end, half.results[0]), "add", 1.0)
        tanh = None if inner is None else maker(inner, "tanh")
        if tanh is None:
            continue
        total = without_number(tanh.operands[0], "multiply", math.sqrt(2 / math.pi))
        added = None if total is None else maker(total, "add")
        if added is None or value not in list(added.operands):
            continue
        cube = without_number(other_operand(added, value), "multiply", 0.044715)
        product = None if cube is None else maker(cube, "multiply")
        if product is None or value not in list(product.operands):
            continue
        square = maker(other_operand(product, value), "multiply")
        if square is None or list(square.operands) != [value, value]:
            continue
        if users == {half, added, product, square}:
            return end.results[0]
    return None


@dataclass(frozen=True, slots=True)
class _Norm:
    x: Value
    eps: float
    gain: Value
    shift: Value


def _layer_norm(value: Value) -> _Norm | None:
    """Return the parts of `(x - mean) * rsqrt(variance + eps) * gain + shift` over the last axis,
    where nothing else uses that value."""
    end = maker(value, "add")
    shift = None if end is None else vector_along_last(end.operands[1])
    scaled = None if end is None else maker(end.operands[0], "multiply")
    gain = None if scaled is None else vector_along_last(scaled.operands[1])
    normal = None if scaled is None else maker(scaled.operands[0], "multiply")
    if normal is None or gain is None or shift is None:
        return None
    if only_user(value) is None:
        return None
    centred, spread = normal.operands
    difference = maker(centred, "subtract")
    column = column_of(spread)
    root = None if column is None else maker(column, "rsqrt")
    raised = None if root is None else maker(root.operands[0], "add")
    if difference is None or raised is None:
        return None
    x, mean = difference.operands
    count = shape_of(x)[-1]
    variance, eps = raised.operands[0], number_of(raised.operands[1])
    squares = _mean_of(variance, count)
    square = None if squares is None else maker(squares, "multiply")
    centre = column_of(mean)
    if eps is None or square is None or centre is None:
        return None
    if list(square.operands) != [centred, centred] or not same(_mean_of(centre, count), x):
        return None
    return _Norm(x, eps, gain, shift)


def _mean_of(value: Value, count: int) -> Value | None:
    """Return x where a value is the sum of `x / count` along the last axis."""
    parts = reduces_last(value, "add", 0.0)
    quotient = None if parts is None else maker(parts, "divide")
    if quotient is None or not is_number(quotient.operands[1], float(count)):
        return None
    return quotient.operands[0]
