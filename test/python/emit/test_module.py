"""The emitted module: SSA form, order of effects, places, claims, well-formed IR."""

from pathlib import Path

import pytest

from linnet.checker import check
from linnet.emit import Emitted, emit
from linnet.mlir import ir
from linnet.source import decode
from linnet.syntax import load_program, load_source

TEST = Path(__file__).resolve().parents[2]


def emitted(body: str, tmp_path: Path) -> Emitted:
    """The module of a program with these items."""
    path = tmp_path / "test.linnet"
    result = check(load_source(decode(f"module test\n{body}".encode(), str(path))))
    assert result.program is not None, [one.message for one in result.diagnostics]
    return emit(result.program)


def ops(module: Emitted) -> list[str]:
    """The names of all operations in order, `linnet.` left out."""
    names: list[str] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        names.append(op.name.removeprefix("linnet."))
        return ir.WalkResult.ADVANCE

    module.module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return names


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in ("conformance", "programs")
        for kind in ("run", "accept")
        for path in sorted((TEST / folder / kind).glob("*.linnet"))
    ],
    ids=lambda path: path.stem,
)
def test_every_accepted_program_gives_well_formed_ir(path: Path) -> None:
    result = check(load_program(path))
    assert result.program is not None, [one.message for one in result.diagnostics]
    assert emit(result.program).module.operation.verify()


def test_a_struct_is_the_tuple_of_its_fields_in_order_of_declaration(tmp_path: Path) -> None:
    body = """
struct Pair<N: Dim> { left: Tensor[N; f32] right: f32 }
entry run<N: Dim>(x: Tensor[N; f32]) -> Pair<N> {
    let pair = Pair(right = 2.0, left = x)
    return Pair(right = pair.right, left = pair.left)
}
"""
    text = str(emitted(body, tmp_path).module)
    tuple_ = "tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], f32>>"
    assert f"-> {tuple_}" in text
    assert text.count("linnet.tuple ") == text.count("linnet.untuple ") == 2
    assert 'linnet.results = ["result.left", "result.right"]' in text


def test_gradients_and_kernels_are_functions_that_nothing_calls(tmp_path: Path) -> None:
    body = """
kernel twice<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(N) {
    let at = program_id(0)
    store(y[at], load(x[at], at < 3) * 2.0)
}
op double<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] kernel twice {
    return x * 2.0
} grad(_y, dy) {
    return dy * 2.0
}
pub fn run(x: Tensor[4; f32]) -> Tensor[4; f32] { return double(x) }
"""
    module = emitted(body, tmp_path)
    text = str(module.module)
    assert (
        '@"test::double.grad"<N: Dim>(%arg0: !linnet.tensor<[N], f32> {linnet.name = "x"}' in text
    )
    assert 'linnet.role = "gradient"' in text
    assert '{linnet.name = "program_id.0"}) attributes {linnet.role = "kernel"}' in text
    assert ops(module).count("call") == 1
    # A load is a take and, under a mask, a selection; a store leaves what it computes.
    assert {"take", "select", "mul"} <= set(ops(module))


def test_a_while_loop_carries_the_variables_it_assigns(tmp_path: Path) -> None:
    body = """
    pub fn run(x: f32, n: i32) -> f32 {
        var y = x
        var i: i32 = 0
        var kept = x
        while i < n { y = y * 2.0 i = i + 1 }
        kept = kept + y
        return kept
    }
    """
    text = str(emitted(body, tmp_path).module)
    (line,) = [line for line in text.splitlines() if "linnet.while" in line]
    assert line.count(" = ") == 3  # the results, and two carried variables


def test_arguments_are_evaluated_as_they_are_written(tmp_path: Path) -> None:
    body = """
    block Counter<N: Dim> {
        state a: Tensor[N; f32]
        state b: Tensor[N; f32]
        fn first() -> Tensor[N; f32] { a = b return a }
        fn second() -> Tensor[N; f32] { b = a return b }
        fn both(x: Tensor[N; f32], y: Tensor[N; f32]) -> Tensor[N; f32] { return x - y }
        pub entry run() -> Tensor[N; f32] { return both(y = second(), x = first()) }
    }
    """
    text = str(emitted(body, tmp_path).module)
    assert text.rindex("@second()") < text.rindex("@first()")


def test_a_base_is_computed_outside_of_its_comprehension(tmp_path: Path) -> None:
    body = "pub fn run<N: Dim>() -> Tensor[N; i64] { let y[i] = iota(N)[i] return y }"
    names = ops(emitted(body, tmp_path))
    assert names.index("iota") < names.index("comprehension")


def test_a_claim_knows_its_record_and_its_place(tmp_path: Path) -> None:
    body = "pub fn run<N: Dim>(x: Tensor[N; f32]) -> f32\nwhere N > 0 { return x[N - 1] }"
    module = emitted(body, tmp_path)
    places: list[tuple[str, int, int, int]] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "linnet.require":
            where = op.location
            claim = ir.IntegerAttr(op.attributes["linnet.claim"]).value
            places.append((where.filename, where.start_line, where.start_col, where.end_col))
            assert module.claims[claim].span.text == "N - 1"
        return ir.WalkResult.ADVANCE

    module.module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    assert {(line, start, end) for _, line, start, end in places} == {(3, 24, 29)}


def test_a_literal_keeps_its_value_until_it_is_bound(tmp_path: Path) -> None:
    body = """
    pub fn run<T: Float>(x: T, n: u64) -> (T, u64) {
        return (x * 0.1, n + 9223372036854775807 * 2)
    }
    """
    text = str(emitted(body, tmp_path).module)
    assert "linnet.constant 1.000000e-01 : !linnet.tensor<[], T: Float>" in text
    assert "linnet.constant -2 : !linnet.tensor<[], ui64>" in text


def test_functions_of_std_are_there_only_if_used(tmp_path: Path) -> None:
    body = """
    use std.nn.activations::{gelu, relu}
    pub fn run(x: f32) -> f32 { return relu(x) }
    """
    text = str(emitted(body, tmp_path).module)
    assert "std.nn.activations::relu" in text
    assert "std.nn.activations::gelu" not in text


def test_the_same_program_gives_the_same_text(tmp_path: Path) -> None:
    path = TEST / "conformance" / "accept" / "076_std_model.linnet"
    result = [check(load_program(path)) for _ in range(2)]
    first, second = [emit(one.program) for one in result if one.program is not None]
    assert str(first.module) == str(second.module)
