"""The parser: what it reads, what it refuses, and how it goes on after a mistake."""

import pytest

from linnet.source import decode
from linnet.syntax import (
    ArrayType,
    Binary,
    Call,
    Expr,
    Function,
    Kernel,
    Let,
    Member,
    Name,
    NamedType,
    ParseResult,
    Reduction,
    ShapeLiteral,
    Store,
    TensorType,
    TupleType,
    Undecided,
    parse,
    show,
)


def read(text: str) -> ParseResult:
    return parse(decode(text.encode(), "a.linnet"))


def codes(text: str) -> list[str]:
    return [one.code for one in read(text).diagnostics]


def messages(text: str) -> list[str]:
    return [one.message for one in read(text).diagnostics]


def body(text: str) -> str:
    return f"module a fn f() {{ {text} }}"


def expression(text: str) -> Expr:
    tree = read(body(f"let a = {text}")).tree
    assert tree is not None, messages(body(f"let a = {text}"))
    function = tree.items[0]
    assert isinstance(function, Function)
    statement = function.body.statements[0]
    assert isinstance(statement, Let)
    return statement.value


def test_binary_operators_associate_to_the_left() -> None:
    outer = expression("a - b - c")
    assert isinstance(outer, Binary)
    assert isinstance(outer.left, Binary)


def test_bitwise_operators_bind_between_sums_and_comparisons() -> None:
    outer = expression("a == b & c + d")
    assert isinstance(outer, Binary)
    assert outer.op == "=="
    assert show(outer.right) == "b & c + d"


def test_a_reduction_runs_as_far_right_as_it_can() -> None:
    outer = expression("a + sum[i] x[i] * 2 + b")
    assert isinstance(outer, Binary)
    assert isinstance(outer.right, Reduction)
    assert show(outer.right.body) == "x[i] * 2 + b"


@pytest.mark.parametrize("text", ["max(a, b)", "sum + 1", "max < f32", "sum<f32>(x)"])
def test_reduction_names_are_ordinary_without_their_bracket(text: str) -> None:
    assert not isinstance(expression(text), Reduction)


def test_generic_arguments_need_the_parenthesis_after_them() -> None:
    assert isinstance(expression("f<A, 2 * B>(x)"), Call)
    assert isinstance(expression("m.f<A> (x)"), Call)
    assert show(expression("low < at && high > (at)")) == "low < at && high > at"
    call = expression("f(a < b, c > (d))")
    assert isinstance(call, Call)
    assert len(call.args) == 1


def test_a_generic_argument_is_a_type_where_it_reads_as_one() -> None:
    call = expression("f<A, m.B, (A, B), [A; 4], [A, *S], A<B>, Tensor[A; f32], A * B>(x)")
    assert isinstance(call, Call)
    kinds = [type(arg) for arg in call.generics]
    assert kinds == [
        Undecided,
        Undecided,
        TupleType,
        ArrayType,
        ShapeLiteral,
        NamedType,
        TensorType,
        Binary,
    ]


def test_two_colons_in_an_index_are_two_colons() -> None:
    assert show(expression("x[::2, 0::2, a:b:c, :, ..., *s]")) == "x[::2, 0::2, a:b:c, :, ..., *s]"


def test_spans_of_operators_include_parentheses_of_their_parts() -> None:
    outer = expression("(a + b) * c")
    assert outer.span.text == "(a + b) * c"
    assert isinstance(outer, Binary)
    assert outer.left.span.text == "a + b"
    assert outer.op_span.text == "*"


def test_a_member_of_a_call_is_a_member_path() -> None:
    call = expression("layers[2].run<N>(x)")
    assert isinstance(call, Call)
    assert isinstance(call.callee, Member)


def test_statements_need_no_line_ends() -> None:
    tree = read("module a fn f(x: f32) -> f32 { let a = x var b = a b = b - x return b }").tree
    assert tree is not None
    function = tree.items[0]
    assert isinstance(function, Function)
    assert len(function.body.statements) == 4


def test_an_op_takes_a_kernel_and_a_gradient() -> None:
    text = (
        "module a op f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] kernel k<N, 2> where N > 0 "
        "{ return x } grad(y, dy) { let grad = dy return grad } fn grad() { return }"
    )
    tree = read(text).tree
    assert tree is not None
    function = tree.items[0]
    assert isinstance(function, Function)
    assert function.kernel is not None
    assert function.gradient is not None
    assert function.kernel.span.text == "kernel k<N, 2>"
    assert function.gradient.head_span.text == "grad(y, dy)"
    assert show(tree) == text.replace("a op", "a\nop").replace("} fn", "}\nfn") + "\n"


