"""Looks through the bytes of an ONNX file before any other reader does.

An ONNX file is a tree of records, each with its length. Everything that a reader would act on is
checked against the bytes that are there: lengths, counts, shapes against the data they describe,
where weights are said to lie, and how much a model that is only a few bytes long asks for. What
Linnet does not write (functions, sparse tensors, other operator sets) is refused by name.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linnet.backends.onnx._dtypes import ELEMENTS
from linnet.errors import ArtifactError
from linnet.signature import numpy_dtype

# Weights lie in a file of their own: what is longer is no model of ours.
MOST_BYTES = 2**28
# Fields and numbers, each of which costs memory.
MOST_FIELDS = 2**23
# Graphs within graphs: a branch, a loop.
MOST_DEPTH = 32
# Elements that a constant shape or a range may ask for.
MOST_ELEMENTS = 2**33
# Passes of a loop whose count is a constant.
MOST_PASSES = 2**31
# Elements of a tensor whose bytes are somewhere.
_MOST_SIZE = 2**44
_WIDTHS = {number: numpy_dtype(name).itemsize for name, number in ELEMENTS.items()}
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_DOMAINS = ("", "ai.onnx")

Value = int | tuple[int, int]


@dataclass(slots=True)
class _Tensor:
    name: str = ""
    shape: tuple[int, ...] = ()
    kind: int = 0
    numbers: tuple[int, ...] | None = None


@dataclass(slots=True)
class _Node:
    op: str = ""
    inputs: list[str] = field(default_factory=list[str])
    outputs: list[str] = field(default_factory=list[str])
    attributes: dict[str, "_Attribute"] = field(default_factory=dict[str, "_Attribute"])


@dataclass(slots=True)
class _Attribute:
    name: str = ""
    number: int | None = None
    tensor: _Tensor | None = None
    graph: "_Graph | None" = None


@dataclass(slots=True)
class _Graph:
    nodes: list[_Node] = field(default_factory=list[_Node])
    inputs: list[str] = field(default_factory=list[str])
    outputs: list[str] = field(default_factory=list[str])
    constants: dict[str, _Tensor] = field(default_factory=dict[str, _Tensor])


def scan(data: bytes, path: Path) -> None:
    """Check the bytes of the file `path`; weights that it names must lie in its folder.

    ArtifactError, one line with the name of the file, for the first thing that is wrong.
    """
    if len(data) > MOST_BYTES:
        raise ArtifactError(f"{path} is longer than {MOST_BYTES} bytes", "weights lie outside")
    try:
        _Scan(data, path).model()
    except _RefusedError as refused:
        raise ArtifactError(f"{path} is no ONNX file that can be read: {refused}") from None


class _RefusedError(Exception):
    """What is wrong, as the end of a sentence."""


class _Scan:
    def __init__(self, data: bytes, path: Path) -> None:
        self._data = data
        self._path = path
        self._seen = 0

    # The records.

    def _fields(self, start: int, end: int) -> Iterator[tuple[int, int, Value]]:
        """Yield the number, kind and value of each field; a value of bytes is a range of them."""
        at = start
        while at < end:
            self._count_one()
            tag, at = self._varint(at, end)
            number, kind = tag >> 3, tag & 7
            if number == 0:
                raise _RefusedError(f"a field without a number at byte {at}")
            if kind == _VARINT:
                value, at = self._varint(at, end)
                yield number, kind, value
                continue
            if kind == _BYTES:
                length, at = self._varint(at, end)
            elif kind in (_FIXED32, _FIXED64):
                length = 4 if kind == _FIXED32 else 8
            else:
                raise _RefusedError(f"a field of the unknown kind {kind} at byte {at}")
            if length > end - at:
                raise _RefusedError(
                    f"a field at byte {at} says {length} bytes, where {end - at} are left"
                )
            yield number, kind, (at, at + length)
            at += length

    def _count_one(self) -> None:
        self._seen += 1
        if self._seen > MOST_FIELDS:
            raise _RefusedError(f"it holds more than {MOST_FIELDS} fields")

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        value = 0
        for shift in range(0, 70, 7):
            if at >= end:
                raise _RefusedError(f"the file ends within a number at byte {at}")
            byte = self._data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & (2**64 - 1), at
        raise _RefusedError(f"a number of more than ten bytes ends at byte {at}")

    def _span(self, value: Value, what: str) -> tuple[int, int]:
        if isinstance(value, int):
            raise _RefusedError(f"{what} is a number, not a record")
        return value

    def _number(self, value: Value, what: str) -> int:
        if not isinstance(value, int):
            raise _RefusedError(f"{what} is no number")
        return value - 2**64 if value >> 63 else value

    def _text(self, value: Value, what: str) -> str:
        start, end = self._span(value, what)
        try:
            return self._data[start:end].decode()
        except UnicodeDecodeError:
            raise _RefusedError(f"{what} is no text") from None

    def _numbers(self, kind: int, value: Value, what: str) -> list[int]:
        """Return the numbers of a list, which may be one field each or all in one."""
        if kind == _VARINT:
            return [self._number(value, what)]
        at, end = self._span(value, what)
        found: list[int] = []
        while at < end:
            self._count_one()
            number, at = self._varint(at, end)
            found.append(self._number(number, what))
        return found

    # What they stand for.

    def model(self) -> None:
        """Check the whole file."""
        graphs = 0
        for number, _, value in self._fields(0, len(self._data)):
            match number:
                case 7:
                    graphs += 1
                    graph = self._graph(value, 0)
                    _check_cost(graph, [])
                case 8:
                    self._domain(value)
                case 20:
                    raise _RefusedError("it holds a training graph")
                case 25:
                    raise _RefusedError("it defines functions, which may call themselves")
                case _:
                    pass
        if graphs != 1:
            raise _RefusedError(f"it holds {graphs} graphs, where a model has one")

    def _domain(self, value: Value) -> None:
        for number, _, inner in self._fields(*self._span(value, "an operator set")):
            if number == 1:
                domain = self._text(inner, "the name of an operator set")
                if domain not in _DOMAINS:
                    raise _RefusedError(f"it needs the operator set `{domain[:60]}`")

    def _graph(self, value: Value, depth: int) -> _Graph:
        if depth > MOST_DEPTH:
            raise _RefusedError(f"its graphs are nested more than {MOST_DEPTH} deep")
        graph = _Graph()
        for number, _, inner in self._fields(*self._span(value, "a graph")):
            match number:
                case 1:
                    graph.nodes.append(self._node(inner, depth))
                case 5:
                    tensor = self._tensor(inner)
                    graph.constants[tensor.name] = tensor
                case 11:
                    graph.inputs.append(self._port(inner))
                case 12:
                    graph.outputs.append(self._port(inner))
                case 15:
                    raise _RefusedError("it holds a sparse tensor")
                case _:
                    pass
        return graph

    def _port(self, value: Value) -> str:
        for number, _, inner in self._fields(*self._span(value, "an input or output")):
            if number == 1:
                return self._text(inner, "the name of an input or output")
        return ""

    def _node(self, value: Value, depth: int) -> _Node:
        node = _Node()
        for number, _, inner in self._fields(*self._span(value, "a node")):
            match number:
                case 1:
                    node.inputs.append(self._text(inner, "an input of a node"))
                case 2:
                    node.outputs.append(self._text(inner, "an output of a node"))
                case 4:
                    node.op = self._text(inner, "the op of a node")
                case 5:
                    attribute = self._attribute(inner, depth)
                    node.attributes[attribute.name] = attribute
                case 7:
                    domain = self._text(inner, "the operator set of a node")
                    if domain not in _DOMAINS:
                        raise _RefusedError(f"a node is of the operator set `{domain[:60]}`")
                case _:
                    pass
        return node

    def _attribute(self, value: Value, depth: int) -> _Attribute:
        attribute = _Attribute()
        for number, kind, inner in self._fields(*self._span(value, "an attribute")):
            match number:
                case 1:
                    attribute.name = self._text(inner, "the name of an attribute")
                case 3:
                    attribute.number = self._number(inner, "an attribute")
                case 5 | 10:
                    attribute.tensor = self._tensor(inner)
                case 6 | 11:
                    attribute.graph = self._graph(inner, depth + 1)
                case 8:
                    self._numbers(kind, inner, "an attribute")
                case 22 | 23:
                    raise _RefusedError("it holds a sparse tensor")
                case _:
                    pass
        return attribute

    def _tensor(self, value: Value) -> _Tensor:
        tensor = _Tensor()
        dims: list[int] = []
        outside: dict[str, str] = {}
        is_outside = False
        raw: tuple[int, int] | None = None
        listed: list[int] | None = None
        for number, kind, inner in self._fields(*self._span(value, "a tensor")):
            match number:
                case 1:
                    dims += self._numbers(kind, inner, "a size of a tensor")
                case 2:
                    tensor.kind = self._number(inner, "the dtype of a tensor")
                case 5 | 7 | 11:
                    listed = [] if listed is None else listed
                    listed += self._numbers(kind, inner, "a tensor")
                case 6:
                    raise _RefusedError("it holds a tensor of texts")
                case 8:
                    tensor.name = self._text(inner, "the name of a tensor")
                case 9:
                    raw = self._span(inner, "the bytes of a tensor")
                case 13:
                    key, text = self._entry(inner)
                    outside[key] = text
                case 14:
                    is_outside = self._number(inner, "where a tensor lies") == 1
                case _:
                    pass
        tensor.shape = tuple(dims)
        self._check_tensor(tensor, outside if is_outside else None, raw, listed)
        return tensor

    def _entry(self, value: Value) -> tuple[str, str]:
        key = text = ""
        for number, _, inner in self._fields(*self._span(value, "where a tensor lies")):
            if number == 1:
                key = self._text(inner, "where a tensor lies")
            elif number == 2:
                text = self._text(inner, "where a tensor lies")
        return key, text

    def _check_tensor(
        self,
        tensor: _Tensor,
        outside: dict[str, str] | None,
        raw: tuple[int, int] | None,
        listed: list[int] | None,
    ) -> None:
        called = f"tensor `{tensor.name[:60]}`"
        if tensor.kind not in _WIDTHS:
            raise _RefusedError(f"{called} has the dtype {tensor.kind}, which Linnet has not")
        if any(size < 0 for size in tensor.shape):
            raise _RefusedError(f"{called} has a negative size")
        count = 1
        for size in tensor.shape:
            count *= size
            if count > _MOST_SIZE:
                raise _RefusedError(f"{called} has {list(tensor.shape)[:8]} elements")
        nbytes = count * _WIDTHS[tensor.kind]
        if outside is not None:
            self._check_outside(called, nbytes, outside)
            return
        if raw is not None:
            start, end = raw
            if end - start != nbytes:
                raise _RefusedError(f"{called} needs {nbytes} bytes, found {end - start}")
            if tensor.kind == ELEMENTS["i64"] and count <= 64:
                tensor.numbers = struct.unpack(f"<{count}q", self._data[start:end])
            elif tensor.kind == ELEMENTS["bool"] and count == 1:
                tensor.numbers = (self._data[start],)
        elif listed is not None:
            if len(listed) != count:
                raise _RefusedError(f"{called} needs {count} elements, found {len(listed)}")
            tensor.numbers = tuple(listed)

    def _check_outside(self, called: str, nbytes: int, outside: dict[str, str]) -> None:
        """The bytes lie in a plain file of the model's own folder, within its length."""
        location = outside.get("location", "")
        file = Path(location)
        if not location or file.is_absolute() or file.name != location or "\\" in location:
            raise _RefusedError(f"{called} lies at `{location[:60]}`, outside of the folder")
        place = self._path.parent / location
        if place.is_symlink() or not place.is_file():
            raise _RefusedError(f"{called} lies in `{location[:60]}`, which is no file here")
        offset, length = (
            _count(outside.get("offset", "0"), f"the place of {called}"),
            _count(outside.get("length", str(nbytes)), f"the length of {called}"),
        )
        if length != nbytes:
            raise _RefusedError(f"{called} needs {nbytes} bytes, {length} are named")
        size = place.stat().st_size
        if offset + length > size:
            raise _RefusedError(
                f"{called} ends at byte {offset + length} of `{location}`, which has {size}"
            )


