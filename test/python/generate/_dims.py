"""Dimensions of generated programs: polynomials over generics and quotients, spelled in many ways.

Two dimensions that the generator takes for equal have equal polynomials; each mention is spelled
anew, by rules that the prover must know (language section 5.4): ring arithmetic (P1), a fact
`H == N * D` (P2), an exact division (P5), `min` and `max` of ordered terms (P8).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Pick = Callable[[int], int]  # A number below the given one.


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A generic, or a term that arithmetic does not open: `name` as it is written."""

    name: str
    simple: bool = True

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Dim:
    """A polynomial: coefficients by sorted tuples of atoms."""

    terms: tuple[tuple[tuple[Atom, ...], int], ...]

    @property
    def constant(self) -> int | None:
        """The number, where it is one."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    def __add__(self, other: "Dim") -> "Dim":
        return _dim([*self.terms, *other.terms])

    def __neg__(self) -> "Dim":
        return Dim(tuple((atoms, -k) for atoms, k in self.terms))

    def __sub__(self, other: "Dim") -> "Dim":
        return self + -other

    def __mul__(self, other: "Dim") -> "Dim":
        return _dim([(tuple(sorted(a + b)), j * k) for a, j in self.terms for b, k in other.terms])

    def value(self, numbers: Mapping[str, int]) -> int:
        """The number that the dimension is; `numbers` has each atom's, by name."""
        total = 0
        for atoms, k in self.terms:
            for atom in atoms:
                k *= numbers[atom.name]
            total += k
        return total

    def atoms(self) -> set[Atom]:
        return {atom for atoms, _ in self.terms for atom in atoms}


def _dim(terms: Iterable[tuple[tuple[Atom, ...], int]]) -> Dim:
    sums: dict[tuple[Atom, ...], int] = {}
    for atoms, k in terms:
        sums[atoms] = sums.get(atoms, 0) + k
    return Dim(tuple(sorted((atoms, k) for atoms, k in sums.items() if k)))


def number(value: int) -> Dim:
    return _dim([((), value)])


def symbol(name: str, simple: bool = True) -> Dim:
    return _dim([((Atom(name, simple),), 1)])


@dataclass(frozen=True, slots=True)
class Fold:
    """A generic that stands for a product: `H` for `2 * (H / 2)`, or for `N * D`."""

    name: str
    product: Dim  # one term


def spell(dim: Dim, folds: Iterable[Fold], pick: Pick | None = None) -> str:
    """Write a dimension; without `pick` in the plainest way, folds applied wherever they fit."""
    terms = list(dim.terms)
    if pick is not None and len(terms) > 1:
        at = pick(len(terms))
        terms = terms[at:] + terms[:at]
    # A leading minus is an operand: a positive term goes first.
    terms.sort(key=lambda term: term[1] < 0)
    shown = ""
    for atoms, k in terms:
        text = _term(atoms, abs(k), folds, pick)
        if not shown:
            shown = text if k > 0 else f"0 - {text}"
        else:
            shown += f" {'+' if k > 0 else '-'} {text}"
    shown = shown or "0"
    return shown if pick is None else _dressed(shown, dim, pick)


def _term(atoms: tuple[Atom, ...], k: int, folds: Iterable[Fold], pick: Pick | None) -> str:
    left = list(atoms)
    names: list[str] = []
    for fold in folds:
        ((inner, factor),) = fold.product.terms
        rest = list(left)
        try:
            for atom in inner:
                rest.remove(atom)
        except ValueError:
            continue
        if k % factor == 0 and (pick is None or pick(3)):
            k //= factor
            left = rest
            names.append(fold.name)
    names += [atom.name for atom in left]
    if pick is not None and len(names) > 1 and pick(2):
        names.reverse()
    factors = ([str(k)] if k != 1 or not names else []) + names
    return " * ".join(factors)


def _dressed(text: str, dim: Dim, pick: Pick) -> str:
    """Now and then a longer way to say the same."""
    match pick(24):
        case 0:
            return f"({text}) * 2 / 2"
        case 1:
            return f"min({text}, {text} + {1 + pick(3)})"
        case 2:
            return f"max({text}, 0)"
        case 3:
            return f"{text} + 3 - 3"
        case 4:
            return f"(4 * ({text}) + {pick(4)}) / 4"
        case 5:
            return f"(({text}) + 2 - 3) / 1 + 1"
        case 6 if len(dim.atoms()) >= 1:
            name = sorted(atom.name for atom in dim.atoms())[0]
            return f"{text} + {name} - {name}"
        case 7:
            return f"max({text}, min({text}, 5))"
        case 8:
            return f"({text}) / 2 + (({text}) - ({text}) / 2)"
        case 9:
            return f"2 * (({text}) / 2) + ({text}) % 2"
        case _:
            return text
