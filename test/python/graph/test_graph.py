"""The graph of an entry: nodes, edges and types, for models and for each form of the language."""

import json
from pathlib import Path

import jsonschema
import pytest

from linnet.checker import TypedProgram, check
from linnet.errors import CapabilityError, UsageError
from linnet.graph import Frame, Graph, GraphNode, as_json, entry_names, graph_of, outline, schema
from linnet.syntax import load_program

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
MODELS = ("gpt2", "llama", "moe", "resnet", "vit")


def typed(path: Path) -> TypedProgram:
    program = check(load_program(path)).program
    assert program is not None
    return program


def written(folder: Path, text: str) -> TypedProgram:
    path = folder / "m.linnet"
    path.write_text(text, "utf-8")
    found = check(load_program(path))
    assert found.program is not None, found.diagnostics
    return found.program


def model(name: str) -> TypedProgram:
    return typed(EXAMPLES / name / f"{name}.linnet")


def titles(frame: Frame) -> list[str]:
    return [node.title for node in frame.nodes if node.kind != "result"]


def named(frame: Frame, title: str) -> GraphNode:
    return next(node for node in frame.nodes if node.title == title)


def edges(frame: Frame) -> set[tuple[str, str]]:
    """Pairs of titles, from what gives a value to what takes it."""
    giver = {output.id: node.title for node in frame.nodes for output in node.outputs}
    return {
        (giver[use.value], node.title)
        for node in frame.nodes
        for use in node.inputs
        if use.value is not None
    }


def is_whole(graph: Graph) -> None:
    """Every operand has a giver before it, every body a frame, and every input its operand."""
    frames = {frame.id: frame for frame in graph.frames}
    assert len(frames) == len(graph.frames)
    for frame in graph.frames:
        given: set[str] = set()
        for node in frame.nodes:
            assert {use.value for use in node.inputs if use.value is not None} <= given
            given |= {output.id for output in node.outputs}
            assert all(output.type for output in node.outputs)
            for body in node.bodies:
                inner = frames[body.frame]
                inputs = [each for each in inner.nodes if each.kind == "input"]
                assert len(inputs) == len(body.takes)
                results = [each for each in inner.nodes if each.kind == "result"]
                assert inner.kind == "condition" or len(results) == len(node.outputs)
                assert all(-1 <= at < len(node.inputs) for at in body.takes)
        assert len({node.id for node in frame.nodes}) == len(frame.nodes)


@pytest.mark.parametrize("name", MODELS)
def test_every_entry_of_a_model_has_a_whole_graph_that_fits_the_schema(name: str) -> None:
    program = model(name)
    for entry in entry_names(program):
        graph = graph_of(program, entry=entry)
        is_whole(graph)
        jsonschema.validate(as_json(graph), schema())


def test_the_forward_entry_of_gpt2_is_drawn_as_it_was() -> None:
    text = outline(graph_of(model("gpt2"))) + "\n"
    kept = Path(__file__).with_name("gpt2_forward.txt")
    assert text == kept.read_text("utf-8")


def test_gpt2_has_its_blocks_once_with_how_often_they_run() -> None:
    graph = graph_of(model("gpt2"))
    main = graph.main
    assert main.title == "Model.forward(tokens: Tensor[B, S; i32]) -> Tensor[B, S, Vocab; T]"
    blocks = named(main, "blocks.{i}")
    assert (blocks.kind, blocks.repeat, blocks.carried) == ("loop", "Layers", (0,))
    assert blocks.callee == "examples.gpt2::Block.forward"
    inner = graph.frame(blocks.bodies[0].frame)
    assert titles(inner) == ["x", "ln_1", "attn", "add", "ln_2", "mlp", "add"]
    assert ("x", "ln_1") in edges(inner)
    assert ("x", "add") in edges(inner)
    attention = graph.frame(named(inner, "attn").bodies[0].frame)
    fused = named(attention, "qkv").outputs[0]
    assert (fused.name, fused.type) == ("fused", "Tensor[B, S, 3 * H; T]")
    assert named(attention, "attention").inputs[3].text == "rsqrt(cast<f32>(H / Heads))"


