"""Pages in a browser: drawn, opened and read in headless Chromium, without a network.

Skipped where Chromium or `playwright`, which drives it, is missing.
"""

import base64
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.checker import check
from linnet.nest import find, page_of
from linnet.pages import graph_page
from linnet.syntax import load_program

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright, which drives the browser, is not installed"
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
ROOT = Path(__file__).resolve().parents[3]
LOOKED_AT = ("gpt2", "llama")
WIDTHS = (400, 1600)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        # The sandbox needs a user other than root.
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    made: dict[str, Path] = {}
    for name in LOOKED_AT:
        made[name] = folder / f"{name}.html"
        made[name].write_text(page_of(find(name)), "utf-8")
    program = load_program(ROOT / "examples" / "moe" / "moe.linnet")
    typed = check(program).program
    assert typed is not None
    made["moe"] = folder / "moe.html"
    made["moe"].write_text(graph_page(program, typed), "utf-8")
    return made


class Opened:
    """A page in the browser; what it complained of and what it asked for is kept."""

    def __init__(self, browser: Any, path: Path, width: int, scheme: str = "light") -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
        )
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", self._say)
        self.page.on("pageerror", self._say)
        self.page.on("request", self._ask)
        self.page.goto(path.as_uri())
        self.address = path.as_uri()

    def _say(self, said: Any) -> None:
        self.said.append(str(said))

    def _ask(self, request: Any) -> None:
        self.asked.append(str(request.url))

    def __enter__(self) -> "Opened":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert self.said == []
        assert [one for one in self.asked if not one.startswith("data:")] == [self.address]

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def run(self, script: str, argument: object = None) -> Any:
        return self.page.evaluate(script, argument)

    def head(self, title: str) -> Any:
        return self.page.locator(f'.node[data-title="{title}"] > .head').first


