"""The example models as JAX: what the file says, what it computes, and how JAX transforms it."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
from backends.on_torch._examples import EXAMPLES, Example, inputs_of, weights_of

from linnet.backends.jax import JaxModel, SourceModel, build, build_source, jax_source
from linnet.compiler import lower
from linnet.core import CoreModule
from linnet.errors import CapabilityError, UsageError
from linnet.reference import run

SNAPSHOTS = Path(__file__).parent / "snapshots"
TITLE = "The example {} at small sizes, written by `linnet jax`."
FORMS = ("jax", "nnx")


@cache
def core_of(example: str, keep: bool) -> CoreModule:
    return next(each for each in EXAMPLES if each.name == example).core(keep)


def text_of(example: str, form: Any) -> str:
    return jax_source(core_of(example, True), "equivalent", form, TITLE.format(example)).text


def need(form: str) -> None:
    if form == "nnx":
        pytest.importorskip("flax")


def made(example: str, form: str) -> tuple[Any, dict[str, Any]]:
    weights = weights_of(core_of(example, False))
    if form == "stablehlo":
        return JaxModel(core_of(example, False), weights), weights
    need(form)
    core = core_of(example, form != "flat")
    return SourceModel(core, weights, form="nnx" if form == "nnx" else "jax"), weights


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("example", [each.name for each in EXAMPLES])
def test_the_source_is_that_of_the_snapshot(example: str, form: str) -> None:
    text, path = text_of(example, form), SNAPSHOTS / form / f"{example}.py"
    if os.environ.get("LINNET_WRITE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("example", [each.name for each in EXAMPLES])
def test_the_source_is_formatted(example: str, form: str, tmp_path: Path) -> None:
    pytest.importorskip("ruff")
    path = tmp_path / "model.py"
    path.write_text(text_of(example, form), encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff"]
    for command in (
        ["format", "--isolated", "--diff", "--line-length=100"],
        ["check", "--isolated", "--line-length=100", "--select=E,F,I", "--ignore=E501"],
    ):
        found = subprocess.run(
            [*ruff, *command, str(path)], capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("example", [each.name for each in EXAMPLES])
def test_the_source_imports_jax_alone(example: str, form: str) -> None:
    lines = text_of(example, form).splitlines()
    imports = [line.split()[1].partition(".")[0] for line in lines if line.startswith(("im", "fr"))]
    allowed = {"jax", "collections", "typing"} | ({"flax"} if form == "nnx" else set())
    assert set(imports) <= allowed


@pytest.mark.parametrize("form", ["stablehlo", "jax", "nnx", "flat"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_entries_agree_with_the_reference(example: Example, form: str) -> None:
    """Calls in a row, so that states count; `flat` is CORE without its calls."""
    core = core_of(example.name, False)
    model, weights = made(example.name, form)
    states = dict(model.states())
    for name, function in core.functions.items():
        signature = function.signature
        given = inputs_of(signature, example.sizes, example.most)
        arguments = [
            *given,
            *(weights[member.path] for member in signature.params),
            *(states[member.path] for member in signature.states),
        ]
        wanted = run(core, name, arguments)
        found: Any = model.call(name, given)
        results = [model.numpy(each) for each in (found if isinstance(found, tuple) else (found,))]
        states |= model.states()
        results += [states[member.path] for member in signature.states]
        assert len(results) == len(wanted)
        for got, want in zip(results, wanted, strict=True):
            assert got.dtype == want.dtype
            scale = max(1.0, float(np.abs(want.astype(np.float64)).max(initial=0)))
            np.testing.assert_allclose(got, want, rtol=0, atol=2e-5 * scale)
    model.reset()
    assert all(not state.any() for state in model.states().values())


def test_an_entry_is_served_at_any_size() -> None:
    model, _ = made("gpt2", "stablehlo")
    source, _ = made("gpt2", "jax")
    for shape in ((1, 1), (3, 7), (2, 32)):
        tokens = np.zeros(shape, np.int32)
        one, other = model.call("forward", [tokens]), source.call("forward", [tokens])
        assert one.shape == (*shape, 97)
        np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("form", ["stablehlo", "jax", "nnx"])
def test_an_entry_is_part_of_a_traced_function(form: str) -> None:
    model, _ = made("gpt2", form)
    tokens = np.array([[3, 1, 4]], np.int32)

    @jax.jit
    def likeliest(given: Any) -> Any:
        return model.call("forward", [given]).argmax(-1)

    wanted = np.asarray(model.call("forward", [tokens])).argmax(-1)
    np.testing.assert_array_equal(likeliest(tokens), wanted)

    @jax.jit
    def step(token: Any, pos: Any) -> Any:
        return model.call("decode", [token, pos])

    with pytest.raises(CapabilityError, match="`decode` changes states"):
        step(np.zeros((2, 1), np.int32), np.int32(0))


def test_a_pure_function_takes_and_gives_the_states() -> None:
    model, _ = made("gpt2", "stablehlo")
    token, pos = np.ones((2, 1), np.int32), np.int32(0)
    wanted = np.asarray(model.call("decode", [token, pos]))
    after = model.states()
    model.reset()
    logits, states = jax.jit(model.native["decode"])(model.params, model.arrays, token, pos)
    np.testing.assert_allclose(logits, wanted, atol=1e-6)
    for path, state in states.items():
        np.testing.assert_allclose(state, after[path], atol=1e-6)


def loss(logits: Any) -> Any:
    return jax.nn.logsumexp(logits, axis=-1).mean() - logits[..., 0].mean()


def test_gradients_are_those_of_finite_differences() -> None:
    """In f64, a direction at a time; `std` takes the softmax in f32, which sets the tolerance."""
    example = next(each for each in EXAMPLES if each.name == "gpt2")
    checked = example.checked()
    request = replace(example.request(T="f64"), entries=("forward",))
    core = lower(checked.accepted(), request, checked.sources)
    weights = weights_of(core)
    model = build_source(checked, request, weights)
    tokens = np.array([[3, 1, 4, 1, 5]], np.int32)
    with jax.enable_x64(True):
        slope = jax.grad(lambda m: loss(m(tokens)), allow_int=True)(model.native)
        paths, _ = jax.tree_util.tree_flatten_with_path(slope)
        by_path = {jax.tree_util.keystr(p, simple=True, separator="."): g for p, g in paths}
        rng = np.random.default_rng(3)
        for path in ("wte", "blocks.1.attn.qkv.weight", "blocks.2.mlp.down.bias", "ln_f.weight"):
            value = weights[path]
            direction = rng.normal(size=value.shape)

            def at(step: float, path: str = path, value: Any = value, to: Any = direction) -> float:
                moved = build_source(checked, request, {**weights, path: value + step * to})
                return float(loss(moved.native(tokens)))

            numeric = (at(1e-3) - at(-1e-3)) / 2e-3
            exact = float((np.asarray(by_path[path]) * direction).sum())
            assert abs(numeric - exact) <= 1e-3 * max(1.0, abs(exact))


def test_a_module_of_nnx_mirrors_the_paths_and_round_trips() -> None:
    nnx = pytest.importorskip("flax.nnx")
    model, weights = made("gpt2", "nnx")
    graph, params, states = nnx.split(model.native, nnx.Param, ...)
    leaves, _ = jax.tree_util.tree_flatten_with_path(params)
    paths = {jax.tree_util.keystr(p, simple=True, separator=".") for p, _ in leaves}
    assert {path.removesuffix(".value") for path in paths} == set(weights)
    again = nnx.merge(graph, params, states)
    tokens = np.array([[3, 1, 4]], np.int32)
    np.testing.assert_array_equal(again(tokens), model.native(tokens))


def test_nnx_differentiates_the_source() -> None:
    nnx = pytest.importorskip("flax.nnx")
    model, _ = made("gpt2", "nnx")
    source, _ = made("gpt2", "jax")
    tokens = np.array([[3, 1, 4]], np.int32)
    found = nnx.grad(lambda m: loss(m(tokens)))(model.native)
    wanted = jax.grad(lambda m: loss(m(tokens)))(source.native)
    np.testing.assert_allclose(found["wte"][...], wanted.wte, atol=1e-6)
    np.testing.assert_allclose(
        found["blocks"][1]["attn"]["out"]["weight"][...],
        wanted.blocks[1].attn.out.weight,
        atol=1e-6,
    )


def test_unknown_options_are_refused() -> None:
    example = EXAMPLES[0]
    numerics: Any = "sloppy"
    with pytest.raises(UsageError, match="no numerics `sloppy`"):
        build(example.checked(), example.request(), {}, numerics=numerics)
    compile: Any = "inductor"
    with pytest.raises(UsageError, match="no way to compile `inductor`"):
        build_source(example.checked(), example.request(), {}, compile=compile)
