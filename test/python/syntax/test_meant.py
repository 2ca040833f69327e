"""What authors bring along from other languages is met with what to write here."""

import pytest

from linnet.diagnostics import Diagnostic
from linnet.source import decode
from linnet.syntax import parse


def problems(text: str) -> tuple[Diagnostic, ...]:
    return parse(decode(f"module test\n{text}\n".encode(), "test.linnet")).diagnostics


def body(statement: str) -> str:
    return f"fn f(a: f32, b: bool) -> f32 {{\n    {statement}\n    return a\n}}"


EDITS = [
    ("def f(x: f32) -> f32 { return x }", "fn"),
    ("pub function f(x: f32) -> f32 { return x }", "fn"),
    ("class Cell { param w: Tensor[4; f32] }", "block"),
    ("let WIDTH = 4", "const"),
    ("public fn f(x: f32) -> f32 { return x }", "pub"),
    ("blok Cell { param w: Tensor[4; f32] }", "block"),
    ("block Cell { pram w: Tensor[4; f32] }", "param"),
    ("block Cell { weight w: Tensor[4; f32] }", "param"),
    ("block Cell { def f(x: f32) -> f32 { return x } }", "fn"),
    ("fn f(x: f32) => f32 { return x }", "->"),
    ("type Row: Tensor[4; f32]", "="),
    ("fn f(x: tensor[4; f32]) -> f32 { return 1.0 }", "Tensor"),
    ("fn f() -> Tesnor[4; f32] { return fill<f32>([4], 0.0) }", "Tensor"),
    ("block Cell { param w: Tenser[4; f32] }", "Tensor"),
    ("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 wehre N > 0 { return 1.0 }", "where"),
    (body("lte c = a"), "let"),
    (body("retrun a"), "return"),
    (body("statci for i in 0..3 { }"), "static"),
    (body("whlie b { }"), "while"),
    ("fn f<N: Int>(x: Tensor[N; f32]) -> f32 { return 1.0 }", "Dim"),
    ("fn f<N: dim>(x: Tensor[N; f32]) -> f32 { return 1.0 }", "Dim"),
    ("fn f<T: float>(x: T) -> T { return x }", "Float"),
    (body("let c = b and b"), "&&"),
    (body("let c = if b or b { 1.0 } else { 2.0 }"), "||"),
    (body("const HALF = 0.5"), "let"),
]


