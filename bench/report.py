"""What a run of `gpt2.py` found, as tables, as a plot, as a page of the documentation."""

import html
import statistics
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

# Bytes that a token reads of each weight, by what the weights are stored as: the limit of decoding.
WIDTHS = {"f32": 4, "bf16": 2, "int8": 1, "int4": 18 / 32}
TITLES = {
    "f32": "f32",
    "bf16": "bf16 and f16 storage",
    "int8": "8-bit weights",
    "int4": "4-bit weights",
}
# Multiply-adds of a token through all the matrices; the head is run once a prompt.
MACS = 12 * (768 * 2304 + 768 * 768 + 2 * 768 * 3072)
_HEAD = (
    "| system | decode tok/s | ratio | TTFT ms | ratio | cold start s | load s | peak MiB | "
    "compile s | compiler MiB |"
)

_INTRODUCTION = """\
<!-- Written by bench/gpt2.py --page; measure again instead of editing. -->
# Benchmarks

GPT-2 124M, seeded random weights, batch 1, greedy, on {cores} cores of {processor} ({memory}),
{system}. {packages}.

Read bandwidth {bandwidth:.1f} GB/s, f32 matrix product {arithmetic:.0f} GFLOP/s, both measured in
the same run.

Medians (least–most) of {rounds} rounds; each round asks every system once, and those that wait are
stopped. A ratio compares with the first row of its table: above 1 is faster. All systems compute
the same model; in f32 all give the same 129 tokens, unless a line below the tables says otherwise.

- Decode: 128 tokens after a prompt of 512. TTFT: that prompt to its first token.
- Cold start: a whole new process, files in the page cache, to the first token of a prompt of 16.
- Load: in that process, from the end of the imports to a model that can be called.
- Peak: the most that was resident at once in the process that decodes. Compiler: in the one that
  compiles, ahead of time; other systems compile nothing, or while they load.

![decoding rates](benchmarks.svg)

"""

_COMMANDS = """
## Run it

```sh
python bench/gpt2.py MODEL_DIR          # Linnet alone; writes random weights where there are none
BENCH_VENVS="jax=venv-jax/bin/python,torch=venv-torch/bin/python" \\
    python bench/gpt2.py MODEL_DIR --peers FOLDER --page benchmarks.md --svg benchmarks.svg
linnet bench model.lna --weights model.safetensors        # a model of your own
```
"""


def families(found: Json) -> Iterator[tuple[str, list[Json]]]:
    """The rows that are compared with each other, ours first."""
    for family in WIDTHS:
        rows = [row for row in found["rows"] if row["family"] == family]
        if rows:
            yield family, rows


def table(found: Json, read: int) -> str:
    """All tables, each with the limits of the machine above it."""
    lines = [f"{name}: {value}" for name, value in found["machine"].items()]
    limits = found["limits"]
    lines += [
        f"read bandwidth: {limits['read_gb_s']:.1f} GB/s, one thread "
        f"{limits['read_one_thread_gb_s']:.1f} GB/s",
        f"f32 matrix product: {limits['matmul_f32_gflop_s']:.0f} GFLOP/s",
    ]
    return "\n".join([*lines, "", *_tables(found, read)])


def _tables(found: Json, read: int) -> Iterator[str]:
    for family, rows in families(found):
        yield f"### {TITLES[family]}"
        yield ""
        yield _limit(found, family, read)
        yield ""
        yield _HEAD
        yield "|" + "---|" * (_HEAD.count("|") - 1)
        for row in rows:
            yield _line(row, rows[0])
        yield ""


def _limit(found: Json, family: str, read: int) -> str:
    """What the machine allows: decoding by its bandwidth, a prompt, in f32, by its arithmetic."""
    rate = found["limits"]["read_gb_s"] * 1e9 / (read * WIDTHS[family])
    text = f"Limit by bandwidth: {rate:.0f} tok/s."
    if family == "f32":
        seconds = 2 * MACS * 512 / (found["limits"]["matmul_f32_gflop_s"] * 1e9)
        text += f" Limit by arithmetic, attention not counted: {seconds * 1e3:.0f} ms."
    return text


def name_of(row: Json) -> str:
    """A row's name for a reader."""
    return f"{row.get('peer', row['spec'])} {row['dtype']}"


def median(row: Json, measure: str) -> float | None:
    """The median of the samples of a measure."""
    samples = row["samples"].get(measure)
    return statistics.median(samples) if samples else None


