"""One statement a rule: what each is judged to be, in one scope with a value of every kind.

`ok` allows the warnings of unused locals and nothing else.
"""

from pathlib import Path

import pytest

from linnet.checker import check
from linnet.emit import diagnose
from linnet.source import decode
from linnet.syntax import load_source

SCOPE = """module test
enum Mode { A, B, }
struct St { a: f32 }
const C = 3
const CT: f32 = 1.0
fn sc(x: f32) -> f32 { return x }
fn tn<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }
fn two<*S: Shape, *R: Shape>(x: Tensor[*S, *R; f32]) -> f32 { return 1.0 }
fn pk<*S: Shape, H: Dim>(x: Tensor[*S, H; f32], y: Tensor[*S; f32]) -> Tensor[*S; f32] {
    return y
}
fn num<T: Numeric>(x: T) -> T { return x }
fn opt(x: f32?) -> f32 { return 1.0 }
fn need<N: Dim>(x: Tensor[N; f32]) -> f32 where N > 1 { return x[1] }
pub fn run<N: Dim, M: Dim, *S: Shape, T: Float, I: Integer, D: DType>(
    x: Tensor[N; f32], a: Tensor[N, M; f32], p: Tensor[*S, N; f32], q: Tensor[*S; f32],
    t: Tensor[N; T], ii: Tensor[N; I], d: D, k: f32, n: i64, c: bool, o: f32?, m: Mode,
    b: Tensor[N; bool], u: u8, tup: (f32, i32),
) {
    STATEMENT
}
"""

