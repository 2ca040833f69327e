"""An open function at given sizes: every expression becomes its number."""

from collections.abc import Mapping
from typing import cast

from linnet.core._records import Attribute, Function, Op, Region, TensorType, Value
from linnet.signature import Size, at_sizes, evaluate_size, shape_at


def fix_sizes(function: Function, sizes: Mapping[str, int]) -> Function:
    """Return the function for calls at these sizes, which must satisfy its constraints."""
    return Function(at_sizes(function.signature, sizes), _Fixer(sizes).region(function.body))


class _Fixer:
    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._values: dict[Value, Value] = {}

    def region(self, region: Region) -> Region:
        arguments = tuple(self._new(argument) for argument in region.arguments)
        return Region(arguments, tuple(self._op(op) for op in region.ops))

    def _op(self, op: Op) -> Op:
        operands = tuple(self._values[operand] for operand in op.operands)
        regions = tuple(self.region(region) for region in op.regions)
        results = tuple(self._new(result) for result in op.results)
        name, attributes = op.name, op.attributes
        if name == "dim_constant":
            number = evaluate_size(cast(str, attributes["value"]), self._sizes)
            name, attributes = "constant", {"literal": number}
        elif name == "slice":
            starts = cast("tuple[Size, ...]", attributes["starts"])
            fixed: Attribute = shape_at(starts, self._sizes)
            attributes = {**attributes, "starts": fixed}
        return Op(name, operands, results, attributes, regions, op.place)

    def _new(self, value: Value) -> Value:
        shape = shape_at(value.type.shape, self._sizes)
        self._values[value] = Value(TensorType(value.type.dtype, shape), value.name)
        return self._values[value]