@pytest.mark.parametrize(("text", "written"), EDITS)
def test_a_word_of_another_language_is_replaced_and_the_file_parses(
    text: str, written: str
) -> None:
    (one,) = problems(text)
    assert one.help in (f"write `{written}`", f"did you mean `{written}`?")
    assert one.edit is not None
    file, start, end = one.edit.span
    assert one.edit.replacement == written
    repaired = file.text[:start] + written + file.text[end:]
    assert problems(repaired.removeprefix("module test\n")) == ()


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("import std.linalg", "imports are written `use std.linalg::{dot}`"),
        ("from std.linalg import dot", "imports are written `use std.linalg::{dot}`"),
        ("use std::linalg::{dot}", "the path of a module is joined by dots: `std.linalg`"),
        ("use std/linalg::{dot}", "the path of a module is joined by dots: `std.linalg`"),
        ("fn f(x: f32): f32 { return x }", "the type of the result follows `->`"),
        ("fn f(x: f32) -> f32 = x", "a body stands in braces: `{ return … }`"),
        (
            "fn f[N: Dim](x: f32) -> f32 { return x }",
            "generics stand in angle brackets: `<N: Dim>`",
        ),
        ("fn f<N>(x: f32) -> f32 { return x }", "a generic has a kind: `N: Dim`, or `N: Float`"),
        ("fn f(x: Tensor[4, f32]) -> f32 { return 1.0 }", "write `; f32` in place of `, f32`"),
        ("fn f(x: f32[4]) -> f32 { return 1.0 }", "a tensor type is written `Tensor[N, M; f32]`"),
        ("fn f(x: Tensor[?, 4; f32]) -> f32 { return 1.0 }", "a size is a generic: `<N: Dim>`"),
        ("fn f(x: Tensor[..., 4; f32]) -> f32 { return 1.0 }", "a pack is spread by its name"),
        ("fn f(x: Tensor[*, 4; f32]) -> f32 { return 1.0 }", "a pack is spread by its name"),
        ("fn f(x: ?f32) -> f32 { return 1.0 }", "the `?` of an optional type follows it"),
        ("block Cell { w: Tensor[4; f32] }", "a weight is declared by `param w: …`"),
        (
            "block Cell { forward(x: f32) -> f32 { return x } }",
            "a function begins with `fn forward(",
        ),
        ("block Cell { fn f(self) -> f32 { return 1.0 } }", "remove it: members are in scope"),
        (body("let c = a ** 2.0"), "there are no powers: write `x * x`"),
        (body("let c = shl(1, 2) << 3"), "bits are shifted by `shl(x, n)`"),
        (body("let c = shl(1, 2) >> 3"), "bits are shifted by `shr(x, n)`"),
        (body("let c = a <> 3.0"), "write `!=` for `<>`"),
        (body("let c = not b"), "write `!` for `not`"),
        (body("let c = a if b else 2.0"), "a choice is written `if c { a } else { b }`"),
        (body("let c = b ? a : 2.0"), "a choice is written `if c { a } else { b }`"),
        (body("let c = if b then a else 2.0"), "a choice is written `if c { a } else { b }`"),
        (body("let c = if b { a } elif b { a } else { 2.0 }"), "nest it: `else { if"),
        (body("a += 1.0"), "write `a = a + …`"),
        (body("a++"), "there is no `++`: write `a = a + 1`"),
        (body("c := a"), "write `let c = …`"),
        (body("c: f32 = a"), "write `let c: …`, or `var` for what is assigned later"),
        (body("let mut c = a"), "a variable is declared by `var`"),
        (body("let c = self.weight"), "members are bare names: write `weight`"),
        (body("let c = lambda x: x"), "functions are no values"),
        (body("let c = min(a: a, b: a)"), "an argument is named by `=`: `a = …`"),
        (body("let c = Pair { left: a }"), "a struct is built with parentheses: `Pair(field = …)`"),
        (body("let c = a * .5"), "a digit stands before the point: `0.5`"),
        (body("let c = a * 2."), "a float is written `2.0`"),
        (body("let c = a * 0.5f"), "write `0.5`: its dtype comes from what it meets"),
        (body("let c = ~b"), "`!` negates a `bool`"),
        (body("let c = where(b, a, a)"), "elements are chosen by `select(c, a, b)`"),
        (body("let c = mean[i] x[i]"), "a mean is a sum divided by the size"),
        (body("let c = smu[i] x[i]"), "did you mean `sum`, the reduction?"),
        (body("let c = sum(x for x in y)"), "a reduction names its indices: `sum[i] x[i]`"),
        (body("if b { return a }"), "`return` stands before the `if`"),
        (body('"""Adds."""'), "a comment begins with `//`"),
        ("fn f(a: f32) -> f32 {\n    a\n}", "a result is returned: `return a`"),
        (body("while b: a = 2.0"), "a body stands in braces: `{ … }`"),
        (body("let c = match o { Some(v) => v none => a }"), "the patterns of an optional are"),
        (
            "fn f<N: Dim>(x: Tensor[N // 2; f32]) -> f32 {\n return 1.0\n}",
            "`//` begins a comment; `/` divides",
        ),
    ],
)
def test_what_is_written_otherwise_here_is_told(text: str, help_: str) -> None:
    first = problems(text)[0]
    assert first.help is not None
    assert first.help.startswith(help_)


def test_a_slip_in_the_first_word_of_a_file_is_named() -> None:
    (one,) = parse(decode(b"modlue test\n", "test.linnet")).diagnostics
    assert (one.code, one.help) == ("E1102", "did you mean `module`?")
    assert one.edit is not None
    assert one.edit.span.text == "modlue"


def test_a_const_at_the_margin_still_ends_an_open_body() -> None:
    (one,) = problems("fn f(x: f32) -> f32 {\n    let y = x\nconst A = 4")
    assert one.message == "expected a statement or `}`, found `const`"
    assert one.help is None


def test_an_ordinary_comment_is_not_taken_for_a_division() -> None:
    (one,) = problems("fn f(x: f32, // The value.\n  y: f32 // Note: the other\n z: f32) {}")
    assert one.help is None
