"""What `bench/` measures is what it says, and its tables say what was measured."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.checker import check
from linnet.emit import diagnose
from linnet.syntax import load_program

BENCH = Path(__file__).resolve().parents[2] / "bench"


def many_blocks(blocks: int) -> str:
    program: str = runpy.run_path(str(BENCH / "many_blocks.py"))["program"](blocks)
    return program


def test_the_generated_program_is_accepted_and_as_long_as_promised(tmp_path: Path):
    path = tmp_path / "many_blocks.linnet"
    path.write_text(many_blocks(500), "utf-8")
    assert 10_000 <= len(path.read_text("utf-8").splitlines()) <= 12_000
    assert diagnose(check(load_program(path))) == ()


def test_one_wrong_fact_among_its_blocks_is_found(tmp_path: Path):
    text = many_blocks(40)
    fact = "H % (5 * Heads) == 0\n"
    assert fact in text
    path = tmp_path / "many_blocks.linnet"
    path.write_text(text.replace(fact, "H % (3 * Heads) == 0\n", 1), "utf-8")
    found = diagnose(check(load_program(path)))
    assert {one.code for one in found} == {"E2203"}


PEER = """\
import os
import time

from common import MAX_POS, NEW, PROMPT, main


class Peer:
    def __init__(self, model_dir, dtype, threads):
        print("noise of a library")
        if dtype == "bad":
            raise RuntimeError("no such dtype")
        self.notes = f"{PROMPT} of {MAX_POS}, {os.environ.get('PEER_VARIANT', '')}"

    def prefill(self, ids):
        self.last = sum(ids) % 97
        return self.last

    def decode(self, token, n):
        return [(token + step + 1) % 97 for step in range(n)]


main("counter", Peer)
"""


def bench(name: str, attribute: str) -> Any:
    sys.path.insert(0, str(BENCH))
    try:
        return runpy.run_path(str(BENCH / f"{name}.py"))[attribute]
    finally:
        sys.path.remove(str(BENCH))


def test_a_peer_is_measured_by_the_harness_and_not_by_itself(tmp_path: Path) -> None:
    script = tmp_path / "peer_counter.py"
    script.write_text(PEER, "utf-8")
    command = [sys.executable, str(BENCH / "worker.py"), str(script), str(tmp_path)]
    done = subprocess.run(
        [*command, "--prompt", "16", "--variant", "fast", "--worker"],
        input="ttft\ndecode\nrss\nnonsense\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    ready, ttft, decoded, rss, wrong = map(json.loads, done.stdout.splitlines())
    assert (ready["peer"], ready["notes"]) == ("counter:fast", "16 of 768, fast")
    assert ttft["first_token"] == ready["first_token"]
    tokens = decoded["tokens"]
    assert len(tokens) == 129
    assert tokens[:3] == [ready["first_token"], *((tokens[0] + step) % 97 for step in (1, 2))]
    assert rss["peak_rss_mib"] > 1
    assert "error" in wrong


def test_a_row_without_its_environment_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "peer_counter.py").write_text(PEER, "utf-8")
    rows = bench("rows", "rows_of")
    specs = ["peer_counter.py/f32@here", "peer_counter.py/bad@here", "peer_counter.py/f32@gone"]
    specs.insert(0, "peer_counter.py/int8@here")
    found, missing = rows(specs, tmp_path, {"here": sys.executable})
    assert [row.spec for row in found] == [specs[1], specs[0]]
    assert missing == specs[2:]


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("onnx", {"backend": "onnx", "numerics": "equivalent"}),
        ("jax,exact", {"backend": "jax", "numerics": "exact"}),
        (
            "torch,inductor",
            {"backend": "torch", "numerics": "equivalent", "compile": "inductor"},
        ),
    ],
)
def test_a_variant_names_a_backend_and_how_it_is_asked(
    variant: str, options: dict[str, Any]
) -> None:
    assert bench("nest_peer", "options_of")(variant) == options


def samples(**of: list[float]) -> dict[str, list[float]]:
    return of


def result(spec: str, peer: str, decode: list[float], ttft: list[float]) -> dict[str, Any]:
    return {
        "spec": spec,
        "dtype": "f32",
        "family": "f32",
        "peer": peer,
        "notes": "",
        "samples": samples(decode_tok_s=decode, ttft_ms=ttft, cold_s=[0.5], load_s=[0.25]),
        "tokens": [1, 2, 3] if peer != "odd" else [1, 9, 3],
        "peak_rss_mib": 600.0,
    }


FOUND: dict[str, Any] = {
    "machine": {"processor": "P", "cores": "2", "memory": "4 GiB", "system": "S"},
    "limits": {"read_gb_s": 30.0, "read_one_thread_gb_s": 20.0, "matmul_f32_gflop_s": 200.0},
    "rows": [
        result("linnet_peer.py/f32", "linnet", [50.0, 40.0, 60.0], [500.0]),
        result("peer_odd.py/f32", "odd", [25.0], [1000.0]),
        {**result("peer_dead.py/f32", "dead", [], []), "problem": "exit status 1: <gone>"},
    ],
}


def test_a_table_has_ratios_to_its_first_row_and_the_limits_of_the_machine() -> None:
    text = bench("report", "table")(FOUND, 125_000_000)
    assert "Limit by bandwidth: 60 tok/s." in text
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    linnet, odd, dead = cells[1:]
    assert linnet[:5] == ["linnet f32", "50.0 (40.0–60.0)", "1.00", "500 (500–500)", "1.00"]
    assert (odd[2], odd[4]) == ("0.50", "0.50")
    assert dead[0] == "dead f32"
    assert "failed: exit status 1" in dead[1]


def test_the_page_names_who_gives_other_tokens_and_the_plot_is_sound() -> None:
    import xml.etree.ElementTree as Xml

    text = bench("report", "page")(FOUND, 125_000_000)
    assert "odd f32 agrees with the first row on 1 tokens only." in text
    drawn = Xml.fromstring(bench("report", "svg")(FOUND, 125_000_000))
    bars = [each for each in drawn.iter() if each.tag.endswith("rect")]
    assert len(bars) == 1 + 3


def test_peers_are_given_by_name() -> None:
    read = bench("rows", "environments_of")
    assert read("a=x/python, b=/y") == {"a": os.path.abspath("x/python"), "b": "/y"}
