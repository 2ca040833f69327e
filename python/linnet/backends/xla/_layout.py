"""Gives each state the physical form in which its readers take it where it lies.

XLA's CPU code reads the operands of a batched product in place only when they have one batch axis,
and the axes after it in the order that its matrix products are written for. Anything else makes it
copy, in every step, the whole state that the product reads (with caches `[B, H, T, D]` four copies
for each of them). So

- the leading axes of a state that its products run over as batch axes become one axis: other
  numbers in the type over the same bytes, so that nobody outside can tell;
- a product `query · stateᵀ` becomes `(state · queryᵀ)ᵀ`, which turns the small result instead.

A state whose products disagree, or that is written in a way the fewer axes cannot say, stays.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

_UPDATE, _DOT = "stablehlo.dynamic_update_slice", "stablehlo.dot_general"
_SLICE = "stablehlo.dynamic_slice"
_LOOP, _BRANCHES = "stablehlo.while", ("stablehlo.if", "stablehlo.case")


def lay_out_states(main: Any, first_state: int, states: int, results: int) -> None:
    """Rewrite a function, in place; its context must be current.

    Arguments `first_state` and on are the states, results `results` and on their new values.
    """
    block = main.regions[0].blocks[0]
    rewriter = _Rewriter()
    for argument in list(block.arguments)[first_state : first_state + states]:
        merged = _axes_to_merge(argument)
        if merged is not None:
            rewriter.take(argument, merged)
            rewriter.read_together(argument)
    rewriter.block(block)
    returned = _last(block)
    for number in range(len(returned.operands)):
        is_state = 0 <= number - results < states
        value = returned.operands[number]
        wanted = block.arguments[first_state + number - results].type if is_state else value.type
        returned.operands[number] = rewriter.as_type(value, wanted, returned)
    rewriter.clear()
    given = [value.type for value in block.arguments]
    made = [value.type for value in returned.operands]
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(given, made))


@dataclass(frozen=True, slots=True)
class _Product:
    """The axes of a `dot_general`: of the state in operand `side`, and of the other operand."""

    side: int
    batch: tuple[int, ...]
    contracted: tuple[int, ...]
    other_batch: tuple[int, ...]
    other_contracted: tuple[int, ...]


def _product(op: Any, side: int) -> _Product:
    axes = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    left = (tuple(axes.lhs_batching_dimensions), tuple(axes.lhs_contracting_dimensions))
    right = (tuple(axes.rhs_batching_dimensions), tuple(axes.rhs_contracting_dimensions))
    mine, other = (right, left) if side else (left, right)
    return _Product(side, *mine, *other)


def _axes_to_merge(argument: Any) -> int | None:
    """How many leading axes become one (1: as it is); None where no product reads the state."""
    chain = _chain(argument)
    shape = _shape(argument)
    uses = [(use.owner, use.operand_number) for value in chain for use in value.uses]
    batches = {
        frozenset(_product(op, number).batch) for op, number in uses if op.operation.name == _DOT
    }
    if len(batches) != 1:
        return 1 if batches else None
    (batch,) = batches
    count = len(batch)
    if batch != frozenset(range(count)) or not 1 < count < len(shape):
        return 1
    parts = [
        _shape(op.operands[1])
        for op, number in uses
        if op.operation.name == _UPDATE and number == 0
    ]
    return count if all(_lies_together(shape, part, count) for part in parts) else 1


def _chain(argument: Any) -> list[Any]:
    """The values that are the state: itself, after a write, carried by a loop, out of a branch."""
    chain: list[Any] = []
    waiting = [argument]
    while waiting:
        value = waiting.pop()
        if value in chain:
            continue
        chain.append(value)
        for use in value.uses:
            op, number = use.owner.operation, use.operand_number
            if op.name == _UPDATE and number == 0:
                waiting.append(op.results[0])
            elif op.name == _LOOP:
                waiting += _slot(op, number)
            elif op.name == "stablehlo.return":
                parent = op.parent.operation
                if parent.name == _LOOP and len(op.operands) == len(parent.results):
                    waiting += _slot(parent, number)
                elif parent.name in _BRANCHES:
                    waiting.append(parent.results[number])
    return chain


def _slot(loop: ir.Operation, number: int) -> list[Any]:
    """What a loop carries at a position: its result, and the arguments of both regions."""
    inner = [region.blocks[0].arguments[number] for region in loop.regions]
    return [loop.results[number], *inner]


def _lies_together(shape: Sequence[int], part: Sequence[int], count: int) -> bool:
    """Whether a part's leading axes are one run of the merged one: 1, ..., any, full, ..., full."""
    leading = list(zip(part[:count], shape[:count], strict=True))
    while leading and leading[0][0] == 1:
        leading.pop(0)
    return all(size == whole for size, whole in leading[1:])


