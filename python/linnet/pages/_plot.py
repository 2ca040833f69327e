"""The measured methods of a model as a table and as bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from linnet.pages._bench import Bench, Method
from linnet.pages._markup import Markup, Part, tag, text


@dataclass(frozen=True, slots=True)
class _Measure:
    key: str
    short: str
    long: str
    is_rate: bool
    digits: int


# What one request takes, and what many at a time do: each group has a table of its own.
_ALONE: Final = (
    _Measure("decode_tok_s", "tokens/s", "Decode, tokens per second", True, 1),
    _Measure("ttft_ms", "first token, ms", "Time to the first token, ms", False, 2),
    _Measure("latency_ms", "latency, ms", "Latency, ms", False, 2),
)
_SERVED: Final = (
    _Measure("serve_tok_s", "tokens/s", "Many requests at a time, tokens per second", True, 0),
    _Measure("serve_ttft_ms", "first token, ms", "First token among many requests, ms", False, 1),
    _Measure("serve_s", "all requests, s", "All requests, s", False, 2),
)
_ALWAYS: Final = (
    _Measure("load_s", "load, s", "Time to load, s", False, 2),
    _Measure("peak_vram_mib", "memory, MiB", "Peak memory, MiB", False, 0),
    _Measure("peak_rss_mib", "memory, MiB", "Peak memory, MiB", False, 0),
)
_PLOTTED: Final = ("decode_tok_s", "ttft_ms", "latency_ms", "serve_tok_s")
_ROW: Final = 44


def bench_section(bench: Bench) -> Part:
    """The bars and tables, and where it was measured."""
    served = [one for one in bench.methods if any(each.key in one.metrics for each in _SERVED)]
    alone = [one for one in bench.methods if one not in served]
    parts: list[Part] = [_where(bench)]
    for title, methods, group in (
        ("One request", alone, _ALONE),
        ("Many requests", served, _SERVED),
    ):
        if methods:
            parts += [tag("h3", title) if alone and served else "", *_group(methods, group)]
    return parts


def _group(methods: Sequence[Method], group: Sequence[_Measure]) -> list[Part]:
    asked = (*group, *_ALWAYS)
    shown = [one for one in asked if any(one.key in each.metrics for each in methods)]
    plots = [_plot(methods, one) for one in shown if one.key in _PLOTTED]
    return [
        tag("div", *plots, class_="plots"),
        tag("div", _table(methods, shown), class_="wide"),
    ]


def _where(bench: Bench) -> Markup:
    facts = {"measured": bench.date[:10], **bench.environment, **bench.workload}
    pairs = [tag("div", tag("dt", key.replace("_", " ")), tag("dd", value))
             for key, value in facts.items() if value]  # fmt: skip
    return tag("dl", *pairs, class_="facts")


def _number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def _reference(methods: Sequence[Method], key: str) -> Method | None:
    """What ratios are to: the first reference that was measured."""
    measured = (one for one in methods if one.kind == "reference" and one.metrics.get(key))
    return next(measured, None)


def _plot(methods: Sequence[Method], measure: _Measure) -> Markup:
    """Bars in percent of the width, so that the text stays as large on any screen."""
    measured = [one for one in methods if one.metrics.get(measure.key)]
    measured.sort(key=lambda one: one.metrics[measure.key], reverse=measure.is_rate)
    most = max((one.metrics[measure.key] for one in measured), default=1.0)
    rows: list[Markup] = []
    for at, method in enumerate(measured):
        value = method.metrics[measure.key]
        top = at * _ROW
        kind = "own" if method.kind == "linnet" else "other"
        rows += [
            tag("text", method.name, x="0", y=str(top + 14), class_="what"),
            tag("text", _number(value, measure.digits), x="100%", y=str(top + 14), class_="value"),
            tag("rect", x="0", y=str(top + 21), width="100%", height="10", rx="3", class_="rail"),
            tag(
                "rect", x="0", y=str(top + 21), height="10", rx="3", class_=f"bar {kind}",
                width=f"{max(0.4, 100 * value / most):.2f}%",
            ),
        ]  # fmt: skip
    better = "more is better" if measure.is_rate else "less is better"
    picture = tag(
        "svg", *rows, width="100%", height=str(_ROW * len(measured)), class_="plot", role="img",
        aria_label=f"{measure.long}: {len(measured)} methods; the table below has the numbers",
    )  # fmt: skip
    caption = tag("figcaption", measure.long, " ", tag("small", better))
    return tag("figure", caption, picture, class_="bars")


def _table(methods: Sequence[Method], measures: Sequence[_Measure]) -> Markup:
    references = {one.key: _reference(methods, one.key) for one in measures}
    head: list[Part] = [tag("th", "Method", scope="col")]
    for one in measures:
        head.append(tag("th", one.short, scope="col", class_="number"))
        if one.key in _PLOTTED and references[one.key] is not None:
            head.append(tag("th", "ratio", scope="col", class_="number"))
    differ = any(one.max_abs_diff is not None for one in methods)
    if differ:
        head.append(tag("th", "largest difference", scope="col", class_="number"))
    rows: list[Markup] = []
    for method in methods:
        notes = method.error or method.notes
        kind = "error" if method.error else "why"
        name = [method.name, tag("small", notes, class_=kind)] if notes else [method.name]
        cells: list[Part] = [tag("th", *name, scope="row")]
        for one in measures:
            value = method.metrics.get(one.key)
            cells.append(_cell("" if value is None else _number(value, one.digits)))
            reference = references[one.key]
            if one.key in _PLOTTED and reference is not None:
                cells.append(_cell(_ratio(value, reference.metrics[one.key], one.is_rate)))
        apart = method.max_abs_diff
        if differ:
            cells.append(_cell("" if apart is None else f"{apart:.3g}"))
        rows.append(tag("tr", *cells, class_="own" if method.kind == "linnet" else None))
    first = next((one for one in references.values() if one is not None), None)
    told = f"Ratios above 1 are better than {first.name}." if first else ""
    caption = tag("caption", told) if told else text("")
    return tag(
        "table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="bench"
    )


def _cell(value: str) -> Markup:
    return tag("td", value, class_="number")


def _ratio(value: float | None, reference: float, is_rate: bool) -> str:
    if not value or not reference:
        return ""
    return f"{value / reference if is_rate else reference / value:.2f}×"
