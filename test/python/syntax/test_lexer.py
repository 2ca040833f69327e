"""The lexer, rule by rule (spec section 1)."""

import pytest

from linnet.diagnostics import Diagnostic
from linnet.source import decode
from linnet.syntax._lexer import END, integer_value, lex, string_value


def tokens(text: str | bytes) -> tuple[list[str], list[str]]:
    """The texts of the tokens, and the codes of the problems."""
    data = text.encode() if isinstance(text, str) else text
    file = decode(data, "a.linnet")
    problems: list[Diagnostic] = []
    found = lex(file, problems)
    assert found.kinds[-2:] == [END, END]
    places = zip(found.starts[:-2], found.ends[:-2], strict=True)
    return [file.text[start:end] for start, end in places], [one.code for one in problems]


def test_operators_are_read_longest_first() -> None:
    assert tokens("x<=y::z...->=>==!.. &&||")[0] == (
        ["x", "<=", "y", "::", "z", "...", "->", "=>", "==", "!", "..", "&&", "||"]
    )


def test_two_closing_angles_are_two_tokens() -> None:
    assert tokens("A<B<N>>")[0] == ["A", "<", "B", "<", "N", ">", ">"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("42", 42), ("1_000", 1000), ("0xfF", 255), ("0b10_10", 10), ("007", 7)],
)
def test_integers(text: str, value: int) -> None:
    assert tokens(text) == ([text], [])
    assert integer_value(text) == value


def test_the_largest_integer_is_that_of_i64() -> None:
    assert tokens("9223372036854775807")[1] == []
    assert tokens("9223372036854775808")[1] == ["E1005"]
    assert tokens("0xFFFFFFFFFFFFFFFF")[1] == ["E1005"]
    assert tokens("9" * 10_000)[1] == ["E1005"]


@pytest.mark.parametrize(
    "text",
    [
        "0x",
        "0b",
        "0b12",
        "1__0",
        "1_",
        "12abc",
        "1e",
        "1e+",
        "1.5e-",
        "0xg",
        "0X1",
        "1_.5",
        "0x1.5",
    ],
)
def test_malformed_numbers_are_one_token_each(text: str) -> None:
    assert tokens(text) == ([text], ["E1005"])


@pytest.mark.parametrize("text", ["0.0", "1e-5", "3.141_592", "2.5E3", "1e+5", "1_0e1_0"])
def test_floats(text: str) -> None:
    assert tokens(text) == ([text], [])


def test_a_float_has_digits_on_both_sides_of_its_point() -> None:
    assert tokens("0..N 1. .5")[0] == ["0", "..", "N", "1", ".", ".", "5"]


def test_strings_resolve_their_escapes() -> None:
    text = r'"a\n\t\r\\\"\0\u{3bb}"'
    assert tokens(text) == ([text], [])
    assert string_value(text) == 'a\n\t\r\\"\0λ'


@pytest.mark.parametrize(
    "text", [r'"\q"', r'"\u{110000}"', r'"\u{d800}"', r'"\u{}"', r'"\u41"', '"abc', '"abc\\"', '"']
)
def test_malformed_strings(text: str) -> None:
    assert tokens(text)[1] == ["E1003"]


def test_a_string_ends_with_its_line() -> None:
    assert tokens('"abc\nx')[0][-1] == "x"


def test_a_raw_string_is_reserved() -> None:
    assert tokens(r'r"a\d"') == ([r'r"a\d"'], ["E1103"])


def test_block_comments_nest() -> None:
    assert tokens("a /* /* b */ */ c // d\n/// e\n/** f */g") == (["a", "c", "g"], [])
    assert tokens("a /* /* b */ c") == (["a"], ["E1002"])


@pytest.mark.parametrize("char", ["@", "#", "$", "\\", "~", "'", "`", "\0", "\f", "\u00a0", "∑"])
def test_characters_that_start_no_token(char: str) -> None:
    assert tokens(f"a {char} b")[1] == ["E1001"]


def test_a_name_with_other_letters_is_one_token_and_one_problem() -> None:
    assert tokens("größe λx") == (["größe", "λx"], ["E1001", "E1001"])


def test_a_run_of_stray_characters_is_one_problem() -> None:
    assert tokens("a @@@ b") == (["a", "@@@", "b"], ["E1001"])


@pytest.mark.parametrize("quote", ["'", "`"])
def test_a_pair_of_foreign_quotes_is_one_problem(quote: str) -> None:
    assert tokens(f"a {quote}b{quote} c")[1] == ["E1001"]
    assert tokens(f"a {quote}b{quote} {quote}c{quote}")[1] == ["E1001", "E1001"]
    assert tokens(f"a {quote}b\nc{quote} d")[1] == ["E1001", "E1001"]


def test_bytes_outside_utf8_are_problems_in_comments_and_strings_too() -> None:
    assert tokens(b'a \xff\xfe // \xff\n"\xff"')[1] == ["E1001"] * 3


def test_a_file_of_noise_has_a_bounded_number_of_problems() -> None:
    assert len(tokens("@ " * 10_000)[1]) == 50


def test_a_line_of_ten_mebibytes_is_read() -> None:
    assert tokens(b'"' + b"a" * (10 << 20))[1] == ["E1003"]