@dataclass(frozen=True, slots=True)
class _Held:
    """A state's value in physical form, how many axes that merged, and the type it stands for."""

    value: Any
    merged: int
    logical: ir.Type


class _Rewriter:
    """Walks blocks from the top; `_held` has each value that is a state."""

    def __init__(self) -> None:
        self._held: dict[Any, _Held] = {}
        self._dead: list[ir.Operation] = []
        self._made: list[ir.Operation] = []
        self._rewrites = {
            _UPDATE: self._update,
            _DOT: self._turn,
            _SLICE: self._slice,
            "stablehlo.slice": self._window,
            "stablehlo.gather": self._gather,
        }

    def take(self, value: Any, merged: int) -> None:
        """Give an argument, or a value that a loop or a branch hands on, its physical form."""
        logical = value.type
        value.set_type(_type_like(value, _merge(_shape(value), merged)))
        self._held[value] = _Held(value, merged, logical)

    def read_together(self, argument: Any) -> None:
        """Take the parts that several writes keep out of the state in one go, before the first.

        Read one by one, each part but the first would be read after a write, from a copy.
        """
        held = self._held[argument]
        merged, shape = held.merged, _shape_of(held.logical)
        parts = [part for part in _parts_read(argument.owner, shape) if part.source == argument]
        if len(parts) < 2 or len({tuple(part.sizes) for part in parts}) > 1:
            return
        sizes, anchor = parts[0].sizes, parts[0].op
        if merged > 1 and not _lies_together(shape, sizes, merged):
            return
        for part in parts:
            for start in list(part.op.operands)[1:]:
                _hoist(start, anchor)
        rows: list[Any] = []
        with ir.InsertionPoint(anchor), anchor.location:
            for part in parts:
                starts = [part.start(axis) for axis in range(len(shape))]
                if merged > 1:
                    first = _merged_start(starts, shape, sizes, merged)
                    starts = [first, *starts[merged:]]
                columns = [_reshape(start, [1, 1]) for start in starts]
                rows.append(stablehlo.concatenate(columns, 1))
            rank = len(shape) - merged + 1
            numbers = stablehlo.GatherDimensionNumbers.get(
                list(range(1, rank + 1)), [], [], [], list(range(rank)), 1
            )
            merged_sizes = _merge(sizes, merged)
            made = stablehlo.gather(argument, stablehlo.concatenate(rows, 0), numbers, merged_sizes)
            self._made.append(made.owner.operation)
            for number, part in enumerate(parts):
                one_part = stablehlo.slice(
                    made,
                    [number, *[0] * rank],
                    [number + 1, *merged_sizes],
                    [1] * (rank + 1),
                )
                part.op.results[0].replace_all_uses_with(_reshape(one_part, sizes))
        for part in parts:
            part.op.erase()

    def as_type(self, value: Any, wanted: ir.Type, user: Any) -> Any:
        """Return the value for a user that needs it in a type of as many elements."""
        held = self._held.get(value)
        found = value if held is None else held.value
        if found.type == wanted:
            return found
        with ir.InsertionPoint(user):
            return stablehlo.reshape(wanted, found)

    def clear(self) -> None:
        """Erase the ops that were replaced."""
        for op in reversed(self._dead):
            op.erase()

    def block(self, block: ir.Block) -> None:
        """Rewrite what reads or writes a state in a block and in the regions within."""
        for view in list(block.operations):
            op = view.operation
            if op.name == _LOOP:
                self._loop(op)
            elif op.name in _BRANCHES:
                self._branches(op)
            elif op.name not in ("stablehlo.return", "func.return"):
                self._plain(op)

    def _plain(self, op: ir.Operation) -> None:
        held = [number for number, value in enumerate(op.operands) if value in self._held]
        if not held or op in self._made:
            return
        with ir.InsertionPoint(op), op.location:
            done = False
            if len(held) == 1 and (rewrite := self._rewrites.get(op.name)) is not None:
                done = rewrite(op, held[0])
            if done:
                self._dead.append(op)
            else:
                for number in held:
                    value = op.operands[number]
                    op.operands[number] = self.as_type(value, self._held[value].logical, op)

    def _update(self, op: ir.Operation, number: int) -> bool:
        if number != 0:
            return False
        held = self._held[op.operands[0]]
        merged, logical = held.merged, op.results[0].type
        shape, part = _shape(op.results[0]), _shape(op.operands[1])
        starts = list(op.operands)[2:]
        update = op.operands[1]
        if merged > 1:
            update = stablehlo.reshape(_type_like(update, _merge(part, merged)), update)
            starts = [_merged_start(starts, shape, part, merged), *starts[merged:]]
        made = stablehlo.dynamic_update_slice(held.value, update, starts)
        self._held[op.results[0]] = _Held(made, merged, logical)
        return True

    def _slice(self, op: ir.Operation, number: int) -> bool:
        held = self._held[op.operands[number]]
        merged = held.merged
        shape, part = _shape_of(held.logical), _shape(op.results[0])
        if merged == 1 or not _lies_together(shape, part, merged):
            return False
        starts = list(op.operands)[1:]
        starts = [_merged_start(starts, shape, part, merged), *starts[merged:]]
        made = stablehlo.dynamic_slice(held.value, starts, _merge(part, merged))
        op.results[0].replace_all_uses_with(_reshape(made, part))
        return True

    def _window(self, op: ir.Operation, number: int) -> bool:
        """A part of a state of which only a part is read: that one is taken from the state."""
        uses = [(use.owner.operation, use.operand_number) for use in op.results[0].uses]
        steps = list(ir.DenseI64ArrayAttr(op.attributes["strides"]))
        if not all(user.name == _SLICE and at == 0 for user, at in uses) or set(steps) != {1}:
            return False
        offsets = list(ir.DenseI64ArrayAttr(op.attributes["start_indices"]))
        window = _shape(op.results[0])
        whole = _shape_of(self._held[op.operands[number]].logical)
        source = _behind_writes(op.operands[0], offsets, window)
        for user, _ in uses:
            part = _shape(user.results[0])
            with ir.InsertionPoint(user), user.location:
                user.operands[0] = source
                for axis, (offset, size) in enumerate(zip(offsets, window, strict=True)):
                    if offset != 0 or size != whole[axis]:
                        start = user.operands[1 + axis]
                        user.operands[1 + axis] = _shifted(start, offset, size - part[axis])
        return True

    def _gather(self, op: ir.Operation, number: int) -> bool:
        """Rows of a state that are whole on the merged axes."""
        held = self._held[op.operands[number]]
        less = held.merged - 1
        axes = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
        sizes = list(ir.DenseI64ArrayAttr(op.attributes["slice_sizes"]))
        named = (*axes.collapsed_slice_dims, *axes.operand_batching_dims, *axes.start_index_map)
        offsets = list(axes.offset_dims)
        shape = _shape_of(held.logical)
        first = offsets[0] if offsets else 0
        if (
            number != 0
            or less == 0
            or any(axis <= less for axis in named)
            or sizes[: less + 1] != shape[: less + 1]
            or offsets[: less + 1] != list(range(first, first + less + 1))
        ):
            return False
        numbers = stablehlo.GatherDimensionNumbers.get(
            [first, *(axis - less for axis in offsets[less + 1 :])],
            [axis - less for axis in axes.collapsed_slice_dims],
            [axis - less for axis in axes.operand_batching_dims],
            list(axes.start_indices_batching_dims),
            [axis - less for axis in axes.start_index_map],
            axes.index_vector_dim,
        )
        made = stablehlo.gather(held.value, op.operands[1], numbers, _merge(sizes, less + 1))
        op.results[0].replace_all_uses_with(_reshape(made, _shape(op.results[0])))
        return True

    def _turn(self, op: ir.Operation, side: int) -> bool:
        """Write a product so that the state is read where it lies; False leaves it."""
        held = self._held[op.operands[side]]
        axes = _product(op, side)
        count = len(axes.batch)
        shape = _shape(held.value)
        together = held.merged if held.merged > 1 else 1
        leading = set(axes.batch) == set(range(count))
        if not leading or count != together or len(shape) != 3 or len(axes.contracted) != 1:
            return False
        other = op.operands[1 - side]
        sizes = _shape(other)
        (contracted,), (other_contracted,) = axes.contracted, axes.other_contracted
        order = [axes.other_batch[axes.batch.index(axis)] for axis in range(count)]
        rows = [
            axis
            for axis in range(len(sizes))
            if axis not in axes.other_batch and axis != other_contracted
        ]
        row_sizes = [sizes[axis] for axis in rows]
        turned = _transpose(other, [*order, *rows, other_contracted])
        width = sizes[other_contracted]
        query = _reshape(turned, [shape[0], prod(row_sizes), width])
        batch_sizes = [sizes[axis] for axis in order]
        kind = ir.RankedTensorType(op.results[0].type).element_type
        if contracted - count + 1 == 2:
            free = shape[1]
            product = _dot(op, held.value, query, 2, [shape[0], free, prod(row_sizes)], kind)
            product = _transpose(product, [0, 2, 1])
        else:
            free = shape[2]
            product = _dot(op, query, held.value, 1, [shape[0], prod(row_sizes), free], kind)
        spread = _reshape(product, [*batch_sizes, *row_sizes, free])
        # The op's own order: batch axes as it lists them, then the left side's, then the right's.
        middle = list(range(count, count + len(rows)))
        last = [count + len(rows)]
        listed = [*axes.batch, *([*last, *middle] if side == 0 else [*middle, *last])]
        op.results[0].replace_all_uses_with(_transpose(spread, listed))
        return True

    def _loop(self, op: ir.Operation) -> None:
        carried = [number for number, value in enumerate(op.operands) if value in self._held]
        for number in carried:
            held = self._held[op.operands[number]]
            op.operands[number] = held.value
            for value in _slot(op, number):
                self.take(value, held.merged)
        for region in op.regions:
            self.block(region.blocks[0])
        self._hand_on(op.regions[1].blocks[0], [value.type for value in op.operands])
        condition = op.regions[0].blocks[0]
        self._hand_on(condition, [value.type for value in _last(condition).operands])

    def _branches(self, op: ir.Operation) -> None:
        blocks = [region.blocks[0] for region in op.regions]
        for block in blocks:
            self.block(block)
        for number, result in enumerate(op.results):
            forms = [self._held.get(_last(block).operands[number]) for block in blocks]
            held = next((form for form in forms if form is not None), None)
            if held is not None:
                self.take(result, held.merged)
        for block in blocks:
            self._hand_on(block, [result.type for result in op.results])

    def _hand_on(self, block: ir.Block, types: Sequence[ir.Type]) -> None:
        last = _last(block)
        for number, wanted in enumerate(types):
            last.operands[number] = self.as_type(last.operands[number], wanted, last)


