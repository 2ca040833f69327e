"""`linnet memory`: exact in symbols and in bytes, the largest that fits, and each refusal."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from linnet.cli._main import run
from linnet.cli._memory import read_size
from linnet.errors import UsageError

ROOT = Path(__file__).resolve().parents[3]
GPT2 = ROOT / "examples" / "gpt2" / "gpt2.linnet"
SIZES = {"Vocab": 100, "MaxPositions": 64, "H": 32, "Heads": 4, "Layers": 3, "Batch": 2}
WEIGHTS = 4 * (100 * 32 + 64 * 32 + 3 * (12 * 32 * 32 + 13 * 32) + 2 * 32)

PROGRAM = """\
module m

pub block Model<N: Dim, Rows: Dim = 2 * N, T: Float = f32> where N % 2 == 0, Rows <= 4096 {
    param table: Tensor[Rows, N; T]
    param extra: Tensor[N; T]? = none
    state seen: Tensor[N; i32]

    pub entry forward<S: Dim>(x: Tensor[S, N; T]) -> Tensor[S, N; T] {
        let y[s, n] = sum[r] x[s, n] * table[r, n]
        return y
    }
}
"""


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    done = capfd.readouterr()
    assert "Traceback" not in done.err
    return status, done.out, done.err


def binds(**sizes: object) -> list[str]:
    return [word for name, value in sizes.items() for word in ("--bind", f"{name}={value}")]


def facts(capfd: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    status, out, err = call(capfd, "memory", *arguments, "--json")
    assert status == 0, err
    found = json.loads(out)
    schema = ROOT / "python" / "linnet" / "cli" / "memory.schema.json"
    jsonschema.validate(found, json.loads(schema.read_text("utf-8")))
    return found


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "m.linnet"
    path.write_text(PROGRAM, "utf-8")
    return path


def test_symbols_need_no_sizes(capfd) -> None:
    status, out, err = call(capfd, "memory", GPT2, "--root", "Model", "--estimate")
    assert (status, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "examples.gpt2::Model on cpu"
    assert lines[1] == (
        "weights exact 48 * H * H * Layers + 52 * H * Layers + 4 * H * MaxPositions "
        "+ 4 * H * Vocab + 8 * H"
    )
    assert lines[2] == "states exact 8 * Batch * Heads * Layers * MaxSeq * (H / Heads)"
    missing = lines[lines.index("decode") + 1].removeprefix("not known without ")
    assert set(missing.split(", ")) == {*SIZES, "MaxSeq"}


def test_bytes_are_those_of_the_shapes(capfd) -> None:
    given = ("--root", "Model", "--entry", "decode", "--estimate", *binds(**SIZES, MaxSeq=16))
    found = facts(capfd, GPT2, *given)
    assert found["weights"]["bytes"] == WEIGHTS
    assert found["states"]["bytes"] == 2 * 3 * 2 * 16 * 32 * 4
    (entry,) = found["entries"]
    assert entry["temporaries"]["how"] == "estimated"
    held = found["process"]["bytes"] + WEIGHTS + found["states"]["bytes"]
    first_value = 2 * (2 * 16 * 32 * 4)
    assert entry["peak"]["bytes"] == held + max(entry["temporaries"]["bytes"], first_value)


def test_a_default_an_optional_parameter_and_a_dtype_count(capfd, program: Path) -> None:
    given = ("--estimate", *binds(N=8, T="f16"))
    found = facts(capfd, program, *given)
    assert found["weights"] == {"bytes": 8 * 16 * 2, "how": "exact", "symbols": "2 * N * Rows"}
    assert found["states"]["bytes"] == 8 * 4
    assert found["entries"][0]["missing"] == ["forward.S"]
    found = facts(capfd, program, *given, "--optionals", "present")
    assert found["weights"]["bytes"] == 8 * 16 * 2 + 8 * 2


@pytest.mark.parametrize("target", ["cpu", "xla-cpu"])
def test_a_compiler_decides_on_temporaries(capfd, program: Path, target: str) -> None:
    pytest.importorskip("iree.compiler" if target == "cpu" else "jaxlib")
    found = facts(capfd, program, "--target", target, *binds(N=64, **{"forward.S": 32}))
    (entry,) = found["entries"]
    assert entry["generics"] == {"S": 32}
    assert entry["temporaries"]["how"] == "exact"
    # At least the result and its copy, the input and its copy.
    assert entry["temporaries"]["bytes"] >= 4 * 32 * 64 * 4


def test_an_artifact_tells_its_own(capfd, toy: Path) -> None:
    pytest.importorskip("iree.compiler")
    found = facts(capfd, toy)
    assert {entry["entry"] for entry in found["entries"]} == {"prefill", "decode"}
    assert (found["weights"]["bytes"], found["states"]["bytes"]) == (4, 8)
    assert found["weights"]["symbols"] is None


def test_the_largest_that_fits_is_found(capfd) -> None:
    given = ("--root", "Model", "--entry", "decode", "--estimate", *binds(**SIZES))
    found = facts(capfd, GPT2, *given, "--fit", "300MiB")
    size = found["fit"]["MaxSeq"]
    assert found["entries"][0]["peak"]["bytes"] <= 300 << 20
    more = facts(capfd, GPT2, *given, "--bind", f"MaxSeq={size + 1}")
    # The process is measured again, which differs by less than this.
    assert more["entries"][0]["peak"]["bytes"] > 298 << 20


def test_a_constraint_of_the_program_bounds_what_fits(capfd, program: Path) -> None:
    given = ("--estimate", "--fit", "8GiB", "--over", "Rows", *binds(N=8, **{"forward.S": 4}))
    assert facts(capfd, program, *given)["fit"] == {"Rows": 4096}


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--fit", "much"], 2, "`much` is no size"),
        (["--fit", "8GiB"], 2, "--fit finds one size, and open are `N`, `forward.S`"),
        (["--fit", "8GiB", "--over", "M"], 2, "there is no size `M`"),
        (["--fit", "8GiB", "--over", "T"], 2, "there is no size `T`"),
        (["--fit", "8GiB", "--over", "N"], 2, "`forward.S` must be bound to find `N`"),
        (["--over", "N"], 2, "--over names what --fit is to find"),
        (["--bind", "M=3"], 2, "no generic `M`"),
        (["--bind", "T=f33"], 2, "`f33` is no dtype"),
        (["--entry", "decode"], 2, "no entry `decode`"),
        (["--target", "gpu"], 2, "no target `gpu`"),
        (["--optionals", "extra"], 2, "sizes are told with all optional parameters or with none"),
        (["--bind", "N=3", "--bind", "forward.S=1"], 1, "`N % 2 == 0` does not hold: N = 3"),
    ],
)
def test_a_mistake_is_told_in_a_line(
    capfd, program: Path, arguments: list[str], status: int, said: str
) -> None:
    found = call(capfd, "memory", program, "--estimate", *arguments)
    assert found[0] == status
    assert said in found[2]
    assert found[1] == ""


def test_what_is_bound_cannot_be_found(capfd, program: Path) -> None:
    given = ("--estimate", "--fit", "1GiB", "--over", "N", *binds(N=2, **{"forward.S": 1}))
    status, _, err = call(capfd, "memory", program, *given)
    assert status == 2
    assert "`N` is bound" in err


def test_nothing_fits_into_too_little(capfd, program: Path) -> None:
    given = ("--estimate", "--fit", "1MiB", "--over", "forward.S", *binds(N=2))
    status, _, err = call(capfd, "memory", program, *given)
    assert status == 1
    assert "nothing fits: forward.S = 1 takes" in err


def test_an_artifact_has_no_sizes_to_try(capfd, toy: Path) -> None:
    status, _, err = call(capfd, "memory", toy, "--fit", "1GiB")
    assert status == 2
    assert "an artifact's sizes are settled" in err


@pytest.mark.parametrize(
    ("text", "size"),
    [("8GiB", 8 << 30), ("1.5 MiB", 3 << 19), ("2GB", 2 * 10**9), ("512", 512), ("4g", 4 << 30)],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "GiB", "-1GiB", "8 boxes", "1e9"])
def test_other_texts_are_no_sizes(text: str) -> None:
    with pytest.raises(UsageError):
        read_size(text)
