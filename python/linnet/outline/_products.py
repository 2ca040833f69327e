"""Contractions as `@` or as the equation of an `einsum`."""

from typing import cast

from linnet.core import Op
from linnet.outline._text import PRODUCT, UNARY, Expr

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def ints(op: Op, name: str) -> tuple[int, ...]:
    """An attribute that is a list of whole numbers."""
    return cast("tuple[int, ...]", op.attributes[name])


def matmul(op: Op, a: Expr, b: Expr, turn: str) -> str | None:
    """The product as `@`, where its axes lie so; `turn` is the method that swaps two axes."""
    left, right = op.operands[0].type.shape, op.operands[1].type.shape
    lb, rb = ints(op, "lhs_batch"), ints(op, "rhs_batch")
    lc, rc = ints(op, "lhs_contract"), ints(op, "rhs_contract")
    lead = tuple(range(len(lb)))
    if lb != lead or rb != lead or len(lc) != 1 or len(rc) != 1:
        return None
    left_free, right_free = len(left) - len(lb) - 1, len(right) - len(rb) - 1
    rows = left_free == 1 or (not lb and left_free >= 1)
    if not (rows and lc[0] == len(left) - 1 and right_free == 1):
        return None
    if rc[0] != len(right) - 1:
        return f"{a.at(PRODUCT)} @ {b.at(UNARY)}"
    turned = f"{b.atom}.T" if len(right) == 2 else f"{b.atom}.{turn}(-2, -1)"
    return f"{a.at(PRODUCT)} @ {turned}"


def equation(op: Op) -> str:
    """The axes of a contraction by letters: batch, left, right."""
    names = iter(_LETTERS)
    left = [""] * len(op.operands[0].type.shape)
    right = [""] * len(op.operands[1].type.shape)
    batch = ""
    for x, y in zip(ints(op, "lhs_batch"), ints(op, "rhs_batch"), strict=True):
        left[x] = right[y] = name = next(names)
        batch += name
    for x, y in zip(ints(op, "lhs_contract"), ints(op, "rhs_contract"), strict=True):
        left[x] = right[y] = next(names)
    free = ""
    for side in (left, right):
        for axis, name in enumerate(side):
            if not name:
                side[axis] = next(names)
                free += side[axis]
    return f"{''.join(left)},{''.join(right)}->{batch}{free}"
