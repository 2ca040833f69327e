"""Linnet's dtypes as NumPy's, which is imported when one is first asked for."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_SAME = {
    "bool": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
}


@cache
def _dtypes() -> "dict[str, np.dtype[np.generic]]":
    import ml_dtypes
    import numpy as np

    return {name: np.dtype(of) for name, of in {**_SAME, "bf16": ml_dtypes.bfloat16}.items()}


@cache
def _names() -> "dict[np.dtype[np.generic], str]":
    return {dtype: name for name, dtype in _dtypes().items()}


def numpy_dtype(name: str) -> "np.dtype[np.generic]":
    """Return the NumPy dtype of Linnet's dtype `name`; KeyError for any other word."""
    return _dtypes()[name]


def dtype_name(dtype: "np.dtype[np.generic]") -> str | None:
    """Return Linnet's name of a NumPy dtype, or None when Linnet has none for it."""
    return _names().get(dtype.newbyteorder("="))
