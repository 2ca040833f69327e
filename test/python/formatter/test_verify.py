"""The formatter checks its own work before it gives it to anybody."""

import pytest

from linnet.errors import InternalError
from linnet.formatter import _format, format_source
from linnet.formatter._verify import first_difference
from linnet.source import decode
from linnet.syntax import parse_with_tokens


def difference(before: str, after: str) -> str | None:
    files = [decode(text.encode(), "verify.linnet") for text in (before, after)]
    (one, one_tokens), (two, two_tokens) = (parse_with_tokens(file) for file in files)
    assert one.tree is not None
    return first_difference((files[0], one_tokens, one.tree), (files[1], two_tokens, two.tree))


PROGRAM = "module m const A = f(a, (b,)) // note\n"


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        ("module m\n\nconst A = f(\n    a,\n    (b,),\n) // note", None),
        ("module m const A = f(a, (c,)) // note", "a token"),
        ("module m const A = f(a, (b)) // note", "the syntax tree"),
        ("module m const A = f(a, (b,)) // nite", "a comment"),
        ("module m const A = f(a, (b,))", "a comment"),
        ("module m const A = f(a, (b,) // note", "a program into one with syntax errors"),
        ("module m const A = f((a, b,)) // note", "a token"),
    ],
)
def test_what_is_not_layout_is_noticed(after: str, wanted: str | None) -> None:
    assert difference(PROGRAM, after) == wanted


def test_a_wrong_result_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> str:
        return "module m\n\nconst A = f(a, (c,)) // note\n"

    monkeypatch.setattr(_format, "print_rows", wrong)
    with pytest.raises(InternalError, match="would change a token; it is left alone"):
        format_source(decode(PROGRAM.encode(), "verify.linnet"))


@pytest.mark.parametrize("text", ["module m fn f({}", "", "module m const A = \xff", "/* open"])
def test_a_file_with_syntax_errors_is_left_alone(text: str) -> None:
    result = format_source(decode(text.encode("latin-1"), "broken.linnet"))
    assert result.text is None
    assert result.diagnostics


def test_line_ends_become_lf_and_the_mark_goes() -> None:
    text = '\ufeffmodule m\r\n\r\n/* a\r\n b */\r\nconst A = "x" // c\r\n'
    result = format_source(decode(text.encode(), "crlf.linnet"))
    assert result.text == 'module m\n\n/* a\n b */\nconst A = "x" // c\n'