def test_calls_with_equal_arguments_share_a_frame() -> None:
    graph = graph_of(model("gpt2"))
    inner = graph.frame("Block.forward")
    assert named(inner, "ln_1").bodies[0].frame == named(inner, "ln_2").bodies[0].frame
    assert named(inner, "ln_1").path == "ln_1"


def test_types_are_in_the_generics_of_root_and_entry() -> None:
    graph = graph_of(model("llama"), entry="decode")
    names = set(graph.generics)
    for frame in graph.frames:
        for node in frame.nodes:
            for output in node.outputs:
                words = set(output.type.replace("?", "").translate(_MARKS).split())
                dtypes = {"f32", "i32", "i64", "bool", "Tensor", "min", "max"}
                assert {word for word in words if word.isidentifier()} <= names | dtypes


_MARKS = str.maketrans(dict.fromkeys("[](),;*/%+-", " "))


def test_a_state_that_was_written_is_read_from_the_write() -> None:
    graph = graph_of(model("gpt2"), entry="decode")
    attention = graph.frame("Attention.decode")
    kinds = [(node.kind, node.path) for node in attention.nodes if node.path == "cache_k"]
    assert kinds == [("state", "cache_k"), ("write", "cache_k")]
    write = next(node for node in attention.nodes if node.kind == "write")
    assert write.outputs[0].id in {use.value for use in named(attention, "attention").inputs}


def test_an_optional_part_is_a_choice_with_an_arm_for_each_case() -> None:
    graph = graph_of(model("llama"))
    choice = named(graph.frame("Model.logits"), "match")
    assert [body.label for body in choice.bodies] == ["some(head)", "none"]
    some, none = (graph.frame(body.frame) for body in choice.bodies)
    assert [node.path for node in some.nodes if node.kind == "call"] == ["lm_head"]
    assert [node.path for node in none.nodes if node.kind == "param"] == [
        "model.embed_tokens.weight"
    ]


FORMS = """module m
enum Mode { plain, loud }
struct Pair {
    a: Tensor[2; f32]
    b: Tensor[2; f32]
}
fn two<N: Dim>(x: Tensor[N; f32]) -> (Tensor[N; f32], Tensor[N; f32]) {
    return (x + 1.0, x * 2.0)
}
pub block Cell<N: Dim> {
    state total: Tensor[N; f32]
    pub fn add(x: Tensor[N; f32], mode: Mode) -> Tensor[N; f32] {
        total = total + x
        return match mode {
            plain => total
            loud => total * 2.0
        }
    }
}
pub block Model<N: Dim, L: Dim>
where N > 0
{
    sub cells: [Cell<N>; L]
    state count: Tensor[1; i32]
    pub entry run(x: Tensor[N; f32], flag: bool, n: i32) -> (Tensor[N; f32], f32) {
        var y = x
        var i = n
        count = count + 1
        static for cell in cells {
            y = y + cell.add(y, Mode.plain) * 0.5
        }
        let (p, q) = two(y)
        var z = if flag { p } else { q + cast<f32>(count)[0] }
        while i > 0 {
            z = z * 0.5
            i = i - 1
        }
        static for k in 0..3 {
            z = z + p * cast<f32>(k)
        }
        for k in 0..N {
            z = z + cast<f32>(k)
        }
        let runs = for k in 0..4 {
            yield z * cast<f32>(k)
        }
        let pair = Pair(a = fill<f32>([2], 0.0), b = fill<f32>([2], 1.0))
        let t[m] = z[m] * x[m] + runs[2, m] + pair.a[1]
        let u = sum[m] t[m]
        return (t, u)
    }
}
"""


