"""Code for GPUs, built without one."""

import subprocess
from pathlib import Path

import pytest

from linnet.artifact import Gpu, read_manifest
from linnet.backends import Module, Verdict
from linnet.backends.iree._compile import compiler
from linnet.backends.xla import compile_cuda, cuda_device, cuda_targets
from linnet.compiler import Request, Stages, check_path, lower
from linnet.errors import CapabilityError, UsageError
from linnet.runtime import build_artifact
from linnet.runtime._instances import check_target
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
    pytest.importorskip("jax_cuda13_plugin", reason="the extra `cuda` is not installed")
    for module in gpt2():
        made = compile_cuda(module, target)
        assert made.code
        verdicts = {proof.verdict for proof in made.states.proofs}
        read_only = module.function == "forward"
        assert verdicts == {Verdict.UNTOUCHED if read_only else Verdict.IN_PLACE}
        states = sum(proof.nbytes for proof in made.states.proofs)
        assert made.memory["in place"] == states
        assert made.memory["arguments"] > states


@pytest.mark.parametrize(("target", "capability"), [("sm_80", "8.0"), ("sm_89", "8.9")])
def test_iree_builds_gpt2_for_a_gpu_that_is_not_there(
    target: str, capability: str, tmp_path: Path
) -> None:
    pytest.importorskip("iree.compiler")
    listed = subprocess.run(
        [compiler(), "--iree-hal-list-target-backends"], capture_output=True, text=True, check=True
    )
    if "cuda" not in listed.stdout.split():
        pytest.skip("this iree-compile has no CUDA backend")
    output = tmp_path / "gpt2.lna"
    build_artifact(
        PROGRAM,
        output,
        "Model",
        ["decode"],
        {**SIZES, "MaxSeq": 64},
        "absent",
        [f"iree-cuda:{target}"],
        None,
        Stages(None, None),
        "0",
        loops=False,
        allow_state_copies=True,
    )
    (variant,) = read_manifest(output).variants
    assert variant.cpu is None
    assert variant.gpu == Gpu("cuda", target, capability)
    assert f".target {target}".encode() in (output / variant.files[0].file.path).read_bytes()


def test_gpus_newer_than_iree_are_refused_and_pointed_to_xla() -> None:
    with pytest.raises(CapabilityError, match="target iree-cuda:sm_90 is newer") as refusal:
        check_target("iree-cuda:sm_90")
    assert refusal.value.hint == "use XLA, as in --target cuda:h100"
    with pytest.raises(UsageError, match="no target `iree-cuda:sm_8`"):
        check_target("iree-cuda:sm_8")


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
