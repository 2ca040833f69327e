"""Writes a safetensors file, tensor by tensor, and its hash on the way.

https://huggingface.co/docs/safetensors
"""

import hashlib
import json
import os
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linnet.errors import InternalError
from linnet.signature import dtype_name

_NAMES: Final = {"f64": "F64", "f32": "F32", "f16": "F16", "bf16": "BF16"}
_PIECE: Final = 16 << 20  # Bytes.


def write_safetensors(
    path: Path,
    tensors: Mapping[str, NDArray[Any]],
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Write the tensors by name and return the file's sha256. The folder is the caller's own."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, array in tensors.items():
        dtype = _NAMES.get(dtype_name(array.dtype) or "")
        if dtype is None:
            raise InternalError(f"`{name}` is {array.dtype}")
        header[name] = {
            "dtype": dtype,
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    digest = hashlib.sha256()
    done = 0
    with open(path, "wb") as out:

        def put(part: bytes | memoryview) -> None:
            out.write(part)
            digest.update(part)

        put(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
            for start in range(0, len(data), _PIECE):
                put(data[start : start + _PIECE])
                done += len(data[start : start + _PIECE])
                if progress is not None:
                    progress(done, at)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()
