"""Sizes that a call decides: their expressions evaluated, and solved from the shapes of inputs.

Expressions are those that the dialect prints (`3 * S`, `(S + 7) / 8`, `min(S, 4)`), a subset of
Python's own syntax; `/` is the floor quotient.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from linnet.errors import ArgumentError, InternalError

if TYPE_CHECKING:
    from linnet.signature._signature import Signature

Size = int | str
Shape = tuple[Size, ...]
# Positions are 32-bit numbers on the targets that compile open sizes.
LARGEST = 2**31 - 1

_BINARY: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a // b,
    ast.Mod: operator.mod,
}
_RELATIONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_CALLS: Mapping[str, Callable[..., int]] = {"min": min, "max": max}


@cache
def parse_size(text: str) -> ast.expr:
    """Return the tree of an expression or a constraint: names, numbers, and operators on them."""
    return ast.parse(text, mode="eval").body


def evaluate_size(size: Size, sizes: Mapping[str, int]) -> int:
    """Return the number that a size is where its symbols have these."""
    return size if isinstance(size, int) else _evaluate(parse_size(size), sizes)


def _evaluate(node: ast.expr, sizes: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return sizes[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, sizes)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_evaluate(left, sizes), _evaluate(right, sizes))
        case ast.Call(func=ast.Name(id=name), args=args) if name in _CALLS:
            return _CALLS[name](*(_evaluate(each, sizes) for each in args))
        case _:
            raise InternalError(f"no size: {ast.unparse(node)}")


def names_of(text: str) -> list[str]:
    """Return the names in an expression or a constraint, in order of appearance."""
    found = [node.id for node in ast.walk(parse_size(text)) if isinstance(node, ast.Name)]
    return [name for name in dict.fromkeys(found) if name not in _CALLS]


def holds(constraint: str, sizes: Mapping[str, int]) -> bool:
    """Whether a constraint such as `S <= 1024` is true of these numbers."""
    match parse_size(constraint):
        case ast.Compare(left=left, ops=[relation], comparators=[right]):
            compare = _RELATIONS[type(relation)]
            try:
                return compare(_evaluate(left, sizes), _evaluate(right, sizes))
            except ZeroDivisionError:
                return False
        case _:
            raise InternalError(f"no constraint: {constraint}")


def shape_at(shape: Sequence[Size], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return a shape in numbers."""
    return tuple(evaluate_size(size, sizes) for size in shape)


def fixed_shape(shape: Sequence[Size]) -> tuple[int, ...]:
    """Return a shape that has no open size; an open one here is a bug of ours."""
    fixed = tuple(size for size in shape if isinstance(size, int))
    if len(fixed) != len(shape):
        raise InternalError(f"a shape with open sizes where numbers are needed: {list(shape)}")
    return fixed


def undecided(signature: "Signature") -> list[str]:
    """Return the symbols that no input's shape gives as they stand."""
    bare = {size for value in signature.inputs for size in value.shape}
    return [name for name in signature.symbols if name not in bare]


def solve_sizes(signature: "Signature", shapes: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return what the shapes of a call's inputs make of the symbols.

    ArgumentError for a shape that does not fit, and for a constraint that the sizes break.
    """
    sizes: dict[str, int] = {}
    for value in signature.inputs:
        shape = shapes.get(value.name)
        if shape is None:
            continue
        if len(shape) != len(value.shape):
            raise ArgumentError(
                f"input `{value.name}` has the wrong shape: needs {value}, found {list(shape)}",
                f"`{value.name}` has {len(value.shape)} axes",
            )
        for size, found in zip(value.shape, shape, strict=True):
            if isinstance(size, str) and size in signature.symbols:
                sizes.setdefault(size, found)
    check_sizes(signature, sizes)
    return sizes


def check_sizes(signature: "Signature", sizes: Mapping[str, int]) -> None:
    """Raise an ArgumentError for a constraint that these sizes break."""
    known = {**{k: v for k, v in signature.bindings.items() if isinstance(v, int)}}
    known |= {k: v for k, v in signature.generics.items() if isinstance(v, int)}
    known |= sizes
    largest = [f"{name} <= {LARGEST}" for name in signature.symbols]
    for constraint in [*signature.constraints, *largest]:
        names = names_of(constraint)
        if any(name not in known for name in names) or holds(constraint, known):
            continue
        shown = ", ".join(f"{name} = {known[name]}" for name in names)
        raise ArgumentError(
            f"`{constraint}` does not hold: {shown}",
            f"`{signature.entry}` serves the sizes that its constraints allow",
        )


def at_sizes(signature: "Signature", sizes: Mapping[str, int]) -> "Signature":
    """Return the signature of a call at these sizes, all in numbers."""
    if not signature.symbols:
        return signature
    return replace(
        signature,
        generics={**signature.generics, **sizes},
        inputs=tuple(replace(v, shape=shape_at(v.shape, sizes)) for v in signature.inputs),
        results=tuple(replace(v, shape=shape_at(v.shape, sizes)) for v in signature.results),
        symbols=(),
        constraints=(),
    )


def bounds_of(signature: "Signature", symbol: str) -> tuple[int, int]:
    """Return a least and a greatest size of a symbol, by the constraints that bound it alone."""
    known = {k: v for k, v in signature.bindings.items() if isinstance(v, int)}
    known |= {k: v for k, v in signature.generics.items() if isinstance(v, int)}
    least, most = 0, LARGEST
    for constraint in signature.constraints:
        match parse_size(constraint):
            case ast.Compare(left=left, ops=[relation], comparators=[right]):
                pass
            case _:
                continue
        turned = isinstance(right, ast.Name) and right.id == symbol
        if turned:
            left, right = right, left
        if not (isinstance(left, ast.Name) and left.id == symbol):
            continue
        if any(name not in known for name in names_of(ast.unparse(right))):
            continue
        bound = _evaluate(right, known)
        kind = type(relation)
        below = kind in ((ast.Gt, ast.GtE) if turned else (ast.Lt, ast.LtE))
        strict = kind in (ast.Lt, ast.Gt)
        if kind is ast.Eq:
            least, most = max(least, bound), min(most, bound)
        elif kind is ast.NotEq:
            continue
        elif below:
            most = min(most, bound - strict)
        else:
            least = max(least, bound + strict)
    return least, most
