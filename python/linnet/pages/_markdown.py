"""Markdown of a stranger as HTML: no HTML of theirs, no pictures from elsewhere, safe links."""

from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from linnet.pages._colours import coloured
from linnet.pages._markup import Markup, is_web, tag, text

_LONGEST: Final = 128 * 1024


def rendered(markdown: str) -> Markup:
    """Markdown as HTML. A first heading is left out: the page has a title; others go down one.

    Of more than 128 KiB the rest is left out, and the page says so.
    """
    kept = markdown[:_LONGEST]
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": 20})
    parser.enable(["table", "strikethrough"])
    parser.validateLink = is_web  # pyright: ignore[reportAttributeAccessIssue]
    tokens = _without_title(parser.parse(kept))
    for token in tokens:
        _shifted(token)
        if token.type in ("fence", "code_block"):
            _coloured(token)
        for inner in token.children or ():
            _made_safe(inner)
    shown = parser.renderer.render(tokens, parser.options, {})
    parts = [Markup(shown.replace("<table>", '<div class="wide"><table>').replace(
        "</table>", "</table></div>"))]  # fmt: skip
    if len(markdown) > _LONGEST:
        told = f"The README goes on: it has {len(markdown):,} characters, of which {_LONGEST:,} "
        parts.append(tag("p", f"{told}are shown.", class_="note"))
    return text(parts)


def _without_title(tokens: list[Token]) -> list[Token]:
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return tokens[3:]
    return tokens


def _shifted(token: Token) -> None:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + 1)}"


def _made_safe(token: Token) -> None:
    if token.type == "link_open":
        token.attrSet("rel", "noopener noreferrer nofollow")
    elif token.type == "image":
        # A picture would be fetched; its text tells what it shows.
        told = token.content or "picture"
        token.type, token.tag, token.content, token.children = "text", "", f"[{told}]", None


def _coloured(token: Token) -> None:
    words = token.info.split()
    # The one kind of token that is put in as it is; the parser makes none, HTML is off.
    token.type = "html_block"
    token.content = code_block(token.content, words[0].lower() if words else "")


def code_block(code: str, language: str = "") -> Markup:
    """A block of code with its colours."""
    block = tag("pre", tag("code", coloured(code.rstrip("\n"), language)), tabindex="0")
    return tag("figure", block, class_="code")
