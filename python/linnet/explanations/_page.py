"""The page of a code: what it means, a program that has the problem, the same program repaired.

`pages/CODE.md` holds one page as people write it:

    ---
    rules: DIM-7, PRE-7
    related: E2202
    ---

    What the code means, in paragraphs.

    ## Wrong

    (a fenced `linnet` block, or one for each file, its path after the language)

    ## Right

    (the same, repaired)

Reads package data and nothing else.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from linnet.diagnostics import CODES, Severity, severity_of

# The name of a program of one file, as its messages show it.
SINGLE: Final = "example.linnet"
_PAGES: Final = Path(__file__).with_name("pages")
_PARTS: Final = re.compile(
    r"---\n(?P<head>.*?)---\n(?P<text>.*?)^## Wrong\n(?P<wrong>.*?)^## Right\n(?P<right>.*)",
    re.DOTALL | re.MULTILINE,
)
_FENCE: Final = re.compile(r"^```(?:linnet|toml)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# The files of a program by path, in the order of the page.
Sources = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Page:
    """One explained code.

    `paragraphs` are Markdown of one line each, `rules` labels of the language reference.
    Checking `wrong` gives the code once and nothing else; `right` gives nothing at all.
    """

    code: str
    title: str
    severity: Severity
    paragraphs: tuple[str, ...]
    wrong: Sources
    right: Sources
    rules: tuple[str, ...]
    related: tuple[str, ...]


def main_file(sources: Sources) -> str:
    """The file to check: the package's `src/lib.linnet`, or the only one."""
    return next(path for path in sources if path in ("src/lib.linnet", SINGLE))


@cache
def explanation(code: str) -> Page:
    """The page of a code of the table."""
    text = (_PAGES / f"{code}.md").read_text("utf-8")
    found = _PARTS.fullmatch(text)
    if found is None:
        raise ValueError(f"{code}.md lacks its head, `## Wrong` or `## Right`")
    head = dict(line.split(": ", 1) for line in found["head"].splitlines())
    paragraphs = tuple(" ".join(part.split()) for part in found["text"].strip().split("\n\n"))
    return Page(
        code,
        CODES[code],
        severity_of(code),
        paragraphs,
        _sources(found["wrong"]),
        _sources(found["right"]),
        _listed(head.get("rules", "")),
        _listed(head.get("related", "")),
    )


def explanations() -> tuple[Page, ...]:
    """Every page, in the order of the table."""
    return tuple(explanation(code) for code in CODES)


def _sources(section: str) -> Sources:
    return MappingProxyType({path or SINGLE: text for path, text in _FENCE.findall(section)})


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
