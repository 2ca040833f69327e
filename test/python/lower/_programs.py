"""Random programs in index notation, and inputs for them, as hypothesis strategies.

A program is one entry `run` of concrete shapes: some `let`s in index notation, all of which it
returns. Accesses are direct, computed, constant and diagonal, in any mixture; reductions nest and
stand side by side; elements choose by `select` and `if`; scalars are captured; casts surround
products; ops over packs are called on results. Numbers are small multiples of a half, so that most
of float arithmetic is exact and the order of a sum does not show.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from linnet.signature import numpy_dtype

FLOATS = ("f32", "bf16", "f16", "f64")
INTEGERS = ("i32", "i64", "i8", "i16", "u8", "u32", "u64")
HELPERS = """
fn blend<T: Float>(a: T, b: T) -> T {
    return a * 2.0 - b
}

fn spread<T: Float>(a: T, n: i32) -> T {
    let steps[i] = cast<T>(iota<i32>(3)[i] + n) * a
    return sum[i] steps[i] * steps[i]
}

fn cube<T: Float>(a: T) -> T {
    var power: T = 1.0
    static for i in 0..3 {
        power = power * a
    }
    return power
}

fn drift<T: Float>(a: T, n: i32) -> T {
    let steps[i] = cast<T>(iota<i32>(3)[i] - n) * a
    var level = a
    let marks = for i in 0..3 {
        level = level * 0.5 + steps[i]
        let inner = for j in 1..3 {
            yield level * cast<T>(j)
        }
        yield (inner, i)
    }
    let (levels, places) = marks
    let rises = cumsum(levels, axis = 0)
    return rises[1, 1] + levels[2, 0] * cast<T>(places[1])
}

fn shrink<T: Float>(a: T, n: i32) -> T {
    var size = a
    var turns: i32 = 0
    while abs(size) > 0.75 && turns < 5 {
        size = size * 0.5
        turns = turns + 1
        var inner: i32 = 0
        while inner < n && inner < 3 {
            inner = inner + turns
        }
        size = size + cast<T>(inner) * 0.25
    }
    return if turns > 2 { counted(size, turns) } else { size }
}

fn counted<T: Float>(a: T, n: i32) -> T {
    var left = n
    var total = a
    while left != 0 {
        left = left - 1
        total = total + 0.5
    }
    return total
}

op total<*S: Shape, N: Dim, T: DType>(x: Tensor[*S, N; T], y: Tensor[N; i32]) -> Tensor[*S; i32] {
    let result[*s] = sum[n] select(x[*s, n] == x[*s, n], y[n], 0)
    return result
}