STATEMENTS = [
    ("let y = x + q", "E2207"),
    ("let y = p + x", "ok"),
    ("let y = p * q", "E2207"),
    ("let y = x + a", "E2207"),
    ("let y = t + 1.5", "ok"),
    ("let y = ii + 1.5", "E2103"),
    ("let y = d == d", "ok"),
    ("let y = d < d", "E2104"),
    ("let y = ii & 3", "ok"),
    ("let y = t & 3", "E2104"),
    ("let y = c == true", "ok"),
    ("let y = c == 1", "E2103"),
    ("let y = m == m", "E2104"),
    ("let y = tup == tup", "E2104"),
    ("let y = o == o", "E2104"),
    ("let y = -u", "ok"),
    ("let y = -b", "E2104"),
    ("let y = +c", "E2104"),
    ("let y = !n", "E2116"),
    ("let y = c & b", "ok"),
    ("let y = sc(1)", "ok"),
    ("let y = sc(n)", "E2103"),
    ("let y = sc(x)", "E2101"),
    ("let y = tn(k)", "E2101"),
    ("let y = two(a)", "E2110"),
    ("let y = pk(a, x)", "ok"),
    ("let y = pk(a, a)", "E2202"),
    ("let y = pk(p, q)", "ok"),
    ("let y = num(c)", "E2112"),
    ("let y = num(1.5)", "ok"),
    ("let y = opt(k)", "E2101"),
    ("let y = opt(none)", "ok"),
    ("let y = opt(some(1))", "ok"),
    ("let y = opt(o)", "ok"),
    ("let y = opt(some(n))", "E2103"),
    ("let y = need(x)", "E2206"),
    ("let y = St(a = 1.0)", "E2190"),
    ("let y = Mode.C", "E2107"),
    ("let y = Mode", "E1208"),
    ("let y = C + 0.5", "ok"),
    ("let y = x * CT", "ok"),
    ("let y: Tensor[C; f32] = x", "E2202"),
    ("let y = N", "ok"),
    ("let y: i32 = N", "ok"),
    ("let y: bool = N", "E2101"),
    ("let y = x[N]", "E2209"),
    ("let y = x[n]", "ok"),
    ("let y = x[k]", "E2209"),
    ("let y = x[c]", "E2209"),
    ("let y = x[u]", "ok"),
    ("let y = a[..., 0]", "E2209"),
    ("let y = a[..., ...]", "E2209"),
    ("let y = a[n, n, n]", "E2204"),
    ("let y = p[0]", "E2209"),
    ("let y = p[..., n]", "ok"),
    ("let y = x[n:]", "E2123"),
    ("let y = x[::n]", "E2123"),
    ("let y = x[::N]", "E2209"),
    ("let y = x[0:-1]", "E2209"),
    ("let y = tup[0]", "E2104"),
    ("let y = cast<Mode>(k)", "E2111"),
    ("let y = cast<T>(x)", "ok"),
    ("let y = cast<bool>(x)", "ok"),
    ("let y = exp(1)", "E2112"),
    ("let y = exp(1.0)", "ok"),
    ("let y = abs(b)", "E2112"),
    ("let y = min(x, n)", "E2103"),
    ("let y = min(x, 1)", "ok"),
    ("let y = shl(n, 1.0)", "E2112"),
    ("let y = select(c, x, 1)", "ok"),
    ("let y = select(c, x, n)", "E2103"),
    ("let y = select(k, x, x)", "E2114"),
    ("let y = reshape(x, [N, 1])", "ok"),
    ("let y = reshape(k, [1, 1])", "ok"),
    ("let y = reshape(x, [*S])", "E2203"),
    ("let y = reshape(p, [N, *S])", "ok"),
    ("let y = reshape(x, x)", "E2101"),
    ("let y = broadcast_to(x, [M, N])", "ok"),
    ("let y = broadcast_to(a, [N])", "E2207"),
    ("let y = permute(a, [1])", "E2210"),
    ("let y = permute(a, [1, n])", "E2210"),
    ("let y = permute(a, [0, 2])", "E2210"),
    ("let y = concat(x, axis = 0)", "E2102"),
    ("let y = concat(x, x, axis = n)", "E2210"),
    ("let y = concat(x, x, axis = 0, axis = 0)", "E2102"),
    ("let y = concat(x, a, axis = 0)", "E2202"),
    ("let y = concat(x, b, axis = 0)", "E2103"),
    ("let y = concat(p, p, axis = 0)", "E2210"),
    ("let y = iota(k)", "E2123"),
    ("let y = iota<D>(3)", "E2112"),
    ("let y = fill<f32>([N], x)", "E2101"),
    ("let y = fill<f32>([N], n)", "E2103"),
    ("let y = fill([N], k)", "ok"),
    ("let y = fill([N], o)", "E2101"),
    ("let y = gather(x)", "E2190"),
    ("let y = cumsum(x, axis = 0)", "E2190"),
    ("let y = if c { k } else { n }", "E2115"),
    ("let y = if k { 1 } else { 2 }", "E2114"),
    ("let y = if c { 1 } else { true }", "E2115"),
    ("let y = x[if c { 2 } else { 3 }]", "ok"),
    ("let y = fill<f32>([if c { 2 } else { 3 }], 0.0)", "E2123"),
    ("let (y, z) = tup", "ok"),
    ("let (y,) = tup", "E2117"),
    ("let some(y) = o", "E2117"),
    ("let y = k y = 2.0", "E2108"),
    ("var y = 1 y = 2.5", "E2109"),
    ("var y = none", "E2113"),
    ("n = 3", "E2108"),
    ("x = x", "E2108"),
    ("zz = 1", "E1201"),
    ("while c { let z = 1 }", "ok"),
    ("while 1 { }", "E2114"),
    ("static for i in 0..N { }", "ok"),
    ("static for i in 0..n { }", "E2121"),
    ("static for i in x { }", "E2121"),
    ("let y[i] = x[i] + a[i, 0]", "E2209"),
    ("let y[i] = x[i] + x", "E3104"),
    ("let y[i] = x[j]", "E3101"),
    ("let y[i] = k", "E3103"),
    ("let y[i] = x[i] * i", "E3104"),
    ("let y[i] = sum[i] x[i]", "E3105"),
    ("let y[i] = sum[j] x[i]", "E3102"),
    ("let y[i] = x[i, 0]", "E2204"),
    ("let y[*s] = q[*s]", "ok"),
    ("let y[s] = q[s]", "E3106"),
    ("let y[*s, i] = p[*s, i] + q[*s]", "ok"),
    ("let y[*s] = p[*s]", "ok"),
    ("let y[i] = p[i]", "E2204"),
    ("let y[i] = x[x[i]]", "E2209"),
    ("let y[i] = tn(x)[i]", "ok"),
    ("let y[i] = tn(x[i])", "E2101"),
    ("let y[i] = sc(x[i])", "ok"),
    ("let y[i] = (x[i], 1)", "E3104"),
    ("let y[i] = o", "E3104"),
    ("let y[i] = x[i][0]", "E3104"),
    ("let y[i] = a[i][i]", "E3104"),
    ("let y = sum[i] b[i]", "E2104"),
    ("let y = any[i] x[i]", "E2104"),
    ("let y = any[i] b[i]", "ok"),
    ("let y = any<f32>[i] b[i]", "E2104"),
    ("let y = sum<f16>[i] x[i]", "E2103"),
    ("let y = sum<M>[i] x[i]", "E1208"),
    ("let y = sum[i, j] a[i, j] * x[j]", "E2201"),
    ("let y = k(1)", "E2106"),
    ("let y = C(1)", "E2106"),
    ("let y = Mode.A(1)", "E2106"),
    ("let y = sc", "E1208"),
    ("let y = f32", "E1208"),
    ("let y = T", "E1208"),
    ("let y = S", "E1208"),
    ("let y = exp", "E1208"),
    ("let y = k.x", "E2107"),
    ("let y = t.u.v", "E2107"),
    ("let y = match o { some(z) => z none => n }", "E2115"),
    ("let y = match k { none => 1 }", "E2117"),
    ("let y = match m { A => 1 B => 2 }", "ok"),
    ("let y = sc(k, k)", "E2102"),
    ("let y = sc()", "E2102"),
    ("let y = sc(y = k)", "E2102"),
    ("let y = sc<f32>(k)", "E2111"),
    ("let y = tn<f32>(x)", "E2111"),
    ("let y = tn<M>(x)", "E2202"),
    ("let y = tn<N + 1>(x)", "E2202"),
    ("let y: Tensor[N - 5; f32]? = none", "ok"),
    ("let y: St = k", "E2101"),
    ("return k", "E2101"),
    ("return", "ok"),
    ("let y[i, i] = x[i] + x[i]", "E3105"),
    ("let y = max[i, i] x[i]", "E3105"),
]


@pytest.mark.parametrize(("statement", "code"), STATEMENTS)
def test_a_statement_is_judged_by_its_rule(statement: str, code: str, tmp_path: Path) -> None:
    text = SCOPE.replace("STATEMENT", statement)
    source = decode(text.encode(), str(tmp_path / "test.linnet"))
    found = [one.code for one in diagnose(check(load_source(source)))]
    assert set(found) <= {"W1002"} if code == "ok" else found == [code]
