"""Blocks, members, methods, state, patterns and lints [BLK-1..BLK-5], [EXP-8], spec 17."""

from pathlib import Path

import pytest

from linnet.checker import Binary, CheckResult, ErrorType, check
from linnet.checker._program import nodes_in
from linnet.source import decode
from linnet.syntax import load_source

CELL = """
block Cell<N: Dim> {
    param gain: Tensor[N; f32]
    state seen: Tensor[N; f32]
    pub fn apply(x: Tensor[N; f32]) -> Tensor[N; f32] {
        seen = x
        return x * gain
    }
    fn hidden(k: f32) -> f32 { return k }
}
"""


def checked(body: str, tmp_path: Path) -> CheckResult:
    """What the checker says of a module with these items."""
    path = tmp_path / "test.linnet"
    return check(load_source(decode(f"module test\n{body}".encode(), str(path))))


def codes(body: str, tmp_path: Path) -> list[str]:
    """The codes of all problems, in source order."""
    return [one.code for one in checked(body, tmp_path).diagnostics]


def model(members: str, statement: str) -> str:
    """A block around Cell with one entry."""
    return f"""{CELL}
    pub block Model<N: Dim> {{
        sub one: Cell<N>
        sub many: [Cell<N>; 3]
        sub maybe: Cell<N>? = none
        {members}
        pub entry run(x: Tensor[N; f32], k: f32) -> Tensor[N; f32] {{
            let _all = one.apply(x) + many[0].apply(x) + (match maybe {{
                some(c) => c.apply(x)
                none => x
            }})
            {statement}
            return x
        }}
    }}
    """


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("let c = one", "E2101"),
        ("let c = many", "E2101"),
        ("let c = many[0]", "E2101"),
        ("let c = maybe", "E2101"),
        ("let c = (one, x)", "E2101"),
        ("let c = many[3].gain", "E2209"),
        ("let c = many[k].gain", "E2123"),
        ("let c = many[0:1]", "E2209"),
        ("let c = many[0, 1]", "E2204"),
        ("let c = many.gain", "E2107"),
        ("let c = maybe.gain", "E2107"),
        ("let c = one.missing", "E2107"),
        ("let c = one.apply", "E1208"),
        ("let c = one.gain(x)", "E2106"),
        ("let c = run(x, k)", "E2119"),
        ("one = x", "E2108"),
        ("k = 1.0", "E2108"),
        ("static for c in one { }", "E2121"),
        ("static for (a, b) in many { }", "E2117"),
        ("let y[i] = one.apply(x)[i]", "W1002"),
        ("let y[i] = one.seen[i] * k", "W1002"),
        ("let y[i] = one.hidden(x[i])", "W1002"),
    ],
)
def test_what_a_block_is_used_for_is_checked(statement: str, code: str, tmp_path: Path) -> None:
    found = codes(model("", statement), tmp_path)
    assert found == [code]


@pytest.mark.parametrize(
    ("member", "code"),
    [
        ("param p: f32", "E4101"),
        ("param p: Cell<N>", "E4101"),
        ("param p: Tensor[N; f32] = none", "E4101"),
        ("param p: Tensor[N; f32]? = some(x)", "E4102"),
        ("buffer p: Tensor[N; f32]?", "E4101"),
        ("state p: (f32, f32)", "E4101"),
        ("sub p: Tensor[N; f32]", "E4101"),
        ("sub p: [Cell<N>; 2]?", "E4101"),
        ("sub p: Cell<N> = none", "E4101"),
        ("sub p: Model<N>", "E2122"),
        ("sub p: Cell", "E2111"),
        ("sub p: Cell<f32>", "E2111"),
        ("param one: Tensor[N; f32]", "E1205"),
        ("const one = 4", "E1205"),
    ],
)
def test_a_member_has_a_type_it_can_have(member: str, code: str, tmp_path: Path) -> None:
    assert codes(model(member, ""), tmp_path) == [code]


def test_a_method_may_name_a_generic_like_its_block(tmp_path: Path) -> None:
    body = """
    pub block Cell<N: Dim> {
        param gain: Tensor[N; f32]
        pub fn scaled<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x * 2.0 }
        pub entry run(x: Tensor[3; f32]) -> (Tensor[3; f32], Tensor[N; f32]) {
            return (scaled(x), scaled(gain))
        }
    }
    """
    result = checked(body, tmp_path)
    assert result.diagnostics == ()


def test_a_default_is_checked_with_the_generics_of_the_call(tmp_path: Path) -> None:
    body = """
    fn grown<N: Dim, T: Float>(x: Tensor[N; T], by: T = 0.5 * N) -> Tensor[N; T] {
        return x + by
    }
    pub fn run(x: Tensor[3; bf16]) -> Tensor[3; bf16] { return grown(x) }
    """
    assert codes(body, tmp_path) == []


@pytest.mark.parametrize(
    ("match", "code"),
    [
        ("match v { some(a) => a none => 0.0 }", None),
        ("match v { none => 0.0 rest => 1.0 }", "W1002"),
        ("match v { some(a) => a }", "E2118"),
        ("match v { none => 0.0 }", "E2118"),
        ("match v { some(a) => a none => 0.0 _rest => 1.0 }", "E2117"),
        ("match v { some(a) => a some(b) => b none => 1.0 }", "E2117"),
        ("match v { some((a, b)) => a none => 1.0 }", "E2117"),
        ("match m { A => 1.0 _ => 2.0 }", None),
        ("match m { A => 1.0 B => 2.0 }", None),
        ("match m { A => 1.0 }", "E2118"),
        ("match m { A => 1.0 A => 2.0 B => 3.0 }", "E2117"),
        ("match m { A => 1.0 B => 2.0 _ => 3.0 }", "E2117"),
        ("match m { A => 1.0 some(x) => 2.0 }", "E2117"),
        ("match m { A => 1.0 B => some(1.0) }", "E2115"),
        ("match 1.0 { none => 2.0 }", "E2117"),
    ],
)
def test_a_match_covers_every_case_once(match: str, code: str | None, tmp_path: Path) -> None:
    body = f"""
    enum Mode {{ A, B, }}
    pub fn run(v: f32?, m: Mode) -> f32 {{
        let _unused = (v, m)
        return {match}
    }}
    """
    assert codes(body, tmp_path) == ([] if code is None else [code])


def test_what_follows_from_no_error_is_kept_of_a_program_with_errors(tmp_path: Path) -> None:
    body = """
    pub fn broken(x: f32) -> f32 {
        let a = missing
        let b = a * x
        let c = x * x
        return a
    }
    pub fn untyped(x: Missing) -> f32 { return x }
    pub fn uses(x: f32) -> f32 { return broken(x) }
    pub fn sound(x: f32) -> f32 { return x }
    """
    result = checked(body, tmp_path)
    assert result.program is None
    assert result.sound is not None
    bodies = {function.name: body for function, body in result.sound.bodies.items()}
    assert sorted(bodies) == ["broken", "sound", "uses"]
    nodes = list(nodes_in(bodies["broken"].statements))
    assert not any(isinstance(node.type, ErrorType) for node in nodes)
    assert [node.span.text for node in nodes if isinstance(node, Binary)] == ["x * x"]
