"""Weights stored in bf16, f16, int8 and int4: one result on every target.

The oracle is the program itself on weights that were rounded and made wide again: storing them
narrow moves where the rounding is paid for, not what is computed.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet.compiler import Stages
from linnet.errors import UsageError, WeightsError
from linnet.runtime import build_artifact
from linnet.weights import group_of, narrow, widen
from oracle.llama_numpy import Sizes as LlamaSizes
from oracle.llama_numpy import random_weights as llama_weights
from oracle.weights import Sizes, random_weights

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
GPT2 = EXAMPLES / "gpt2" / "gpt2.linnet"
LLAMA = EXAMPLES / "llama" / "llama.linnet"
SIZES = Sizes(vocab=19, max_positions=12, h=16, heads=2, layers=1)
GENERICS = SIZES.generics(batch=1, max_seq=8)
LLAMA_SIZES = LlamaSizes()
TOKENS = np.random.default_rng(3).integers(0, SIZES.vocab, (1, 5), dtype=np.int32)
pytestmark = pytest.mark.filterwarnings("ignore::linnet.runtime.SurplusWeights")
# Rows of 16 and of 64 elements: groups of 16 and of 32.
DTYPES = ["bf16", "f16", "int8", "int4:32"]
TOLERANCE = {"rtol": 0, "atol": 5e-5}
BINDINGS = EXAMPLES / "gpt2" / "bindings.json"


def rounded(weights: dict[str, np.ndarray], dtype: str, axis: dict[str, int]) -> Any:
    scheme, _, group = dtype.partition(":")
    found = dict(weights)
    for name, array in weights.items():
        if array.ndim == 2:
            along = axis.get(name, 0)
            fits = group_of(array.shape[1 - along], int(group or 64))
            if scheme == "int4" and fits is None:
                continue  # it stays
            fits = fits or 64
            found[name] = widen(narrow(name, array, scheme, along, fits), along)
    return found


def gpt2_axes(weights: dict[str, np.ndarray]) -> dict[str, int]:
    """Projections are stored input-first, so their outputs are columns."""
    return {name: 0 if name in ("wte.weight", "wpe.weight") else 1 for name in weights}


def steps(model: Any) -> list[np.ndarray]:
    """A prompt and two more tokens."""
    model.reset()
    found = [model.prefill(TOKENS[:, :3], np.int32(0))]
    return found + [model.decode(TOKENS[:, p : p + 1], np.int32(p)) for p in (3, 4)]


@pytest.fixture(scope="module")
def weights() -> dict[str, np.ndarray]:
    return dict(random_weights(SIZES))


@pytest.fixture(scope="module", params=DTYPES)
def case(
    request: pytest.FixtureRequest, weights: Any, tmp_path_factory: Any
) -> tuple[str, Path, Any]:
    """A dtype, an artifact with it for both targets, and what must come out."""
    dtype: str = request.param
    output = tmp_path_factory.mktemp(dtype) / "gpt2.lna"
    bound = {**GENERICS, "S": 3}
    build_artifact(
        GPT2, output, "Model", ["prefill", "decode"], bound, "absent", ["cpu", "xla-cpu"], None,
        Stages(), "0", weights_dtype=dtype,
    )  # fmt: skip
    plain = linnet.compile(
        GPT2, "Model", GENERICS, rounded(weights, dtype, gpt2_axes(weights)), BINDINGS
    )
    return dtype, output, steps(plain)


@pytest.mark.parametrize("target", ["cpu", "xla-cpu"])
def test_an_artifact_computes_with_the_rounded_weights(case: Any, weights: Any, target: str):
    _, output, want = case
    model = linnet.load(output, weights, BINDINGS, target)
    for found, expected in zip(steps(model), want, strict=True):
        np.testing.assert_allclose(found, expected, **TOLERANCE)


def test_the_reference_computes_with_the_rounded_weights(case: Any, weights: Any):
    dtype, _, want = case
    model = linnet.compile(GPT2, "Model", GENERICS, weights, BINDINGS, weights_dtype=dtype)
    for found, expected in zip(steps(model), want, strict=True):
        np.testing.assert_allclose(found, expected, **TOLERANCE)


def test_rounding_shows(case: Any, weights: Any):
    plain = linnet.compile(GPT2, "Model", GENERICS, weights, BINDINGS)
    off = max(float(np.abs(a - b).max()) for a, b in zip(steps(plain), case[2], strict=True))
    assert 1e-6 < off < 0.2


def test_sessions_share_narrow_weights(weights: Any):
    model = linnet.compile(
        GPT2, "Model", GENERICS, weights, BINDINGS, "xla-cpu", weights_dtype="int8"
    )
    first = model.forward(TOKENS)
    np.testing.assert_array_equal(model.session().forward(TOKENS), first)


@pytest.mark.parametrize("target", ["reference", "xla-cpu", "cpu"])
@pytest.mark.parametrize("dtype", ["int8", "int4"])
def test_llama_computes_with_quantised_rows(target: str, dtype: str):
    given = llama_weights(LLAMA_SIZES, False)
    generics = LLAMA_SIZES.generics(batch=1, max_seq=12)
    tokens = TOKENS % LLAMA_SIZES.vocab
    plain = linnet.compile(LLAMA, "Model", generics, rounded(dict(given), dtype, {}))
    model = linnet.compile(LLAMA, "Model", generics, given, target=target, weights_dtype=dtype)
    np.testing.assert_allclose(model.forward(tokens), plain.forward(tokens), **TOLERANCE)


@pytest.mark.parametrize(("dtype", "element"), [("int8", "xi8>"), ("int4:32", "ui8>")])
def test_xla_never_widens_a_weight_in_a_step(dtype: str, element: str):
    """The code of the backend takes the wide array; the portable form the narrow one."""
    from jaxlib.mlir import ir

    from linnet.backends import Module
    from linnet.backends._portable import read_portable
    from linnet.backends.xla._compile import _numbers
    from linnet.backends.xla._donate import donate_states
    from linnet.backends.xla._widen import widened
    from linnet.runtime import lower_program
    from linnet.stablehlo import build

    core, _ = lower_program(GPT2, "Model", ["decode"], GENERICS, "absent", None, Stages(), dtype)
    signature = core.functions["decode"].signature
    module = Module("decode", signature, build(core).portable())
    context, _, main = read_portable(module.portable)
    with context:
        narrow_text = str(main)
    wide = widened(signature)
    assert len(wide) == 4 * SIZES.layers + 2
    code = donate_states(module.portable, *_numbers(module), wide)
    with read_portable(module.portable)[0]:
        wide_text = str(ir.Module.parse(code))
    products = [line for line in wide_text.splitlines() if "dot_general" in line]
    assert element in narrow_text
    if dtype == "int8":
        assert element not in wide_text
    # Of half bytes only rows of the embeddings are made floating: the products read arguments.
    assert len(products) == 4 * SIZES.layers + 1 + 2 * SIZES.layers
    assert sum("%arg" in line for line in products) == 4 * SIZES.layers + 1


def test_an_unknown_dtype_is_refused(weights: Any):
    with pytest.raises(UsageError, match="no weights dtype `int7`"):
        linnet.compile(GPT2, "Model", GENERICS, weights, BINDINGS, weights_dtype="int7")
    for group in ("int4:24", "int4:", "int8:32"):
        with pytest.raises(UsageError, match=f"no weights dtype `{group}`"):
            linnet.compile(GPT2, "Model", GENERICS, weights, BINDINGS, weights_dtype=group)


def test_a_matrix_without_whole_groups_stays_and_says_why(tmp_path: Path):
    """The sizes of every product but one are multiples of 16."""
    program = tmp_path / "one.linnet"
    program.write_text(ODD)
    built = build_artifact(
        program, tmp_path / "one.lna", None, [], {}, "absent", ["cpu"], None, Stages(), "0",
        weights_dtype="int4",
    )  # fmt: skip
    assert built.unstored == {"odd": "its sums over 24 elements have no whole groups of 16"}


ODD = """
module one

use std.nn.linear::{linear}

pub block One {
    param odd: Tensor[3, 24; f32]
    param even: Tensor[24, 48; f32]

    entry forward(x: Tensor[2, 48; f32]) -> Tensor[2, 3; f32] {
        return linear(linear(x, even), odd)
    }
}
"""


def test_weights_that_hold_a_nan_are_refused(weights: Any):
    spoiled = {**weights, "wte.weight": np.full_like(weights["wte.weight"], np.nan)}
    with pytest.raises(WeightsError, match=r"`wte\.weight` holds a NaN"):
        linnet.compile(GPT2, "Model", GENERICS, spoiled, BINDINGS, weights_dtype="int8")
