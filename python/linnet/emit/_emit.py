"""The module: enums, blocks, functions, in a stable order, with the claims beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from linnet.checker import (
    Block,
    Claim,
    EnumType,
    Function,
    FunctionBody,
    Struct,
    StructType,
    TupleType,
    Type,
    TypedProgram,
    field_types,
)
from linnet.emit._body import BodyEmitter
from linnet.emit._builder import Builder
from linnet.mlir import ir

_KINDS = {"fn": 0, "op": 1, "entry": 2}
_MEMBERS = {
    "param": "linnet.param",
    "buffer": "linnet.buffer",
    "state": "linnet.state",
    "sub": "linnet.sub_block",
}


@dataclass(frozen=True, slots=True)
class Emitted:
    """A generic module and, by the number in `linnet.claim`, how to word each claim.

    `root` names the module of the file that was asked for.
    """

    module: ir.Module
    claims: dict[int, Claim]
    root: str
    program: TypedProgram


def emit(program: TypedProgram) -> Emitted:
    """Build the generic module of a typed program. Nothing here can fail."""
    context = ir.Context()
    # Some attributes take context and location from their surroundings alone.
    with context, ir.Location.unknown(context):
        emitter = _ModuleEmitter(program, context)
    return Emitted(emitter.module, emitter.builder.claims, program.root, program)


@final
class _ModuleEmitter:
    """One module being built."""

    def __init__(self, program: TypedProgram, context: ir.Context) -> None:
        self.builder = Builder(context, program.structs)
        self.module = ir.Module.create(ir.Location.unknown(context))
        self.builder.block = self.module.body
        by_block: dict[Block | None, list[FunctionBody]] = {}
        for body in program.bodies.values():
            by_block.setdefault(body.function.block, []).append(body)
        for enum in program.enums.values():
            self._enum(enum)
        for block in program.blocks.values():
            self._block(block, _in_order(by_block.get(block, [])))
        for body in _in_order(by_block.get(None, [])):
            self._function(body)

    def _enum(self, enum: EnumType) -> None:
        table = self.builder.table
        variants = table.array([table.string(variant) for variant in enum.variants])
        attributes = {"sym_name": table.string(enum.symbol), "variants": variants}
        self.builder.op("linnet.enum", None, attributes=attributes)

    def _block(self, block: Block, methods: list[FunctionBody]) -> None:
        builder, table = self.builder, self.builder.table
        op = builder.op(
            "linnet.block",
            block.syntax.head_span,
            attributes={
                "sym_name": table.string(block.symbol),
                "generics": table.array([table.generic(g) for g in block.generics]),
                "where": table.array([table.constraint(w.constraint) for w in block.where]),
            },
            regions=1,
        )
        inside, _ = builder.region(op, 0, (), ())
        with builder.inside(inside):
            for member in block.members.values():
                builder.op(
                    _MEMBERS[member.kind],
                    member.span,
                    attributes={
                        "sym_name": table.string(member.name),
                        "type": ir.TypeAttr.get(table.type(member.type)),
                    },
                    claim=member.claim,
                )
            for require in block.requires:
                builder.require(require)
            for body in methods:
                self._function(body)

    def _function(self, body: FunctionBody) -> None:
        builder, table, function = self.builder, self.builder.table, body.function
        inputs = [table.type(param.type) for param in function.params]
        results = [] if function.result is None else [table.type(function.result)]
        names = [table.parsed(f'{{linnet.name = "{param.name}"}}') for param in function.params]
        attributes: dict[str, ir.Attribute] = {
            "kind": table.choice(_KINDS[function.kind]),
            "sym_name": table.string(function.symbol),
            "function_type": ir.TypeAttr.get(
                ir.FunctionType.get(inputs, results, builder.context), builder.context
            ),
            "generics": table.array([table.generic(g) for g in function.generics]),
            "where": table.array([table.constraint(w.constraint) for w in function.where]),
            "arg_attrs": table.array(names),
        }
        if function.public or function.kind == "entry":
            attributes["sym_visibility"] = table.string("public")
        if function.role != "function":
            attributes["linnet.role"] = table.string(function.role)
        result = function.result
        if function.kind == "entry" and result is not None and _holds_struct(result):
            named = _result_names(result, builder.structs, "result")
            attributes["linnet.results"] = table.array([table.string(one) for one in named])
        span = function.syntax.head_span
        op = builder.op("linnet.func", span, attributes=attributes, regions=1)
        places = [param.span for param in function.params]
        block, arguments = builder.region(op, 0, inputs, places)
        with builder.inside(block):
            BodyEmitter(builder, function, arguments).emit(body)


def _result_names(type_: Type, structs: Mapping[str, Struct], name: str) -> list[str]:
    """The names of an entry's results, by the fields that they come from [LAT-3]."""
    match type_:
        case StructType(symbol):
            types = zip(structs[symbol].fields, field_types(structs[symbol], type_), strict=True)
            parts = [(field.name, inner) for field, inner in types]
        case TupleType(elements):
            parts = [(str(at), element) for at, element in enumerate(elements)]
        case _:
            return [name]
    return [one for part, inner in parts for one in _result_names(inner, structs, f"{name}.{part}")]


def _holds_struct(type_: Type) -> bool:
    if isinstance(type_, TupleType):
        return any(map(_holds_struct, type_.elements))
    return isinstance(type_, StructType)


def _in_order(bodies: list[FunctionBody]) -> list[FunctionBody]:
    """Functions by module and place, whatever the order in which they were checked."""

    def place(body: FunctionBody) -> tuple[str, int]:
        function: Function = body.function
        return function.module, function.syntax.span.start

    return sorted(bodies, key=place)
