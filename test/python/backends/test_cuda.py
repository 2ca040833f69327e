"""Code for GPUs, built without one."""

from pathlib import Path

import pytest

from linnet.backends import Module, Verdict
from linnet.backends.xla import compile_cuda, cuda_device, cuda_targets
from linnet.compiler import Request, Stages, check_path, lower
from linnet.errors import CapabilityError, UsageError
from linnet.stablehlo import build

PROGRAM = Path(__file__).resolve().parents[3] / "examples" / "gpt2" / "gpt2.linnet"
SIZES = {"Vocab": 64, "MaxPositions": 64, "H": 32, "Heads": 4, "Layers": 1, "Batch": 1}
CALLS = {"forward.B": 1, "forward.S": 8, "prefill.S": 8, "prefill_slots.M": 1}


def gpt2() -> list[Module]:
    stages = Stages(None, None)
    checked = check_path(PROGRAM, None, stages)
    request = Request("Model", (), {**SIZES, **CALLS, "prefill_slots.S": 8, "MaxSeq": 64}, "absent")
    core = lower(checked.accepted(), request, checked.sources, stages)
    return [
        Module(name, function.signature, build(core, {"main": name}).portable())
        for name, function in core.functions.items()
    ]


def test_each_described_gpu_has_a_name_and_a_capability() -> None:
    described = {target: cuda_device(target).capability for target in cuda_targets()}
    assert described == {
        "cuda:a100": "8.0",
        "cuda:b200": "10.0",
        "cuda:h100": "9.0",
        "cuda:h200": "9.0",
        "cuda:l4": "8.9",
    }
    assert len({cuda_device(target).sha256 for target in described}) == len(described)


def test_an_unknown_gpu_is_told_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no target `cuda:h10`") as refusal:
        cuda_device("cuda:h10")
    assert refusal.value.hint is not None
    assert refusal.value.hint.startswith("did you mean `cuda:h100`?")


@pytest.mark.parametrize("target", ["cuda:h100", "cuda:h200"])
def test_gpt2_builds_for_a_gpu_that_is_not_there(target: str) -> None:
    pytest.importorskip("jax_cuda13_plugin", reason="the extra `cuda` (3.5 GB) is not installed")
    for module in gpt2():
        made = compile_cuda(module, target)
        assert made.code
        verdicts = {proof.verdict for proof in made.states.proofs}
        read_only = module.function == "forward"
        assert verdicts == {Verdict.UNTOUCHED if read_only else Verdict.IN_PLACE}
        states = sum(proof.nbytes for proof in made.states.proofs)
        assert made.memory["in place"] == states
        assert made.memory["arguments"] > states


def test_without_the_extra_the_target_says_what_to_install() -> None:
    pytest.importorskip("jaxlib")
    try:
        import jax_cuda13_plugin  # pyright: ignore  # noqa: F401
    except ImportError:
        with pytest.raises(CapabilityError) as refusal:
            compile_cuda(gpt2()[0], "cuda:h100")
        assert refusal.value.hint == "pip install 'linnet-mlir[cuda]'"
    else:
        pytest.skip("the extra `cuda` is installed")
