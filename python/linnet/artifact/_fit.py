"""Whether a variant's code fits this machine and the packages that are installed."""

from linnet.artifact._manifest import Variant
from linnet.backends import installed, nvidia_gpu, this_cpu


def misfit(variant: Variant) -> str | None:
    """Return what is in the way, as a predicate of the code, or None when it fits."""
    if variant.gpu is not None and not nvidia_gpu():
        return f"needs a GPU, {variant.gpu.name}, and this machine has none"
    for package, needed in variant.versions.items():
        found = installed(package)
        if found is None:
            return f"needs {package} {needed}, which is not installed"
        if found != needed:
            return f"was built for {package} {needed}, but {found} is installed"
    if variant.cpu is None:
        return None
    missing = this_cpu().lacks(variant.cpu)
    if missing:
        shown = ", ".join(missing[:4]) + (", …" if len(missing) > 4 else "")
        return f"needs a processor with {shown}"
    return None
