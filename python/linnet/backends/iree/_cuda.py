"""IREE for NVIDIA GPUs that need not be there: `iree-cuda:sm_80` and `iree-cuda:sm_89`.

All code is IREE's; our kernels are for processors. IREE 3.13 makes PTX, which the driver of the
machine that loads it compiles for its GPU. It cannot be run here yet.
"""

import re
import sys
from collections.abc import Sequence

from linnet.backends._child import run_child
from linnet.backends._installed import installed
from linnet.backends._instance import Module
from linnet.backends._states import Checked, states_to_json, unpack_checked
from linnet.backends.iree._compile import compiler, worker_identity
from linnet.errors import CapabilityError, unknown_name

PREFIX = "iree-cuda:"
CUDA_TARGETS = (f"{PREFIX}sm_80", f"{PREFIX}sm_89")
_FLAGS = (
    "--iree-input-type=stablehlo",
    # Left to itself it computes f64 in f32.
    "--iree-input-demote-f64-to-f32=false",
    "--iree-hal-target-device=cuda",
    "--iree-opt-level=O3",
)


def capability(target: str) -> str:
    """Return the compute capability of a target, `8.0`.

    CapabilityError for GPUs newer than IREE's CUDA backend, UsageError for any other name.
    """
    if target in CUDA_TARGETS:
        number = target.removeprefix(f"{PREFIX}sm_")
        return f"{number[:-1]}.{number[-1]}"
    newer = re.fullmatch(rf"{PREFIX}sm_(\d+)[a-z]?", target)
    if newer is not None and int(newer[1]) >= 90:
        raise CapabilityError(
            f"target {target} is newer than what IREE's CUDA backend is made for",
            "use XLA, as in --target cuda:h100",
        )
    raise unknown_name("no target", target, CUDA_TARGETS, "GPUs")


def cuda_options(target: str) -> list[str]:
    """Return the flags that the compiler is given for a target."""
    capability(target)
    return [*_FLAGS, f"--iree-cuda-target={target.removeprefix(PREFIX)}"]


def compile_cuda(modules: Sequence[Module], target: str) -> Checked:
    """Return one module with all the entries, and what its code does with the states."""
    from linnet.backends.iree._wrap import members, wrap

    flags = cuda_options(target)
    states = states_to_json([module.function for module in modules], members(modules)[1])
    command = [compiler(), "module.mlir", "-o", "module.vmfb", *flags]
    identity = {"compiler": installed("iree-base-compiler") or "", "check": worker_identity()}
    made = run_child(
        "IREE",
        [sys.executable, "-m", "linnet.backends.iree._worker", *command],
        {"module.mlir": wrap(modules).encode(), "states.json": states},
        "checked.bin",
        {"PYTHONPATH": ":".join(path for path in sys.path if path)},
        identity=identity,
        label=f"{', '.join(module.function for module in modules)} for {target}",
    )
    return unpack_checked(made)
