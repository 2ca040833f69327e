"""From portable StableHLO to an IREE module (`.vmfb`)."""

import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from linnet.backends._child import run_child
from linnet.backends._instance import Module
from linnet.errors import BackendError, CapabilityError

FLAGS = (
    "--iree-input-type=stablehlo",
    # Left to itself it computes f64 in f32.
    "--iree-input-demote-f64-to-f32=false",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
    # O3 would fuse an embedding with the layer norm behind it into one loop that is unrolled whole:
    # six times the compile time, "large vector sizes" at some lengths, and no faster.
    "--iree-dispatch-creation-enable-aggressive-fusion=false",
    # Packs parameters into the layout of the microkernels, once, at load.
    "--iree-opt-data-tiling=true",
    # Wide reductions of a long prompt need more stack than IREE's own limit allows; the
    # runtime gives its workers that much.
    "--iree-llvmcpu-fail-on-out-of-bounds-stack-allocation=false",
)


def versions() -> dict[str, str]:
    """Return the packages whose versions must be equal where the code is loaded."""
    try:
        return {"iree-base-runtime": version("iree-base-runtime")}
    except ModuleNotFoundError:
        raise _missing() from None


def _missing() -> CapabilityError:
    return CapabilityError("target cpu needs IREE", "pip install 'linnet-mlir[iree]'")


def _compiler() -> str:
    beside = Path(sys.executable).with_name("iree-compile")
    if beside.exists():
        return str(beside)
    try:
        from iree.compiler.tools import binaries  # pyright: ignore

        return str(binaries.find_tool("iree-compile"))  # pyright: ignore
    except ImportError:
        raise _missing() from None


def compile_entries(modules: Sequence[Module]) -> bytes:
    """Return one module for this machine's CPU with all the entries, in a child process.

    CapabilityError for a function that IREE leaves to a C library which its code cannot call, such
    as `sin` in f64; BackendError for any other failure.
    """
    from linnet.backends.iree._wrap import wrap

    command = [_compiler(), "module.mlir", "-o", "module.vmfb", *FLAGS]
    text = wrap(modules)
    try:
        return run_child("IREE", command, {"module.mlir": text.encode()}, "module.vmfb")
    except BackendError as error:
        other = wrap(modules, other_loops=True)
        if other != text:
            try:
                found = run_child("IREE", command, {"module.mlir": other.encode()}, "module.vmfb")
            except BackendError:
                pass  # The first failure tells more of the program as it is.
            else:
                if error.reproducer is not None:
                    shutil.rmtree(error.reproducer, ignore_errors=True)
                return found
        missing = error.message.partition("undefined symbol: ")[2]
        if not missing:
            raise
        # A failure that is none of the compiler's needs no reproducer.
        if error.reproducer is not None:
            shutil.rmtree(error.reproducer, ignore_errors=True)
        raise CapabilityError(
            f"target cpu has no `{missing}` for this dtype", "use another dtype or target xla-cpu"
        ) from None
