"""The lexer: text to tokens (spec section 1), by one compiled pattern.

Takes a source file; gives its tokens and the problems `E1001` to `E1005` and `E1103` for raw
strings. Never stops at a problem: a malformed number, string or name still becomes a token,
a stray character a token of kind `BAD`, at which the parser fails without another word.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from linnet.diagnostics import Diagnostic, Label
from linnet.source import SourceFile, Span

# Words with a meaning, and words kept for later ones [LEX-5].
KEYWORDS: Final = frozenset(
    [
        "module",
        "use",
        "pub",
        "crate",
        "self",
        "super",
        "as",
        "const",
        "type",
        "struct",
        "enum",
        "fn",
        "op",
        "block",
        "entry",
        "param",
        "buffer",
        "state",
        "sub",
        "let",
        "var",
        "return",
        "if",
        "else",
        "match",
        "static",
        "for",
        "in",
        "while",
        "where",
        "true",
        "false",
        "none",
        "some",
        "extern",
    ]
)
RESERVED: Final = frozenset(
    [
        "async",
        "await",
        "effect",
        "unsafe",
        "macro",
        "trait",
        "impl",
        "derive",
        "rng",
        "mut",
        "ref",
        "yield",
        "kernel",
        "device",
    ]
)
# Words that no syntax of the language begins with or, today, contains.
WITHOUT_SYNTAX: Final = (RESERVED - {"kernel", "yield"}) | {"extern", "self", "super"}

IDENT: Final = "IDENT"
INT: Final = "INT"
FLOAT: Final = "FLOAT"
STRING: Final = "STRING"
BAD: Final = "BAD"
END: Final = "END"

# More problems than this say only that the file is no Linnet source.
MOST_PROBLEMS: Final = 50

RESERVED_WORDS: Final = KEYWORDS | RESERVED
_WORDS: Final = {word: word for word in RESERVED_WORDS}
_DIGITS = r"[0-9](?:_?[0-9])*+"
_TOKEN: Final = re.compile(
    rf"""
    (?P<blank>(?:[ \t\r\n]++|//[^\n]*+)++)
  | (?P<raw>r"[^"\r\n]*+"?)
  | (?P<word>[A-Za-z_][A-Za-z0-9_]*+)
  | (?P<open>/\*)
  | (?P<punct>\.\.\.|\.\.|::|->|=>|==|!=|<=|>=|&&|\|\||[-+*/%<>!&|^=.,:;?()\[\]{{}}])
  | (?P<float>{_DIGITS}(?:\.{_DIGITS}(?:[eE][+-]?{_DIGITS})?|[eE][+-]?{_DIGITS})
      (?![A-Za-z0-9_]))
  | (?P<int>(?:0x[0-9a-fA-F](?:_?[0-9a-fA-F])*+|0b[01](?:_?[01])*+|{_DIGITS})
      (?![A-Za-z0-9_]|\.[0-9]))
  | (?P<number>[0-9](?:[eE][+-]|[0-9A-Za-z_]|\.(?=[0-9]))*+)
  | (?P<string>"[^"\\\r\n]*+(?:\\(?:[ntr\\"0]|u\{{[0-9A-Fa-f]{{1,6}}\}})[^"\\\r\n]*+)*+")
  | (?P<quote>"(?:[^"\\\r\n]|\\[^\r\n])*+"?)
  | (?P<stray>(?P<same>[^\x00-\x7f])(?P=same)*+[A-Za-z0-9_]*+|[@\#$\\~'`\x00-\x08]++|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE: Final = re.compile(r"/\*|\*/")
_ESCAPE: Final = re.compile(r"\\(?:u\{([^}\"]*)\}?|(.))", re.DOTALL)
_SIMPLE_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "0": "\0"}
_LARGEST_I64: Final = 2**63 - 1
_LONGEST_I64: Final = 64  # Digits of the longest spelling, in base 2; more cannot fit.


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a file as parallel lists; the last two are of kind `END`.

    The kind of a keyword or punctuation is its text.
    """

    kinds: list[str]
    starts: list[int]
    ends: list[int]


def lex(source: SourceFile, problems: list[Diagnostic]) -> Tokens:
    """Return the tokens of a file; problems are appended to the list."""
    return _Lexer(source, problems).run()


class _Lexer:
    """The state of one run: what was found so far."""

    def __init__(self, source: SourceFile, problems: list[Diagnostic]) -> None:
        self._source = source
        self._text = source.text
        self._problems = problems
        self._kinds: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._reported: set[int] = set()  # Where names begin that were reported.
        self._quotes: dict[str, int] = {}  # The lines of quotes that were reported, by quote.

    def run(self) -> Tokens:
        text, words = self._text, _WORDS
        kinds, starts, ends = self._kinds, self._starts, self._ends
        match = _TOKEN.match
        at = 0
        self._report_invalid_bytes()
        while (found := match(text, at)) is not None:
            group, end = found.lastgroup, found.end()
            if group == "blank":
                at = end
                continue
            if group == "word":
                kinds.append(words.get(found.group(), IDENT))
            elif group == "punct":
                kinds.append(found.group())
            elif group == "int":
                self._check_range(at, end)
                kinds.append(INT)
            elif group == "float":
                kinds.append(FLOAT)
            elif group == "string":
                if "\\u" in found.group():
                    self._check_escapes(at, end)
                kinds.append(STRING)
            elif group == "open":
                at = self._skip_comment(at)
                continue
            else:
                kind = self._odd(group or "", at, end)
                if kind is None:
                    at = end
                    continue
                kinds.append(kind)
            starts.append(at)
            ends.append(end)
            at = end
        for _ in range(2):  # A second one, so that looking one token ahead is always right.
            kinds.append(END)
            starts.append(len(text))
            ends.append(len(text))
        return Tokens(kinds, starts, ends)

    def _odd(self, group: str, start: int, end: int) -> str | None:
        """The kind of a token that is not as it should be; None joins it to the one before."""
        if group == "raw":
            self._report("E1103", start, end, "raw strings are reserved", "this is reserved syntax")
            return STRING
        if group == "number":
            self._report_number(start, end)
            return INT
        if group == "quote":
            self._check_escapes(start, end)
            return STRING
        return self._stray(start, end)

    def _skip_comment(self, start: int) -> int:
        """The offset after a block comment; comments nest [LEX-3]."""
        opened: list[int] = []
        for edge in _COMMENT_EDGE.finditer(self._text, start):
            if edge.group() == "/*":
                opened.append(edge.start())
                continue
            opened.pop()
            if not opened:
                return edge.end()
        self._report(
            "E1002",
            start,
            start + 2,
            "block comment is never closed",
            "opens here",
            note=f"comments nest: {len(opened)} `*/` missing before the end of the file",
        )
        return len(self._text)

    def _stray(self, start: int, end: int) -> str | None:
        char = self._text[start]
        letter = char.isalpha()
        glued = bool(self._ends) and self._ends[-1] == start
        if glued and self._kinds[-1] == BAD and not letter:
            self._ends[-1] = end  # A run of stray characters is one problem.
            return None
        in_word = glued and self._kinds[-1] == IDENT and (letter or not char.isascii())
        if in_word and self._starts[-1] in self._reported:
            self._ends[-1] = end
            return None
        if not "\udc80" <= char <= "\udcff":
            if letter or in_word:
                word = self._starts[-1] if in_word else start
                self._reported.add(word)
                message = f"{_shown(char)} cannot be part of a name"
                note = "names are made of ASCII letters, digits and `_`"
                self._report("E1001", start, start + 1, message, "not an ASCII letter", note=note)
            elif not self._closes_quote(char, start):
                self._report(
                    "E1001",
                    start,
                    start + 1,
                    f"{_shown(char)} starts no token",
                    "not part of the language",
                    help=_STRAY_HELP.get(char),
                )
        if in_word:
            self._ends[-1] = end
            return None
        return IDENT if letter else BAD

    def _closes_quote(self, char: str, at: int) -> bool:
        """Whether a quote of another language closes one that was reported on its line."""
        if char not in "'`":
            return False
        line = self._source.line_of(at)
        closes = self._quotes.get(char) == line
        if closes:
            del self._quotes[char]
        else:
            self._quotes[char] = line
        return closes

    def _report_invalid_bytes(self) -> None:
        """One problem for each run of bytes that are not UTF-8 [LEX-1]."""
        previous = -2
        for offset in self._source.invalid:
            if offset != previous + 1:
                byte = ord(self._text[offset]) - 0xDC00
                message = f"byte 0x{byte:02x} is not valid UTF-8"
                self._report("E1001", offset, offset + 1, message, "not text")
            previous = offset

    def _check_range(self, start: int, end: int) -> None:
        if end - start >= 16 and integer_value(self._text[start:end]) is None:
            self._report(
                "E1005",
                start,
                end,
                "number does not fit `i64`",
                f"larger than {_LARGEST_I64}",
            )

    def _report_number(self, start: int, end: int) -> None:
        text = self._text[start:end]
        label, help = "not a number", None
        if text[-1] in "eE+-" and not text.startswith("0x"):
            label = "the exponent has no digits"
        elif text in ("0x", "0b"):
            label = "no digits after the prefix"
        elif text.startswith("0b"):
            label = "binary digits are `0` and `1`"
        elif text.startswith(("0X", "0B")):
            label, help = "the prefix is in lower case", f"write `{text[:2].lower()}{text[2:]}`"
        elif "__" in text or text.endswith("_") or "_." in text:
            label = "an underscore stands only between two digits"
        elif text.startswith("0x"):
            label = "hexadecimal digits are `0` to `9` and `a` to `f`"
        elif text[-1].isalpha() or text[-1].isdigit():
            label = "letters follow the digits"
            number = _SUFFIXED.fullmatch(text)
            if number is not None:
                help = f"write `{number[1]}`: its dtype comes from what it meets"
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        self._report("E1005", start, end, f"malformed number `{shown}`", label, help=help)

    def _check_escapes(self, start: int, end: int) -> None:
        """Report what is wrong with a string; one problem a string [LEX-8]."""
        text = self._text[start:end]
        for escape in _ESCAPE.finditer(text, 1):
            if _escaped(escape) is None:
                first = start + escape.start()
                last = min(start + escape.end(), end)
                self._report(
                    "E1003",
                    first,
                    last,
                    f"unknown escape `{self._text[first:last]}` in a string",
                    "not an escape",
                    note=r"the escapes are `\n \t \r \\ \" \0 \u{hex}`",
                )
                return
        closed = len(text) > 1 and text[-1] == '"' and not _ends_in_escape(text)
        if not closed:
            self._report(
                "E1003", start, end, "string is not closed on its line", "no closing quote"
            )

    def _report(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        label: str,
        note: str | None = None,
        help: str | None = None,
    ) -> None:
        if len(self._problems) >= MOST_PROBLEMS:
            return
        place = Label(Span(self._source, start, end), label)
        notes = () if note is None else (note,)
        self._problems.append(Diagnostic(code, message, place, notes=notes, help=help))


# A number with the suffix of another language, such as `1.5f` or `8u32`.
_SUFFIXED: Final = re.compile(
    r"(\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:_?(?:[iu]\d+|b?f\d+)|[fFhdDlLuU])"
)
_STRAY_HELP: Final = {
    "~": "`!` negates a `bool`, `mask ^ true` a tensor of them",
    "#": "a comment begins with `//`",
    "'": 'strings use `"`',
    "\N{LEFT DOUBLE QUOTATION MARK}": 'strings use `"`',
    "\N{RIGHT DOUBLE QUOTATION MARK}": 'strings use `"`',
    "\N{MULTIPLICATION SIGN}": "multiply with `*`",
    "\N{MINUS SIGN}": "subtract with `-`",
    "\N{LESS-THAN OR EQUAL TO}": "write `<=`",
    "\N{GREATER-THAN OR EQUAL TO}": "write `>=`",
    "\N{NOT EQUAL TO}": "write `!=`",
    "\N{RIGHTWARDS ARROW}": "write `->`",
    "\N{NO-BREAK SPACE}": "use an ordinary space",
    "@": "a matrix product is written with indices: `sum[k] x[i, k] * y[k, j]`",
}


def integer_value(text: str) -> int | None:
    """The value of an integer token, or None where it does not fit i64 [LEX-6]."""
    digits = text.replace("_", "")
    base = {"0x": 16, "0b": 2}.get(digits[:2], 10)
    significant = (digits if base == 10 else digits[2:]).lstrip("0")
    if len(significant) > _LONGEST_I64:
        return None
    try:
        value = int(significant or "0", base)
    except ValueError:  # A malformed number, already reported.
        return None
    return value if value <= _LARGEST_I64 else None


def string_value(text: str) -> str:
    """The value of a well-formed string token."""
    return _ESCAPE.sub(lambda escape: _escaped(escape) or "", text[1:-1])


def _escaped(escape: re.Match[str]) -> str | None:
    """The character that an escape stands for, or None for an unknown one."""
    digits = escape.group(1)
    if digits is None:
        simple = escape.group(2)
        return _SIMPLE_ESCAPES.get(simple)
    if not escape.group().endswith("}") or not re.fullmatch("[0-9A-Fa-f]{1,6}", digits):
        return None
    code = int(digits, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return None
    return chr(code)


def _ends_in_escape(text: str) -> bool:
    """Whether the last quote is itself escaped, so that the string stays open."""
    body = text[:-1]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _shown(char: str) -> str:
    """A character as a message names it: itself, or its number where it cannot be seen."""
    if char.isprintable() and not char.isspace() and char != "`":
        return f"character `{char}`"
    name = unicodedata.name(char, "")
    return f"character U+{ord(char):04X}{f' ({name.lower()})' if name else ''}"
