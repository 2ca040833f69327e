"""The part of YAML that a binding file may use [WGT-2]: maps, lists and scalars, no tags.

Takes text; gives `dict`, `list` and `str`, every scalar as it is written. Indented and bracketed
maps and lists, plain and quoted scalars on one line, and comments are read. Whatever could compute
or mean something else in another reader is refused: tags, anchors, aliases, merges, block scalars,
several documents, tabs before text. So a file that is read here means the same everywhere.
"""

import json
import re
from typing import Final, NoReturn, final

Yaml = str | list["Yaml"] | dict[str, "Yaml"]

_DEEPEST: Final = 50
_QUOTES: Final = ("'", '"')
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')
_PLAIN: Final = re.compile(r"(?:[^\s:#]|:(?!\s|$)|(?<!\s)#|[ ]++(?=[^\s#])(?!:(?:\s|$)))+")
_PLAIN_IN_BRACKETS: Final = re.compile(
    r"(?:[^\s:#,\[\]{}]|:(?![\s,\]}]|$)|(?<!\s)#|\{\w+\}|[ ]++(?=[^\s#,\]}])(?!:(?:\s|$)))+"
)
_REFUSED: Final = {
    "!": "a tag",
    "&": "an anchor",
    "*": "an alias",
    "|": "a block scalar",
    ">": "a block scalar",
    "%": "a directive",
    "@": "a reserved character",
    "`": "a reserved character",
    "?": "a complex key",
}


