"""The pages of docs/generated/errors/ and their index, from the texts of `linnet explain`.

What the compiler says of each page's first program is printed by the compiler as it is now.
"""

import contextlib
import os
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from linnet.compiler import check_path  # noqa: E402
from linnet.diagnostics import CODES, render_all  # noqa: E402
from linnet.explanations import (  # noqa: E402
    Page,
    Sources,
    explanation,
    explanations,
    groups,
    main_file,
)

_WIDTH = 100


def error_docs() -> dict[str, str]:
    """Each page by its path below docs/generated/."""
    pages = {f"errors/{page.code}.md": "\n".join(_page(page)) for page in explanations()}
    return {"errors.md": "\n".join(_index()), **pages}


def _index() -> Iterator[str]:
    yield "# Error codes\n"
    yield "What each code means, a program that has the problem, what the compiler says of it, and"
    yield "the program repaired. `linnet explain CODE` prints the same. A code is never reused.\n"
    for title, codes in groups().items():
        yield f"## {title}\n"
        yield "| Code | Meaning |\n| --- | --- |"
        yield from (f"| [{code}](errors/{code}.md) | {_cell(CODES[code])} |" for code in codes)
        yield ""


def _page(page: Page) -> Iterator[str]:
    yield f"# {page.code}: {page.title}\n"
    for paragraph in page.paragraphs:
        yield textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
        yield ""
    yield f"## A program with this {page.severity}\n"
    yield from _program(page.wrong)
    said = what_is_said(page.wrong)
    if f"[{page.code}]" not in said.splitlines()[0]:
        sys.exit(f"build_docs: the program of {page.code} gives another diagnostic:\n{said}")
    yield f"The compiler says:\n\n```text\n{said.rstrip()}\n```\n"
    yield "## Repaired\n"
    changed = {path: text for path, text in page.right.items() if text != page.wrong.get(path)}
    yield from _program(changed, named=len(page.right) > 1)
    if page.rules:
        yield f"Rules of the language reference: {', '.join(f'[{rule}]' for rule in page.rules)}.\n"
    if page.related:
        links = [f"[{code}]({code}.md) {explanation(code).title}" for code in page.related]
        yield "Related: " + "; ".join(links) + ".\n"
    yield "[All codes](../errors.md)"


def _program(sources: Sources, *, named: bool = False) -> Iterator[str]:
    for path, text in sources.items():
        if named or len(sources) > 1:
            yield f"`{path}`:\n"
        yield f"```{'toml' if path.endswith('.toml') else 'linnet'}\n{text.rstrip()}\n```\n"


def what_is_said(sources: Sources) -> str:
    """The diagnostics of a program as they are printed, with paths from its own folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for path, text in sources.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, "utf-8")
        said = render_all(check_path(main_file(sources)).diagnostics)
        return said.replace(os.getcwd(), ".").replace(f"{ROOT}/python/", "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
