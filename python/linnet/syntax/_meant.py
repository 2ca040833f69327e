"""What an unexpected token was probably meant to be: the help of a syntax error.

Looks at the tokens around the place, and knows what authors bring along from Python, Rust and
other languages. Every rule gives one line that says what to write, or nothing.
"""

import re
from typing import Final

from linnet.diagnostics import Edit, did_you_mean
from linnet.source import SourceFile, Span
from linnet.syntax._lexer import FLOAT, IDENT, INT, STRING, Tokens

CHOICE: Final = "a choice is written `if c { a } else { b }`"
_TENSOR: Final = "a tensor type is written `Tensor[N, M; f32]`"
_POWER: Final = "there are no powers: write `x * x`, or `exp(y * log(x))`"
_WORDS: Final = {
    "and": "write `&&`",
    "or": "write `||`",
    "elif": "nest it: `else { if … { … } else { … } }`",
    "then": CHOICE,
}
_ITEMS: Final = {
    **dict.fromkeys(("def", "func", "function", "fun", "proc"), "write `fn`"),
    **dict.fromkeys(("class", "model", "layer"), "write `block`"),
    **dict.fromkeys(("public", "export"), "write `pub`"),
    **dict.fromkeys(
        ("import", "from", "include", "using", "require"),
        "imports are written `use std.linalg::{dot}`",
    ),
    **dict.fromkeys(("let", "var", "val", "static"), "write `const`"),
    **dict.fromkeys(("typedef", "alias"), "write `type`"),
    "record": "write `struct`",
    "private": "what has no `pub` is private; remove it",
}
_MEMBERS: Final = {
    **dict.fromkeys(("weight", "parameter", "let", "var"), "write `param`"),
    **dict.fromkeys(("module", "submodule", "layer", "child"), "write `sub`"),
    **dict.fromkeys(("cache",), "write `state`"),
    **dict.fromkeys(("def", "func", "function", "fun", "method"), "write `fn`"),
}
_KINDS: Final = {
    **dict.fromkeys(("int", "Int", "i64", "usize", "Nat", "Size", "size", "Index"), "Dim"),
    **dict.fromkeys(("type", "Type", "Any", "dtype", "Dtype", "T"), "DType"),
    **dict.fromkeys(("f32", "f64", "Real", "Floating"), "Float"),
    **dict.fromkeys(("Number", "Num", "number"), "Numeric"),
    **dict.fromkeys(("Shapes", "Pack", "Dims"), "Shape"),
}
_ITEM_WORDS: Final = ("pub", "const", "type", "struct", "enum", "fn", "op", "entry", "block")
_MEMBER_WORDS: Final = ("param", "buffer", "state", "sub", *_ITEM_WORDS)
_STATEMENTS: Final = ("let", "var", "return", "static", "while", "for", "yield")
_REDUCTIONS: Final = ("sum", "prod", "max", "min", "any", "all")
_DTYPES: Final = re.compile(r"bool|[iu](8|16|32|64)|bf16|f(16|32|64)")
_WRITE: Final = re.compile("write `([^`…]+)`|did you mean `([^`]+)`\\?")
_OPERANDS: Final = frozenset((IDENT, INT, FLOAT, ")", "]", "true", "false"))


