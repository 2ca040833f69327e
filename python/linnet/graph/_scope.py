"""A frame while it is made: its nodes so far, and what the names of the source stand for.

The body of a loop and the arm of a choice are frames of their own. What they use from outside
becomes an input of theirs, and an operand of the node that holds them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from linnet.checker import Block, Local, Substitution, TupleType, Type, UnitType
from linnet.graph._data import Body, GraphNode, NodeKind, Output, Use
from linnet.source import Span

if TYPE_CHECKING:
    from linnet.graph._graph import Frames

_LONGEST: Final = 240


@dataclass(frozen=True, slots=True)
class Ref:
    """An output of a node of the frame; its type is in the frame's own generics."""

    id: str
    type: Type


@dataclass(frozen=True, slots=True)
class Fixed:
    """What is known before a run: a literal, a dimension, `none`, or a sum of such."""

    text: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Place:
    """An instance, by its path from the one that the frame runs on; "" is that one."""

    path: str


@dataclass(frozen=True, slots=True)
class Group:
    """A tuple whose elements are values of their own."""

    elements: "tuple[Value, ...]"


Value = Ref | Fixed | Place | Group


def shortened(text: str) -> str:
    """Source text on one line, cut where it is very long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def line_of(span: Span) -> int:
    """The line a span begins at."""
    return span.file.line_of(span.start)


@final
class Scope:
    """The nodes and names of one frame. `outer` is the scope around a loop or an arm."""

    def __init__(
        self,
        frames: "Frames",
        bound: Substitution,
        block: Block | None,
        outer: "Scope | None" = None,
    ) -> None:
        self.frames = frames
        self.bound = bound
        self.block = block
        self.outer = outer
        self.env: dict[Local, Value] = {}
        # The names that a pattern of an arm may use: captured once they are used.
        self.lent: dict[Local, Value] = {}
        # What each own state holds now, where it was written in this frame.
        self.written: dict[str, Value] = {}
        self.wrote: set[str] = set()
        self.captured: list[Ref] = []
        self._inputs: list[GraphNode] = []
        self._nodes: list[GraphNode] = []
        self._names: dict[str, str] = {}
        self._of_outer: dict[str, Ref] = {}
        self._origins: list[str | None] = []
        self._values = 0
        self._count = 0

    def inner(self) -> "Scope":
        """A scope inside of this one."""
        return Scope(self.frames, self.bound, self.block, self)

    # Names --------------------------------------------------------------------------------

    def bind(self, local: Local, value: Value) -> None:
        """Let a name stand for a value; a value without a name takes it."""
        self.env[local] = value
        self.name(value, local.name)

    def name(self, value: Value, name: str) -> None:
        """Name a value that has no name yet."""
        if isinstance(value, Ref) and not self._names.get(value.id):
            self._names[value.id] = name

    def holds(self, local: Local) -> bool:
        """Whether a name is bound here or around."""
        bound = local in self.env or local in self.lent
        return bound or (self.outer is not None and self.outer.holds(local))

    def lookup(self, local: Local) -> Value:
        """What a name stands for; one from outside is captured."""
        if local in self.env:
            return self.env[local]
        assert self.outer is not None, f"`{local.name}` has no value"
        lent = self.lent.get(local)
        if isinstance(lent, Ref):
            lent = Ref(lent.id, local.type)
        value = self.outer.lookup(local) if lent is None else lent
        value = self.env[local] = self.capture(value, local.name)
        return value

    def capture(self, value: Value, name: str) -> Value:
        """A value of the scope around, as an input of this one."""
        match value:
            case Fixed() | Place():
                return value
            case Group(elements):
                return Group(tuple(self.capture(element, name) for element in elements))
            case Ref(id_, type_):
                if id_ not in self._of_outer:
                    assert self.outer is not None
                    self.captured.append(value)
                    title = self.outer.name_of(value) or name or "value"
                    self._of_outer[id_] = self.input(title, type_, 0, id_)
                return self._of_outer[id_]

    def name_of(self, value: Value) -> str:
        """The name of a value, "" where it has none."""
        return self._names.get(value.id, "") if isinstance(value, Ref) else ""

    def state(self, name: str) -> Value | None:
        """What an own state holds, where it was written before; else None."""
        if name in self.written:
            return self.written[name]
        around = None if self.outer is None else self.outer.state(name)
        if around is None or name in self.wrote:
            return None
        value = self.written[name] = self.capture(around, name)
        return value

    def forget(self, names: Sequence[str] | None = None) -> None:
        """States of these names, or all, hold what is not known here."""
        lost = set(names) if names is not None else self._written_around()
        self.wrote |= lost
        for name in lost:
            self.written.pop(name, None)

    def _written_around(self) -> set[str]:
        outer = set[str]() if self.outer is None else self.outer._written_around()
        return set(self.written) | outer

    # Nodes --------------------------------------------------------------------------------

    def input(self, title: str, type_: Type, line: int, origin: str | None = None) -> Ref:
        """Add an input of the frame; `origin` is what it is outside, if that is captured."""
        self._origins.append(origin)
        output = self._output(type_, title)
        node = GraphNode(f"i{len(self._inputs)}", "input", title, "", "", "", line, (), (output,))
        self._inputs.append(node)
        return Ref(output.id, type_)

    def add(
        self,
        kind: NodeKind,
        title: str,
        span: Span,
        uses: Sequence[Use],
        type_: Type,
        *,
        detail: str = "",
        path: str = "",
        callee: str = "",
        bodies: Sequence[Body] = (),
        types: Sequence[Type] | None = None,
        repeat: str = "",
        carried: Sequence[int] = (),
    ) -> Value:
        """Add a node and give its value: a group for a tuple, whose elements are outputs each."""
        given = list(_flat(type_)) if types is None else list(types)
        outputs = tuple(self._output(each, "") for each in given)
        node = GraphNode(
            f"n{self._count}", kind, title, detail, path, callee, line_of(span), tuple(uses),
            outputs, tuple(bodies), repeat, tuple(carried),
        )  # fmt: skip
        self._count += 1
        self._nodes.append(node)
        refs = tuple(Ref(one.id, each) for one, each in zip(outputs, given, strict=True))
        return refs[0] if len(refs) == 1 and not isinstance(type_, TupleType) else Group(refs)

    def results(self, value: Value, span: Span) -> None:
        """Add a result of the frame for a value, for a tuple one for each element."""
        for one in self.elements(value, span):
            self.result(one, span)

    def result(self, value: Value, span: Span) -> None:
        """Add one result of the frame."""
        if isinstance(value, Fixed):
            value = self.add("constant", value.text, value.span, (), value.type)
        self.add("result", "", span, (self.use(value, span),), UnitType())

    def elements(self, value: Value, span: Span) -> list[Value]:
        """A value as its elements if it is a tuple, else alone."""
        match value:
            case Group(elements):
                return list(elements)
            case Ref(_, TupleType() as type_):
                apart = self.add("op", "untuple", span, (self.use(value, span),), type_)
                return [apart] if isinstance(apart, Ref) else self.elements(apart, span)
            case Fixed(_, UnitType(), _):
                return []
            case Ref() | Fixed() | Place():
                return [value]

    def use(self, value: Value, span: Span, name: str = "") -> Use:
        """A value as an operand; a tuple is put together first."""
        match value:
            case Ref(id_):
                return Use(id_, "", name)
            case Fixed(text):
                return Use(None, text, name)
            case Place(path):
                return Use(None, path or "self", name)
            case Group():
                return self.use(self.whole(value, span), span, name)

    def whole(self, value: Value, span: Span) -> Value:
        """A value as one, also if it is a tuple."""
        if not isinstance(value, Group):
            return value
        type_ = _type_of(value)
        uses = [self.use(element, span) for element in value.elements]
        made = self.add("op", "tuple", span, uses, type_, types=(type_,))
        return made.elements[0] if isinstance(made, Group) else made

    def takes(self, operands: Sequence[Use], carried: int = 0) -> tuple[int, ...]:
        """Which operand each input is: `carried` ones in order, then by what they capture."""
        places = {use.value: at for at, use in reversed(list(enumerate(operands))) if use.value}
        return tuple(
            at if at < carried else -1 if origin is None else places[origin]
            for at, origin in enumerate(self._origins)
        )

    def nodes(self) -> tuple[GraphNode, ...]:
        """All nodes, with the names that their values got."""
        return tuple(self._named(node) for node in (*self._inputs, *self._nodes))

    def _named(self, node: GraphNode) -> GraphNode:
        outputs = tuple(
            Output(one.id, self._names.get(one.id, ""), one.type) for one in node.outputs
        )
        return GraphNode(
            node.id, node.kind, node.title, node.detail, node.path, node.callee, node.line,
            node.inputs, outputs, node.bodies, node.repeat, node.carried,
        )  # fmt: skip

    def _output(self, type_: Type, name: str) -> Output:
        one = Output(f"v{self._values}", name, self.frames.shown(type_, self.bound))
        self._values += 1
        self._names[one.id] = name
        return one


def _flat(type_: Type) -> Sequence[Type]:
    if isinstance(type_, UnitType):
        return ()
    return type_.elements if isinstance(type_, TupleType) else (type_,)


def _type_of(value: Value) -> Type:
    match value:
        case Ref(_, type_) | Fixed(_, type_, _):
            return type_
        case Group(elements):
            return TupleType(tuple(map(_type_of, elements)))
        case Place():
            return UnitType()
