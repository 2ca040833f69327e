"""What an undeclared name was meant to be: found for each use, and better once followed."""

from pathlib import Path

import pytest

from linnet.checker import check
from linnet.diagnostics import Diagnostic
from linnet.source import decode
from linnet.syntax import load_source, offers

PROGRAM = """module test

use std.linalg
use std.nn.activations::{gelu}

const WIDTH = 4

enum Mode {
    Fast,
    Slow,
}

type Row = Tensor[WIDTH; f32]

fn blend(left: f32, right: f32, at: f32 = 0.5) -> f32 {
    return left + at * (right - left)
}

pub block Cell<Hidden: Dim, *Batch: Shape, Dtype: Float = f32> {
    param weight: Tensor[Hidden; f32]
    state cache: Tensor[Hidden; f32]

    pub fn forward(x: Tensor[Hidden; f32]) -> Tensor[Hidden; f32] {
        return gelu(x * weight) + cache
    }
}

pub block Model<Hidden: Dim, *Batch: Shape, Dtype: Float = f32> {
    param weight: Tensor[Hidden; f32]
    state cache: Tensor[Hidden; f32]
    sub cell: Cell<Hidden, [2]>
    sub tower: [Cell<Hidden, [2]>; 2]

    pub fn run(
        x: Tensor[Hidden; f32], t: Tensor[Hidden; Dtype], y: Tensor[*Batch; f32], mode: Mode,
        k: f32, m: Tensor[Hidden, Hidden; f32],
    ) -> f32 {
        var total: f32 = 1.0
        STATEMENT
        return total
    }
}
"""


def problems(text: str) -> tuple[Diagnostic, ...]:
    source = decode(text.encode(), "test.linnet")
    return tuple(one for one in check(load_source(source)).diagnostics if one.severity == "error")


def after(one: Diagnostic) -> tuple[Diagnostic, ...]:
    """The problems of the program once the edit is made."""
    assert one.edit is not None
    file, start, end = one.edit.span
    return problems(file.text[:start] + one.edit.replacement + file.text[end:])


# The statement, its first code, the name or import that is suggested.
RENAMED = [
    ("let a = wieght * 2.0", "E1201", "weight"),
    ("let a = Weight * 2.0", "E1201", "weight"),
    ("let a = x * totl", "E1201", "total"),
    ("totla = 2.0", "E1201", "total"),
    ("cahce = x", "E1201", "cache"),
    ("let a = fill<f32>([WIDHT], 0.0)", "E1201", "WIDTH"),
    ("let a = fill<f32>([hidden], 0.0)", "E1201", "Hidden"),
    ("let a = fill<f32>([*Bacth], 0.0)", "E1201", "Batch"),
    ("let a = reshap(x, [Hidden])", "E1201", "reshape"),
    ("let a = gleu(x)", "E1201", "gelu"),
    ("let a = blnd(k, k)", "E1201", "blend"),
    ("let a = brodcast_to(x, [2, Hidden])", "E1201", "broadcast_to"),
    ("let a = cel.forward(x)", "E1201", "cell"),
    ("let a = cell.forwrad(x)", "E2107", "forward"),
    ("let a = cell.wegiht", "E2107", "weight"),
    ("let a = tower[0].foward(x)", "E2107", "forward"),
    ("let a = linlag.dot(x, x)", "E1201", "linalg"),
    ("let a = linalg.dott(x, x)", "E1201", "dot"),
    ("let a = blend(k, k, att = 1.0)", "E2102", "at"),
    ("let a = blend(k, rihgt = k)", "E2102", "right"),
    ("let a = Mdoe.Fast", "E1201", "Mode"),
    ("let a = Mode.Fsat", "E2107", "Fast"),
    ("let a = match mode { Fast => 1.0 Slwo => 2.0 }", "E2117", "Slow"),
    ("let a: rwo = x", "E1201", "Row"),
    ("let a: Tensor[Hidden; dtype] = t", "E1201", "Dtype"),
    ("let a: Tensor[Hidden; F32] = x", "E1201", "f32"),
    ("let a: Tensor[Hidden; float32] = x", "E1201", "f32"),
    ("let a: float = k", "E1201", "f32"),
    ("let a: boolean = true", "E1201", "bool"),
    ("let a = cast<bfloat16>(x)", "E1201", "bf16"),
    ("let a = cast<int64>(x)", "E1201", "i64"),
    ("let a = maximum(x, weight)", "E1201", "max"),
    ("let a = True", "E1201", "true"),
    ("let a: f32? = None", "E1201", "none"),
]


