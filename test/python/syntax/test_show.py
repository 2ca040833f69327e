"""The printer's style: spaces, parentheses and signatures."""

import pytest

from linnet.source import decode
from linnet.syntax import Function, Let, Module, parse, show, show_generics, show_signature


def module(text: str) -> Module:
    result = parse(decode(f"module a {text}".encode(), "a.linnet"))
    assert result.tree is not None, result.diagnostics
    return result.tree


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("((a))", "a"),
        ("(a+b)*c", "(a + b) * c"),
        ("a+(b*c)", "a + b * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("-(-x)", "-(-x)"),
        ("(-x)[i]", "(-x)[i]"),
        ("(sum[i] x[i])+y", "(sum[i] x[i]) + y"),
        ("y+(sum[ i ] x[i])", "y + sum[i] x[i]"),
        ("(y+(sum[i] x[i]))*2", "(y + sum[i] x[i]) * 2"),
        ("(if a{b}else{c})+d", "(if a { b } else { c }) + d"),
        ("f<H,3*H>(x,axis=-1,)", "f<H, 3 * H>(x, axis = -1)"),
        ("x[0 : H,2*H:3*H, 0 :: 2,...]", "x[0:H, 2 * H:3 * H, 0::2, ...]"),
        ("(a,)", "(a,)"),
        ("(max)[i]", "(max)[i]"),
        ("f((a < b), c > (d))", "f(a < b, c > d)"),
        ("f((a < b), c > (d == e))", "f((a) < b, c > (d == e))"),
        ("match m{some(b)=>b none=>c}", "match m { some(b) => b none => c }"),
        ("0x1F + 1_000", "0x1F + 1_000"),
    ],
)
def test_expressions_print_with_the_fewest_parentheses(text: str, printed: str) -> None:
    function = module(f"fn f() {{ let a = {text} }}").items[0]
    assert isinstance(function, Function)
    statement = function.body.statements[0]
    assert isinstance(statement, Let)
    assert show(statement.value) == printed


def test_a_signature_is_one_line_without_where_and_body() -> None:
    function = module(
        """pub entry run<*S:Shape,T:Float=f32,>(
            x:Tensor[*S,2*H;T]?, pair:(f32,[B<H>;N]),
        )->Tensor[;f32] where S>0 { return x }""".replace("Tensor[;f32]", "Tensor[4;f32]")
    ).items[0]
    assert isinstance(function, Function)
    assert show_signature(function) == (
        "pub entry run<*S: Shape, T: Float = f32>(x: Tensor[*S, 2 * H; T]?, "
        "pair: (f32, [B<H>; N])) -> Tensor[4; f32]"
    )
    assert show_generics(function.generics) == "<*S: Shape, T: Float = f32>"
    assert show_generics(()) == ""
