"""The object file with kernels for a processor."""

from collections.abc import Collection
from pathlib import Path

# The levels of the x86-64 psABI that there are objects for, best first, and what each needs beyond
# the next, in the words of /proc/cpuinfo. https://gitlab.com/x86-psABIs/x86-64-ABI
_LEVELS = (
    ("v4", "avx512f avx512bw avx512cd avx512dq avx512vl"),
    ("v3", "avx avx2 bmi1 bmi2 f16c fma abm movbe"),
)
_FOLDER = Path(__file__).with_name("kernels")


def object_for(arch: str, features: Collection[str]) -> Path | None:
    """Return the object that a processor can run, or None: then all code is IREE's.

    The build leaves objects out where its C compiler cannot make them.
    """
    if arch != "x86_64":
        return None
    needed = ""
    fitting: list[str] = []
    for level, words in reversed(_LEVELS):
        needed = f"{needed} {words}"
        if set(needed.split()) <= set(features):
            fitting.insert(0, level)
    paths = [_FOLDER / f"linnet_kernels_x86_64_{level}.o" for level in fitting]
    return next((path for path in paths if path.is_file()), None)
