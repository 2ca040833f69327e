"""From portable StableHLO to an IREE module (`.vmfb`)."""

import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from linnet.backends._child import run_child
from linnet.backends._cpu import Cpu, cpu_identity
from linnet.backends._installed import installed
from linnet.backends._instance import Module
from linnet.backends._states import Checked, states_to_json, unpack_checked
from linnet.backends.iree._processor import Processor, processor_of
from linnet.cache import key_of
from linnet.errors import BackendError, CapabilityError

_OBJECT = "kernels.o"

FLAGS = (
    "--iree-input-type=stablehlo",
    # Left to itself it computes f64 in f32.
    "--iree-input-demote-f64-to-f32=false",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-opt-level=O3",
    # O3 would fuse an embedding with the layer norm behind it into one loop that is unrolled whole:
    # six times the compile time, "large vector sizes" at some lengths, and no faster.
    "--iree-dispatch-creation-enable-aggressive-fusion=false",
    # Packs what goes to IREE's own microkernels; weights that go to ours stay as they are.
    "--iree-opt-data-tiling=true",
    # Wide reductions of a long prompt need more stack than IREE's own limit allows; the
    # runtime gives its workers that much.
    "--iree-llvmcpu-fail-on-out-of-bounds-stack-allocation=false",
)


def versions() -> dict[str, str]:
    """Return the packages whose versions must be equal where the code is loaded."""
    found = installed("iree-base-runtime")
    if found is None:
        raise _missing()
    return {"iree-base-runtime": found}


def _missing() -> CapabilityError:
    return CapabilityError("target cpu needs IREE", "pip install 'linnet-mlir[iree]'")


def compiler() -> str:
    """Return the compiler itself: the script that pip installs takes as long as a small program."""
    spec = find_spec("iree.compiler") if find_spec("iree") is not None else None
    if spec is None or not spec.submodule_search_locations:
        raise _missing()
    inside = Path(spec.submodule_search_locations[0]) / "_mlir_libs" / "iree-compile"
    if inside.exists():
        return str(inside)
    from iree.compiler.tools import binaries  # pyright: ignore

    return str(binaries.find_tool("iree-compile"))  # pyright: ignore


def processor(target: str) -> Cpu:
    """Return what code for a target `cpu` or `cpu:NAME` may use; UsageError for an unknown name."""
    return processor_of(target, compiler()).cpu


def options(target: str) -> list[str]:
    """Return the flags that the compiler is given for a target."""
    found = processor_of(target, compiler())
    return [*FLAGS, f"--iree-llvmcpu-target-cpu={found.name}"]


def worker_identity() -> str:
    """Return a hash of what the child that checks the code runs of ours."""
    here = Path(__file__).parent
    shared = [here / "_copies.py", here / "_worker.py", here.parent / "_states.py"]
    return key_of({path.name: path.read_bytes() for path in shared})


def _run(
    text: str,
    output: str,
    found: Processor,
    label: str,
    *flags: str,
    states: bytes | None = None,
) -> bytes:
    """Compile a module, linked with the kernels for a processor, and return a file of it.

    What the same compiler made of it on this processor is in the cache. With `states`
    (`states_to_json`) the file comes packed with a report on them.
    """
    command = [compiler(), "module.mlir", "-o", output, *FLAGS, *flags]
    command.append(f"--iree-llvmcpu-target-cpu={found.name}")
    inputs = {"module.mlir": text.encode()}
    if (kernels := found.object()) is not None:
        inputs[_OBJECT] = kernels.read_bytes()
    identity = {"compiler": installed("iree-base-compiler") or "", "cpu": cpu_identity()}
    if states is None:
        return run_child("IREE", command, inputs, output, identity=identity, label=label)
    return run_child(
        "IREE",
        [sys.executable, "-m", "linnet.backends.iree._worker", *command],
        {**inputs, "states.json": states},
        "checked.bin",
        {"PYTHONPATH": ":".join(path for path in sys.path if path)},
        identity={**identity, "check": worker_identity()},
        label=label,
    )


def compile_checked(modules: Sequence[Module], target: str = "cpu") -> Checked:
    """Return what `compile_entries` does, and what its code does with the states."""
    from linnet.backends.iree._wrap import members

    states = members(modules)[1]
    if not states:
        return Checked(compile_entries(modules, target))
    asked = states_to_json([module.function for module in modules], states)
    return unpack_checked(compile_entries(modules, target, asked))


def compile_entries(
    modules: Sequence[Module], target: str = "cpu", states: bytes | None = None
) -> bytes:
    """Return one module for a processor with all the entries, in a child process.

    `target` is `cpu` for this machine's, or `cpu:NAME`; with `states` the module is packed with a
    report on them. CapabilityError for a function that IREE leaves to a C library which its code
    cannot call, such as `sin` in f64; BackendError for any other failure.
    """
    from linnet.backends.iree._wrap import wrap

    label = ", ".join(module.function for module in modules)
    found = processor_of(target, compiler())
    objects = "" if found.object() is None else _OBJECT

    def compiled(text: str) -> bytes:
        return _run(text, "module.vmfb", found, label, states=states)

    text = wrap(modules, objects=objects)
    try:
        return compiled(text)
    except BackendError as error:
        other = wrap(modules, objects=objects, other_loops=True)
        missing = _missing_symbol(error)
        if other != text:
            try:
                code = compiled(other)
            except BackendError as second:
                # The first failure tells more of the program as it is, but that a function is
                # missing shows only where the compiler comes as far as the linker.
                _forget(second)
                missing = missing or _missing_symbol(second)
            else:
                _forget(error)
                return code
        if not missing:
            raise
        # A failure that is none of the compiler's needs no reproducer.
        _forget(error)
        raise CapabilityError(
            f"target cpu has no `{missing}` for this dtype", "use another dtype or target xla-cpu"
        ) from None


def _missing_symbol(error: BackendError) -> str:
    """Return the function of a C library that the linker did not find, or nothing."""
    return error.message.partition("undefined symbol: ")[2].partition(" ")[0]


def _forget(error: BackendError) -> None:
    """Delete the reproducer of a failure that nobody is told of."""
    if error.reproducer is not None:
        shutil.rmtree(error.reproducer, ignore_errors=True)


def stream_level(modules: Sequence[Module], target: str, *, other_loops: bool = False) -> str:
    """Return the entries as one module at the level where every allocation is decided."""
    from linnet.backends.iree._wrap import wrap

    label = "memory of " + ", ".join(module.function for module in modules)
    found = processor_of(target, compiler())
    objects = "" if found.object() is None else _OBJECT
    text = wrap(modules, objects=objects, other_loops=other_loops)
    return _run(text, "stream.mlir", found, label, "--compile-to=stream").decode()