@dataclass(frozen=True, slots=True)
class _Part:
    """What a `dynamic_slice` reads: of a window, whose offsets are known, of an earlier value."""

    op: ir.Operation
    source: Any
    offsets: Sequence[int]
    window: Sequence[int]
    sizes: Sequence[int]

    def start(self, axis: int) -> Any:
        """Where it starts on an axis of the source."""
        room = self.window[axis] - self.sizes[axis]
        return _shifted(self.op.operands[1 + axis], self.offsets[axis], room)


def _parts_read(block: Any, shape: Sequence[int]) -> list[_Part]:
    """The parts that a block reads of values of a shape, in order."""
    found: list[_Part] = []
    for view in block.operations:
        op = view.operation
        if op.name != _SLICE or len(_shape(op.results[0])) != len(shape):
            continue
        value = op.operands[0]
        offsets, window = [0] * len(shape), list(shape)
        owner = value.owner
        if not isinstance(owner, ir.Block) and owner.operation.name == "stablehlo.slice":
            inner = owner.operation
            if set(ir.DenseI64ArrayAttr(inner.attributes["strides"])) != {1}:
                continue
            value = inner.operands[0]
            offsets = list(ir.DenseI64ArrayAttr(inner.attributes["start_indices"]))
            window = _shape(inner.results[0])
        source = _behind_writes(value, offsets, window)
        found.append(_Part(op, source, offsets, window, _shape(op.results[0])))
    return found


