"""Code with its colours: Linnet by our own tokens, other languages by Pygments."""

import re
from collections.abc import Iterator
from typing import Final

from linnet.pages._markup import Markup, joined, tag, text
from linnet.source import SourceFile
from linnet.syntax import parse_with_tokens

_DTYPE: Final = re.compile(r"bool|bf16|[iu](8|16|32|64)|f(16|32|64)")
_LITERALS: Final = {"INT": "num", "FLOAT": "num", "STRING": "str", "true": "num", "false": "num"}
_NAMES: Final = frozenset(["python", "py", "sh", "bash", "json"])
# A lexer may take long over what is no code at all.
_LONGEST: Final = 200_000


def coloured(code: str, language: str = "") -> Markup:
    """Code as HTML; of a language that is not known, as it is."""
    if len(code) > _LONGEST:
        return text(code)
    if language == "linnet":
        return joined(_linnet(code))
    return joined(_other(code, language)) if language in _NAMES else text(code)


def linnet_lines(code: str) -> list[Markup]:
    """The lines of a program, each coloured by itself."""
    lines: list[list[Markup]] = [[]]
    for piece, style in _pieces(code):
        for at, part in enumerate(piece.split("\n")):
            if at:
                lines.append([])
            if part:
                lines[-1].append(_styled(part, style))
    return [joined(line) for line in lines]


def _linnet(code: str) -> Iterator[Markup]:
    for piece, style in _pieces(code):
        yield _styled(piece, style)


def _styled(piece: str, style: str) -> Markup:
    return tag("span", piece, class_=style) if style else text(piece)


def _pieces(code: str) -> Iterator[tuple[str, str]]:
    """Runs of text and their styles, in order; together they are the code."""
    source = SourceFile("page.linnet", code)
    _, tokens = parse_with_tokens(source)
    spans = [
        (kind, start, end)
        for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True)
        if kind != "END" and end > start
    ]
    at = 0
    for place, (kind, start, end) in enumerate(spans):
        if start < at:
            continue
        yield from _between(source.text[at:start])
        after = spans[place + 1][0] if place + 1 < len(spans) else ""
        yield source.text[start:end], _style(kind, source.text[start:end], after)
        at = end
    yield from _between(source.text[at:])


def _between(gap: str) -> Iterator[tuple[str, str]]:
    if not gap:
        return
    for at, line in enumerate(gap.split("\n")):
        code, mark, comment = line.partition("//")
        yield ("\n" if at else "") + code, ""
        if mark:
            yield mark + comment, "com"


def _style(kind: str, word: str, after: str) -> str:
    if kind in _LITERALS:
        return _LITERALS[kind]
    if kind == "IDENT":
        if _DTYPE.fullmatch(word) or word[:1].isupper():
            return "typ"
        return "fun" if after in ("(", "<") else ""
    return "key" if kind.isalpha() else ""


def _other(code: str, name: str) -> Iterator[Markup]:
    from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
    from pygments.token import Token

    styles = (
        (Token.Comment, "com"),
        (Token.Keyword, "key"),
        (Token.Operator.Word, "key"),
        (Token.Literal.String, "str"),
        (Token.Literal.Number, "num"),
        (Token.Name.Function, "fun"),
        (Token.Name.Class, "typ"),
        (Token.Name.Builtin, "fun"),
    )
    lexer = get_lexer_by_name(name, stripnl=False, ensurenl=False)
    for kind, piece in lexer.get_tokens(code):
        style = next((style for group, style in styles if kind in group), "")
        yield _styled(piece, style)
