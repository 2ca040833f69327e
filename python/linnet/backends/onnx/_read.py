"""Reads a folder of models that `write_models` wrote, or that somebody changed since."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, ValueInfoProto

from linnet.backends.onnx._build import PREFIX, Model
from linnet.backends.onnx._dtypes import ELEMENTS
from linnet.backends.onnx._inplace import in_place
from linnet.backends.onnx._scan import MOST_BYTES, scan
from linnet.backends.onnx._write import SUFFIX
from linnet.errors import ArtifactError
from linnet.signature import Shape, numpy_dtype, signature_from_json

Array = NDArray[np.generic]
_DTYPES = {number: name for name, number in ELEMENTS.items()}


@dataclass(frozen=True, slots=True)
class Read:
    """The models of a folder by entry, and the weights by path, mapped from their files.

    `weights` is None where the params are inputs.
    """

    models: Mapping[str, Model]
    weights: Mapping[str, Array] | None


def read_models(folder: Path) -> Read:
    """Return the models of a folder, every byte of them checked first (see `_scan`).

    ArtifactError, one line, for a file that is damaged, hostile, or none of Linnet's.
    """
    files = sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    if not files:
        raise ArtifactError(f"{folder} holds no {SUFFIX} file", "write one with `linnet onnx`")
    models: dict[str, Model] = {}
    weights: dict[str, Array] = {}
    for file in files:
        model, outside = _read(file)
        models[model.signature.entry] = model
        for name, array in outside.items():
            weights.setdefault(name, array)
    inputs = any(model.params for model in models.values()) and not weights
    return Read(models, None if inputs else weights)


def _read(file: Path) -> tuple[Model, dict[str, Array]]:
    try:
        if file.is_symlink() or not file.is_file():
            raise ArtifactError(f"{file} is no plain file")
        with open(file, "rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise ArtifactError(f"cannot read {file}: {(error.strerror or '').lower()}") from None
    scan(data, file)
    try:
        proto = ModelProto.FromString(data)
    except DecodeError:
        raise ArtifactError(f"{file} is no ONNX file that can be read: it is damaged") from None
    try:
        model = _described(proto)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ArtifactError(
            f"{file} does not say what Linnet wrote of it: {error}", "write it again"
        ) from None
    paths = {name: path for path, name in model.params.items()}
    outside = _outside(proto, file)
    return model, {paths[name]: array for name, array in outside.items() if name in paths}


def _described(proto: ModelProto) -> Model:
    """Return a model by its metadata, which must fit its ports."""
    facts = {entry.key: entry.value for entry in proto.metadata_props}
    signature = signature_from_json(json.loads(facts[f"{PREFIX}signature"]))
    written: dict[str, Any] = json.loads(facts[f"{PREFIX}ports"])
    inputs = tuple(map(str, written["inputs"]))
    results = tuple(map(str, written["results"]))
    params = {str(path): str(name) for path, name in written["params"].items()}
    states = {str(path): (str(old), str(new)) for path, (old, new) in written["states"].items()}
    model = Model(proto, signature, inputs, results, params, states, frozenset())
    _check_ports(model)
    both = {path: pair for path, pair in states.items() if all(pair)}
    safe = in_place(proto.graph.node, both)
    return Model(proto, signature, inputs, results, params, states, safe)


def _check_ports(model: Model) -> None:
    signature, graph = model.signature, model.proto.graph
    taken = {port.name: _type(port) for port in graph.input}
    given = {port.name: _type(port) for port in graph.output}
    held = {each.name: (_DTYPES[each.data_type], tuple(each.dims)) for each in graph.initializer}
    members = {each.path: each for each in (*signature.params, *signature.states)}
    wanted: list[tuple[Mapping[str, tuple[str, Shape]], str, str, Shape]] = []
    for name, value in zip(model.inputs, signature.inputs, strict=True):
        wanted.append((taken, name, value.dtype, value.shape))
    for name, value in zip(model.results, signature.results, strict=True):
        wanted.append((given, name, value.dtype, value.shape))
    for path, name in model.params.items():
        member = members[path]
        wanted.append((held if name in held else taken, name, member.dtype, member.shape))
    for path, (old, new) in model.states.items():
        member = members[path]
        if old:
            wanted.append((taken, old, member.dtype, member.shape))
        if new:
            wanted.append((given, new, member.dtype, member.shape))
    for ports, name, dtype, shape in wanted:
        if name not in ports or ports[name] != (dtype, shape):
            raise ValueError(f"`{name}` is not as its signature says")
    known = {name for ports, name, _, _ in wanted if ports is taken}
    if extra := [name for name in taken if name not in known]:
        raise ValueError(f"the input `{extra[0]}` is in no signature")


def _type(port: ValueInfoProto) -> tuple[str, Shape]:
    type_ = port.type.tensor_type
    shape = tuple(
        dim.dim_param if dim.WhichOneof("value") == "dim_param" else dim.dim_value
        for dim in type_.shape.dim
    )
    return _DTYPES[type_.elem_type], shape


def _outside(proto: ModelProto, file: Path) -> dict[str, Array]:
    """Map the tensors that lie in other files, by path."""
    found: dict[str, Array] = {}
    for each in proto.graph.initializer:
        if each.data_location != TensorProto.EXTERNAL:
            continue
        where = {entry.key: entry.value for entry in each.external_data}
        dtype, shape = numpy_dtype(_DTYPES[each.data_type]), tuple(each.dims)
        if 0 in shape:
            found[each.name] = np.zeros(shape, dtype)
            continue
        place = file.parent / where["location"]
        offset = int(where.get("offset", "0"))
        mapped = np.memmap(place, np.uint8, "r", offset, int(np.prod(shape)) * dtype.itemsize)
        found[each.name] = cast(Array, mapped.view(dtype).reshape(shape))
    return found
