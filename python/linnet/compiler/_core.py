"""Reads a CORE module of MLIR into records."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from linnet.compiler._types import parse_dim, parse_static
from linnet.core import Attribute, CoreModule, Function, Op, Region, TensorType, Value
from linnet.mlir import ir
from linnet.signature import Member, Role, Signature, Size, Stored
from linnet.signature import Value as Port

_PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")
_KINDS = ("sum", "prod", "max", "min", "any", "all")
_DIM = re.compile(r"#linnet\.dim<(.*)>")
# The attributes of each op that has some; all that CORE may hold (see `linnet.core`).
_ATTRIBUTES = {
    "constant": ("literal",),
    "dim_constant": ("value",),
    "iota": ("axis",),
    "broadcast": ("axes",),
    "transpose": ("perm",),
    "slice": ("starts", "steps"),
    "concat": ("axis",),
    "take": ("axis",),
    "compare": ("predicate",),
    "contract": ("lhs_batch", "rhs_batch", "lhs_contract", "rhs_contract"),
    "reduce": ("kind", "axes"),
}


def read_core(module: ir.Operation) -> CoreModule:
    """Return the functions of a CORE module in the order in which they stand."""
    functions: dict[str, Function] = {}
    unstored: dict[str, str] = {}
    for op in module.regions[0].blocks[0].operations:
        function = _function(op.operation)
        functions[function.signature.entry] = function
        for fields in _argument_fields(op.operation):
            if "linnet.unstored" in fields:
                unstored[_text(fields["linnet.path"])] = _text(fields["linnet.unstored"])
    return CoreModule(functions, unstored)


def _argument_fields(op: ir.Operation) -> list[dict[str, ir.Attribute]]:
    attributes = ir.ArrayAttr(op.attributes["arg_attrs"]) if "arg_attrs" in op.attributes else ()
    return [{named.name: named.attr for named in ir.DictAttr(each)} for each in attributes]


def _text(attribute: ir.Attribute) -> str:
    return ir.StringAttr(attribute).value


def _function(op: ir.Operation) -> Function:
    reader = _Reader()
    inputs = [_text(f["linnet.name"]) for f in _argument_fields(op) if "linnet.name" in f]
    body = reader.region(op.regions[0], inputs)
    name = ir.StringAttr(op.attributes["sym_name"]).value
    returned = body.ops[-1].operands
    return Function(read_signature(op, name, [value.type for value in returned]), body)


def read_signature(op: ir.Operation, name: str, returned: list[TensorType]) -> Signature:
    """Return the signature of a BOUND or CORE function that returns values of these types."""
    ports: dict[str, list[Port]] = {"input": []}
    members: list[Member] = []
    arguments = op.regions[0].blocks[0].arguments
    for argument, fields in zip(arguments, _argument_fields(op), strict=True):
        kind = _text(fields["linnet.kind"])
        type_ = _argument_type(argument.type)
        if kind == "input":
            port = Port(_text(fields["linnet.name"]), type_.dtype, type_.shape)
            ports["input"].append(port)
        else:
            path = _text(fields["linnet.path"])
            optional = "linnet.optional" in fields
            stored = _stored(path, fields)
            members.append(Member(path, _kind(kind), type_.dtype, type_.fixed, optional, stored))
    states = tuple(member for member in members if member.kind == "state")
    count = len(returned)
    if count >= len(states) and not _has_refs(op):
        count -= len(states)
    names = ["result"] if count == 1 else [f"result.{i}" for i in range(count)]
    if "linnet.results" in op.attributes:
        attributes = ir.ArrayAttr(op.attributes["linnet.results"])
        names = [ir.StringAttr(name).value for name in attributes]
    results = tuple(
        Port(result, type_.dtype, type_.shape)
        for result, type_ in zip(names, returned, strict=False)
    )
    root = None
    if "linnet.root" in op.attributes:
        root = ir.StringAttr(op.attributes["linnet.root"]).value
    return Signature(
        entry=name.rpartition("::")[2],
        root=root,
        generics={},
        bindings=_bindings(op, "linnet.bindings"),
        inputs=tuple(ports["input"]),
        params=tuple(member for member in members if member.kind != "state"),
        states=states,
        results=results,
        symbols=_symbols(op),
        constraints=_constraints(op),
    )


def _stored(path: str, fields: Mapping[str, ir.Attribute]) -> Stored | None:
    if "linnet.stored" not in fields:
        return None
    held = {named.name: named.attr for named in ir.DictAttr(fields["linnet.stored"])}
    role = _role(_text(held["role"]))
    return Stored(
        path if role == "values" else path.removesuffix(f".{role}"),
        parse_static(f"!linnet.tensor<[], {ir.TypeAttr(held['dtype']).value}>").dtype,
        tuple(ir.DenseI64ArrayAttr(held["shape"])),
        _text(held["scheme"]),
        role,
        ir.IntegerAttr(held["axis"]).value,
        ir.IntegerAttr(held["group"]).value if "group" in held else None,
    )


def _role(text: str) -> Role:
    match text:
        case "values" | "scale" | "zero":
            return text
        case _:
            raise ValueError(f"no role of a stored param: {text}")


def _symbols(op: ir.Operation) -> tuple[str, ...]:
    if "linnet.ranges" not in op.attributes:
        return ()
    return tuple(named.name for named in ir.DictAttr(op.attributes["linnet.ranges"]))


def _constraints(op: ir.Operation) -> tuple[str, ...]:
    if "linnet.constraints" not in op.attributes:
        return ()
    written = ir.ArrayAttr(op.attributes["linnet.constraints"])
    return tuple(ir.StringAttr(each).value for each in written)


def _kind(text: str):
    match text:
        case "param" | "buffer" | "state":
            return text
        case _:
            raise ValueError(f"no kind of argument: {text}")


def _has_refs(op: ir.Operation) -> bool:
    return any(str(a.type).startswith("!linnet.ref") for a in op.regions[0].blocks[0].arguments)


def _argument_type(type_: ir.Type) -> TensorType:
    text = str(type_)
    if text.startswith("!linnet.ref<"):
        text = text[len("!linnet.ref<") : -1]
    return parse_static(text)


def _bindings(op: ir.Operation, name: str) -> dict[str, int | str]:
    if name not in op.attributes:
        return {}
    bindings: dict[str, int | str] = {}
    for named in ir.DictAttr(op.attributes[name]):
        attribute = named.attr
        if isinstance(attribute, ir.IntegerAttr):
            bindings[named.name] = attribute.value
        elif isinstance(attribute, ir.TypeAttr):
            bindings[named.name] = parse_static(f"!linnet.tensor<[], {attribute.value}>").dtype
        else:
            bindings[named.name] = str(attribute)
    return bindings


class _Reader:
    """Reads regions; each MLIR value becomes one record."""

    def __init__(self) -> None:
        self._values: dict[ir.Value, Value] = {}

    def region(self, region: ir.Region, names: Sequence[str] = ()) -> Region:
        (block,) = region.blocks
        arguments = tuple(
            self._new(argument, name)
            for argument, name in zip_longest(block.arguments, names, fillvalue="")
        )
        return Region(arguments, tuple(self._ops(block)))

    def _ops(self, block: ir.Block) -> Iterator[Op]:
        for view in block.operations:
            op = view.operation
            operands = tuple(self._values[operand] for operand in op.operands)
            name = op.name.removeprefix("linnet.")
            named = _texts(op, "linnet.names")
            if name == "scope":
                attributes = _scope_attributes(op)
                inner = _texts(op, "names")
            else:
                attributes = {
                    key: _attribute(name, key, op.attributes[key])
                    for key in _ATTRIBUTES.get(name, ())
                }
                inner = named if name == "while" else ()
            regions = tuple(self.region(region, inner) for region in op.regions)
            results = tuple(
                self._new(result, each)
                for result, each in zip_longest(op.results, named[: len(op.results)], fillvalue="")
            )
            yield Op(name, operands, results, attributes, regions, _place(op.location))

    def _new(self, value: ir.Value, name: str) -> Value:
        record = Value(parse_static(str(value.type)), name)
        self._values[value] = record
        return record


def _scope_attributes(op: ir.Operation) -> dict[str, Attribute]:
    texts = {key: _text(op.attributes[key]) for key in ("callee", "kind")}
    path = _text(op.attributes["path"]) if "path" in op.attributes else ""
    lists = {key: _texts(op, key) for key in ("names", "generics", "states")}
    return {**texts, "path": path, **lists}


def _texts(op: ir.Operation, name: str) -> tuple[str, ...]:
    """Return the strings of an attribute that lists some; none where it is missing."""
    if name not in op.attributes:
        return ()
    return tuple(_text(item) for item in ir.ArrayAttr(op.attributes[name]))


def _attribute(op: str, name: str, attribute: ir.Attribute) -> Attribute:
    match attribute:
        case ir.DenseI64ArrayAttr():
            return tuple(attribute)
        case ir.FloatAttr():
            return attribute.value
        case ir.ArrayAttr():
            return tuple(_dim(item) for item in attribute)
        case ir.IntegerAttr():
            value = attribute.value
            if name == "predicate":
                return _PREDICATES[value]
            if name == "kind":
                return _KINDS[value]
            return bool(value) if str(attribute.type) == "i1" else value
        case ir.BoolAttr():
            return attribute.value
        case _ if op == "dim_constant":
            return str(_dim(attribute))
        case _:
            raise ValueError(f"linnet.{op} has an unknown `{name}`: {attribute}")


def _dim(attribute: ir.Attribute) -> Size:
    """Return the value of a `#linnet.dim<3>` or `#linnet.dim<S - 1>`."""
    found = _DIM.fullmatch(str(attribute))
    if found is None:
        raise ValueError(f"no dimension: {attribute}")
    return parse_dim(found[1])


def _place(location: ir.Location) -> str:
    if not location.is_a_file():
        return ""
    return f"{location.filename}:{location.start_line}:{location.start_col}"
