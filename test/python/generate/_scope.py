"""What a generated program is made of: expressions that know their value, and the scopes of names.

An expression is its text and a function from an environment to its value; the generator evaluates
each as it builds it, and drops what has no defined result or no comparable one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from generate._dims import Dim, Fold, spell
from generate._numbers import FLOATS, INTEGERS, STORED, V, exact


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack in a shape, written `*S`."""

    name: str


Shape = tuple[Dim | Pack, ...]


@dataclass
class Env:
    """Values while a function runs."""

    dims: dict[str, int]
    packs: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    dtypes: dict[str, str] = field(default_factory=dict[str, str])
    vars: dict[str, V] = field(default_factory=dict[str, V])
    # Index notation: the axes in scope, innermost first, and how long each is.
    space: tuple[str, ...] = ()
    extents: dict[str, int] = field(default_factory=dict[str, int])
    # Weights and states by path, and the path of the block whose method runs.
    store: dict[str, V] = field(default_factory=dict[str, V])
    path: str = ""

    def sizes(self, shape: Shape) -> tuple[int, ...]:
        found: list[int] = []
        for part in shape:
            if isinstance(part, Pack):
                found.extend(self.packs[part.name])
            else:
                found.append(part.value(self.dims))
        return tuple(found)

    def dtype(self, name: str) -> str:
        return self.dtypes.get(name, name)

    def inside(self, names: Sequence[str], extents: Sequence[int]) -> "Env":
        """The environment within a comprehension or reduction: new axes come first."""
        return Env(
            self.dims,
            self.packs,
            self.dtypes,
            self.vars,
            (*names, *self.space),
            {**self.extents, **dict(zip(names, extents, strict=True))},
            self.store,
            self.path,
        )

    def along(self, index: str) -> V:
        """The positions of an index, along its axis of the space."""
        axis = self.space.index(index)
        shape = [1] * len(self.space)
        shape[axis] = self.extents[index]
        return exact("i64", np.arange(self.extents[index]).reshape(shape))

    def whole(self, value: V) -> V:
        """A scalar of index notation, as one number for every point of the space."""
        shape = tuple(self.extents[name] for name in self.space)
        return value.map(lambda array: np.broadcast_to(array, shape))


@dataclass(frozen=True, slots=True)
class E:
    """An expression: what is written, its type, and its value in an environment."""

    text: str
    dtype: str
    shape: Shape
    value: Callable[[Env], V]


@dataclass(frozen=True, slots=True)
class Var:
    """A name with a type: a local or parameter, or a member of the block at hand."""

    name: str
    dtype: str
    shape: Shape
    member: bool = False


@dataclass(frozen=True, slots=True)
class Stmt:
    """A statement: its lines, and what it does to an environment."""

    lines: tuple[str, ...]
    run: Callable[[Env], None]


