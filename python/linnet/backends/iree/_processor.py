"""The processor that a target names, and the object file with kernels for it.

`cpu` and `cpu:host` are the one of this machine. `cpu:NAME` is one that LLVM knows by name, as in
`cpu:x86-64-v3` or `cpu:znver4`; what such a processor has is the compiler's to say.
"""

import re
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from linnet.backends._cpu import Cpu, instruction_sets, this_cpu
from linnet.errors import BackendError, UsageError

# The levels of the x86-64 psABI that there are objects for, best first, and what each needs beyond
# the next, in the words of /proc/cpuinfo. https://gitlab.com/x86-psABIs/x86-64-ABI
_LEVELS = (
    ("v4", "avx512f avx512bw avx512cd avx512dq avx512vl"),
    ("v3", "avx avx2 bmi1 bmi2 f16c fma abm movbe"),
)
_FOLDER = Path(__file__).with_name("kernels")

_HOST = "host"
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_FEATURES = re.compile(r'\bcpu_features = "([^"]*)"')
# Where Linux calls a feature otherwise than LLVM; `.` and `-` are `_` besides.
_CALLED = {
    "avx512bf16": "avx512_bf16",
    "avx512bitalg": "avx512_bitalg",
    "avx512fp16": "avx512_fp16",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vnni": "avx512_vnni",
    "avx512vp2intersect": "avx512_vp2intersect",
    "avx512vpopcntdq": "avx512_vpopcntdq",
    "avxvnni": "avx_vnni",
    "bmi": "bmi1",
    "lzcnt": "abm",
    "pclmul": "pclmulqdq",
    "sahf": "lahf_lm",
    "sha": "sha_ni",
    "sse3": "pni",
}


@dataclass(frozen=True, slots=True)
class Processor:
    """The compiler's name for it, and what its code may use."""

    name: str
    cpu: Cpu

    def object(self) -> Path | None:
        """Return the object with kernels that it can run, if there is one."""
        return object_for(self.cpu.arch, self.cpu.features)


def processor_of(target: str, compiler: str) -> Processor:
    """Return the processor of `cpu` or `cpu:NAME`; UsageError for a name that LLVM lacks."""
    name = target.partition(":")[2] or _HOST
    if name == _HOST:
        return Processor(_HOST, this_cpu())
    features = _features_of(name, compiler) if _NAME.fullmatch(name) else None
    if features is None:
        raise UsageError(
            f"no processor `{name}`",
            "`cpu:x86-64-v3`, `cpu:x86-64-v4`, or a name that LLVM has, as in `cpu:znver4`",
        )
    return Processor(name, Cpu(this_cpu().arch, features))


@cache
def _features_of(name: str, compiler: str) -> tuple[str, ...] | None:
    """Ask the compiler what a processor has, in the kernel's words."""
    command = [
        compiler,
        "-",
        "--compile-to=preprocessing",
        "--iree-hal-target-device=local",
        "--iree-hal-local-target-device-backends=llvm-cpu",
        f"--iree-llvmcpu-target-cpu={name}",
    ]
    try:
        done = subprocess.run(
            command, input="module {}", capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BackendError(f"IREE did not answer: {error}") from None
    found = _FEATURES.search(done.stdout)
    if done.returncode or found is None:
        return None
    listed = [each[1:] for each in found[1].split(",") if each.startswith("+")]
    return instruction_sets({_CALLED.get(each, re.sub(r"[.-]", "_", each)) for each in listed})


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
