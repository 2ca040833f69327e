"""CORE with its calls kept together: the same values, and the structure of the source."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from linnet import reference
from linnet.compiler import Checked, Request, check_path, lower
from linnet.core import CoreModule, Op, Region
from linnet.errors import LinnetError
from linnet.signature import numpy_dtype
from oracle.weights import SMALL

TEST = Path(__file__).resolve().parents[2]
GPT2 = TEST.parent / "examples" / "gpt2" / "gpt2.linnet"
CASES = [
    path
    for folder in ("conformance", "programs")
    for path in sorted((TEST / folder / "run").glob("*.json"))
]

Array = NDArray[Any]


def core(checked: Checked, **request: Any) -> CoreModule | str:
    """Return CORE, or the text of the refusal."""
    try:
        return lower(checked.accepted(), Request(**request), checked.sources)
    except LinnetError as error:
        return str(error)


def ops(region: Region) -> Iterator[Op]:
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from ops(inner)


def tensor(given: dict[str, Any]) -> Array:
    numbers = np.array(given["data"], np.float64 if given["dtype"][0] in "fb" else None)
    return numbers.astype(numpy_dtype(given["dtype"])).reshape(given["shape"])


def call(
    module: CoreModule, entry: str, inputs: Mapping[str, Array], held: dict[str, Array]
) -> list[Array]:
    """Call an entry; `held` are members by path, and states change in it."""
    signature = module.functions[entry].signature
    for state in signature.states:
        held.setdefault(state.path, np.zeros(state.shape, numpy_dtype(state.dtype)))
    members = [held[member.path] for member in (*signature.params, *signature.states)]
    given = [inputs[value.name] for value in signature.inputs]
    results = reference.run(module, entry, [*given, *members])
    states = results[len(signature.results) :]
    held.update(zip([state.path for state in signature.states], states, strict=True))
    return results


def compare(found: list[Array], wanted: list[Array]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(
            one.astype(np.float64), other.astype(np.float64), rtol=1e-5, atol=1e-6
        )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_program_computes_the_same_with_its_calls_kept(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    checked = check_path(path.with_suffix(".linnet"))
    weights = {name: tensor(value) for name, value in case["weights"].items()}
    generics = dict(case["generics"])
    for is_open in (False, True):
        kept_held, flat_held = dict(weights), dict(weights)
        for step in case["steps"]:
            request = {
                "root": case["root"],
                "entries": [step["entry"]],
                "generics": generics if is_open else generics | step["generics"],
                "optionals": list(weights) or "absent",
                "open": is_open,
            }
            flat = core(checked, **request)
            kept = core(checked, **request, keep=True)
            if isinstance(flat, str) or isinstance(kept, str):
                assert kept == flat
                continue
            signature = flat.functions[step["entry"]].signature
            if not set(signature.symbols) <= {d for v in signature.inputs for d in v.shape}:
                continue  # sizes that no call says
            inputs = {name: tensor(value) for name, value in step["inputs"].items()}
            wanted = call(flat, step["entry"], inputs, flat_held)
            compare(call(kept, step["entry"], inputs, kept_held), wanted)


def gpt2(**request: Any) -> CoreModule:
    checked = check_path(GPT2)
    generics = SMALL.generics(batch=2, max_seq=8)
    found = core(checked, root="Model", generics=generics, open=True, **request)
    assert isinstance(found, CoreModule)
    return found


def test_gpt2_computes_the_same_with_its_calls_kept() -> None:
    flat, kept = gpt2(), gpt2(keep=True)
    held = {path: value.astype(np.float32) for path, value in _members(flat).items()}
    ours, theirs = dict(held), dict(held)
    tokens = np.array([[3, 1, 4], [1, 5, 9]], np.int32)
    steps = [
        ("forward", {"tokens": tokens}),
        ("prefill", {"tokens": tokens, "pos": np.int32(0)}),
        ("decode", {"token": tokens[:, :1], "pos": np.int32(3)}),
    ]
    for entry, inputs in steps:
        inputs = {name: np.asarray(value) for name, value in inputs.items()}
        compare(call(kept, entry, inputs, ours), call(flat, entry, inputs, theirs))


def _members(module: CoreModule) -> dict[str, Array]:
    signature = module.functions["forward"].signature
    draw = np.random.default_rng(3)
    return {m.path: draw.normal(0, 0.1, m.shape) for m in signature.params}


def scopes(module: CoreModule, entry: str) -> list[Op]:
    return [op for op in ops(module.functions[entry].body) if op.name == "scope"]


def test_scopes_say_what_is_called_and_on_which_instance() -> None:
    found = scopes(gpt2(keep=True), "forward")
    first = next(op for op in found if op.attributes["path"] == "blocks.1.attn")
    assert first.attributes["callee"] == "examples.gpt2::Attention.forward"
    assert first.attributes["kind"] == "method"
    assert first.attributes["names"] == ("x",)
    assert "H=48" in first.attributes["generics"]  # pyright: ignore[reportOperatorIssue]
    (norm, *_) = [op for op in found if op.attributes["callee"] == "std.nn.norm::layer_norm"]
    assert (norm.attributes["kind"], norm.attributes["path"]) == ("op", "")
    assert norm.attributes["names"] == ("x", "weight", "bias", "eps")
    assert [value.name for value in norm.regions[0].arguments] == ["x", "weight", "bias", "eps"]
    assert norm.operands[0].type.shape == ("B", "S", 48)


def test_a_scope_that_writes_states_gives_them_behind_its_results() -> None:
    found = scopes(gpt2(keep=True), "decode")
    (writer, *_) = [op for op in found if op.attributes["path"] == "blocks.0.attn"]
    assert writer.attributes["states"] == ("blocks.0.attn.cache_k", "blocks.0.attn.cache_v")
    assert len(writer.results) == 3


def test_values_have_the_names_of_the_source() -> None:
    found = {
        value.name for op in ops(gpt2(keep=True).functions["forward"].body) for value in op.results
    }
    assert {"mean", "variance", "fused", "query", "key", "value", "peak"} <= found


def test_ops_alone_can_be_kept() -> None:
    found = scopes(gpt2(keep="ops"), "forward")
    assert {op.attributes["kind"] for op in found} == {"op"}
    assert all(not value.name for op in found for value in op.results)


def test_without_keep_nothing_is_kept_and_nothing_is_named() -> None:
    every = list(ops(gpt2().functions["forward"].body))
    assert all(op.name != "scope" for op in every)
    assert all(not value.name for op in every for value in op.results)