class Choices:
    """All choices of a program; each is a number below another, so that they shrink."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below
        self.features: set[str] = set()

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.below(len(options))]

    def chance(self, one_in: int) -> bool:
        """Whether the rare case is taken; the simple one is the smaller choice."""
        return self.below(one_in) == one_in - 1

    def shuffled(self, options: Sequence[Any]) -> list[Any]:
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    def uses(self, feature: str) -> None:
        self.features.add(feature)


@dataclass
class Scope:
    """The names of one function, while it is written."""

    choices: Choices
    env: Env
    folds: list[Fold] = field(default_factory=list[Fold])
    dims: list[Dim] = field(default_factory=list[Dim])  # what shapes are drawn from
    least: dict[str, int] = field(default_factory=dict[str, int])  # bounds that facts give
    classes: dict[str, str] = field(default_factory=dict[str, str])  # of dtype generics
    vars: list[Var] = field(default_factory=list[Var])
    inputs: list[Var] = field(default_factory=list[Var])
    prefix: str = "x"
    counter: list[int] = field(default_factory=lambda: [0])
    special: bool = False  # whether inputs may hold infinities and NaN
    in_element: bool = False
    functions: list[Any] = field(default_factory=list[Any])
    # Declares a weight of the block at hand, instead of an input.
    new_member: Callable[[str, Shape], Var | None] | None = None

    def fresh(self, prefix: str) -> str:
        self.counter[0] += 1
        return f"{prefix}{self.counter[0]}"

    def spell(self, dim: Dim | Pack, plain: bool = False) -> str:
        if isinstance(dim, Pack):
            return f"*{dim.name}"
        return spell(dim, self.folds, None if plain else self.choices.below)

    def shape(self, shape: Shape, plain: bool = False) -> str:
        return ", ".join(self.spell(dim, plain) for dim in shape)

    def type(self, dtype: str, shape: Shape, plain: bool = False) -> str:
        return f"Tensor[{self.shape(shape, plain)}; {dtype}]" if shape else dtype

    def is_float(self, dtype: str) -> bool:
        return dtype in FLOATS or self.classes.get(dtype) == "Float"

    def is_integer(self, dtype: str) -> bool:
        return dtype in INTEGERS or self.classes.get(dtype) == "Integer"

    def is_concrete(self, dtype: str) -> bool:
        return dtype not in self.classes

    def lowest(self, dim: Dim) -> int:
        """A bound that the facts prove; 0 where none is known."""
        total = 0
        for atoms, k in dim.terms:
            if k < 0:
                return 0
            bound = k
            for atom in atoms:
                bound *= self.least.get(atom.name, 0)
            total += bound
        return total

    def new_input(self, dtype: str, shape: Shape, values: Any = None) -> Var:
        """A parameter of the function; its value is one that the arguments may have."""
        if self.new_member and shape and values is None and self.choices.chance(2):
            member = self.new_member(dtype, shape)
            if member is not None:
                self.vars.append(member)
                return member
        var = Var(self.fresh(self.prefix), dtype, shape)
        self.inputs.append(var)
        self.vars.append(var)
        concrete = self.env.dtype(dtype)
        if values is None:
            values = numbers(self.choices, concrete, self.env.sizes(shape), self.special)
        self.env.vars[var.name] = exact(concrete, values)
        return var

    def named(self, var: Var) -> E:
        if var.member:
            return E(var.name, var.dtype, var.shape, lambda env: env.store[env.path + var.name])
        return E(var.name, var.dtype, var.shape, lambda env: env.vars[var.name])


def numbers(choices: Choices, dtype: str, shape: tuple[int, ...], special: bool = False) -> Any:
    """Random numbers of a dtype: small, now and then the ends of integers, or no numbers."""
    rng = np.random.default_rng(choices.below(1 << 16))
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype in FLOATS:
        data = rng.normal(0, 1, shape) if choices.chance(3) else rng.integers(-4, 5, shape) / 2
        data = np.asarray(data)
        if special:
            odd = rng.choice([np.inf, -np.inf, np.nan], shape)
            data = np.where(rng.random(shape) < 0.15, odd, data)
        return data.astype(STORED[dtype])
    limits = np.iinfo(STORED[dtype])
    small = rng.integers(0 if dtype[0] == "u" else -3, 7, shape)
    if not choices.chance(4):
        return small.astype(STORED[dtype])
    ends = rng.choice(np.array([limits.min, limits.max], STORED[dtype]), shape)
    return np.where(rng.random(shape) < 0.2, ends, small.astype(STORED[dtype])).astype(
        STORED[dtype]
    )


def is_worth(value: V) -> bool:
    """Whether enough of the numbers are known, and well enough to tell a wrong one."""
    if value.off.size == 0:
        return True
    if value.dtype not in FLOATS:
        return float(np.isfinite(value.off).mean()) >= 0.6
    share = 0.1 if value.dtype in ("f16", "bf16") else 0.001
    size = np.abs(value.data)
    with np.errstate(all="ignore"):
        good = value.off <= share * (size + 1)
        small = (size < 5000) | ~np.isfinite(size)
    return float(good.mean()) >= 0.6 and bool(small.all())


def substituted(shape: Shape, dims: Mapping[str, Dim], packs: Mapping[str, Shape]) -> Shape:
    """A shape with dimensions for generics, by name of the atom."""
    out: list[Dim | Pack] = []
    for part in shape:
        if isinstance(part, Pack):
            out.extend(packs[part.name])
        else:
            out.append(replaced(part, dims))
    return tuple(out)


def replaced(dim: Dim, dims: Mapping[str, Dim]) -> Dim:
    total = Dim(())
    for atoms, k in dim.terms:
        product = Dim((((), k),))
        for atom in atoms:
            product = product * dims[atom.name]
        total = total + product
    return total
