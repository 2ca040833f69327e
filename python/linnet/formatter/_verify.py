"""The check of the formatter's own work, before anything is written.

Layout is all that may change: two texts must have the same tokens but for a comma before a
closer, the same comments in the same order, and the same tree but for its spans.
"""

from dataclasses import fields, is_dataclass
from typing import Final, cast

from linnet.formatter._comments import comments_of
from linnet.source import SourceFile, Span
from linnet.syntax import Module, Tokens

_CLOSERS: Final = frozenset((")", "]", ">", "}", "{"))


def first_difference(
    before: tuple[SourceFile, Tokens, Module],
    after: tuple[SourceFile, Tokens, Module | None],
) -> str | None:
    """What of two readings of a program is not the same, in words; None if all is."""
    if after[2] is None:
        return "a program into one with syntax errors"
    if _words(before[0].text, before[1]) != _words(after[0].text, after[1]):
        return "a token"
    if _comments(before[0].text, before[1]) != _comments(after[0].text, after[1]):
        return "a comment"
    if not same_tree(before[2], after[2]):
        return "the syntax tree"
    return None


def _words(text: str, tokens: Tokens) -> list[str]:
    """The texts of the tokens, without commas that end a list; `::` are two colons [LEX-9]."""
    kinds = tokens.kinds
    words = [
        text[start:end]
        for kind, start, end, following in zip(
            kinds, tokens.starts, tokens.ends, [*kinds[1:], ""], strict=True
        )
        if kind != "," or following not in _CLOSERS
    ]
    return [part for word in words for part in ((":", ":") if word == "::" else (word,))]


def _comments(text: str, tokens: Tokens) -> list[list[str]]:
    """The comments in their order, as lines without the white space around them."""
    gaps = comments_of(text, tokens.starts[:-1], tokens.ends[:-1])
    return [
        [line.strip() for line in comment.text.split("\n")]
        for number in sorted(gaps)
        for comment in gaps[number].comments
    ]


def same_tree(one: object, other: object) -> bool:
    """Whether two trees differ at most in their spans."""
    pairs: list[tuple[object, object]] = [(one, other)]
    named: dict[type, tuple[str, ...]] = {}  # The fields of each class of nodes.
    while pairs:
        left, right = pairs.pop()
        kind = type(left)
        if kind is not type(right):
            return False
        if kind is tuple:
            mine, theirs = cast(tuple[object, ...], left), cast(tuple[object, ...], right)
            if len(mine) != len(theirs):
                return False
            pairs += zip(mine, theirs, strict=True)
        elif kind is not Span:
            names = named.get(kind)
            if names is None:
                names = tuple(each.name for each in fields(left)) if is_dataclass(left) else ()
                named[kind] = names
            if not names and left != right:
                return False
            for name in names:
                pairs.append((getattr(left, name), getattr(right, name)))
    return True
