"""The style of section 15, rule by rule: a program and the one way to lay it out."""

import textwrap

import pytest

from linnet.formatter import format_source
from linnet.source import decode


def formatted(text: str) -> str:
    result = format_source(decode(text.encode(), "style.linnet"))
    assert result.text is not None, result.diagnostics
    again = format_source(decode(result.text.encode(), "style.linnet"))
    assert again.text == result.text
    return result.text


def body(statements: str) -> str:
    """Statements as `fmt` lays them out in a function, without its indent."""
    text = formatted(f"module m fn f() {{ {statements} }}")
    head, tail = "module m\n\nfn f() {\n", "}\n"
    assert text.startswith(head)
    assert text.endswith(tail)
    return textwrap.dedent(text[len(head) : -len(tail)])


def test_module_line_imports_and_items_are_parted_by_one_blank_line() -> None:
    text = (
        "module a.b use std.x::{y} use crate.z\n\n\nfn f(){}\nfn g(){}\n\n\n\nconst A=1\nconst B=2"
    )
    assert formatted(text) == (
        "module a.b\n\nuse std.x::{y}\nuse crate.z\n\nfn f() {}\n\nfn g() {}\n\n"
        "const A = 1\nconst B = 2\n"
    )


def test_blank_lines_between_statements_stay_one_at_most() -> None:
    assert (
        body("\n\n let a=1\n\n\n\n let b=2\n let c=3\n\n") == "let a = 1\n\nlet b = 2\nlet c = 3\n"
    )


def test_data_members_stay_together_and_functions_apart() -> None:
    text = "module m block B { param a: f32 sub b: C = none fn f() {} fn g() {} state c: f32 }"
    assert formatted(text) == (
        "module m\n\nblock B {\n    param a: f32\n    sub b: C = none\n\n    fn f() {}\n\n"
        "    fn g() {}\n\n    state c: f32\n}\n"
    )


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("let y=a+b*-c", "let y = a + b * -c"),
        (
            "let y : Tensor[N,2*H;f32]?=f ( x,axis=-1 )",
            "let y: Tensor[N, 2 * H; f32]? = f(x, axis = -1)",
        ),
        (
            "let y = x[0 : H, 2*H : 3*H, 0 :: 2, :, ...,  * s]",
            "let y = x[0:H, 2 * H:3 * H, 0::2, :, ..., *s]",
        ),
        ("let y[ i , * s ]=sum < f32 > [ k ]a [ i ,k ]", "let y[i, *s] = sum<f32>[k] a[i, k]"),
        (
            "let ( a,some ( b ),none )=f < A , [ 2,N ] > ( )",
            "let (a, some(b), none) = f<A, [2, N]>()",
        ),
        ("let t=( a , )", "let t = (a,)"),
        ("let y = x[0: :2, : :]", "let y = x[0::2, ::]"),
        ("let y = 2 . a + (2) . b", "let y = 2 .a + (2).b"),
        ("let t=[ ]", "let t = []"),
        ("let y=((a))*( b+c )", "let y = ((a)) * (b + c)"),
        (
            "let y=if a==b{c}else{if d{e}else{f}}",
            "let y = if a == b { c } else { if d { e } else { f } }",
        ),
        ("return!a&&b||c", "return !a && b || c"),
        ('let s = "a  b"', 'let s = "a  b"'),
        ("let n=1_000+0xFf+2.50E-3", "let n = 1_000 + 0xFf + 2.50E-3"),
    ],
)
def test_spaces_are_those_of_the_style(given: str, wanted: str) -> None:
    assert body(given) == f"{wanted}\n"


def test_bodies_hold_one_statement_a_line() -> None:
    given = "static for i in 0 .. N{a=a+i}while a<b{a=a+1}return"
    wanted = "static for i in 0..N {\n    a = a + i\n}\nwhile a < b {\n    a = a + 1\n}\nreturn\n"
    assert body(given) == wanted


def test_match_arms_stand_one_a_line_wherever_the_match_stands() -> None:
    assert body("let y=x*(match m{some(a)=>a none=>b})") == (
        "let y = x * (match m {\n    some(a) => a\n    none => b\n})\n"
    )


def test_struct_fields_have_no_commas_and_variants_have() -> None:
    text = formatted("module m struct S<N: Dim>{a:f32 b:Tensor[N;f32]} enum E{A,B} enum F{}")
    assert text == (
        "module m\n\nstruct S<N: Dim> {\n    a: f32\n    b: Tensor[N; f32]\n}\n\n"
        "enum E {\n    A,\n    B,\n}\n\nenum F {}\n"
    )