@pytest.mark.parametrize(("statement", "code", "meant"), RENAMED)
def test_a_slip_is_named_and_its_repair_is_accepted(statement: str, code: str, meant: str) -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", statement))
    assert one.code == code
    assert one.help in (f"did you mean `{meant}`?", f"write `{meant}`")
    assert one.edit is not None
    assert one.edit.replacement == meant
    assert one.primary is not None
    assert one.edit.span == one.primary.span
    assert [problem.message for problem in after(one)] == []


WRITTEN = [
    ("let a: Tensor[Hidden; bf16] = x", "E2101", "cast<bf16>(x)"),
    ("let a = blend(k, cast<f64>(k))", "E2103", "cast<f32>(cast<f64>(k))"),
    ("let a = linalg.dot(x, cast<f16>(x))", "E2103", "cast<f32>(cast<f16>(x))"),
    ("let a: f32? = k", "E2101", "some(k)"),
    ("let a: Tensor[Hidden; f32]? = x * 2.0", "E2101", "some(x * 2.0)"),
]


@pytest.mark.parametrize(("statement", "code", "written"), WRITTEN)
def test_a_value_of_another_dtype_or_a_plain_one_is_converted(
    statement: str, code: str, written: str
) -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", statement))
    assert (one.code, one.help) == (code, f"write `{written}`")
    assert after(one) == ()


def test_what_is_assigned_is_declared_by_var() -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", "let a = k\n        a = k * 2.0"))
    assert (one.code, one.help) == ("E2108", "declare it by `var a`")
    assert after(one) == ()


@pytest.mark.parametrize(
    "statement", ["let (a, b) = (k, k) a = k", "let a[i] = x[i] a = x", "x = weight"]
)
def test_what_no_var_can_declare_is_not_told_to_be_one(statement: str) -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", statement))
    assert (one.code, one.help, one.edit) == ("E2108", None, None)


IMPORTED = [
    ("let a = matmul(m, m)", "std.linalg", "use std.linalg::{matmul}"),
    ("let a = softmax(x)", "std.nn.softmax", "use std.nn.softmax::{softmax}"),
    ("let a = silu(x)", "std.nn.activations", ", silu"),
]


@pytest.mark.parametrize(("statement", "module", "line"), IMPORTED)
def test_what_std_has_is_imported_where_it_is_used(statement: str, module: str, line: str) -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", statement))
    assert one.help == f"it is in `{module}`; import it"
    assert one.edit is not None
    assert one.edit.replacement.strip() == line
    assert after(one) == ()


def test_the_first_import_of_a_module_follows_its_module_line() -> None:
    text = "module a\nfn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return dot(x, x) }"
    (one,) = problems(text)
    assert one.edit is not None
    assert one.edit.replacement == "\n\nuse std.linalg::{dot}"
    assert after(one) == ()


@pytest.mark.parametrize(
    ("statement", "help_"),
    [
        ("let a = sofmax(x)", "did you mean `softmax`? `use std.nn.softmax::{softmax}` brings it"),
        ("let a = view(x, [Hidden])", "another shape of the same elements is `reshape("),
        ("let a = x.view(Hidden)", "another shape of the same elements is `reshape("),
        ("let a = x.shape[0]", "a size is a generic"),
        ("let a = m.T", "axes are reordered by `permute(x, [1, 0])`"),
        ("let a = x.exp()", "`exp` is a function, not a method: `exp(x)`"),
        ("let a = x.sum()", "a reduction names its indices: `sum[i] x[i]`"),
        ("let a = sum(x)", "a reduction names its indices: `sum[i] x[i]`"),
        ("let a = mean(x)", "a mean is a sum divided by the size"),
        ("let a = cat(x, x)", "tensors are joined by `concat(a, b, axis = 0)`"),
        ("let a = einsum(m, m)", "products are written with indices"),
        ("let a = pow(x, 2.0)", "there are no powers"),
        ("let a = torch.cat(x, x)", "functions are imported by name"),
        ("let a = Linear(x)", "it is a block of `std.nn.linear`"),
        ("let a: tensor = x", "a tensor type is written `Tensor[N, M; f32]`"),
        ("result = 2.0", "`var result = …` declares what is assigned later"),
        ("let a = fill<f32>([Rows], 0.0)", "a size is declared among the generics: `<Rows: Dim>`"),
        ("let a: Tensor[Hidden; U] = x", "a dtype is declared among the generics: `<U: Float>`"),
        ("let a = fill<f32>([*Axes], 0.0)", "a pack is declared among the generics"),
    ],
)
def test_names_of_other_libraries_are_told_in_words(statement: str, help_: str) -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", statement))
    assert one.help is not None
    assert one.help.startswith(help_)
    assert one.edit is None


