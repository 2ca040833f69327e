"""Linnet's dtypes as NumPy's."""

import ml_dtypes
import numpy as np

DTYPES: dict[str, np.dtype[np.generic]] = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def numpy_dtype(name: str) -> np.dtype[np.generic]:
    """Return the NumPy dtype of Linnet's dtype `name`; KeyError for any other word."""
    return DTYPES[name]


def dtype_name(dtype: np.dtype[np.generic]) -> str | None:
    """Return Linnet's name of a NumPy dtype, or None when Linnet has none for it."""
    return _NAMES.get(dtype.newbyteorder("="))