class Meant:
    """The tokens of a file, asked for what one of them was meant to be."""

    def __init__(self, source: SourceFile, tokens: Tokens) -> None:
        self._text = source.text
        self._kinds, self._starts, self._ends = tokens.kinds, tokens.starts, tokens.ends

    def token(self, at: int, expected: str) -> str | None:
        """The help for the token `at`, where `expected` was expected."""
        before = self._kind(at - 1)
        word = self._word(at)
        if self._kinds[at] == IDENT and word in _WORDS:
            return _WORDS[word]
        if self._kind(at - 1) == IDENT and self._word(at - 1) == "not" and self._one_line(at):
            return "write `!` for `not`"
        if self._commented(at) and expected != "an item":
            return "`//` begins a comment; `/` divides"
        if self._kinds[at] == IDENT and "`{`" in expected and did_you_mean(word, ("where",)):
            return "did you mean `where`?"
        match self._kinds[at]:
            case "*" if before == "*" and self._touches(at):
                return _POWER
            case "<" if before == "<" and self._touches(at):
                return "bits are shifted by `shl(x, n)`"
            case ">" if before == ">" and self._touches(at):
                return "bits are shifted by `shr(x, n)`"
            case ">" if before == "<" and self._touches(at):
                return "write `!=` for `<>`"
            case "=" if before in ("+", "-", "*", "/", "%", "&", "|", "^") and self._touches(at):
                return self._compound(at - 1)
            case "." if self._kind(at + 1) == INT and expected == "an expression":
                return f"a digit stands before the point: `0.{self._word(at + 1)}`"
            case "?":
                return self._question(at, expected)
            case ":":
                return self._colon(at, expected)
            case "=>" if "`->`" in expected:
                return "write `->`"
            case "{" if expected == "a statement or `}`" and before == IDENT:
                name = self._word(at - 1)
                return f"a struct is built with parentheses: `{name}(field = …)`"
            case "{" if expected == "an expression" and before == "where":
                return "constraints follow `where` without braces: `where N > 0 {`"
            case "=" if expected == "`{`":
                return "a body stands in braces: `{ return … }`"
            case "return" if expected == "an expression" and before == "{":
                return "`return` stands before the `if`: `return if c { a } else { b }`"
            case "for" if expected == "`,` or `)`":
                return "a reduction names its indices: `sum[i] x[i]`"
            case "(" if expected == "`=>`":
                return "the patterns of an optional are `some(v)` and `none`"
            case "where" if self._kind(at + 1) == "(":
                return "elements are chosen by `select(c, a, b)`"
            case "[":
                return self._bracket(at, expected)
            case "*" | "..." if before in ("[", ","):
                return "a pack is spread by its name: `*S`, declared as `<*S: Shape>`"
            case "," | "]" if before == "*":
                return "a pack is spread by its name: `*S`, declared as `<*S: Shape>`"
            case "::" | "/" if self._in_use(at):
                return "the path of a module is joined by dots: `std.linalg`"
            case ">" | "," if expected == "`:`":
                name = self._word(at - 1)
                return f"a generic has a kind: `{name}: Dim`, or `{name}: Float` for a dtype"
            case _:
                return self._repeated(at)

    def item(self, at: int, *, in_block: bool) -> str | None:
        """The help for a token at which no item begins."""
        word = self._word(at)
        if in_block and word in _MEMBERS:
            return _MEMBERS[word]
        if word in _ITEMS:
            return _ITEMS[word]
        if self._in_use(at) and self._kinds[at] in ("::", "/"):
            return "the path of a module is joined by dots: `std.linalg`"
        if self._kinds[at] != IDENT:
            return None
        if self._kind(at + 1) not in (":", "("):
            near = did_you_mean(word, _MEMBER_WORDS if in_block else _ITEM_WORDS)
            if near is not None:
                return f"did you mean `{near}`?"
        if in_block and self._kind(at + 1) == ":":
            return f"a weight is declared by `param {word}: …`, a part by `sub {word}: …`"
        if self._kind(at + 1) == "(":
            return f"a function begins with `fn {word}(`, what others run with `entry {word}(`"
        return None

    def statement(self, begin: int, end: int) -> str | None:
        """The help for an expression from token `begin` on, `end` not with it, alone in a body."""
        kind, after = self._kinds[begin], self._kind(begin + 1)
        if self._kind(begin - 1) == "]" and self._one_line(begin):
            return self._reduction(begin)
        if self._word(begin - 1) == "lambda":
            return "functions are no values; a function is declared by `fn` in the module"
        found = self.token(begin, "a statement")
        if found is not None:
            return found
        word = self._word(begin)
        if kind == IDENT and after == ":" and self._kind(begin + 2) == "=":
            return f"write `let {word} = …`"
        near = did_you_mean(word, _STATEMENTS) if kind == IDENT and after != ":" else None
        if near is not None and self._one_line(begin + 1):
            return f"did you mean `{near}`?"
        if kind == IDENT and after == ":":
            return f"write `let {word}: …`, or `var` for what is assigned later"
        if kind == STRING:
            return "a comment begins with `//`"
        if self._kind(end) == "}":
            value = self._text[self._starts[begin] : self._ends[end - 1]]
            return f"a result is returned: `return {value}`" if len(value) <= 40 else None
        return None

    def kind(self, at: int, kinds: tuple[str, ...]) -> str | None:
        """The help for a word that is no kind of a generic."""
        word = self._word(at)
        near = _KINDS.get(word) or did_you_mean(word, kinds)
        return None if near is None else f"did you mean `{near}`?"

    def reserved(self, at: int) -> str | None:
        """The help for a reserved word where a name or an expression is expected."""
        word = self._word(at)
        if word == "mut" and self._kind(at - 1) == "let":
            return "a variable is declared by `var`"
        if word == "self" and self._kind(at + 1) == ".":
            return f"members are bare names: write `{self._word(at + 2)}`"
        if word == "self":
            return "remove it: members are in scope without `self`"
        return None

    def dtype(self, closer: int) -> str | None:
        """The help for a tensor type that ends without `;`, its `]` at `closer`."""
        if self._kind(closer - 2) == "," and _DTYPES.fullmatch(self._word(closer - 1)):
            return f"write `; {self._word(closer - 1)}` in place of `, {self._word(closer - 1)}`"
        return None

    def culprit(self, at: int) -> int:
        """The token to replace where `at` was not expected: a `[` follows a misspelt type."""
        return at - 1 if self._kinds[at] == "[" else at

    # Rules for one token

    def _compound(self, at: int) -> str | None:
        if self._kind(at - 1) != IDENT:
            return None
        name, op = self._word(at - 1), self._kinds[at]
        return f"write `{name} = {name} {op} …`"

    def _question(self, at: int, expected: str) -> str | None:
        if expected == "a type":
            return "the `?` of an optional type follows it: `f32?`"
        if self._kind(at - 1) in ("[", ","):
            return "a size is a generic: `<N: Dim>`"
        return CHOICE if self._kind(at - 1) in _OPERANDS else None

    def _colon(self, at: int, expected: str) -> str | None:
        if "`->`" in expected:
            return "the type of the result follows `->`"
        if expected == "`,` or `)`" and self._kind(at - 1) == IDENT:
            return f"an argument is named by `=`: `{self._word(at - 1)} = …`"
        if expected == "`{`":
            return "a body stands in braces: `{ … }`"
        if expected == "`=`":
            return "write `=`"
        return None

    def _bracket(self, at: int, expected: str) -> str | None:
        if expected == "`(`":
            return "generics stand in angle brackets: `<N: Dim>`"
        word = self._word(at - 1)
        if word.lower() in ("array", "ndarray") or _DTYPES.fullmatch(word):
            return _TENSOR
        near = did_you_mean(word, ("Tensor",)) if self._kind(at - 1) == IDENT else None
        return None if near is None else "did you mean `Tensor`?"

    def _repeated(self, at: int) -> str | None:
        """`x++` and `x--`, which end in an operand that is missing."""
        ops = self._kind(at - 2), self._kind(at - 1)
        if (
            ops in (("+", "+"), ("-", "-"))
            and self._touches(at - 1)
            and self._kind(at - 3) == IDENT
        ):
            name = self._word(at - 3)
            return f"there is no `{ops[0] * 2}`: write `{name} = {name} {ops[0]} 1`"
        return None

    def _reduction(self, begin: int) -> str | None:
        """`mean[i] x[i]`: a word that is no reduction before what it should reduce."""
        at = begin - 1
        while at > 0 and self._kinds[at] != "[":
            at -= 1
        word = self._word(at - 1)
        if word in ("mean", "average"):
            return "a mean is a sum divided by the size: `(sum[i] x[i]) / N`"
        near = did_you_mean(word, _REDUCTIONS)
        if near is not None:
            return f"did you mean `{near}`, the reduction?"
        return "the reductions are `sum`, `prod`, `max`, `min`, `any` and `all`"

    # Tokens

    def _kind(self, at: int) -> str:
        return self._kinds[at] if 0 <= at < len(self._kinds) else ""

    def _word(self, at: int) -> str:
        return self._text[self._starts[at] : self._ends[at]] if 0 <= at < len(self._kinds) else ""

    def _touches(self, at: int) -> bool:
        """Whether no space stands between a token and the one before."""
        return at > 0 and self._ends[at - 1] == self._starts[at]

    def _one_line(self, at: int) -> bool:
        """Whether a token stands on the line of the one before."""
        return at > 0 and "\n" not in self._text[self._ends[at - 1] : self._starts[at]]

    def _commented(self, at: int) -> bool:
        """Whether an operand is followed by `//` on its line, and by this token on another."""
        if self._kind(at - 1) not in _OPERANDS:
            return False
        line = self._text[self._ends[at - 1] : self._starts[at]].partition("\n")[0]
        return re.match(r"[ \t]*//[ \t]*(\d+|[A-Z]\w*)[ \t]*[;\]),*]", line) is not None

    def _in_use(self, at: int) -> bool:
        """Whether the names before a token are the path of a `use`."""
        at -= 1
        while self._kind(at) in (IDENT, ".", "::", "/", "crate"):
            at -= 1
        return self._kind(at) == "use"


def replacement(help: str | None, span: Span) -> Edit | None:
    """The edit of a help that says only what to write at a place."""
    found = None if help is None else _WRITE.fullmatch(help)
    return None if found is None else Edit(span, found[1] or found[2])
