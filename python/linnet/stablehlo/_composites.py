"""Calls that CORE keeps together, as `stablehlo.composite`.

A backend that knows `std.nn.norm.layer_norm` runs a kernel of its own; any other one takes the
decomposition, a private function that equal calls share. The operands are those of the call, then
what its body uses from outside, then the open sizes that no operand has as an axis, as `i64`.
`composite_attributes` names them in that order (`operands`) and holds the callee's generics and
the values of the scalars among the operands that are constants.
"""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, stablehlo

from linnet.core import Op, Region, TensorType, Value
from linnet.stablehlo._open import inside, read_size, size_value, symbols_of
from linnet.stablehlo._types import splat, tensor_type

_I64 = TensorType("i64", ())
_NUMBER = re.compile(r"(\w+)=(-?\d+)")
Body = Callable[[Region, Mapping[Value, ir.Value]], list[ir.Value]]


class Composites:
    """The decompositions of one module, at whose end they stand."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._known: dict[str, str] = {}
        self._taken: set[str] = set()

    @property
    def is_used(self) -> bool:
        """Whether the module has a composite."""
        return bool(self._known)

    def build(
        self, op: Op, values: Mapping[Value, ir.Value], body: Body, constants: Mapping[Value, Op]
    ) -> Sequence[ir.Value]:
        """Build the composite for a scope where we are.

        `values` are those of CORE so far, `body` builds a region over the values that it may use.
        """
        outer = list(dict.fromkeys(_outer(op.regions[0], set())))
        inputs = [*op.operands, *outer]
        given = [values[value] for value in inputs]
        names = [*_strings(op, "names"), *(f"outer.{number}" for number in range(len(outer)))]
        types = [value.type for value in inputs]
        lacking = [s for s in symbols_of(op.regions[0]) if not any(s in t.shape for t in types)]
        given += [size_value(symbol) for symbol in lacking]
        names += [f"size.{symbol}" for symbol in lacking]

        decomposition = self._function(op, [*op.regions[0].arguments, *outer], lacking, body)
        fields: dict[str, ir.Attribute] = {
            "operands": ir.ArrayAttr.get([ir.StringAttr.get(name) for name in names])
        }
        if generics := _generics(op):
            fields["generics"] = ir.DictAttr.get(generics)
        scalars = {
            name: _scalar(constants[value], value.type)
            for name, value in zip(names, inputs, strict=False)
            if value in constants and not value.type.shape
        }
        if scalars:
            fields["constants"] = ir.DictAttr.get(scalars)
        return stablehlo.CompositeOp(
            [tensor_type(value.type) for value in op.results],
            given,
            _symbol(op),
            decomposition,
            composite_attributes=ir.DictAttr.get(fields),
        ).results

    def _function(self, op: Op, inputs: Sequence[Value], sizes: Sequence[str], body: Body) -> str:
        """Return the name of the function of a scope's body, which is built if it is new."""
        types = [tensor_type(value.type) for value in inputs]
        types += [tensor_type(_I64) for _ in sizes]
        results = [tensor_type(value.type) for value in op.results]
        name = _symbol(op)
        with ir.InsertionPoint(self._module.body), ir.Location.unknown():
            built = func.FuncOp(name, (types, results), visibility="private")
        block = built.add_entry_block()
        arguments = list(block.arguments)
        region = op.regions[0]
        with ir.InsertionPoint(block):
            symbols = dict(zip(sizes, arguments[len(inputs) :], strict=True))
            for symbol in symbols_of(region):
                if symbol not in symbols:
                    found = read_size(inputs, arguments, symbol)
                    symbols[symbol] = cast("ir.Value", found)
            with inside(region, symbols):
                func.ReturnOp(body(region, dict(zip(inputs, arguments, strict=False))))
        text = str(built.operation.get_asm(use_local_scope=True, assume_verified=True))
        if text in self._known:
            built.operation.erase()
            return self._known[text]
        fresh = name
        while fresh in self._taken:
            number = len([each for each in self._taken if each.startswith(f"{name}.")]) + 1
            fresh = f"{name}.{number}"
        self._taken.add(fresh)
        self._known[text] = fresh
        built.attributes["sym_name"] = ir.StringAttr.get(fresh)
        return fresh


def _outer(region: Region, own: set[Value]) -> Iterator[Value]:
    """Yield the values from outside that a region uses."""
    own.update(region.arguments)
    for op in region.ops:
        yield from (operand for operand in op.operands if operand not in own)
        for inner in op.regions:
            yield from _outer(inner, own)
        own.update(op.results)


def _symbol(op: Op) -> str:
    return str(op.attributes["callee"]).replace("::", ".")


def _strings(op: Op, name: str) -> tuple[str, ...]:
    return cast("tuple[str, ...]", op.attributes[name])


def _generics(op: Op) -> dict[str, ir.Attribute]:
    """Return the generics by name: numbers as such, anything else as its text."""
    found: dict[str, ir.Attribute] = {}
    for text in _strings(op, "generics"):
        name, _, value = text.partition("=")
        number = _NUMBER.fullmatch(text)
        found[name] = (
            ir.IntegerAttr.get(ir.IntegerType.get_signless(64), int(number[2]))
            if number
            else ir.StringAttr.get(value)
        )
    return found


def _scalar(constant: Op, type_: TensorType) -> ir.Attribute:
    literal = cast("bool | int | float", constant.attributes["literal"])
    return splat(literal, type_).get_splat_value()