def test_each_form_of_the_language_is_a_node(tmp_path: Path) -> None:
    graph = graph_of(written(tmp_path, FORMS))
    is_whole(graph)
    main = graph.main
    assert titles(main)[3:] == [
        "count", "add", "count", "for cell in cells", "two", "if", "while i > 0", "for k in 0..3",
        "for k in 0..N", "for k in 0..4", "fill", "fill", "Pair", ".a", "elements", "sum",
    ]  # fmt: skip
    assert [output.name for output in named(main, "two").outputs] == ["p", "q"]
    assert [body.label for body in named(main, "if").bodies] == ["then", "else"]
    # The condition reads `i` alone, the body both; each input knows its operand.
    loop = named(main, "while i > 0")
    assert [(body.label, body.takes) for body in loop.bodies] == [("while", (0, 1)), ("do", (0, 1))]
    assert loop.carried == (0, 1)
    counted = named(main, "for k in 0..N")
    assert (counted.repeat, counted.bodies[0].takes) == ("N", (0, -1))
    scan = named(main, "for k in 0..4").outputs
    assert [(output.name, output.type) for output in scan] == [("runs", "Tensor[4, N; f32]")]
    assert named(main, "Pair").outputs[0].type == "Pair"
    cell = graph.frame(next(frame.id for frame in graph.frames if frame.id == "Cell.add"))
    assert [body.label for body in named(cell, "match").bodies] == ["plain", "loud"]


def test_equal_programs_have_equal_graphs(tmp_path: Path) -> None:
    first, second = (json.dumps(as_json(graph_of(written(tmp_path, FORMS)))) for _ in range(2))
    assert first == second


def test_unknown_names_are_told_with_what_there_is(tmp_path: Path) -> None:
    program = written(tmp_path, FORMS)
    with pytest.raises(UsageError, match=r"no entry `rum` \(did you mean `run`\? entries: `run`\)"):
        graph_of(program, entry="rum")
    with pytest.raises(UsageError, match="no root block `Cell`"):
        graph_of(program, root="Cell")
    none = written(tmp_path, "module m\nfn f(x: f32) -> f32 {\n    return x\n}\n")
    with pytest.raises(UsageError, match="the program has no entry"):
        graph_of(none)


def test_a_program_that_grows_without_end_is_refused_in_one_line(tmp_path: Path) -> None:
    # Each function calls the next at two sizes of its own: two to the power of 18 frames.
    lines = ["module m", "fn step18<N: Dim>(x: Tensor[N; f32]) -> f32 {\n    return 1.0\n}"]
    for at in range(17, -1, -1):
        call = f"step{at + 1}"
        lines.append(
            f"fn step{at}<N: Dim>(x: Tensor[N; f32]) -> f32 {{\n"
            f"    return {call}(concat(x, x, axis = 0)) + "
            f"{call}(concat(x, x, fill<f32>([1], 0.0), axis = 0))\n}}"
        )
    lines.append("entry run<N: Dim>(x: Tensor[N; f32]) -> f32 {\n    return step0(x)\n}\n")
    program = written(tmp_path, "\n".join(lines))
    with pytest.raises(CapabilityError, match="the graph of `run` has more than 20000 nodes"):
        graph_of(program)


def test_a_long_text_of_the_source_is_cut(tmp_path: Path) -> None:
    long = " + ".join(["x[m] * 2.0"] * 90)
    text = (
        "module m\nentry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n"
        f"    let y[m] = {long}\n    return y\n}}\n"
    )
    node = graph_of(written(tmp_path, text)).main.nodes[1]
    assert node.detail.endswith("…")
    assert len(node.detail) == 240


def test_a_graph_holds_no_path_of_the_machine() -> None:
    text = json.dumps(as_json(graph_of(model("gpt2"))))
    assert str(ROOT) not in text


def test_entries_are_named_in_the_order_they_are_written() -> None:
    names = ("forward", "decode", "prefill", "decode_rows", "prefill_slots")
    assert entry_names(model("gpt2")) == names
