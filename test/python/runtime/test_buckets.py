"""Buckets: code at a bucket's sizes equals the reference at every smaller size, whatever its
padding holds; every size has one bucket, and what cannot be padded is refused."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

import linnet
from linnet.compiler import Request, Stages, check_path, lower
from linnet.core import CoreModule, pad_sizes
from linnet.errors import ArgumentError, CapabilityError, UsageError
from linnet.reference import run
from linnet.runtime import build_artifact
from linnet.signature import Member, Signature, Value, at_sizes, solve_sizes
from oracle.gpt2_numpy import forward
from oracle.weights import SMALL, bindings, random_weights

Array = NDArray[Any]

HERE = Path(__file__)
GPT2 = HERE.resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
OPEN, RULES = HERE.with_name("open_sizes.linnet"), HERE.with_name("buckets.linnet")
BUCKET = 7
REFUSED = {
    "inner": "`slice` has an axis of `N - 2`",
    "every_other": "an input has an axis of `2 * N`",
    "flat": "`reshape` has an axis of `2 * B`",
    "merged": "`reshape` has an axis of `A * B`",
    "joined": "`concat` has an axis of `A + B + 1`",
    "pairs": "`reshape` has an axis of `M * N`",
    "diagonal": "`reshape` has an axis of `N * N`",
    "least": "`slice` has an axis of `min(M, N)`",
    "turned": "`reshape` of [N, 4] to [4, N] mixes an open axis with others",
    "slots": "`reshape` has an axis of `M * N`",
    "too_long": "the bucket N = 7 is longer than the axis of 5 into which it is written",
}


@cache
def opened(program: Path) -> CoreModule:
    given = check_path(program)
    return lower(given.accepted(), Request(open=True), given.sources)


CASES = [(path, name) for path in (OPEN, RULES) for name in opened(path).functions]


def sizes_of(signature: Signature) -> list[dict[str, int]]:
    """Return sizes that the constraints of an entry allow, up to the bucket."""
    found: list[dict[str, int]] = []
    for first in (0, 1, 2, 4, 5, BUCKET):
        sizes = {name: min(first + i, BUCKET) for i, name in enumerate(signature.symbols)}
        try:
            shapes = {value.name: value.fixed for value in at_sizes(signature, sizes).inputs}
            solve_sizes(signature, shapes)
        except ArgumentError:
            continue
        found.append(sizes)
    return found


def inputs_of(signature: Signature, sizes: dict[str, int]) -> list[Array]:
    rng = np.random.default_rng(sum(sizes.values()))
    made: list[Array] = []
    for value in at_sizes(signature, sizes).inputs:
        if value.dtype in ("f32", "bf16"):
            made.append(rng.standard_normal(value.fixed).astype(value.numpy))
        elif value.name == "rows":
            made.append(rng.permutation(8)[: value.fixed[0]].astype(value.numpy))
        else:
            high = 2 if value.dtype == "bool" else 9
            made.append(rng.integers(0, high, value.fixed).astype(value.numpy))
    return made


def poisoned(array: Array, value: Value) -> Array:
    """Return the array in a larger one of NaN, or of the greatest integer."""
    if value.dtype in ("f32", "bf16"):
        whole = np.full(value.fixed, np.nan, array.dtype)
    elif value.dtype == "bool":
        whole = np.ones(value.fixed, array.dtype)
    else:
        whole = np.full(value.fixed, np.iinfo(array.dtype).max, array.dtype)
    whole[tuple(map(slice, array.shape))] = array
    return whole


@pytest.mark.parametrize(("program", "entry"), CASES)
def test_what_padding_holds_reaches_no_result(program: Path, entry: str) -> None:
    function = opened(program).functions[entry]
    signature = function.signature
    bucket = dict.fromkeys(signature.symbols, BUCKET)
    if entry in REFUSED:
        with pytest.raises(CapabilityError) as raised:
            pad_sizes(function, bucket)
        assert REFUSED[entry] in str(raised.value)
        return
    padded = pad_sizes(function, bucket)
    module = CoreModule({entry: padded})
    assert sizes_of(signature)
    for sizes in sizes_of(signature):
        arrays = inputs_of(signature, sizes)
        wanted = run(opened(program), entry, arrays)
        wide = [poisoned(a, v) for a, v in zip(arrays, padded.signature.inputs, strict=False)]
        wide += [np.asarray(sizes[name], np.int64) for name in bucket]
        found = run(module, entry, wide)
        for left, right in zip(found, wanted, strict=True):
            assert left.dtype == right.dtype
            cut = left[tuple(map(slice, right.shape))]
            assert cut.shape == right.shape
            wide_type = np.float64 if cut.dtype.kind not in "iub" else cut.dtype
            np.testing.assert_allclose(
                cut.astype(wide_type), right.astype(wide_type), rtol=1e-5, atol=1e-5
            )


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The table of programs as XLA's code."""
    pytest.importorskip("jaxlib")
    out = tmp_path_factory.mktemp("rules") / "rules.lna"
    names = [name for path, name in CASES if path == RULES and name not in REFUSED]
    build(RULES, out, {}, {"N": [3, 7], "M": [7]}, *names)
    return linnet.load(out)


