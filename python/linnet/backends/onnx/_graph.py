"""A graph in the making: nodes in order, constants once, sizes computed where they are used.

A value may be held with axes of 1 where its type has more, or with fewer axes, as long as ONNX's
broadcasting gives the type's shape: elementwise ops take it so. `full` makes it whole.
"""

import ast
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from onnx import (
    AttributeProto,
    GraphProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
)

from linnet.backends.onnx._dtypes import ELEMENTS, Array, Kernels, carrier, rounded
from linnet.core import TensorType
from linnet.errors import InternalError
from linnet.signature import Shape, Size, numpy_dtype, parse_size

Plain = bool | int | float | str
_Attribute = int | float | str | Sequence[int] | GraphProto | TensorProto
# A longer run of positions is counted by the model, not stored in it.
_STORED = 4096


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of the graph: its name, and its dtype and shape there.

    `literal` is the number that is everywhere, where that is known.
    """

    name: str
    dtype: str
    shape: Shape
    literal: bool | int | float | None = None


@dataclass(slots=True)
class _Scope:
    """The nodes of one graph, and what they have computed by what it is made of."""

    nodes: list[NodeProto] = field(default_factory=list[NodeProto])
    known: dict[object, Ref] = field(default_factory=dict[object, Ref])


def broadcast_shape(shapes: Iterable[Shape]) -> Shape:
    """Return the shape that ONNX's broadcasting gives; sizes that are not 1 agree."""
    result: list[Size] = []
    for shape in shapes:
        missing = len(shape) - len(result)
        result[:0] = [1] * missing
        offset = len(result) - len(shape)
        for axis, size in enumerate(shape):
            if result[offset + axis] == 1:
                result[offset + axis] = size
    return tuple(result)


def value_info(name: str, dtype: str, shape: Shape) -> ValueInfoProto:
    """Return the declaration of an input or output; an open size is a `dim_param`."""
    return helper.make_tensor_value_info(name, ELEMENTS[dtype], list(shape))