def _line(row: Json, first: Json) -> str:
    if "problem" in row:
        return f"| {name_of(row)} | failed: {row['problem']} " + "| " * (_HEAD.count("|") - 3) + "|"
    cells = [
        name_of(row),
        _cell(row, "decode_tok_s", 1),
        _ratio(row, first, "decode_tok_s", False),
        _cell(row, "ttft_ms", 0),
        _ratio(row, first, "ttft_ms", True),
        _cell(row, "cold_s", 2),
        _cell(row, "load_s", 2),
        _number(row.get("peak_rss_mib"), 0),
        _number(row.get("compile_s"), 1),
        _number(row.get("compile_peak_mib"), 0),
    ]
    return f"| {' | '.join(cells)} |"


def _cell(row: Json, measure: str, digits: int) -> str:
    samples = row["samples"].get(measure)
    if not samples:
        return "–"
    middle = statistics.median(samples)
    return f"{middle:.{digits}f} ({min(samples):.{digits}f}–{max(samples):.{digits}f})"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _ratio(row: Json, first: Json, measure: str, is_time: bool) -> str:
    """How much faster a row is than the first: above 1 is faster, whatever the measure."""
    own, other = median(row, measure), median(first, measure)
    if own is None or other is None:
        return "–"
    return f"{(other / own if is_time else own / other):.2f}"


def page(found: Json, read: int) -> str:
    """The tables with the words that the documentation puts around them."""
    facts, limits = found["machine"], found["limits"]
    packages = ", ".join(
        f"{n} {v}" for n, v in facts.items() if n.startswith(("jax", "iree", "num"))
    )
    notes = [
        f"- {name_of(row)}: {row['notes']}" for row in found["rows"] if row.get("notes", "").strip()
    ]
    rounds = max((len(row["samples"].get("decode_tok_s", ())) for row in found["rows"]), default=0)
    lines = [
        *_INTRODUCTION.format(
            **facts,
            packages=packages,
            rounds=rounds,
            bandwidth=limits["read_gb_s"],
            arithmetic=limits["matmul_f32_gflop_s"],
        ).splitlines(),
        *_tables(found, read),
        *_disagreements(found),
        "## What ran",
        "",
        *notes,
        *_COMMANDS.splitlines(),
    ]
    return "\n".join([*lines, ""])


def _disagreements(found: Json) -> Iterator[str]:
    """The f32 rows that gave other tokens than the first one."""
    rows = [row for row in found["rows"] if row["family"] == "f32" and row.get("tokens")]
    for row in rows[1:]:
        pairs = zip(row["tokens"], rows[0]["tokens"], strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
        if same is not None:
            yield f"{name_of(row)} agrees with the first row on {same} tokens only."
            yield ""


def svg(found: Json, read: int) -> str:
    """Decoding rates as bars, each family with a line at what the bandwidth allows."""
    bar, gap, left, width = 18, 6, 190, 460
    parts: list[str] = []
    y = 10
    for family, rows in families(found):
        limit = found["limits"]["read_gb_s"] * 1e9 / (read * WIDTHS[family])
        scale = width / max([limit, *(median(row, "decode_tok_s") or 0 for row in rows)])
        parts.append(_text(0, y + 13, f"{TITLES[family]}, tokens per second", "bold"))
        y += 22
        top = y
        for row in rows:
            rate = median(row, "decode_tok_s") or 0
            colour = "#2a6f97" if name_of(row).startswith("linnet") else "#a9b4c2"
            parts.append(_text(0, y + 13, name_of(row)))
            parts.append(
                f'<rect x="{left}" y="{y}" width="{rate * scale:.1f}" height="{bar}" '
                f'fill="{colour}"/>'
            )
            parts.append(_text(left + rate * scale + 5, y + 13, f"{rate:.1f}" if rate else "–"))
            y += bar + gap
        x = left + limit * scale
        parts.append(
            f'<line x1="{x:.1f}" y1="{top - 3}" x2="{x:.1f}" y2="{y}" stroke="#c1121f" '
            'stroke-dasharray="4 3"/>'
        )
        parts.append(_text(x - 4, top - 6, f"bandwidth {limit:.0f}", anchor="end"))
        y += 14
    size = f'width="{left + width + 60}" height="{y}"'
    style = 'font-family="sans-serif" font-size="12"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>',
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _text(x: float, y: float, text: str, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-weight="{weight}" text-anchor="{anchor}">'
        f"{html.escape(text)}</text>"
    )
