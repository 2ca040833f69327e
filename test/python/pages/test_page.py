"""The page of a model: complete in itself, and closed to what its contents may hold."""

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from linnet.checker import check
from linnet.errors import ArgumentError, NestError, ProgramError
from linnet.nest import BACKENDS, find, packaged, page_of, read_card
from linnet.pages import (
    Bench,
    Link,
    Method,
    ModelPage,
    Sample,
    Snippet,
    graph_page,
    index_page,
    model_page,
    snippets_of,
)
from linnet.syntax import load_program

ROOT = Path(__file__).resolve().parents[3]
CSS = ROOT / "python" / "linnet" / "pages" / "page.css"
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
TINY = """module m
pub block Model<N: Dim> {
    param w: Tensor[N; f32]
    pub entry forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * w
    }
}
"""
CIRCLE = TINY.replace("return x * w", "return again(x)").replace(
    "pub block",
    "fn again<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n    return again(x)\n}\npub block",
)
CARD = """[model]
name = "tiny"
title = "Tiny"
[source]
path = "m.linnet"
root = "Model"
[generics]
N = 4
"""


def nest(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in {"nest.toml": CARD, "m.linnet": TINY, **files}.items():
        (folder / name).write_text(content, "utf-8")
    return folder


def model(folder: Path, **fields: object) -> ModelPage:
    path = folder / "m.linnet"
    path.write_text(TINY, "utf-8")
    program = load_program(path)
    typed = check(program).program
    assert typed is not None
    return ModelPage("tiny", "Tiny", program, typed, **fields)  # type: ignore[arg-type]


def scripts(page: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


@pytest.mark.parametrize("name", packaged())
def test_the_page_of_a_packaged_model_is_one_file_below_a_megabyte(name: str) -> None:
    page = page_of(find(name))
    assert len(page.encode("utf-8")) < 1_000_000
    assert not re.search(r"<(img|iframe|object|embed|video|audio|source|base|form)\b", page)
    assert not re.search(r"\s(src|srcset|poster|background|action)=", page)
    assert re.findall(r"<link [^>]*>", page) == ['<link rel="icon" href="data:,">']
    css = CSS.read_text("utf-8")
    assert "url(" not in css
    assert "@import" not in css
    for section in ("use", "entries", "graph", "generics", "blocks", "source"):
        assert f'<section id="{section}"' in page


def test_only_the_scripts_and_styles_of_the_package_may_run(tmp_path: Path) -> None:
    page = model_page(model(tmp_path))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    allowed = policy[1].replace("&#x27;", "'")
    assert "default-src 'none'" in allowed
    assert "unsafe" not in allowed
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert len(scripts(page)) == 2
    for content in (*scripts(page), *styles):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in allowed
    assert not re.search(r"<[^>]*\s(on\w+|style)=", page)


def test_no_field_of_a_card_becomes_markup(tmp_path: Path) -> None:
    bench = Bench(EVIL, {EVIL: EVIL}, {EVIL: EVIL}, (
        Method(EVIL, "linnet", {"ttft_ms": 1.0}, 1.0, EVIL, ""),
        Method(EVIL, EVIL, {"ttft_ms": 1.0}, 1.0, EVIL, EVIL),
    ))  # fmt: skip
    page = model(
        tmp_path,
        summary=EVIL, license=EVIL, family=EVIL, tags=(EVIL,), readme=EVIL,
        links=(Link(EVIL, EVIL), Link(EVIL, f'https://example.org/"{EVIL}')),
        generics={EVIL: EVIL}, snippets=(Snippet(EVIL, EVIL, EVIL, EVIL),), bench=bench,
        samples=(Sample(EVIL, EVIL, EVIL + "x", EVIL, 1, 1),),
    )  # fmt: skip
    told = model_page(page) + index_page(EVIL, [("a.html", EVIL, EVIL)])
    outside = re.sub(r"<script>.*?</script>", "", told, flags=re.DOTALL)
    assert "alert(1)" in outside
    assert "<script>alert" not in told
    assert "<img" not in outside


def test_the_data_of_a_graph_cannot_end_its_script(tmp_path: Path) -> None:
    # A string literal of a program may hold anything; so may a comment in the source view.
    path = tmp_path / "m.linnet"
    path.write_text(TINY.replace("return x * w", f"// {EVIL}\n        return x * w"), "utf-8")
    program = load_program(path)
    typed = check(program).program
    assert typed is not None
    page = graph_page(program, typed)
    data = re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert "<" not in data[1]
    assert json.loads(data[1])[0]["entry"] == "forward"
    assert "<img src=x" not in page


def test_a_nest_shows_what_lies_beside_its_card(tmp_path: Path) -> None:
    folder = nest(
        tmp_path / "n",
        **{
            "README.md": "# Tiny\n\nSays *much*.",
            "bench.json": json.dumps({"methods": [{"method": "a", "metrics": {"ttft_ms": 2}}]}),
            "samples.json": json.dumps({"prompt": "Say", "output": "so", "reference": "so"}),
        },
    )
    page = page_of(read_card(folder))
    assert "<p>Says <em>much</em>.</p>" in page
    assert 'id="benchmark"' in page
    assert '<blockquote class="answer">so</blockquote>' in page
    assert "linnet stablehlo --root Model --entry forward --bind" in re.sub("<[^>]*>", "", page)


@pytest.mark.parametrize(
    ("files", "error", "told"),
    [
        ({"bench.json": "{"}, NestError, "bench.json is no JSON"),
        ({"bench.json": "[" * 100_000}, NestError, "bench.json is no JSON"),
        ({"bench.json": "[]"}, ArgumentError, "bench.json is no object"),
        ({"samples.json": '"x"'}, ArgumentError, "samples.json is no object"),
        ({"README.md": "x" * (5 << 20)}, NestError, "README.md has more than 4 MiB"),
        ({"m.linnet": "module m\nfn f("}, ProgramError, "E11"),
        ({"m.linnet": CIRCLE}, ProgramError, "E2119"),
    ],
)
def test_what_a_page_cannot_show_is_told_in_one_line(
    tmp_path: Path, files: dict[str, str], error: type[Exception], told: str
) -> None:
    card = read_card(nest(tmp_path / "n", **files))
    with pytest.raises(error, match=re.escape(told)) as raised:
        page_of(card)
    assert "\n" not in str(raised.value)


def test_a_readme_that_leads_out_of_the_nest_is_refused(tmp_path: Path) -> None:
    folder = nest(tmp_path / "n")
    (tmp_path / "secret").write_text("secret")
    (folder / "README.md").symlink_to(tmp_path / "secret")
    with pytest.raises(NestError, match="leads out of the nest"):
        page_of(read_card(folder))


def test_entries_that_are_too_large_are_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from linnet.pages import _page

    path = ROOT / "examples" / "gpt2" / "gpt2.linnet"
    program = load_program(path)
    typed = check(program).program
    assert typed is not None
    monkeypatch.setattr(_page, "_MOST_GRAPHS", 50_000)
    page = graph_page(program, typed, "Model", "decode")
    assert "Too large for this page: forward, prefill, decode_rows, prefill_slots." in page


def test_a_program_without_end_has_a_page_without_a_graph(tmp_path: Path) -> None:
    lines = ["module m", "fn step16<N: Dim>(x: Tensor[N; f32]) -> f32 {\n    return 1.0\n}"]
    for at in range(15, -1, -1):
        call = f"step{at + 1}"
        lines.append(
            f"fn step{at}<N: Dim>(x: Tensor[N; f32]) -> f32 {{\n"
            f"    return {call}(concat(x, x, axis = 0)) + "
            f"{call}(concat(x, x, fill<f32>([1], 0.0), axis = 0))\n}}"
        )
    lines.append("entry run<N: Dim>(x: Tensor[N; f32]) -> f32 {\n    return step0(x)\n}\n")
    path = tmp_path / "m.linnet"
    path.write_text("\n".join(lines), "utf-8")
    program = load_program(path)
    typed = check(program).program
    assert typed is not None
    page = graph_page(program, typed)
    assert "Too large for this page: run." in page
    assert 'class="figure-graph"' not in page
    assert len(page) < 200_000


def test_equal_models_have_equal_pages() -> None:
    assert page_of(find("gpt2")) == page_of(find("gpt2"))


# Colours ----------------------------------------------------------------------------------


def palettes() -> list[dict[str, str]]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS.read_text("utf-8"), re.DOTALL)
    first = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return [first, {**first, **dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark))}]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("palette", palettes(), ids=["light", "dark"])