class Graph:
    """Collects nodes. Every method that returns a `Ref` has made it before it returns."""

    def __init__(self, opset: int, kernels: Kernels) -> None:
        self.opset = opset
        self.kernels: Kernels = kernels
        self.constants: list[TensorProto] = []
        self.place = ""
        self.hint = ""
        self._stored: dict[object, Ref] = {}
        self._taken: set[str] = set()
        self._scopes = [_Scope()]
        self._symbols: dict[str, tuple[Ref, int]] = {}
        self._least: dict[str, int] = {}
        self._turned: dict[str, tuple[Ref, tuple[int, ...]]] = {}

    # Names and scopes.

    def reserve(self, name: str) -> str:
        """Return `name`, or one like it that is free, and take it."""
        found, number = name, 1
        while found in self._taken:
            found, number = f"{name}_{number}", number + 1
        self._taken.add(found)
        return found

    @property
    def nodes(self) -> list[NodeProto]:
        """The nodes of the graph that is being built."""
        return self._scopes[-1].nodes

    @contextmanager
    def inner(self) -> Generator[list[NodeProto]]:
        """Build the graph of a branch or a loop, which may use all that is known here."""
        scope = _Scope()
        self._scopes.append(scope)
        try:
            yield scope.nodes
        finally:
            self._scopes.pop()

    # Nodes.

    def prune(self, wanted: Iterable[str]) -> None:
        """Remove the nodes, and the constants, that nothing uses."""
        used = set(wanted)
        nodes = self._scopes[-1].nodes
        kept: list[NodeProto] = []
        for node in reversed(nodes):
            if any(name in used for name in node.output):
                kept.append(node)
                used |= names_read(node)
        nodes[:] = reversed(kept)
        self.constants = [each for each in self.constants if each.name in used]

    def node(
        self, op: str, inputs: Sequence[Ref], dtype: str, shape: Shape, **attributes: _Attribute
    ) -> Ref:
        """Add a node of one output, or return the value that an equal one has."""
        return self.nodes_of(op, inputs, [(dtype, shape)], **attributes)[0]

    def nodes_of(
        self,
        op: str,
        inputs: Sequence[Ref | None],
        outputs: Sequence[tuple[str, Shape]],
        **attributes: _Attribute,
    ) -> list[Ref]:
        """Add a node; None stands for an input that is left out."""
        names = ["" if each is None else each.name for each in inputs]
        key = None
        if not any(isinstance(each, GraphProto) for each in attributes.values()):
            key = (op, tuple(names), repr(sorted(attributes.items(), key=lambda item: item[0])))
            for scope in self._scopes:
                if key in scope.known:
                    return [scope.known[key]]
        made = [
            Ref(self.reserve(self.hint or f"{op.lower()}"), dtype, shape)
            for dtype, shape in outputs
        ]
        node = helper.make_node(
            op,
            names,
            [each.name for each in made],
            name=self.reserve(f"{op}_{made[0].name}" if made else op),
            doc_string=self.place or None,
        )
        for called, value in sorted(attributes.items(), key=lambda item: item[0]):
            node.attribute.append(helper.make_attribute(called, value))
        self.nodes.append(node)
        if key is not None and len(made) == 1:
            self._scopes[-1].known[key] = made[0]
        return made

    def carried(
        self,
        op: str,
        inputs: Sequence[Ref],
        dtype: str,
        shape: Shape,
        extra: Sequence[Ref] = (),
        **attributes: _Attribute,
    ) -> Ref:
        """Add a node on `inputs` of one dtype, in that dtype's carrier for the op."""
        held = carrier(op, inputs[0].dtype, self.kernels)
        wide = [self.cast(each, held) for each in inputs]
        given = dtype if dtype == "bool" else held
        return self.cast(self.node(op, [*wide, *extra], given, shape, **attributes), dtype)

    def cast(self, value: Ref, dtype: str) -> Ref:
        """Convert the elements; the same value where it has the dtype."""
        if value.dtype == dtype:
            return value
        if value.literal is not None:
            return self.literal(_converted(value, dtype), dtype)
        return self.node("Cast", [value], dtype, value.shape, to=ELEMENTS[dtype])

    # Constants.

    def constant(self, array: Array, dtype: str) -> Ref:
        """Return an array as a constant of the model."""
        key = (dtype, array.shape, array.tobytes())
        if key not in self._stored:
            name = self.reserve("constant")
            self._stored[key] = Ref(name, dtype, array.shape)
            self.constants.append(tensor(name, array, dtype))
        return self._stored[key]

    def literal(self, literal: bool | int | float, dtype: str) -> Ref:
        """Return a scalar constant."""
        array = rounded(literal, dtype)
        made = self.constant(array, dtype)
        value: bool | int | float = array.item() if dtype != "bf16" else float(array)
        return Ref(made.name, dtype, (), value)

    def integers(self, values: Sequence[int]) -> Ref:
        """Return an `i64` constant of one axis."""
        return self.constant(np.array(values, np.int64), "i64")

    # Sizes.

    def symbol(self, name: str, least: int, value: Ref, axis: int) -> None:
        """Say that the size `name` is that of an axis of an input, and how small it may be."""
        self._symbols.setdefault(name, (value, axis))
        self._least.setdefault(name, least)

    def least(self, size: Size) -> int:
        """Return a number that a size is never below."""
        return size if isinstance(size, int) else self._least.get(size, 0)

    def size(self, size: Size) -> Ref:
        """Return a size as an `i64` of one axis of 1."""
        return self.integers([size]) if isinstance(size, int) else self._size(parse_size(size))

    def size_scalar(self, size: Size) -> Ref:
        """Return a size as a scalar `i64`."""
        if isinstance(size, int):
            return self.literal(size, "i64")
        return self.node("Squeeze", [self.size(size), self.integers([0])], "i64", ())

    def sizes(self, shape: Shape) -> Ref:
        """Return sizes as an `i64` of one axis."""
        numbers = [size for size in shape if isinstance(size, int)]
        if len(numbers) == len(shape):
            return self.integers(numbers)
        parts = [self.size(size) for size in shape]
        if len(parts) == 1:
            return parts[0]
        return self.node("Concat", parts, "i64", (len(parts),), axis=0)

    def _size(self, node: ast.expr) -> Ref:
        match node:
            case ast.Constant(value=int(number)):
                return self.integers([number])
            case ast.Name(id=name):
                if name not in self._symbols:
                    raise InternalError(f"no input gives the size `{name}`")
                value, axis = self._symbols[name]
                return self.node("Shape", [value], "i64", (1,), start=axis, end=axis + 1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.node("Neg", [self._size(operand)], "i64", (1,))
            case ast.BinOp(left=left, op=op, right=right):
                return self._combined(op, self._size(left), self._size(right))
            case ast.Call(func=ast.Name(id=name), args=args) if name in ("min", "max"):
                parts = [self._size(each) for each in args]
                return self.node(name.capitalize(), parts, "i64", (1,))
            case _:
                raise InternalError(f"no size: {ast.unparse(node)}")

    def _combined(self, op: ast.operator, left: Ref, right: Ref) -> Ref:
        match op:
            case ast.Add():
                return self.node("Add", [left, right], "i64", (1,))
            case ast.Sub():
                return self.node("Sub", [left, right], "i64", (1,))
            case ast.Mult():
                return self.node("Mul", [left, right], "i64", (1,))
            case _:
                # ONNX's remainder has the sign of the divisor, as that of the floor quotient.
                rest = self.node("Mod", [left, right], "i64", (1,))
                if isinstance(op, ast.Mod):
                    return rest
                whole = self.node("Sub", [left, rest], "i64", (1,))
                return self.node("Div", [whole, right], "i64", (1,))

    # Shapes.

    def reshape(self, value: Ref, shape: Shape) -> Ref:
        """Give a whole value another shape with as many elements."""
        if value.shape == shape:
            return value
        if 0 in shape and all(isinstance(size, int) for size in shape):
            return self.zeros(value.dtype, shape)
        target = self._target(value, shape)
        if target is not None:
            return self.node("Reshape", [value, target], value.dtype, shape)
        return self.node("Reshape", [value, self.sizes(shape)], value.dtype, shape, allowzero=1)

    def _target(self, value: Ref, shape: Shape) -> Ref | None:
        """Return the shape as constants if it can be: 0 is the operand's size, -1 the rest.

        What the rest is cannot be told where another axis is empty.
        """
        target: list[int] = []
        rest, empty = 0, False
        for axis, size in enumerate(shape):
            if isinstance(size, int):
                target.append(size)
                empty = empty or size == 0
            elif axis < len(value.shape) and value.shape[axis] == size:
                target.append(0)
                empty = empty or self.least(size) == 0
            else:
                target.append(-1)
                rest += 1
        if rest > 1 or (rest and empty) or 0 in shape:
            return None
        return self.integers(target)

    def transpose(self, value: Ref, perm: Sequence[int]) -> Ref:
        """Reorder axes."""
        if list(perm) == list(range(len(value.shape))):
            return value
        shape = tuple(value.shape[axis] for axis in perm)
        made = self.node("Transpose", [value], value.dtype, shape, perm=list(perm))
        self._turned[made.name] = (value, tuple(perm))
        return made

    def unturned(self, value: Ref) -> tuple[Ref, tuple[int, ...]]:
        """Return what a value is a transposed view of, and by which order of axes."""
        same = tuple(range(len(value.shape)))
        return self._turned.get(value.name, (value, same))

    def zeros(self, dtype: str, shape: Shape) -> Ref:
        """Return a tensor of zeros, or of `false`."""
        return self.filled(rounded(0, dtype), dtype, shape)

    def filled(self, value: Array, dtype: str, shape: Shape) -> Ref:
        """Return a whole tensor of one number."""
        if dtype == "bf16" and self.opset < 20:
            return self.cast(self.filled(value.astype(np.float32), "f32", shape), dtype)
        element = tensor("value", value.reshape(1), dtype)
        return self.node("ConstantOfShape", [self.sizes(shape)], dtype, shape, value=element)

    def full(self, value: Ref, type_: TensorType) -> Ref:
        """Return the value in the shape of its type."""
        if value.shape == type_.shape:
            return value
        if value.literal is not None:
            return self.filled(rounded(value.literal, value.dtype), value.dtype, type_.shape)
        if all(size == 1 for size in type_.shape):
            return self.reshape(value, type_.shape)
        shape = self.sizes(type_.shape)
        return self.carried("Expand", [value], value.dtype, type_.shape, [shape])

    def positions(self, size: Size, dtype: str = "i64") -> Ref:
        """Return 0, 1, … along one axis."""
        if isinstance(size, int) and size <= _STORED:
            return self.constant(np.arange(size).astype(numpy_dtype(dtype)), dtype)
        ends = [self.literal(0, "i64"), self.size_scalar(size), self.literal(1, "i64")]
        return self.cast(self.node("Range", ends, "i64", (size,)), dtype)


def _converted(value: Ref, dtype: str) -> bool | int | float:
    """The number of a constant in another dtype, which is then rounded."""
    literal = value.literal
    if dtype == "bool":
        return bool(literal)
    if isinstance(literal, float) and dtype[0] in "iu":
        return int(literal) if np.isfinite(literal) else 0
    return 0 if literal is None else literal


def tensor(name: str, array: Array, dtype: str) -> TensorProto:
    """Return an array as ONNX holds it."""
    if dtype == "bf16":
        raw = np.ascontiguousarray(array).view(np.uint16).tobytes()
        made = TensorProto(name=name, data_type=ELEMENTS[dtype], raw_data=raw)
        made.dims.extend(array.shape)
        return made
    return numpy_helper.from_array(np.asarray(array, order="C"), name)


def subgraph(
    name: str, nodes: Sequence[NodeProto], inputs: Sequence[Ref], outputs: Sequence[Ref]
) -> GraphProto:
    """Return the graph of a branch or a loop."""
    return helper.make_graph(
        list(nodes),
        name,
        [value_info(each.name, each.dtype, each.shape) for each in inputs],
        [value_info(each.name, each.dtype, each.shape) for each in outputs],
    )


def names_read(node: NodeProto) -> set[str]:
    """Return the names that a node reads, also from within its graphs."""
    names = set(node.input)
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            names.update(port.name for port in attribute.g.output)
            for inner in attribute.g.node:
                names |= names_read(inner)
    return names


def renamed(nodes: Iterable[NodeProto], names: Mapping[str, str]) -> None:
    """Give values other names, in nodes and in the graphs within them."""
    for node in nodes:
        for group in (node.input, node.output):
            for at, name in enumerate(group):
                if name in names:
                    group[at] = names[name]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                renamed(attribute.g.node, names)
                for port in (*attribute.g.input, *attribute.g.output):
                    port.name = names.get(port.name, port.name)
