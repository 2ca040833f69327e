"""Generic inference and required types: [TYP-8..TYP-20]."""

from pathlib import Path

import pytest

from linnet.checker import CheckResult, check, show_type
from linnet.source import decode
from linnet.syntax import load_source


def checked(body: str, tmp_path: Path) -> CheckResult:
    """What the checker says of a module with these items."""
    path = tmp_path / "test.linnet"
    return check(load_source(decode(f"module test\n{body}".encode(), str(path))))


def codes(body: str, tmp_path: Path) -> list[str]:
    """The codes of all problems, in source order."""
    return [one.code for one in checked(body, tmp_path).diagnostics]


def type_of(expression: str, tmp_path: Path, params: str = "x: Tensor[N, 4; f32]") -> str:
    """The type that a `let` of an expression gets."""
    body = f"pub fn run<N: Dim, M: Dim, *S: Shape, T: Float>({params}) {{ let _y = {expression} }}"
    result = checked(body, tmp_path)
    assert result.program is not None, [one.message for one in result.diagnostics]
    (function,) = result.program.bodies.values()
    binding = function.statements[-2]
    return show_type(binding.locals[0].type)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        ("x", "Tensor[N, 4; f32]"),
        ("x + 1", "Tensor[N, 4; f32]"),
        ("x[0:2, 1]", "Tensor[min(N, 2); f32]"),
        ("x[:, 1:3]", "Tensor[N, 2; f32]"),
        ("x[:, ::3]", "Tensor[N, 2; f32]"),
        ("x[..., 3]", "Tensor[N; f32]"),
        ("x[:, 2:1]", "Tensor[N, 0; f32]"),
        ("x > 0.0", "Tensor[N, 4; bool]"),
        ("x * fill<f32>([M, 1, 1], 2)", "Tensor[M, N, 4; f32]"),
        ("permute(x, [1, 0])", "Tensor[4, N; f32]"),
        ("concat(x, x[:, :1], axis = -1)", "Tensor[N, 5; f32]"),
        ("iota(N + 1)", "Tensor[N + 1; i64]"),
        ("cast<T>(x)", "Tensor[N, 4; T]"),
        ("sum[i, j] x[i, j]", "f32"),
        ("(1, 2.0)", "(i64, f64)"),
        ("some(x)", "Tensor[N, 4; f32]?"),
        ("7", "i64"),
        ("0.5 * 3", "f64"),
        ("-2 / 3", "i64"),
        ("min(x, 2)", "Tensor[N, 4; f32]"),
        ("select(true, 1, x)", "Tensor[N, 4; f32]"),
        ("if x[0, 0] > 1 { 2 } else { 0.5 }", "f64"),
        ("fill([], x[0, 0])", "f32"),
        ("N > 3", "bool"),
    ],
)
def test_an_expression_has_the_type(expression: str, type_: str, tmp_path: Path) -> None:
    assert type_of(expression, tmp_path) == type_


@pytest.mark.parametrize(
    ("call", "type_"),
    [
        ("f(x)", "Tensor[N; f32]"),
        ("f<[N], 4>(x)", "Tensor[N; f32]"),
        ("f(x[0])", "f32"),
        ("f(fill<f32>([2, 3, M], 0.0))", "Tensor[2, 3; f32]"),
    ],
)
def test_a_pack_takes_the_axes_left_over(call: str, type_: str, tmp_path: Path) -> None:
    helper = (
        "fn f<*S: Shape, L: Dim>(x: Tensor[*S, L; f32]) -> Tensor[*S; f32]"
        " { let y[*s] = sum[l] x[*s, l] return y }\n"
    )
    body = helper + f"pub fn run<N: Dim, M: Dim>(x: Tensor[N, 4; f32]) {{ let _y = {call} }}"
    result = checked(body, tmp_path)
    assert result.program is not None
    run = next(b for f, b in result.program.bodies.items() if f.name == "run")
    assert show_type(run.statements[-2].locals[0].type) == type_  # type: ignore[union-attr]


def test_typed_arguments_bind_before_literals(tmp_path: Path) -> None:
    body = """
    fn blend<T: Float>(k: T, x: T) -> T { return k * x }
    pub fn run(x: f16) -> f16 { return blend(0.5, x) }
    """
    assert codes(body, tmp_path) == []