op lookup<*S: Shape, N: Dim, T: DType>(ids: Tensor[*S; i32], x: Tensor[N; T]) -> Tensor[*S; T] {
    let result[*s] = x[ids[*s]]
    return result
}
"""

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Index:
    name: str
    extent: int


@dataclass(frozen=True, slots=True)
class Tensor:
    name: str
    shape: tuple[int, ...]
    dtype: str

    def declared(self) -> str:
        if not self.shape:
            return f"{self.name}: {self.dtype}"
        return f"{self.name}: {self.type}"

    @property
    def type(self) -> str:
        return f"Tensor[{', '.join(map(str, self.shape))}; {self.dtype}]"


@dataclass(frozen=True, slots=True)
class Case:
    """A program, and the arguments of its entry `run`."""

    text: str
    arguments: list[Array]

    def __repr__(self) -> str:
        return f"{self.text}\n{self.arguments}"


@dataclass
class _Writer:
    """Writes one program; every choice is hypothesis's, so that it can shrink them."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    floats: str
    integers: str
    inputs: list[Tensor] = field(default_factory=list[Tensor])
    known: list[Tensor] = field(default_factory=list[Tensor])

    def below(self, bound: int) -> int:
        return self.draw(st.integers(0, bound - 1))

    def pick(self, options: Any) -> Any:
        return options[self.below(len(options))]

    def chance(self, one_in: int) -> bool:
        return self.below(one_in) == one_in - 1

    def extent(self) -> int:
        return self.pick((2, 3, 1, 4, 2, 3, 2, 3, 1, 0))

    def fresh(self, env: list[Index], names: str, count: int) -> list[Index]:
        free = [name for name in names if all(name != index.name for index in env)]
        return [Index(name, self.extent()) for name in free[:count]]

    # Accesses.

    def access(self, dtype: str, must: list[Index], env: list[Index], depth: int) -> str:
        """An access that uses all of `must` directly, of a tensor that there is or a new one."""
        if self.chance(3):
            for tensor in self.known:
                if tensor.dtype == dtype and tensor.shape and self.chance(2):
                    parts = self.match(tensor, must, env, depth)
                    if parts is not None:
                        return f"{tensor.name}[{', '.join(parts)}]"
        axes: list[tuple[int, str]] = [(index.extent, index.name) for index in must]
        for _ in range(self.below(3) if len(axes) < 4 else 0):
            axes.append(self.axis(env, depth))
        if not axes:
            axes.append(self.axis(env, depth))
        axes = list(self.draw(st.permutations(axes)))
        return self.new(dtype, axes)

    def new(self, dtype: str, axes: list[tuple[int, str]]) -> str:
        """An access of a new tensor, or of a view of one."""
        parts = ", ".join(part for _, part in axes)
        shape = tuple(size for size, _ in axes)
        view = self.below(8) if len(axes) > 1 else 7
        name = f"x{len(self.inputs)}"
        match view:
            case 0:
                order = self.draw(st.permutations(range(len(axes))))
                turned = tuple(shape[order.index(axis)] for axis in range(len(axes)))
                base = f"permute({name}, [{', '.join(map(str, order))}])"
            case 1:
                turned = (shape[0] * shape[1], *shape[2:])
                base = f"reshape({name}, [{', '.join(map(str, shape))}])"
            case 2:
                turned = (shape[0] + 1, *shape[1:])
                base = f"{name}[1:{shape[0] + 1}]"
            case _:
                turned, base = shape, name
        tensor = Tensor(name, turned, dtype)
        self.inputs.append(tensor)
        self.known.append(tensor)
        return f"{base}[{parts}]"

    def axis(self, env: list[Index], depth: int) -> tuple[int, str]:
        """The size of an axis, and what indexes it."""
        if env and not self.chance(3):
            index = self.pick(env)  # Perhaps a second time: a diagonal.
            return index.extent, index.name
        size = max(self.extent(), 1)
        return size, self.position(size, env, depth)

    def position(self, size: int, env: list[Index], depth: int) -> str:
        """A constant in range, or a computed position."""
        if self.chance(4):
            return str(self.below(size))
        return self.element(self.pick(("i32", "i64", "i8", "u8", self.integers)), env, depth - 1)

    def match(
        self, tensor: Tensor, must: list[Index], env: list[Index], depth: int
    ) -> list[str] | None:
        parts: list[str] = []
        left = list(must)
        for size in tensor.shape:
            fitting = [index for index in left if index.extent == size]
            if fitting:
                parts.append(fitting[0].name)
                left.remove(fitting[0])
                continue
            others = [index for index in env if index.extent == size]
            if others and not self.chance(3):
                parts.append(self.pick(others).name)
            elif size > 0:
                parts.append(self.position(size, env, depth))
            else:
                return None
        return None if left else parts

    # Element expressions.

    def covering(self, dtype: str, must: list[Index], env: list[Index], depth: int) -> str:
        """An element expression that uses all of `must` directly."""
        if dtype == "bool" or (len(must) > 1 and self.chance(2)) or (depth > 0 and self.chance(3)):
            cut = self.below(len(must) + 1)
            left, right = must[:cut], must[cut:]
            if dtype == "bool":
                inner = self.pick((self.floats, self.integers))
                operator = self.pick(("<", "<=", "==", "!=", ">", ">="))
            else:
                inner, operator = dtype, self.pick(("*", "+", "*", "-"))
            first = self.covering(inner, left, env, depth - 1)
            second = self.covering(inner, right, env, depth - 1)
            return f"({first} {operator} {second})"
        if dtype in FLOATS and self.chance(4):
            other = self.pick(FLOATS)
            return f"cast<{dtype}>({self.access(other, must, env, depth)})"
        return self.access(dtype, must, env, depth)

    def element(self, dtype: str, env: list[Index], depth: int) -> str:
        """An element expression of `dtype`, of any indices."""
        if depth <= 0:
            return self.leaf(dtype, env, depth)
        if dtype == "bool":
            return self.boolean(env, depth)
        choices = [
            self.leaf,
            self.binary,
            self.binary,
            self.reduction,
            self.choice,
            self.unary,
            self.convert,
        ]
        if dtype in FLOATS:
            choices.append(self.helper)
        return self.pick(choices)(dtype, env, depth)

    def leaf(self, dtype: str, env: list[Index], depth: int) -> str:
        if self.chance(5):
            scalar = Tensor(f"s{len(self.inputs)}", (), dtype)
            self.inputs.append(scalar)
            return scalar.name
        if env and dtype != "bool" and self.chance(5):
            index = self.pick(env)
            return f"iota<{dtype}>({index.extent})[{index.name}]"
        must = [index for index in env if self.chance(2)]
        return self.access(dtype, must, env, depth)

    def binary(self, dtype: str, env: list[Index], depth: int) -> str:
        left = self.element(dtype, env, depth - 1)
        if dtype in FLOATS:
            operator = self.pick(("+", "-", "*", "min", "max"))
        else:
            operator = self.pick(("+", "-", "*", "min", "max", "&", "|", "^", "/", "%", "shr"))
        if operator in ("/", "%", "shr"):
            right = str(1 + self.below(3))
        elif self.chance(4):
            right = str(self.below(4))
        else:
            right = self.element(dtype, env, depth - 1)
        if operator.isalpha():
            return f"{operator}({left}, {right})"
        return f"({left} {operator} {right})"

    def unary(self, dtype: str, env: list[Index], depth: int) -> str:
        inner = self.element(dtype, env, depth - 1)
        return f"(-({inner}))" if self.chance(2) else f"abs({inner})"

    def convert(self, dtype: str, env: list[Index], depth: int) -> str:
        if dtype in FLOATS:
            source = self.pick((*FLOATS, self.integers, "bool"))
        else:
            source = self.pick((*INTEGERS, "bool"))
        return f"cast<{dtype}>({self.element(source, env, depth - 1)})"

    def choice(self, dtype: str, env: list[Index], depth: int) -> str:
        condition = self.boolean(env, depth - 1)
        left = self.element(dtype, env, depth - 1)
        right = self.element(dtype, env, depth - 1)
        if self.chance(2):
            return f"select({condition}, {left}, {right})"
        return f"(if {condition} {{ {left} }} else {{ {right} }})"

    def helper(self, dtype: str, env: list[Index], depth: int) -> str:
        first = self.element(dtype, env, depth - 1)
        match self.below(5):
            case 0:
                return f"blend({first}, {self.element(dtype, env, depth - 1)})"
            case 1 | 2 | 3 as which:
                name = ("spread", "drift", "shrink")[which - 1]
                return f"{name}({first}, {self.element('i32', env, depth - 1)})"
            case _:
                return f"cube({first})"

    def reduction(self, dtype: str, env: list[Index], depth: int) -> str:
        indices = self.fresh(env, "pqr", 1 + self.below(2))
        if not indices:
            return self.leaf(dtype, env, depth)
        inner = [*env, *indices]
        kinds = ("any", "all") if dtype == "bool" else ("sum", "sum", "sum", "max", "min")
        kind = self.pick(kinds)
        used = [*indices, *(index for index in env if self.chance(3))]
        body = self.covering(dtype, used, inner, depth - 1)
        if self.chance(3):
            extra = self.element(dtype, inner, depth - 1)
            operator = "^" if dtype == "bool" else self.pick(("*", "+", "-"))
            body = f"({body} {operator} {extra})"
        names = ", ".join(index.name for index in indices)
        wanted = f"<{dtype}>" if kind == "sum" and self.chance(3) else ""
        return f"({kind}{wanted}[{names}] {body})"

    def boolean(self, env: list[Index], depth: int) -> str:
        if depth <= 0:
            return self.leaf("bool", env, depth)
        match self.below(5):
            case 0:
                return self.leaf("bool", env, depth)
            case 1:
                return self.reduction("bool", env, depth)
            case 2:
                left, right = self.boolean(env, depth - 1), self.boolean(env, depth - 1)
                return f"({left} {self.pick(('&&', '||', '^', '&', '|'))} {right})"
            case 3:
                return f"(!{self.leaf('bool', env, depth)})"
            case _:
                dtype = self.pick((self.floats, self.integers))
                left = self.element(dtype, env, depth - 1)
                right = self.element(dtype, env, depth - 1)
                return f"({left} {self.pick(('<', '<=', '==', '!='))} {right})"

    # Statements.

    def statement(self, number: int) -> tuple[str, Tensor]:
        dtype = self.pick((self.floats, self.floats, self.integers, "bool"))
        outputs = self.fresh([], "ijkl", self.pick((2, 1, 2, 3, 0)))
        depth = self.pick((2, 1, 3))
        if not outputs:
            value = self.reduction(dtype, [], depth)
            return f"let y{number} = {value}", Tensor(f"y{number}", (), dtype)
        tensor = Tensor(f"y{number}", tuple(index.extent for index in outputs), dtype)
        value = self.covering(dtype, outputs, outputs, depth)
        if self.chance(2):
            extra = self.element(dtype, outputs, depth)
            operator = self.pick(("^", "&", "|") if dtype == "bool" else ("+", "*", "-"))
            value = f"({value} {operator} {extra})"
        names = ", ".join(index.name for index in outputs)
        return f"let y{number}[{names}] = {value}", tensor

    def product(self, number: int) -> tuple[str, Tensor]:
        """A sum of products: what becomes a contraction."""
        outputs = self.fresh([], "ijkl", self.pick((2, 3, 1, 4)))
        summed = self.fresh([], "pq", 1 + self.below(2))
        dtype = self.pick((self.floats, self.floats, self.integers))
        sides: tuple[list[Index], list[Index]] = ([], [])
        for index in outputs:
            where = self.below(3)
            for side, factor in enumerate(sides):
                if where in (side, 2):
                    factor.append(index)
        narrow = self.pick((dtype, dtype, "bf16", "f16")) if dtype in FLOATS else dtype
        factors: list[str] = []
        for side, factor in enumerate(sides):
            axes = [(index.extent, index.name) for index in (*factor, *summed)]
            if self.chance(5):
                axes.append(self.axis([*outputs, *summed] if side else list(summed), 1))
            access = self.new(narrow, list(self.draw(st.permutations(axes))))
            factors.append(access if narrow == dtype else f"cast<{dtype}>({access})")
        names = ", ".join(index.name for index in outputs)
        body = f"{factors[0]} * {factors[1]}"
        if self.chance(4):
            body = f"cast<{dtype}>({body})"
        value = f"sum[{', '.join(index.name for index in summed)}] {body}"
        tensor = Tensor(f"y{number}", tuple(index.extent for index in outputs), dtype)
        return f"let y{number}[{names}] = {value}", tensor

    def call(self, number: int) -> tuple[str, Tensor] | None:
        """An op over a pack, on a tensor that there is."""
        bases = [tensor for tensor in self.known if tensor.shape]
        if not bases:
            return None
        base = self.pick(bases)
        if self.chance(2):
            weights = Tensor(f"x{len(self.inputs)}", base.shape[-1:], "i32")
            self.inputs.append(weights)
            result = Tensor(f"y{number}", base.shape[:-1], "i32")
            return f"let y{number} = total({base.name}, {weights.name})", result
        shape = tuple(self.extent() for _ in range(self.below(4)))
        if len(base.shape) != 1 or base.shape[0] == 0:
            return None
        ids = Tensor(f"x{len(self.inputs)}", shape, "i32")
        self.inputs.append(ids)
        result = Tensor(f"y{number}", shape, base.dtype)
        return f"let y{number} = lookup({ids.name}, {base.name})", result