def _shifted(start: Any, offset: int, room: int) -> Any:
    """A start within a window as one outside, clamped as the op in the window does it."""
    kind = start.type
    inside = stablehlo.clamp(_number(kind, 0), start, _number(kind, room))
    return stablehlo.add(inside, _number(kind, offset)) if offset else inside


def _hoist(value: Any, anchor: ir.Operation) -> None:
    """Move what a value is computed from before an op of its block, if it stands behind."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.block != anchor.block:
        return
    op = owner.operation
    order = [view.operation for view in anchor.block.operations]
    if order.index(op) < order.index(anchor):
        return
    for operand in op.operands:
        _hoist(operand, anchor)
    op.move_before(anchor)


def _behind_writes(value: Any, offsets: Sequence[int], window: Sequence[int]) -> Any:
    """The value before those writes that surely leave a window as it is."""
    while not isinstance(value.owner, ir.Block):
        op = value.owner.operation
        if op.name != _UPDATE:
            break
        part = _shape(op.operands[1])
        starts = [_constant(start) for start in list(op.operands)[2:]]
        ranges = zip(starts, part, offsets, window, strict=True)
        apart = (
            start is not None and (start + size <= offset or offset + length <= start)
            for start, size, offset, length in ranges
        )
        if not any(apart):
            break
        value = op.operands[0]
    return value


def _constant(value: Any) -> int | None:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "stablehlo.constant":
        return None
    return int(ir.DenseIntElementsAttr(owner.operation.attributes["value"])[0])


def _last(block: Any) -> ir.Operation:
    return list(block.operations)[-1].operation


def _shape(value: Any) -> list[int]:
    return _shape_of(value.type)


def _shape_of(type_: ir.Type) -> list[int]:
    return list(ir.RankedTensorType(type_).shape)


def _merge(shape: Sequence[int], merged: int) -> list[int]:
    return [prod(shape[:merged]), *shape[merged:]]


def _type_like(value: Any, shape: Sequence[int]) -> ir.Type:
    return ir.RankedTensorType.get(shape, ir.RankedTensorType(value.type).element_type)


def _reshape(value: Any, shape: Sequence[int]) -> Any:
    return (
        value
        if _shape(value) == list(shape)
        else stablehlo.reshape(_type_like(value, shape), value)
    )


def _transpose(value: Any, order: Sequence[int]) -> Any:
    return value if list(order) == sorted(order) else stablehlo.transpose(value, list(order))


def _dot(
    op: ir.Operation, left: Any, right: Any, contracted: int, shape: Sequence[int], kind: ir.Type
) -> Any:
    """A product over axis 2 of `left` and an axis of `right`, with axis 0 as the batch."""
    numbers = stablehlo.DotDimensionNumbers.get([0], [0], [2], [contracted])
    name = "precision_config"
    precision = op.attributes.get(name)
    type_ = ir.RankedTensorType.get(shape, kind)
    return stablehlo.dot_general(type_, left, right, numbers, precision_config=precision)


def _merged_start(
    starts: Sequence[Any], shape: Sequence[int], part: Sequence[int], merged: int
) -> Any:
    """Where a part starts on the merged axis. Each start is clamped first, as the op does it."""
    kind = starts[0].type
    total: Any = None
    for axis in range(merged):
        room = shape[axis] - part[axis]
        if room == 0:
            continue
        start = stablehlo.clamp(_number(kind, 0), starts[axis], _number(kind, room))
        step = stablehlo.multiply(start, _number(kind, prod(shape[axis + 1 : merged])))
        total = step if total is None else stablehlo.add(total, step)
    return _number(kind, 0) if total is None else total


def _number(kind: ir.Type, value: int) -> Any:
    element = ir.RankedTensorType(kind).element_type
    attribute = ir.IntegerAttr.get(element, value)
    return stablehlo.constant(ir.DenseElementsAttr.get_splat(kind, attribute))
