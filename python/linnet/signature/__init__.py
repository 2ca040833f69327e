"""What crosses the border of a compiled entry: names, paths, dtypes and shapes, as plain data."""

from linnet.signature._dtypes import dtype_name, numpy_dtype
from linnet.signature._json import signature_from_json, signature_to_json
from linnet.signature._signature import Member, Signature, Stored, Value, show

__all__ = [
    "Member",
    "Signature",
    "Stored",
    "Value",
    "dtype_name",
    "numpy_dtype",
    "show",
    "signature_from_json",
    "signature_to_json",
]
