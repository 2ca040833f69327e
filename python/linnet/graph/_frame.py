"""The frame of a function: its parameters, the nodes of its statements, its result."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from linnet.checker import (
    Assign,
    AssignState,
    Binding,
    Block,
    Expr,
    For,
    ForEach,
    ForRange,
    FunctionBody,
    InstanceArrayType,
    Local,
    Require,
    Return,
    Stmt,
    Store,
    Substitution,
    TupleType,
    Type,
    While,
    show_dim,
)
from linnet.graph._data import Body, GraphNode, Use
from linnet.graph._scope import Fixed, Group, Place, Scope, Value, line_of, shortened
from linnet.graph._values import bind, evaluate
from linnet.source import Span

if TYPE_CHECKING:
    from linnet.graph._graph import Frames


@final
class FrameBuilder:
    """Makes one frame under the generic arguments of a call."""

    def __init__(self, frames: "Frames", bound: Substitution, block: Block | None) -> None:
        self._frames = frames
        self._scope = Scope(frames, bound, block)

    def build(self, body: FunctionBody) -> tuple[GraphNode, ...]:
        """The nodes of a function, its parameters first."""
        scope = self._scope
        for param in body.function.params:
            line = line_of(param.span)
            scope.env[param.local] = scope.input(param.name, param.type, line)
        _statements(scope, body.statements)
        return scope.nodes()


def _statements(scope: Scope, statements: Iterable[Stmt]) -> None:
    for statement in statements:
        match statement:
            case Require() | Store():
                pass  # A claim has no value; a kernel's body is no part of a graph.
            case Binding():
                bind(scope, statement)
            case Assign(local, value, _):
                scope.bind(local, evaluate(scope, value))
            case AssignState(name, value, span):
                _write(scope, name, value, span)
            case Return(value, span):
                if value is not None:
                    scope.results(evaluate(scope, value), span)
            case ForEach(element, array, body, span):
                base = evaluate(scope, array)
                assert isinstance(base, Place)
                length = shortened(array.span.text)
                _for_each(
                    scope, element, base, body, span, f"for {element.name} in {length}", array
                )
            case ForRange(position, start, stop, body, span):
                low, high = scope.bound.dim(start), scope.bound.dim(stop)
                title = f"for {position.name} in {show_dim(low)}..{show_dim(high)}"
                known = Fixed(position.name, position.type, position.span)
                _loop(scope, title, show_dim(high - low), body, span, (position, known))
            case While(condition, body, span):
                _while(scope, condition, body, span)
            case For():
                _for(scope, statement)


def _write(scope: Scope, name: str, value: Expr, span: Span) -> None:
    given = evaluate(scope, value)
    use = scope.use(given, span)
    made = scope.add("write", name, span, (use,), value.type, path=name, types=(value.type,))
    held = made.elements[0] if isinstance(made, Group) else made
    scope.name(held, name)
    scope.written[name] = held
    scope.wrote.add(name)


# Loops ------------------------------------------------------------------------------------


def _for_each(
    scope: Scope,
    element: Local,
    base: Place,
    body: Sequence[Stmt],
    span: Span,
    title: str,
    array: Expr,
) -> None:
    assert isinstance(array.type, InstanceArrayType)
    depth, outer = 0, scope.outer
    while outer is not None:
        depth, outer = depth + 1, outer.outer
    place = Place(f"{base.path}.{{{'ijklmn'[depth % 6]}}}")
    length = show_dim(scope.bound.dim(array.type.length))
    _loop(scope, title, length, body, span, (element, place))


def _loop(
    scope: Scope,
    title: str,
    repeat: str,
    body: Sequence[Stmt],
    span: Span,
    element: tuple[Local, Value],
) -> None:
    """A loop that is unrolled: its body is drawn once."""
    inner = scope.inner()
    inner.env[element[0]] = element[1]
    loop = _Loop(scope, inner, _carried(scope, body), span)
    loop.run(body)
    nodes = inner.nodes()
    only = _only_call(nodes)
    if only is None:
        frame = scope.frames.of_part("loop", title, scope.block, nodes)
        loop.add(title, [("", frame, inner)], repeat)
    else:
        loop.add_call(only, _inputs(nodes), repeat)


def _for(scope: Scope, statement: For) -> None:
    """A loop at run time; the stack of a scan is its last output."""
    inner, position = scope.inner(), statement.position
    loop = _Loop(scope, inner, _carried(scope, statement.body), statement.span)
    inner.env[position] = inner.input(position.name, position.type, line_of(position.span))
    loop.run(statement.body)
    stack = statement.stack
    if statement.element is not None and stack is not None:
        inner.result(inner.whole(evaluate(inner, statement.element), statement.span), stack.span)
    low, high = scope.bound.dim(statement.start), scope.bound.dim(statement.stop)
    title = f"for {position.name} in {show_dim(low)}..{show_dim(high)}"
    frame = scope.frames.of_part("loop", title, scope.block, inner.nodes())
    stacks = () if stack is None else (stack.type,)
    made = loop.add(title, [("", frame, inner)], show_dim(high - low), stacks)
    if stack is not None:
        scope.bind(stack, made[-1])


def _while(scope: Scope, condition: Expr, body: Sequence[Stmt], span: Span) -> None:
    carried = _carried(scope, body)
    test, inner = scope.inner(), scope.inner()
    for local in carried:
        test.env[local] = test.input(local.name, local.type, line_of(local.span))
    test.results(evaluate(test, condition), condition.span)
    loop = _Loop(scope, inner, carried, span)
    loop.run(body)
    title = f"while {shortened(condition.span.text)}"
    bodies = [
        ("while", scope.frames.of_part("condition", title, scope.block, test.nodes()), test),
        ("do", scope.frames.of_part("loop", title, scope.block, inner.nodes()), inner),
    ]
    loop.captured = list(dict.fromkeys((*test.captured, *inner.captured)))
    loop.add(title, bodies, "")


@final
class _Loop:
    """A loop while its body is made: `carried` are the names that it hands from turn to turn."""

    def __init__(self, scope: Scope, inner: Scope, carried: Sequence[Local], span: Span) -> None:
        self._scope = scope
        self._inner = inner
        self._carried = carried
        self._span = span
        self._starts = [scope.lookup(local) for local in carried]
        self.captured = inner.captured
        for local in carried:
            inner.env[local] = inner.input(local.name, local.type, line_of(local.span))

    def run(self, body: Sequence[Stmt]) -> None:
        """Add the nodes of the body, and its results."""
        _statements(self._inner, body)
        for local in self._carried:
            self._inner.result(self._inner.whole(self._inner.lookup(local), self._span), self._span)

    def add(
        self,
        title: str,
        frames: Sequence[tuple[str, str, Scope]],
        repeat: str,
        further: Sequence[Type] = (),
    ) -> list[Value]:
        """Add the node of the loop; its values are given, those of the carried names first."""
        types = [*(local.type for local in self._carried), *further]
        uses, carried = self._uses(), len(self._carried)
        bodies = [Body(label, frame, scope.takes(uses, carried)) for label, frame, scope in frames]
        made = self._scope.add(
            "loop", title, self._span, uses, TupleType(tuple(types)), types=types,
            bodies=bodies, repeat=repeat, carried=range(carried),
        )  # fmt: skip
        return self._leave(made)

    def add_call(self, only: GraphNode, inputs: Sequence[GraphNode], repeat: str) -> None:
        """Add the node of a loop that does nothing but a call."""
        uses = self._uses()
        places = {node.outputs[0].id: at for at, node in enumerate(inputs)}
        taken = [None if use.value is None else places[use.value] for use in only.inputs]
        types = [local.type for local in self._carried]
        made = self._scope.add(
            "loop", only.title, self._span,
            [
                use if at is None else replace(uses[at], name=use.name)
                for at, use in zip(taken, only.inputs, strict=True)
            ],
            TupleType(tuple(types)), types=types, detail=only.detail, path=only.path,
            callee=only.callee, bodies=only.bodies, repeat=repeat,
            carried=[taken.index(at) for at in range(len(types)) if at in taken],
        )  # fmt: skip
        self._leave(made)

    def _uses(self) -> list[Use]:
        scope, span = self._scope, self._span
        uses = [
            scope.use(value, span, local.name)
            for local, value in zip(self._carried, self._starts, strict=True)
        ]
        return uses + [scope.use(ref, span, scope.name_of(ref)) for ref in self.captured]

    def _leave(self, made: Value) -> list[Value]:
        """After the loop the names stand for what it carried last."""
        values: list[Value] = [*made.elements] if isinstance(made, Group) else [made]
        for local, value in zip(self._carried, values, strict=False):
            self._scope.env[local] = value
            self._scope.name(value, local.name)
        self._scope.forget(sorted(self._inner.wrote))
        return values


def _carried(scope: Scope, statements: Iterable[Stmt]) -> list[Local]:
    """The `var`s from outside that statements assign, in order of first assignment."""
    found: dict[Local, None] = {}

    def visit(inner: Iterable[Stmt]) -> None:
        for statement in inner:
            match statement:
                case Assign(local, _, _):
                    if scope.holds(local):
                        found[local] = None
                case ForEach() | ForRange() | While() | For():
                    visit(statement.body)
                case Store() | Require() | Binding() | AssignState() | Return():
                    pass

    visit(statements)
    return list(found)


def _inputs(nodes: Sequence[GraphNode]) -> list[GraphNode]:
    return [node for node in nodes if node.kind == "input"]


def _only_call(nodes: Sequence[GraphNode]) -> GraphNode | None:
    """The call that is all of a loop's body, which hands on its results as they are."""
    steps = [node for node in nodes if node.kind not in ("input", "result")]
    if len(steps) != 1 or steps[0].kind != "call":
        return None
    results = [node.inputs[0].value for node in nodes if node.kind == "result"]
    if results != [output.id for output in steps[0].outputs]:
        return None
    return steps[0]
