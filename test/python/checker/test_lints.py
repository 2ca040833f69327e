"""What is left over is warned of, and nothing else (spec section 17)."""

from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import Diagnostic

BLOCKS = """module lints

block Inner<N: Dim> {
    param through: Tensor[N; f32]
    param spare: Tensor[N; f32]
    param _kept: Tensor[N; f32]
    buffer table: Tensor[N; f32]
    state cache: Tensor[N; f32]
    state written: Tensor[N; f32]
    sub none_used: Leaf<N>

    pub fn run(x: Tensor[N; f32]) -> Tensor[N; f32] {
        written = x
        return x
    }
}

block Leaf<N: Dim> {
    param deep: Tensor[N; f32]
}

pub block Outer<N: Dim> {
    sub inner: Inner<N>
    sub leaf: Leaf<N>
    sub many: [Inner<N>; 3]

    pub entry run(x: Tensor[N; f32]) -> Tensor[N; f32] {
        var y = inner.run(x) + inner.through + leaf.deep
        static for each in many {
            y = each.run(y)
        }
        return y
    }
}
"""


def warnings(text: str, folder: Path) -> tuple[Diagnostic, ...]:
    path = folder / "lints.linnet"
    path.write_text(text, "utf-8")
    return check_path(path).diagnostics


def names(found: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{one.code} {one.primary.span.text}" for one in found if one.primary is not None]


def test_members_that_nothing_uses_are_told_and_paths_count_as_use(tmp_path: Path) -> None:
    found = [name for name in names(warnings(BLOCKS, tmp_path)) if name.startswith("W1003")]
    assert found == ["W1003 spare", "W1003 table", "W1003 cache", "W1003 none_used"]


def test_a_member_that_only_another_module_uses_is_unused_in_its_own(tmp_path: Path) -> None:
    (tmp_path / "linnet.toml").write_text(
        '[package]\nname = "p"\nversion = "0.1.0"\nlanguage = "0.1"\n'
    )
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "part.linnet").write_text(
        "module p.part\npub block Part<N: Dim> { param gain: Tensor[N; f32] }\n"
    )
    root = tmp_path / "src" / "lib.linnet"
    root.write_text(
        "module p\nuse crate.part::{Part}\npub block Model<N: Dim> {\n    sub part: Part<N>\n"
        "    pub entry run() -> Tensor[N; f32] { return part.gain }\n}\n"
    )
    assert names(check_path(root).diagnostics) == ["W1003 gain"]
    assert names(check_path(tmp_path / "src" / "part.linnet").diagnostics) == ["W1003 gain"]


LOCALS = [
    ("let waste = x * 2.0", ["waste"]),
    ("let _waste = x * 2.0", []),
    ("var count = 0 count = 1", ["count"]),
    ("var count = 0 count = count + 1", []),
    ("let (a, b) = (x, x)", ["a", "b"]),
    ("let (_a, b) = (x, x)", ["b"]),
    ("let (a, (b, _c)) = (x, (x, x))", ["a", "b"]),
    ("let squares[i] = x[i] * x[i]", ["squares"]),
    ("let y = match o { some(v) => 1.0 none => 2.0 } let z = y + y let w = z * z", ["v", "w"]),
    ("let _y = match o { rest => 1.0 }", ["rest"]),
    ("static for i in 0..3 { let inside = x }", ["i", "inside"]),
    ("static for _i in 0..3 { let _inside = x }", []),
    ("for i in 0..3 { let inside = x }", ["i", "inside"]),
    ("let _s = for i in 0..3 { yield x }", ["i"]),
    ("let n = N", ["n"]),
    ("let n = N let _y = fill<f32>([n], 0.0)", []),
    ("let a = x let a = a * 2.0", ["a"]),
    ("let i = 1 let _y[i] = x[i]", ["i"]),
]


@pytest.mark.parametrize(("body", "unused"), LOCALS)
def test_locals_that_nothing_reads_are_told(body: str, unused: list[str], tmp_path: Path) -> None:
    text = "module lints\npub fn run<N: Dim>(x: Tensor[N; f32], spare: f32, o: f32?) -> f32 {\n"
    found = warnings(f"{text}{body}\nreturn 1.0\n}}\n", tmp_path)
    assert names(found) == [f"W1002 {name}" for name in unused]


def test_a_program_with_an_error_has_no_warnings(tmp_path: Path) -> None:
    unproven = "pub fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { let waste = x return x[0] }\n"
    found = warnings(f"module lints\nuse std.linalg::{{dot}}\n{unproven}", tmp_path)
    assert [one.code for one in found] == ["E2209"]


USES = """module lints

use std.linalg::{dot, outer as product, matmul}
use std.nn.softmax
use std.nn.activations::{relu, gelu}
use std.nn.linear::{Linear}

pub block Model<N: Dim> {
    sub head: Linear<N, N, f32>

    pub entry run<B: Dim>(x: Tensor[B, N; f32]) -> Tensor[B, N; f32] {
        return head.forward(matmul(x, matmul(permute(x, [1, 0]), x)))
    }
}
"""


def test_removing_what_the_hints_say_leaves_no_warning(tmp_path: Path) -> None:
    """Each edit is made by itself: it takes one warning away and brings no other problem."""
    found = warnings(USES, tmp_path)
    expected = ["dot", "outer as product", "use std.nn.softmax", "relu", "gelu"]
    assert names(found) == [f"W1001 {name}" for name in expected]
    for one in found:
        if one.edit is None:
            continue
        _, start, end = one.edit.span
        left = warnings(USES[:start] + one.edit.replacement + USES[end:], tmp_path)
        assert all(each.code == "W1001" for each in left)
        assert len(left) < len(found)
    whole = "\n\nuse std.linalg::{matmul}\nuse std.nn.linear::{Linear}\n\n"
    assert warnings(USES[:12] + whole + USES[USES.index("pub block") :], tmp_path) == ()
    edits = sorted((e.edit.span.start, e.edit.span.end) for e in found if e.edit is not None)
    text = USES
    for start, end in reversed(edits[1:]):
        text = text[:start] + text[end:]
    assert "softmax" not in text
    assert "relu" not in text


@pytest.mark.parametrize(("body", "unused"), [case for case in LOCALS if case[1]])
def test_an_underscore_where_the_hint_says_so_silences_it(
    body: str, unused: list[str], tmp_path: Path
) -> None:
    head = "module lints\npub fn run<N: Dim>(x: Tensor[N; f32], o: f32?) -> f32 {\n"
    text = f"{head}{body}\nreturn 1.0\n}}\n"
    for one in warnings(text, tmp_path):
        if one.edit is None:
            assert one.help == "remove it and its assignments"
            continue
        _, start, end = one.edit.span
        left = warnings(text[:start] + one.edit.replacement + text[end:], tmp_path)
        assert len(left) == len(unused) - 1
