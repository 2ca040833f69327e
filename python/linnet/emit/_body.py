"""Function bodies: statements in SSA form [CTL-2..CTL-4].

A `var` is the value it holds at the moment; a loop carries the ones it assigns. What a scan
yields is flattened to tensors, since only these stack, and its stack is put together again.
"""

from collections.abc import Iterable, Iterator
from typing import final

from linnet.checker import (
    Assign,
    AssignState,
    Binding,
    Expr,
    For,
    ForEach,
    ForRange,
    Function,
    FunctionBody,
    Local,
    Require,
    Return,
    Stmt,
    Store,
    TupleType,
    Type,
    While,
)
from linnet.emit._builder import Builder
from linnet.emit._values import ValueEmitter
from linnet.mlir import ir
from linnet.source import Span


@final
class BodyEmitter:
    """The body of one function."""

    def __init__(self, builder: Builder, function: Function, arguments: list[ir.Value]) -> None:
        self._builder = builder
        self._values = ValueEmitter(builder)
        self._env = self._values.env
        for param, argument in zip(function.params, arguments, strict=True):
            self._env[param.local] = argument
        for require in function.requires:
            builder.require(require)

    def emit(self, body: FunctionBody) -> None:
        """Append all statements."""
        for statement in body.statements:
            self._statement(statement)

    def _statement(self, statement: Stmt) -> None:
        builder = self._builder
        match statement:
            case Require():
                builder.require(statement)
            case Binding():
                self._values.bind(statement)
            case Assign(local, value, _):
                self._env[local] = self._values.emit(value)
                builder.name(self._env[local], local.name)
            case AssignState(name, value, span):
                attributes = {"member": builder.table.symbol(name)}
                given = self._values.emit(value)
                builder.op("linnet.assign_state", span, (given,), attributes=attributes)
            case Return(value, span):
                operands = () if value is None else (self._values.emit(value),)
                builder.op("linnet.return", span, operands)
            case ForEach(element, array, inner, span):
                head = (self._values.emit(array),)
                self._static("linnet.static_for", element, head, {}, inner, span)
            case ForRange(position, start, stop, inner, span):
                bounds = {"lower": builder.table.dim(start), "upper": builder.table.dim(stop)}
                self._static("linnet.static_range", position, (), bounds, inner, span)
            case While():
                self._while(statement)
            case For():
                self._for(statement)
            case Store(_, _, indices, value, mask):
                # What is written has no place in a module; what it claims is proven like all else.
                for part in (*indices, value, *(() if mask is None else (mask,))):
                    self._values.emit(part)

    def _carried(self, statements: Iterable[Stmt]) -> list[Local]:
        """The `var`s from outside that statements assign, in order of first assignment."""
        found: dict[Local, None] = {}

        def visit(inner: Iterable[Stmt]) -> None:
            for statement in inner:
                match statement:
                    case Assign(local, _, _):
                        if local in self._env:
                            found[local] = None
                    case ForEach() | ForRange() | While() | For():
                        visit(statement.body)
                    case Store():
                        pass
                    case Require() | Binding() | AssignState() | Return():
                        pass

        visit(statements)
        return list(found)

    def _static(
        self,
        name: str,
        local: Local,
        head: tuple[ir.Value, ...],
        attributes: dict[str, ir.Attribute],
        body: tuple[Stmt, ...],
        span: Span,
    ) -> None:
        builder = self._builder
        carried = self._carried(body)
        inits = [self._env[var] for var in carried]
        types = [value.type for value in inits]
        op = builder.op(name, span, (*head, *inits), types, attributes, regions=1)
        builder.name_results(op, [var.name for var in carried])
        element = builder.table.type(local.type)
        places = [local.span, *(span for _ in types)]
        block, (first, *rest) = builder.region(op, 0, [element, *types], places)
        self._env[local] = first
        self._region(block, carried, rest, body, span)
        self._env.update(zip(carried, op.results, strict=True))

    def _region(
        self,
        block: ir.Block,
        carried: list[Local],
        arguments: list[ir.Value],
        body: tuple[Stmt, ...],
        span: Span,
        element: Expr | None = None,
    ) -> None:
        self._env.update(zip(carried, arguments, strict=True))
        with self._builder.inside(block):
            for statement in body:
                self._statement(statement)
            parts = [] if element is None else self._parts(element)
            values = [self._env[var] for var in carried]
            self._builder.op("linnet.yield", span, [*values, *parts])

    def _for(self, statement: For) -> None:
        builder, table, span = self._builder, self._builder.table, statement.span
        carried = self._carried(statement.body)
        inits = [self._env[var] for var in carried]
        types = [value.type for value in inits]
        stack = statement.stack
        stacks = [] if stack is None else [table.type(leaf) for leaf in _leaves(stack.type)]
        attributes: dict[str, ir.Attribute] = {
            "lower": table.dim(statement.start),
            "upper": table.dim(statement.stop),
        }
        op = builder.op(
            "linnet.for", span, inits, [*types, *stacks], attributes,
            regions=1, claim=statement.claim,
        )  # fmt: skip
        stacked = [] if stack is None else [stack.name for _ in stacks]
        builder.name_results(op, [*(var.name for var in carried), *stacked])
        places = [statement.position.span, *(span for _ in types)]
        position = table.type(statement.position.type)
        block, (first, *rest) = builder.region(op, 0, [position, *types], places)
        self._env[statement.position] = first
        self._region(block, carried, rest, statement.body, span, statement.element)
        self._env.update(zip(carried, op.results, strict=False))
        if stack is not None:
            leaves = iter(list(op.results)[len(carried) :])
            self._env[stack] = self._together(stack.type, leaves, span)

    def _parts(self, element: Expr) -> list[ir.Value]:
        """The tensors that a yielded value is made of, in order."""
        return self._apart(element.type, self._values.emit(element), element.span)

    def _apart(self, type_: Type, value: ir.Value, span: Span) -> list[ir.Value]:
        if not isinstance(type_, TupleType):
            return [value]
        types = [self._builder.table.type(part) for part in type_.elements]
        op = self._builder.op("linnet.untuple", span, (value,), types)
        return [
            leaf
            for part, inner in zip(type_.elements, op.results, strict=True)
            for leaf in self._apart(part, inner, span)
        ]

    def _together(self, type_: Type, leaves: Iterator[ir.Value], span: Span) -> ir.Value:
        if not isinstance(type_, TupleType):
            return next(leaves)
        parts = [self._together(part, leaves, span) for part in type_.elements]
        return self._builder.value("linnet.tuple", span, parts, self._builder.table.type(type_))

    def _while(self, statement: While) -> None:
        builder, span = self._builder, statement.span
        carried = self._carried(statement.body)
        inits = [self._env[var] for var in carried]
        types = [value.type for value in inits]
        op = builder.op("linnet.while", span, inits, types, regions=2)
        builder.name_results(op, [var.name for var in carried])
        places = [span for _ in types]
        before, tested = builder.region(op, 0, types, places)
        body, arguments = builder.region(op, 1, types, places)
        self._env.update(zip(carried, tested, strict=True))
        with builder.inside(before):
            test = self._values.emit(statement.condition)
            builder.op("linnet.condition", statement.condition.span, (test,))
        self._region(body, carried, arguments, statement.body, span)
        self._env.update(zip(carried, op.results, strict=True))


def _leaves(type_: Type) -> list[Type]:
    """The types of the tensors that a value of a type is made of."""
    if not isinstance(type_, TupleType):
        return [type_]
    return [leaf for part in type_.elements for leaf in _leaves(part)]
