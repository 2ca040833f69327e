"""The machine's instruction sets, as far as generated code may depend on them."""

import platform
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
def this_cpu() -> Cpu:
    """Return the machine this process runs on; no features where the kernel lists none."""
    path = Path("/proc/cpuinfo")
    words: set[str] = set()
    if path.exists():
        for line in path.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("flags", "Features"):
                words = set(value.split())
                break
    features = sorted(word for word in words if word.startswith(_PREFIXES))
    return Cpu(platform.machine(), tuple(features))