# What stands in a frame beside each other, and still lies over each other.
OVERLAPS = """() => {
  const found = [];
  for (const frame of document.querySelectorAll("g.frame")) {
    const parts = [
      ...[...frame.querySelector(":scope > .nodes").children].map((node) => [
        node.dataset.title, node.querySelector(":scope > .box")]),
      ...[...frame.querySelector(":scope > .labels").children].map((label) => [
        label.textContent, label.querySelector("rect")]),
    ].map(([name, element]) => [name, element.getBoundingClientRect()]);
    for (const [at, [name, one]] of parts.entries())
      for (const [other, two] of parts.slice(0, at))
        if (one.left < two.right - 0.5 && two.left < one.right - 0.5 &&
            one.top < two.bottom - 0.5 && two.top < one.bottom - 0.5) found.push([name, other]);
  }
  return found;
}"""
# Nodes that leave the box of the node that holds them.
SPILLS = """() => [...document.querySelectorAll(".node .node")].filter((node) => {
  const own = node.querySelector(":scope > .box").getBoundingClientRect();
  const around = node.parentNode.closest(".node").querySelector(":scope > .box")
    .getBoundingClientRect();
  return own.left < around.left - 1 || own.right > around.right + 1 ||
    own.top < around.top - 1 || own.bottom > around.bottom + 1;
}).length"""
# Edges whose ends are not at the borders of their nodes.
LOOSE = """() => [...document.querySelectorAll(".edge")].filter((edge) => {
  const box = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"] > .box`)
    .getBoundingClientRect();
  const place = (at) => edge.getPointAtLength(at).matrixTransform(edge.getScreenCTM());
  const [from, to] = [box(edge.dataset.from), box(edge.dataset.to)];
  const [start, end] = [place(0), place(edge.getTotalLength())];
  const meets = (point, side, rect) => Math.abs(point.y - side) < 1.5 &&
    point.x > rect.left - 1 && point.x < rect.right + 1;
  return !meets(start, from.bottom, from) || !meets(end, to.top, to);
}).length"""
SMALL_TEXT = """() => {
  const small = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: element, textContent } = walk.currentNode;
    if (!textContent.trim() || element.closest("script, style")) continue;
    if (element.getClientRects().length && parseFloat(getComputedStyle(element).fontSize) < 12)
      small.add(element.outerHTML.slice(0, 80));
  }
  return [...small];
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_is_read_at_any_width(
    browser: Any, pages: dict[str, Path], name: str, width: int
) -> None:
    with Opened(browser, pages[name], width) as opened:
        assert opened.run("document.documentElement.scrollWidth") <= width
        assert opened.run(SMALL_TEXT) == []
        assert opened.run("document.querySelector('svg.graph').getScreenCTM().a") == 1
        # The first block is in sight without a hand.
        seen = opened.run(
            """() => {
              const own = document.querySelector(".node.open > .head").getBoundingClientRect();
              const around = document.querySelector(".stage").getBoundingClientRect();
              return own.right > around.left + 60 && own.left < around.right - 60;
            }"""
        )
        assert seen


def test_the_forward_entry_of_gpt2_is_drawn_with_its_blocks_open(
    browser: Any, pages: dict[str, Path]
) -> None:
    with Opened(browser, pages["gpt2"], 1600) as opened:
        titles = opened.run(
            """() => [...document.querySelectorAll('.node[data-key^="/"]')]
              .filter((node) => !node.parentNode.closest(".node")).map((node) => node.dataset.title)
            """
        )
        assert titles[0] == "tokens"
        assert "blocks.{i}" in titles
        assert opened.count('.node[data-title="blocks.{i}"].open .node[data-title="attn"]') == 1
        assert opened.count('.node[data-title="attn"].open') == 0
        badge = opened.page.locator('.node[data-title="blocks.{i}"] text.badge')
        assert badge.first.text_content() == "× Layers"
        # Each edge has its type, and each value that is used shows it once.
        assert opened.run(
            "[...document.querySelectorAll('.edge')].every((edge) => edge.dataset.type)"
        )
        shown = opened.run(
            """() => [...document.querySelectorAll(".label text")]
              .filter((text) => text.getBoundingClientRect().width > 0)
              .map((text) => text.textContent)"""
        )
        assert "tokens: Tensor[B, S; i32]" in shown
        assert "Tensor[MaxPositions, H; T]" in shown
        assert opened.count(".edge") >= 20


def test_blocks_open_and_close_by_a_click_and_types_show_inside(
    browser: Any, pages: dict[str, Path]
) -> None:
    with Opened(browser, pages["gpt2"], 1600) as opened:
        before = opened.count(".node")
        opened.head("attn").click()
        inside = '.node[data-title="attn"].open'
        assert opened.count(inside) == 1
        assert opened.count(".node") > before + 8
        labels = opened.page.locator(f"{inside} .label text").all_text_contents()
        assert "fused: Tensor[B, S, 3 * H; T]" in labels
        assert "query: Tensor[B, Heads, S, H / Heads; T]" in labels
        assert opened.count(".panel:not([hidden]) h3") == 1
        opened.head("attn").click()
        assert opened.count(inside) == 0
        assert opened.count(".node") == before


def test_a_node_stays_where_it_is_when_it_opens(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["gpt2"], 1600) as opened:
        opened.head("mlp").scroll_into_view_if_needed()
        before = opened.head("mlp").bounding_box()
        opened.head("mlp").click()
        after = opened.head("mlp").bounding_box()
        assert abs(before["y"] - after["y"]) < 2


@pytest.mark.parametrize("name", ["gpt2", "llama", "moe"])
def test_nothing_lies_over_anything_however_much_is_open(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    with Opened(browser, pages[name], 1600) as opened:
        entries = opened.count(".figure-graph option")
        assert entries > 1
        for at in range(entries):
            opened.page.locator(".figure-graph select").select_option(index=at)
            for _ in range(3):
                assert opened.run(OVERLAPS) == []
                assert opened.run(SPILLS) == 0
                assert opened.run(LOOSE) == 0
                opened.page.locator('[data-do="more"]').click()


def test_the_graph_is_used_by_keys_alone(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["gpt2"], 1600) as opened:
        opened.page.locator('.node[tabindex="0"]').focus()
        focused = "document.activeElement.dataset.title"
        assert opened.run(focused) == "tokens"
        for _ in range(40):
            if opened.run(focused) == "attn":
                break
            opened.page.keyboard.press("ArrowDown")
        assert opened.run(focused) == "attn"
        assert opened.count('.node[tabindex="0"]') == 1
        opened.page.keyboard.press("Enter")
        assert opened.count('.node[data-title="attn"].open') == 1
        assert opened.run("document.activeElement.getAttribute('aria-expanded')") == "true"
        opened.page.keyboard.press("+")
        assert opened.page.locator(".scale").text_content() == "120 %"
        opened.page.keyboard.press("0")
        assert opened.page.locator(".scale").text_content() == "100 %"
        opened.page.keyboard.press("Escape")
        assert opened.count(".panel:not([hidden])") == 0


def test_the_picture_is_zoomed_and_moved(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["llama"], 400) as opened:
        width = "document.querySelector('svg.graph').getBoundingClientRect().width"
        stage = "document.querySelector('.stage')"
        before = opened.run(width)
        opened.page.locator('[data-do="in"]').click()
        assert opened.run(width) > before * 1.15
        opened.page.locator('[data-do="fit"]').click()
        assert opened.run(width) <= opened.run(f"{stage}.clientWidth")
        opened.page.locator('[data-do="reset"]').click()
        assert opened.run(width) == before
        left = opened.run(f"{stage}.scrollLeft")
        opened.run(f"{stage}.scrollIntoView()")
        box = opened.page.locator(".stage").bounding_box()
        opened.page.mouse.move(box["x"] + 40, 500)
        opened.page.mouse.down()
        opened.page.mouse.move(box["x"] + 140, 480, steps=4)
        opened.page.mouse.up()
        assert opened.run(f"{stage}.scrollLeft") < left


def test_a_line_of_the_source_is_found_from_a_node(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["gpt2"], 1600) as opened:
        opened.head("attn").click()
        opened.page.locator(".panel a").click()
        assert opened.page.locator(".line:target").text_content().find("attn.forward") > 0
        assert opened.count("#source details[open]") == 1


def test_tabs_and_copy_buttons_work(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["gpt2"], 1600) as opened:
        shown = opened.page.locator("#use section:not([hidden])")
        assert shown.count() == 1
        opened.page.get_by_role("tab", name="PyTorch").click()
        assert 'backend="torch"' in shown.locator("pre").text_content()
        opened.page.keyboard.press("ArrowRight")
        assert 'backend="jax"' in shown.locator("pre").text_content()
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        shown.locator(".copy").click()
        shown.locator(".copy", has_text="Copied").wait_for()


def test_without_scripts_the_page_tells_the_same_as_text(
    browser: Any, pages: dict[str, Path]
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 400, "height": 900})
    page = context.new_page()
    page.goto(pages["gpt2"].as_uri())
    assert page.locator(".figure-graph").is_hidden()
    page.locator(".outline summary").click()
    assert "× Layers →Block.forward" in page.locator(".outline pre").text_content()
    assert page.locator("#use section").count() == page.locator("#use section:visible").count()
    context.close()


def test_text_of_a_stranger_does_nothing(browser: Any, tmp_path: Path) -> None:
    evil = "<img src=https://example.org/x onerror=alert(1)><script>alert(1)</script>"
    source = (
        "module m\npub block Model<N: Dim> {\n    pub entry forward(x: Tensor[N; f32]) -> "
        f"Tensor[N; f32] {{\n        let y[i] = x[i] * 2.0 // {evil}\n"
        "        return y\n    }\n}\n"
    )
    (tmp_path / "m.linnet").write_text(source, "utf-8")
    card = f"[model]\nname = 'm'\ntitle = '{evil}'\nsummary = '{evil}'\n[source]\n"
    (tmp_path / "nest.toml").write_text(f"{card}path = 'm.linnet'\nroot = 'Model'\n", "utf-8")
    (tmp_path / "README.md").write_text(f"# a\n{evil}\n\n![x](https://example.org/y.png)", "utf-8")
    page = tmp_path / "m.html"
    page.write_text(page_of(find(tmp_path)), "utf-8")
    with Opened(browser, page, 1600) as opened:
        assert opened.count("img") == 0
        assert opened.page.locator("h1").text_content() == evil
        assert opened.count(".node") == 3


# Looks ------------------------------------------------------------------------------------

# How many colours a picture has, and what part of it is not its most common one.
INK = """async (data) => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(
    context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) || 0) + 1);
  return [counts.size, 1 - Math.max(...counts.values()) / pixels.length];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_the_picture_of_a_graph_is_not_blank(
    browser: Any, pages: dict[str, Path], name: str, scheme: str
) -> None:
    with Opened(browser, pages[name], 1600, scheme) as opened:
        taken = opened.page.locator("svg.graph").screenshot()
    looker = browser.new_page()
    colours, ink = looker.evaluate(INK, base64.b64encode(taken).decode("ascii"))
    looker.close()
    # Text, boxes of several kinds and lines: many colours, on a part of the ground.
    assert colours > 50
    assert 0.02 < ink < 0.9


