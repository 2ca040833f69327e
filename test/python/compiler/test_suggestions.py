"""What a refusal suggests was tried, and one fault is one report (spec sections 5.3 and 16)."""

import json
from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import Diagnostic, render_all, to_json
from linnet.source import decode
from linnet.syntax import load_source


def refused(text: str, path: str = "case.linnet") -> tuple[Diagnostic, ...]:
    """What checking a module with these items says."""
    source = decode(f"module case\n{text}".encode(), path)
    return check_path(path, loaded=load_source(source)).diagnostics


def edited(text: str, diagnostic: Diagnostic) -> str:
    """The items after the edit that a diagnostic suggests."""
    edit = diagnostic.edit
    assert edit is not None
    whole = edit.span.file.text
    made = f"{whole[: edit.span.start]}{edit.replacement}{whole[edit.span.end :]}"
    return made.removeprefix("module case\n")


SPLIT = """
pub fn split<H: Dim, N: Dim>(x: Tensor[H; f32]) -> Tensor[N, H / N; f32]{where} {{
    return reshape(x, [N, H / N])
}}
"""

SETTLED = [
    # Where the clause goes: a new line, the end of a line, a line of its own.
    ("\nwhere N > 0", "\nwhere N > 0, H % N == 0 {"),
    ("\nwhere\n    N > 0\n", "\nwhere\n    N > 0,\n    H % N == 0\n"),
    ("\nwhere\n    N > 0,\n", "\nwhere\n    N > 0,\n    H % N == 0,\n"),
    ("\nwhere N > 0, // rows\n", "\nwhere N > 0, H % N == 0, // rows\n"),
]


@pytest.mark.parametrize(("where", "made"), SETTLED)
def test_a_clause_goes_on_as_it_is_written(where: str, made: str) -> None:
    text = SPLIT.format(where=where)
    (only,) = refused(text)
    assert only.help == "add `where H % N == 0` to `fn split`"
    after = edited(text, only)
    assert made in after
    assert refused(after) == ()


def test_an_edit_keeps_the_line_ends_of_its_file() -> None:
    text = SPLIT.format(where="\nwhere\n    N > 0\n").replace("\n", "\r\n")
    (only,) = refused(text)
    after = edited(text, only)
    assert "    N > 0,\r\n    H % N == 0\r\n" in after
    assert "\n" not in after.replace("\r\n", "")
    assert "\r" not in render_all([only])
    assert refused(after) == ()


def test_several_lines_that_one_claim_needs_are_one_edit() -> None:
    text = SPLIT.format(where="")
    divisor, count = refused(text)
    assert divisor.help == "add `where N > 0` to `fn split`"
    assert count.help == "add `where N > 0, H % N == 0` to `fn split`"
    after = edited(text, count)
    assert "\nwhere\n    N > 0,\n    H % N == 0\n{" in after
    assert refused(after) == ()


def test_two_constraints_of_one_call_are_two_edits() -> None:
    text = """
block Rows<H: Dim, N: Dim> {
    param _table: Tensor[H; f32]

    pub fn one<K: Dim>(x: Tensor[K; f32]) -> Tensor[K; f32] {
        return quarter<K>(x)
    }
}

fn quarter<K: Dim>(x: Tensor[K; f32]) -> Tensor[K; f32]
where K % 4 == 0, K > 4 {
    return x
}
"""
    one, two = refused(text)
    assert [one.help, two.help] == [
        "add `where K % 4 == 0` to `fn one`",
        "add `where K > 4` to `fn one`",
    ]
    assert "\n    where K % 4 == 0 {" in edited(text, one)


def test_a_fact_of_block_generics_goes_to_the_block_and_is_told_once() -> None:
    text = """
pub block Cell<H: Dim, N: Dim>
where N > 0 {
    param gain: Tensor[H; f32]

    pub fn one() -> Tensor[N, H / N; f32] {
        return reshape(gain, [N, H / N])
    }

    pub fn two<B: Dim>(x: Tensor[B, H; f32]) -> Tensor[B, N, H / N; f32] {
        let _a = reshape(x, [B, N, H / N])
        return reshape(x * gain, [B, N, H / N])
    }
}
"""
    (only,) = refused(text)
    assert only.help == "add `where H % N == 0` to `block Cell`"
    assert "and 2 more claims in `Cell` rest on the same fact" in only.notes
    assert [label.span.text for label in only.also if label.text == "same fact"] == [
        "[B, N, H / N]",
        "[B, N, H / N]",
    ]
    assert refused(edited(text, only)) == ()


def test_a_fact_that_mentions_a_methods_generic_goes_to_the_method() -> None:
    text = """
pub block Cell<N: Dim>
where N > 0 {
    param gain: Tensor[N; f32]

    pub fn one<H: Dim>(x: Tensor[H; f32]) -> Tensor[N, H / N; f32] {
        return reshape(x, [N, H / N])
    }
}
"""
    (only,) = refused(text)
    assert only.help == "add `where H % N == 0` to `fn one`"


def test_what_then_fails_in_callers_is_said() -> None:
    text = (
        SPLIT.format(where="\nwhere N > 0")
        + """
pub fn twice<A: Dim>(x: Tensor[A; f32]) -> Tensor[4, A / 4; f32] {
    return split<A, 4>(x)
}

pub fn fine<A: Dim>(x: Tensor[4 * A; f32]) -> Tensor[4, A; f32] {
    return split<4 * A, 4>(x)
}
"""
    )
    (only,) = refused(text)
    assert only.help == (
        "add `where H % N == 0` to `fn split`\nthen this must state it as well: `twice` (line 9)"
    )
    (follows,) = refused(edited(text, only))
    assert (follows.code, follows.help) == ("E2206", "add `where A % 4 == 0` to `fn twice`")