class YamlError(Exception):
    """What a binding file may not hold, and its 1-based line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def read_yaml(text: str) -> Yaml | None:
    """Return what a text holds, None for nothing. YamlError for what is not of the subset."""
    return _Reader(text).document()


@final
class _Reader:
    """The lines that hold something: number, indent, text without comment."""

    def __init__(self, text: str) -> None:
        self._lines: list[tuple[int, int, str]] = []
        self._at = 0
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
            line = line.rstrip("\r")
            bare = line.lstrip(" ")
            if not bare.strip() or bare.startswith("#"):
                continue
            if bare.startswith("\t"):
                raise YamlError(number, "a tab indents this line; use spaces")
            if re.match(r"(?:---|\.\.\.)(?:\s|$)", line):
                if self._lines or bare.rstrip() != "---":
                    raise YamlError(number, "a file holds one document, below `---` if that stands")
                continue
            self._lines.append((number, len(line) - len(bare), bare))

    def document(self) -> Yaml | None:
        if not self._lines:
            return None
        value = self._block(self._lines[0][1], 0)
        if self._at < len(self._lines):
            self._fail("this line is indented otherwise than those above it")
        return value

    def _fail(self, reason: str) -> NoReturn:
        at = min(self._at, len(self._lines) - 1)
        raise YamlError(self._lines[at][0], reason)

    # Indented maps and lists

    def _block(self, indent: int, depth: int) -> Yaml:
        """What stands at an indent, from the line at hand on."""
        if depth > _DEEPEST:
            self._fail("the file is nested too deep")
        text = self._lines[self._at][2]
        if text == "-" or text.startswith("- "):
            return self._list(indent, depth)
        if self._key(text) is not None:
            return self._map(indent, depth)
        self._at += 1
        return self._inline(text)

    def _list(self, indent: int, depth: int) -> list[Yaml]:
        found: list[Yaml] = []
        while self._at < len(self._lines) and self._lines[self._at][1] == indent:
            number, _, text = self._lines[self._at]
            if not (text == "-" or text.startswith("- ")):
                break
            rest = text[1:].lstrip(" ")
            if not rest or rest.startswith("#"):
                found.append(self._below(indent, depth, "this element"))
                continue
            # The rest of the line is a block of its own, as deep as it stands.
            inner = indent + len(text) - len(rest)
            self._lines[self._at] = (number, inner, rest)
            found.append(self._block(inner, depth + 1))
        return found

    def _map(self, indent: int, depth: int) -> dict[str, Yaml]:
        found: dict[str, Yaml] = {}
        while self._at < len(self._lines) and self._lines[self._at][1] == indent:
            text = self._lines[self._at][2]
            split = self._key(text)
            if split is None:
                self._fail("expected `key: value`")
            key, rest = split
            if key in found:
                self._fail(f"`{key}` is given twice")
            if key == "<<":
                self._fail("a merge is not part of a binding file")
            if not rest or rest.startswith("#"):
                found[key] = self._below(indent, depth, f"`{key}`")
            else:
                self._at += 1
                found[key] = self._inline(rest, self._at - 1)
        return found

    def _below(self, indent: int, depth: int, what: str) -> Yaml:
        """The block below a key or dash; a list of a key may stand at the key's own indent."""
        self._at += 1
        if self._at < len(self._lines):
            _, inner, text = self._lines[self._at]
            dash = text == "-" or text.startswith("- ")
            if inner > indent or (inner == indent and dash and what[0] == "`"):
                return self._block(inner, depth + 1)
        self._at -= 1
        self._fail(f"{what} has no value")

    def _key(self, text: str) -> tuple[str, str] | None:
        """The key that a line begins with and what follows its `:`, if it is one of a map."""
        if text[0] in "[{":
            return None
        found = (_QUOTED if text[0] in _QUOTES else _PLAIN).match(text)
        if found is None or not re.match(r"[ ]*:(?:\s|$)", text[found.end() :]):
            return None
        rest = text[found.end() :].lstrip(" ")[1:].strip()
        return self._scalar(found.group(), self._at), rest

    # What stands on one line

    def _inline(self, text: str, at: int | None = None) -> Yaml:
        at = self._at - 1 if at is None else at
        value, end = self._value(text, 0, at, 0, in_brackets=False)
        rest = text[end:].strip()
        if rest and not (text[end] == " " and rest.startswith("#")):
            raise YamlError(self._lines[at][0], f"unexpected `{rest[:20]}`")
        return value

    def _value(
        self, text: str, start: int, at: int, depth: int, *, in_brackets: bool
    ) -> tuple[Yaml, int]:
        number = self._lines[at][0]
        if depth > _DEEPEST:
            raise YamlError(number, "the line is nested too deep")
        start = _skip(text, start)
        if start < len(text) and text[start] in "[{":
            return self._brackets(text, start, at, depth)
        plain = _PLAIN_IN_BRACKETS if in_brackets else _PLAIN
        quoted = start < len(text) and text[start] in _QUOTES
        found = (_QUOTED if quoted else plain).match(text, start)
        if quoted and found is None:
            raise YamlError(number, "the quote is not closed on its line")
        if found is None:
            raise YamlError(number, "expected a value on this line")
        return self._scalar(found.group(), at), found.end()

    def _brackets(self, text: str, start: int, at: int, depth: int) -> tuple[Yaml, int]:
        """`[a, b]` or `{a: b}`, closed on its line."""
        number = self._lines[at][0]
        closer = "]" if text[start] == "[" else "}"
        elements: list[Yaml] = []
        pairs: dict[str, Yaml] = {}
        position = _skip(text, start + 1)
        while not text.startswith(closer, position):
            value, position = self._value(text, position, at, depth + 1, in_brackets=True)
            position = _skip(text, position)
            if closer == "}":
                if not isinstance(value, str) or not text.startswith(":", position):
                    raise YamlError(number, "expected `key: value` between braces")
                if value in pairs or value == "<<":
                    raise YamlError(number, f"`{value}` is given twice")
                key = value
                value, position = self._value(text, position + 1, at, depth + 1, in_brackets=True)
                pairs[key] = value
                position = _skip(text, position)
            else:
                elements.append(value)
            if text.startswith(",", position):
                position = _skip(text, position + 1)
            elif not text.startswith(closer, position):
                raise YamlError(number, f"expected `,` or `{closer}` on this line")
        return (elements if closer == "]" else pairs), position + 1

    def _scalar(self, text: str, at: int) -> str:
        number = self._lines[at][0]
        if text[0] == '"':
            try:
                return str(json.loads(text))
            except ValueError:
                raise YamlError(number, f"{text} has an escape that JSON lacks") from None
        if text[0] == "'":
            return text[1:-1].replace("''", "'")
        if text[0] in _REFUSED:
            what = _REFUSED[text[0]]
            raise YamlError(number, f"{what} is not part of a binding file: `{text[:20]}`")
        if text[0] in "#[]{}," or text == "-" or text.startswith("- "):
            raise YamlError(number, f"unexpected `{text[:20]}`")
        return text


def _skip(text: str, at: int) -> int:
    """The place of the next character that is no space."""
    while at < len(text) and text[at] == " ":
        at += 1
    return at
