"""The manifest: every record survives its JSON form, and no mistake in it passes."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest

from linnet.artifact import (
    Code,
    Entry,
    File,
    Gpu,
    Held,
    Manifest,
    Variant,
    schema,
)
from linnet.artifact._manifest import manifest_from_json, manifest_to_json
from linnet.artifact._schema import KNOWN, mistake
from linnet.backends import Cpu
from linnet.signature import Member, Signature, Stored, Value

HASH = "0" * 64
PARAMS = (
    Member("w", "param", "i8", (4, 2), stored=Stored("w", "f32", (4, 2), "int8", "values", 0)),
    Member("w.scale", "param", "f32", (4,), stored=Stored("w", "f32", (4, 2), "int8", "scale", 0)),
    Member("table", "buffer", "f32", (4,), True),
)
STATES = (Member("cache", "state", "f32", (1, 8)),)
OPEN: Any = ("S", 4)
MORE: Any = ("S + 1",)


def full() -> Manifest:
    """Return a manifest that uses all there is."""
    signature = Signature(
        "prefill",
        "m::Model",
        {"T": "f32"},
        {"H": 4},
        (Value("x", "f32", OPEN),),
        PARAMS,
        STATES,
        (Value("result", "f32", MORE),),
        ("S",),
        ("S <= 1024",),
    )
    vmfb = Code(File("variants/cpu/module.vmfb", HASH, 4), (Held("prefill"),))
    buckets = tuple(
        Code(File(f"variants/cuda-h100/{s}.pjrt", HASH, s), (Held("prefill", {"S": s}),))
        for s in (16, 64)
    )
    gpu = Gpu("cuda", "NVIDIA H100 80GB HBM3", "9.0", HASH, {"driver": "580.65"})
    return Manifest(
        linnet="0.1.0",
        source=File("m.linnet", HASH, 9),
        root="m::Model",
        generics={"H": 4},
        entries=(Entry("prefill", signature, File("stablehlo/prefill.mlirbc", HASH, 8)),),
        parameters=PARAMS,
        states=STATES,
        variants=(
            Variant(
                "cpu", "iree-vmfb", {"p": "1"}, Cpu("x86_64", ("avx",)), None, ("-a",), (vmfb,)
            ),
            Variant("cuda:h100", "pjrt", {"jaxlib": "1"}, None, gpu, (), buckets),
        ),
        build={"time": "2026-11-29T12:00:00Z", "tools": {"python": "3.11.9"}},
        memory={"prefill": {"weights": 8, "exact": True}},
    )


def test_every_record_survives_its_json_form():
    form = json.loads(json.dumps(manifest_to_json(full())))
    assert mistake(form, schema()) is None
    assert manifest_from_json(form) == full()


def test_the_schema_uses_only_what_its_reader_knows():
    def keys(rule: Any) -> Iterator[str]:
        for key, value in rule.items():
            yield key
            if key in ("properties", "$defs"):
                for each in value.values():
                    yield from keys(each)
            elif key == "anyOf":
                for each in value:
                    yield from keys(each)
            elif isinstance(value, dict):
                yield from keys(value)

    assert set(keys(schema())) <= KNOWN


JUNK: tuple[Any, ...] = (None, True, -1, 0, 1.5, "", "x", "../x", "a" * 99, [], [0], {}, {"x": 0})


def places(form: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a JSON form."""
    pairs: Any = cast(Any, form).items() if isinstance(form, dict) else enumerate(form)
    for key, value in list(pairs):
        yield form, key
        if isinstance(value, dict | list):
            yield from places(value)


def broken() -> Iterator[dict[str, Any]]:
    """Forms with one thing replaced, removed or added, each place several times."""
    whole = manifest_to_json(full())
    chosen = random.Random(0)
    for number in range(sum(1 for _ in places(whole))):
        for way in ("replace", "replace", "replace", "remove", "add"):
            form = copy.deepcopy(whole)
            holder, key = list(places(form))[number]
            if way == "replace":
                holder[key] = copy.deepcopy(chosen.choice(JUNK))
            elif way == "remove":
                del holder[key]
            elif isinstance(holder[key], dict):
                holder[key]["extra"] = 1
            yield form


def test_the_reader_judges_as_the_jsonschema_package_does():
    judge: Any = jsonschema.Draft202012Validator(schema())
    refused = 0
    for form in broken():
        found = mistake(form, schema())
        expected = [error.json_path for error in judge.iter_errors(form)]
        assert (found is None) == (expected == []), (found, expected)
        if found is not None:
            refused += 1
            path = found.partition(": ")[0]
            assert any(each.startswith(path) for each in expected), (found, expected)
    assert refused > 300


@pytest.mark.parametrize(
    ("value", "rule", "said"),
    [
        ("a\n", {"pattern": "^a$"}, "$: 'a\\n' has not the form that is needed"),
        (True, {"const": 1}, "$: True is not 1"),
        (
            {"a": [1]},
            {"properties": {"a": {"items": {"type": "string"}}}},
            "$.a[0]: 1 is no string",
        ),
    ],
)
def test_a_mistake_is_told_with_its_path(value: object, rule: dict[str, Any], said: str):
    assert mistake(value, rule) == said
