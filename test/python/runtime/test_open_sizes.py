"""Entries with open sizes: the reference equals itself at bound sizes, IREE equals the reference,
and what the constraints exclude is refused at the call."""

import itertools
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

import linnet
from linnet.compiler import Checked, Request, check_path, lower
from linnet.core import CoreModule, fix_sizes
from linnet.errors import ArgumentError, CapabilityError, LinnetError
from linnet.reference import run
from linnet.runtime import build_artifact
from linnet.signature import Signature, at_sizes, solve_sizes
from oracle.gpt2_numpy import forward
from oracle.weights import SMALL, bindings, random_weights

Array = NDArray[Any]

PROGRAM = Path(__file__).with_name("open_sizes.linnet")
GPT2 = Path(__file__).resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
SIZES = (0, 1, 2, 5, 8)
TOLERANCE = 2e-5


@cache
def checked() -> Checked:
    return check_path(PROGRAM)


@cache
def opened() -> CoreModule:
    given = checked()
    return lower(given.accepted(), Request(open=True), given.sources)


def entries() -> list[str]:
    return list(opened().functions)


def admissible(signature: Signature, count: int = 6) -> Iterator[dict[str, int]]:
    """Yield sizes that the constraints of an entry allow: equal ones, then mixed ones."""
    names = signature.symbols
    mixed = [
        dict(zip(names, each, strict=True)) for each in itertools.permutations(SIZES, len(names))
    ]
    equal = [dict.fromkeys(names, size) for size in SIZES]
    found = 0
    for sizes in equal + mixed:
        shapes = {v.name: v.shape for v in signature.inputs}
        try:
            concrete = at_sizes(signature, sizes)
            if any(size < 0 for value in concrete.inputs for size in value.fixed):
                continue
            solve_sizes(signature, {v.name: v.fixed for v in concrete.inputs})
        except ArgumentError:
            continue
        assert shapes
        yield sizes
        found += 1
        if found == count:
            return


def arguments(signature: Signature, sizes: Mapping[str, int]) -> list[Array]:
    rng = np.random.default_rng(sum(sizes.values()))
    made: list[Array] = []
    for value in at_sizes(signature, sizes).inputs:
        if value.dtype in ("f32", "bf16"):
            made.append(rng.standard_normal(value.fixed).astype(value.numpy))
        else:
            high = 2 if value.dtype == "bool" else 9
            made.append(rng.integers(0, high, value.fixed).astype(value.numpy))
    return made


@pytest.mark.parametrize("entry", entries())
def test_the_reference_at_open_sizes_equals_itself_at_bound_ones(entry: str) -> None:
    signature = opened().functions[entry].signature
    given = checked()
    for sizes in admissible(signature, 3):
        bound = lower(given.accepted(), Request(entries=[entry], generics=sizes), given.sources)
        values = arguments(signature, sizes)
        found = run(opened(), entry, values)
        for left, right in zip(found, run(bound, entry, values), strict=True):
            assert left.dtype == right.dtype
            np.testing.assert_array_equal(left, right)


def test_sizes_are_fixed_as_linnet_bind_fixes_them() -> None:
    function = fix_sizes(opened().functions["inner"], {"N": 5, "M": 3})
    assert str(function.signature) == (
        "inner<N = 5, M = 3>(x: Tensor[5, 3; f32]) -> (Tensor[3, 3; f32])"
    )


@pytest.fixture(scope="module")
def on_iree(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("iree.runtime")
    out = tmp_path_factory.mktemp("open") / "open.lna"
    build(PROGRAM, out, {})
    return linnet.load(out)


def build(program: Path, out: Path, generics: Mapping[str, int | str], *names: str) -> None:
    from linnet.compiler import Stages

    root = "Model" if generics else None
    build_artifact(
        program, out, root, names, generics, "absent", ["cpu"], None, Stages(), linnet.__version__
    )


@pytest.mark.parametrize("entry", entries())
def test_iree_at_open_sizes_equals_the_reference(on_iree: Any, entry: str) -> None:
    signature = opened().functions[entry].signature
    names = [value.name for value in signature.inputs]
    for sizes in admissible(signature):
        values = arguments(signature, sizes)
        wanted = run(opened(), entry, values)
        found = on_iree.call_named(entry, dict(zip(names, values, strict=True)))
        for left, right in zip(found.values(), wanted, strict=True):
            assert (left.dtype, left.shape) == (right.dtype, right.shape)
            if left.dtype == np.float32:
                np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-5)
            else:
                np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("entry", entries())
