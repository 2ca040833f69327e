"""`bench.json` and `samples.json`: what is read, and what is told of a wrong form."""

import json
from pathlib import Path

import pytest

from linnet.errors import ArgumentError
from linnet.pages import Bench, Method, read_bench, read_samples
from linnet.pages._markup import text
from linnet.pages._plot import bench_section

SEED = Path(__file__).resolve().parents[3].parent / "shared" / "seed" / "gpt2"


def method(name: str, kind: str, **metrics: float) -> dict[str, object]:
    return {"method": name, "kind": kind, "metrics": metrics, "max_abs_diff": 0.5}


BENCH = {
    "date": "2026-11-30T00:00:00+00:00",
    "environment": {"gpu": "none"},
    "methods": [
        method("theirs", "reference", decode_tok_s=100.0, ttft_ms=8.0),
        method("ours <b>", "linnet", decode_tok_s=250.0, ttft_ms=2.0),
        method("many", "linnet", serve_tok_s=1000.0),
    ],
}


@pytest.mark.skipif(not SEED.exists(), reason="the seed is not at hand")
def test_the_benchmark_and_the_samples_of_the_seed_are_read() -> None:
    bench = read_bench(json.loads((SEED / "bench.json").read_text("utf-8")))
    assert len(bench.methods) == 34
    assert bench.methods[0].kind == "reference"
    samples = read_samples(json.loads((SEED / "samples.json").read_text("utf-8")))
    assert (samples[0].tokens, samples[0].agreeing) == (96, 96)


def test_ratios_say_how_much_better_a_method_is_than_the_reference() -> None:
    shown = str(text(bench_section(read_bench(BENCH))))
    assert '<td class="number">2.50×</td>' in shown
    assert '<td class="number">4.00×</td>' in shown
    assert "Ratios above 1 are better than theirs." in shown
    assert "ours &lt;b&gt;" in shown
    assert "<b>" not in shown


def test_bars_are_as_long_as_their_numbers() -> None:
    shown = str(text(bench_section(read_bench(BENCH))))
    assert 'width="100.00%"' in shown
    assert 'width="40.00%"' in shown  # 100 of 250 tokens per second
    assert 'width="25.00%"' in shown  # 2 of 8 ms


def test_many_requests_have_a_table_of_their_own() -> None:
    shown = str(text(bench_section(read_bench(BENCH))))
    one, many = shown.split("Many requests</h3>")
    assert "1,000" in many
    assert "1,000" not in one


def test_a_method_that_failed_says_why() -> None:
    bench = Bench("", {}, {}, (Method("x", "linnet", {}, None, "", "out of <memory>"),))
    assert '<small class="error">out of &lt;memory&gt;</small>' in text(bench_section(bench))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([], "bench.json is no object"),
        ({"methods": {}}, "bench.json: methods is no list"),
        ({"methods": [1]}, "bench.json: methods[0] is no object"),
        ({"methods": [{"method": 1}]}, "bench.json: methods[0]: method is no text"),
        (
            {"methods": [{"metrics": {"ttft_ms": "fast"}}]},
            "bench.json: methods[0]: metrics: ttft_ms is no number",
        ),
        (
            {"methods": [{"metrics": {"ttft_ms": float("nan")}}]},
            "bench.json: methods[0]: metrics: ttft_ms is no number of a usual size",
        ),
        ({"methods": [{"metrics": {"a": float("inf")}}]}, "a is no number of a usual size"),
        ({"methods": [{"metrics": {"a": -1}}]}, "a is no number of a usual size"),
        ({"methods": [{"metrics": {"a": 10**400}}]}, "a is no number of a usual size"),
        ({"methods": [{"metrics": {"a": True}}]}, "a is no number"),
        ({"date": 5}, "bench.json: date is no text"),
    ],
)
def test_a_wrong_benchmark_is_told_by_its_place(value: object, told: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        read_bench(value)
    assert told in raised.value.message
    assert "\n" not in raised.value.message


@pytest.mark.parametrize("value", [1, "x", [1], {"prompt": 1}, {"tokens": "many"}])
def test_wrong_samples_are_told_by_their_place(value: object) -> None:
    with pytest.raises(ArgumentError, match=r"samples\.json"):
        read_samples(value)


def test_one_sample_or_a_list_of_them() -> None:
    one = {"prompt": "a", "output": "b", "tokens": 2, "agreeing_prefix": 1}
    assert read_samples(one) == read_samples([one])
    assert len(read_samples([one] * 50)) == 20
