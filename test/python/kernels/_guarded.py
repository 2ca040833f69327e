"""A process that runs kernels on arrays beside pages that may not be touched.

python _guarded.py LEVEL LIBRARY products|attention|beyond [at_end|at_begin]
"""

import ctypes
import mmap
import sys

import numpy as np
from kernels_library import Kernels

from kernels._products import MASKS, Array, heads, product

PAGE = mmap.PAGESIZE
SIZES = ((1, 1, 1), (1, 37, 21), (2, 70, 33), (4, 5, 50), (6, 35, 18), (15, 70, 270), (17, 13, 6))
HEADS = ((1, 2, 1, 1, 67, 9), (1, 1, 1, 3, 5, 40), (1, 2, 2, 5, 70, 20), (1, 1, 1, 17, 33, 64))
STORED = ("f32 kn", "f32 nk", "bf16 kn", "bf16 nk", "f16 kn", "f16 nk", "i8 kn", "i8 nk", "i4 nk")


class Guard:
    """Copies of arrays, each with forbidden pages on both sides and touching one of them."""

    def __init__(self, at_end: bool) -> None:
        self.at_end = at_end
        self.maps: list[mmap.mmap] = []
        self.protect = ctypes.CDLL(None, use_errno=True).mprotect

    def place(self, array: Array) -> Array:
        pages = -(-array.nbytes // PAGE)
        memory = mmap.mmap(-1, (pages + 2) * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.maps.append(memory)
        offset = PAGE + (pages * PAGE - array.nbytes if self.at_end else 0)
        copy = np.frombuffer(memory, array.dtype, array.size, offset).reshape(array.shape)
        copy[...] = array
        base = copy.ctypes.data - offset
        for page in (base, base + (pages + 1) * PAGE):
            done = self.protect(ctypes.c_void_p(page), ctypes.c_size_t(PAGE), ctypes.c_int(0))
            assert done == 0
        return copy


def main() -> None:
    level, library, what = sys.argv[1:4]
    kernels = Kernels(level, ctypes.CDLL(library))
    if what == "beyond":
        copy = Guard(at_end=True).place(np.zeros(4, np.float32))
        ctypes.string_at(copy.ctypes.data, 17)
        return
    count = 0
    for seed, sizes in enumerate(SIZES if what == "products" else ()):
        for stored in STORED:
            storage, layout = stored.split()
            for full in (False, True):
                guard = Guard(sys.argv[4] == "at_end")
                one = product(storage, layout, sizes, seed, full=full).placed(guard.place)
                y = one.run(kernels, 2, guard.place)
                np.testing.assert_allclose(y, one.expected(), 1e-5, 10 * one.tolerance())
                count += 1
    for seed, sizes in enumerate(HEADS if what == "attention" else ()):
        for storage in ("f32", "bf16", "f16"):
            for mask in MASKS:
                guard = Guard(sys.argv[4] == "at_end")
                plain = heads(storage, sizes, mask, bthd=bool(seed % 2), seed=seed)
                arrays = [guard.place(one) for one in (plain.q, plain.k, plain.v)]
                seen = None if plain.mask is None else guard.place(plain.mask)
                one = type(plain)(storage, arrays[0], arrays[1], arrays[2], seen, bthd=plain.bthd)
                y = one.run(kernels, 2, guard.place)
                np.testing.assert_allclose(y, one.expected(), 0, 2e-5)
                count += 1
    print(f"touched nothing outside in {count} calls")


if __name__ == "__main__":
    main()
