"""`linnet inspect --graph`: an entry as text and as JSON."""

import json
from pathlib import Path

import jsonschema
from click.testing import CliRunner

from linnet.cli._inspect import command
from linnet.graph import schema

MOE = Path(__file__).resolve().parents[3] / "examples" / "moe" / "moe.linnet"


def test_an_entry_is_printed_with_the_type_of_every_value() -> None:
    done = CliRunner().invoke(command, [str(MOE), "--graph", "--entry", "route"])
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == "Model.route: Model.route(tokens: Tensor[R, H; T]) -> Tensor[R, K; i64]"
    assert "  %1: Tensor[R, E; T] = call router(x = tokens) →Linear.forward" in lines


def test_the_json_of_a_graph_fits_its_schema() -> None:
    done = CliRunner().invoke(command, [str(MOE), "--graph", "--json"])
    assert done.exit_code == 0
    told = json.loads(done.output)
    jsonschema.validate(told, schema())
    assert (told["root"], told["entry"]) == ("examples.moe::Model", "forward")
    assert told["generics"] == {
        "E": "Dim", "K": "Dim", "H": "Dim", "Inner": "Dim", "T": "Float", "B": "Dim", "S": "Dim",
    }  # fmt: skip


def test_a_graph_is_of_one_entry() -> None:
    asked = [str(MOE), "--graph", "--entry", "route", "--entry", "forward"]
    done = CliRunner().invoke(command, asked)
    assert done.exit_code == 2
    assert "a graph shows one entry: give one --entry" in done.output


def test_a_claim_that_is_not_proven_is_told_below_the_graph(tmp_path: Path) -> None:
    file = tmp_path / "m.linnet"
    file.write_text(
        "module m\nentry half<N: Dim>(x: Tensor[N; f32]) -> Tensor[2, N / 2; f32] {\n"
        "    return reshape(x, [2, N / 2])\n}\n"
    )
    done = CliRunner().invoke(command, [str(file), "--graph"], standalone_mode=False)
    assert done.return_value == 1
    assert "half: half(x: Tensor[N; f32])" in done.output
    assert "N % 2 == 0" in done.output
