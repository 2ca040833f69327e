"""The graph as plain data: frames of nodes, which refer to frames for what is inside of them.

A frame is the body of a function under its generic arguments, of a loop, or of an arm of a
choice. Calls of one function with the same arguments share a frame, so a graph is as large as
the program and not as its unrolled form; paths are relative to the instance that a frame runs
on. All types are in the generics of the root block and of the entry.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from linnet.diagnostics import JsonValue

NodeKind = Literal[
    "input",
    "result",
    "param",
    "buffer",
    "state",
    "write",
    "constant",
    "op",
    "call",
    "loop",
    "choice",
]
FrameKind = Literal["entry", "fn", "op", "method", "loop", "condition", "arm"]


@dataclass(frozen=True, slots=True)
class Use:
    """An operand: the output of its frame that it is, or the text of what is known before a run.

    `name` is that of the parameter it is given to, where there is one.
    """

    value: str | None
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Output:
    """A value that a node gives. `name` is that of the source, "" where it has none there."""

    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Body:
    """What is inside of a node: a frame, and the label of an arm or a part of a loop.

    `takes` says of each input of the frame which operand of the node it is, -1 for none: the
    position of a loop.
    """

    label: str
    frame: str
    takes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A step of a frame.

    `title` says in short what it is and `detail` in the words of the source. A call has the
    `callee` by its full name and, of a method, the `path` of its instance; members have their path.
    `repeat` is how often a loop runs, as the user writes it; of the inputs of a loop, those at
    `carried` are in the next turn what the outputs were, in this order.
    """

    id: str
    kind: NodeKind
    title: str
    detail: str
    path: str
    callee: str
    line: int
    inputs: tuple[Use, ...]
    outputs: tuple[Output, ...]
    bodies: tuple[Body, ...] = ()
    repeat: str = ""
    carried: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """The nodes of a body in the order of evaluation: inputs first, results last.

    `title` is the head of the function with its types, `module` where its lines are.
    """

    id: str
    kind: FrameKind
    title: str
    block: str
    module: str
    nodes: tuple[GraphNode, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """An entry; `frames` begin with its own, `generics` maps names to kinds, the root's first."""

    root: str
    entry: str
    generics: dict[str, str]
    frames: tuple[Frame, ...]

    @property
    def main(self) -> Frame:
        """The frame of the entry."""
        return self.frames[0]

    def frame(self, name: str) -> Frame:
        """The frame of an id."""
        return next(frame for frame in self.frames if frame.id == name)


def as_json(graph: Graph) -> dict[str, JsonValue]:
    """The graph as JSON; `graph.schema.json` beside this file says what each key holds."""
    plain = {
        "version": 1,
        "root": graph.root,
        "entry": graph.entry,
        "generics": graph.generics,
        "frames": [asdict(frame) for frame in graph.frames],
    }
    return json.loads(json.dumps(plain))


def schema() -> dict[str, JsonValue]:
    """The JSON schema of what `as_json` gives."""
    return json.loads(Path(__file__).with_name("graph.schema.json").read_text("utf-8"))
