"""Weights in memory of their own, on large pages.

Reading 500 MB of weights for each token, a processor spends a seventh to a quarter of the time on
looking up 4 KiB pages, the pages of a mapped file; on 2 MiB pages none. Such pages must be asked
for, and only anonymous memory has them, so the tensors are read into one block of it. The mapping
of the file stays untouched: its pages are in the system's cache, not in this process.
"""

import ctypes
import mmap
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from linnet.errors import WeightsError
from linnet.weights._safetensors import place_in_file

Array = NDArray[np.generic]

_LARGE = 2 << 20
# Where a tensor starts: at a cache line, or, from a size on at which it does not matter, at a page.
_LINE, _PAGE = 64, 4096
# One read call of one thread.
_CHUNK = 16 << 20
_THREADS = 4


def resident(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return equal arrays, read-only, in C order, in one block of memory on large pages.

    Tensors of a mapped file are read from the file by several threads.
    """
    places: dict[str, int] = {}
    end = 0
    for path, array in arrays.items():
        end = _up(end, _PAGE if array.nbytes >= _PAGE else _LINE)
        places[path] = end
        end += array.nbytes
    block = _block(end)
    work: list[tuple[Array, NDArray[np.uint8], int]] = []
    made: dict[str, Array] = {}
    for path, array in arrays.items():
        part = block[places[path] : places[path] + array.nbytes]
        made[path] = part.view(array.dtype).reshape(array.shape)
        for start in range(0, array.nbytes, _CHUNK):
            work.append((array, part[start : start + _CHUNK], start))
    with ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1)) as pool:
        list(pool.map(_fill, work))
    block.flags.writeable = False
    for array in made.values():
        array.flags.writeable = False
    return made


def _up(size: int, to: int) -> int:
    return -(-size // to) * to


def _block(size: int) -> NDArray[np.uint8]:
    """Return zeroed memory that starts at a large page."""
    if not size:
        return np.zeros(0, np.uint8)
    memory = mmap.mmap(-1, _up(size, _LARGE) + _LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # A kernel without them: its ordinary pages will do.
            memory.madvise(mmap.MADV_HUGEPAGE)
    first = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return np.frombuffer(memory, np.uint8)[-first % _LARGE :][:size]


def _fill(task: tuple[Array, NDArray[np.uint8], int]) -> None:
    array, part, start = task
    place = place_in_file(array)
    if place is None:
        part[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)[start : start + part.size]
        return
    file, offset = place
    offset += start
    left = memoryview(cast(Any, part))
    while left:
        count = os.preadv(file.fileno(), [left], offset)
        if count == 0:  # The file became shorter: fail as reading the mapping would.
            raise WeightsError(
                f"{file.name} was truncated while it was read", "download or write the file again"
            )
        left, offset = left[count:], offset + count