def test_onnx_runtime_at_open_sizes_equals_the_reference(entry: str) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")
    import onnx

    from linnet.backends.onnx import OnnxInstance, Options, build_model

    function = opened().functions[entry]
    model = build_model(function, Options())
    onnx.checker.check_model(model.proto, full_check=True)
    instance = OnnxInstance({})
    instance.add(entry, model)
    for sizes in admissible(function.signature):
        values = arguments(function.signature, sizes)
        found = instance.call(entry, values)
        for left, right in zip(found, run(opened(), entry, values), strict=True):
            assert (left.dtype, left.shape) == (right.dtype, right.shape)
            if left.dtype == np.float32:
                np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-5)
            else:
                np.testing.assert_array_equal(left, right)


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One artifact whose prompt has any length."""
    pytest.importorskip("iree.runtime")
    folder = tmp_path_factory.mktemp("gpt2")
    weights = random_weights(SMALL)
    save_file(weights, folder / "model.safetensors")
    (folder / "bindings.json").write_text(json.dumps(bindings(SMALL.layers)), encoding="utf-8")
    generics = SMALL.generics(batch=1, max_seq=32)
    build(GPT2, folder / "gpt2.lna", generics, "forward", "prefill", "decode", "prefill_slots")
    return linnet.load(
        folder / "gpt2.lna",
        weights=folder / "model.safetensors",
        bindings=folder / "bindings.json",
    )


def tokens_of(length: int, rows: int = 1) -> Array:
    rng = np.random.default_rng(length)
    return rng.integers(0, SMALL.vocab, (rows, length), dtype=np.int32)


@pytest.mark.parametrize("length", [1, 7, 16, 32])
def test_one_artifact_serves_prompts_of_every_length(gpt2: Any, length: int) -> None:
    gpt2.reset()
    weights, tokens = random_weights(SMALL), tokens_of(length)
    logits = forward(weights, SMALL.heads, tokens)
    found = gpt2.prefill(tokens, np.int32(0))
    np.testing.assert_allclose(found, logits[:, -1], rtol=0, atol=TOLERANCE)
    many = tokens_of(length, rows=3)
    wanted = forward(weights, SMALL.heads, many)
    np.testing.assert_allclose(gpt2.forward(many), wanted, rtol=0, atol=TOLERANCE)
    given = (tokens, np.array([0], np.int32), np.array([length], np.int32))
    np.testing.assert_allclose(gpt2.prefill_slots(*given), logits[:, -1], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("length", [2, 19])
def test_a_prompt_of_open_length_equals_one_of_fixed_length(
    gpt2: Any, tmp_path: Path, length: int
) -> None:
    save_file(random_weights(SMALL), tmp_path / "model.safetensors")
    (tmp_path / "bindings.json").write_text(json.dumps(bindings(SMALL.layers)), encoding="utf-8")
    generics = {**SMALL.generics(batch=1, max_seq=32), "prefill.S": length}
    build(GPT2, tmp_path / "gpt2.lna", generics, "prefill")
    fixed = linnet.load(
        tmp_path / "gpt2.lna",
        weights=tmp_path / "model.safetensors",
        bindings=tmp_path / "bindings.json",
    )
    gpt2.reset()
    tokens = tokens_of(length)
    wanted = np.asarray(fixed.prefill(tokens, np.int32(3)))
    np.testing.assert_allclose(gpt2.prefill(tokens, np.int32(3)), wanted, rtol=0, atol=1e-5)
    for path, value in fixed.state.items():
        np.testing.assert_allclose(gpt2.state[path], value, rtol=0, atol=1e-5, err_msg=path)


def test_a_prompt_in_parts_and_decode_follow_what_is_cached(gpt2: Any) -> None:
    gpt2.reset()
    weights, tokens = random_weights(SMALL), tokens_of(20)
    logits = forward(weights, SMALL.heads, tokens)
    gpt2.prefill(tokens[:, :5], np.int32(0))
    found = gpt2.prefill(tokens[:, 5:19], np.int32(5))
    np.testing.assert_allclose(found, logits[:, 18], rtol=0, atol=TOLERANCE)
    found = gpt2.decode(tokens[:, 19:], np.int32(19))
    np.testing.assert_allclose(found, logits[:, 19], rtol=0, atol=TOLERANCE)


def test_generation_takes_a_prompt_of_any_length_in_one_call(gpt2: Any) -> None:
    weights, prompt = random_weights(SMALL), tokens_of(11)
    tokens, wanted = prompt, list[int]()
    for _ in range(4):
        wanted.append(int(forward(weights, SMALL.heads, tokens)[0, -1].argmax()))
        tokens = np.append(tokens, np.array([[wanted[-1]]], np.int32), axis=1)
    assert list(gpt2.generate(prompt[0].tolist(), max_new_tokens=4)) == wanted


@pytest.mark.parametrize(
    ("entry", "given", "message"),
    [
        (
            "prefill",
            (np.zeros((1, 33), np.int32), np.int32(0)),
            "`S <= MaxSeq` does not hold: S = 33, MaxSeq = 32",
        ),
        (
            "forward",
            (np.zeros((2, 33), np.int32),),
            "`S <= MaxPositions` does not hold: S = 33, MaxPositions = 32",
        ),
        ("prefill", (np.zeros((1, 0), np.int32), np.int32(0)), "`S > 0` does not hold: S = 0"),
        ("prefill", (np.zeros((2, 4), np.int32), np.int32(0)), "has the wrong shape"),
        ("prefill", (np.zeros((4,), np.int32), np.int32(0)), "has the wrong shape"),
        ("prefill", (np.zeros((1, 4), np.int64), np.int32(0)), "has the wrong dtype"),
        (
            "prefill_slots",
            (np.zeros((2, 4), np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32)),
            "needs Tensor[2; i32], found Tensor[1; i32]",
        ),
    ],
)
def test_a_call_that_does_not_fit_is_refused(
    gpt2: Any, entry: str, given: tuple[Array, ...], message: str
) -> None:
    with pytest.raises(LinnetError) as raised:
        getattr(gpt2, entry)(*given)
    assert message in str(raised.value)


def test_a_size_that_no_input_has_is_refused_when_compiled(tmp_path: Path) -> None:
    pytest.importorskip("jaxlib")
    program = tmp_path / "m.linnet"
    program.write_text(
        "module m\npub entry double<N: Dim>(x: Tensor[2 * N; f32]) -> Tensor[N; f32] {\n"
        "    return x[0:N]\n}\n"
    )
    with pytest.raises(CapabilityError, match="no input has an axis of that size"):
        build(program, tmp_path / "m.lna", {})
