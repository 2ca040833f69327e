"""Which numbers of a loop the host can know by itself, and the arithmetic that finds them.

A tensor of rank 0 is a number of the host where it is a constant, an argument of the function, a
counter that a loop carries as a number, or simple arithmetic of integers of these: exactly what
counted loops are made of. A choice between such numbers is then the host's as well, which need not
wait for the device to make it.
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
# Of `arith.cmpf`: false for a NaN, but for NE.
_FLOAT_PREDICATES = {"EQ": 1, "NE": 13, "LT": 4, "LE": 5, "GT": 2, "GE": 3}
_LOGIC = {"stablehlo.and": "arith.andi", "stablehlo.or": "arith.ori"}


@final
class Host:
    """What is known of the values of one function."""

    def __init__(self) -> None:
        self._numbers: dict[Any, Any] = {}

    def take_arguments(self, block: ir.Block) -> None:
        """Read the numbers among the arguments of a function, once, at its beginning."""
        for argument in reversed(list(block.arguments)):
            type_ = ir.RankedTensorType(argument.type)
            element = type_.element_type
            if type_.rank == 0 and (_is_signless(element) or isinstance(element, ir.F32Type)):
                made = ir.Operation.create(
                    "tensor.extract",
                    results=[element],
                    operands=[argument],
                    ip=ir.InsertionPoint.at_block_begin(block),
                )
                self._numbers[argument] = made.results[0]

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
            if isinstance(element, ir.F32Type):
                real = ir.DenseFPElementsAttr(op.attributes["value"])[0]
                attributes = {"value": ir.FloatAttr.get(element, float(real))}
            else:
                held = ir.DenseIntElementsAttr(op.attributes["value"])[0]
                attributes = {"value": ir.IntegerAttr.get(element, int(held))}
            return _append(block, "arith.constant", [], element, attributes)
        operands = [self.number(operand, block) for operand in op.operands]
        return _append(block, _ARITHMETIC[op.name], operands, element)

    def truth(self, value: Any, block: ir.Block) -> Any:
        """The truth value in a tensor, computed or read at the end of a block."""
        boolean = ir.IntegerType.get_signless(1)
        op = _origin(value)
        # A part that the device must be asked for is no reason to ask it for the rest.
        if op is not None and op.name in _LOGIC and any(map(self.decides, op.operands)):
            both = [self.truth(operand, block) for operand in op.operands]
            return _append(block, _LOGIC[op.name], both, boolean)
        if op is None or not self.decides(value):
            return _append(block, "tensor.extract", [value], boolean)
        operands = [self.number(operand, block) for operand in op.operands]
        direction = str(op.attributes["comparison_direction"]).split()[-1].rstrip(">")
        is_float = isinstance(operands[0].type, ir.F32Type)
        predicate = (_FLOAT_PREDICATES if is_float else _PREDICATES)[direction]
        kind = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
        name = "arith.cmpf" if is_float else "arith.cmpi"
        return _append(block, name, operands, boolean, {"predicate": kind})

    def decides(self, value: Any) -> bool:
        """Whether a truth value follows from numbers of the host."""
        op = _origin(value)
        if op is None:
            return False
        if op.name in _LOGIC:
            return all(self.decides(operand) for operand in op.operands)
        return op.name == "stablehlo.compare" and all(
            self._knows(operand, frozenset()) or self._knows_float(operand)
            for operand in op.operands
        )

    def _knows_float(self, value: Any) -> bool:
        type_ = ir.RankedTensorType(value.type)
        if type_.rank != 0 or not isinstance(type_.element_type, ir.F32Type):
            return False
        op = _origin(value)
        return value in self._numbers or (op is not None and op.name == "stablehlo.constant")

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
