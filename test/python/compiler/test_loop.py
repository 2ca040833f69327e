"""The entry `generate` that the compiler adds: where it is, where not, and that nobody sees it."""

from pathlib import Path

import pytest

from linnet.compiler import check_path, declared_entries

MODEL = """module m

{use}
block Model<Batch: Dim, Vocab: Dim> {{
    param table: Tensor[Vocab, Vocab; f32]
    state last: Tensor[Batch; i32]
{members}
    entry decode({params}) -> Tensor[Batch, Vocab; f32] {{
        let logits[b, v] = table[token[b, 0], v]
        return logits
    }}
}}
{items}
"""
FITS = "token: Tensor[Batch, 1; i32], pos: i32"


def checked(folder: Path, params: str = FITS, use: str = "", members: str = "", items: str = ""):
    path = folder / "m.linnet"
    text = MODEL.format(params=params, use=use, members=members, items=items)
    path.write_text(text, encoding="utf-8")
    return check_path(path, loops=True)


def said(found) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in found.diagnostics]


def entries(found) -> list[str]:
    return sorted(entry.name for entry in declared_entries(found.accepted().module))


@pytest.mark.parametrize(
    ("use", "members", "items"),
    [
        ("", "", ""),
        # Names of the user's that the loop's own could be taken for.
        ("use std.nn.sampling::{sample}", "", "fn sample_(x: f32) -> f32 { return x }"),
        (
            "",
            "    state made: Tensor[Batch; f32]\n",
            "const stop = 3\nfn now() -> f32 { return 1.0 }",
        ),
        (
            "use std.random::{fold_in}",
            "",
            "fn f(k: Tensor[2; i64]) -> Tensor[2; i64] { return fold_in(k, 1) }",
        ),
    ],
)
def test_a_block_with_a_fitting_decode_gets_the_loop(
    tmp_path: Path, use: str, members: str, items: str
) -> None:
    found = checked(tmp_path, use=use, members=members, items=items)
    assert said(found) == said(check_path(tmp_path / "m.linnet"))
    assert (found.loops, found.without_loop) == (("Model",), {})
    assert entries(found) == ["decode", "generate"]


@pytest.mark.parametrize(
    ("params", "members", "items", "why"),
    [
        ("token: Tensor[Batch, 1; i32], at: i32", "", "", "`decode` is not `decode(token, pos)`"),
        ("token: Tensor[Batch, 2; i32], pos: i32", "", "", "no `Tensor[…, 1; i32]`"),
        ("token: Tensor[Batch, 1; i64], pos: i32", "", "", "no `Tensor[…, 1; i32]`"),
        ("token: Tensor[Batch, 1; i32], pos: i64", "", "", "`pos` of `decode` is no `i32`"),
        (FITS, "    fn generate(x: f32) -> f32 { return x }\n", "", "a `generate` of its own"),
        (FITS, "", "fn generate(x: f32) -> f32 { return x }", "its file has a `generate`"),
    ],
)
def test_another_block_stays_as_it_is_and_the_reason_is_known(
    tmp_path: Path, params: str, members: str, items: str, why: str
) -> None:
    found = checked(tmp_path, params, members=members, items=items)
    assert found.loops == ()
    assert why in found.without_loop["Model"]
    assert "generate" not in entries(found)


def test_a_decode_that_the_loop_cannot_use_costs_no_error(tmp_path: Path) -> None:
    text = """module m

block Model<V: Dim> {
    param table: Tensor[V, V; f32]

    entry decode(token: Tensor[2, 1; i32], pos: i32) -> Tensor[2, V; i32] {
        return broadcast_to(token, [2, V])
    }
}
"""
    (tmp_path / "m.linnet").write_text(text, encoding="utf-8")
    found = check_path(tmp_path / "m.linnet", loops=True)
    assert entries(found) == ["decode"]
    assert found.without_loop["Model"].startswith("the loop does not fit: ")


def test_an_error_is_told_of_the_program_as_it_was_written(tmp_path: Path) -> None:
    found = checked(tmp_path, items="fn f(x: f32) -> f32 { return y }")
    plain = check_path(tmp_path / "m.linnet")
    assert found.emitted is None
    assert said(found) == said(plain) != []
    assert found.diagnostics[0].primary is not None
    assert found.diagnostics[0].primary.span.file.path == str(tmp_path / "m.linnet")


def test_a_std_without_the_sampler_gives_no_loop(tmp_path: Path) -> None:
    (tmp_path / "std").mkdir()
    checked(tmp_path)
    found = check_path(tmp_path / "m.linnet", tmp_path / "std", loops=True)
    assert entries(found) == ["decode"]
    assert "std.nn.sampling" in found.without_loop["Model"]
