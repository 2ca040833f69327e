"""The pages of `linnet explain` as a terminal shows them, in colour."""

import re
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

from linnet.cli._explain import programs, references
from linnet.explanations import Page

_WIDEST = 96
_CODE = re.compile(r"`([^`]+)`")


def print_pages(pages: Sequence[Page]) -> None:
    """Print pages to standard output."""
    console = Console(highlight=False)
    console.width = min(console.width, _WIDEST)
    for number, page in enumerate(pages):
        if number:
            console.rule(style="blue")
        _print_page(console, page)


def _print_page(console: Console, page: Page) -> None:
    tint = "yellow" if page.severity == "warning" else "red"
    console.print(Text.assemble((page.code, f"bold {tint}"), ": ", _marked(page.title, "bold")))
    for paragraph in page.paragraphs:
        console.print()
        console.print(_marked(paragraph))
    for title, sources in programs(page):
        console.print()
        console.print(Text(f"{title}:", "bold"))
        for path, text in sources.items():
            console.print()
            if len(page.wrong) > 1:
                console.print(Padding(Text(path, "dim"), (0, 4)))
            console.print(Padding(_program(path, text), (0, 4)))
    for line in references(page):
        console.print()
        console.print(Text(line, "dim"))


def _program(path: str, text: str) -> Syntax:
    # Rust's words are near enough to Linnet's to colour them by.
    language = "toml" if path.endswith(".toml") else "rust"
    return Syntax(
        text.rstrip(), language, theme="ansi_dark", background_color="default", word_wrap=True
    )


def _marked(text: str, style: str = "") -> Text:
    """Text whose code in backticks stands out."""
    out = Text(style=style)
    at = 0
    for found in _CODE.finditer(text):
        out.append(text[at : found.start()]).append(found[1], "cyan")
        at = found.end()
    return out.append(text[at:])
