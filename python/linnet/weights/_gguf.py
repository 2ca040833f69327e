"""Maps a GGUF file: the header is scanned with every length checked, the tensors stay in the file.

The format, little-endian: magic, version (2 or 3), counts of tensors and of key-value pairs; the
pairs; of each tensor its name, extents (innermost first), type and place; then, from the next
multiple of the alignment, the data. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

Nothing of a file is believed: a count or a length is compared with the bytes that are left before
it is used, so a scan takes time by the size of the file and little memory. Arrays of a pair are
walked over, and made only when they are asked for.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from linnet.errors import CapabilityError, WeightsError
from linnet.weights._gguf_blocks import GGUF_BLOCKS, dequantise_blocks
from linnet.weights._safetensors import Mapped, map_file

GgufValue = bool | int | float | str | list[Any]

_REMEDY: Final = "download or write the file again"
_MAGIC: Final = b"GGUF"
_HEADER: Final = 24  # Bytes: magic, version, two counts.
_MOST: Final = 1 << 16  # Pairs, and tensors; the largest models have a few thousand.
_LONGEST_KEY: Final = 256  # Bytes; 65535 are allowed, real ones have some dozens.
_LONGEST_NAME: Final = 64
_MOST_AXES: Final = 4
_ALIGNMENT: Final = "general.alignment"
_DEFAULT_ALIGNMENT: Final = 32
_LARGEST_ALIGNMENT: Final = 1 << 16

# Types of values by number: NumPy's, or what has a length of its own.
_STRING: Final = 8
_ARRAY: Final = 9
_NUMBERS: Final[Mapping[int, str]] = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    7: "|b1",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
_FLOATS: Final[Mapping[str, np.dtype[Any]]] = {
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "F64": np.dtype("<f8"),
    "BF16": np.dtype(ml_dtypes.bfloat16),
}
# Types of tensors by number; those without a reader are refused by their names.
_TYPES: Final[Mapping[int, str]] = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    6: "Q5_0",
    7: "Q5_1",
    8: "Q8_0",
    9: "Q8_1",
    10: "Q2_K",
    11: "Q3_K",
    12: "Q4_K",
    13: "Q5_K",
    14: "Q6_K",
    15: "Q8_K",
    16: "IQ2_XXS",
    17: "IQ2_XS",
    18: "IQ3_XXS",
    19: "IQ1_S",
    20: "IQ4_NL",
    21: "IQ3_S",
    22: "IQ2_S",
    23: "IQ4_XS",
    24: "I8",
    25: "I16",
    26: "I32",
    27: "I64",
    28: "F64",
    29: "IQ1_M",
    30: "BF16",
    34: "TQ1_0",
    35: "TQ2_0",
    39: "MXFP4",
}


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """A tensor of a file: its GGUF type, its shape as NumPy has it, and its bytes, mapped."""

    name: str
    kind: str
    shape: tuple[int, ...]
    data: NDArray[np.uint8]

    @property
    def is_floating(self) -> bool:
        """Whether the file holds the numbers themselves, not blocks."""
        return self.kind in _FLOATS

    def floats(self) -> NDArray[Any]:
        """Return the numbers: a view of the file in its own dtype, or f32 made of the blocks."""
        if self.is_floating:
            return self.data.view(_FLOATS[self.kind]).reshape(self.shape)
        return dequantise_blocks(self.name, self.kind, self.data, self.shape)


@dataclass(frozen=True, slots=True)
class _Place:
    """A value that is in bounds: where it starts, and how many there are if it is an array."""

    kind: int
    start: int
    count: int | None = None


class Gguf:
    """A scanned file: `tensors` by name, and the values of its pairs, decoded when asked for."""

    def __init__(
        self,
        path: Path,
        version: int,
        data: Mapped,
        places: Mapping[str, _Place],
        tensors: Mapping[str, GgufTensor],
    ) -> None:
        self.path = path
        self.version = version
        self.tensors = tensors
        self._data = data
        self._places = places

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        """The keys, in the order of the file."""
        return iter(self._places)

    def is_array(self, key: str) -> bool:
        """Whether a key that is there has an array."""
        return self._places[key].count is not None

    def get(self, key: str) -> GgufValue | None:
        """Return the value of a key, None where there is none.

        An f32 is the shortest decimal that stands for it: 1e-05, not 9.999999747378752e-06.
        WeightsError for text that is no UTF-8.
        """
        place = self._places.get(key)
        if place is None:
            return None
        if place.kind == _STRING:
            texts = self._texts(key, place.start, 1 if place.count is None else place.count)
            return texts[0] if place.count is None else texts
        count = 1 if place.count is None else place.count
        found = np.frombuffer(self._data, _NUMBERS[place.kind], count, place.start)
        if place.kind == 6:
            values: list[Any] = [float(str(value)) for value in found]
        else:
            values = found.tolist()
        return values[0] if place.count is None else values

    def _texts(self, key: str, at: int, count: int) -> list[str]:
        found: list[str] = []
        for _ in range(count):
            (length,) = struct.unpack_from("<Q", self._data, at)
            at += 8 + length
            try:
                found.append(self._data[at - length : at].decode())
            except UnicodeDecodeError:
                raise WeightsError(f"{self.path} has no UTF-8 text at `{key}`", _REMEDY) from None
        return found


def read_gguf(path: Path) -> Gguf:
    """Return a file's pairs and tensors, of which only the header was read.

    WeightsError for a file that cannot be read, is cut, or whose header is not sound;
    CapabilityError for a version or a type of tensors that is not read.
    """
    mapped = map_file(path, len(_MAGIC))
    if mapped[:4] != _MAGIC:
        raise WeightsError(f"{path} is no GGUF file: it does not begin with `GGUF`", _REMEDY)
    return _Scan(path, mapped).run()


class _Scan:
    """A place in the header of a file, and the only ways to move it: forwards, within the file."""

    def __init__(self, path: Path, data: Mapped) -> None:
        self.path = path
        self.data = data
        self.size = len(data)
        self.at = len(_MAGIC)

    def malformed(self, what: str) -> WeightsError:
        return WeightsError(f"{self.path} has a malformed header: {what}", _REMEDY)

    def take(self, count: int, what: str) -> int:
        """Return where the next bytes start, and step over them."""
        if count > self.size - self.at:
            raise WeightsError(
                f"{self.path} is truncated: {what} takes {count} bytes from byte {self.at}, "
                f"the file has {self.size}",
                _REMEDY,
            )
        start = self.at
        self.at += count
        return start

    def u32(self, what: str) -> int:
        return struct.unpack_from("<I", self.data, self.take(4, what))[0]

    def u64(self, what: str) -> int:
        return struct.unpack_from("<Q", self.data, self.take(8, what))[0]

    def text(self, what: str, longest: int) -> str:
        length = self.u64(f"the length of {what}")
        if not 0 < length <= longest:
            raise self.malformed(f"{what} has {length} bytes, not 1 to {longest}")
        start = self.take(length, what)
        try:
            found = self.data[start : start + length].decode()
        except UnicodeDecodeError:
            raise self.malformed(f"{what} is no UTF-8 text") from None
        if not found.isprintable():
            raise self.malformed(f"{what} has characters that are not printable")
        return found

    def run(self) -> Gguf:
        version = self.u32("the version")
        if version not in (2, 3):
            turned = version and not version & 0xFFFF
            raise CapabilityError(
                f"{self.path} is a big-endian GGUF file, which is not read"
                if turned
                else f"{self.path} has GGUF version {version}, which is not read",
                "versions 2 and 3, little-endian, are",
            )
        tensors, pairs = self.u64("the count of tensors"), self.u64("the count of pairs")
        # The least that each takes: a length, a byte of text, a type, and what follows it.
        for count, what, least in ((tensors, "tensors", 25), (pairs, "pairs", 14)):
            if count > _MOST or count * least > self.size - _HEADER:
                most = min(_MOST, (self.size - _HEADER) // least)
                raise self.malformed(
                    f"{count} {what}, in a file of {self.size} bytes that has {most} at most"
                )
        places: dict[str, _Place] = {}
        for _ in range(pairs):
            key = self.text("a key", _LONGEST_KEY)
            if key in places:
                raise self.malformed(f"`{key}` stands twice")
            places[key] = self.value(key)
        alignment = self.alignment(places.get(_ALIGNMENT))
        found = [self.tensor() for _ in range(tensors)]
        start = -(-self.at // alignment) * alignment
        views = self.views(found, start, alignment)
        return Gguf(self.path, version, self.data, places, views)

    def value(self, key: str) -> _Place:
        kind = self.u32(f"the type of `{key}`")
        if kind == _ARRAY:
            kind = self.u32(f"the type of `{key}`")
            count = self.u64(f"the count of `{key}`")
            if kind == _ARRAY:
                raise self.malformed(f"`{key}` is an array of arrays, which no known key is")
            return _Place(kind, self.elements(key, kind, count), count)
        return _Place(kind, self.elements(key, kind, 1))

    def elements(self, key: str, kind: int, count: int) -> int:
        """Step over values of a type and return where they start."""
        start = self.at
        if kind == _STRING:
            if count > (self.size - start) // 8:
                raise self.malformed(f"`{key}` has {count} texts, more than the file has room for")
            for _ in range(count):
                self.take(self.u64(f"`{key}`"), f"`{key}`")
            return start
        if kind not in _NUMBERS:
            raise self.malformed(f"`{key}` has a value of type {kind}, which there is not")
        size = np.dtype(_NUMBERS[kind]).itemsize * count
        start = self.take(size, f"`{key}`")
        if _NUMBERS[kind] == "|b1":
            held = np.frombuffer(self.data, np.uint8, count, start)
            if held.size and held.max() > 1:
                raise self.malformed(f"`{key}` has a byte that is neither true nor false")
        return start

    def alignment(self, place: _Place | None) -> int:
        if place is None:
            return _DEFAULT_ALIGNMENT
        if place.count is not None or _NUMBERS.get(place.kind) != "<u4":
            raise self.malformed(f"`{_ALIGNMENT}` is no number of type u32")
        (found,) = struct.unpack_from("<I", self.data, place.start)
        if not 8 <= found <= _LARGEST_ALIGNMENT or found & (found - 1):
            raise self.malformed(
                f"`{_ALIGNMENT}` is {found}, not a power of two from 8 to {_LARGEST_ALIGNMENT}"
            )
        return found

    def tensor(self) -> tuple[str, str, tuple[int, ...], int, int]:
        """Return name, type, shape, bytes and offset of the next tensor."""
        name = self.text("the name of a tensor", _LONGEST_NAME)
        what = f"tensor `{name}`"
        axes = self.u32(what)
        if axes > _MOST_AXES:
            raise self.malformed(f"{what} has {axes} axes, {_MOST_AXES} at most are allowed")
        shape = tuple(reversed([self.u64(what) for _ in range(axes)]))
        number = self.u32(what)
        offset = self.u64(what)
        kind = _TYPES.get(number)
        if kind is None:
            raise self.malformed(f"{what} has type {number}, which is not known")
        if kind in _FLOATS:
            numbers, size = 1, _FLOATS[kind].itemsize
        elif kind in GGUF_BLOCKS:
            numbers, size = GGUF_BLOCKS[kind].numbers, GGUF_BLOCKS[kind].bytes
        else:
            raise CapabilityError(
                f"{what} of {self.path} has the GGUF type {kind}, which is not read",
                f"there are {', '.join((*_FLOATS, *GGUF_BLOCKS))}",
            )
        if 0 in shape:
            raise self.malformed(f"{what} has an extent of 0")
        if shape and shape[-1] % numbers:
            raise self.malformed(f"{what} has rows of {shape[-1]}, {kind} has blocks of {numbers}")
        count = prod(shape)
        if count >= 1 << 63 or count % numbers:
            raise self.malformed(f"{what} has a shape that no array of {kind} can have")
        return name, kind, shape, count // numbers * size, offset

    def views(
        self, found: list[tuple[str, str, tuple[int, ...], int, int]], start: int, alignment: int
    ) -> dict[str, GgufTensor]:
        views: dict[str, GgufTensor] = {}
        for name, kind, shape, size, offset in found:
            if name in views:
                raise self.malformed(f"tensor `{name}` stands twice")
            if offset % alignment:
                raise self.malformed(
                    f"tensor `{name}` starts at {offset}, no multiple of {alignment}"
                )
            if start + offset + size > self.size:
                raise WeightsError(
                    f"{self.path} is truncated: tensor `{name}` ends at byte "
                    f"{start + offset + size}, the file has {self.size}",
                    _REMEDY,
                )
            data = np.frombuffer(self.data, np.uint8, size, start + offset)
            views[name] = GgufTensor(name, kind, shape, data)
        before, last = "", 0
        for offset, size, name in sorted((o, s, n) for n, _, _, s, o in found):
            if offset < last:
                raise self.malformed(f"tensors `{before}` and `{name}` overlap")
            before, last = name, offset + size
        return views
