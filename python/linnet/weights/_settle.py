"""Weights that are used where they lie in their file until they lie in memory of their own.

To read 500 MB takes as long as all else that a start does; on a virtual machine whose host must
first find the memory, several times as long. The pages of a file that was read before are there
already. So the tensors are used in a mapping of the file at first, and once the first call is
answered a thread moves them, a few large pages at a time, into anonymous memory (see `_resident`
for why), which `mremap` puts in the place of that part of the mapping. Addresses stay, contents
are equal, and whoever reads a page at that moment waits in the kernel for a page that is there.

Until all have moved, a file that is written to shows: a change is an error of the next call, and
one that is made shorter can end the process, as with every mapping. So the move begins by itself
where no call comes.
"""

import ctypes
import mmap
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event, Thread
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from linnet._ahead import (
    ALIGNED,
    FAILED,
    LARGE,
    LEAST,
    FileMapping,
    Identity,
    can_map,
    failure,
    identity,
    libc,
    taken,
)
from linnet.errors import WeightsError
from linnet.weights._resident import Reading, fill_from_file, up
from linnet.weights._safetensors import place_in_file

Array = NDArray[np.generic]

# What one `mremap` moves: as much as is resident twice meanwhile.
_STEP = 8 << 20
# Without a call: after a start, before anyone would write to the file again.
_PATIENCE_SECONDS = 1.0
# After the first call: its answer is used before memory and processors are shared.
_BREATH_SECONDS = 0.02

_MREMAP_MAYMOVE, _MREMAP_FIXED = 1, 2


@dataclass(frozen=True, slots=True)
class _Placed:
    """A file, its mapping, and the runs of large pages in it that hold something used."""

    file: BinaryIO
    mapping: FileMapping
    runs: list[tuple[int, int]]


class Settling:
    """Arrays to be used at once, which move into memory of their own later.

    What is no part of a file, or does not lie there as it is needed, is read at once; so is all
    where there is little of it, or the system has no such calls.
    """

    def __init__(self, arrays: Mapping[str, Array], least: int = LEAST, step: int = _STEP) -> None:
        """Begin to read the rest; `least` and `step` are bytes, `step` of whole large pages."""
        self._step = step
        self._error: WeightsError | None = None
        self._mapped, self._placed = _map_files(arrays, least)
        # Their files stay open as long as these are there.
        self._sources = [arrays[path] for path in self._mapped]
        self._order = list(arrays)
        self._reading = Reading({p: a for p, a in arrays.items() if p not in self._mapped})
        self._begin = Event()
        self._moving: Thread | None = None

    def __enter__(self) -> "Settling":
        self._reading.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._reading.__exit__()

    def arrays(self) -> dict[str, Array]:
        """Return the arrays, read-only, in C order, as soon as all can be used."""
        found = self._mapped | self._reading.arrays()
        if self._placed and self._moving is None:
            self._moving = Thread(target=self._move, daemon=True)
            self._moving.start()
        return {path: found[path] for path in self._order}

    def check(self) -> None:
        """To be called before the arrays are used.

        WeightsError where a file was written to before what it held was in memory.
        """
        if self._error is not None:
            raise self._error

    def settle(self) -> None:
        """Begin to move, if that has not begun."""
        self._begin.set()

    def wait(self) -> None:
        """Move, and return when all have moved."""
        self.settle()
        if self._moving is not None:
            self._moving.join()

    def _move(self) -> None:
        self._begin.wait(_PATIENCE_SECONDS)
        self._begin.set()
        time.sleep(_BREATH_SECONDS)
        for placed in self._placed:
            placed.mapping.give_up()
        try:
            for placed in self._placed:
                for start, end in placed.runs:
                    for part in range(start, end, self._step):
                        _move_part(placed, part, min(self._step, end - part))
        except WeightsError as error:
            self._error = error
        except OSError:
            pass  # No memory for it: they are used where they lie.
        for placed in self._placed:
            if self._error is None and _now(placed.file) != placed.mapping.identity:
                self._error = WeightsError(
                    f"{placed.file.name} was changed while it was read", "load the model again"
                )
        self._sources = []


def _now(file: BinaryIO) -> Identity:
    return identity(file.fileno())


def _map_files(arrays: Mapping[str, Array], least: int) -> tuple[dict[str, Array], list[_Placed]]:
    """Map what can be used where it lies."""
    if not can_map():
        return {}, []
    by_file: dict[int, list[tuple[str, BinaryIO, int]]] = {}
    for path, array in arrays.items():
        place = place_in_file(array) if array.nbytes else None
        if place is not None and place[1] % ALIGNED == 0:
            by_file.setdefault(place[0].fileno(), []).append((path, *place))
    mapped: dict[str, Array] = {}
    found: list[_Placed] = []
    for places in by_file.values():
        if sum(arrays[path].nbytes for path, _, _ in places) < least:
            continue
        file = places[0][1]
        mapping = taken(file.fileno())
        if mapping is None:
            try:
                mapping = FileMapping(file.fileno())
            except OSError:
                continue
            mapping.populate()
        room = np.frombuffer(mapping.room, np.uint8)
        block = room[mapping.address - room.ctypes.data :][: mapping.size]
        block.flags.writeable = False
        for path, _, offset in places:
            array = arrays[path]
            part = block[offset : offset + array.nbytes]
            mapped[path] = part.view(array.dtype).reshape(array.shape)
        used = [(offset, offset + arrays[path].nbytes) for path, _, offset in places]
        found.append(_Placed(file, mapping, _runs(used, mapping.size)))
    return mapped, found


def _runs(used: list[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """Join the large pages that hold something used into runs, none of them past `end`."""
    runs: list[tuple[int, int]] = []
    for start, stop in sorted(used):
        start, stop = start // LARGE * LARGE, min(up(stop, LARGE), end)
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(stop, runs[-1][1]))
        else:
            runs.append((start, stop))
    return runs


def _move_part(placed: _Placed, start: int, size: int) -> None:
    """Read a part of a file into new memory, and put that in its place."""
    system = libc()
    whole = up(size, mmap.PAGESIZE)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    writable = mmap.PROT_READ | mmap.PROT_WRITE
    room = system.mmap(None, whole + LARGE, writable, flags, -1, 0)
    if room == FAILED:
        raise failure()
    address = up(room, LARGE)
    if address > room:
        system.munmap(room, address - room)
    if room + LARGE > address:
        system.munmap(address + whole, room + LARGE - address)
    moved = False
    try:
        system.madvise(address, whole, mmap.MADV_HUGEPAGE)
        part = memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")
        fill_from_file(part, placed.file, start)
        if system.mprotect(address, whole, mmap.PROT_READ):
            raise failure()
        how = _MREMAP_MAYMOVE | _MREMAP_FIXED
        moved = system.mremap(address, whole, whole, how, placed.mapping.address + start) != FAILED
        if not moved:
            raise failure()
    finally:
        if not moved:
            system.munmap(address, whole)
