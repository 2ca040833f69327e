"""A naive interpreter of BOUND: index notation by Python loops, one element at a time.

It runs what `linnet-unroll` and `linnet-thread-state` give, so that the passes below them can be
compared with what a comprehension says. A scalar is a NumPy array of rank 0; every op in index
notation computes one of them. The elementwise ops and the ops on whole tensors are those of
`linnet.reference`: they are not what is under test.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from linnet.compiler._core import _ATTRIBUTES, _KINDS, _attribute
from linnet.compiler._types import parse_static
from linnet.core import Op, Value
from linnet.mlir import ir
from linnet.reference._elementwise import BINARY, Array, accumulator
from linnet.reference._run import _compute
from linnet.reference._structured import _extreme
from linnet.signature import numpy_dtype

# What the values of a function are in while it runs, by number: arrays, and ints for indices.
Frame = list[Any]
Step = Callable[[Frame], None]


def run(module: ir.Operation, entry: str, arguments: Sequence[Array]) -> list[Array]:
    """Call the function of `entry`: inputs, params and buffers, states -> results, states."""
    for view in module.regions[0].blocks[0].operations:
        name = ir.StringAttr(view.operation.attributes["sym_name"]).value
        if name.rpartition("::")[2] == entry:
            return _Compiler().function(view.operation)(arguments)
    raise KeyError(entry)


class _Compiler:
    """Turns regions into lists of steps on a frame, so that a loop does not read MLIR again."""

    def __init__(self) -> None:
        self._numbers: dict[ir.Value, int] = {}

    def function(self, op: ir.Operation) -> Callable[[Sequence[Array]], list[Array]]:
        steps, arguments, results = self._block(op.regions[0])

        def call(given: Sequence[Array]) -> list[Array]:
            frame: Frame = [None] * len(self._numbers)
            for number, array in zip(arguments, given, strict=True):
                frame[number] = array
            with np.errstate(all="ignore"):
                _all(steps, frame)
            return [frame[number] for number in results]

        return call

    def _number(self, value: ir.Value) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _block(self, region: ir.Region) -> tuple[list[Step], list[int], list[int]]:
        """The steps of a region, and the numbers of its arguments and of what it gives."""
        (block,) = region.blocks
        arguments = [self._number(argument) for argument in block.arguments]
        ops = [view.operation for view in block.operations]
        steps = [self._step(op) for op in ops[:-1]]
        return steps, arguments, [self._number(operand) for operand in ops[-1].operands]

    def _step(self, op: ir.Operation) -> Step:
        operands = [self._number(operand) for operand in op.operands]
        results = [self._number(result) for result in op.results]
        match op.name.removeprefix("linnet."):
            case "comprehension":
                return self._comprehension(op, results[0])
            case "reduce_over":
                return self._reduction(op, results[0])
            case "access":
                return _access(operands, results[0])
            case "if":
                return self._if(op, operands[0], results)
            case "while":
                return self._while(op, operands, results)
            case "for":
                return self._for(op, operands, results)
            case "cumsum":
                return _cumsum(ir.IntegerAttr(op.attributes["axis"]).value, operands[0], results[0])
            case name:
                return _plain(op, name, operands, results[0])

    def _comprehension(self, op: ir.Operation, result: int) -> Step:
        steps, indices, (element,) = self._block(op.regions[0])
        type_ = parse_static(str(op.results[0].type))

        def step(frame: Frame) -> None:
            array = np.zeros(type_.shape, numpy_dtype(type_.dtype))
            for position in np.ndindex(type_.shape):
                for index, place in zip(indices, position, strict=True):
                    frame[index] = place
                _all(steps, frame)
                array[position] = frame[element]
            frame[result] = array

        return step

    def _reduction(self, op: ir.Operation, result: int) -> Step:
        steps, indices, (element,) = self._block(op.regions[0])
        (block,) = op.regions[0].blocks
        extents = [_extent(argument.type) for argument in block.arguments]
        dtype = numpy_dtype(parse_static(str(op.results[0].type)).dtype)
        wide = accumulator(dtype)
        first, combine = _monoid(_KINDS[ir.IntegerAttr(op.attributes["kind"]).value], wide)

        def step(frame: Frame) -> None:
            total = first
            for position in np.ndindex(*extents):
                for index, place in zip(indices, position, strict=True):
                    frame[index] = place
                _all(steps, frame)
                total = combine(total, np.asarray(frame[element]).astype(wide))
            frame[result] = np.asarray(total).astype(dtype)

        return step

    def _if(self, op: ir.Operation, condition: int, results: list[int]) -> Step:
        branches = [self._block(region) for region in op.regions]

        def step(frame: Frame) -> None:
            steps, _, yielded = branches[0 if frame[condition] else 1]
            _all(steps, frame)
            for number, value in zip(results, yielded, strict=True):
                frame[number] = frame[value]

        return step

    def _while(self, op: ir.Operation, operands: list[int], results: list[int]) -> Step:
        test, before, (again,) = self._block(op.regions[0])
        body, inside, after = self._block(op.regions[1])

        def step(frame: Frame) -> None:
            carried = [frame[number] for number in operands]
            while True:
                frame_of(before, carried, frame)
                _all(test, frame)
                if not frame[again]:
                    break
                frame_of(inside, carried, frame)
                _all(body, frame)
                carried = [frame[number] for number in after]
            frame_of(results, carried, frame)

        return step

    def _for(self, op: ir.Operation, operands: list[int], results: list[int]) -> Step:
        body, (counter, *inside), after = self._block(op.regions[0])
        lower, upper = (
            int(str(op.attributes[name]).removeprefix("#linnet.dim<").removesuffix(">"))
            for name in ("lower", "upper")
        )
        count = len(operands)
        types = [parse_static(str(result.type)) for result in op.results[count:]]

        def step(frame: Frame) -> None:
            carried = [frame[number] for number in operands]
            stacks = [np.zeros(type_.shape, numpy_dtype(type_.dtype)) for type_ in types]
            for position in range(lower, upper):
                frame[counter] = np.asarray(position, np.int64)
                frame_of(inside, carried, frame)
                _all(body, frame)
                carried = [frame[number] for number in after[:count]]
                for stack, number in zip(stacks, after[count:], strict=True):
                    stack[position - lower] = frame[number]
            frame_of(results, [*carried, *stacks], frame)

        return step


def _cumsum(axis: int, operand: int, result: int) -> Step:
    """Running sums in the element type, from the front."""

    def step(frame: Frame) -> None:
        sums = np.moveaxis(frame[operand].copy(), axis, 0)
        for row in range(1, len(sums)):
            sums[row] = BINARY["add"](sums[row - 1], sums[row])
        frame[result] = np.moveaxis(sums, 0, axis)

    return step


def frame_of(numbers: list[int], values: list[Any], frame: Frame) -> None:
    """Put `values` into the frame under `numbers`."""
    for number, value in zip(numbers, values, strict=True):
        frame[number] = value


def _all(steps: list[Step], frame: Frame) -> None:
    for step in steps:
        step(frame)


def _extent(type_: ir.Type) -> int:
    return int(str(type_).removeprefix("!linnet.index<[").removesuffix("]>"))


def _access(operands: list[int], result: int) -> Step:
    """One element; a computed position clamps to its axis [EXP-11]."""
    base, *parts = operands

    def step(frame: Frame) -> None:
        array = frame[base]
        position = tuple(
            part if isinstance(part, int) else min(max(int(part), 0), size - 1)
            for part, size in zip([frame[part] for part in parts], array.shape, strict=True)
        )
        frame[result] = np.asarray(array[position])

    return step


def _plain(op: ir.Operation, name: str, operands: list[int], result: int) -> Step:
    """An op of CORE too."""
    type_ = parse_static(str(op.results[0].type))
    attributes = {
        key: _attribute(name, key, op.attributes[key]) for key in _ATTRIBUTES.get(name, ())
    }
    record = Op(name, (), (Value(type_),), attributes)

    def step(frame: Frame) -> None:
        value = np.asarray(_compute(record, [frame[number] for number in operands], type_))
        assert value.shape == type_.shape
        assert value.dtype == numpy_dtype(type_.dtype)
        frame[result] = value

    return step


def _monoid(kind: str, dtype: np.dtype[Any]) -> tuple[Array, Callable[[Array, Array], Array]]:
    """The value of a reduction over nothing, and what adds one element [IDX-10]."""
    match kind:
        case "sum":
            return np.zeros((), dtype), BINARY["add"]
        case "prod":
            return np.ones((), dtype), BINARY["mul"]
        case "max":
            return np.asarray(_extreme(dtype, highest=False), dtype), BINARY["max"]
        case "min":
            return np.asarray(_extreme(dtype, highest=True), dtype), BINARY["min"]
        case "any":
            return np.asarray(False), BINARY["or"]
        case "all":
            return np.asarray(True), BINARY["and"]
        case _:
            raise ValueError(kind)
