"""What the machine can do at most: how fast it reads memory, how fast it multiplies.

NumPy reaches both limits: a bitwise reduction, which releases the interpreter's lock, reads as fast
as a loop of vector loads in C, and its BLAS multiplies at the processor's peak.
"""

import mmap
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_HUGE = 2 << 20


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some measurements, the least and the most of them, and how many there were."""

    median: float
    least: float
    most: float
    count: int

    def scaled(self, factor: float) -> "Spread":
        """Return the same in another unit."""
        return Spread(self.median * factor, self.least * factor, self.most * factor, self.count)


def median_of(values: Sequence[float]) -> Spread:
    """Return the spread of at least one value."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def read_bandwidth(threads: int, size: int = 512 << 20, rounds: int = 7) -> Spread:
    """Return how many bytes a second `threads` read of a buffer of `size` bytes.

    The buffer lies in huge pages where the system has them; with 4 KiB pages the rate is up to a
    third lower. The size should be many times that of the last cache.
    """
    words = _huge(size).view(np.int64)
    words[:] = 0  # Touch every page.
    parts = np.array_split(words, threads)

    def read() -> None:
        readers = [threading.Thread(target=np.bitwise_or.reduce, args=(part,)) for part in parts]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()

    return median_of([words.nbytes / seconds for seconds in _times(read, rounds)])


def _huge(size: int) -> NDArray[np.uint8]:
    """Return `size` bytes from a border of huge pages on, which the kernel is asked to use."""
    memory = mmap.mmap(-1, size + _HUGE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(memory, np.uint8)
    start = -whole.ctypes.data % _HUGE
    return whole[start : start + size]


def matmul_rate(rounds: int = 7, size: int = 2048) -> Spread:
    """Return floating-point operations a second of an f32 matrix product on NumPy's threads."""
    left = np.random.default_rng(0).standard_normal((size, size), np.float32)
    out = np.empty_like(left)
    times = _times(lambda: np.matmul(left, left, out=out), rounds)
    return median_of([2 * size**3 / seconds for seconds in times])


def _times(action: Callable[[], object], rounds: int) -> list[float]:
    """Return the seconds of each call after a first that warms up."""
    found: list[float] = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return found[1:]
