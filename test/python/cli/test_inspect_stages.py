"""`linnet inspect --tokens` and the others: a program at each stage."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from linnet.cli._main import run

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """\
module m

// λ
pub block B<H: Dim> {
    param w: Tensor[H; f32]

    pub entry f<N: Dim>(x: Tensor[N, H; f32]) -> Tensor[N; f32] {
        let twice = 2 * H
        let y[i] = sum[j] x[i, j] * w[j]
        return y * cast<f32>(twice)
    }
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "m.linnet"
    path.write_text(PROGRAM, "utf-8")
    return str(path)


def schema(name: str) -> dict[str, object]:
    path = ROOT / "python" / "linnet" / "cli" / f"{name}.schema.json"
    return json.loads(path.read_text("utf-8"))


def test_tokens_have_their_span_kind_and_text(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["inspect", "--tokens", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "1:1-1:7        KEYWORD  module",
        "1:8-1:9        IDENT    m",
        "4:1-4:4        KEYWORD  pub",
        "4:5-4:10       KEYWORD  block",
    ]
    assert run(["inspect", "--tokens", "--json", file]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, schema("tokens"))
    assert len(found["tokens"]) == len(lines)
    data = Path(file).read_bytes()
    for token in found["tokens"]:
        start, end = token["start"]["offset"], token["end"]["offset"]
        assert data[start:end].decode() == token["text"]


def test_the_tree_has_a_line_for_each_node(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", "--ast", file]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Module 1:1-13:1\n  path: Path 1:8-1:9\n")
    assert re.search(r'value: Binary op="\*" 8:21-8:26\n +left: IntLiteral value=2 8:21-8:22', out)
    assert not re.search(r" $", out, re.MULTILINE)
    assert run(["inspect", "--ast", "--json", file]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, schema("tree"))
    assert found["tree"]["items"][0]["name"]["text"] == "B"


def test_types_stand_below_the_line_that_has_the_names(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["inspect", "--types", file]) == 0
    lines = [re.sub(r" +", " ", line) for line in capsys.readouterr().out.splitlines()]
    for wanted in (
        " 7 | pub entry f<N: Dim>(x: Tensor[N, H; f32]) -> Tensor[N; f32] {",
        " | x Tensor[N, H; f32]",
        " | twice i64 = 2 * H",
        " | y Tensor[N; f32]",
        " | x[i, j] * w[j] f32",
        " | y * cast<f32>(twice) Tensor[N; f32]",
    ):
        assert wanted in lines
    assert run(["inspect", "--types", "--json", file]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, schema("types"))
    (function,) = found["functions"]
    assert function["name"] == "B.f"
    assert {"name", "expression"} == {fact["kind"] for fact in function["types"]}


def test_types_are_shown_of_what_is_not_proven_and_that_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.linnet"
    path.write_text(
        "module m pub fn split<H: Dim>(x: Tensor[H; f32]) -> Tensor[2, H / 2; f32] "
        "{ return reshape(x, [2, H / 2]) }"
    )
    assert run(["inspect", "--types", str(path)]) == 1
    out, err = capsys.readouterr()
    assert "reshape(x, [2, H / 2])  Tensor[2, H / 2; f32]" in out
    assert "error[E2203]" in err


@pytest.mark.parametrize(
    ("view", "stage"), [("generic", "verify"), ("bound", "bind"), ("core", "lower")]
)
def test_a_stage_is_what_stop_after_prints(
    view: str, stage: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jaxlib", reason="`linnet stablehlo` needs it")
    sizes = ["--root", "B", "--entry", "f", "--bind", "H=2", "--bind", "N=3"]
    assert run(["inspect", f"--{view}", *sizes, file]) == 0
    shown = capsys.readouterr().out
    assert run(["stablehlo", "--stop-after", stage, *sizes, file]) == 0
    assert capsys.readouterr().out == shown
    assert "linnet.func entry" in shown


@pytest.mark.parametrize("view", ["tokens", "ast", "types", "generic", "bound", "core"])
def test_a_broken_program_is_told_with_status_1(
    view: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(["inspect", f"--{view}", str(ROOT / "test" / "errors" / "E1101" / "input.linnet")]) == 1
    )
    out, err = capsys.readouterr()
    assert "error[E1101]" in err
    assert bool(out) == (view == "tokens")  # Which a broken program has.


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ast", "--types"], "--ast and --types exclude each other"),
        (["--core", "--json"], "--core prints the text of the dialect, not JSON"),
        (["--types", "--bind", "H=2"], "--bind needs --bound or --core"),
        (["--types", "--entry", "f"], "--entry needs --graph, --html, --bound or --core"),
        (
            ["--tokens", "--root", "B"],
            "--root needs --parameters, --graph, --html, --bound or --core",
        ),
    ],
)
def test_options_that_say_nothing_are_refused(
    options: list[str], said: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["inspect", *options, file]) == 2
    assert f"error: {said}\n" in capsys.readouterr().err


@pytest.mark.parametrize("stage", ["syntax", "checker", "emit", "verify"])
def test_a_stage_of_a_broken_program_is_its_diagnostics(
    stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = str(ROOT / "test" / "errors" / "E1101" / "input.linnet")
    assert run(["check", "--stop-after", stage, broken]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "error[E1101]" in err
