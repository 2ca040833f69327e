"""Maps files of weights, and has their pages there before anyone asks for them.

`linnet.load` begins with it: while Python imports what loads a model, another thread maps the pages
of the weights. Nothing of them is looked at here; what is no file of weights after all, or not one
that is used as it lies, is given back. So this file imports little, NumPy least of all.
"""

import ctypes
import errno
import mmap
import os
import sys
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

LARGE = 2 << 20
# Where IREE takes memory as it is, and where its code may read whole vectors.
ALIGNED = 64
# A smaller file is read in less than 10 ms.
LEAST = 32 << 20
# How much one call maps; the process's other calls for memory wait for its end.
_STEP = 4 << 20

# Linux, the same on all architectures that Python has wheels for. [mman.h]
MAP_FIXED = 0x10
_MADV_POPULATE_READ = 22
FAILED = ctypes.c_void_p(-1).value

Identity = tuple[int, int, int, int]


@cache
def libc() -> Any:
    """The C library, whose calls leave other threads to run. See `failure` for errors."""
    found = ctypes.CDLL(None, use_errno=True)
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    found.mmap.restype = found.mremap.restype = pointer
    found.mmap.argtypes = [pointer, size, number, number, number, ctypes.c_int64]
    found.mremap.argtypes = [pointer, size, size, number, pointer]
    found.munmap.argtypes = [pointer, size]
    found.madvise.argtypes = found.mprotect.argtypes = [pointer, size, number]
    return found


def failure() -> OSError:
    """What a call of the C library that failed raises."""
    number = ctypes.get_errno() or errno.ENOMEM
    return OSError(number, os.strerror(number))


def can_map() -> bool:
    """Whether files can be mapped at addresses of our choice."""
    return sys.platform == "linux" and ctypes.sizeof(ctypes.c_void_p) == 8


def identity(descriptor: int) -> Identity:
    """What an open file is, and whether it was written to since."""
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class FileMapping:
    """A file, mapped to be read, at an address that is a multiple of a large page.

    `room` is the memory around it; the mapping ends when nobody holds that any more.
    """

    def __init__(self, descriptor: int) -> None:
        """OSError where it cannot be mapped."""
        self.identity = identity(descriptor)
        self.size = self.identity[2]
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self.room = mmap.mmap(-1, self.size + LARGE, flags=flags)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.room))
        self.address = start + -start % LARGE
        how = mmap.MAP_PRIVATE | MAP_FIXED
        placed = libc().mmap(self.address, self.size, mmap.PROT_READ, how, descriptor, 0)
        if placed == FAILED:
            raise failure()
        self._given_up = False

    def populate(self) -> None:
        """Let a thread map all pages, reading those that are not in memory."""
        Thread(target=self._populate, daemon=True).start()

    def give_up(self) -> None:
        """Let that thread end."""
        self._given_up = True

    def _populate(self) -> None:
        for start in range(0, self.size, _STEP):
            size = min(_STEP, self.size - start)
            if self._given_up or libc().madvise(self.address + start, size, _MADV_POPULATE_READ):
                return  # A kernel without it does the same as the pages are used.


_begun: dict[Identity, FileMapping] = {}


def begin(weights: object) -> None:
    """Map what a caller calls weights, if these are large files, and begin to read them.

    What is wrong with them is for those to say who look at them.
    """
    if not can_map() or not isinstance(weights, str | os.PathLike):
        return
    try:
        path = Path(os.fspath(weights))
        files = sorted(path.glob("*.safetensors")) if path.is_dir() else [path]
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        sizes = [file.stat().st_size for file in files]
        if sum(sizes) > memory // 2:
            return
        for file, size in zip(files, sizes, strict=True):
            if size >= LEAST and file.is_file():
                with open(file, "rb") as opened:
                    # The header's length; where it ends, the tensors begin.
                    if (8 + int.from_bytes(opened.read(8), "little")) % ALIGNED:
                        continue
                    mapping = FileMapping(opened.fileno())
                _begun[mapping.identity] = mapping
                mapping.populate()
    except (OSError, TypeError, ValueError):
        return


def taken(descriptor: int) -> FileMapping | None:
    """Return the mapping that was begun of an open file, if there is one."""
    return _begun.pop(identity(descriptor), None)


def end() -> None:
    """Give back what nobody took."""
    for key in list(_begun):
        mapping = _begun.pop(key, None)
        if mapping is not None:
            mapping.give_up()
