"""Maps a safetensors file: the header is checked, the tensors stay where they lie.

The format: 8 bytes little-endian length, a JSON object of that length (name -> dtype, shape,
data_offsets), then the data. https://huggingface.co/docs/safetensors
"""

import json
import math
import mmap
import struct
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from linnet.errors import WeightsError
from linnet.signature import numpy_dtype

# The names of a file, and Linnet's.
DTYPES = {
    "BOOL": "bool",
    "I8": "i8",
    "I16": "i16",
    "I32": "i32",
    "I64": "i64",
    "U8": "u8",
    "U16": "u16",
    "U32": "u32",
    "U64": "u64",
    "F16": "f16",
    "BF16": "bf16",
    "F32": "f32",
    "F64": "f64",
}
_MAX_HEADER = 100_000_000
_REMEDY = "download or write the file again"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a file or a mapping. `dtype` is Linnet's name, or the file's own if it has none.

    `array` is None exactly when Linnet has no such dtype.
    """

    dtype: str
    shape: tuple[int, ...]
    array: NDArray[np.generic] | None


class Mapped(mmap.mmap):
    """A mapping that knows its file, which stays open, and where it lies."""

    file: BinaryIO
    address: int

    def __del__(self) -> None:
        # Left to itself it would be closed with a warning.
        self.file.close()


def _mapping_of(array: NDArray[np.generic]) -> Mapped | None:
    base: Any = array
    while isinstance(base, np.ndarray):
        base = cast(Any, base).base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, Mapped) and array.flags.c_contiguous else None


def place_in_file(array: NDArray[np.generic]) -> tuple[BinaryIO, int] | None:
    """Return the file that an array's bytes can be read from, and where they start there.

    None for an array that is no view of a mapped file, or whose elements are not in C order.
    """
    mapped = _mapping_of(array)
    return None if mapped is None else (mapped.file, array.ctypes.data - mapped.address)


def forget(array: NDArray[np.generic]) -> None:
    """Give back the memory in which a tensor of a mapped file was read; it can be read again."""
    mapped = _mapping_of(array)
    if mapped is not None and array.nbytes and hasattr(mapped, "madvise"):
        start = array.ctypes.data - mapped.address
        first = start // mmap.PAGESIZE * mmap.PAGESIZE
        mapped.madvise(mmap.MADV_DONTNEED, first, start + array.nbytes - first)


def map_file(path: Path, least: int) -> Mapped:
    """Map a file of at least so many bytes to read it; WeightsError says why that cannot be."""
    try:
        with ExitStack() as stack:
            file = stack.enter_context(open(path, "rb"))
            size = file.seek(0, 2)
            if size < least:
                raise WeightsError(f"{path} is truncated: {size} bytes", _REMEDY)
            mapped = Mapped(file.fileno(), 0, access=mmap.ACCESS_READ)
            mapped.file = file
            stack.pop_all()  # Closed when the last view of the mapping is gone.
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise WeightsError(f"cannot read weights {path}: {reason}", "check the path") from None
    mapped.address = np.frombuffer(mapped, np.uint8).ctypes.data
    return mapped


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors by name, as read-only views of the mapped file.

    WeightsError for a file that cannot be read, is truncated, or has a malformed header.
    """
    mapped = map_file(path, 8)
    size = len(mapped)
    start = header_size(str(path), mapped[:8], size)
    data = np.frombuffer(mapped, np.uint8, offset=start)
    return _tensors(str(path), mapped[8:start], size - start, data)


def header_size(name: str, first: bytes, size: int) -> int:
    """Return where the data of a file starts, by its first 8 bytes and the size of the whole.

    WeightsError, with the file under `name`, for what begins no safetensors file of that size.
    """
    if len(first) < 8:
        raise WeightsError(f"{name} is truncated: {size} bytes", _REMEDY)
    (length,) = struct.unpack("<Q", first[:8])
    if length > _MAX_HEADER:
        raise WeightsError(f"{name} is no safetensors file: its header is not one", _REMEDY)
    if 8 + length > size:
        raise WeightsError(
            f"{name} is truncated: the header has {length} bytes, the file {size}", _REMEDY
        )
    return 8 + length


