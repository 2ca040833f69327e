"""Facts of this machine, read without importing anything heavy."""

import mmap
import os
import re
import threading
import time
from pathlib import Path
from typing import Any, Final

from linnet.backends import cores, cpu_name, machine_memory, this_cpu

# The instruction sets that each level of x86-64 adds, in the kernel's spelling.
_LEVELS: Final = (
    ("x86-64-v2", "cx16 popcnt ssse3 sse4_1 sse4_2"),
    ("x86-64-v3", "avx avx2 bmi1 bmi2 f16c fma movbe abm"),
    ("x86-64-v4", "avx512f avx512bw avx512cd avx512dq avx512vl"),
)
_SHOWN: Final = "avx2 fma avx512f avx512_vnni avx512_bf16 amx_tile amx_int8 amx_bf16 asimd sve i8mm"
_READ_BYTES: Final = 256 << 20
_ROUNDS: Final = 5


def processor() -> dict[str, Any]:
    """Return name, architecture, level, cores, and the features that code profits from."""
    cpu = this_cpu()
    level: str | None = None
    if cpu.arch in ("x86_64", "AMD64"):
        level = "x86-64"
        for name, needed in _LEVELS:
            if not set(needed.split()) <= set(cpu.features):
                break
            level = name
    return {
        "name": cpu_name(),
        "arch": cpu.arch,
        "level": level,
        "cores": cores(),
        "notable": [each for each in _SHOWN.split() if each in cpu.features],
        "features": list(cpu.features),
    }


def memory() -> dict[str, Any]:
    """Return bytes in all and now free for programs, and the setting of transparent huge pages."""
    setting = _read("/sys/kernel/mm/transparent_hugepage/enabled")
    found = re.search(r"\[(\w+)\]", setting)
    free = re.search(r"^MemAvailable:\s+(\d+) kB", _read("/proc/meminfo"), re.MULTILINE)
    return {
        "bytes": machine_memory(),
        "available": None if free is None else int(free[1]) << 10,
        "huge_pages": None if found is None else found[1],
    }


def gpus() -> dict[str, Any]:
    """Return the version of NVIDIA's driver, None where there is none, and the devices."""
    version = re.search(r"Module\s+(\d[\d.]*)", _read("/proc/driver/nvidia/version"))
    folder = Path("/proc/driver/nvidia/gpus")
    texts = [_read(str(path)) for path in sorted(folder.glob("*/information"))]
    models = [re.search(r"^Model:\s*(.+)$", text, re.MULTILINE) for text in texts]
    return {
        "driver": None if version is None else version[1],
        "devices": [model[1].strip() for model in models if model is not None],
    }


def read_bandwidth() -> float:
    """Return the bytes per second that all cores read from memory, the best of a few rounds.

    Each core sums a part of a memory in huge pages, many times the size of a cache.
    """
    import numpy as np

    held = mmap.mmap(-1, _READ_BYTES)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        held.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(held, np.float32)
    whole[:] = 1.0
    parts = np.array_split(whole, cores())
    best = 0.0
    for _ in range(_ROUNDS):
        # NumPy lets other threads run while it reads.
        threads = [threading.Thread(target=np.maximum.reduce, args=(part,)) for part in parts]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        best = max(best, _READ_BYTES / (time.perf_counter() - start))
    return best


def mlir_version(package: Path) -> str | None:
    """Return the version of MLIR that is built in, None where the extension is not there."""
    libraries = sorted(package.glob("mlir/_mlir_libs/*CAPI.so"))
    for path in libraries:
        with open(path, "rb") as file:
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            found = re.search(rb"MLIR(\d+\.\d+\.\d+)", whole)
        if found is not None:
            return found[1].decode()
    return "unknown" if libraries else None


def _read(path: str) -> str:
    """The text of one of the kernel's files, empty where it has none."""
    try:
        return Path(os.fsdecode(path)).read_text(errors="replace")
    except OSError:
        return ""
