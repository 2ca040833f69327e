"""Expressions: each typed node becomes the operations that compute it."""

from collections.abc import Sequence
from typing import final

from linnet.checker import (
    Access,
    Ascribe,
    Binary,
    Binding,
    Broadcast,
    Build,
    Call,
    CallMethod,
    Cast,
    Compare,
    Comprehension,
    Concat,
    Constant,
    Cumsum,
    DimValue,
    ElementOf,
    EnumValue,
    Expr,
    FieldRead,
    If,
    IndexVar,
    Invalid,
    Iota,
    Local,
    LocalRef,
    MatchEnum,
    MatchOptional,
    MemberRead,
    NoneValue,
    Reduce,
    Reshape,
    Scoped,
    Select,
    SelfInstance,
    Slice,
    Some,
    Splat,
    Take,
    Transpose,
    Tuple,
    Unary,
    UnitType,
)
from linnet.emit._bases import bases_of, free_locals
from linnet.emit._builder import Builder
from linnet.mlir import ir

_PREDICATES = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
_REDUCTIONS = {"sum": 0, "prod": 1, "max": 2, "min": 3, "any": 4, "all": 5}


@final
class ValueEmitter:
    """The expressions of one function; `env` holds what its names stand for now."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._table = builder.table
        self.env: dict[Local, ir.Value] = {}
        self._indices: dict[IndexVar, ir.Value] = {}
        self._bases: dict[Expr, ir.Value] = {}
        self._inside = False

    def emit(self, node: Expr) -> ir.Value:
        """Append the operations of a node and give its value."""
        value = self._emit(node)
        assert value is not None
        return value

    def bind(self, binding: Binding) -> None:
        """Give the names of a binding their values."""
        value = self.emit(binding.value)
        if not binding.unpack:
            self.env[binding.locals[0]] = value
            self._builder.name(value, binding.locals[0].name)
            return
        types = [self._table.type(local.type) for local in binding.locals]
        op = self._builder.op("linnet.untuple", binding.span, (value,), types)
        self._builder.name_results(op, [local.name for local in binding.locals])
        self.env.update(zip(binding.locals, op.results, strict=True))

    def _emit(self, node: Expr) -> ir.Value | None:
        table, span = self._table, node.span
        match node:
            case LocalRef(_, _, local):
                return self.env[local]
            case Constant(_, _, value):
                return self._value("constant", node, (), {"literal": self._literal(value)})
            case DimValue(_, _, dim):
                return self._value("dim_constant", node, (), {"value": table.dim(dim)})
            case SelfInstance():
                return self._value("self", node, ())
            case MemberRead(_, _, base, name):
                return self._value("member", node, (base,), {"member": table.symbol(name)})
            case ElementOf(_, _, base, position, claim):
                attributes = {"position": table.dim(position)}
                return self._value("element", node, (base,), attributes, claim)
            case EnumValue(_, _, variant):
                return self._value("enum_value", node, (), {"variant": table.string(variant)})
            case Unary(_, _, op, operand):
                return self._value(op, node, (operand,))
            case Binary(_, _, op, left, right):
                return self._value(op, node, (left, right))
            case Compare(_, _, op, left, right):
                attributes = {"predicate": table.choice(_PREDICATES[op])}
                return self._value("compare", node, (left, right), attributes)
            case Select(_, _, condition, then, otherwise):
                return self._value("select", node, (condition, then, otherwise))
            case Cast(_, _, operand):
                return self._value("cast", node, (operand,))
            case Broadcast(_, _, operand, claim):
                return self._value("broadcast", node, (operand,), None, claim)
            case Ascribe(_, _, operand, code, claim):
                if table.type(operand.type) == table.type(node.type):
                    # Types of one declaration; what tells them apart is claimed by itself.
                    return self.emit(operand)
                return self._value("ascribe", node, (operand,), {"code": table.string(code)}, claim)
            case Reshape(_, _, operand, claim):
                return self._value("reshape", node, (operand,), None, claim)
            case Transpose(_, _, operand, order):
                return self._value("transpose", node, (operand,), {"perm": table.numbers(order)})
            case Slice(_, _, operand, starts, steps):
                attributes = {
                    "starts": table.array([table.dim(start) for start in starts]),
                    "steps": table.numbers(steps),
                }
                return self._value("slice", node, (operand,), attributes)
            case Concat(_, _, operands, axis, claim):
                return self._value("concat", node, operands, {"axis": table.number(axis)}, claim)
            case Cumsum(_, _, operand, axis):
                return self._value("cumsum", node, (operand,), {"axis": table.number(axis)})
            case Take(_, _, operand, index, axis):
                return self._value("take", node, (operand, index), {"axis": table.number(axis)})
            case Iota():
                return self._value("iota", node, (), {"axis": table.number(0)})
            case Splat(_, _, value):
                return self._value("splat", node, (value,))
            case Some(_, _, value):
                return self._value("some", node, (value,))
            case NoneValue():
                return self._value("none", node, ())
            case Tuple(_, _, elements):
                return self._value("tuple", node, elements)
            case Build(type_, _, values):
                operands = self._in_written_order(values)
                return self._builder.value("linnet.tuple", span, operands, table.type(type_))
            case FieldRead():
                return self._field(node)
            case Call() | CallMethod():
                return self._call(node)
            case Scoped(_, _, bindings, body):
                for binding in bindings:
                    self.bind(binding)
                return self._emit(body)
            case If() | MatchOptional() | MatchEnum():
                return self._choice(node)
            case Comprehension():
                return self._comprehension(node)
            case Access():
                return self._access(node)
            case Reduce(_, _, op, indices, body):
                attributes = {"kind": table.choice(_REDUCTIONS[op])}
                return self._over("reduce_over", node, indices, body, attributes)
            case Invalid():
                raise AssertionError(f"a reported problem reached emit at {span.text!r}")

    def _value(
        self,
        name: str,
        node: Expr,
        operands: Sequence[Expr],
        attributes: dict[str, ir.Attribute] | None = None,
        claim: object = None,
    ) -> ir.Value:
        values = [self.emit(operand) for operand in operands]
        return self._builder.value(
            f"linnet.{name}", node.span, values, self._table.type(node.type), attributes,
            claim=claim,  # type: ignore[arg-type]
        )  # fmt: skip

    def _literal(self, value: float | bool) -> ir.Attribute:
        if isinstance(value, bool):
            return ir.BoolAttr.get(value, self._builder.context)
        if isinstance(value, int):
            # Only an unsigned 64-bit constant leaves the range; its bits are the same.
            return self._table.number((value + (1 << 63)) % (1 << 64) - (1 << 63))
        return ir.FloatAttr.get(self._table.f64, value)

    def _call(self, node: Call | CallMethod) -> ir.Value | None:
        table = self._table
        function = node.function
        operands = self._in_written_order(node.args)
        results = [] if isinstance(node.type, UnitType) else [table.type(node.type)]
        attributes: dict[str, ir.Attribute] = {}
        if node.generics:
            attributes["generic_args"] = table.array([table.arg(arg) for arg in node.generics])
        claim = node.claim if function.where else None
        if isinstance(node, CallMethod):
            instance = self._bases.get(node.instance)
            operands.insert(0, self.emit(node.instance) if instance is None else instance)
            attributes["method"] = table.symbol(function.symbol)
            name = "linnet.call_method"
        else:
            attributes["callee"] = table.symbol(function.symbol)
            name = "linnet.call"
        op = self._builder.op(name, node.span, operands, results, attributes, claim=claim)
        return op.results[0] if results else None

    def _in_written_order(self, nodes: Sequence[Expr]) -> list[ir.Value]:
        """Values evaluated as they are written, whatever the order of the parameters [STA-2]."""
        order = sorted(range(len(nodes)), key=lambda at: nodes[at].span.start)
        values = {at: self.emit(nodes[at]) for at in order}
        return [values[at] for at in range(len(nodes))]

    def _field(self, node: FieldRead) -> ir.Value:
        known = self._bases.get(node)
        if known is not None:
            return known
        base = self.emit(node.base)
        # The stub of MLIR leaves the elements of a tuple type open.
        tuple_ = ir.TupleType(base.type)
        types = [tuple_.get_type(at) for at in range(tuple_.num_types)]
        op = self._builder.op("linnet.untuple", node.span, (base,), types)
        return op.results[node.position]

    # Choices ------------------------------------------------------------------------------

    def _choice(self, node: If | MatchOptional | MatchEnum) -> ir.Value:
        builder, table = self._builder, self._table
        result = (table.type(node.type),)
        match node:
            case If(_, span, condition, then, otherwise):
                test = self.emit(condition)
                op = builder.op("linnet.if", span, (test,), result, regions=2)
                self._branch(op, 0, then)
                self._branch(op, 1, otherwise)
            case MatchOptional(_, span, scrutinee, whole, payload, some, none):
                subject = self.emit(scrutinee)
                self.env[whole] = subject
                op = builder.op("linnet.match_optional", span, (subject,), result, regions=2)
                self._branch(op, 0, some, payload)
                self._branch(op, 1, none)
            case MatchEnum(_, span, scrutinee, cases, default):
                subject = self.emit(scrutinee)
                names = table.array([table.string(name) for name, _ in cases])
                op = builder.op(
                    "linnet.match_enum", span, (subject,), result, {"cases": names},
                    regions=1 + len(cases),
                )  # fmt: skip
                if default is not None:
                    self._branch(op, 0, default)
                for at, (_, value) in enumerate(cases):
                    self._branch(op, at + 1, value)
        return op.results[0]

    def _branch(
        self, op: ir.Operation, region: int, body: Expr, local: Local | None = None
    ) -> None:
        builder = self._builder
        types = [] if local is None else [self._table.type(local.type)]
        block, arguments = builder.region(op, region, types, [body.span for _ in types])
        if local is not None:
            self.env[local] = arguments[0]
        with builder.inside(block):
            builder.op("linnet.yield", body.span, (self.emit(body),))

    # Index notation -----------------------------------------------------------------------

    def _comprehension(self, node: Comprehension) -> ir.Value:
        # What is indexed is computed outside, once, before the elements.
        for base in bases_of(node.body):
            if base not in self._bases and self._known(base):
                self._bases[base] = self.emit(base)
        return self._over("comprehension", node, node.indices, node.body, None)

    def _known(self, base: Expr) -> bool:
        """Whether what a base mentions has a value outside the elements."""
        return all(local in self.env for local in free_locals(base))

    def _over(
        self,
        name: str,
        node: Comprehension | Reduce,
        indices: tuple[IndexVar, ...],
        body: Expr,
        attributes: dict[str, ir.Attribute] | None,
    ) -> ir.Value:
        builder = self._builder
        result = (self._table.type(node.type),)
        op = builder.op(f"linnet.{name}", node.span, (), result, attributes, regions=1)
        types = [self._table.index(index.extent or ()) for index in indices]
        block, arguments = builder.region(op, 0, types, [index.span for index in indices])
        self._indices.update(zip(indices, arguments, strict=True))
        with builder.inside(block):
            builder.op("linnet.yield", body.span, (self.emit(body),))
        return op.results[0]

    def _access(self, node: Access) -> ir.Value:
        base = self._bases.pop(node.base, None)
        operands = [self.emit(node.base) if base is None else base]
        for part in node.parts:
            operands.append(self._indices[part] if isinstance(part, IndexVar) else self.emit(part))
        return self._builder.value(
            "linnet.access", node.span, operands, self._table.type(node.type)
        )
