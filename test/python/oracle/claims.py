"""Random facts and claims about dimensions, and brute force over small values to judge them.

Independent of `lib/Dims`: expressions are trees of our own, evaluated by NumPy over all points of
a cube at once. A quotient by something not positive has no value; neither has what contains it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

NAMES: Final = ("A", "B", "C", "D")
RELATIONS: Final = ("==", "==", "==", "<=", "<=", "<", ">=", ">", "!=")

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Node:
    """A symbol, a constant, or an operator with its operands."""

    op: str
    operands: tuple["Node", ...] = ()

    def __str__(self) -> str:
        match self.op, self.operands:
            case (("min" | "max"), (left, right)):
                return f"{self.op}({left}, {right})"
            case _, (left, right):
                return f"({left} {self.op} {right})"
            case _:
                return self.op


@dataclass(frozen=True, slots=True)
class Relation:
    """A comparison of two trees."""

    left: Node
    op: str
    right: Node

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True, slots=True)
class Sequent:
    """Facts, and a claim that may or may not follow from them."""

    names: tuple[str, ...]
    facts: tuple[Relation, ...]
    claim: Relation

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.facts))} ⊢ {self.claim}"


# --- Values over many points at once ---------------------------------------------------------


class Points:
    """Values of all names at many points, and which trees have a value where."""

    def __init__(self, values: dict[str, Numbers]) -> None:
        self._values = values
        self._size = len(next(iter(values.values())))

    @classmethod
    def cube(cls, names: Sequence[str], axis: Sequence[int]) -> "Points":
        """All points with every coordinate in `axis`."""
        grid = np.meshgrid(*[np.array(axis, np.int64)] * len(names), indexing="ij")
        return cls({name: part.ravel() for name, part in zip(names, grid, strict=True)})

    def evaluate(self, node: Node) -> tuple[Numbers, Flags]:
        """The value at each point, and whether there is one."""
        if not node.operands:
            if node.op in self._values:
                return self._values[node.op], np.ones(self._size, np.bool_)
            return np.full(self._size, int(node.op), np.int64), np.ones(self._size, np.bool_)
        (a, has_a), (b, has_b) = (self.evaluate(operand) for operand in node.operands)
        has_value = has_a & has_b
        match node.op:
            case "+":
                return a + b, has_value
            case "-":
                return a - b, has_value
            case "*":
                return a * b, has_value
            case "min":
                return np.minimum(a, b), has_value
            case "max":
                return np.maximum(a, b), has_value
            case "/":
                return np.floor_divide(a, np.maximum(b, 1)), has_value & (b > 0)
            case "%":
                return np.remainder(a, np.maximum(b, 1)), has_value & (b > 0)
            case other:
                raise AssertionError(f"no operator: {other}")

    def judge(self, relation: Relation) -> tuple[Flags, Flags]:
        """Where it holds, and where it fails; neither where a side has no value."""
        (a, has_a), (b, has_b) = self.evaluate(relation.left), self.evaluate(relation.right)
        match relation.op:
            case "==":
                truth = a == b
            case "!=":
                truth = a != b
            case "<":
                truth = a < b
            case "<=":
                truth = a <= b
            case ">":
                truth = a > b
            case _:
                truth = a >= b
        has_value = has_a & has_b
        return truth & has_value, ~truth & has_value

    def models(self, facts: Sequence[Relation]) -> tuple[Flags, Flags]:
        """Where all facts hold, and where none fails.

        They differ where a fact divides by 0: no instantiation is there, but [DIM-5] forbids to
        conclude that from the fact.
        """
        holds, allows = np.ones(self._size, np.bool_), np.ones(self._size, np.bool_)
        for fact in facts:
            true, false = self.judge(fact)
            holds &= true
            allows &= ~false
        return holds, allows

    def at(self, index: int) -> dict[str, int]:
        """One of the points."""
        return {name: int(values[index]) for name, values in self._values.items()}


def has_product_of_quotients(node: Node) -> bool:
    """Whether two factors of one product both hold a quotient or a remainder."""

    def divides(inner: Node) -> bool:
        return inner.op in ("/", "%") or any(map(divides, inner.operands))

    if node.op == "*" and all(map(divides, node.operands)):
        return True
    return any(map(has_product_of_quotients, node.operands))


# --- Random sequents -------------------------------------------------------------------------


class Writer:
    """Writes sequents from one seeded source; the same seed gives the same ones."""

    def __init__(self, seed: int, smallest: int = 0, largest: int = 6) -> None:
        self._random = Random(seed)
        self._names = NAMES
        self._smallest = smallest
        self._largest = largest

    def sequent(self) -> Sequent:
        """Up to three facts, and a claim: anything, a rewritten tree, or a fact carried on."""
        pick = self._random
        self._names = NAMES[: pick.randint(1, len(NAMES))]
        facts = tuple(self._fact() for _ in range(pick.choice((0, 1, 1, 2, 2, 3))))
        kind = pick.random()
        if kind < 0.4 or (kind >= 0.75 and not facts):
            claim = Relation(self._tree(4), pick.choice(RELATIONS), self._tree(3))
        elif kind < 0.75:
            claim = self._rewritten_claim()
        else:
            claim = self._carried_claim(pick.choice(facts))
        return Sequent(self._names, facts, claim)

    def _constant(self) -> Node:
        return Node(str(self._random.randint(self._smallest, self._largest)))

    def _symbol(self) -> Node:
        return Node(self._random.choice(self._names))

    def _divisor(self) -> Node:
        kind = self._random.random()
        number = Node(str(self._random.randint(1, self._largest)))
        if kind < 0.55:
            return number
        if kind < 0.85:
            return self._symbol()
        return Node(self._random.choice("+*"), (self._symbol(), number))

    def _tree(self, leaves: int) -> Node:
        pick = self._random
        leaves = pick.randint(1, leaves)
        if leaves == 1:
            return self._symbol() if pick.random() < 0.75 else self._constant()
        op = pick.choice(("+", "+", "+", "-", "*", "*", "/", "/", "%", "%", "min", "max"))
        if op in ("/", "%"):
            return Node(op, (self._tree(leaves - 1), self._divisor()))
        left = pick.randint(1, leaves - 1)
        return Node(op, (self._tree(left), self._tree(leaves - left)))

    def _fact(self) -> Relation:
        pick = self._random
        zero = Node("0")
        match pick.randint(0, 6):
            case 0 | 1:
                return Relation(self._symbol(), ">", zero)
            case 2:
                return Relation(Node("%", (self._tree(2), self._divisor())), "==", zero)
            case 3:
                return Relation(self._symbol(), pick.choice(("<=", "<", "==")), self._symbol())
            case 4:
                return Relation(self._symbol(), pick.choice((">=", "<=")), self._constant())
            case 5:
                return Relation(self._symbol(), "==", self._tree(2))
            case _:
                return Relation(self._tree(2), pick.choice(RELATIONS), self._tree(2))

    def _rewritten_claim(self) -> Relation:
        """A tree against the same tree after steps that mostly keep its value."""
        tree = self._tree(4)
        other = tree
        for _ in range(self._random.randint(1, 3)):
            other = self._rewritten(other)
        match self._random.randint(0, 4):
            case 0:
                return Relation(tree, "<=", Node("+", (other, self._tree(2))))
            case 1:
                return Relation(Node("min", (other, self._tree(2))), "<=", tree)
            case _:
                return Relation(tree, "==", other)

    def _rewritten(self, node: Node) -> Node:
        pick = self._random
        if node.operands and pick.random() < 0.4:
            at = pick.randrange(2)
            operands = list(node.operands)
            operands[at] = self._rewritten(operands[at])
            return Node(node.op, tuple(operands))
        match node.op, node.operands:
            case (("+" | "*" | "min" | "max"), (left, right)) if pick.random() < 0.5:
                return Node(node.op, (right, left))
            case "*", (left, Node("+" | "-" as op, (a, b))):
                return Node(op, (Node("*", (left, a)), Node("*", (left, b))))
            case "/", (Node("+" | "-" as op, (a, b)), divisor):
                return Node(op, (Node("/", (a, divisor)), Node("/", (b, divisor))))
            case "/", (Node("*", (a, b)), divisor):
                return Node("*", (a, Node("/", (b, divisor))))
            case "%", (a, b):
                return Node("-", (a, Node("*", (b, Node("/", (a, b))))))
            case _:
                pass
        divisor = self._divisor()
        match pick.randint(0, 5):
            case 0:
                return Node("/", (Node("*", (node, divisor)), divisor))
            case 1:
                whole = Node("*", (divisor, Node("/", (node, divisor))))
                return Node("+", (whole, Node("%", (node, divisor))))
            case 2:
                other = self._symbol()
                return Node("-", (Node("+", (node, other)), other))
            case 3:
                return Node("max", (node, Node("min", (node, self._symbol()))))
            case 4:
                return Node("min", (node, Node("+", (node, self._symbol()))))
            case _:
                return Node("*", (divisor, Node("/", (node, divisor))))

    def _carried_claim(self, fact: Relation) -> Relation:
        """A fact with the same done to both sides."""
        pick = self._random
        left, op, right = fact.left, fact.op, fact.right
        for _ in range(pick.randint(1, 2)):
            done = pick.choice(("+", "-", "*", "*", "/", "%", "min", "max", "same", "more"))
            if done in ("/", "%"):
                other = self._divisor()
                left, right = Node(done, (left, other)), Node(done, (right, other))
            elif done == "more":
                side = pick.randrange(2)
                left = Node("+", (left, self._symbol())) if side else left
                right = right if side else Node("+", (right, self._symbol()))
            elif done != "same":
                other = self._tree(2)
                left, right = Node(done, (left, other)), Node(done, (right, other))
        weaker = {"<": "<=", ">": ">=", "==": pick.choice(("==", "<=", ">=")), "!=": "!="}
        return Relation(left, weaker.get(op, op), right)
