"""Dtypes and literals as PyTorch writes them."""

from collections.abc import Mapping

from linnet.outline import literal_text as outline_text

_NAMES: Mapping[str, str] = {
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
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
}
# PyTorch stores these and computes little in them; the dtype that arithmetic goes through, which
# wraps as they do once it is narrowed again.
WIDE: Mapping[str, str] = {"u16": "torch.int32", "u32": "torch.int64", "u64": "torch.int64"}


def torch_name(dtype: str) -> str:
    """`float32` for `f32`."""
    return _NAMES[dtype]


def torch_dtype(dtype: str) -> str:
    """`torch.float32` for `f32`."""
    return f"torch.{_NAMES[dtype]}"


def is_float(dtype: str) -> bool:
    """Whether a dtype is one of `f16 bf16 f32 f64`."""
    return dtype in ("f16", "bf16", "f32", "f64")


def literal_text(literal: bool | int | float, dtype: str) -> str:
    """The number that a literal is in a dtype [TYP-13]; PyTorch takes a `u64` by its bits."""
    text = outline_text(literal, dtype)
    if dtype == "u64" and int(text) >= 1 << 63:
        return str(int(text) - (1 << 64))
    return text


__all__ = ["WIDE", "is_float", "literal_text", "torch_dtype", "torch_name"]
