"""What crosses the border of a compiled entry: names, paths, dtypes and shapes, as plain data."""

from linnet.signature._dtypes import dtype_name, numpy_dtype
from linnet.signature._json import signature_from_json, signature_to_json
from linnet.signature._signature import Member, Role, Signature, Stored, Value, show
from linnet.signature._sizes import (
    Shape,
    Size,
    at_sizes,
    bounds_of,
    check_sizes,
    evaluate_size,
    fixed_shape,
    holds,
    names_of,
    parse_size,
    shape_at,
    solve_sizes,
    undecided,
)

__all__ = [
    "Member",
    "Role",
    "Shape",
    "Signature",
    "Size",
    "Stored",
    "Value",
    "at_sizes",
    "bounds_of",
    "check_sizes",
    "dtype_name",
    "evaluate_size",
    "fixed_shape",
    "holds",
    "names_of",
    "numpy_dtype",
    "parse_size",
    "shape_at",
    "show",
    "signature_from_json",
    "signature_to_json",
    "solve_sizes",
    "undecided",
]
