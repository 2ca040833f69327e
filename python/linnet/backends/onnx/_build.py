"""CORE functions as ONNX models, one for each entry.

A model's inputs are the entry's, then `state.PATH` of each state that it uses, then its params
where they are no constants; its outputs the entry's results, then `state.PATH.next` of each state
that it may change. A state that it leaves alone is no output. Params are initializers under their
paths, whose bytes lie in a file that the models of all entries share.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto, helper

from linnet.backends.onnx._dtypes import ELEMENTS, Kernels
from linnet.backends.onnx._elementwise import ELEMENTWISE
from linnet.backends.onnx._graph import Graph, Ref, names_read, renamed, subgraph, value_info
from linnet.backends.onnx._inplace import in_place
from linnet.backends.onnx._kept import KEPT
from linnet.backends.onnx._structured import STRUCTURED
from linnet.core import Function, Op, Region, Value
from linnet.errors import CapabilityError, InternalError, UsageError
from linnet.signature import Member, Signature, bounds_of, signature_to_json

# Of ONNX's operators: the least that has what we use, and the default, the first with
# `RMSNormalization`. `Gelu` is there from 20 on.
OPSETS = range(18, 29)
DEFAULT_OPSET = 23
# Before the keys of what a model says of itself.
PREFIX = "linnet."


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bytes of a param lie in the file of weights."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Options:
    """How models are written.

    `opset` is that of ONNX's operators. `kernels` says whose: on `cpu`, 16-bit floats compute in
    f32 between casts, since ONNX Runtime has few kernels for them there. With `kept`, calls that
    CORE keeps together (`Request.keep`) become ONNX's own operators where it has them, else their
    bodies.
    """

    opset: int = DEFAULT_OPSET
    kernels: Kernels = "cpu"
    kept: bool = True

    def __post_init__(self) -> None:
        if self.opset not in OPSETS:
            raise UsageError(
                f"opset {self.opset} cannot be written",
                f"write --opset with {OPSETS.start} to {OPSETS.stop - 1}",
            )


@dataclass(frozen=True, slots=True)
class Model:
    """An entry as a model, and what each of its ports is.

    `inputs`, `results` name the entry's in order. `states` gives, by path, the names of input and
    output of each state that the model has, "" for one that it does not read or does not change.
    `in_place` are the paths whose input and output may lie in one place.
    """

    proto: ModelProto
    signature: Signature
    inputs: tuple[str, ...]
    results: tuple[str, ...]
    params: Mapping[str, str]
    states: Mapping[str, tuple[str, str]]
    in_place: frozenset[str]


def build_model(
    function: Function,
    options: Options,
    file: str | None = None,
    places: Mapping[str, Place] | None = None,
) -> Model:
    """Return the model of an entry.

    With `file`, params are constants whose bytes lie in it at `places`, or whose values the session
    is given; without, they are inputs.
    CapabilityError for a size that no input gives.
    """
    return _Builder(function, options, file, places or {}).model()


class _Builder:
    def __init__(
        self,
        function: Function,
        options: Options,
        file: str | None,
        places: Mapping[str, Place],
    ) -> None:
        self._function = function
        self._signature = function.signature
        self._graph = Graph(options.opset, options.kernels)
        self._options = options
        self._file, self._places = file, places
        self._values: dict[Value, Ref] = {}
        self._used = _used(function)

    def model(self) -> Model:
        """Build it."""
        signature, body, graph = self._signature, self._function.body, self._graph
        given = [each.name for each in signature.inputs]
        members = [*signature.params, *signature.states]
        ports: list[Ref] = []
        params: dict[str, str] = {}
        states: dict[str, str] = {}
        arguments = body.arguments
        for name, argument in zip(given, arguments, strict=False):
            ports.append(self._argument(name, argument))
        outputs = [graph.reserve(each.name) for each in signature.results]
        for member, argument in zip(members, arguments[len(given) :], strict=True):
            if argument not in self._used:
                continue
            name = f"state.{member.path}" if member.kind == "state" else member.path
            ref = self._argument(name, argument)
            if member.kind == "state":
                states[member.path] = ref.name
                ports.append(ref)
            else:
                params[member.path] = ref.name
        self._symbols()
        self._ops(body)
        count = len(signature.results)
        returned = [self._whole(value) for value in body.ops[-1].operands[:count]]
        nexts: dict[str, str] = {}
        wanted: list[tuple[str, Ref]] = []
        finals = body.ops[-1].operands[count:]
        for member, final in zip(signature.states, finals, strict=True):
            if final is arguments[len(given) + members.index(member)]:
                continue
            nexts[member.path] = graph.reserve(f"state.{member.path}.next")
            wanted.append((nexts[member.path], self._whole(final)))
        # A value that is a state and a result is the state, and the result its copy.
        graph.prune(ref.name for _, ref in [*wanted, *zip(outputs, returned, strict=True)])
        self._name_outputs([*wanted, *zip(outputs, returned, strict=True)])
        wanted = [*zip(outputs, returned, strict=True), *wanted]
        # What no node reads in the end, such as a param without elements, is no part of the model.
        read = {name for node in graph.nodes for name in names_read(node)}
        params = {path: name for path, name in params.items() if name in read}
        states = {path: name for path, name in states.items() if name in read}
        kept = [*ports[: len(given)], *(p for p in ports[len(given) :] if p.name in read)]
        inputs = [
            *(value_info(port.name, port.dtype, port.shape) for port in kept),
            *self._param_inputs(params),
        ]
        declared = [value_info(name, ref.dtype, ref.shape) for name, ref in wanted]
        proto = helper.make_model(
            helper.make_graph(
                graph.nodes,
                signature.entry,
                inputs,
                declared,
                [*graph.constants, *self._external(params)],
            ),
            opset_imports=[helper.make_opsetid("", self._options.opset)],
            ir_version=_ir_version(self._options.opset),
            producer_name="linnet",
        )
        both = {path: (states.get(path, ""), nexts.get(path, "")) for path in {**states, **nexts}}
        safe = in_place(graph.nodes, {path: pair for path, pair in both.items() if all(pair)})
        model = Model(
            proto,
            signature,
            tuple(port.name for port in ports[: len(given)]),
            tuple(outputs),
            params,
            both,
            safe,
        )
        _describe(model)
        return model

    def _argument(self, name: str, argument: Value) -> Ref:
        ref = Ref(self._graph.reserve(name), argument.type.dtype, argument.type.shape)
        self._values[argument] = ref
        return ref

    def _symbols(self) -> None:
        signature = self._signature
        for name in signature.symbols:
            least, _ = bounds_of(signature, name)
            for argument in self._function.body.arguments:
                if name in argument.type.shape:
                    ref = self._values[argument]
                    self._graph.symbol(name, least, ref, argument.type.shape.index(name))
                    break
            else:
                raise CapabilityError(
                    f"entry `{signature.entry}` leaves `{name}` open, and no input has an axis of "
                    "that size",
                    f"give it a number with --bind {signature.entry}.{name}=VALUE",
                )

    def _param_inputs(self, params: Mapping[str, str]) -> list[ValueInfoProto]:
        if self._file is not None:
            return []
        return [
            value_info(params[member.path], member.dtype, member.shape)
            for member in self._signature.params
            if member.path in params
        ]

    def _external(self, params: Mapping[str, str]) -> list[TensorProto]:
        if self._file is None:
            return []
        return [
            _outside(params[member.path], member, self._file, self._place(member))
            for member in self._signature.params
            if member.path in params
        ]

    def _place(self, member: Member) -> Place:
        length = math.prod(member.shape) * member.numpy.itemsize
        return self._places.get(member.path, Place(0, length))

    def _name_outputs(self, wanted: Sequence[tuple[str, Ref]]) -> None:
        """Give the values that the graph returns their names; one that has another is copied."""
        made = {name for node in self._graph.nodes for name in node.output}
        names: dict[str, str] = {}
        for name, ref in wanted:
            if ref.name in made and ref.name not in names:
                names[ref.name] = name
            else:
                copied = names.get(ref.name, ref.name)
                self._graph.nodes.append(
                    helper.make_node("Identity", [copied], [name], name=f"Identity_{name}")
                )
        renamed(self._graph.nodes, names)

    # Regions and ops.

    def _region(self, region: Region) -> list[Ref]:
        """Build the ops, and return the operands of the terminator, whole."""
        self._ops(region)
        return [self._whole(value) for value in region.ops[-1].operands]

    def _ops(self, region: Region) -> None:
        for op in region.ops[:-1]:
            self._op(op)

    def _whole(self, value: Value) -> Ref:
        return self._graph.full(self._values[value], value.type)

    def _op(self, op: Op) -> None:
        graph = self._graph
        graph.place = op.place.rpartition("/")[2]
        operands = [self._values[operand] for operand in op.operands]
        if op.name in ELEMENTWISE:
            results = [ELEMENTWISE[op.name](graph, op, operands)]
        elif op.name in STRUCTURED:
            results = [STRUCTURED[op.name](graph, op, operands)]
        elif op.name == "if":
            results = self._if(op, operands)
        elif op.name == "while":
            results = self._while(op)
        elif op.name == "scope":
            results = self._scope(op, operands)
        else:
            raise InternalError(f"no ONNX for the op {op.name}")
        for value, ref in zip(op.results, results, strict=True):
            self._values[value] = ref

    def _branch(self, region: Region, name: str) -> GraphProto:
        with self._graph.inner() as nodes:
            results = self._own(self._region(region), nodes)
        return subgraph(name, nodes, [], results)

    def _own(self, results: Sequence[Ref], nodes: Sequence[object]) -> list[Ref]:
        """Return values that the innermost graph makes, each of another name."""
        graph = self._graph
        made = {name for node in graph.nodes for name in node.output}
        own: list[Ref] = []
        for ref in results:
            if ref.name not in made or ref.name in [each.name for each in own]:
                copy = Ref(graph.reserve("same"), ref.dtype, ref.shape)
                graph.nodes.append(
                    helper.make_node("Identity", [ref.name], [copy.name], name=copy.name)
                )
                ref = copy
            own.append(ref)
        return own

    def _scope(self, op: Op, operands: Sequence[Ref]) -> list[Ref]:
        """A kept call: ONNX's own operator for it where there is one, else its body."""
        (region,) = op.regions
        kept = KEPT.get(str(op.attributes["callee"])) if self._options.kept else None
        if kept is not None:
            names = cast("tuple[str, ...]", op.attributes["names"])
            whole = [self._whole(value) for value in op.operands]
            # A literal stays known.
            given = {
                name: ref if ref.literal is not None and not ref.shape else full
                for name, ref, full in zip(names, operands, whole, strict=True)
            }
            made = kept(self._graph, op, given)
            if made is not None:
                return [made]
        self._values.update(zip(region.arguments, operands, strict=True))
        self._ops(region)
        return [self._values[value] for value in region.ops[-1].operands]

    def _results(self, op: Op) -> list[tuple[str, tuple[int | str, ...]]]:
        return [(value.type.dtype, value.type.shape) for value in op.results]

    def _if(self, op: Op, operands: Sequence[Ref]) -> list[Ref]:
        yes, no = (
            self._branch(region, name)
            for region, name in zip(op.regions, ("then", "else"), strict=True)
        )
        return self._graph.nodes_of(
            "If", operands, self._results(op), then_branch=yes, else_branch=no
        )

    def _while(self, op: Op) -> list[Ref]:
        """`Loop` asks for the condition before the first pass, then at the end of each."""
        graph = self._graph
        before, body = op.regions
        carried = [graph.full(self._values[value], value.type) for value in op.operands]
        self._values.update(zip(before.arguments, carried, strict=True))
        (first,) = self._region(before)
        with graph.inner() as nodes:
            count = Ref(graph.reserve("pass"), "i64", ())
            again = Ref(graph.reserve("again"), "bool", ())
            taken = [
                Ref(graph.reserve("carried"), value.type.dtype, value.type.shape)
                for value in body.arguments
            ]
            self._values.update(zip(body.arguments, taken, strict=True))
            given = self._region(body)
            self._values.update(zip(before.arguments, given, strict=True))
            (condition,) = self._region(before)
            outputs = self._own([condition, *given], nodes)
        inner = subgraph("body", nodes, [count, again, *taken], outputs)
        return graph.nodes_of("Loop", [None, first, *carried], self._results(op), body=inner)


