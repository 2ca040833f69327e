"""The compiled kernels of `kernels/`, loaded into this process: for benchmarks and tests.

The objects are made to be linked into IREE's executables. Here the same objects are linked into a
shared library beside `kernels/exported.c`, so what is measured and tested is what is shipped.
"""

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OBJECTS = ROOT / "python" / "linnet" / "backends" / "iree" / "kernels"
KINDS = (
    "linear_f32_kn",
    "linear_f32_nk",
    "linear_bf16_kn",
    "linear_bf16_nk",
    "linear_f16_kn",
    "linear_f16_nk",
    "linear_i8_kn",
    "linear_i8_nk",
    "linear_i4_nk",
    "attention_f32",
    "attention_bf16",
    "attention_f16",
)
LEVELS = ("v3", "v4")


class Linear(ctypes.Structure):
    """`linnet_linear_t`."""

    _fields_ = (
        ("x", ctypes.c_void_p),
        ("w", ctypes.c_void_p),
        ("scale", ctypes.c_void_p),
        ("zero", ctypes.c_void_p),
        ("bias", ctypes.c_void_p),
        ("residual", ctypes.c_void_p),
        ("norm_gain", ctypes.c_void_p),
        ("norm_shift", ctypes.c_void_p),
        ("y", ctypes.c_void_p),
        ("m", ctypes.c_int64),
        ("n", ctypes.c_int64),
        ("k", ctypes.c_int64),
        ("ldx", ctypes.c_int64),
        ("ldw", ctypes.c_int64),
        ("ldr", ctypes.c_int64),
        ("ldy", ctypes.c_int64),
        ("group", ctypes.c_int64),
        ("activation", ctypes.c_int64),
        ("norm", ctypes.c_int64),
        ("eps", ctypes.c_float),
    )


class Attention(ctypes.Structure):
    """`linnet_attention_t`."""

    _fields_ = (
        ("q", ctypes.c_void_p),
        ("k", ctypes.c_void_p),
        ("v", ctypes.c_void_p),
        ("mask", ctypes.c_void_p),
        ("y", ctypes.c_void_p),
        ("b", ctypes.c_int64),
        ("h", ctypes.c_int64),
        ("hk", ctypes.c_int64),
        ("queries", ctypes.c_int64),
        ("keys", ctypes.c_int64),
        ("d", ctypes.c_int64),
        ("q_b", ctypes.c_int64),
        ("q_h", ctypes.c_int64),
        ("q_q", ctypes.c_int64),
        ("k_b", ctypes.c_int64),
        ("k_h", ctypes.c_int64),
        ("k_t", ctypes.c_int64),
        ("v_b", ctypes.c_int64),
        ("v_h", ctypes.c_int64),
        ("v_t", ctypes.c_int64),
        ("y_b", ctypes.c_int64),
        ("y_h", ctypes.c_int64),
        ("y_q", ctypes.c_int64),
        ("mask_b", ctypes.c_int64),
        ("mask_q", ctypes.c_int64),
        ("scale", ctypes.c_float),
    )


@dataclass(frozen=True)
class Kernels:
    """The functions of one object."""

    level: str
    library: ctypes.CDLL

    def share(self, kind: str, args: ctypes.Structure, share: int, shares: int) -> int:
        """Compute one share of a call; what `linnet_run_KIND` returns."""
        status: int = self.library.linnet_test_share(
            ctypes.c_int64(KINDS.index(kind)),
            ctypes.byref(args),
            ctypes.c_int64(share),
            ctypes.c_int64(shares),
        )
        return status

    def chain(self, calls: Sequence[tuple[str, ctypes.Structure]], threads: int) -> int:
        """Compute calls one after the other, each thread its share of each."""
        count = len(calls)
        kinds = (ctypes.c_int64 * count)(*(KINDS.index(kind) for kind, _ in calls))
        args = (ctypes.c_void_p * count)(*(ctypes.addressof(one) for _, one in calls))
        status: int = self.library.linnet_test_chain(
            kinds, args, ctypes.c_int64(count), ctypes.c_int64(threads)
        )
        return status


def why_not(level: str) -> str | None:
    """The reason why `load(level, …)` cannot work here, or None."""
    if not object_of(level).is_file():
        return f"{object_of(level).name} was not built on this machine"
    if compiler() is None:
        return "there is no C compiler to link it with"
    flags = cpu_flags()
    needed = {"avx2", "fma", "f16c"}
    if level == "v4":
        needed |= {"avx512f", "avx512bw", "avx512dq", "avx512vl"}
    return None if needed <= flags else f"this CPU has no {', '.join(sorted(needed - flags))}"


def load(level: str, folder: Path) -> Kernels:
    """Link the object of `level` into a library in `folder`, and load it."""
    command = compiler()
    assert command is not None, "ask `why_not` first"
    library = folder / f"kernels_{level}.so"
    source = ROOT / "kernels" / "exported.c"
    subprocess.run(
        [command, "-shared", "-fPIC", "-O1", source, object_of(level), "-o", library, "-lpthread"],
        check=True,
    )
    return Kernels(level, ctypes.CDLL(str(library)))


def object_of(level: str) -> Path:
    """Where the build puts the object of a level, `v3` or `v4`."""
    return OBJECTS / f"linnet_kernels_x86_64_{level}.o"


def compiler() -> str | None:
    """The C compiler of the machine."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def cpu_flags() -> frozenset[str]:
    """What the kernel says that this CPU has; nothing where it does not say."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return frozenset()
    for line in text.splitlines():
        if line.startswith("flags"):
            return frozenset(line.partition(":")[2].split())
    return frozenset()
