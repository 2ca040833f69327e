"""Backends by target name."""

from typing import TYPE_CHECKING

from linnet import _ahead
from linnet.artifact import Artifact, Gpu, Held, Variant
from linnet.backends import Instance, Module, this_cpu
from linnet.errors import CapabilityError, unknown_name
from linnet.weights import Bound, Settling

if TYPE_CHECKING:
    from linnet.artifact import Draft

# The targets that compile ahead of time; `reference` interprets and has no code to keep.
TARGETS = ("cpu", "xla-cpu")
# `cpu:NAME`, for a processor that may be another than this machine's.
_PROCESSOR = "cpu:"
# `cuda:NAME`, for a GPU that need not be there.
_CUDA = "cuda:"
_IREE_CUDA = "iree-cuda:"


def takes_open(target: str) -> bool:
    """Whether a target's code takes sizes that the call decides."""
    return target == "cpu" or target.startswith(_PROCESSOR)


def check_target(target: str, known: tuple[str, ...] = TARGETS) -> None:
    """Raise UsageError for a target that there is not; processors are the compiler's to know."""
    if target.startswith(_CUDA) and known == TARGETS:
        from linnet.backends.xla import cuda_device

        cuda_device(target)
        return
    if target.startswith(_IREE_CUDA) and known == TARGETS:
        from linnet.backends.iree import capability

        capability(target)
        return
    if target not in known and not target.startswith(_PROCESSOR):
        raise unknown_name("no target", target, known, "targets")


def is_iree(target: str) -> bool:
    """Whether a target is IREE's: `cpu`, or `cpu:NAME`."""
    return target == "cpu" or target.startswith(_PROCESSOR)


def load_variant(artifact: Artifact, variant: Variant, bound: Bound) -> Instance:
    """Return an instance of a variant's code. The files were checked when it was read."""
    signatures = {entry.function: entry.signature for entry in artifact.manifest.entries}
    if variant.gpu is not None and variant.kind != "pjrt":
        raise CapabilityError(
            f"IREE's code for {variant.gpu.name} cannot be run yet",
            "load the artifact with another target, as cuda:NAME, which is XLA's",
        )
    if variant.kind == "iree-vmfb":
        # What must be read is read while the runtime is loaded and its threads are made.
        with Settling(bound.arrays) as weights:
            from linnet.backends.iree import IreeInstance, start

            start()
            on_iree = IreeInstance(weights.arrays(), weights)
        for code in variant.files:
            held = {each.function: signatures[each.function] for each in code.functions}
            on_iree.add(held, artifact.read(code.file))
        return on_iree
    from linnet.backends.xla import XlaInstance, check_capability, cuda_client

    client = None
    if variant.gpu is not None:
        client = cuda_client()
        check_capability(client, variant.gpu.name, variant.gpu.capability)
    _ahead.end()  # XLA takes the weights in memory of its own.
    on_xla = XlaInstance(bound.arrays, client)
    for code in variant.files:
        for each in code.functions:
            blob = artifact.read(code.file)
            on_xla.add(each.function, signatures[each.function], blob, each.bucket)
    return on_xla


def compile_variant(target: str, modules: list[Module]) -> "Draft":
    """Return the code of all modules for a target."""
    from linnet.artifact import Draft
    from linnet.backends import join_reports

    check_target(target)
    if is_iree(target):
        from linnet.backends import iree

        cpu = iree.processor(target)
        made = iree.compile_checked(modules, target)
        files = [("module.vmfb", made.code, [module.function for module in modules])]
        return Draft(
            target,
            "iree-vmfb",
            iree.versions(),
            cpu,
            files,
            options=iree.options(target),
            states=made.states,
        )
    if target.startswith(_IREE_CUDA):
        return _compile_iree_cuda(target, modules)
    from linnet.backends import xla

    for module in modules:
        if module.signature.symbols:
            raise CapabilityError(
                f"entry `{module.function}` leaves {', '.join(module.signature.symbols)} open, "
                "and XLA compiles no open sizes",
                "compile the program again, with --bind or --buckets",
            )
    if target.startswith(_CUDA):
        return _compile_cuda(target, modules)
    checked = [xla.compile_checked(module) for module in modules]
    each = [_file(module, made.code) for module, made in zip(modules, checked, strict=True)]
    states = join_reports(made.states for made in checked)
    return Draft(target, "pjrt", xla.versions(), this_cpu(), each, states=states)


def _compile_iree_cuda(target: str, modules: list[Module]) -> "Draft":
    from linnet.artifact import Draft
    from linnet.backends import iree

    made = iree.compile_cuda(modules, target)
    files = [("module.vmfb", made.code, [module.function for module in modules])]
    name, capability = target.removeprefix(_IREE_CUDA), iree.capability(target)
    return Draft(
        target,
        "iree-vmfb",
        iree.versions(),
        None,
        files,
        gpu=Gpu("cuda", name, capability),
        options=iree.cuda_options(target),
        states=made.states,
    )


def _file(module: Module, code: bytes) -> tuple[str, bytes, list[Held]]:
    sizes = "".join(f".{name}{size}" for name, size in module.bucket.items())
    return f"{module.function}{sizes}.pjrt", code, [Held(module.function, module.bucket)]


def _compile_cuda(target: str, modules: list[Module]) -> "Draft":
    from linnet.artifact import Draft
    from linnet.backends import join_reports, xla

    device = xla.cuda_device(target)
    checked = [xla.compile_cuda(module, target) for module in modules]
    each = [_file(module, made.code) for module, made in zip(modules, checked, strict=True)]
    gpu = Gpu("cuda", device.name, device.capability, device.sha256)
    states = join_reports(made.states for made in checked)
    return Draft(target, "pjrt", xla.cuda_versions(), None, each, gpu=gpu, states=states)
