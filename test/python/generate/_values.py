"""Whole values: expressions of a wanted dtype and shape, outside of index notation."""

from collections.abc import Callable

import numpy as np

from generate import _numbers as n
from generate._dims import Dim, number
from generate._numbers import FLOATS, INTEGERS, SIGNED, Unwanted, V
from generate._scope import E, Env, Pack, Scope, Shape, is_worth

ARITHMETIC: dict[str, Callable[[V, V], V]] = {"+": n.add, "-": n.sub, "*": n.mul}
FUNCTIONS = ("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Values:
    """Writes expressions into one scope. `depth` bounds how deep they nest."""

    def __init__(self, scope: Scope) -> None:
        self.s = scope
        self.c = scope.choices

    # Choice and check.

    def checked(self, expression: E) -> E:
        """The expression, if it has a value worth comparing in the environment at hand."""
        if not is_worth(expression.value(self.s.env)):
            raise Unwanted("nothing to compare")
        return expression

    def value(self, dtype: str, shape: Shape, depth: int) -> E:
        """An expression of this type."""
        if depth > 0:
            makers = self.makers(dtype, shape)
            try:
                return self.checked(self.c.pick(makers)(dtype, shape, depth))
            except Unwanted:
                pass
        return self.leaf(dtype, shape)

    def makers(self, dtype: str, shape: Shape) -> list[Callable[[str, Shape, int], E]]:
        plain = not any(isinstance(part, Pack) for part in shape)
        makers: list[Callable[[str, Shape, int], E]] = [self.select, self.branch]
        if dtype == "bool":
            makers += [self.compare, self.compare, self.bits]
        else:
            makers += [self.arithmetic] * 4 + [self.unary, self.extreme]
        if self.s.is_float(dtype):
            makers += [self.function, self.quotient, self.function]
        if dtype in INTEGERS:
            makers += [self.bits, self.shift, self.quotient]
        if self.s.is_concrete(dtype) or self.s.is_float(dtype):
            makers.append(self.cast)
        if plain and not self.s.in_element:
            if shape:
                makers += [self.reshape, self.slice, self.slice, self.pick_axis, self.spread]
                makers += [self.concat, self.fill]
            if len(shape) > 1:
                makers += [self.permute, self.permute]
            if len(shape) == 1 and dtype != "bool":
                makers.append(self.iota)
            if shape and dtype != "bool":
                makers.append(self.running)
        return makers

    # Leaves.

    def leaf(self, dtype: str, shape: Shape) -> E:
        fitting = [v for v in self.s.vars if v.dtype == dtype and v.shape == shape]
        if fitting and not self.c.chance(4):
            var = self.c.pick(fitting[::-1])
            return self.s.named(var)
        if not shape and dtype != "bool" and self.c.chance(3):
            constants = [d for d in self.s.dims if d.constant is None]
            if constants and not self.s.in_element:
                return self.size(dtype, self.c.pick(constants))
        return self.s.named(self.s.new_input(dtype, shape))

    def size(self, dtype: str, dim: Dim) -> E:
        """A generic as a number: a compile-time integer adopts the dtype [TYP-10]."""
        self.c.uses("dimension as a value")
        text = self.s.spell(dim)
        value = dim.value(self.s.env.dims)
        if value > 100:
            raise Unwanted("a large size")

        def run(env: Env) -> V:
            return n.cast(env.dtype(dtype), n.exact("i64", dim.value(env.dims)))

        # `cast` needs a dtype of its own to come from: `i64` without context [TYP-12].
        return E(f"cast<{dtype}>({text})", dtype, (), run)

    def literal(self, dtype: str) -> E:
        """A number in the context of another operand."""
        self.c.uses("literal in context")
        if self.s.is_float(dtype) and not self.c.chance(4):
            value: float = self.c.pick((0.5, 2.0, 1.0, 0.25, 3.0, 1.5, 0.1, 1e-3))
            return E(repr(value), dtype, (), lambda env: n.exact(env.dtype(dtype), value))
        whole = self.c.below(5)
        return E(str(whole), dtype, (), lambda env: n.exact(env.dtype(dtype), whole))

    # Elementwise.

    def operand_shapes(self, shape: Shape) -> tuple[Shape, Shape]:
        """Two shapes that broadcast to one [DIM-18]: axes dropped, or of size 1, on one side."""
        if not shape or self.c.chance(2):
            return shape, shape
        self.c.uses("broadcast")
        one = number(1)
        if self.c.chance(2):
            narrow: Shape = shape[1 + self.c.below(len(shape)) :]
        else:
            at = self.c.below(len(shape))
            narrow = shape
            if not isinstance(shape[at], Pack):
                narrow = (*shape[:at], one, *shape[at + 1 :])
        return (narrow, shape) if self.c.chance(2) else (shape, narrow)

    def operands(self, dtype: str, shape: Shape, depth: int, literals: bool = True) -> tuple[E, E]:
        left, right = self.operand_shapes(shape)
        if literals and dtype != "bool" and self.c.chance(4):
            typed, literal = self.value(dtype, shape, depth - 1), self.literal(dtype)
            return (literal, typed) if self.c.chance(2) else (typed, literal)
        return self.value(dtype, left, depth - 1), self.value(dtype, right, depth - 1)

    def binary(
        self, text: str, dtype: str, shape: Shape, a: E, b: E, run: Callable[[V, V], V]
    ) -> E:
        shown = text.format(a.text, b.text)
        return E(shown, dtype, shape, lambda env: run(a.value(env), b.value(env)))

    def arithmetic(self, dtype: str, shape: Shape, depth: int) -> E:
        operator = self.c.pick("+*-")
        a, b = self.operands(dtype, shape, depth)
        return self.binary(f"({{}} {operator} {{}})", dtype, shape, a, b, ARITHMETIC[operator])

    def extreme(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("min/max")
        a, b = self.operands(dtype, shape, depth)
        if self.c.below(2):
            return self.binary("min({}, {})", dtype, shape, a, b, n.least)
        return self.binary("max({}, {})", dtype, shape, a, b, n.greatest)

    def quotient(self, dtype: str, shape: Shape, depth: int) -> E:
        a, b = self.operands(dtype, shape, depth, literals=False)
        if self.c.chance(2):
            self.c.uses("remainder")
            return self.binary("({} % {})", dtype, shape, a, b, n.rem)
        self.c.uses("division")
        return self.binary("({} / {})", dtype, shape, a, b, n.div)

    def unary(self, dtype: str, shape: Shape, depth: int) -> E:
        a = self.value(dtype, shape, depth - 1)
        if self.c.below(2):
            return E(f"abs({a.text})", dtype, shape, lambda env: n.absolute(a.value(env)))
        return E(f"(-({a.text}))", dtype, shape, lambda env: n.neg(a.value(env)))

    def function(self, dtype: str, shape: Shape, depth: int) -> E:
        name = self.c.pick(FUNCTIONS)
        self.c.uses(name)
        a = self.value(dtype, shape, depth - 1)
        return E(f"{name}({a.text})", dtype, shape, lambda env: n.function(name, a.value(env)))

    def bits(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("bitwise")
        operator = self.c.pick("&|^")
        a, b = self.operands(dtype, shape, depth)
        return self.binary(
            f"({{}} {operator} {{}})", dtype, shape, a, b, lambda v, w: n.bits(operator, v, w)
        )

    def shift(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("shift")
        name = self.c.pick(("shl", "shr"))
        a = self.value(dtype, shape, depth - 1)
        if self.c.chance(2):
            b = self.value(dtype, shape, depth - 1)
            mask = n.STORED[dtype].itemsize * 8 - 1
            return self.binary(
                f"{name}({{}}, {{}} & {mask})",
                dtype,
                shape,
                a,
                b,
                lambda v, w: n.shift(name, v, n.bits("&", w, n.exact(dtype, mask))),
            )
        amount = self.c.pick((1, 0, 3, 7))
        return E(
            f"{name}({a.text}, {amount})",
            dtype,
            shape,
            lambda env: n.shift(name, a.value(env), n.exact(dtype, amount)),
        )

    def compare(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("comparison")
        of = self.any_dtype()
        operator = self.c.pick(COMPARISONS[:2] if of == "bool" else COMPARISONS)
        a, b = self.operands(of, shape, depth)
        return self.binary(
            f"({{}} {operator} {{}})",
            "bool",
            shape,
            a,
            b,
            lambda v, w: n.compare(operator, v, w),
        )

    def any_dtype(self) -> str:
        used = list(dict.fromkeys(v.dtype for v in self.s.vars)) or ["f32"]
        if self.c.chance(3):
            return self.c.pick((*FLOATS, *INTEGERS, "bool"))
        return self.c.pick(used)

    def cast(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("cast")
        source = self.any_dtype()
        a = self.value(source, shape, depth - 1)
        return E(
            f"cast<{dtype}>({a.text})",
            dtype,
            shape,
            lambda env: n.cast(env.dtype(dtype), a.value(env)),
        )

    def select(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("select")
        a, b = self.operands(dtype, shape, depth)
        c = self.value("bool", self.c.pick((shape, shape, ())), depth - 1)
        return E(
            f"select({c.text}, {a.text}, {b.text})",
            dtype,
            shape,
            lambda env: n.choose(c.value(env), a.value(env), b.value(env)),
        )

    def branch(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("if")
        c = self.condition(depth - 1)
        a, b = self.value(dtype, shape, depth - 1), self.value(dtype, shape, depth - 1)
        return E(
            f"(if {c.text} {{ {a.text} }} else {{ {b.text} }})",
            dtype,
            shape,
            lambda env: n.choose(c.value(env), a.value(env), b.value(env)),
        )

    def condition(self, depth: int) -> E:
        """A scalar `bool`, with the operators that only those have [EXP-4]."""
        c = self.value("bool", (), depth)
        match self.c.below(5):
            case 0:
                return E(f"(!{c.text})", "bool", (), lambda env: n.logic_not(c.value(env)))
            case 1 | 2 as which:
                d = self.value("bool", (), depth)
                operator, same = (("&&", "&"), ("||", "|"))[which - 1]
                return E(
                    f"({c.text} {operator} {d.text})",
                    "bool",
                    (),
                    lambda env: n.bits(same, c.value(env), d.value(env)),
                )
            case _:
                return c

    # Shapes.

    def sizes(self, shape: Shape) -> str:
        return f"[{self.s.shape(shape)}]"

    def reshape(self, dtype: str, shape: Shape, depth: int) -> E:
        """From a shape of the same count [DIM-7]."""
        self.c.uses("reshape")
        dims = list(shape)
        if len(dims) > 1 and self.c.chance(2):
            at = self.c.below(len(dims) - 1)
            dims[at : at + 2] = [dims[at] * dims[at + 1]]  # pyright: ignore
        elif self.c.chance(2):
            dims.insert(self.c.below(len(dims) + 1), number(1))
        else:
            dims = self.c.shuffled(dims)
        a = self.value(dtype, tuple(dims), depth - 1)
        return E(
            f"reshape({a.text}, {self.sizes(shape)})",
            dtype,
            shape,
            lambda env: a.value(env).map(lambda array: array.reshape(env.sizes(shape))),
        )

    def spread(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("broadcast_to")
        narrow, wide = self.operand_shapes(shape)
        if narrow == shape:
            narrow = wide
        a = self.value(dtype, narrow, depth - 1)
        return E(
            f"broadcast_to({a.text}, {self.sizes(shape)})",
            dtype,
            shape,
            lambda env: a.value(env).map(lambda array: np.broadcast_to(array, env.sizes(shape))),
        )

    def permute(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("permute")
        order = self.c.shuffled(range(len(shape)))
        source: list[Dim | Pack] = list(shape)
        for axis, place in enumerate(order):
            source[place] = shape[axis]
        a = self.value(dtype, tuple(source), depth - 1)
        return E(
            f"permute({a.text}, [{', '.join(map(str, order))}])",
            dtype,
            shape,
            lambda env: a.value(env).map(lambda array: array.transpose(order)),
        )

    def concat(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("concat")
        axis = self.c.below(len(shape))
        whole = shape[axis]
        assert isinstance(whole, Dim)
        parts = self.split(whole)
        pieces = [
            self.value(dtype, (*shape[:axis], part, *shape[axis + 1 :]), depth - 1)
            for part in parts
        ]
        at = axis if self.c.below(2) else axis - len(shape)
        return E(
            f"concat({', '.join(piece.text for piece in pieces)}, axis = {at})",
            dtype,
            shape,
            lambda env: n.joined([piece.value(env) for piece in pieces], axis),
        )

    def split(self, dim: Dim) -> list[Dim]:
        """Dimensions whose sum is `dim`."""
        if dim.constant is not None:
            first = self.c.below(dim.constant + 1)
            return [number(first), number(dim.constant - first)]
        if len(dim.terms) > 1 and all(k > 0 for _, k in dim.terms):
            return [Dim((dim.terms[0],)), Dim(dim.terms[1:])]
        ((atoms, k),) = dim.terms[:1]
        if len(dim.terms) == 1 and k > 1:
            return [Dim(((atoms, 1),)), Dim(((atoms, k - 1),))]
        return [dim, number(0)] if self.c.below(2) else [number(0), dim]

    def fill(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("fill")
        a = self.value(dtype, (), depth - 1)
        written = f"<{dtype}>" if self.c.below(2) else ""
        return E(
            f"fill{written}({self.sizes(shape)}, {a.text})",
            dtype,
            shape,
            lambda env: a.value(env).map(lambda array: np.broadcast_to(array, env.sizes(shape))),
        )

    def iota(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("iota")
        (dim,) = shape
        assert isinstance(dim, Dim)
        return E(
            f"iota<{dtype}>({self.s.spell(dim)})",
            dtype,
            shape,
            lambda env: n.cast(env.dtype(dtype), n.exact("i64", np.arange(dim.value(env.dims)))),
        )

    def running(self, dtype: str, shape: Shape, depth: int) -> E:
        self.c.uses("cumsum")
        axis = self.c.below(len(shape))
        a = self.value(dtype, shape, depth - 1)
        at = axis if self.c.below(2) else axis - len(shape)
        return E(
            f"cumsum({a.text}, axis = {at})",
            dtype,
            shape,
            lambda env: n.running(a.value(env), axis),
        )

    # Indexing.

    def slice(self, dtype: str, shape: Shape, depth: int) -> E:
        """A part of something longer along one axis [EXP-10]."""
        self.c.uses("slice")
        axis = self.c.below(len(shape))
        dim = shape[axis]
        assert isinstance(dim, Dim)
        longer, part, cut = self.cut(dim)
        a = self.value(dtype, (*shape[:axis], longer, *shape[axis + 1 :]), depth - 1)
        before, after = axis, len(shape) - axis - 1
        if self.c.chance(3) and before:
            parts = ["...", part, *([":"] * after)]
        else:
            parts = [":"] * before + [part] + ([":"] * after if self.c.below(2) else [])
        place = (slice(None),) * before

        def run(env: Env) -> V:
            return a.value(env).map(lambda array: array[(*place, cut(env))])

        return E(f"{_base(a)}[{', '.join(parts)}]", dtype, shape, run)

    def cut(self, dim: Dim) -> tuple[Dim, str, Callable[[Env], slice]]:
        """A longer axis, and the slice that leaves `dim` of it."""
        extra = number(self.c.below(4))
        if self.c.chance(4):
            others = [d for d in self.s.dims if d.constant is None]
            extra = self.c.pick(others) if others else extra
        shown, size = self.s.spell(dim), self.s.spell(extra)
        match self.c.below(5):
            case 0:
                return dim + extra, f"{size}:", lambda env: slice(extra.value(env.dims), None)
            case 1:
                return dim + extra, f":{shown}", lambda env: slice(0, dim.value(env.dims))
            case 2:
                step = 2 + self.c.below(2)
                self.c.uses("slice step")
                return dim * number(step), f"::{step}", lambda env: slice(None, None, step)
            case 3 if dim.constant is not None and dim.constant:
                # Bounds beyond the end clamp.
                self.c.uses("slice clamp")
                step = 1 + self.c.below(3)
                start = self.c.below(3)
                last = 1 + self.c.below(step)
                whole = number(start + (dim.constant - 1) * step + last)
                stop = whole.constant + self.c.below(4)  # pyright: ignore
                return whole, f"{start}:{stop}:{step}", lambda env: slice(start, stop, step)
            case 4:
                self.c.uses("slice clamp")
                return dim, f"0:{shown} + {size}", lambda env: slice(None)
            case _:
                more = extra + number(1)
                return (
                    more + dim + extra,
                    f"{self.s.spell(more)}:{self.s.spell(more + dim)}",
                    lambda env: slice(more.value(env.dims), (more + dim).value(env.dims)),
                )

    def pick_axis(self, dtype: str, shape: Shape, depth: int) -> E:
        """An element along one further axis: by a constant, or by what a scalar holds."""
        axis = self.c.below(len(shape) + 1)
        dim = self.dimension()
        low = self.s.lowest(dim)
        a = self.value(dtype, (*shape[:axis], dim, *shape[axis:]), depth - 1)
        if low > 0 and self.c.below(2):
            self.c.uses("constant index")
            if self.c.below(2):
                at, part = number(self.c.below(low)), ""
            else:
                at, part = dim - number(1), f"{self.s.spell(dim)} - 1"
            part = part or self.s.spell(at)
            parts = [":"] * axis + [part]

            def run(env: Env) -> V:
                return a.value(env).map(lambda x: np.take(x, at.value(env.dims), axis))

            return E(f"{_base(a)}[{', '.join(parts)}]", dtype, shape, run)
        self.c.uses("runtime index")
        size = dim.value(self.s.env.dims)
        if size == 0:
            raise Unwanted("an element of nothing")
        of = self.c.pick((*SIGNED[1:], "u8", "u32", "u64"))
        place = self.s.named(self.s.new_input(of, (), self.c.below(size)))
        parts = [":"] * axis + [place.text]

        def take(env: Env) -> V:
            value, at = a.value(env), place.value(env)
            if at.off.any() or not 0 <= int(at.data) < value.shape[axis]:
                raise Unwanted("an index outside")
            return value.map(lambda x: np.take(x, int(at.data), axis))

        return E(f"{_base(a)}[{', '.join(parts)}]", dtype, shape, take)

    def dimension(self) -> Dim:
        """Any dimension."""
        if self.c.chance(3):
            return number(self.c.pick((2, 3, 1, 4, 5)))
        dim = self.c.pick(self.s.dims)
        if self.c.chance(5):
            other = self.c.pick(self.s.dims)
            dim = self.c.pick((dim + other, dim + number(1), dim * number(2)))
        if dim.value(self.s.env.dims) > 12:
            return number(2)
        return dim

    def tensor_shape(self, most: int = 3) -> Shape:
        rank = self.c.pick((2, 1, 2, 0, 3, 1))
        return tuple(self.dimension() for _ in range(min(rank, most)))


def _base(a: E) -> str:
    """What can be indexed: a name, or anything in parentheses."""
    name = a.text.replace("_", "a").isalnum()
    reserved = a.text in ("sum", "prod", "max", "min", "any", "all")
    return a.text if name and not reserved else f"({a.text})"
