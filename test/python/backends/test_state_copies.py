"""No state is copied in a step: proven of real programs, refused where one is, op by op."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from linnet.backends import Module, StateReport, join_reports
from linnet.backends._states import (
    Checked,
    StateCopy,
    StateProof,
    Verdict,
    pack_checked,
    unpack_checked,
)
from linnet.backends.xla._copies import check_states
from linnet.compiler import Request, Stages, check_path, lower
from linnet.errors import CapabilityError
from linnet.runtime import build_artifact
from linnet.signature import Member
from linnet.stablehlo import build

REPOSITORY = Path(__file__).resolve().parents[3]
CACHE = Member("cache", "state", "f32", (64, 32))
SIZES = {"N": 64, "D": 32}
PROGRAM = """
module log

pub block Log<N: Dim, D: Dim>
where
    N > 1
{
    state rows: Tensor[N, D; f32]

    pub entry push(x: Tensor[D; f32], at: i32) -> Tensor[D; f32] {
        let new[i, d] = if iota<i32>(N)[i] == at { x[d] } else { rows[i, d] }
        rows = new
        let total[d] = sum[i] rows[i, d]
        return total
    }

    pub entry total() -> Tensor[D; f32] {
        let total[d] = sum[i] rows[i, d]
        return total
    }

    pub entry decay(x: Tensor[N, D; f32]) -> Tensor[D; f32] {
        let new[i, d] = 0.5 * rows[i, d] + x[i, d]
        rows = new
        let total[d] = sum[i] rows[i, d]
        return total
    }

    pub entry exchange(x: Tensor[D; f32], at: i32) -> Tensor[N, D; f32] {
        let old = rows
        let new[i, d] = if iota<i32>(N)[i] == at { x[d] } else { rows[i, d] }
        rows = new
        return old
    }

    pub entry roll(x: Tensor[1, D; f32]) -> Tensor[D; f32] {
        rows = concat(rows[1:N, :], x, axis = 0)
        let total[d] = sum[i] rows[i, d]
        return total
    }

    pub entry mask(x: Tensor[N, D; f32], keep: Tensor[N; bool]) -> Tensor[D; f32] {
        let new[i, d] = if keep[i] { rows[i, d] } else { x[i, d] }
        rows = new
        let total[d] = sum[i] rows[i, d]
        return total
    }
}
"""
EXPECTED = {
    "push": Verdict.IN_PLACE,
    "total": Verdict.UNTOUCHED,
    "decay": Verdict.REPLACED,
    "exchange": Verdict.COPIED,
    "roll": Verdict.COPIED,
    "mask": Verdict.COPIED,
}


def on_xla(modules: Sequence[Module]) -> StateReport:
    from linnet.backends.xla import compile_checked

    return join_reports(compile_checked(module).states for module in modules)


def on_iree(modules: Sequence[Module]) -> StateReport:
    pytest.importorskip("iree.compiler")
    from linnet.backends.iree import compile_checked

    return compile_checked(modules).states


BACKENDS = {"xla-cpu": on_xla, "cpu": on_iree}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "log.linnet"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("check", BACKENDS.values(), ids=list(BACKENDS))
def test_each_way_of_writing_a_state_gets_its_verdict(
    check: Callable[[Sequence[Module]], StateReport], program: Path
) -> None:
    stages = Stages(None, None)
    checked = check_path(program, None, stages)
    core = lower(checked.accepted(), Request("Log", (), SIZES, "absent"), checked.sources, stages)
    report = check(
        [
            Module(name, function.signature, build(core, {"main": name}).portable())
            for name, function in core.functions.items()
        ]
    )
    assert {proof.function: proof.verdict for proof in report.proofs} == EXPECTED
    named = {copy.function: copy.op for copy in report.copies}
    assert set(named) == {name for name, verdict in EXPECTED.items() if verdict == Verdict.COPIED}
    assert all(copy.state == "rows" for copy in report.copies)
    # The op is one that moves the state, by the name it has in the backend's own text.
    assert "copy" in named["exchange"]
    assert "select" in named["mask"] or "elementwise" in named["mask"]


@pytest.mark.parametrize("target", BACKENDS)
def test_compile_refuses_a_copy_and_accepts_it_when_asked(
    target: str, program: Path, tmp_path: Path
) -> None:
    if target == "cpu":
        pytest.importorskip("iree.compiler")

    def compile_roll(allow: bool) -> None:
        build_artifact(
            program,
            tmp_path / "log.lna",
            "Log",
            ["roll"],
            SIZES,
            "absent",
            [target],
            None,
            Stages(None, None),
            "0",
            allow_state_copies=allow,
        )

    with pytest.raises(CapabilityError) as refusal:
        compile_roll(allow=False)
    assert refusal.value.message.startswith(
        f"target {target} copies the state `rows` in each call of `roll`: `"
    )
    assert refusal.value.hint is not None
    assert "--allow-state-copies" in refusal.value.hint
    assert not (tmp_path / "log.lna").exists()
    compile_roll(allow=True)
    assert (tmp_path / "log.lna").exists()


GPT2 = {"Vocab": 64, "MaxPositions": 64, "H": 32, "Heads": 4, "Layers": 1, "MaxSeq": 64}
CALLS = {"forward.B": 1, "forward.S": 8, "prefill.S": 8, "prefill_slots.S": 8}


def build_gpt2(sizes: dict[str, int], target: str, folder: Path) -> set[str]:
    """Return the verdicts on the caches; CapabilityError where one is copied."""
    if target == "cpu":
        pytest.importorskip("iree.compiler")
        if not list((REPOSITORY / "python/linnet/backends/iree/kernels").glob("*.o")):
            pytest.skip("the kernels are not built for this machine")
    built = build_artifact(
        REPOSITORY / "examples" / "gpt2" / "gpt2.linnet",
        folder / "gpt2.lna",
        "Model",
        (),
        {**GPT2, **sizes},
        "absent",
        [target],
        None,
        Stages(None, None),
        "0",
    )
    assert built.without_loop is None
    return set(built.manifest.build["states"][target].values())


@pytest.mark.parametrize("target", BACKENDS)
@pytest.mark.parametrize("batch", [1, 3])
def test_no_entry_of_gpt2_copies_a_cache(batch: int, target: str, tmp_path: Path) -> None:
    sizes = {**CALLS, "prefill_slots.M": 1, "Batch": batch}
    assert build_gpt2(sizes, target, tmp_path) == {"in place"}


@pytest.mark.parametrize("batch", [1, 3])
def test_no_entry_of_gpt2_with_open_sizes_copies_a_cache(batch: int, tmp_path: Path) -> None:
    sizes = {"prefill_slots.M": 1, "Batch": batch}
    assert build_gpt2(sizes, "cpu", tmp_path) == {"in place"}


def test_prompts_at_several_rows_choose_from_whole_caches_and_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CapabilityError, match="each call of `prefill_slots`"):
        build_gpt2({"Batch": 3}, "cpu", tmp_path)


def test_a_report_survives_its_way_out_of_the_child() -> None:
    report = StateReport(
        (StateProof("step", "cache", 8192, Verdict.COPIED),),
        (StateCopy("step", "cache", "`copy` %copy.1", 7),),
    )
    checked = Checked(b"\x00code\nmore", report)
    assert unpack_checked(pack_checked(checked)) == checked


HEADER = "HloModule m, is_scheduled=true, input_output_alias={ {1}: (1, {}, may-alias) }, x={()}\n"


def verdict_of(body: str, computations: str = "", header: str = HEADER) -> StateReport:
    """A step whose parameter 1 is the state, result 1 its new value."""
    text = f"{header}{computations}\nENTRY %main (x: f32[32], s: f32[64,32]) -> f32[32] {{\n"
    text += "  %x = f32[32]{0} parameter(0)\n  %s = f32[64,32]{1,0} parameter(1)\n"
    return check_states(text + body + "}\n", "step", [CACHE], 1, 1)


RESULT = "  ROOT %r = (f32[32]{0}, f32[64,32]{1,0}) tuple(%x, %n)\n"


def only(report: StateReport) -> Verdict:
    (proof,) = report.proofs
    assert (proof.verdict == Verdict.COPIED) == bool(report.copies)
    return proof.verdict


def test_a_write_of_a_part_is_in_place() -> None:
    body = (
        "  %row = f32[1,32]{1,0} bitcast(%x)\n  %i = s32[] constant(3)\n"
        "  %n = f32[64,32]{1,0} dynamic-update-slice(%s, %row, %i, %i)\n"
    )
    assert only(verdict_of(body + RESULT)) == Verdict.IN_PLACE


def test_a_copy_before_the_write_is_named_with_its_line() -> None:
    body = (
        '  %c.7 = f32[64,32]{1,0} copy(%s), metadata={source_file="a.linnet" source_line=12}\n'
        "  %row = f32[1,32]{1,0} bitcast(%x)\n  %i = s32[] constant(3)\n"
        "  %n = f32[64,32]{1,0} dynamic-update-slice(%c.7, %row, %i, %i)\n"
    )
    report = verdict_of(body + RESULT)
    assert only(report) == Verdict.COPIED
    assert report.copies[0] == StateCopy("step", "cache", "`copy` %c.7", 12)


def test_a_state_that_is_not_donated_is_copied() -> None:
    body = RESULT.replace("%n", "%s")
    assert only(verdict_of(body)) == Verdict.UNTOUCHED
    report = verdict_of(body, header="HloModule m, is_scheduled=true\n")
    assert only(report) == Verdict.COPIED


def test_a_product_reads_a_state_for_nothing_and_a_turned_copy_of_it_does_not() -> None:
    dot = "  %y = f32[64]{0} dot(%s, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    keep = "  ROOT %r = (f32[64]{0}, f32[64,32]{1,0}) tuple(%y, %s)\n"
    assert only(verdict_of(dot + keep)) == Verdict.UNTOUCHED
    turned = "  %t = f32[32,64]{1,0} fusion(%s), kind=kLoop, calls=%turn\n"
    inner = (
        "%turn (p: f32[64,32]) -> f32[32,64] {\n  %p = f32[64,32]{1,0} parameter(0)\n"
        "  ROOT %q = f32[32,64]{1,0} transpose(%p), dimensions={1,0}\n}\n"
    )
    report = verdict_of(turned + dot.replace("%s", "%t") + keep, inner)
    assert [copy.op for copy in report.copies] == ["`fusion` %t (transpose)"]


FUSED = """%write (p: f32[64,32], x: f32[32]) -> f32[64,32] {{
  %p = f32[64,32]{{1,0}} parameter(0)
  %q = f32[32]{{0}} parameter(1)
  %row = f32[1,32]{{1,0}} bitcast(%q)
  %i = s32[] constant(3)
  {first}
  ROOT %w = f32[64,32]{{1,0}} dynamic-update-slice(%v, %row, %i, %i)
}}
"""


def test_a_fusion_writes_in_place_only_with_its_last_op() -> None:
    call = "  %n = f32[64,32]{1,0} fusion(%s, %x), kind=kLoop, calls=%write\n" + RESULT
    one = FUSED.format(first="%v = f32[64,32]{1,0} bitcast(%p)")
    assert only(verdict_of(call, one)) == Verdict.IN_PLACE
    two = FUSED.format(first="%v = f32[64,32]{1,0} dynamic-update-slice(%p, %row, %i, %i)")
    assert only(verdict_of(call, two)) == Verdict.COPIED


LOOP = """%body (c: (s32[], f32[64,32])) -> (s32[], f32[64,32]) {{
  %c = (s32[], f32[64,32]{{1,0}}) parameter(0)
  %k = s32[] get-tuple-element(%c), index=0
  %v = f32[64,32]{{1,0}} get-tuple-element(%c), index=1
  %z = f32[1,32]{{1,0}} constant({{...}})
  {first}
  %w = f32[64,32]{{1,0}} dynamic-update-slice(%u, %z, %k, %k)
  ROOT %o = (s32[], f32[64,32]{{1,0}}) tuple(%k, %w)
}}
%test (c: (s32[], f32[64,32])) -> pred[] {{
  %d = (s32[], f32[64,32]{{1,0}}) parameter(0)
  ROOT %t = pred[] constant(true)
}}
"""


def test_a_loop_carries_a_state_in_its_memory() -> None:
    call = (
        "  %i = s32[] constant(3)\n  %a = (s32[], f32[64,32]{1,0}) tuple(%i, %s)\n"
        "  %l = (s32[], f32[64,32]{1,0}) while(%a), condition=%test, body=%body\n"
        "  %n = f32[64,32]{1,0} get-tuple-element(%l), index=1\n"
    ) + RESULT
    plain = LOOP.format(first="%u = f32[64,32]{1,0} bitcast(%v)")
    assert only(verdict_of(call, plain)) == Verdict.IN_PLACE
    copied = LOOP.format(first="%u = f32[64,32]{1,0} copy(%v)")
    assert [each.op for each in verdict_of(call, copied).copies] == ["`copy` %u"]


def test_a_small_state_is_not_looked_at() -> None:
    small = Member("count", "state", "f32", (4,))
    text = (
        f"{HEADER}ENTRY %main (x: f32[4], s: f32[4]) -> f32[4] {{\n"
        "  %x = f32[4]{0} parameter(0)\n  %s = f32[4]{0} parameter(1)\n"
        "  %c = f32[4]{0} copy(%s)\n  ROOT %r = (f32[4]{0}, f32[4]{0}) tuple(%x, %c)\n}\n"
    )
    report = check_states(text, "step", [small], 1, 1)
    assert report.copies == ()
    assert only(report) == Verdict.SMALL
