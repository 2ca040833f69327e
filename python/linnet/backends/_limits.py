"""How much of the machine a compiler may use."""

import os
from dataclasses import dataclass
from pathlib import Path

from linnet.backends._cpu import cores
from linnet.errors import UsageError

_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that pass, seconds of all processors, bytes of memory and of any one file."""

    seconds: float
    cpu_seconds: int
    memory: int
    file_bytes: int = 8 << 30


def compile_limits() -> Limits:
    """Return the limits of a compiler, by the machine and the environment.

    `LINNET_COMPILE_SECONDS` (default an hour) and `LINNET_COMPILE_MEMORY` (default three quarters
    of the machine's, or of the control group's). UsageError for what is no number.
    """
    given = os.environ.get("LINNET_COMPILE_SECONDS", "")
    try:
        seconds = float(given) if given else _HOUR
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e9:
        raise UsageError(
            f"LINNET_COMPILE_SECONDS: `{given[:40]}` is no time", "give a number of seconds"
        )
    from linnet.cache import read_size

    memory = os.environ.get("LINNET_COMPILE_MEMORY", "")
    size = read_size(memory, "LINNET_COMPILE_MEMORY") if memory else machine_memory() * 3 // 4
    return Limits(seconds, max(1, int(seconds * cores())), size)


def machine_memory() -> int:
    """Return the bytes of memory that this process may use at most."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        group = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return total
    return min(total, int(group)) if group.isdecimal() else total