def test_a_kernel_names_its_results_grid_and_hints() -> None:
    text = (
        "pub kernel k<N: Dim, B: Dim>(x: Tensor[N; f32], s: f32) -> (y: Tensor[N; f32], "
        "n: Tensor[1; i32]) grid(N / B, 2) warps(4) stages(3) where B > 0 "
        "{ store(y[0], load(x[0]), true) atomic_add(n[0], 1) let store = 1 }"
    )
    tree = read(f"module a {text}").tree
    assert tree is not None
    kernel = tree.items[0]
    assert isinstance(kernel, Kernel)
    assert [field.name.text for field in kernel.results] == ["y", "n"]
    assert isinstance(kernel.body.statements[0], Store)
    assert show(kernel) == text


def test_line_ends_of_other_systems_change_nothing() -> None:
    assert codes("module a\r\n\r\nfn f() {\r\n    return\r\n}\r\n") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E1102"),
        ("fn f() {}", "E1102"),
        ("module a trait Show {}", "E1103"),
        ("module a extern op f() -> f32", "E1103"),
        ("module a use self.b", "E1103"),
        ("module a use super.b::{c}", "E1103"),
        ("module a use a.sub", "E1004"),
        ("module a.block", "E1004"),
        ("module a fn fn() {}", "E1004"),
        ("module a kernel k() {}", "E1101"),
        ("module a kernel k() -> y: f32 {}", "E1101"),
        ("module a kernel k() -> f32 grid(1) {}", "E1101"),
        ("module a kernel k() -> y: f32 grid() {}", "E1101"),
        ("module a kernel k() -> y: f32 grid(1) warps(N) {}", "E1101"),
        ("module a kernel k() -> y: f32 grid(1) stages(2) warps(4) {}", "E1101"),
        ("module a fn kernel() {}", "E1004"),
        ("module a block B { kernel k() -> y: f32 grid(1) {} }", "E1101"),
        ("module a op f() -> f32 { return 1.0 } grad(y) { return y }", "E1101"),
        ("module a op f() -> f32 { return 1.0 } grad(y, dy, z) { return y }", "E1101"),
        ("module a struct S { a: f32 } grad(y, dy) { return dy }", "E2125"),
        ("module a kernel k() -> y: f32 grid(1) {} grad(y, dy) { return dy }", "E2125"),
        ("module a block B {} grad(y, dy) { return dy }", "E2125"),
        ("module a fn f() { store(x[0]) }", "E1101"),
        ("module a fn f() { store(x[0], 1, m, 2) }", "E1101"),
        ("module a fn f() { load(x[0]) }", "E1101"),
        ("module a op f() {}", "E1101"),
        ("module a type X = Tensor[; f32]", "E1103"),
        ("module a type X = Tensor[A,; f32]", "E1101"),
        ("module a type X = f32??", "E1101"),
        ("module a type X = (f32)", "E1101"),
        ("module a struct S { a: f32, b: f32 }", "E1101"),
        ("module a enum E { A B }", "E1101"),
        ("module a fn f<N: Size>() {}", "E1101"),
        ("module a fn f() where N {}", "E1101"),
        ("module a block B { pub param p: f32 }", "E1101"),
        ("module a block B { state s: f32 = 1.0 }", "E1101"),
        ("module a block B { block C {} }", "E2190"),
        ("module a fn f() {} use b.c", "E1101"),
        ("module a param p: f32", "E1101"),
        ("module a }", "E1101"),
        ("module a const C = 1;", "E1101"),
        ("module a fn f() { for i in x {} }", "E1101"),
        ("module a fn f() { for (i, j) in 0..3 {} }", "E1101"),
        ("module a fn f() { for let in 0..3 {} }", "E1004"),
        ("module a fn f() { let yield = 3 }", "E1004"),
        ("module a fn f() { yield }", "E1101"),
        ("module a fn f() { let y = (for i in 0..3 { yield i }) * 2.0 }", "E2124"),
        ("module a fn f() { let y = 2.0 * for i in 0..3 { yield i } }", "E2124"),
        ("module a fn f() { let y = for i in 0..3 { yield i } * 2.0 }", "E2124"),
        ("module a fn f() { let y = (for i in 0..3 { yield i }, 1) }", "E2124"),
        ("module a fn f() { let y[i] = for i in 0..3 { yield i } }", "E2124"),
        ("module a fn f() { y = for i in 0..3 { yield for j in 0..3 { yield j } } }", "E2124"),
        ("module a fn f() { let y = if c { for i in 0..3 { yield i } } else { x } }", "E2124"),
        ("module a const A = for i in 0..3 { yield i }", "E2124"),
        ("module a fn f() { let y = yield 3 }", "E2124"),
        ("module a fn f() { let a = await b }", "E1103"),
        ("module a fn f() { if a { b } else { c } }", "E1101"),
        ("module a fn f() { let a = if b { c } }", "E1101"),
        ("module a fn f() { let a = 1 + if b { c } else { d } }", "E1101"),
        ("module a fn f() { let a = match b { (c, d) => e } }", "E1101"),
        ("module a fn f() { let a = match b { } }", "E1101"),
        ("module a fn f() { let a = match b { c => d, e => f } }", "E1101"),
        ("module a fn f() { let a = match b { some(c) => c (d, e) => d } }", "E1101"),
        ("module a fn f() { let a = x[] }", "E1101"),
        ("module a fn f() { let a = x[a:b::c] }", "E1101"),
        ("module a fn f() { let a = () }", "E1101"),
        ("module a fn f() { let a = -!b }", "E1101"),
        ("module a fn f() { let mut a = 1 }", "E1004"),
        ("module a fn f() { a += 1 }", "E1101"),
        ("module a fn f() { a[0] = 1 }", "E1101"),
        ("module a fn f() { let a = sum[0] x }", "E1101"),
        ("module a fn f(self) {}", "E1004"),
        ("module a fn f() { let a = f(param = 1) }", "E1004"),
        ("module a fn f() {", "E1101"),
        ("module a fn f( {}", "E1101"),
        ("module a fn f() { let a = x\0 }", "E1001"),
    ],
)
def test_each_refusal_has_one_code(text: str, code: str) -> None:
    assert codes(text) == [code], messages(text)


