"""`linnet inspect --parameters`: the manifest of a root block (spec section 11)."""

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from linnet.cli._inspect import command
from linnet.errors import UsageError

MODEL = """module m
block Gain<N: Dim, T: Float> {
    param weight: Tensor[N; T]
    param bias: Tensor[2 * N; T]? = none
}
block Pair<N: Dim> {
    sub left: Gain<N, f32>
    sub right: Gain<3 * N, bf16>? = none
    state seen: Tensor[N; i32]
}
pub block Model<H: Dim, L: Dim> {
    sub layers: [Pair<H / 2>; L]
    buffer table: Tensor[L, H; f32]
    pub entry run(x: f32) -> f32 { return x }
}
"""


def inspect(tmp_path: Path, text: str, *options: str) -> str:
    file = tmp_path / "m.linnet"
    file.write_text(text)
    done = CliRunner().invoke(command, ["--parameters", *options, str(file)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def test_paths_come_in_order_in_the_generics_of_the_root(tmp_path: Path) -> None:
    assert inspect(tmp_path, MODEL) == (
        "m::Model<H: Dim, L: Dim>\n"
        "  param layers.{i}.left.weight: Tensor[H / 2; f32] for i in 0..L\n"
        "  param layers.{i}.left.bias: Tensor[2 * (H / 2); f32]? for i in 0..L\n"
        "  param layers.{i}.right.weight: Tensor[3 * (H / 2); bf16]? for i in 0..L\n"
        "  param layers.{i}.right.bias: Tensor[6 * (H / 2); bf16]? for i in 0..L\n"
        "  state layers.{i}.seen: Tensor[H / 2; i32] for i in 0..L\n"
        "  buffer table: Tensor[L, H; f32]\n"
    )


def test_json_gives_the_same_as_data(tmp_path: Path) -> None:
    found = json.loads(inspect(tmp_path, MODEL, "--json"))
    folder = Path(__file__).resolve().parents[3] / "python" / "linnet" / "cli"
    schema = json.loads((folder / "parameters.schema.json").read_text("utf-8"))
    jsonschema.validate(found, schema)
    assert found["root"] == "m::Model"
    assert found["parameters"][1] == {
        "path": "layers.{i}.left.bias",
        "kind": "param",
        "shape": ["2 * (H / 2)"],
        "dtype": "f32",
        "optional": True,
        "positions": {"i": "L"},
    }


def test_another_root_is_named(tmp_path: Path) -> None:
    assert inspect(tmp_path, MODEL, "--root", "Gain") == (
        "m::Gain<N: Dim, T: Float>\n  param weight: Tensor[N; T]\n  param bias: Tensor[2 * N; T]?\n"
    )


def test_a_root_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no block `Nope`"):
        inspect(tmp_path, MODEL, "--root", "Nope")
    with pytest.raises(UsageError, match="no block of the program has an entry"):
        inspect(tmp_path, "module m block B { param p: Tensor[4; f32] }")
    blocks = "".join(f" block {name} {{ entry f() {{ }} }}" for name in "AB")
    with pytest.raises(UsageError, match="several blocks have entries: `A`, `B`"):
        inspect(tmp_path, f"module m{blocks}")