def test_a_comma_behind_the_last_element_asks_for_a_line_for_each() -> None:
    assert body("let y = f(a, b,)") == "let y = f(\n    a,\n    b,\n)\n"
    assert body("let y = x[i,]") == "let y =\n    x[\n        i,\n    ]\n"


def test_one_constraint_shares_its_line_and_several_have_a_line_each() -> None:
    one = formatted("module m fn f<N: Dim>() where N>0,{}")
    assert one == "module m\n\nfn f<N: Dim>()\nwhere N > 0 {}\n"
    two = formatted("module m block B<N: Dim, M: Dim> where N>0,M%N==0{}")
    assert two == (
        "module m\n\nblock B<N: Dim, M: Dim>\nwhere\n    N > 0,\n    M % N == 0\n{}\n"
    )  # fmt: skip


LONG = "a" * 30


def test_a_long_call_breaks_inside_its_brackets() -> None:
    given = f"let value = call({LONG}, {LONG}, {LONG})"
    assert body(given) == f"let value = call(\n    {LONG},\n    {LONG},\n    {LONG},\n)\n"


def test_a_long_chain_breaks_behind_its_operators_and_tighter_ones_deeper() -> None:
    given = f"let value = {LONG} * {LONG} + {LONG[10:]}"
    assert body(given) == f"let value =\n    {LONG} * {LONG} + {LONG[10:]}\n"
    given = f"let value = {LONG} * {LONG} + {LONG} * {LONG} * {LONG} * 2"
    assert body(given) == (
        f"let value =\n    {LONG} * {LONG} +\n"
        f"    {LONG} *\n        {LONG} *\n        {LONG} *\n        2\n"
    )
    assert body(f"return {LONG} + {LONG} + {LONG}") == (
        f"return {LONG} +\n    {LONG} +\n    {LONG}\n"
    )


def test_a_long_if_breaks_in_both_branches() -> None:
    given = f"let value = if {LONG} {{ {LONG} }} else {{ {LONG} }}"
    assert body(given) == f"let value = if {LONG} {{\n    {LONG}\n}} else {{\n    {LONG}\n}}\n"


def test_a_signature_keeps_its_parameters_together_where_its_result_can_break() -> None:
    """As conformance program run/016 has it."""
    types = ", ".join(f"Tensor[{LONG}; f32]" for _ in range(3))
    text = formatted(f"module m fn f(x: f32) -> ({types}) {{}}")
    assert "fn f(x: f32) -> (\n    Tensor[" in text
    text = formatted(f"module m fn f(x: Tensor[{LONG}; f32]) -> Tensor[{LONG}, {LONG}; f32] {{}}")
    assert text == (
        f"module m\n\nfn f(\n    x: Tensor[{LONG}; f32],\n) -> Tensor[{LONG}, {LONG}; f32] {{}}\n"
    )


def test_a_shape_that_is_too_long_has_no_comma_before_its_dtype() -> None:
    text = formatted(f"module m type A = Tensor[{', '.join([LONG] * 4)}; f32]")
    rows = [f"        {LONG},"] * 3 + [f"        {LONG}; f32"]
    wanted = ["module m", "", "type A =", "    Tensor[", *rows, "    ]", ""]
    assert text == "\n".join(wanted)


def test_gradients_and_kernels_follow_the_signature() -> None:
    text = (
        "module m op f(x:f32)->f32 kernel k<4> {return x}grad(y,dy){return dy}\n"
        "pub kernel k<N:Dim>(x:Tensor[N;f32])->y:Tensor[N;f32]grid(N/4)warps(4)stages(2)where N>0"
        "{store(y[i],load(x[i],m,0.0))}"
    )
    assert formatted(text) == (
        "module m\n\nop f(x: f32) -> f32 kernel k<4> {\n    return x\n} grad(y, dy) {\n"
        "    return dy\n}\n\npub kernel k<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] "
        "grid(N / 4) warps(4) stages(2)\nwhere N > 0 {\n    store(y[i], load(x[i], m, 0.0))\n}\n"
    )


def test_width_is_counted_in_code_points() -> None:
    head = 'let s = "'
    rest = '" + 1'
    fits = 100 - 4 - len(head) - len(rest)
    for char in "a漢🙂":
        assert "\n" not in body(f"{head}{char * fits}{rest}").rstrip()
        assert body(f"{head}{char * fits}{rest}2").startswith("let s =\n")


def test_nesting_at_the_limit_is_formatted() -> None:
    deep = "(" * 95 + "a" + ")" * 95
    assert body(f"let y = {deep}") == f"let y =\n    {deep}\n"
    calls = "f(" * 48 + "a" + ")" * 48
    assert "\n" in body(f"let y = {calls}")
    chain = "a" + ".b" * 190
    assert body(f"let y = {chain}") == f"let y =\n    {chain}\n"