def read_header(name: str, head: bytes, size: int) -> dict[str, Tensor]:
    """Return the tensors that a file of `size` bytes has by its beginning alone.

    `head` reaches to where the data starts. The arrays are zeros that take no memory.
    """
    start = header_size(name, head[:8], size)
    return _tensors(name, head[8:start], size - start, None)


def _tensors(
    path: str, text: bytes, size: int, data: NDArray[np.uint8] | None
) -> dict[str, Tensor]:
    header = _header(path, text)
    header.pop("__metadata__", None)
    tensors = {name: _tensor(path, name, entry, size, data) for name, entry in header.items()}
    _refuse_overlap(path, header)
    return tensors


def _refuse_overlap(path: str, header: dict[str, Any]) -> None:
    """No byte belongs to two tensors; what does is not what was written."""
    before, last = "", 0
    for start, end, name in sorted((*fields["data_offsets"], n) for n, fields in header.items()):
        if start == end:
            continue
        if start < last:
            raise WeightsError(
                f"{path} has a malformed header: tensors `{before}` and `{name}` overlap", _REMEDY
            )
        before, last = name, max(last, end)


def _header(path: str, text: bytes) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen = dict(pairs)
        if len(seen) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise WeightsError(f"{path} has a malformed header: `{twice}` stands twice", _REMEDY)
        return seen

    try:
        header: object = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise WeightsError(f"{path} has a malformed header: no JSON", _REMEDY) from None
    if not isinstance(header, dict):
        raise WeightsError(f"{path} has a malformed header: no JSON object", _REMEDY)
    return cast(dict[str, Any], header)


def _is_sizes(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(size, int) and not isinstance(size, bool) and size >= 0
        for size in cast(list[object], value)
    )


def _tensor(
    path: str, name: str, entry: object, size: int, data: NDArray[np.uint8] | None
) -> Tensor:
    def malformed(what: str) -> WeightsError:
        return WeightsError(f"{path} has a malformed header: tensor `{name}` {what}", _REMEDY)

    if not isinstance(entry, dict):
        raise malformed("is no object")
    fields = cast(dict[str, Any], entry)
    dtype, shape, offsets = (fields.get(key) for key in ("dtype", "shape", "data_offsets"))
    if not isinstance(dtype, str):
        raise malformed("has no dtype")
    if not _is_sizes(shape):
        raise malformed("has no shape")
    if not _is_sizes(offsets) or len(cast(list[int], offsets)) != 2:
        raise malformed("has no data_offsets")
    sizes = tuple(cast(list[int], shape))
    start, end = cast(list[int], offsets)
    if start > end:
        raise malformed("ends before it starts")
    if end > size:
        raise WeightsError(
            f"{path} is truncated: tensor `{name}` ends at byte {end} of {size}", _REMEDY
        )
    known = DTYPES.get(dtype)
    if known is None:
        return Tensor(dtype, sizes, None)
    numpy = numpy_dtype(known)
    if end - start != math.prod(sizes) * numpy.itemsize:
        raise malformed(f"has {end - start} bytes, not those of its shape and dtype")
    if data is None:
        try:
            return Tensor(known, sizes, np.broadcast_to(np.zeros((), numpy), sizes))
        except (ValueError, OverflowError):
            raise malformed("has a shape that no array can have") from None
    raw = data[start:end]
    if known == "bool" and raw.size and raw.max() > 1:
        raise malformed("has a byte that is neither true nor false")
    try:
        array = raw.view(numpy).reshape(sizes)
    except (ValueError, OverflowError):
        raise malformed("has a shape that no array can have") from None
    return Tensor(known, sizes, array)
