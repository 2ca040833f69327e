"""`linnet explain`: what a code means, a program that has the problem, and its repair."""

import json
import os
import re
import sys
import textwrap
from collections.abc import Iterator

import click

from linnet.diagnostics import CODES, JsonValue, did_you_mean, wants_colour
from linnet.errors import UsageError
from linnet.explanations import Page, Sources, explanation, explanations, groups

_WIDTH = 92
_MARGIN = "    "


@click.command("explain")
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(codes: tuple[str, ...], as_json: bool) -> int:
    """Say what a code means, with a program that has the problem and the program repaired.

    Without a CODE: list all codes.
    """
    pages = [explanation(code) for code in dict.fromkeys(map(_known, codes))]
    if as_json:
        listed = [_as_json(page) for page in pages or explanations()]
        click.echo(json.dumps({"version": 1, "codes": listed}, ensure_ascii=False, indent=2))
    elif not pages:
        click.echo(_all())
    elif wants_colour(sys.stdout, os.environ):
        from linnet.cli._coloured import print_pages

        print_pages(pages)
    else:
        click.echo(f"\n\n{'-' * _WIDTH}\n\n".join("\n".join(_lines(page)) for page in pages))
    return 0


def _known(given: str) -> str:
    """The code that is given in either case; UsageError with what was meant for no code."""
    code = given.upper()
    if code in CODES:
        return code
    near = did_you_mean(code, CODES) or next((e for e in CODES if e[1:] == code), None)
    about = [
        code
        for code, title in CODES.items()
        if re.search(rf"\b{re.escape(given.lower())}s?\b", title)
    ]
    hint = "`linnet explain` lists all codes"
    if near is not None:
        hint = f"did you mean `{near}`?"
    elif about:
        hint = f"about `{given}`: {', '.join(about)}"
    raise UsageError(f"`{given}` is no code of a diagnostic", hint)


def _all() -> str:
    lines: list[str] = []
    for title, codes in groups().items():
        lines += ["", title, *(f"  {code}  {CODES[code]}" for code in codes)]
    return "\n".join(lines[1:])


def _lines(page: Page) -> Iterator[str]:
    """The page as plain text."""
    yield f"{page.code}: {page.title}"
    for paragraph in page.paragraphs:
        yield ""
        # A word in backticks stays on one line, so that it can be copied.
        yield from textwrap.wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
    for title, sources in programs(page):
        yield f"\n{title}:"
        for path, text in sources.items():
            yield "" if len(page.wrong) == 1 else f"\n{_MARGIN}// {path}"
            yield textwrap.indent(text.rstrip(), _MARGIN)
    for line in references(page):
        yield f"\n{line}"


def programs(page: Page) -> tuple[tuple[str, Sources], tuple[str, Sources]]:
    """The two programs with their titles; of the repaired one, the files that change."""
    changed = {path: text for path, text in page.right.items() if text != page.wrong.get(path)}
    problem = "warning" if page.severity == "warning" else "error"
    return (f"A program with this {problem}", page.wrong), ("Repaired", changed)


def references(page: Page) -> Iterator[str]:
    """Where to read on."""
    if page.rules:
        yield f"Rules of the language: {', '.join(page.rules)}"
    if page.related:
        yield f"Related: {', '.join(page.related)}"


def _as_json(page: Page) -> dict[str, JsonValue]:
    return {
        "code": page.code,
        "severity": page.severity.value,
        "title": page.title,
        "explanation": "\n\n".join(page.paragraphs),
        "wrong": [{"path": path, "text": text} for path, text in page.wrong.items()],
        "right": [{"path": path, "text": text} for path, text in page.right.items()],
        "rules": list(page.rules),
        "related": list(page.related),
    }
