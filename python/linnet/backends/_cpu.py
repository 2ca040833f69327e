"""The machine's instruction sets, as far as generated code may depend on them."""

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Flags of /proc/cpuinfo that name instruction sets a code generator may use.
_WORDS = """
sse ssse avx amx fma f16c bmi popcnt abm adx aes pclmulqdq vpclmulqdq vaes sha gfni movbe xsave
cx16 lahf asimd sve sme i8mm bf16 fp atomics neon vfp
"""
_PREFIXES = tuple(_WORDS.split())


@dataclass(frozen=True, slots=True)
class Cpu:
    """An architecture and sorted feature names, in the kernel's spelling."""

    arch: str
    features: tuple[str, ...]

    def lacks(self, needed: "Cpu") -> tuple[str, ...]:
        """Return what code built for `needed` may use and this machine does not have."""
        if self.arch != needed.arch:
            return (needed.arch,)
        return tuple(f for f in needed.features if f not in self.features)


@cache
def _cpuinfo() -> dict[str, str]:
    """The kernel's words on the first processor; none where it has none."""
    path = Path("/proc/cpuinfo")
    found: dict[str, str] = {}
    if path.exists():
        for line in path.read_text(errors="replace").partition("\n\n")[0].splitlines():
            name, _, value = line.partition(":")
            found[name.strip()] = value.strip()
    return found


@cache
def this_cpu() -> Cpu:
    """Return the machine this process runs on; no features where the kernel lists none."""
    found = _cpuinfo()
    words = set(found.get("flags", found.get("Features", "")).split())
    return Cpu(platform.machine(), instruction_sets(words))


def instruction_sets(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of /proc/cpuinfo that name what a code generator may use, sorted."""
    return tuple(sorted(word for word in words if word.startswith(_PREFIXES)))


def cpu_name() -> str:
    """Return the model of the processor as the kernel has it."""
    found = _cpuinfo()
    return found.get("model name") or found.get("CPU part") or platform.machine()


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_identity() -> str:
    """Return all of the machine that code compiled for it may depend on."""
    found = _cpuinfo()
    model = [found.get(name, "") for name in ("vendor_id", "cpu family", "model", "stepping")]
    cpu = this_cpu()
    return " ".join([cpu.arch, *model, cpu_name(), str(cores()), *cpu.features])
