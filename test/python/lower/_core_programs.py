"""Random CORE functions, as hypothesis strategies.

Values are made one after the other from those that there are, with what `linnet-simplify` looks
for more often than the rest: views of views, clamps, counted positions, sums of products. Numbers
are small integers in every dtype, so that float arithmetic is exact for the most part.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from linnet.signature import numpy_dtype

Array = NDArray[Any]
Shape = tuple[int, ...]
FLOATS = ("f32", "bf16")
INTEGERS = ("i32", "i64", "i8", "u8")
_ELEMENTS = {"bool": "i1", "u8": "ui8"}


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    shape: Shape
    dtype: str

    @property
    def type(self) -> str:
        return type_of(self.shape, self.dtype)


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    arguments: list[Array]

    def __repr__(self) -> str:
        return f"{self.text}\n{self.arguments}"


def type_of(shape: Shape, dtype: str) -> str:
    return f"!linnet.tensor<[{', '.join(map(str, shape))}], {_ELEMENTS.get(dtype, dtype)}>"


@dataclass
class _Writer:
    draw: Callable[[st.SearchStrategy[Any]], Any]
    inputs: list[Value] = field(default_factory=list[Value])
    values: list[Value] = field(default_factory=list[Value])
    lines: list[str] = field(default_factory=list[str])

    def below(self, bound: int) -> int:
        return self.draw(st.integers(0, bound - 1))

    def pick(self, options: Any) -> Any:
        return options[self.below(len(options))]

    def size(self) -> int:
        return self.pick((2, 3, 1, 4, 2, 1, 3, 0))

    def shape(self, most: int = 3) -> Shape:
        return tuple(self.size() for _ in range(self.below(most + 1)))

    def op(self, text: str, shape: Shape, dtype: str) -> Value:
        value = Value(f"%{len(self.lines)}", shape, dtype)
        self.lines.append(f"{value.name} = linnet.{text}")
        self.values.append(value)
        return value

    def new(self, shape: Shape, dtype: str) -> Value:
        value = Value(f"%arg{len(self.inputs)}", shape, dtype)
        self.inputs.append(value)
        self.values.append(value)
        return value

    def any(self, dtypes: tuple[str, ...] = ()) -> Value:
        """A value that there is, the newest most likely, or a new argument."""
        fitting = [v for v in self.values if not dtypes or v.dtype in dtypes]
        if not fitting or self.below(6) == 5:
            return self.new(self.shape(), self.pick(dtypes or ("f32", "i32", *FLOATS, *INTEGERS)))
        return fitting[-1 - min(self.below(len(fitting)), self.below(len(fitting)))]

    def like(self, other: Value, dtype: str | None = None) -> Value:
        """A value of the same shape, and of `dtype`."""
        dtype = dtype or other.dtype
        fitting = [v for v in self.values if v.shape == other.shape and v.dtype == dtype]
        if dtype != "bool" and self.below(3) == 2:
            return self.constant(other.shape, dtype)
        if fitting and self.below(4) < 3:
            return self.pick(fitting)
        return self.new(other.shape, dtype)

    def constant(self, shape: Shape, dtype: str) -> Value:
        number = self.pick((0, 1, 2, 3, -1, 5, 7, 127))
        literal = ("true" if number % 2 else "false") if dtype == "bool" else str(number)
        if shape and self.below(3) == 2:
            scalar = self.op(f"constant {literal} : {type_of((), dtype)}", (), dtype)
            return self.op(
                f"broadcast {scalar.name} axes = [] : {scalar.type} -> {type_of(shape, dtype)}",
                shape,
                dtype,
            )
        return self.op(f"constant {literal} : {type_of(shape, dtype)}", shape, dtype)

    # One method an op.

    def transpose(self) -> Value:
        x = self.any()
        perm = list(self.draw(st.permutations(range(len(x.shape)))))
        shape = tuple(x.shape[axis] for axis in perm)
        return self.op(
            f"transpose {x.name}, {perm} : {x.type} -> {type_of(shape, x.dtype)}", shape, x.dtype
        )

    def reshape(self) -> Value:
        x = self.any()
        shape = list(x.shape)
        match self.below(4):
            case 0:
                shape = [size for size in shape if size != 1]
            case 1:
                shape.insert(self.below(len(shape) + 1), 1)
            case 2:
                shape = [prod(shape)]
            case _:
                if len(shape) > 1:
                    at = self.below(len(shape) - 1)
                    shape[at : at + 2] = [shape[at] * shape[at + 1]]
                else:
                    total = prod(shape)
                    if total > 1 and total % 2 == 0:
                        shape = [2, total // 2]
        result = tuple(shape)
        return self.op(
            f"reshape {x.name} : {x.type} -> {type_of(result, x.dtype)}", result, x.dtype
        )

    def broadcast(self) -> Value:
        x = self.any()
        shape = [self.size() if size == 1 and self.below(2) else size for size in x.shape]
        axes = list(range(len(shape)))
        for _ in range(self.below(3) if len(shape) < 4 else 0):
            at = self.below(len(shape) + 1)
            shape.insert(at, self.size())
            axes = [axis + (axis >= at) for axis in axes]
        result = tuple(shape)
        return self.op(
            f"broadcast {x.name} axes = {axes} : {x.type} -> {type_of(result, x.dtype)}",
            result,
            x.dtype,
        )

    def slice(self) -> Value:
        x = self.any()
        starts, steps, shape = list[int](), list[int](), list[int]()
        for size in x.shape:
            start = self.below(size) if size else 0
            step = 1 + self.below(2)
            room = -((start - size) // step)
            starts.append(start)
            steps.append(step)
            shape.append(self.pick((room, room, self.below(room + 1))))
        result = tuple(shape)
        return self.op(
            f"slice {x.name} starts {starts} steps {steps} : "
            f"{x.type} -> {type_of(result, x.dtype)}",
            result,
            x.dtype,
        )

    def iota(self) -> Value:
        shape = (self.size(), *self.shape(1))
        axis = self.below(len(shape))
        dtype = self.pick((*INTEGERS, *INTEGERS, "f32", "bf16"))
        return self.op(f"iota axis = {axis} : {type_of(shape, dtype)}", shape, dtype)

    def counted(self) -> Value:
        """An integer iota of one axis, moved and perhaps clamped."""
        shape, dtype = (self.size(),), self.pick(INTEGERS)
        value = self.op(f"iota axis = 0 : {type_of(shape, dtype)}", shape, dtype)
        for _ in range(self.below(3)):
            name = self.pick(("add", "add", "sub", "min", "max", "mul"))
            other = self.constant(shape, dtype)
            pair = (value, other) if self.below(3) else (other, value)
            value = self.op(f"{name} {pair[0].name}, {pair[1].name} : {value.type}", shape, dtype)
        return value

    def take(self) -> Value:
        x = self.any()
        if not x.shape:
            x = self.new((4, *self.shape(1)), x.dtype)
        indices = self.counted() if self.below(2) else self.any(INTEGERS)
        axis = self.below(len(x.shape))
        shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
        if x.shape[axis] == 0 or len(shape) > 5:
            return x
        return self.op(
            f"take {x.name}, {indices.name} axis = {axis} : "
            f"{x.type}, {indices.type} -> {type_of(shape, x.dtype)}",
            shape,
            x.dtype,
        )

    def concat(self) -> Value:
        x = self.any()
        if not x.shape:
            return x
        axis = self.below(len(x.shape))
        shape = list(x.shape)
        shape[axis] *= 2
        y = self.like(x)
        result = tuple(shape)
        return self.op(
            f"concat {x.name}, {y.name} axis = {axis} : "
            f"{x.type}, {y.type} -> {type_of(result, x.dtype)}",
            result,
            x.dtype,
        )

    def cast(self) -> Value:
        x = self.any()
        # A rounded number is not compared or cut off: it may differ in the last place.
        dtype = self.pick(FLOATS if x.dtype in FLOATS else (*FLOATS, *INTEGERS, "bool"))
        return self.op(f"cast {x.name} : {x.type} -> {type_of(x.shape, dtype)}", x.shape, dtype)

    def unary(self) -> Value:
        x = self.any((*INTEGERS, *FLOATS, "bool"))
        name = "not" if x.dtype == "bool" else self.pick(("neg", "abs"))
        return self.op(f"{name} {x.name} : {x.type}", x.shape, x.dtype)

    def binary(self) -> Value:
        x = self.any((*INTEGERS, *INTEGERS, *FLOATS, "bool"))
        y = self.like(x)
        if x.dtype == "bool":
            name = self.pick(("and", "or", "xor"))
        else:
            name = self.pick(("add", "sub", "mul", "min", "max", "min", "max"))
        pair = (x, y) if self.below(2) else (y, x)
        return self.op(f"{name} {pair[0].name}, {pair[1].name} : {x.type}", x.shape, x.dtype)

    def compare(self) -> Value:
        x = self.any(INTEGERS)
        y = self.like(x)
        name = self.pick(("eq", "ne", "lt", "le", "gt", "ge"))
        return self.op(f"compare {name} {x.name}, {y.name} : {x.type}", x.shape, "bool")

    def select(self) -> Value:
        x = self.any()
        y = self.like(x)
        mask = self.like(x, "bool")
        return self.op(
            f"select {mask.name}, {x.name}, {y.name} : {mask.type}, {x.type}", x.shape, x.dtype
        )

    def reduce(self) -> Value:
        x = self.any()
        axes = [axis for axis in range(len(x.shape)) if self.below(2)]
        if not axes:
            return x
        kinds = ("any", "all") if x.dtype == "bool" else ("sum", "max", "min")
        shape = tuple(size for axis, size in enumerate(x.shape) if axis not in axes)
        return self.op(
            f"reduce {self.pick(kinds)} {x.name} axes {axes} : "
            f"{x.type} -> {type_of(shape, x.dtype)}",
            shape,
            x.dtype,
        )

    def product(self) -> Value:
        """A sum of a product of two broadcasts, as index notation leaves them."""
        dtype = self.pick(("f32", "bf16", "i32"))
        rank = 2 + self.below(3)
        whole = tuple(self.size() for _ in range(rank))
        factors: list[Value] = []
        for _ in range(2):
            axes = [axis for axis in range(rank) if self.below(3)]
            shape = tuple(1 if self.below(6) == 5 else whole[axis] for axis in axes)
            x = self.new(shape, self.pick((dtype, dtype, "bf16")) if dtype == "f32" else dtype)
            if self.below(3) == 2 and len(shape) > 1:
                perm = list(self.draw(st.permutations(range(len(shape)))))
                shape = tuple(shape[axis] for axis in perm)
                x = self.op(
                    f"transpose {x.name}, {perm} : {x.type} -> {type_of(shape, x.dtype)}",
                    shape,
                    x.dtype,
                )
                if any(
                    size not in (1, whole[axis]) for size, axis in zip(shape, axes, strict=True)
                ):
                    x = self.new(tuple(whole[axis] for axis in axes), x.dtype)
            if x.dtype != dtype:
                x = self.op(
                    f"cast {x.name} : {x.type} -> {type_of(x.shape, dtype)}", x.shape, dtype
                )
            factors.append(
                self.op(
                    f"broadcast {x.name} axes = {axes} : {x.type} -> {type_of(whole, dtype)}",
                    whole,
                    dtype,
                )
            )
        a, b = factors
        y = self.op(f"mul {a.name}, {b.name} : {a.type}", whole, dtype)
        summed = [axis for axis in range(rank) if self.below(2)] or [0]
        shape = tuple(size for axis, size in enumerate(whole) if axis not in summed)
        y = self.op(
            f"reduce sum {y.name} axes {summed} : {y.type} -> {type_of(shape, dtype)}",
            shape,
            dtype,
        )
        perm = list(self.draw(st.permutations(range(len(shape)))))
        shape = tuple(shape[axis] for axis in perm)
        return self.op(
            f"transpose {y.name}, {perm} : {y.type} -> {type_of(shape, dtype)}", shape, dtype
        )

    def contract(self) -> Value:
        """A contraction, of transposed or widened operands."""
        batch, summed = self.shape(1), (self.size(), *self.shape(1))
        dtype = self.pick(("f32", "bf16"))
        operands: list[Value] = []
        numbers: list[list[int]] = []
        free: list[int] = []
        for _ in range(2):
            own = self.shape(2)
            free.extend(own)
            sizes = [*batch, *summed, *own]
            order = list(self.draw(st.permutations(range(len(sizes)))))
            # The free axes stay in order.
            mine = sorted(at for at, axis in enumerate(order) if axis >= len(batch) + len(summed))
            for at, axis in zip(mine, range(len(batch) + len(summed), len(sizes)), strict=True):
                order[at] = axis
            shape = tuple(sizes[axis] for axis in order)
            x = self.new(shape, dtype)
            numbers.append([order.index(axis) for axis in range(len(batch) + len(summed))])
            if self.below(2):
                perm = list(self.draw(st.permutations(range(len(shape)))))
                x = self.new(tuple(shape[perm.index(axis)] for axis in range(len(shape))), dtype)
                x = self.op(
                    f"transpose {x.name}, {perm} : {x.type} -> {type_of(shape, dtype)}",
                    shape,
                    dtype,
                )
            operands.append(x)
        if dtype == "bf16" and self.below(2):
            operands = [
                self.op(f"cast {x.name} : {x.type} -> {type_of(x.shape, 'f32')}", x.shape, "f32")
                for x in operands
            ]
        a, b = operands
        count = len(batch)
        shape = (*batch, *free)
        return self.op(
            f"contract {a.name}, {b.name} batch {numbers[0][:count]} x {numbers[1][:count]} "
            f"contract {numbers[0][count:]} x {numbers[1][count:]} : "
            f"{a.type}, {b.type} -> {type_of(shape, 'f32')}",
            shape,
            "f32",
        )

    def update(self) -> Value:
        x = self.any()
        part = tuple(self.below(size + 1) for size in x.shape)
        y = self.new(part, x.dtype)
        starts = [
            self.constant((), "i32") if self.below(2) else self.new((), "i32") for _ in x.shape
        ]
        if not starts:
            return x
        return self.op(
            f"update_slice {x.name}, {y.name} at [{', '.join(s.name for s in starts)}] : "
            f"{x.type}, {y.type}, {type_of((), 'i32')}",
            x.shape,
            x.dtype,
        )


@st.composite
def cases(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Case:
    writer = _Writer(draw)
    makers = (
        [writer.transpose, writer.reshape, writer.broadcast, writer.slice] * 2
        + [writer.take, writer.binary, writer.counted, writer.cast, writer.compare] * 2
        + [writer.iota, writer.concat, writer.unary, writer.select, writer.reduce]
        + [writer.product, writer.product, writer.contract, writer.contract, writer.update]
    )
    for _ in range(2 + writer.below(10)):
        value = writer.pick(makers)()
        if prod(value.shape) > 2000:
            writer.values.remove(value)
    results = writer.values[-4:]
    parameters = ", ".join(
        f'{v.name}: {v.type} {{linnet.kind = "input", linnet.name = "{v.name[1:]}"}}'
        for v in writer.inputs
    )
    body = "\n".join(f"  {line}" for line in writer.lines)
    names = ", ".join(v.name for v in results)
    types = ", ".join(v.type for v in results)
    text = (
        f"linnet.func entry @run({parameters}) -> ({types}) {{\n{body}\n"
        f"  linnet.return {names} : {types}\n}}\n"
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    return Case(text, [_numbers(rng, value) for value in writer.inputs])


def _numbers(rng: np.random.Generator, value: Value) -> Array:
    low = 0 if value.dtype in ("u8", "bool") else -3
    drawn = rng.integers(low, 2 if value.dtype == "bool" else 5, value.shape)
    return np.asarray(drawn).astype(numpy_dtype(value.dtype))