def test_what_is_too_much_to_draw_is_told_and_the_picture_stays(
    browser: Any, tmp_path: Path
) -> None:
    # Each function calls the next twice: closed it is small, open it has 2^12 boxes of each.
    lines = ["module m", "fn step12(x: Tensor[2; f32]) -> Tensor[2; f32] {\n    return x\n}"]
    for at in range(11, -1, -1):
        call = f"step{at + 1}"
        lines.append(
            f"fn step{at}(x: Tensor[2; f32]) -> Tensor[2; f32] {{\n"
            f"    return {call}({call}(x)) + {call}(x)\n}}"
        )
    lines.append("entry run(x: Tensor[2; f32]) -> Tensor[2; f32] {\n    return step0(x)\n}\n")
    path = tmp_path / "m.linnet"
    path.write_text("\n".join(lines), "utf-8")
    program = load_program(path)
    typed = check(program).program
    assert typed is not None
    page = tmp_path / "m.html"
    page.write_text(graph_page(program, typed), "utf-8")
    with Opened(browser, page, 1600) as opened:
        counts = [opened.count(".node")]
        while opened.count(".told") == 0:
            opened.page.locator('[data-do="more"]').click()
            counts.append(opened.count(".node"))
            assert len(counts) < 20
        assert opened.page.locator(".told").text_content() == (
            "This is more than a browser can draw."
        )
        # What was drawn before stays, and can be closed again.
        assert counts[-1] == counts[-2] > counts[0]
        opened.page.locator('[data-do="reset"]').click()
        assert opened.count(".node") == counts[0]
