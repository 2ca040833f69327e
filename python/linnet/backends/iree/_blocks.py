"""Turns loops into blocks and branches, the form for what IREE does not take as a loop.

IREE 3.13 makes `scf.while` of a StableHLO loop. It then refuses some of its own rewrites of one
("region branch point has 12 operands, but region successor needs 14 inputs"), crashes on others,
and frees a buffer of a loop three deep before it is used. Blocks of the function itself pass
through; but there its VM loses a buffer of some loops two deep, so each form has its place.

A choice that holds a loop becomes blocks too, since a loop's blocks stand in a function only.

A counter is carried as a number, not as a tensor: IREE keeps it with the host, which then need not
ask the device whether the loop goes on. A choice that depends on such numbers and on arguments of
the function alone becomes blocks too: the host takes its branch at once.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

from linnet.backends.iree._host import Host

# From this depth on loops are better written as blocks.
DEEP = 3

_LOOP, _CHOICE = "stablehlo.while", "stablehlo.if"


def loops_to_blocks(function: ir.Operation) -> None:
    """Replace the loops of a function, in place; its context must be current."""
    (region,) = function.regions
    host = Host()
    host.take_arguments(region.blocks[0])
    while (found := _find(region, host)) is not None:
        block, op = found
        if op.name == _LOOP:
            _loop(block, op, host)
        else:
            _choice(block, op, host)
        op.erase()


def loop_depth(op: ir.Operation) -> int:
    """How deep the loops in an op nest; 0 where there is none."""
    inner = max(
        (
            loop_depth(view.operation)
            for region in op.regions
            for block in region.blocks
            for view in block.operations
        ),
        default=0,
    )
    return inner + (op.name == _LOOP)


def _find(region: ir.Region, host: Host) -> tuple[ir.Block, ir.Operation] | None:
    for block in region.blocks:
        for view in block.operations:
            op = view.operation
            if op.name == _LOOP:
                return block, op
            if op.name == _CHOICE and (_holds_loop(op) or host.decides(op.operands[0])):
                return block, op
    return None


def _holds_loop(op: ir.Operation) -> bool:
    return any(
        view.operation.name == _LOOP or _holds_loop(view.operation)
        for region in op.regions
        for block in region.blocks
        for view in block.operations
    )


def _loop(block: ir.Block, op: ir.Operation, host: Host) -> None:
    """`block; while` => `block -> test`, `test -> body | rest`, `body -> test`."""
    regions = [region.blocks[0] for region in op.regions]
    inits, following = list(op.operands), list(list(regions[1].operations)[-1].operands)
    counters = host.counters(inits, list(regions[1].arguments), following)
    types = [
        _element(value) if number in counters else value.type
        for number, value in enumerate(op.results)
    ]
    test = _after(block, types)
    body = _after(test, [])
    rest = _after(body, [])
    _move_what_follows(op, rest)
    carried = [
        host.tensor(argument, test) if number in counters else argument
        for number, argument in enumerate(test.arguments)
    ]
    for values in (op.results, *(inner.arguments for inner in regions)):
        for value, argument in zip(values, carried, strict=True):
            value.replace_all_uses_with(argument)

    def passed(values: Sequence[Any], source: ir.Block) -> list[Any]:
        return [
            host.number(value, source) if number in counters else value
            for number, value in enumerate(values)
        ]

    (again,) = _move_all(regions[0], test)
    _choose(test, host.truth(again, test), body, rest)
    _go(body, test, passed(_move_all(regions[1], body), body))
    _go(block, test, passed(inits, block))


def _choice(block: ir.Block, op: ir.Operation, host: Host) -> None:
    """`block; if` => `block -> then | else`, both `-> rest`."""
    branches = [region.blocks[0] for region in op.regions]
    yes, no = _after(block, []), _after(block, [])
    rest = _after(no, [result.type for result in op.results])
    _move_what_follows(op, rest)
    for value, argument in zip(op.results, rest.arguments, strict=True):
        value.replace_all_uses_with(argument)
    for source, target in zip(branches, (yes, no), strict=True):
        _go(target, rest, _move_all(source, target))
    _choose(block, host.truth(op.operands[0], block), yes, no)


def _element(value: Any) -> ir.Type:
    return ir.RankedTensorType(value.type).element_type


def _after(block: ir.Block, types: Sequence[ir.Type]) -> ir.Block:
    return block.create_after(*types, arg_locs=[ir.Location.unknown()] * len(types))


def _move_what_follows(op: ir.Operation, target: ir.Block) -> None:
    following = [view.operation for view in op.block.operations]
    for other in following[following.index(op) + 1 :]:
        target.append(other)


def _move_all(source: ir.Block, target: ir.Block) -> list[Any]:
    """Move the ops of a region; return what its terminator, which goes, was given."""
    *ops, last = [view.operation for view in source.operations]
    for op in ops:
        target.append(op)
    values = list(last.operands)
    last.erase()
    return values


def _go(block: ir.Block, target: ir.Block, values: Sequence[Any]) -> None:
    _append(block, "cf.br", values, [target])


def _choose(block: ir.Block, condition: Any, yes: ir.Block, no: ir.Block) -> None:
    sizes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0])}
    _append(block, "cf.cond_br", [condition], [yes, no], sizes)


def _append(
    block: ir.Block,
    name: str,
    operands: Sequence[Any],
    targets: Sequence[ir.Block],
    attributes: dict[str, Any] | None = None,
) -> None:
    ir.Operation.create(
        name,
        results=[],
        operands=operands,
        successors=targets,
        attributes=attributes or {},
        ip=ir.InsertionPoint(block),
    )
