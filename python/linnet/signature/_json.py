"""Signatures as JSON objects, the form that the artifact's manifest keeps."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from linnet.signature._signature import Member, Signature, Stored, Value

# JSON that a schema has already accepted; its reader knows each field's type.
Json = dict[str, Any]


def _value(value: Value) -> Json:
    return {"name": value.name, "dtype": value.dtype, "shape": list(value.shape)}


def _member(member: Member) -> Json:
    stored = member.stored
    held: Json = {}
    if stored is not None:
        held["stored"] = {
            "path": stored.path,
            "dtype": stored.dtype,
            "shape": list(stored.shape),
            "scheme": stored.scheme,
            "role": stored.role,
            "axis": stored.axis,
        }
        if stored.group is not None:
            held["stored"]["group"] = stored.group
    return {
        "path": member.path,
        "kind": member.kind,
        "dtype": member.dtype,
        "shape": list(member.shape),
        "optional": member.optional,
        **held,
    }


def signature_to_json(signature: Signature) -> Json:
    """Return the signature as JSON, with the names of its fields as keys."""
    return {
        "entry": signature.entry,
        "root": signature.root,
        "generics": dict(signature.generics),
        "bindings": dict(signature.bindings),
        "inputs": [_value(value) for value in signature.inputs],
        "params": [_member(member) for member in signature.params],
        "states": [_member(member) for member in signature.states],
        "results": [_value(value) for value in signature.results],
        "symbols": list(signature.symbols),
        "constraints": list(signature.constraints),
    }


def signature_from_json(json: Mapping[str, Any]) -> Signature:
    """Return what `signature_to_json` was given; the input must have its form."""

    def value(item: Json) -> Value:
        return Value(item["name"], item["dtype"], tuple(item["shape"]))

    def member(item: Json) -> Member:
        shape = tuple(item["shape"])
        held: Json | None = item.get("stored")
        stored = None
        if held is not None:
            stored = Stored(**cast(Json, {**held, "shape": tuple(held["shape"])}))
        return Member(item["path"], item["kind"], item["dtype"], shape, item["optional"], stored)

    def each(name: str) -> Sequence[Json]:
        return cast(Sequence[Json], json[name])

    return Signature(
        entry=json["entry"],
        root=json["root"],
        generics=dict(json["generics"]),
        bindings=dict(json["bindings"]),
        inputs=tuple(map(value, each("inputs"))),
        params=tuple(map(member, each("params"))),
        states=tuple(map(member, each("states"))),
        results=tuple(map(value, each("results"))),
        symbols=tuple(json["symbols"]),
        constraints=tuple(json["constraints"]),
    )
