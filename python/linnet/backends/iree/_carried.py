"""Keeps the states of a loop in their globals.

A state that an entry changes in a loop reaches it as a value that the loop carries, and IREE 3.13
copies every carried tensor in each pass: for the caches of a language model more bytes than the
weights. Here the body loads the state from its global at its top and stores it at its end, so that
the update happens in place as it does in an entry without a loop.
"""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Mapping
from typing import Any

from jaxlib.mlir import ir

_LOOP = "stablehlo.while"


def keep_states_in_globals(function: ir.Operation, states: Mapping[int, str]) -> list[int]:
    """Take states out of the loops, arguments and results of a function, in place.

    `states` has the symbol of the global for each argument that is a state which may be moved; the
    results of the function end with the new values of all states, in the order of its last
    arguments. Returns the numbers of the arguments that are gone. Its context must be current and
    admit ops of dialects that it does not know.
    """
    (block,) = function.regions[0].blocks
    arguments = list(block.arguments)
    *_, end = [view.operation for view in block.operations]
    shift = len(list(end.operands)) - len(arguments)
    moved: list[int] = []
    for view in list(block.operations):
        loop = view.operation
        if loop.name != _LOOP:
            continue
        found = {
            number: (argument, states[argument])
            for number, value in enumerate(loop.operands)
            for argument in _state(value, arguments, states)
            if _ends_in(loop.results[number], end, argument + shift)
        }
        if found:
            _take_out(loop, {number: symbol for number, (_, symbol) in found.items()})
            moved += [argument for argument, _ in found.values()]
    if moved:
        _shrink(function, block, end, set(moved), shift)
    return sorted(moved)


def _state(value: Any, arguments: list[Any], states: Mapping[int, str]) -> list[int]:
    """The number of the state argument that a value is, if nothing else uses it."""
    if len(list(value.uses)) != 1:
        return []
    return [number for number in states if arguments[number] == value]


def _ends_in(result: Any, end: ir.Operation, position: int) -> bool:
    uses = list(result.uses)
    return len(uses) == 1 and uses[0].owner.operation == end and uses[0].operand_number == position


def _take_out(loop: ir.Operation, symbols: Mapping[int, str]) -> None:
    """Make the loop again without some carried values; their results must have one use, the end."""
    kept = [number for number in range(len(list(loop.operands))) if number not in symbols]
    test, body = (region.blocks[0] for region in loop.regions)
    last = list(body.operations)[-1].operation
    following = list(last.operands)
    with ir.InsertionPoint(last):
        for number, symbol in symbols.items():
            # What a pass leaves alone needs no store.
            if following[number] != body.arguments[number]:
                _op("util.global.store", [following[number]], [], symbol)
        ir.Operation.create(last.name, operands=[following[number] for number in kept])
    last.erase()
    for block in (test, body):
        for number, symbol in sorted(symbols.items(), reverse=True):
            argument = block.arguments[number]
            if list(argument.uses):
                with ir.InsertionPoint.at_block_begin(block):
                    made = _op("util.global.load", [], [argument.type], symbol)
                argument.replace_all_uses_with(made.results[0])
            block.erase_argument(number)
    with ir.InsertionPoint(loop):
        smaller = ir.Operation.create(
            _LOOP,
            results=[loop.results[number].type for number in kept],
            operands=[loop.operands[number] for number in kept],
            regions=2,
        )
    for block, region in zip((test, body), smaller.regions, strict=True):
        block.append_to(region)
    for place, number in enumerate(kept):
        loop.results[number].replace_all_uses_with(smaller.results[place])
    # The end still names the values that go; anything of the type will do until it is made again.
    for number in symbols:
        loop.results[number].replace_all_uses_with(loop.operands[number])
    loop.erase()


def _op(name: str, operands: list[Any], results: list[ir.Type], symbol: str) -> ir.Operation:
    attributes: dict[str, ir.Attribute] = {"global": ir.FlatSymbolRefAttr.get(symbol)}
    return ir.Operation.create(name, operands=operands, results=results, attributes=attributes)


def _shrink(
    function: ir.Operation, block: ir.Block, end: ir.Operation, gone: set[int], shift: int
) -> None:
    """Drop arguments, and the results that are `shift` further on, from a function."""
    values = [v for n, v in enumerate(end.operands) if n - shift not in gone]
    with ir.InsertionPoint(end):
        ir.Operation.create(end.name, operands=values)
    end.erase()
    for number in sorted(gone, reverse=True):
        block.erase_argument(number)
    inputs = [argument.type for argument in block.arguments]
    type_ = ir.FunctionType.get(inputs, [value.type for value in values])
    function.attributes["function_type"] = ir.TypeAttr.get(type_)
