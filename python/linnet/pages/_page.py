"""The page as HTML. One file: styles, scripts and graphs are inside, and nothing is fetched.

The policy in its head lets only the scripts and styles of this package run, by their hashes, so
that text of a stranger stays text even if it were not escaped.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from linnet.checker import TypedProgram
from linnet.diagnostics import JsonValue
from linnet.errors import CapabilityError
from linnet.graph import Graph, as_json, entry_names, graph_of, outline, root_name
from linnet.pages._colours import coloured, linnet_lines
from linnet.pages._contents import ModelPage, Snippet
from linnet.pages._markdown import code_block, rendered
from linnet.pages._markup import Markup, Part, link, tag, text
from linnet.pages._plot import bench_section
from linnet.pages._samples import Sample
from linnet.syntax import (
    Block,
    Function,
    LoadedModule,
    Program,
    block_listing,
    blocks_of,
    show_signature,
)

# What the data of the first graph, and of all together, may take of a page.
_MOST_GRAPH: Final = 600_000
_MOST_GRAPHS: Final = 400_000
_MOST_OUTLINE: Final = 200_000
_MOST_SOURCE: Final = 200_000
_MOST_BLOCKS: Final = 200

Section = tuple[str, str, Part]


def model_page(page: ModelPage) -> str:
    """The page of a model; ArgumentError or UsageError for a root or entry that is not there."""
    sections: list[Section] = []
    if page.readme.strip():
        sections.append(("about", "About", tag("div", rendered(page.readme), class_="prose")))
    if page.snippets:
        sections.append(("use", "Use it", _snippets(page.snippets)))
    sections += _program_sections(page.program, page.typed, page.root, page.entry, page.generics)
    if page.bench is not None and page.bench.methods:
        sections.append(("benchmark", "Benchmark", bench_section(page.bench)))
    if page.samples:
        sections.append(("sample", "Sample", [_sample(sample) for sample in page.samples]))
    facts = [tag("span", one, class_="tag") for one in (page.family, *page.tags) if one]
    license_ = [tag("span", page.license, class_="tag license")] if page.license else []
    header = [
        tag("p", page.name, class_="kicker"),
        tag("h1", page.title),
        tag("p", page.summary, class_="summary") if page.summary else "",
        tag("p", *license_, *facts, class_="tags"),
        tag("p", *(link(one.text, one.address, "out") for one in page.links), class_="links"),
    ]
    return _document(page.title, header, sections)


def graph_page(
    program: Program, typed: TypedProgram, root: str | None = None, entry: str | None = None
) -> str:
    """The page of a program alone: its entries, graph, blocks and source."""
    assert program.root is not None
    name = program.root.name
    header = [tag("p", "Linnet program", class_="kicker"), tag("h1", name)]
    return _document(name, header, _program_sections(program, typed, root, entry, {}))


def index_page(title: str, models: Sequence[tuple[str, str, str]]) -> str:
    """A list of pages: address, title and summary of each."""
    listed = [
        tag("li", tag("a", name, href=address), tag("p", summary))
        for address, name, summary in models
    ]
    header = [tag("p", "Linnet", class_="kicker"), tag("h1", title)]
    return _document(title, header, [("models", "Models", tag("ul", *listed, class_="models"))])


# Sections ---------------------------------------------------------------------------------


def _program_sections(
    program: Program,
    typed: TypedProgram,
    root: str | None,
    entry: str | None,
    generics: Mapping[str, str],
) -> list[Section]:
    assert program.root is not None
    graphs, left = _graphs(typed, root, entry)
    sections: list[Section] = [
        ("entries", "Entries", _entries(program, root_name(typed, root), entry_names(typed, root))),
        ("graph", "Graph", _graph_section(graphs, left)),
    ]
    if generics:
        rows = [tag("tr", tag("th", key, scope="row"), tag("td", value))
                for key, value in generics.items()]  # fmt: skip
        note = tag(
            "p", "The generics of the root block, as this checkpoint binds them.", class_="note"
        )
        table = tag("table", tag("tbody", *rows), class_="generics")
        sections.append(("generics", "Generics", [note, table]))
    sections.append(("blocks", "Blocks", _blocks(program)))
    sections.append(("source", "Source", _source(program.root)))
    return sections


def _entries(program: Program, root: str, names: Sequence[str]) -> Markup:
    assert program.root is not None
    rows: list[Markup] = []
    for function in _written(program.root, root.rpartition("::")[2]):
        if function.name.text in names:
            signature = show_signature(function).partition("entry ")[2]
            shown = tag("code", coloured(signature, "linnet"))
            said = _said_above(program.root, function)
            about = tag("p", *_marked(said), class_="about") if said else ""
            name = tag("th", tag("code", function.name.text), scope="row")
            rows.append(tag("tr", name, tag("td", shown, about)))
    head = tag(
        "thead", tag("tr", tag("th", "Entry", scope="col"), tag("th", "Signature", scope="col"))
    )
    return tag("div", tag("table", head, tag("tbody", *rows), class_="entries"), class_="wide")


def _written(module: LoadedModule, root: str) -> Iterable[Function]:
    """The entries of a root block, of the module where it is "", as they are written."""
    for item in module.tree.items:
        members = item.members if isinstance(item, Block) and item.name.text == root else ()
        for function in (item, *members):
            if isinstance(function, Function) and function.kind == "entry":
                yield function


def _said_above(module: LoadedModule, function: Function) -> str:
    """The comment right above a function."""
    source = module.source
    lines: list[str] = []
    line = source.line_of(function.span.start) - 1
    while line > 0 and source.line_text(line).strip().startswith("//"):
        lines.insert(0, source.line_text(line).strip().lstrip("/").strip())
        line -= 1
    return " ".join(lines)


def _marked(said: str) -> list[Part]:
    """A text whose code in backticks is code."""
    return [
        tag("code", part) if at % 2 else part
        for at, part in enumerate(re.split(r"`([^`]*)`", said))
    ]


def _graphs(
    typed: TypedProgram, root: str | None, entry: str | None
) -> tuple[list[Graph], list[str]]:
    """The graphs that fit into a page, that of the asked entry first, and the entries left out."""
    names = entry_names(typed, root)
    if entry is None and "forward" in names:
        entry = "forward"
    first = () if entry is None else (entry,)
    graphs: list[Graph] = []
    left: list[str] = []
    size = 0
    for name in dict.fromkeys((*first, *names)):
        try:
            graph = graph_of(typed, root, name)
        except CapabilityError:
            left.append(name)
            continue
        size += _size(graph)
        if size > (_MOST_GRAPHS if graphs else _MOST_GRAPH):
            size -= _size(graph)
            left.append(name)
        else:
            graphs.append(graph)
    return graphs, left


def _graph_section(graphs: Sequence[Graph], left: Sequence[str]) -> Part:
    told: list[Part] = []
    if graphs:
        told.append(
            "What an entry computes, from its inputs down. Every edge carries the type that the "
            "compiler inferred at that point, in the model's own generics. A node with an arrow "
            "opens. "
        )
    if left:
        told.append(f"Too large for this page: {', '.join(left)}.")
    return [tag("p", *told, class_="note"), _figure(graphs) if graphs else ""]


def _size(graph: Graph) -> int:
    return len(_compact(graph))


def _figure(graphs: Sequence[Graph]) -> Markup:
    data = f"[{','.join(map(_compact, graphs))}]"
    # Inside of a script only `<` could end it.
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    buttons = [
        tag("button", shown, type="button", data_do=do, title=title, aria_label=title)
        for do, shown, title in (
            ("out", "−", "Smaller"),
            ("in", "+", "Larger"),
            ("fit", "Fit", "Fit the width"),
            ("more", "Open more", "Open one level more"),
            ("reset", "Reset", "As it was at first"),
        )
    ]
    chosen: Part = ""
    if len(graphs) > 1:
        options = [tag("option", graph.entry) for graph in graphs]
        chosen = tag("label", "Entry ", tag("select", *options), class_="chosen")
    keys = "Arrow keys go from node to node, Enter opens, + and − zoom. Drag to move."
    bar = tag(
        "div", chosen, *buttons, tag("output", "100 %", class_="scale"),
        tag("span", keys, class_="keys"), class_="bar",
    )  # fmt: skip
    stage = tag("div", class_="stage")
    legend = [
        tag("span", tag("i", class_=kind), shown)
        for kind, shown in (
            ("input", "input, result"), ("param", "parameter"), ("state", "state"),
            ("block", "block"), ("call", "function, loop"), ("choice", "choice"),
        )
    ]  # fmt: skip
    panel = tag("aside", class_="panel", hidden=True, aria_live="polite")
    figure = tag(
        "figure", bar, tag("div", stage, panel, class_="canvas"),
        tag("div", *legend, class_="legend"),
        tag("script", Markup(safe), type="application/json"), class_="figure-graph",
    )  # fmt: skip
    told = outline(graphs[0])
    if len(told) > _MOST_OUTLINE:
        told = f"{told[:_MOST_OUTLINE]}\n… `linnet inspect --graph` prints the rest."
    shown = tag("pre", told, tabindex="0")
    alone = tag("details", tag("summary", "The same as text"), shown, class_="outline")
    return text([figure, alone])


def _compact(graph: Graph) -> str:
    """The JSON of a graph without members that are empty."""
    return json.dumps(_dense(as_json(graph)), ensure_ascii=True, separators=(",", ":"))


def _dense(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _dense(inner) for key, inner in value.items() if inner not in ("", [], 0)}
    return [_dense(inner) for inner in value] if isinstance(value, list) else value


def _blocks(program: Program) -> Part:
    found = list(blocks_of(program.modules))
    shown: list[Part] = []
    for module, block in found[:_MOST_BLOCKS]:
        listing = tag(
            "pre", tag("code", coloured(block_listing(module, block), "linnet")), tabindex="0"
        )
        shown.append(tag("h3", block.name.text))
        shown.append(tag("figure", listing, class_="code"))
    if len(found) > _MOST_BLOCKS:
        shown.append(tag("p", f"And {len(found) - _MOST_BLOCKS} blocks more.", class_="note"))
    return shown


def _source(module: LoadedModule) -> Part:
    code = module.source.text
    if len(code) > _MOST_SOURCE:
        return tag(
            "p", f"The source has {len(code):,} characters, too many for a page.", class_="note"
        )
    lines = linnet_lines(code.rstrip("\n"))
    rows = [
        tag("span", line, Markup("\n"), class_="line", id=f"L{at}", data_module=module.name)
        for at, line in enumerate(lines, 1)
    ]
    summary = tag("summary", f"{Path(module.source.path).name}, {len(lines)} lines")
    return tag("details", summary, tag("pre", tag("code", *rows), class_="numbered", tabindex="0"))


def _snippets(snippets: Sequence[Snippet]) -> Markup:
    panels = [
        tag(
            "section",
            tag("h3", one.title),
            tag("p", one.note, class_="note") if one.note else "",
            code_block(one.code, one.language),
        )
        for one in snippets
    ]
    return tag("div", *panels, class_="tabs")


def _sample(sample: Sample) -> Markup:
    told: list[Part] = []
    if sample.tokens is not None and sample.agreeing is not None:
        by = f" as {sample.reference_stack}" if sample.reference_stack else ""
        told = [tag("p", f"{sample.agreeing} of {sample.tokens} tokens{by}", class_="note")]
    parts: list[Part] = [tag("blockquote", sample.prompt, class_="prompt")]
    if sample.output == sample.reference or not sample.reference:
        parts.append(tag("blockquote", sample.output, class_="answer"))
    else:
        for title, answer in (("Linnet", sample.output), ("Reference", sample.reference)):
            parts += [tag("h3", title), tag("blockquote", answer, class_="answer")]
    return tag("div", *parts, *told, class_="sample")


# The document -----------------------------------------------------------------------------


def _document(title: str, header: Sequence[Part], sections: Sequence[Section]) -> str:
    contents = [tag("li", tag("a", shown, href=f"#{name}")) for name, shown, _ in sections]
    body = [
        tag("section", tag("h2", shown), part, id=name, class_="part")
        for name, shown, part in sections
    ]
    style = _asset("page.css")
    scripts = [_asset("layout.js"), _asset("draw.js")]
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; "
        f"style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )  # fmt: skip
    page = tag(
        "body",
        tag("a", "Skip to the contents", href="#main", class_="skip"),
        tag("header", *header, class_="top"),
        tag(
            "div",
            tag("nav", tag("ol", *contents), aria_label="On this page") if contents[1:] else "",
            tag("main", *body, id="main"),
            class_="columns",
        ),
        *(tag("script", Markup(script)) for script in scripts),
    )
    return f'<!doctype html>\n<html lang="en">{head}{page}</html>\n'


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
