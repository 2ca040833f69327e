"""Undoes the reshapes around products of open entries, so that the search for them finds what it
finds in fixed ones.

With open sizes the StableHLO of a product merges the leading axes of its rows into one, by
`dynamic_reshape`, and parts them again in the result.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import math

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.backends.iree._match import (
    Value,
    dots_within,
    erase_unused,
    maker,
    only_user,
    shape_of,
    type_of,
)

_RESHAPES = ("stablehlo.reshape", "stablehlo.dynamic_reshape")


def unmerge_products(function: ir.Operation) -> None:
    """Rewrite the products in a function's body, in place; its context must be current."""
    for op in dots_within(function):
        numbers = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
        if not list(numbers.lhs_batching_dimensions):
            _rows(op, numbers)
    erase_unused(function)


def _rows(op: ir.Operation, numbers: stablehlo.DotDimensionNumbers) -> None:
    """Contract the last axis of rows as they were before their axes became one."""
    rows, weight = op.operands
    if type_of(rows).rank != 2 or list(numbers.lhs_contracting_dimensions) != [1]:
        return
    source, user = _source(rows), only_user(op.results[0])
    if source is None or user is None or not _merges(user.results[0], op.results[0], user):
        return
    if shape_of(source)[:-1] != shape_of(user.results[0])[:-1]:
        return
    made = stablehlo.DotDimensionNumbers.get(
        [], [], [type_of(source).rank - 1], list(numbers.rhs_contracting_dimensions)
    )
    attributes = {name: op.attributes[name] for name in op.attributes}
    with ir.InsertionPoint(op):
        product = ir.Operation.create(
            op.name,
            results=[user.results[0].type],
            operands=[source, weight],
            attributes={**attributes, "dot_dimension_numbers": made},
        )
    user.results[0].replace_all_uses_with(product.results[0])


def _source(value: Value) -> Value | None:
    """Return what a value is a reshape of, if that made one of the leading axes."""
    for name in ("reshape", "dynamic_reshape"):
        made = maker(value, name)
        if made is not None and _merges(made.operands[0], value, made):
            return made.operands[0]
    return None


def _merges(wide: Value, narrow: Value, reshape: ir.Operation) -> bool:
    """Whether a reshape exchanges leading axes for one, and keeps those behind.

    The types must tell: with at most one dynamic axis, it has the same extent on both sides.
    """
    if reshape.name not in _RESHAPES:
        return False
    given, made = shape_of(wide), shape_of(narrow)
    count = len(given) - len(made) + 1
    if count < 2 or not made or 0 in given or given.count(-1) > 1:
        return False
    leading = given[:count]
    one = -1 if -1 in leading else math.prod(leading)
    return made == [one, *given[count:]]
