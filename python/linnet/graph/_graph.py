"""From a typed program to the graph of an entry: frames are made once and in a queue."""

from typing import Final, final

from linnet.checker import (
    Block,
    Dim,
    Dtype,
    Function,
    GenericArg,
    InstanceType,
    Pack,
    Shape,
    Substitution,
    Type,
    TypedProgram,
    UnitType,
    show_type,
)
from linnet.errors import CapabilityError
from linnet.graph._choose import choose_entry
from linnet.graph._data import Frame, FrameKind, Graph, GraphNode
from linnet.graph._frame import FrameBuilder
from linnet.syntax import Kind

# Far more than a person looks at; a program can be written that has any number.
_MOST_NODES: Final = 20_000
_LONGEST_TYPE: Final = 300


def graph_of(program: TypedProgram, root: str | None = None, entry: str | None = None) -> Graph:
    """The graph of an entry of a root block, by default `forward` or the first one.

    Equal programs give equal graphs, ids included. UsageError for an unknown name, and where no
    block or more than one could be the root; CapabilityError for a graph of over 20 000 nodes.
    """
    function = choose_entry(program, root, entry)
    frames = Frames(program, function)
    generics = [*(function.block.generics if function.block else ()), *function.generics]
    kinds = {generic.name: str(generic.kind) for generic in generics}
    found = frames.all()
    return Graph(function.block.symbol if function.block else "", function.name, kinds, found)


@final
class Frames:
    """The frames of one graph; a call asks for a frame by what it calls, and gets its id."""

    def __init__(self, program: TypedProgram, entry: Function) -> None:
        self.program = program
        self._entry = entry
        self._known: dict[object, str] = {}
        self._taken: dict[str, int] = {}
        self._queue: list[tuple[str, Function, Substitution]] = []
        self._done: dict[str, Frame] = {}
        self._nodes = 0

    def all(self) -> tuple[Frame, ...]:
        """Every frame that the entry reaches; its own is the first."""
        bound = Substitution()
        own = [*(self._entry.block.generics if self._entry.block else ()), *self._entry.generics]
        for generic in own:
            bound.bind(generic.symbol, _named(generic.name, generic.kind))
        self._queue.append((self._name(_label(self._entry)), self._entry, bound))
        for name, function, inner in self._queue:  # It grows while it is read.
            builder = FrameBuilder(self, inner, function.block)
            nodes = builder.build(self.program.bodies[function])
            kind: FrameKind = (
                "method" if function.kind == "fn" and function.block else function.kind
            )
            self._keep(name, kind, self._head(function, inner), function.block, nodes, function)
        order = [name for name, _, _ in self._queue]
        inner_frames = [name for name in self._done if name not in set(order)]
        return tuple(self._done[name] for name in [*order, *inner_frames])

    def of_call(
        self, function: Function, instance: InstanceType | None, args: tuple[GenericArg, ...]
    ) -> str:
        """The frame of a call; its body is made later."""
        key = (function.symbol, instance, args)
        known = self._known.get(key)
        if known is not None:
            return known
        bound = Substitution()
        if instance is not None and function.block is not None:
            for generic, arg in zip(function.block.generics, instance.args, strict=True):
                bound.bind(generic.symbol, arg)
        for generic, arg in zip(function.generics, args, strict=True):
            bound.bind(generic.symbol, arg)
        name = self._known[key] = self._name(_label(function))
        self._queue.append((name, function, bound))
        return name

    def of_part(
        self, kind: FrameKind, title: str, block: Block | None, nodes: tuple[GraphNode, ...]
    ) -> str:
        """Keep the frame of a loop's body or of an arm, and name it."""
        name = self._name(kind)
        self._keep(name, kind, title, block, nodes, None)
        return name

    def shown(self, type_: Type, bound: Substitution) -> str:
        """A type in the generics of the root."""
        text = show_type(bound.type(type_))
        return text if len(text) <= _LONGEST_TYPE else f"{text[: _LONGEST_TYPE - 1]}…"

    def _keep(
        self,
        name: str,
        kind: FrameKind,
        title: str,
        block: Block | None,
        nodes: tuple[GraphNode, ...],
        function: Function | None,
    ) -> None:
        self._nodes += len(nodes)
        if self._nodes > _MOST_NODES:
            raise CapabilityError(
                f"the graph of `{self._entry.name}` has more than {_MOST_NODES} nodes",
                "draw a smaller entry with --entry",
            )
        module = function.module if function is not None else ""
        self._done[name] = Frame(name, kind, title, block.name if block else "", module, nodes)

    def _name(self, label: str) -> str:
        count = self._taken[label] = self._taken.get(label, 0) + 1
        return label if count == 1 else f"{label}#{count}"

    def _head(self, function: Function, bound: Substitution) -> str:
        given = [f"{param.name}: {self.shown(param.type, bound)}" for param in function.params]
        gives = function.result is None or isinstance(function.result, UnitType)
        result = "" if gives or function.result is None else self.shown(function.result, bound)
        return f"{_label(function)}({', '.join(given)}){f' -> {result}' if result else ''}"


def _label(function: Function) -> str:
    return f"{function.block.name}.{function.name}" if function.block else function.name


def _named(name: str, kind: Kind) -> GenericArg:
    """A generic as itself, under the name that the user gave it."""
    match kind:
        case Kind.DIM:
            return Dim.symbol(name)
        case Kind.SHAPE:
            shape: Shape = (Pack(name),)
            return shape
        case Kind.DTYPE | Kind.NUMERIC | Kind.INTEGER | Kind.FLOAT:
            return Dtype(name, kind, variable=True)
