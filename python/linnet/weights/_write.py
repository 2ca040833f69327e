"""Writes a safetensors file, tensor by tensor, and its hash on the way.

https://huggingface.co/docs/safetensors
"""

import hashlib
import json
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linnet.errors import InternalError
from linnet.signature import dtype_name, numpy_dtype

_NAMES: Final = {"f64": "F64", "f32": "F32", "f16": "F16", "bf16": "BF16"}
_PIECE: Final = 16 << 20  # Bytes.


@dataclass(frozen=True, slots=True)
class Pending:
    """A tensor that is made when its turn to be written comes. `dtype` is Linnet's name."""

    dtype: str
    shape: tuple[int, ...]
    make: Callable[[], NDArray[Any]]


def write_safetensors(
    path: Path,
    tensors: Mapping[str, NDArray[Any] | Pending],
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Write the tensors by name and return the file's sha256. The folder is the caller's own.

    One tensor that is `Pending` is in memory at a time.
    """
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, tensor in tensors.items():
        held = tensor.dtype if isinstance(tensor, Pending) else dtype_name(tensor.dtype) or ""
        dtype = _NAMES.get(held)
        if dtype is None:
            raise InternalError(f"`{name}` is {tensor.dtype}")
        size = prod(tensor.shape) * numpy_dtype(held).itemsize
        header[name] = {
            "dtype": dtype,
            "shape": list(tensor.shape),
            "data_offsets": [at, at + size],
        }
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    digest = hashlib.sha256()
    done = 0
    with open(path, "wb") as out:

        def put(part: bytes | memoryview) -> None:
            out.write(part)
            digest.update(part)

        put(struct.pack("<Q", len(text)) + text)
        for name, tensor in tensors.items():
            array = tensor.make() if isinstance(tensor, Pending) else tensor
            if array.shape != tensor.shape:
                raise InternalError(f"`{name}` was made {array.shape}, not {tensor.shape}")
            data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
            for start in range(0, len(data), _PIECE):
                put(data[start : start + _PIECE])
                done += len(data[start : start + _PIECE])
                if progress is not None:
                    progress(done, at)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()