@st.composite
def cases(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Case:
    """A program and its inputs."""
    writer = _Writer(draw, draw(st.sampled_from(FLOATS)), draw(st.sampled_from(INTEGERS)))
    lines: list[str] = []
    results: list[Tensor] = []
    for number in range(1 + writer.below(3)):
        written = writer.call(number) if number and writer.chance(3) else None
        if written is None:
            written = writer.product(number) if writer.chance(3) else writer.statement(number)
        line, tensor = written
        lines.append(line)
        results.append(tensor)
        writer.known.append(tensor)
    type_ = ", ".join(result.declared().partition(": ")[2] for result in results)
    value = ", ".join(result.name for result in results)
    if len(results) > 1:
        type_, value = f"({type_})", f"({value})"
    parameters = ", ".join(tensor.declared() for tensor in writer.inputs)
    body = "\n".join(f"    {line}" for line in [*lines, f"return {value}"])
    text = f"module probe\n{HELPERS}\nentry run({parameters}) -> {type_} {{\n{body}\n}}\n"
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    return Case(text, [_numbers(rng, tensor) for tensor in writer.inputs])


def _numbers(rng: np.random.Generator, tensor: Tensor) -> Array:
    dtype = numpy_dtype(tensor.dtype)
    if tensor.dtype == "bool":
        return np.asarray(rng.integers(0, 2, tensor.shape), np.bool_)
    if tensor.dtype in FLOATS:
        return np.asarray(rng.integers(-4, 5, tensor.shape) / 2).astype(dtype)
    # Positions inside and outside of an axis, and now and then the ends of the dtype.
    small = np.asarray(rng.integers(0 if tensor.dtype[0] == "u" else -2, 6, tensor.shape))
    ends = np.asarray(rng.choice(np.array(_ends(dtype)), tensor.shape))
    return np.where(rng.random(tensor.shape) < 0.1, ends, small.astype(dtype)).astype(dtype)


def _ends(dtype: np.dtype[Any]) -> Array:
    limits = np.iinfo(dtype)
    return np.array([limits.min, limits.max], dtype)
