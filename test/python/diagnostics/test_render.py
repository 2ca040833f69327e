"""The renderer's layout: every column where the reader expects it."""

import io

import pytest

from linnet.diagnostics import Diagnostic, Label, render, render_all, summary, wants_colour
from linnet.source import SourceFile, Span, decode

SCORES = """module scores

pub entry scores(
    q: Tensor[8, 64; f32],
    k: Tensor[8, 64; f32],
    w: Tensor[64, 32; f32],
) -> Tensor[8, 64; f32]
{
    return linear(q, w)
}
"""


def mark(file: SourceFile, text: str, label: str = "", nth: int = 0) -> Label:
    start = -1
    for _ in range(nth + 1):
        start = file.text.index(text, start + 1)
    return Label(Span(file, start, start + len(text)), label)


def body(text: str) -> list[str]:
    return text.splitlines()[3:]


def test_the_whole_layout_is_that_of_the_style_file() -> None:
    file = decode(SCORES.encode(), "scores.linnet")
    call = file.text.index("(q, w)")
    diagnostic = Diagnostic(
        "E2202",
        "argument `weight` of `linear` needs shape [Out, 64], found [64, 32]",
        Label(Span(file, call + 4, call + 5), "axis 1 is 32"),
        also=(Label(Span(file, call + 1, call + 2), "last axis is 64, so `In` is 64"),),
        related=(mark(file, "w", "`w` gets its type here"),),
        notes=("both `In` are one size",),
        help="`permute(w, [1, 0])` has shape [32, 64]",
    )
    assert render(diagnostic) == (
        "error[E2202]: argument `weight` of `linear` needs shape [Out, 64], found [64, 32]\n"
        " --> scores.linnet:9:22\n"
        "  |\n"
        "9 |     return linear(q, w)\n"
        "  |                   -  ^ axis 1 is 32\n"
        "  |                   |\n"
        "  |                   last axis is 64, so `In` is 64\n"
        "  = note: both `In` are one size\n"
        "  = help: `permute(w, [1, 0])` has shape [32, 64]\n"
        "note: `w` gets its type here\n"
        " --> scores.linnet:6:5\n"
        "  |\n"
        "6 |     w: Tensor[64, 32; f32],\n"
        "  |     ^\n"
    )


def test_a_witness_is_the_first_note() -> None:
    file = decode(b"H / N", "a.linnet")
    diagnostic = Diagnostic(
        "E2205",
        "`N > 0` is not proven",
        mark(file, "N"),
        notes=("a divisor is positive",),
        witness={"N": 0, "S": (2, 3)},
    )
    assert "  = note: fails for N = 0, S = [2, 3]\n  = note: a divisor" in render(diagnostic)


def test_three_labels_of_a_line_hang_from_the_right_to_the_left() -> None:
    file = decode(b"aa bb cc", "a.linnet")
    diagnostic = Diagnostic(
        "E2201",
        "sizes differ",
        mark(file, "bb", "second"),
        also=(mark(file, "aa", "first"), mark(file, "cc", "third")),
    )
    assert body(render(diagnostic)) == [
        "1 | aa bb cc",
        "  | -- ^^ -- third",
        "  | |  |",
        "  | |  second",
        "  | first",
    ]


def test_labels_on_other_lines_share_the_snippet() -> None:
    file = decode(b"a\nb\nc\nd\ne\nf\ng\nh\ni\nj", "a.linnet")
    diagnostic = Diagnostic(
        "E2201",
        "sizes differ",
        mark(file, "j", "here"),
        also=(mark(file, "a", "one"), mark(file, "c", "three"), mark(file, "h", "eight")),
    )
    assert body(render(diagnostic)) == [
        " 1 | a",
        "   | - one",
        " 2 | b",
        " 3 | c",
        "   | - three",
        "...",
        " 8 | h",
        "   | - eight",
        " 9 | i",
        "10 | j",
        "   | ^ here",
    ]