def test_every_text_has_the_contrast_that_wcag_aa_asks_for(palette: dict[str, str]) -> None:
    grounds = ("paper", "card", "sunk")
    pairs = [(one, ground) for one in ("ink", "soft", "accent") for ground in grounds]
    pairs += [(one, "card") for one in ("key", "typ", "num", "str", "fun")]
    pairs += [(one, f"{one}-soft") for one in ("input", "param", "state", "block", "choice")]
    pairs += [("ink", f"{one}-soft") for one in ("block", "choice", "accent")]
    for ink, ground in pairs:
        high, low = sorted((luminance(palette[ink]), luminance(palette[ground])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


def test_an_entry_is_told_by_the_comment_above_it() -> None:
    page = page_of(find("gpt2"))
    told = re.search(r'<p class="about">(Logits after one more token per row, [^\n]*?)</p>', page)
    assert told is not None
    assert told[1] == "Logits after one more token per row, all rows at position <code>pos</code>."


def test_a_model_whose_shapes_are_not_proven_has_no_page(tmp_path: Path) -> None:
    wrong = TINY.replace("return x * w", "return reshape(x, [N + 1])")
    with pytest.raises(ProgramError, match="E2203"):
        page_of(read_card(nest(tmp_path / "n", **{"m.linnet": wrong})))


def test_the_snippets_load_on_every_backend_as_it_is_called_and_installed() -> None:
    made = snippets_of("gpt2", "Model", "forward", "gpt2.linnet", {"H": "8"}, ("tokens", "pos"))
    loading = [one for one in made if one.language == "python"]
    named = [re.search(r'backend="([\w-]+)"', one.code) for one in loading]
    assert [found[1] if found else "linnet" for found in named] == list(BACKENDS)
    for one, backend in zip(loading, BACKENDS.values(), strict=True):
        compile(one.code, "snippet", "exec")
        assert "model(tokens, pos)" in one.code
        assert one.note.endswith(f"pip install 'linnet-mlir[{backend.extra}]'")
    assert made[-1].code.splitlines()[-1] == (
        "linnet stablehlo --root Model --entry forward --bind H=8 gpt2.linnet"
    )
