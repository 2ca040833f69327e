"""One mistake is told once, and what does not follow from it is told beside it [section 16]."""

import pytest

from linnet.checker import check
from linnet.emit import diagnose
from linnet.source import decode
from linnet.syntax import load_source

HEAD = "module test\n"
ENUM = "enum M { A, B, }\n"
PART = "block L<N: Dim> { param w: Tensor[N; f32] }\n"

PROGRAMS = [
    # An error silences what only follows from it.
    ("pub fn f(x: Foo) -> f32 { let y = x * 2.0 return y + x.z }", "E1201"),
    ("fn g(x: Foo) -> f32 { return 1.0 }\npub fn f(x: f32) -> f32 { return g(x) }", "E1201"),
    ("pub fn f(x: f32) -> f32 { var a = zz a = x a = 3 return a }", "E1201"),
    ("pub fn f(x: f32) -> f32 { let (a, b) = x return a + b }", "E2117"),
    ("pub fn f(t: (f32, f32)) -> f32 { let (a, b, c) = t return a + b + c }", "E2117"),
    (PART + "block A { sub l: L fn a(x: f32) -> f32 { return l.w[0] } }", "E2111"),
    ("block A { sub l: Foo fn a(x: f32) -> f32 { return l.forward(x) + l.w[0] } }", "E1201"),
    ("use std.linalg::{foo}\npub fn f(x: f32) -> f32 { return foo(x, x) }", "E1201"),
    ("use std.nothing\npub fn f(x: nothing.T) -> f32 { return nothing.foo(x) }", "E1202"),
    ("const A = zz\npub fn f(x: Tensor[A; f32]) -> Tensor[A; f32] { return x }", "E1201"),
    ("pub fn f(x: f32, c: bool) -> f32 { return if c { zz } else { x } }", "E1201"),
    ("pub fn f(x: Tensor[3; f32]) -> f32 { return view(x, [3]) }", "E1201"),
    ("pub fn f(x: f32) -> f32 { while x > 0.0 { return x } }", "E2120"),
    ("pub fn f(x: f32, y: f32) -> bool { return x && y }", "E2116"),
    (
        "pub fn f(x: Tensor[4, 4; f32], w: Tensor[4; f32]) -> Tensor[4; f32] {\n"
        "    let y[m] = x[m, n] * w[n]\n    return y\n}",
        "E3101",
    ),
    ("fn g<N: Dim, M: Dim>() -> f32 { return 1.0 }\nfn f() -> f32 { return g() }", "E2110"),
    # What has a cause of its own is told too, in the order of the text.
    ("pub fn f(x: f32) -> f32 { let a = zz let b = yy return a + b }", "E1201 E1201"),
    ("fn g(x: f32, y: f32) -> f32 { return x }\nfn f() -> f32 { return g(zz, yy) }", "E1201 E1201"),
    ("pub fn f(x: f32) -> Foo { let y = x & 1 return x }", "E1201 E2104"),
    ("pub fn f(x: f32, c: bool) -> f32 { return if x { zz } else { x } }", "E2114 E1201"),
    ("pub fn f(c: bool) -> f32 { return match zz { some(v) => v none => yy } }", "E1201 E1201"),
    (ENUM + "fn f(m: M) -> f32 { return match zz { A => 1.0 B => yy } }", "E1201 E1201"),
    ("pub fn f(x: f32) -> bool { return x && zz }", "E2116 E1201"),
    ("pub fn f(x: f32) -> f32 { while zz { let a = x & 1 } return x }", "E1201 E2104"),
    ("block A { param w: Tensor[M; f32] param v: f32 }", "E1201 E4101"),
    # Sizes are not made of values, wherever they stand in a signature.
    ("pub fn f(n: i64, x: Tensor[n; f32]) -> f32 { return 1.0 }", "E2123"),
    ("pub fn f(n: i64) -> Tensor[n; f32] { return fill<f32>([4], 0.0) }", "E2123"),
    ("pub fn f<N: Dim>(x: Tensor[N; f32], n: i64) -> f32 where n > 0 { return 1.0 }", "E2123"),
    ("pub fn f(x: Tensor[4; f32], n: i64) -> f32 { let y = x[0::n] return 1.0 }", "E2209"),
    # What an array of parts holds.
    (PART + "block A { sub w: [[L<4>; 3]; 2] }", "E4101"),
    (PART + "block A { sub w: [L<4>?; 2] }", "E4101"),
    ("block A { sub w: [Tensor[3; f32]; 2] }", "E4101"),
    ("fn f(x: [f32; 3]) -> f32 { return 1.0 }", "E1208"),
]


@pytest.mark.parametrize(("text", "codes"), PROGRAMS)
def test_each_mistake_is_told_once(text: str, codes: str) -> None:
    program = load_source(decode((HEAD + text).encode(), "test.linnet"))
    found = diagnose(check(program)) if program.is_complete else program.diagnostics
    errors = [one for one in found if one.severity == "error"]
    assert [one.code for one in errors] == codes.split(), [one.message for one in errors]