@pytest.mark.parametrize(
    ("line", "text", "underline"),
    [
        ("\tx", "    x", "    ^"),
        ("ab\tx", "ab  x", "    ^"),
        ("日本x", "日本x", "    ^"),
        ("e\u0301x", "e\u0301x", " ^"),
        ("\u202ex", "\ufffdx", " ^"),
        ("\0x", "\ufffdx", " ^"),
    ],
    ids=["tab", "tab stop", "wide", "combining", "reordering", "control"],
)
def test_columns_stay_right(line: str, text: str, underline: str) -> None:
    file = decode(line.encode(), "a.linnet")
    shown = body(render(Diagnostic("E1101", "unexpected", mark(file, "x"))))
    assert shown == [f"1 | {text}", f"  | {underline}"]


def test_a_very_long_line_is_cut_around_the_label() -> None:
    file = decode(b"a " * 5000 + b"x" + b" b" * 5000, "a.linnet")
    shown = body(render(Diagnostic("E1101", "unexpected", mark(file, "x"))))
    assert len(shown[0]) < 140
    assert shown[0].startswith("1 | ...")
    assert shown[0].endswith("...")
    assert shown[0][shown[1].index("^")] == "x"


def test_a_span_of_several_lines_is_underlined_on_its_first() -> None:
    file = decode(b"ab(\n c\n)", "a.linnet")
    shown = body(render(Diagnostic("E1101", "unexpected", Label(Span(file, 1, 8)))))
    assert shown == ["1 | ab(", "  |  ^^"]


def test_a_place_at_the_end_of_the_file_has_one_mark() -> None:
    file = decode(b"ab", "a.linnet")
    assert body(render(Diagnostic("E1101", "more", Label(Span(file, 2, 2))))) == [
        "1 | ab",
        "  |   ^",
    ]


def test_a_label_in_another_file_has_its_own_snippet() -> None:
    one, two = decode(b"x", "one.linnet"), decode(b"y", "two.linnet")
    shown = render(Diagnostic("E1203", "private", mark(one, "x"), also=(mark(two, "y", "here"),)))
    assert shown.splitlines()[5:7] == ["note: here", " --> two.linnet:1:1"]


def test_a_problem_without_a_place_is_one_line() -> None:
    assert render(Diagnostic("E5001", "no manifest", None)) == "error[E5001]: no manifest\n"


def test_bytes_that_are_not_text_are_shown_as_replacement_characters() -> None:
    file = decode(b"\xff", "a.linnet")
    shown = render(Diagnostic("E1001", "stray \udcff", Label(Span(file, 0, 1), "\udcff")))
    assert shown.encode("utf-8")


def test_colour_adds_only_escape_sequences() -> None:
    file = decode(SCORES.encode(), "a.linnet")
    diagnostic = Diagnostic(
        "E2202",
        "shapes differ",
        mark(file, "w", "one", nth=1),
        also=(mark(file, "linear", "two"),),
        related=(mark(file, "k", "three"),),
        notes=("four",),
        help="five",
    )
    coloured, plain = render(diagnostic, colour=True), render(diagnostic)
    assert coloured != plain
    stripped = coloured
    for escape in ("1;31", "1;33", "1;34", "1;36", "1", "0"):
        stripped = stripped.replace(f"\x1b[{escape}m", "")
    assert stripped == plain


def test_colour_is_for_terminals_and_never_under_no_color() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert wants_colour(Terminal(), {})
    assert not wants_colour(Terminal(), {"NO_COLOR": "1"})
    assert not wants_colour(Terminal(), {"TERM": "dumb"})
    assert not wants_colour(io.StringIO(), {})


def test_the_summary_counts_errors_and_warnings() -> None:
    error, warning = Diagnostic("E1101", "a", None), Diagnostic("W1001", "b", None)
    assert summary([error, error, warning]) == "2 errors, 1 warning"
    assert summary([warning]) == "1 warning"
    assert summary([]) == ""


def test_several_diagnostics_have_a_blank_line_between() -> None:
    one = Diagnostic("E1101", "a", None)
    assert render_all([one, one]) == "error[E1101]: a\n\nerror[E1101]: a\n"
    assert render_all([]) == ""
