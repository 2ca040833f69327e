"""`linnet inspect`: the listing of blocks."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from linnet.cli._inspect import command

SEED = Path(__file__).resolve().parents[3].parent / "shared" / "seed" / "gpt2"


def schema(name: str) -> str:
    folder = Path(__file__).resolve().parents[3] / "python" / "linnet" / "cli"
    return (folder / f"{name}.schema.json").read_text("utf-8")


@pytest.mark.skipif(not SEED.exists(), reason="the seed program is not at hand")
def test_the_blocks_of_gpt2_are_listed_to_the_character() -> None:
    page = (SEED / "signatures.txt").read_text("utf-8")
    blocks = page.partition("\nBlocks\n")[2]
    listed = re.findall(r"(?m)^\S+::.*(?:\n  .*)*", blocks)
    assert len(listed) == 9
    done = CliRunner().invoke(command, [str(SEED / "gpt2.linnet")])
    assert done.output == "\n\n".join(listed) + "\n"


def test_initial_values_constants_and_where_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "m.linnet"
    file.write_text(
        "module m block B<N: Dim> where N > 0 { const K = 2 param p: Tensor[N; f32]? = none "
        "fn f(x: f32 = 1.0) -> f32 { return x } }"
    )
    done = CliRunner().invoke(command, [str(file)])
    assert done.output == (
        "m::B<N: Dim>\n  param p: Tensor[N; f32]?\n  fn f(x: f32 = 1.0) -> f32\n"
    )
    listed = json.loads(CliRunner().invoke(command, ["--json", str(file)]).output)
    jsonschema.validate(listed, json.loads(schema("blocks")))
    assert listed["blocks"] == [
        {
            "name": "m::B",
            "public": False,
            "signature": "m::B<N: Dim>",
            "where": ["N > 0"],
            "declares": [
                {"kind": "param", "text": "param p: Tensor[N; f32]?"},
                {"kind": "fn", "text": "fn f(x: f32 = 1.0) -> f32"},
            ],
        }
    ]
