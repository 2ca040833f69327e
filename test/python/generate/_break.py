"""Breaks a valid program in one place, so that it must be refused, and says where and how.

Each break is wrong whatever the rest of the program is, which makes the refusal certain without a
second checker:

- a dimension of a result type, or of the annotation of a `let`, grows by one: the required type
  takes no part in inference [TYP-18], so the value is still what it was, and its shape differs by
  one at every size (E2202);
- a dtype of a result type changes, where the value has a dtype of its own (E2101);
- an axis leaves the range, or is listed twice (E2210);
- the use of an index takes a name that nothing declares (E3101), a reduction's index takes one
  that its body does not use (E3102, or E3101 where the body does), an output index is listed
  twice (E3105);
- the last argument without a name is given twice, or an unknown argument is named (E2102);
- the use of a local or parameter takes a name that nothing declares (E1201);
- an operand of known dtype is cast to another one (E2103).

A refusal at the place is expected: an error of these codes whose span meets the statement that
holds the edit, or for a result type the function's `return`, the first use that depends on it. A
`where` that is removed or weakened may turn out not to be needed: then every claim must hold
without it, so the program must lower at all sizes that the remaining facts allow
(`must_be_needed` is False).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from linnet.source import SourceFile, decode
from linnet.syntax import (
    Block,
    Function,
    Module,
    TensorType,
    TupleType,
    parse,
)
from linnet.syntax import _tree as tree

FRESH = "unheard_of"
# Fields that hold names of something, no expressions.
_NAMES = ("name", "names", "indices", "path", "pattern", "accumulator")
_DTYPES = ("i8", "f64", "u16", "f32", "i32")


@dataclass(frozen=True, slots=True)
class Break:
    """One edit: what it is, the program after it, and the refusal that it must meet."""

    kind: str
    text: str
    codes: frozenset[str]
    # Where the refusal must lie, in offsets of the broken text.
    start: int
    end: int
    must_be_needed: bool = True


def breaks(text: str) -> Iterator[Break]:
    """Every break of a program."""
    parsed = parse(decode(text.encode(), "probe.linnet"))
    assert parsed.tree is not None
    writer = _Writer(text, parsed.tree)
    for function, block in _functions(parsed.tree):
        yield from writer.function(function, block)


def _functions(module: Module) -> Iterator[tuple[Function, Block | None]]:
    for item in module.items:
        if isinstance(item, Function):
            yield item, None
        elif isinstance(item, Block):
            for member in item.members:
                if isinstance(member, Function):
                    yield member, item


def nodes(node: Any) -> Iterator[Any]:
    """A node of the tree and all below it, in the order of the text."""
    if isinstance(node, tuple):
        for part in node:  # pyright: ignore
            yield from nodes(part)
    elif is_dataclass(node) and not isinstance(node, SourceFile | type):
        yield node
        for each in fields(node):
            if not each.name.endswith("span") and each.name not in _NAMES:
                yield from nodes(getattr(node, each.name))


@dataclass
class _Writer:
    text: str
    module: Module

    def edited(
        self,
        kind: str,
        codes: str,
        start: int,
        end: int,
        new: str,
        place: Any,
        must_be_needed: bool = True,
    ) -> Break:
        """The program with a new text between two offsets; `place` is a span."""
        text = self.text[:start] + new + self.text[end:]
        grown = len(new) - (end - start)
        first, last = place.start, place.end
        if end <= first:
            first += grown
        if end <= last:
            last += grown
        wanted = frozenset(codes.split())
        return Break(kind, text, wanted, first, last, must_be_needed)

    def function(self, function: Function, block: Block | None) -> Iterator[Break]:
        returned = [s for s in function.body.statements if isinstance(s, tree.Return)]
        if returned and function.result is not None and returned[0].value is not None:
            yield from self.result(function.result, returned[0].value)
        for statement in _statements(function.body):
            yield from self.statement(statement, function)
        for constraint in function.where:
            yield from self.fact(function.where, constraint, function)
        if block is not None and function is block.members[-1]:
            for constraint in block.where:
                yield from self.fact(block.where, constraint, block)

    # Types.

    def result(self, type_: Any, value: Any) -> Iterator[Break]:
        yield from self.grown("result dimension", type_, value)
        # A tuple's elements are only judged one by one where it is written out.
        pairs = [(type_, value)]
        if isinstance(type_, TupleType) and isinstance(value, tree.TupleExpr):
            pairs = list(zip(type_.elements, value.elements, strict=True))
        for each, of in pairs:
            if isinstance(each, TensorType) and _has_own_dtype(of):
                dtype = each.dtype.span
                other = next(d for d in _DTYPES if d != dtype.text)
                yield self.edited(
                    "result dtype", "E2101", dtype.start, dtype.end, other, value.span
                )

    def grown(self, kind: str, type_: Any, value: Any) -> Iterator[Break]:
        for each in nodes(type_):
            if isinstance(each, TensorType):
                for dim in each.shape:
                    if not isinstance(dim, tree.Spread):
                        span = dim.span
                        new = f"({span.text}) + 1"
                        yield self.edited(kind, "E2202", span.start, span.end, new, value.span)

    # Statements.

    def statement(self, statement: Any, function: Function) -> Iterator[Break]:
        value = getattr(statement, "value", None)
        type_ = getattr(statement, "type", None)
        if isinstance(statement, tree.Let) and type_ is not None:
            yield from self.grown("annotated dimension", type_, value)
        place = statement.span
        names = {param.name.text for param in function.params}
        below = [value] if value is not None else []
        if isinstance(statement, tree.LetIndexed):
            yield from self.outputs(statement)
        for node in (n for part in below for n in nodes(part)):
            match node:
                case tree.Call():
                    yield from self.call(node, place)
                case tree.Index():
                    yield from self.index(node, place, statement)
                case tree.Reduction():
                    yield from self.reduction(node, place)
                case tree.Binary():
                    yield from self.operand(node, place, function)
                case tree.Name() if node.text in names:
                    span = node.span
                    yield self.edited(
                        "undeclared name", "E1201 E3101", span.start, span.end, FRESH, place
                    )
                case _:
                    pass

    def call(self, node: Any, place: Any) -> Iterator[Break]:
        if not node.args:
            return
        last = node.args[-1]
        end = last.span.end
        yield self.edited(
            "unknown argument", "E2102", end, end, f", {FRESH} = {last.value.span.text}", place
        )
        called = node.callee.text if isinstance(node.callee, tree.Name) else ""
        if called in ("concat", "permute"):
            axes = [a.value for a in node.args if a.name is not None and a.name.text == "axis"]
            if called == "concat" and axes:
                span = axes[0].span
                yield self.edited("axis", "E2210", span.start, span.end, "99", place)
            if called == "permute" and isinstance(node.args[-1].value, tree.ShapeLiteral):
                order = node.args[-1].value.elements
                if len(order) > 1:
                    span = order[1].span
                    first = order[0].span.text
                    yield self.edited("axis twice", "E2210", span.start, span.end, first, place)
        elif called and node.args[0].name is None and called not in ("sum", "concat"):
            start = node.args[0].span.start
            yield self.edited(
                "surplus argument", "E2102", start, start, f"{node.args[0].span.text}, " * 9, place
            )

    def index(self, node: Any, place: Any, statement: Any) -> Iterator[Break]:
        reductions = [each for each in nodes(statement) if isinstance(each, tree.Reduction)]
        bound = {name.text for reduction in reductions for name in reduction.indices}
        if isinstance(statement, tree.LetIndexed):
            bound |= {out.name.text for out in statement.indices}
        for part in node.parts:
            if isinstance(part, tree.Name) and part.text in bound:
                span = part.span
                yield self.edited("index name", "E3101", span.start, span.end, FRESH, place)

    def reduction(self, node: Any, place: Any) -> Iterator[Break]:
        span = node.indices[0].span
        codes = "E3101 E3102 E2209"
        yield self.edited("reduced index", codes, span.start, span.end, FRESH, place)
        new = f"{span.text}, {span.text}"
        yield self.edited("index twice", "E3105", span.start, span.end, new, place)

    def outputs(self, statement: Any) -> Iterator[Break]:
        first = statement.indices[0]
        new = f"{first.span.text}, {first.span.text}"
        span = first.span
        yield self.edited("output twice", "E3105", span.start, span.end, new, statement.span)

    def operand(self, node: Any, place: Any, function: Function) -> Iterator[Break]:
        """`a + b` with a parameter `a` of known dtype: `b` is cast to another one."""
        if not isinstance(node.left, tree.Name) or node.op not in ("+", "-", "*", "/"):
            return
        types = {param.name.text: param.type for param in function.params}
        type_ = types.get(node.left.text)
        if not isinstance(type_, TensorType) or _is_shadowed(function, node.left.text):
            return
        other = next(d for d in _DTYPES if d != type_.dtype.span.text)
        span = node.right.span
        if self.text[node.op_span.end : span.start].strip():
            return  # An operand in parentheses: its span leaves them out.
        new = f"cast<{other}>({span.text})"
        yield self.edited("operand dtype", "E2103", span.start, span.end, new, place)

    # Facts.

    def fact(self, where: tuple[Any, ...], constraint: Any, owner: Any) -> Iterator[Break]:
        span = constraint.span
        codes = "E2201 E2202 E2203 E2205 E2206 E2207 E2208 E2209 E2101 E2103 E2109 E2115"
        yield self.edited(
            "fact removed", codes, span.start, span.end, "0 == 0", self.module.span, False
        )
        for strong, weak in ((" > ", " >= "), (" == ", " <= "), (" < ", " <= "), (" != ", " >= ")):
            if strong in span.text:
                new = span.text.replace(strong, weak, 1)
                yield self.edited(
                    "fact weakened", codes, span.start, span.end, new, self.module.span, False
                )


def _statements(body: Any) -> Iterator[Any]:
    for statement in body.statements:
        yield statement
        inner = getattr(statement, "body", None)
        if inner is not None:
            yield from _statements(inner)


def _is_shadowed(function: Function, name: str) -> bool:
    def named(node: Any) -> Iterator[str]:
        for each in nodes(node):
            if isinstance(each, tree.NamePattern):
                yield each.name.text

    return any(
        name in [*named(getattr(s, "pattern", ())), getattr(getattr(s, "name", None), "text", "")]
        for s in _statements(function.body)
    )


def _has_own_dtype(value: Any) -> bool:
    """Whether a value cannot adopt a dtype: it is a call of a function that the file declares or
    imports, an access, or a name."""
    return isinstance(value, tree.Index) or (
        isinstance(value, tree.Call)
        and isinstance(value.callee, tree.Name)
        and value.callee.text in ("exp", "log", "tanh", "reshape", "permute", "concat")
    )
