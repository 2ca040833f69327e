"""Weights in memory of their own, on large pages.

Reading 500 MB of weights for each token, a processor spends a seventh to a quarter of the time on
looking up 4 KiB pages, the pages of a mapped file; on 2 MiB pages none. Such pages must be asked
for, and only anonymous memory has them, so the tensors are read into one block of it. The mapping
of the file stays untouched: its pages are in the system's cache, not in this process.
"""

import ctypes
import mmap
import os
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from linnet.errors import WeightsError
from linnet.weights._safetensors import place_in_file

Array = NDArray[np.generic]
# An array, its part of the block to be filled, and where in the array's bytes that starts.
_Piece = tuple[Array, NDArray[np.uint8], int]
_Work = deque[_Piece]

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
    with Reading(arrays) as reading:
        return reading.arrays()


class Reading:
    """Arrays on their way into memory, while the caller does something else: see `resident`.

    Left early, as by an error, it stops the threads at the pieces that they are at.
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._made, self._block, self._work = _planned(arrays)
        self._errors: list[BaseException] = []
        count = min(_THREADS, os.cpu_count() or 1, len(self._work))
        self._threads = [Thread(target=self._run, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _run(self) -> None:
        while True:
            try:
                piece = self._work.popleft()
            except IndexError:  # Nothing is left.
                return
            try:
                _fill(piece)
            except BaseException as error:  # For the thread that waits.
                self._work.clear()
                self._errors.append(error)

    def arrays(self) -> dict[str, Array]:
        """Wait, and return the arrays. WeightsError for a file that became shorter meanwhile."""
        self._join()
        if self._errors:
            raise self._errors[0]
        self._block.flags.writeable = False
        for array in self._made.values():
            array.flags.writeable = False
        return self._made

    def _join(self) -> None:
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> "Reading":
        return self

    def __exit__(self, *_: object) -> None:
        self._work.clear()
        self._join()


def _planned(arrays: Mapping[str, Array]) -> tuple[dict[str, Array], NDArray[np.uint8], _Work]:
    """Where the arrays come to lie in a new block, and the pieces to fill it by."""
    places: dict[str, int] = {}
    end = 0
    for path, array in arrays.items():
        end = up(end, _PAGE if array.nbytes >= _PAGE else _LINE)
        places[path] = end
        end += array.nbytes
    block = _block(end)
    work: _Work = deque()
    made: dict[str, Array] = {}
    for path, array in arrays.items():
        part = block[places[path] : places[path] + array.nbytes]
        made[path] = part.view(array.dtype).reshape(array.shape)
        for start in range(0, array.nbytes, _CHUNK):
            work.append((array, part[start : start + _CHUNK], start))
    return made, block, work


def up(size: int, to: int) -> int:
    """Return the least multiple of `to` that is not less than `size`."""
    return -(-size // to) * to


def _block(size: int) -> NDArray[np.uint8]:
    """Return zeroed memory that starts at a large page."""
    if not size:
        return np.zeros(0, np.uint8)
    memory = mmap.mmap(-1, up(size, _LARGE) + _LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # A kernel without them: its ordinary pages will do.
            memory.madvise(mmap.MADV_HUGEPAGE)
    first = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return np.frombuffer(memory, np.uint8)[-first % _LARGE :][:size]


def _fill(task: _Piece) -> None:
    array, part, start = task
    place = place_in_file(array)
    if place is None:
        part[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)[start : start + part.size]
        return
    file, offset = place
    fill_from_file(memoryview(cast(Any, part)), file, offset + start)


def fill_from_file(part: memoryview, file: BinaryIO, offset: int) -> None:
    """Read bytes of a file until `part` is full. WeightsError where the file has no more."""
    while part:
        count = os.preadv(file.fileno(), [part], offset)
        if count == 0:  # The file became shorter: fail as reading the mapping would.
            raise WeightsError(
                f"{file.name} was truncated while it was read", "download or write the file again"
            )
        part, offset = part[count:], offset + count
