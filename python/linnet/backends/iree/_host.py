"""Which integers of a loop the host can count by itself, and the arithmetic that does it.

A tensor of rank 0 is a number of the host where it is a constant, a counter that a loop carries as
a number, or simple arithmetic of such: exactly what counted loops are made of.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, final

from jaxlib.mlir import ir

_ARITHMETIC = {
    "stablehlo.add": "arith.addi",
    "stablehlo.subtract": "arith.subi",
    "stablehlo.minimum": "arith.minsi",
}
_PREDICATES = {"EQ": 0, "NE": 1, "LT": 2, "LE": 3, "GT": 4, "GE": 5}


@final
class Host:
    """What is known of the values of one function."""

    def __init__(self) -> None:
        self._numbers: dict[Any, Any] = {}

    def counters(
        self, inits: Sequence[Any], arguments: Sequence[Any], following: Sequence[Any]
    ) -> set[int]:
        """The positions of carried values that are numbers of the host in every pass."""
        chosen = {number for number, value in enumerate(inits) if self._knows(value, frozenset())}
        while True:
            assumed = frozenset(arguments[number] for number in chosen)
            kept = {number for number in chosen if self._knows(following[number], assumed)}
            if kept == chosen:
                return kept
            chosen = kept

    def tensor(self, number: Any, block: ir.Block) -> Any:
        """The tensor that holds a number, made at the end of a block."""
        type_ = ir.RankedTensorType.get([], number.type)
        made = _append(block, "tensor.from_elements", [number], type_)
        self._numbers[made] = number
        return made

    def number(self, value: Any, block: ir.Block) -> Any:
        """The number in a tensor of the host, computed at the end of a block."""
        known = self._numbers.get(value)
        if known is not None:
            return known
        op = _origin(value)
        assert op is not None
        element = ir.RankedTensorType(value.type).element_type
        if op.name == "stablehlo.constant":
            held = ir.DenseIntElementsAttr(op.attributes["value"])[0]
            attributes = {"value": ir.IntegerAttr.get(element, int(held))}
            return _append(block, "arith.constant", [], element, attributes)
        operands = [self.number(operand, block) for operand in op.operands]
        return _append(block, _ARITHMETIC[op.name], operands, element)

    def truth(self, value: Any, block: ir.Block) -> Any:
        """The truth value in a tensor, computed or read at the end of a block."""
        boolean = ir.IntegerType.get_signless(1)
        op = _origin(value)
        if (
            op is not None
            and op.name == "stablehlo.compare"
            and all(self._knows(operand, frozenset()) for operand in op.operands)
        ):
            operands = [self.number(operand, block) for operand in op.operands]
            direction = str(op.attributes["comparison_direction"]).split()[-1].rstrip(">")
            kind = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _PREDICATES[direction])
            return _append(block, "arith.cmpi", operands, boolean, {"predicate": kind})
        return _append(block, "tensor.extract", [value], boolean)

    def _knows(self, value: Any, assumed: AbstractSet[Any]) -> bool:
        type_ = ir.RankedTensorType(value.type)
        if type_.rank != 0 or not _is_signless(type_.element_type):
            return False
        if value in assumed or value in self._numbers:
            return True
        op = _origin(value)
        if op is None:
            return False
        if op.name == "stablehlo.constant":
            return True
        return op.name in _ARITHMETIC and all(
            self._knows(operand, assumed) for operand in op.operands
        )


def _origin(value: Any) -> ir.Operation | None:
    """The op that gives a value; None for an argument of a block."""
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation


def _is_signless(type_: ir.Type) -> bool:
    """Whether it is a signed integer of StableHLO; a boolean is none."""
    return isinstance(type_, ir.IntegerType) and type_.is_signless and type_.width > 1


def _append(
    block: ir.Block,
    name: str,
    operands: Sequence[Any],
    result: ir.Type,
    attributes: dict[str, Any] | None = None,
) -> Any:
    op = ir.Operation.create(
        name,
        results=[result],
        operands=operands,
        attributes=attributes or {},
        ip=ir.InsertionPoint(block),
    )
    return op.results[0]
