"""Index notation: comprehensions, accesses and reductions (language section 7)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from generate import _numbers as n
from generate._dims import Dim, number
from generate._numbers import FLOATS, INTEGERS, SIGNED, Unwanted, V
from generate._scope import E, Env, Pack, Scope, Shape, Stmt, Var, is_worth
from generate._values import Values, _base


@dataclass(frozen=True, slots=True)
class Index:
    """A plain index and the axis it runs over."""

    name: str
    extent: Dim


# One part of an access: what is written, and the positions it stands for.
Part = tuple[str, Callable[[Env], V]]


class Elements(Values):
    """Writes scalar expressions at a point of an index space."""

    def __init__(self, scope: Scope, outer: Values, indices: Sequence[Index]) -> None:
        super().__init__(scope)
        self.outer = outer
        self.indices = list(indices)

    def deeper(self, more: Sequence[Index]) -> "Elements":
        env = self.s.env
        names = [index.name for index in more]
        inner = env.inside(names, [index.extent.value(env.dims) for index in more])
        return Elements(
            replace(self.s, env=inner, in_element=True), self.outer, [*more, *self.indices]
        )

    def fresh_indices(self, names: str, count: int) -> list[Index]:
        taken = {index.name for index in self.indices}
        free = [name for name in names if name not in taken]
        return [Index(name, self.dimension()) for name in free[:count]]

    def makers(self, dtype: str, shape: Shape) -> list[Callable[[str, Shape, int], E]]:
        makers = super().makers(dtype, shape)
        makers += [self.reduction, self.reduction]
        if any(f.pointwise for f in self.s.functions):
            makers += [self.call, self.call]
        return makers

    def leaf(self, dtype: str, shape: Shape) -> E:
        assert shape == ()
        if self.c.chance(5):
            scalars = [v for v in self.s.vars if v.dtype == dtype and v.shape == ()]
            if scalars:
                return self.s.named(self.c.pick(scalars))
        if self.indices and dtype != "bool" and self.c.chance(5):
            return self.position(dtype, self.c.pick(self.indices))
        must = [index for index in self.indices if self.c.chance(3)]
        return self.access(dtype, must, 0)

    def position(self, dtype: str, index: Index) -> E:
        self.c.uses("iota of an index")
        text = f"iota<{dtype}>({self.s.spell(index.extent)})[{index.name}]"
        return E(text, dtype, (), lambda env: n.cast(env.dtype(dtype), env.along(index.name)))

    # Accesses.

    def access(self, dtype: str, must: Sequence[Index], depth: int) -> E:
        """An access that uses all of `must` directly."""
        axes: list[tuple[Dim, Part]] = [(i.extent, self.direct(i)) for i in must]
        if not axes or self.c.chance(3):
            axes.append(self.axis(depth))
        axes = self.c.shuffled(axes)
        shape = tuple(dim for dim, _ in axes)
        if self.c.chance(4):
            base = self.outer.value(dtype, shape, 2)
        else:
            base = self.outer.leaf(dtype, shape)
        parts = [part for _, part in axes]
        return E(
            f"{_base(base)}[{', '.join(text for text, _ in parts)}]",
            dtype,
            (),
            lambda env: accessed(base.value(env), [run(env) for _, run in parts]),
        )

    def direct(self, index: Index) -> Part:
        return index.name, lambda env: env.along(index.name)

    def axis(self, depth: int) -> tuple[Dim, Part]:
        """A further axis: a diagonal, a constant or a computed position."""
        if self.indices and self.c.chance(3):
            self.c.uses("diagonal")
            index = self.c.pick(self.indices)
            return index.extent, self.direct(index)
        dim = self.outer.dimension()
        low = self.s.lowest(dim)
        if low > 0 and self.c.chance(2):
            self.c.uses("constant position")
            at = self.c.below(low)
            return dim, (str(at), lambda env: n.exact("i64", at))
        size = dim.value(self.s.env.dims)
        if size == 0 or dim.constant is None:
            dim, size = number(3), 3
        self.c.uses("computed position")
        of = self.c.pick((*SIGNED, "u8", "u16", "u32", "u64"))
        inner = self.value(of, (), depth - 1)
        text = f"({inner.text}) % {size}"
        if of in SIGNED:
            text = f"abs({text})"

        def run(env: Env) -> V:
            held = n.rem(inner.value(env), n.exact(of, size))
            return n.absolute(held) if of in SIGNED else held

        return dim, (text, run)

    # Expressions.

    def covering(self, dtype: str, must: Sequence[Index], depth: int) -> E:
        """An expression that uses all of `must` directly."""
        if dtype == "bool":
            return self.covering_compare(must, depth)
        if (len(must) > 1 and self.c.chance(2)) or (depth > 0 and self.c.chance(3)):
            cut = self.c.below(len(must) + 1)
            a = self.covering(dtype, must[:cut], depth - 1)
            b = self.covering(dtype, must[cut:], depth - 1)
            operator = self.c.pick("**+-")
            run = {"+": n.add, "-": n.sub, "*": n.mul}[operator]
            return self.binary(f"({{}} {operator} {{}})", dtype, (), a, b, run)
        if dtype in FLOATS and self.c.chance(4):
            self.c.uses("cast in index notation")
            a = self.access(self.c.pick(FLOATS), must, depth)
            return E(f"cast<{dtype}>({a.text})", dtype, (), lambda env: n.cast(dtype, a.value(env)))
        return self.access(dtype, must, depth)

    def covering_compare(self, must: Sequence[Index], depth: int) -> E:
        if self.c.chance(2):
            return self.access("bool", must, depth)
        of = self.c.pick(("f32", "i32", *FLOATS, *INTEGERS))
        cut = self.c.below(len(must) + 1)
        a, b = self.covering(of, must[:cut], depth - 1), self.covering(of, must[cut:], depth - 1)
        operator = self.c.pick(("<", "<=", "==", "!=", ">", ">="))
        return self.binary(
            f"({{}} {operator} {{}})", "bool", (), a, b, lambda v, w: n.compare(operator, v, w)
        )

    def reduction(self, dtype: str, shape: Shape, depth: int) -> E:
        more = self.fresh_indices("pqrstu", 1 + self.c.chance(3))
        if not more:
            raise Unwanted("no free index")
        kinds = ("any", "all") if dtype == "bool" else ("sum", "sum", "max", "min", "sum", "prod")
        kind = self.c.pick(kinds)
        self.c.uses(f"{kind}[…]")
        if self.indices:
            self.c.uses("reduction in a comprehension")
        inner = self.deeper(more)
        used = [*more, *(index for index in self.indices if self.c.chance(2))]
        body = inner.covering(dtype, used, depth - 1)
        if depth > 1 and self.c.chance(3):
            extra = inner.value(dtype, (), depth - 1)
            operator = self.c.pick("&^|" if dtype == "bool" else "+*-")
            if dtype == "bool":
                run: Callable[[V, V], V] = lambda v, w: n.bits(operator, v, w)  # noqa: E731
            else:
                run = {"+": n.add, "-": n.sub, "*": n.mul}[operator]
            body = self.binary(f"({{}} {operator} {{}})", dtype, (), body, extra, run)
        names = [index.name for index in more]
        wanted = f"<{dtype}>" if kind in ("sum", "prod") and self.c.chance(3) else ""
        if wanted:
            self.c.uses("accumulator")

        def value(env: Env) -> V:
            within = env.inside(names, [index.extent.value(env.dims) for index in more])
            return n.reduce(kind, within.whole(body.value(within)), len(names))

        return E(f"({kind}{wanted}[{', '.join(names)}] {body.text})", dtype, (), value)

    def call(self, dtype: str, shape: Shape, depth: int) -> E:
        """A call of a function from scalars to a scalar."""
        self.c.uses("call in index notation")
        fitting = [f for f in self.s.functions if f.pointwise]
        return self.c.pick(fitting).called(self, dtype, (), depth)


def accessed(base: V, places: Sequence[V]) -> V:
    """The elements at positions, each given for the points of a space or for all of them."""
    doubt = np.zeros((), np.bool_)
    arrays: list[n.Array] = []
    for axis, place in enumerate(places):
        at = np.asarray(place.data)
        if at.size and ((at < 0) | (at >= base.shape[axis])).any():
            raise Unwanted("an index outside")
        arrays.append(at.astype(np.int64))
        doubt = doubt | (place.off > 0)
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    if 0 in base.shape and 0 not in shape:
        raise Unwanted("an element of nothing")
    taken = base.map(lambda array: array[tuple(arrays)])
    return V(base.dtype, taken.data, np.where(doubt, np.inf, taken.off))


def comprehension(values: Values, name: str, dtype: str, depth: int) -> tuple[Stmt, Var]:
    """`let name[i, …] = …`, or a bare reduction without an output index."""
    scope, choices = values.s, values.c
    choices.uses("comprehension")
    start = Elements(replace(scope, in_element=True), values, [])
    outputs = start.fresh_indices("ijkl", choices.pick((2, 1, 2, 3, 0)))
    if not outputs:
        bare = start.checked(start.reduction(dtype, (), depth))
        return _let(f"let {name} = {bare.text}", name, bare.value), Var(name, dtype, ())
    inner = start.deeper(outputs)
    body = inner.covering(dtype, outputs, depth)
    if choices.chance(2):
        extra = inner.value(dtype, (), depth)
        operator = choices.pick("&^|" if dtype == "bool" else "+*-")
        if dtype == "bool":
            run: Callable[[V, V], V] = lambda v, w: n.bits(operator, v, w)  # noqa: E731
        else:
            run = {"+": n.add, "-": n.sub, "*": n.mul}[operator]
        body = inner.binary(f"({{}} {operator} {{}})", dtype, (), body, extra, run)
    inner.checked(body)
    names = [index.name for index in outputs]

    def value(env: Env) -> V:
        within = env.inside(names, [index.extent.value(env.dims) for index in outputs])
        return within.whole(body.value(within))

    shape = tuple(index.extent for index in outputs)
    return _let(f"let {name}[{', '.join(names)}] = {body.text}", name, value), Var(
        name, dtype, shape
    )


def product(values: Values, name: str, dtype: str) -> tuple[Stmt, Var]:
    """A sum of products: what becomes a contraction."""
    scope, choices = values.s, values.c
    choices.uses("contraction")
    start = Elements(replace(scope, in_element=True), values, [])
    outputs = start.fresh_indices("ijkl", choices.pick((2, 3, 1, 4)))
    at_point = start.deeper(outputs)
    summed = at_point.fresh_indices("pq", 1 + choices.below(2))
    inner = at_point.deeper(summed)
    sides: tuple[list[Index], list[Index]] = ([], [])
    for index in outputs:
        where = choices.below(3)
        for side, factor in enumerate(sides):
            if where in (side, 2):
                factor.append(index)
    narrow = choices.pick((dtype, dtype, "bf16", "f16")) if dtype in FLOATS else dtype
    factors: list[E] = []
    for factor in sides:
        access = inner.access(narrow, [*factor, *summed], 1)
        if narrow != dtype:
            access = _converted(access, dtype)
        factors.append(access)
    a, b = factors
    names = [index.name for index in outputs]
    bound = [index.name for index in summed]

    def value(env: Env) -> V:
        dims = env.dims
        at = env.inside(names, [index.extent.value(dims) for index in outputs])
        within = at.inside(bound, [index.extent.value(dims) for index in summed])
        terms = n.mul(a.value(within), b.value(within))
        return at.whole(n.reduce("sum", within.whole(terms), len(bound)))

    text = f"let {name}[{', '.join(names)}] = sum[{', '.join(bound)}] {a.text} * {b.text}"
    shape = tuple(index.extent for index in outputs)
    if not is_worth(value(scope.env)):
        raise Unwanted("nothing to compare")
    return _let(text, name, value), Var(name, dtype, shape)


def _converted(a: E, dtype: str) -> E:
    return E(f"cast<{dtype}>({a.text})", dtype, (), lambda env: n.cast(dtype, a.value(env)))


def _let(text: str, name: str, value: Callable[[Env], V]) -> Stmt:
    def run(env: Env) -> None:
        env.vars[name] = value(env)

    return Stmt((text,), run)


def over_pack(values: Values, name: str, pack: Pack, tail: Shape, dtype: str) -> tuple[Stmt, Var]:
    """`let name[*s] = sum[p] …`: a reduction of the axes after a pack."""
    scope, choices = values.s, values.c
    choices.uses("pack index")
    a = scope.named(scope.new_input(dtype, (pack, *tail)))
    b = scope.named(scope.new_input(dtype, tail))
    names = "pqr"[: len(tail)]
    kind = choices.pick(("sum", "max", "min"))
    text = (
        f"let {name}[*s] = {kind}[{', '.join(names)}] "
        f"{a.text}[*s, {', '.join(names)}] * {b.text}[{', '.join(names)}]"
    )

    def value(env: Env) -> V:
        terms = n.mul(a.value(env), b.value(env))
        last = terms.data.ndim - len(tail)
        axes = [*range(last, terms.data.ndim), *range(last)]
        return n.reduce(kind, terms.map(lambda array: array.transpose(axes)), len(tail))

    return _let(text, name, value), Var(name, dtype, (pack,))