@pytest.mark.parametrize("entry", [n for path, n in CASES if path == RULES and n not in REFUSED])
def test_xla_at_its_buckets_equals_the_reference(rules: Any, entry: str) -> None:
    signature = opened(RULES).functions[entry].signature
    for sizes in sizes_of(signature):
        arrays = inputs_of(signature, sizes)
        wanted = run(opened(RULES), entry, arrays)
        names = [value.name for value in signature.inputs]
        found = rules.call_named(entry, dict(zip(names, arrays, strict=True)))
        for left, right in zip(found.values(), wanted, strict=True):
            assert (left.dtype, left.shape) == (right.dtype, right.shape)
            np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-5)


def build(
    program: Path,
    out: Path,
    generics: dict[str, int | str],
    buckets: dict[str, list[int]],
    *names: str,
    target: str = "xla-cpu",
) -> Any:
    return build_artifact(
        program,
        out,
        "Model" if generics else None,
        names,
        generics,
        "absent",
        [target],
        None,
        Stages(),
        linnet.__version__,
        buckets=buckets,
    )


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A model whose prompts have buckets up to all of the cache; no state is copied."""
    pytest.importorskip("jaxlib")
    folder = tmp_path_factory.mktemp("gpt2")
    save_file(random_weights(SMALL), folder / "model.safetensors")
    (folder / "bindings.json").write_text(json.dumps(bindings(SMALL.layers)), encoding="utf-8")
    generics = SMALL.generics(batch=1, max_seq=32)
    out = folder / "gpt2.lna"
    built = build(GPT2, out, generics, {"prefill.S": [4, 16, 32]}, "prefill", "decode")
    verdicts = built.manifest.build["states"]["xla-cpu"]
    assert set(verdicts.values()) == {"in place"}
    return linnet.load(out, weights=folder / "model.safetensors", bindings=folder / "bindings.json")


def tokens_of(length: int) -> Array:
    rng = np.random.default_rng(length)
    return rng.integers(0, SMALL.vocab, (1, length), dtype=np.int32)


@pytest.fixture(scope="module")
def by_reference(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return linnet.compile(
        GPT2,
        "Model",
        SMALL.generics(batch=1, max_seq=32),
        random_weights(SMALL),
        bindings(SMALL.layers),
        loops=False,
    )


# Each a list of prompts, one behind the other, from position 0; the last near the cache's end.
@pytest.mark.parametrize("parts", [[1], [3], [4], [7], [16], [17], [32], [5, 20], [29, 2], [20, 9]])
def test_prompts_of_every_length_leave_the_states_of_the_reference(
    gpt2: Any, by_reference: Any, parts: list[int]
) -> None:
    tokens, at, found = tokens_of(32), 0, np.zeros(0)
    rng = np.random.default_rng(0)
    for path in gpt2.state:
        noise: Array = rng.standard_normal(np.shape(gpt2.state[path])).astype(np.float32)
        gpt2.state[path] = by_reference.state[path] = noise
    for length in parts:
        given = (tokens[:, at : at + length], np.int32(at))
        found, wanted = gpt2.prefill(*given), by_reference.prefill(*given)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-5)
        at += length
    logits = forward(random_weights(SMALL), SMALL.heads, tokens[:, :at])
    np.testing.assert_allclose(found, logits[:, -1], rtol=0, atol=2e-5)
    if at < 32:
        given = (tokens[:, at : at + 1], np.int32(at))
        found, wanted = gpt2.decode(*given), by_reference.decode(*given)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-5)
    for path in gpt2.state:
        np.testing.assert_allclose(
            gpt2.state[path], by_reference.state[path], rtol=0, atol=2e-5, err_msg=path
        )


@pytest.mark.parametrize("position", [-3, 30, 2**31 - 1, -(2**31)])
def test_a_position_outside_the_cache_does_what_it_does_in_the_reference(
    gpt2: Any, by_reference: Any, position: int
) -> None:
    rng = np.random.default_rng(1)
    for path in gpt2.state:
        noise: Array = rng.standard_normal(np.shape(gpt2.state[path])).astype(np.float32)
        gpt2.state[path] = by_reference.state[path] = noise
    for length in (3, 7, 20):
        given = (tokens_of(length), np.int32(position))
        gpt2.prefill(*given)
        by_reference.prefill(*given)
        for path in gpt2.state:
            np.testing.assert_allclose(gpt2.state[path], by_reference.state[path], atol=2e-5)


def test_generation_takes_a_prompt_in_one_call(gpt2: Any, by_reference: Any) -> None:
    prompt = tokens_of(11)[0].tolist()
    wanted = list(by_reference.generate(prompt, max_new_tokens=4))
    assert list(gpt2.generate(prompt, max_new_tokens=4)) == wanted


@pytest.mark.parametrize(
    ("length", "message"),
    [(33, "`S <= MaxSeq` does not hold: S = 33, MaxSeq = 32"), (0, "`S > 0` does not hold")],
)
def test_a_size_that_the_constraints_exclude_is_refused(
    gpt2: Any, length: int, message: str
) -> None:
    with pytest.raises(ArgumentError) as raised:
        gpt2.prefill(np.zeros((1, length), np.int32), np.int32(0))
    assert message in str(raised.value)


def entry(constraints: tuple[str, ...], *symbols: str) -> Signature:
    members: tuple[Member, ...] = ()
    inputs = tuple(Value(name.lower(), "f32", (name,)) for name in symbols)
    return Signature("f", None, {}, {}, inputs, members, (), (), symbols, constraints)


def test_every_allowed_size_has_exactly_one_bucket() -> None:
    from linnet.runtime._buckets import cover

    bounded = entry(("S > 0", "S <= 20", "S % 2 == 0"), "S")
    assert cover(bounded, {"S": [20, 4]}) == [{"S": 4}, {"S": 20}]
    both = replace(entry(("S <= 3", "T <= 9"), "S", "T"))
    assert cover(both, {"S": [3], "f.T": [4, 9]}) == [{"S": 3, "T": 4}, {"S": 3, "T": 9}]
    assert cover(entry(()), {}) == [{}]


@pytest.mark.parametrize(
    ("constraints", "sizes", "message", "hint"),
    [
        (("S <= 1024",), [16, 256], "no bucket holds S = 257 … 1024", "add 1024"),
        (("S <= 17",), [16], "no bucket holds S = 17, which", "add 17"),
        (("S <= 20", "S % 3 == 0"), [16], "no bucket holds S = 18, which", "add 18"),
        ((), [16], "no bucket holds S = 17 and more, and nothing bounds S", "`S <= 16`"),
        (("S <= 16",), [16, 32], "the bucket S = 32 serves no size", "leave it out"),
        (("S >= 8", "S <= 16"), [4, 16], "the bucket S = 4 serves no size", "leave it out"),
    ],
)
def test_a_gap_and_a_bucket_without_use_are_refused(
    constraints: tuple[str, ...], sizes: list[int], message: str, hint: str
) -> None:
    from linnet.runtime._buckets import cover

    with pytest.raises(UsageError) as raised:
        cover(entry(constraints, "S"), {"S": sizes})
    assert message in raised.value.message
    assert hint in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("buckets", "target", "message"),
    [
        ({"Q": [4]}, "xla-cpu", "no open size `Q`"),
        ({"N": [7]}, "xla-cpu", "leaves M open, which needs buckets for XLA"),
        ({"N": [7]}, "cpu", "no target needs buckets"),
        ({"N": [6], "M": [7]}, "xla-cpu", "no bucket holds N = 7"),
    ],
)
def test_buckets_that_do_not_fit_the_program_are_refused(
    tmp_path: Path, buckets: dict[str, list[int]], target: str, message: str
) -> None:
    with pytest.raises(UsageError) as raised:
        build(RULES, tmp_path / "x.lna", {}, buckets, "chosen_rows", target=target)
    assert message in str(raised.value)
