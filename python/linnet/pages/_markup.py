"""HTML as values, so that no text can become markup by oversight.

`Markup` is text that is HTML already; everything else is escaped where it is put in.
"""

import html
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


Part = str | Markup | Sequence["Part"]
_VOID = frozenset(["br", "hr", "img", "link", "meta", "input"])


def tag(name: str, /, *children: Part, **attributes: str | bool | None) -> Markup:
    """An element. `class_` is `class`, `data_x` is `data-x`; an attribute that is False is left
    out, one that is True has no value."""
    head = [name]
    for key, value in attributes.items():
        if value is False or value is None:
            continue
        shown = key.rstrip("_").replace("_", "-")
        head.append(shown if value is True else f'{shown}="{html.escape(str(value), quote=True)}"')
    opened = f"<{' '.join(head)}>"
    return Markup(opened if name in _VOID else f"{opened}{text(children)}</{name}>")


def text(part: Part) -> Markup:
    """Text or elements as HTML."""
    if isinstance(part, Markup):
        return part
    if isinstance(part, str):
        return Markup(html.escape(_printable(part), quote=True))
    return Markup("".join(map(text, part)))


def joined(parts: Iterable[Part], between: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(text(between).join(text(part) for part in parts))


def link(shown: Part, address: str, class_: str | None = None) -> Markup:
    """A link to another place, or what is shown of it where the address is of no web page."""
    if not is_web(address):
        return text(shown)
    return tag("a", shown, href=address, rel="noopener noreferrer nofollow", class_=class_)


def is_web(address: str) -> bool:
    """Whether a link may lead there: a web page, a mail address, or a part of this page."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return False
    if parts.scheme in ("http", "https"):
        return bool(parts.netloc)
    if parts.scheme == "mailto":
        return True
    return not parts.scheme and not parts.netloc and address.startswith("#")


def _printable(text_: str) -> str:
    """Text without the characters that HTML has no place for, and that turn writing around."""
    return "".join(
        char
        for char in text_
        if char in "\n\t" or not (char < " " or "\x7f" <= char <= "\x9f" or _is_odd(char))
    )


def _is_odd(char: str) -> bool:
    return char in _TURNS or "\ud800" <= char <= "\udfff"


_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
