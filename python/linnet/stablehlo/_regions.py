"""Builds the ops of a region in order, control flow included."""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

from collections.abc import Mapping, Sequence

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from linnet.core import Op, Region, Value
from linnet.stablehlo._composites import Composites
from linnet.stablehlo._elementwise import ELEMENTWISE
from linnet.stablehlo._structured import STRUCTURED
from linnet.stablehlo._types import tensor_type


class RegionBuilder:
    """Remembers what each CORE value became."""

    def __init__(self, composites: Composites) -> None:
        self._composites = composites
        self._values: dict[Value, ir.Value] = {}
        self._constants: dict[Value, Op] = {}

    def body(self, region: Region, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """Build a region's ops where we are; return its terminator's operands."""
        self._values.update(zip(region.arguments, arguments, strict=True))
        return self._ops(region)

    def _apart(self, region: Region, values: Mapping[Value, ir.Value]) -> list[ir.Value]:
        """Build a region's ops where nothing but `values` is known."""
        kept, self._values = self._values, dict(values)
        try:
            return self._ops(region)
        finally:
            self._values = kept

    def _ops(self, region: Region) -> list[ir.Value]:
        for op in region.ops[:-1]:
            with _location(op.place):
                results = self._op(op, [self._values[operand] for operand in op.operands])
            self._values.update(zip(op.results, results, strict=True))
        return [self._values[operand] for operand in region.ops[-1].operands]

    def _op(self, op: Op, operands: list[ir.Value]) -> Sequence[ir.Value]:
        if op.name == "if":
            return self._if(op, operands)
        if op.name == "while":
            return self._while(op, operands)
        if op.name == "scope":
            return self._composites.build(op, self._values, self._apart, self._constants)
        if op.name == "constant":
            self._constants[op.results[0]] = op
        if op.name in ELEMENTWISE:
            return [ELEMENTWISE[op.name](op, operands)]
        return [STRUCTURED[op.name](op, operands)]

    def _if(self, op: Op, operands: list[ir.Value]) -> Sequence[ir.Value]:
        result = stablehlo.IfOp([tensor_type(value.type) for value in op.results], operands[0])
        for target, source in zip(result.regions, op.regions, strict=True):
            with ir.InsertionPoint(target.blocks.append()):
                stablehlo.ReturnOp(self.body(source, []))
        return result.results

    def _while(self, op: Op, operands: list[ir.Value]) -> Sequence[ir.Value]:
        types = [tensor_type(value.type) for value in op.results]
        result = stablehlo.WhileOp(types, operands)
        for target, source in zip(result.regions, op.regions, strict=True):
            block = target.blocks.append(*types)
            with ir.InsertionPoint(block):
                stablehlo.ReturnOp(self.body(source, list(block.arguments)))
        return result.results


def _location(place: str) -> ir.Location:
    file, line, column = place.rsplit(":", 2) if place else ("", "", "")
    if not (line.isdigit() and column.isdigit()):
        return ir.Location.unknown()
    return ir.Location.file(file, int(line), int(column))