def _used(function: Function) -> set[Value]:
    """Return the values that are used; a state that a function gives back as it is, is not."""
    found = _operands(function.body)
    body, states = function.body, len(function.signature.states)
    returned = body.ops[-1].operands
    found.update(returned[: len(returned) - states])
    for state, final in zip(
        body.arguments[len(body.arguments) - states :],
        returned[len(returned) - states :],
        strict=True,
    ):
        if final is not state:
            found.add(final)
    return found


def _operands(region: Region) -> set[Value]:
    """Return the values that ops use, also those within their regions."""
    found: set[Value] = set()
    for op in region.ops:
        if op.name != "return":
            found.update(op.operands)
        for inner in op.regions:
            found |= _operands(inner)
    return found


def _outside(name: str, member: Member, file: str, place: Place) -> TensorProto:
    """Return a param whose bytes lie in a file."""
    proto = TensorProto(
        name=name, data_type=ELEMENTS[member.dtype], data_location=TensorProto.EXTERNAL
    )
    proto.dims.extend(member.shape)
    for key, value in (
        ("location", file),
        ("offset", str(place.offset)),
        ("length", str(place.length)),
    ):
        entry = proto.external_data.add()
        entry.key, entry.value = key, value
    return proto


def _ir_version(opset: int) -> int:
    """The least form of a model that this opset goes with."""
    return next(
        form for least, form in ((25, 13), (24, 12), (23, 11), (21, 10), (0, 9)) if opset >= least
    )


def _describe(model: Model) -> None:
    """Say in the model's metadata what its ports mean and which sizes it takes."""
    ports = {
        "inputs": list(model.inputs),
        "results": list(model.results),
        "params": dict(model.params),
        "states": {path: list(pair) for path, pair in model.states.items()},
    }
    facts = {
        "signature": json.dumps(signature_to_json(model.signature)),
        "constraints": json.dumps(list(model.signature.constraints)),
        "ports": json.dumps(ports),
        "in_place": json.dumps(sorted(model.in_place)),
    }
    for key, value in facts.items():
        entry = model.proto.metadata_props.add()
        entry.key, entry.value = PREFIX + key, value