@pytest.mark.parametrize(
    "statement",
    [
        "let a = missing * 2.0",
        "let a = forwrad * 2.0",  # A method is no value.
        "let a = wieght(x)",  # A member is no function.
        "let a: wieght = x",  # Nor a type.
        "let a: Tensor[Hidden; moed] = x",  # An enum is no dtype.
        "let a = q * 2.0",
    ],
)
def test_what_could_not_stand_there_is_not_suggested(statement: str) -> None:
    (one,) = problems(PROGRAM.replace("STATEMENT", statement))
    assert (one.code, one.help) == ("E1201", None)


def test_an_import_is_found_in_its_module_or_in_another() -> None:
    text = "module a\nuse std.nn.linear::{linaer}\nuse std.nn.linear::{softmax}\n"
    first, second = problems(text)
    assert first.help == "did you mean `linear`?"
    assert after(first) == (second,) or [one.code for one in after(first)] == ["E1201"]
    assert second.help == "it is in `std.nn.softmax`: `use std.nn.softmax::{softmax}`"


def test_a_private_item_is_not_suggested(tmp_path: Path) -> None:
    (tmp_path / "linnet.toml").write_text(
        '[package]\nname = "p"\nversion = "0.1.0"\nlanguage = "0.1"\n'
    )
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "inner.linnet").write_text(
        "module p.inner\nfn secret(x: f32) -> f32 { return x }\n"
        "pub fn known(x: f32) -> f32 { return x }\n"
    )
    root = tmp_path / "src" / "lib.linnet"
    text = "module p\nuse crate.inner::{known}\nfn f(x: f32) -> f32 { return NAME(known(x)) }"
    said = []
    for name in ("secrte", "knwon"):
        source = decode(text.replace("NAME", name).encode(), str(root))
        (one,) = check(load_source(source)).diagnostics
        said.append(one.help)
    assert said == [None, "did you mean `known`?"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("use std.nn.lnear::{linear}", "std.nn.linear"),
        ("use std.linear::{Linear}", "std.nn.linear"),
        ("use std.linalg.dot", "std.linalg::{dot}"),
        ("use nn.softmax::{softmax}", "std.nn.softmax"),
        ("use std.nn.sofmax::{softmax}", "std.nn.softmax"),
        ("use sdt.linalg::{outer}", "std.linalg"),
        ("use std.linalgs", "std.linalg"),
    ],
)
def test_a_module_that_is_not_there_is_looked_for_nearby(line: str, meant: str) -> None:
    program = load_source(decode(f"module a\n{line}\n".encode(), "test.linnet"))
    (one,) = program.diagnostics
    assert (one.code, one.help) == ("E1202", f"did you mean `{meant}`?")
    assert after(one) == ()


@pytest.mark.parametrize("line", ["use std.nn.teleport::{beam}", "use torch.nn", "use std"])
def test_a_module_like_none_is_not_guessed(line: str) -> None:
    program = load_source(decode(f"module a\n{line}\n".encode(), "test.linnet"))
    assert [(one.code, one.help) for one in program.diagnostics] == [("E1202", None)]


def test_a_module_of_the_own_package_is_found(tmp_path: Path) -> None:
    (tmp_path / "linnet.toml").write_text(
        '[package]\nname = "p"\nversion = "0.1.0"\nlanguage = "0.1"\n'
    )
    (tmp_path / "src" / "layers").mkdir(parents=True)
    (tmp_path / "src" / "layers" / "gain.linnet").write_text("module p.layers.gain\n")
    text = b"module p\nuse crate.gain\nuse crate.layers.gian\nuse cratee.layers.gain"
    program = load_source(decode(text, str(tmp_path / "src" / "lib.linnet")))
    said = [one.help for one in program.diagnostics]
    assert said == ["did you mean `crate.layers.gain`?"] * 3


def test_a_folder_that_is_no_library_is_not_searched_through(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"d{number:03}").mkdir()
        (tmp_path / f"d{number:03}" / "m.linnet").write_text("module m\npub fn late() {}\n")
    (tmp_path / "d000" / "m.linnet").write_text("module m\npub fn early() {}\n")
    found = {one.name for one in offers("std", tmp_path)}
    assert found == {"early", "late"}
    assert len(offers("std", tmp_path)) < 250