def test_independent_mistakes_are_all_reported_in_order() -> None:
    text = """module a
fn one(x f32) -> f32 {
    let a = * x
    let b = (x
    return b
}
block B {
    param w Tensor[4; f32]
    fn two() -> f32 { return 1.0; }
}
fn three() -> f32 { return }
fn four() -> f32 { return 2..0 }
"""
    found = read(text).diagnostics
    lines = [one.primary.span.file.line_of(one.primary.span.start) for one in found if one.primary]
    assert lines == [2, 3, 5, 8, 9, 12]


def test_a_missing_brace_is_one_mistake() -> None:
    assert codes("module a fn f() { let a = b\nfn g() { return }") == ["E1101"]


@pytest.mark.parametrize(
    "text",
    [
        "module a block A param p: f32 param q: f32 fn f() { } } fn g() { }",
        "module a block A { { param p: f32 } block B { } block C { }",
        "module a block A { fn f() { return } block B { } block C { }",
        "module a fn f() { while a { b = c } } d = e } }",
        "module a use use b.c::{d} use e.f",
        "module a fn fn f() { return }",
    ],
    ids=["no opener", "two openers", "no closer", "two closers", "two words", "two keywords"],
)
def test_one_mistake_with_braces_or_words_stays_one(text: str) -> None:
    found = messages(text)
    assert len(found) <= 2, found
    assert not [message for message in found if "inside a block is not" in message]


def test_a_reserved_name_is_reported_where_it_is_declared() -> None:
    assert codes("module a fn f(state: f32) -> f32 { return state * 2.0 + state }") == ["E1004"]


def test_what_follows_from_a_stray_character_stays_silent() -> None:
    assert codes(body("let a = x @ y let b = c")) == ["E1001"]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * 100_000 + "x" + ")" * 100_000,
        "[" * 100_000,
        "f(" * 100_000,
        "f<" * 100_000,
        "-(" * 100_000,
        "x + " * 100_000 + "x",
        "x" + ".y" * 100_000,
        "if x { " * 10_000,
        "f<" * 40 + "!!" + ">(x)" * 40,
    ],
    ids=["open", "closed", "brackets", "calls", "angles", "prefix", "sum", "path", "if", "retry"],
)
def test_depth_ends_in_a_diagnostic(text: str) -> None:
    assert set(codes(body(f"let a = {text}"))) == {"E1101"}


@pytest.mark.parametrize(
    "text",
    [
        "type X = " + "(A, " * 50_000,
        "type X = " + "A<" * 50_000,
        "fn f() { let " + "(" * 50_000,
        "fn f() { " + "while x { " * 50_000,
        "block A { " * 50_000,
    ],
    ids=["tuples", "generics", "patterns", "loops", "blocks"],
)
def test_depth_outside_expressions_ends_in_a_diagnostic(text: str) -> None:
    assert read(f"module a {text}").tree is None


def test_two_hundred_terms_are_within_the_limit() -> None:
    assert codes(body("let a = " + "x + " * 199 + "x")) == []


def test_names_are_expressions() -> None:
    assert isinstance(expression("a"), Name)
