"""Function bodies: statements in SSA form [CTL-2..CTL-4].

A `var` is the value it holds at the moment; a loop carries the ones it assigns.
"""

from collections.abc import Iterable
from typing import final

from linnet.checker import (
    Assign,
    AssignState,
    Binding,
    ForEach,
    ForRange,
    Function,
    FunctionBody,
    Local,
    Require,
    Return,
    Stmt,
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

    def _carried(self, statements: Iterable[Stmt]) -> list[Local]:
        """The `var`s from outside that statements assign, in order of first assignment."""
        found: dict[Local, None] = {}

        def visit(inner: Iterable[Stmt]) -> None:
            for statement in inner:
                match statement:
                    case Assign(local, _, _):
                        if local in self._env:
                            found[local] = None
                    case ForEach() | ForRange() | While():
                        visit(statement.body)
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
    ) -> None:
        self._env.update(zip(carried, arguments, strict=True))
        with self._builder.inside(block):
            for statement in body:
                self._statement(statement)
            self._builder.op("linnet.yield", span, [self._env[var] for var in carried])

    def _while(self, statement: While) -> None:
        builder, span = self._builder, statement.span
        carried = self._carried(statement.body)
        inits = [self._env[var] for var in carried]
        types = [value.type for value in inits]
        op = builder.op("linnet.while", span, inits, types, regions=2)
        places = [span for _ in types]
        before, tested = builder.region(op, 0, types, places)
        body, arguments = builder.region(op, 1, types, places)
        self._env.update(zip(carried, tested, strict=True))
        with builder.inside(before):
            test = self._values.emit(statement.condition)
            builder.op("linnet.condition", statement.condition.span, (test,))
        self._region(body, carried, arguments, statement.body, span)
        self._env.update(zip(carried, op.results, strict=True))
