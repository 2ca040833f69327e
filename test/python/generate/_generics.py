"""Generics of a function or block: what the caller chooses, and the facts it must prove."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from generate._dims import Dim, Fold, number, symbol
from generate._numbers import FLOATS, INTEGERS, Unwanted
from generate._scope import Choices, Pack, Scope, Shape, replaced

_CLASSES = {
    "Float": FLOATS,
    "Integer": INTEGERS,
    "Numeric": (*FLOATS, *INTEGERS),
    "DType": (*FLOATS, *INTEGERS, "bool"),
}


@dataclass
class Generics:
    """Dimension generics over units, packs and dtypes, in the order of declaration.

    A unit is what a caller chooses freely: `N` itself, or `(H / 2)` where `H % 2 == 0`.
    """

    dims: dict[str, Dim] = field(default_factory=dict[str, Dim])  # generic -> over units
    units: dict[str, int] = field(default_factory=dict[str, int])  # unit -> least value
    folds: list[Fold] = field(default_factory=list[Fold])
    facts: list[str] = field(default_factory=list[str])
    packs: list[str] = field(default_factory=list[str])
    dtypes: dict[str, str] = field(default_factory=dict[str, str])  # generic -> class

    @property
    def names(self) -> list[str]:
        return [*self.packs, *self.dims, *self.dtypes]

    def declared(self) -> str:
        parts = [f"*{name}: Shape" for name in self.packs]
        parts += [f"{name}: Dim" for name in self.dims]
        parts += [f"{name}: {kind}" for name, kind in self.dtypes.items()]
        return f"<{', '.join(parts)}>" if parts else ""

    def where(self, indent: str = "") -> str:
        return f"\n{indent}where {', '.join(self.facts)} " if self.facts else " "

    def numbers(self, units: dict[str, int]) -> dict[str, int]:
        """The value of each generic."""
        return {name: dim.value(units) for name, dim in self.dims.items()}

    def enter(self, scope: Scope) -> None:
        """Bring the generics into a scope whose environment has the units' numbers."""
        scope.folds += self.folds
        scope.dims += [*self.dims.values()]
        scope.dims += [symbol(name, name in self.dims) for name in self.units]
        scope.least |= self.units
        scope.classes |= self.dtypes

    def bound(self, scope: Scope, fixed: dict[str, Dim]) -> dict[str, Dim]:
        """The caller's dimension for each unit, such that every fact is proven."""
        chosen: dict[str, Dim] = {}
        for unit, least in self.units.items():
            dim = fixed.get(unit)
            if dim is None:
                fitting = [d for d in scope.dims if scope.lowest(d) >= least]
                dim = scope.choices.pick(fitting) if fitting else number(max(least, 2))
            if scope.lowest(dim) < least:
                raise Unwanted("a fact that the caller cannot prove")
            chosen[unit] = dim
        return chosen

    def written(
        self, scope: Scope, units: dict[str, Dim], packs: dict[str, Shape], dtypes: dict[str, str]
    ) -> str:
        """The generic arguments of a call or a `sub`."""
        parts = [f"[{scope.shape(packs[name])}]" for name in self.packs]
        parts += [scope.spell(replaced(dim, units)) for dim in self.dims.values()]
        parts += [dtypes[name] for name in self.dtypes]
        return f"<{', '.join(parts)}>" if parts else ""


def make_generics(choices: Choices, names: Sequence[str], most: int) -> Generics:
    """Some dimension generics, facts about them included."""
    made = Generics()
    left = list(names)
    for _ in range(most - choices.below(most + 1) // 2 if choices.below(3) else 0):
        if not left:
            break
        name = left.pop(0)
        match choices.below(6):
            case 0:
                made.dims[name], made.units[name] = symbol(name), 1
                made.facts.append(choices.pick((f"{name} > 0", f"{name} != 0", f"{name} >= 1")))
                choices.uses("fact: positive")
            case 1:
                factor = 2 + choices.below(2)
                unit = f"({name} / {factor})"
                half = symbol(unit, simple=False)
                made.dims[name], made.units[unit] = half * number(factor), 0
                made.folds.append(Fold(name, half * number(factor)))
                made.facts.append(f"{name} % {factor} == 0")
                choices.uses("fact: divisible")
                if choices.chance(2):
                    made.units[unit] = 1
                    made.facts.append(f"{name} > 0")
            case 2 if len(made.units) > 1:
                a, b = list(made.units)[:2]
                product = symbol(a, a in made.dims) * symbol(b, b in made.dims)
                made.dims[name] = product
                made.folds.append(Fold(name, product))
                made.facts.append(f"{name} == {a} * {b}")
                choices.uses("fact: product")
            case 3:
                made.dims[name], made.units[name] = symbol(name), 2
                made.facts.append(f"{name} >= 2")
                choices.uses("fact: bound")
            case _:
                made.dims[name], made.units[name] = symbol(name), 0
    choices.uses("symbolic dimensions" if made.dims else "constant dimensions")
    return made


def numbers_for(choices: Choices, made: Generics) -> dict[str, int]:
    """A value for each unit that satisfies the facts; zeros are rare."""
    values: dict[str, int] = {}
    for unit, least in made.units.items():
        if least == 0 and choices.chance(12):
            values[unit] = 0
            choices.uses("dimension 0")
        else:
            values[unit] = max(least, choices.pick((2, 3, 1, 4)))
    return values


def unify(have: Shape, wanted: Shape, packs: dict[str, Shape], units: dict[str, Dim]) -> None:
    """Bind packs and units so that `have`, over them, becomes `wanted`; Unwanted if impossible."""
    if have and isinstance(have[0], Pack):
        rest = len(wanted) - (len(have) - 1)
        if rest < 0:
            raise Unwanted("too few axes")
        packs[have[0].name] = wanted[:rest]
        have, wanted = have[1:], wanted[rest:]
    if len(have) != len(wanted):
        raise Unwanted("another rank")
    for mine, theirs in zip(have, wanted, strict=True):
        if isinstance(mine, Pack) or isinstance(theirs, Pack):
            raise Unwanted("a pack")
        if len(mine.terms) == 1 and len(mine.terms[0][0]) == 1:
            ((atom,), k) = mine.terms[0]
            if any(j % k for _, j in theirs.terms):
                raise Unwanted("not divisible")
            units.setdefault(atom.name, Dim(tuple((atoms, j // k) for atoms, j in theirs.terms)))


def dtype_in(choices: Choices, kind: str) -> str:
    return choices.pick(_CLASSES[kind])


def in_class(dtype: str, kind: str, scope: Scope) -> bool:
    """Whether a dtype, or a generic of the caller, is of a class."""
    own = scope.classes.get(dtype)
    if own is not None:
        return own == kind or kind == "DType" or (kind == "Numeric" and own != "DType")
    return dtype in _CLASSES[kind]