NOT_SUGGESTED = {
    # Each would be accepted by the prover for the one claim, and helps nobody.
    "it fixes a generic": "pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[4; f32] { return x }",
    "it empties one": "pub fn f<N: Dim>(x: Tensor[2 * N; f32]) -> Tensor[N; f32] { return x }",
    "no one writes it": """
        pub fn f<A: Dim, B: Dim>(x: Tensor[A, B; f32]) -> Tensor[A + B; f32] {
            return reshape(x, [A + B])
        }""",
    "it breaks the rest": """
        fn small<N: Dim>(x: Tensor[N; f32]) -> f32 where N < 4 { return 1.0 }
        pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N, N; f32] where N < 4 {
            let y = x + iota<f32>(2)
            let z = small(y)
            return fill<f32>([N, N], z)
        }""",
    "a comment is in the way": """
        pub fn f<N: Dim>(x: Tensor[N; f32]) -> f32 /* first */ { return x[0] }""",
}


@pytest.mark.parametrize("text", NOT_SUGGESTED.values(), ids=NOT_SUGGESTED)
def test_a_line_that_helps_nobody_is_not_suggested(text: str) -> None:
    found = refused(text)
    assert found
    assert [(one.help, one.edit) for one in found] == [(None, None)] * len(found)


def test_a_line_after_which_the_function_still_fails_otherwise_is_suggested() -> None:
    text = """
pub fn f<N: Dim, M: Dim>(x: Tensor[N; f32], y: Tensor[M; f32]) -> Tensor[N; f32] {
    let first = x[0]
    return y[0:N]
}
"""
    one, two = refused(text)
    assert one.help == "add `where N > 0` to `fn f`"
    assert two.help == "add `where N <= M` to `fn f`"


def test_the_checks_of_suggestions_are_bounded_by_a_count() -> None:
    items = "".join(
        f"pub fn f{at}<N: Dim>(x: Tensor[N; f32]) -> f32 {{ return x[0] + x[1] }}\n"
        for at in range(6)
    )
    found = refused(items)
    assert len(found) == 12
    assert [one.help is not None for one in found] == [True] * 8 + [False] * 4


def test_one_line_for_each_of_many_declarations_takes_one_check() -> None:
    items = "".join(
        f"pub fn f{at}<N: Dim>(x: Tensor[N; f32]) -> f32 {{ return x[0] }}\n" for at in range(12)
    )
    found = refused(items)
    assert [one.help for one in found] == [f"add `where N > 0` to `fn f{at}`" for at in range(12)]
    text = items
    for one in reversed(found):
        assert one.edit is not None
        skipped = len("module case\n")
        start, end = one.edit.span.start - skipped, one.edit.span.end - skipped
        text = f"{text[:start]}{one.edit.replacement}{text[end:]}"
    assert refused(text) == ()


def test_many_lines_are_each_told_with_the_callers_that_then_fail() -> None:
    text = """
pub fn first<N: Dim>(x: Tensor[N; f32]) -> f32 { return x[0] }
pub fn last<N: Dim>(x: Tensor[N; f32]) -> f32 { return x[N - 1] }
pub fn both<M: Dim>(x: Tensor[M; f32]) -> f32 { return first(x) + last(x) }
"""
    one, two = refused(text)
    follows = "\nthen this must state it as well: `both` (line 5)"
    assert one.help == f"add `where N > 0` to `fn first`{follows}"
    assert two.help == f"add `where N > 0` to `fn last`{follows}"


INDEPENDENT = """
fn dot<N: Dim>(a: Tensor[N; f32], b: Tensor[N; f32]) -> f32 {
    return sum[i] a[i] * b[i]
}

pub fn many<A: Dim, B: Dim, C: Dim>(
    x: Tensor[A; f32],
    y: Tensor[B; f32],
    z: Tensor[C; f32],
) -> Tensor[C; f32] {
    let a = x + y
    let b = reshape(x, [A, 2])
    let c = dot(y, z)
    let d = missing(a)
    let e = a + z
    let f = z[C - 1]
    return x
}

pub fn user<N: Dim, M: Dim>(x: Tensor[N; f32], y: Tensor[M; f32]) -> Tensor[M; f32] {
    return many(x, x, x)
}
"""


def test_independent_errors_are_all_told_in_source_order() -> None:
    found = refused(INDEPENDENT)
    lines = [
        one.primary.span.file.line_of(one.primary.span.start)
        for one in found
        if one.primary is not None
    ]
    assert list(zip((one.code for one in found), lines, strict=True)) == [
        ("E2207", 12),
        ("E2203", 13),
        ("E2202", 14),
        ("E1201", 15),
        # `a` has no type, so that `a + z` only follows.
        ("E2209", 17),
        ("E2202", 18),
        ("E2202", 22),
    ]


def test_what_rests_on_a_refused_where_clause_is_silent() -> None:
    found = refused(
        """
pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N / 2, 2; f32]
where N % 2 == nope {
    let y = x + iota<f32>(2 * (N / 2))
    return reshape(x, [N / 2, 2])
}
"""
    )
    assert [one.code for one in found] == ["E1201"]


def test_the_edit_is_shown_and_given_to_tools(tmp_path: Path) -> None:
    (only,) = refused(SPLIT.format(where=""))[1:]
    text = render_all([only])
    assert max(map(len, text.splitlines())) <= 100
    entry = json.loads(json.dumps(to_json([only])))["diagnostics"][0]
    assert set(entry["edit"]) == {"file", "start", "end", "replacement"}
    assert entry["help"].startswith("add `where ")