def _count(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 19):
        raise _RefusedError(f"{what} is no number: `{text[:60]}`")
    return int(text)


def _check_cost(graph: _Graph, outer: list[dict[str, tuple[int, ...]]]) -> None:
    """Refuse a node that asks for far more than a file of its length can mean, or never ends."""
    known = {
        name: tensor.numbers
        for name, tensor in graph.constants.items()
        if tensor.numbers is not None
    }
    scopes = [*outer, known]

    def numbers(name: str) -> tuple[int, ...] | None:
        return next((scope[name] for scope in reversed(scopes) if name in scope), None)

    for node in graph.nodes:
        given = [numbers(name) for name in node.inputs]
        match node.op:
            case "Constant":
                value = node.attributes.get("value")
                if value is not None and value.tensor is not None and node.outputs:
                    found = value.tensor.numbers
                    if found is not None:
                        known[node.outputs[0]] = found
            case "ConstantOfShape" if given and given[0] is not None:
                _check_elements(node.op, given[0])
            case "Expand" | "Tile" if len(given) > 1 and given[1] is not None:
                _check_elements(node.op, given[1])
            case "Range" if len(given) == 3:
                first, last, step = given
                if first and last and step:
                    if step[0] == 0:
                        raise _RefusedError("a `Range` has the step 0")
                    _check_elements(node.op, (max(0, (last[0] - first[0]) // step[0]),))
            case "Loop":
                _check_loop(node, given)
            case _:
                pass
        for attribute in node.attributes.values():
            if attribute.graph is not None:
                _check_cost(attribute.graph, scopes)


def _check_elements(op: str, sizes: tuple[int, ...]) -> None:
    if math.prod(max(size, 1) for size in sizes) > MOST_ELEMENTS:
        raise _RefusedError(f"`{op}` asks for {list(sizes)[:8]} elements")


def _check_loop(node: _Node, given: list[tuple[int, ...] | None]) -> None:
    """A loop has a count, or a condition that its body computes."""
    count = given[0] if given else None
    if count and count[0] > MOST_PASSES:
        raise _RefusedError(f"a `Loop` of {count[0]} passes")
    has_count = bool(node.inputs and node.inputs[0])
    body = node.attributes.get("body")
    if has_count or body is None or body.graph is None:
        return
    inner = body.graph
    if not inner.outputs or not inner.outputs[0]:
        raise _RefusedError("a `Loop` has neither a count nor a condition")
    condition = inner.outputs[0]
    makers = {name: each for each in inner.nodes for name in each.outputs}
    while condition in makers and makers[condition].op == "Identity" and makers[condition].inputs:
        following = makers.pop(condition).inputs[0]
        condition = following
    settled = condition not in makers or makers[condition].op == "Constant"
    if settled:
        raise _RefusedError("a `Loop` without a count never ends: its condition does not change")
