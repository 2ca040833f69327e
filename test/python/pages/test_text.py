"""Texts of strangers on a page: they stay text, and code keeps every character."""

import html
import re
from pathlib import Path

import pytest

from linnet.pages import _markdown as markdown
from linnet.pages._colours import coloured, linnet_lines
from linnet.pages._markup import is_web, link, tag, text

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "examples").rglob("*.linnet")) + sorted(
    (ROOT / "python" / "linnet" / "std").rglob("*.linnet")
)


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_coloured_source_is_the_source(path: Path) -> None:
    code = path.read_text("utf-8")
    assert plain(coloured(code, "linnet")) == code
    assert "\n".join(map(plain, linnet_lines(code))) == code


def test_tokens_have_the_colours_of_their_kinds() -> None:
    shown = coloured("pub fn f(x: Tensor[H; f32]) // said\n", "linnet")
    assert '<span class="key">fn</span>' in shown
    assert '<span class="fun">f</span>' in shown
    assert '<span class="typ">f32</span>' in shown
    assert '<span class="com">// said</span>' in shown


@pytest.mark.parametrize("language", ["python", "sh", "json", "linnet", "", "brainfuck", "<b>"])
@pytest.mark.parametrize(
    "code", ["", "\n", "</script><script>alert(1)</script>", "'", '"""', "let x = \ud800", "\x00é"]
)
def test_any_code_in_any_language_is_text(code: str, language: str) -> None:
    shown = coloured(code, language)
    assert "<script" not in shown
    shown.encode("utf-8")


def test_markup_is_escaped_in_texts_and_attributes() -> None:
    made = tag("p", '<b>&"', title='" onclick="alert(1)')
    assert made == ('<p title="&quot; onclick=&quot;alert(1)">&lt;b&gt;&amp;&quot;</p>')
    assert text("a\x00b\u202ec\ud800d") == "abcd"


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "data:text/html,x",
        "vbscript:x", "file:///etc/passwd", "//example.org/x", "http:", "ftp://a/b", "page.html",
         "blob:https://a/b",
    ],
)  # fmt: skip
def test_an_address_that_is_no_web_page_is_no_link(address: str) -> None:
    assert not is_web(address)
    assert link("x", address) == "x"
    assert "href" not in markdown.rendered(f"[x](<{address}>)")


def test_links_tell_nothing_to_where_they_lead() -> None:
    shown = markdown.rendered("[x](https://example.org/a) and <https://example.org/b>")
    assert shown.count('rel="noopener noreferrer nofollow"') == 2
    assert 'rel="noopener noreferrer nofollow"' in link("x", "https://example.org")


@pytest.mark.parametrize(
    "written",
    [
        "<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<iframe src=//a>",
        "<!-- --><style>*{}</style>", "[a](javascript:alert(1))", "![x](https://example.org/x.png)",
        "<a href='javascript:x'>", "```<script>\n</code></pre><script>alert(1)</script>\n```",
        "[x]: javascript:alert(1)\n[x]", "<svg/onload=alert(1)>",
    ],
)  # fmt: skip
def test_no_markdown_becomes_anything_that_runs_or_is_fetched(written: str) -> None:
    shown = markdown.rendered(written)
    tags = set(re.findall(r"<(\w+)", shown))
    assert tags <= {"p", "a", "pre", "code", "figure", "div", "span", "em", "strong"}
    assert not re.search(r"<[^>]*\s(on\w+|src|style)\s*=", shown)
    assert "javascript:" not in re.sub(r">[^<]*<", "><", shown)


def test_a_readme_has_its_title_left_out_and_headings_below_the_pages() -> None:
    shown = markdown.rendered("# GPT-2\n\nText.\n\n## Loading\n\n| a | b |\n|-|-|\n| 1 | 2 |\n")
    assert "GPT-2" not in shown
    assert "<h3>Loading</h3>" in shown
    assert '<div class="wide"><table>' in shown


def test_a_readme_without_end_is_cut_and_says_so() -> None:
    shown = markdown.rendered("word " * 100_000)
    assert "it has 500,000 characters, of which 131,072 are shown" in shown
    assert len(shown) < 140_000


@pytest.mark.parametrize("deep", ["> " * 5000 + "x", "[" * 20000, "- " * 3000 + "x", "*" * 50000])
def test_deep_markdown_ends_soon(deep: str) -> None:
    assert markdown.rendered(deep)
