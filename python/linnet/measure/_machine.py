"""Where figures come from: the machine and the versions; and what this process took of it."""

import os
import platform
import resource
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from linnet.backends import cores, cpu_name

_PACKAGES = ("numpy", "jaxlib", "iree-base-compiler", "iree-base-runtime")


def machine() -> dict[str, str]:
    """Return the processor, its usable cores, the memory, the system, and versions of packages."""
    facts = {
        "processor": cpu_name(),
        "cores": str(cores()),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
    }
    for name in _PACKAGES:
        try:
            facts[name] = version(name)
        except PackageNotFoundError:
            facts[name] = "not installed"
    return facts


def peak_bytes() -> int:
    """Return the most memory that was resident in this process at once, mapped files included.

    The kernel's own high-water mark, which starts anew with a program; `getrusage`, where there is
    no other, begins with what the parent had.
    """
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
