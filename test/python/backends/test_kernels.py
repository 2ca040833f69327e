"""The IREE backend gives products with weights and attention to the kernels, with equal results."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet
from linnet.backends import Cpu, Module, this_cpu
from linnet.backends.iree import processor
from linnet.backends.iree._processor import object_for
from linnet.backends.iree._wrap import wrap
from linnet.compiler import Request, check_path, lower
from linnet.errors import UsageError
from linnet.stablehlo import build
from oracle.weights import SMALL

PROGRAM = Path(__file__).with_name("kernels.linnet")
GPT2 = Path(__file__).resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
CPU = this_cpu()

pytestmark = pytest.mark.skipif(
    object_for(CPU.arch, CPU.features) is None, reason="no kernels for this processor were built"
)
Array = NDArray[Any]


def normal(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


WEIGHTS = {
    "up": normal(1, 24, 72) * 0.2,
    "down": normal(2, 24, 72) * 0.2,
    "bias": normal(3, 72),
    "gain": normal(4, 24),
    "shift": normal(5, 24),
}


@cache
def model(target: str) -> linnet.Model:
    return linnet.compile(PROGRAM, weights=WEIGHTS, target=target)


@cache
def text(
    entry: str,
    generics: tuple[tuple[str, int | str], ...] = (),
    program: Path = PROGRAM,
    root: str = "Layer",
) -> str:
    """Return what IREE is given for an entry; sizes that are not among `generics` stay open."""
    checked = check_path(program)
    request = Request(root, [entry], dict(generics), (), open=True)
    core = lower(checked.accepted(), request, checked.sources)
    function = core.functions[entry]
    module = Module(entry, function.signature, build(core, {"main": entry}).portable())
    return wrap([module], objects="kernels.o")


def kernels(entry: str, **generics: int) -> list[str]:
    """Return the kernels that an entry calls, in the order in which it first does."""
    return re.findall(r"flow\.dispatch @kernels::@(\w+)", text(entry, tuple(generics.items())))


def agree(entry: str, *inputs: object) -> None:
    expected, found = (
        model(target).call_named(entry, given(target, entry, inputs))
        for target in ("reference", "cpu")
    )
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=2e-5, atol=2e-5, err_msg=name)


def given(target: str, entry: str, inputs: tuple[object, ...]) -> dict[str, object]:
    names = model(target)._engine.inputs(entry)  # pyright: ignore[reportPrivateUsage]
    return dict(zip(names, inputs, strict=True))


@pytest.mark.parametrize("length", [1, 9])
def test_norm_bias_gelu_and_residual_go_with_their_product(length: int):
    assert kernels("mlp", S=length) == ["linear_f32_kn", "linear_f32_nk"]
    whole = text("mlp", (("S", length),))
    assert "stablehlo.tanh" not in whole
    assert "stablehlo.reduce" not in whole
    agree("mlp", normal(length, 2, length, 24))


@pytest.mark.parametrize(("group", "found"), [(64, ["linear_i4_nk"]), (4, [])])
def test_half_bytes_that_a_program_is_written_with_reach_their_kernel(group: int, found: list[str]):
    """The kernel takes them eight at a time; others are made floating by IREE's code."""
    example = GPT2.parents[2] / "docs" / "std" / "quant.linnet"
    generics = (("In", 128), ("Out", 6), ("Group", group), ("T", "f32"), ("N", 3))
    whole = text("gated", generics, example, "Grouped")
    assert re.findall(r"flow\.dispatch @kernels::@(\w+)", whole) == found
    assert ("dot_general" in whole) == (not found)
    rng = np.random.default_rng(0)
    weights = {
        "gate.weight": rng.integers(0, 256, (6, 128 // group, group // 2), np.uint8),
        "gate.scale": normal(1, 6, 128 // group),
        "gate.zero": normal(2, 6, 128 // group) * 4 + 7,
    }
    results = [
        linnet.compile(example, "Grouped", dict(generics), weights, target=target).gated(
            normal(3, 3, 128)
        )
        for target in ("reference", "cpu", "xla-cpu")
    ]
    for other in results[1:]:
        np.testing.assert_allclose(other, results[0], rtol=2e-5, atol=2e-4)


def test_an_open_prompt_calls_the_kernels_of_a_fixed_one():
    generics = tuple(SMALL.generics(batch=1, max_seq=32).items())
    opened = text("prefill", generics, GPT2, "Model")
    fixed = text("prefill", (*generics, ("S", 6)), GPT2, "Model")
    calls = [re.findall(r"callee = @(kernel\.\d+)", each) for each in (opened, fixed)]
    assert calls[0] == calls[1]
    assert len(calls[0]) == 5 * SMALL.layers + 1
    assert "tensor<1x?x48xf32>" in opened
    for op in ("dot_general", "tanh", "exponential", "divide"):
        assert f"stablehlo.{op}" not in opened


def test_what_is_used_elsewhere_stays():
    assert kernels("shared") == ["linear_f32_kn"]
    assert "stablehlo.tanh" in text("shared")
    agree("shared", normal(7, 5, 24))


def test_a_product_without_a_parameter_is_left_alone():
    assert kernels("free") == []
    agree("free", normal(8, 5, 24), normal(9, 24, 7))


def test_a_step_writes_the_caches_and_attends_in_one_call():
    assert kernels("step") == ["step_f32"]
    for at in (0, 1, 2, 7, 8, -1):
        row = [normal(20 + at * 3 + n, 2, 3, 1, 8) for n in range(3)]
        agree("step", *row, np.int32(at))
        for path in ("keys", "values"):
            expected = model("reference").state[path]
            np.testing.assert_array_equal(model("cpu").state[path], expected)


def test_a_cache_that_is_read_again_is_written_apart():
    assert kernels("step_and_sum") == ["attention_f32"]
    agree("step_and_sum", normal(10, 2, 3, 1, 8), normal(11, 2, 3, 1, 8), np.int32(3))


def test_any_order_of_axes_becomes_strides():
    assert kernels("causal") == ["attention_f32"]
    assert "stablehlo.transpose" not in text("causal")
    agree("causal", normal(12, 2, 6, 3, 8))


def test_masks_by_row_and_rows_that_see_nothing():
    allowed = np.array([[[1, 0, 1, 0, 0], [0] * 5], [[1] * 5, [0, 0, 0, 0, 1]]], bool)
    assert kernels("rows") == ["attention_f32"]
    agree("rows", normal(13, 2, 3, 2, 8), normal(14, 2, 3, 5, 8), allowed)


def test_query_heads_share_key_heads():
    allowed = np.array([[1, 1, 0, 0, 1], [0, 1, 1, 1, 1]], bool)
    assert kernels("grouped") == ["attention_f32"]
    q, k, v = normal(15, 2, 6, 2, 8), normal(16, 2, 3, 5, 8), normal(17, 2, 3, 5, 8)
    agree("grouped", q, k, v, allowed)


def test_a_product_in_a_loop_is_found():
    assert kernels("looped") == ["linear_f32_kn", "linear_f32_nk"]
    agree("looped", normal(18, 3, 24), np.int32(3))


def test_without_an_object_all_code_is_the_compilers():
    assert object_for("x86_64", ["avx", "avx2"]) is None
    assert object_for("aarch64", CPU.features) is None


def test_a_named_processor_needs_its_instruction_sets():
    older = processor("cpu:x86-64-v3")
    assert {"avx2", "fma", "bmi1", "abm"} <= set(older.features)
    assert not older.lacks(older)
    assert Cpu("x86_64", ("avx", "sse4_2")).lacks(older)
    assert processor("cpu") == processor("cpu:host") == this_cpu()
    assert "avx512_vnni" in processor("cpu:znver4").features


@pytest.mark.parametrize("name", ["nonsense", "", "x y", "--help"])
def test_an_unknown_processor_is_refused(name: str):
    if not name:
        assert processor("cpu:") == this_cpu()
        return
    with pytest.raises(UsageError, match="no processor"):
        processor(f"cpu:{name}")


def test_code_for_an_older_processor_gives_the_same():
    older = linnet.compile(PROGRAM, weights=WEIGHTS, target="cpu:x86-64-v3")
    x = normal(19, 2, 9, 24)
    expected = model("reference").mlp(x)
    np.testing.assert_allclose(older.mlp(x), expected, rtol=2e-5, atol=2e-5)