def test_a_generic_of_literals_alone_takes_their_default(tmp_path: Path) -> None:
    body = """
    fn twice<T: Numeric>(k: T) -> T { return k + k }
    pub fn run() -> (i64, f64) { return (twice(1), twice(1.0)) }
    """
    assert codes(body, tmp_path) == []


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("let y: Tensor[N; f32] = k", "E2101"),
        ("let y: f32 = h", "E2101"),
        ("let y = need(h)", "E2103"),
        ("let y = need(x)", "E2101"),
        ("let y = rows(k)", "E2101"),
        ("let y = rows(x, some(x))", "E2202"),
        ("let y = if c { x } else { k }", "E2115"),
        ("var y = x\ny = k", "E2109"),
        ("var y = k\ny = h", "E2109"),
        ("let y = -c", "E2104"),
        ("let y = c + 1", "E2104"),
        ("let y = x + h", "E2103"),
        ("let y: u8 = 256", "E2105"),
        ("let y: i8 = 3 - 200", "E2105"),
        ("let y: bool = 1", "E2101"),
        ("let y = shl(k, 2)", "E2112"),
        ("let y = x ^ x", "E2104"),
        ("let y = [N]", "E2101"),
        ("let y = reshape(x, 4)", "E2101"),
        ("let y = reshape(x, [k])", "E2123"),
        ("let y = cast<f32, f32>(k)", "E2111"),
        ("let y = fill<bool>([N], 1)", "E2103"),
        ("let y = unit()", "E2101"),
        ("let y = x[*N]", "E3101"),
        ("let y = some(some(k))", "E2101"),
        ("let y = k.real", "E2107"),
        ("let y = 1 && 2", "E2116"),
        ('let y = "text"', "E2190"),
    ],
)
def test_a_difference_has_the_code_of_its_place(statement: str, code: str, tmp_path: Path) -> None:
    body = f"""
    fn need(k: f32) -> f32 {{ return k }}
    fn rows<N: Dim>(x: Tensor[N; f32], y: Tensor[N, 2; f32]? = none) -> f32 {{
        let _y = y
        return sum[i] x[i]
    }}
    fn unit() {{ return }}
    pub fn run<N: Dim>(x: Tensor[N; f32], k: f32, h: f16, c: bool) {{
        {statement}
    }}
    """
    assert codes(body, tmp_path) == [code]


def test_errors_silence_what_follows_from_them(tmp_path: Path) -> None:
    body = """
    pub fn run<N: Dim>(x: Tensor[N; f32]) -> f32 {
        let a = missing + x
        let b = a * 2.0
        let (c, d) = b
        let e[i] = a[i] + d
        return need(e, c)
    }
    fn need<N: Dim>(x: Tensor[N; f32], k: f32) -> f32 { return x[0] * k }
    """
    assert codes(body, tmp_path) == ["E1201"]


def test_independent_problems_come_in_source_order(tmp_path: Path) -> None:
    body = """
    pub fn one(x: f32) -> f32 { return y }
    pub fn two(x: Missing) -> f32 { return 1.0 }
    pub fn three(x: f32) -> i32 { return x }
    """
    assert codes(body, tmp_path) == ["E1201", "E1201", "E2101"]


def test_a_broken_signature_still_has_its_body_checked(tmp_path: Path) -> None:
    assert codes("pub fn run(x: Missing) -> f32 { return y }", tmp_path) == ["E1201", "E1201"]


def test_a_dtype_inside_of_a_larger_type_is_shown_with_it(tmp_path: Path) -> None:
    text = """module test
struct Pair<T: DType> { left: T right: T }
fn f(q: (Pair<f32>, f32)) -> f32 { let (p, k) = q return p.left * k }
pub fn run(k: f32) -> f32 { return f((Pair(left = 1.0, right = 2.0), k)) }
"""
    (found,) = check(load_source(decode(text.encode(), str(tmp_path / "test.linnet")))).diagnostics
    assert found.code == "E2103"
    assert found.message.endswith("needs `(Pair<f32>, f32)`, found `(Pair<f64>, f32)`")
    assert found.help is None
