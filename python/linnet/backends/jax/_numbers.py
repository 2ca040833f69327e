"""Dtypes and literals as JAX writes them."""

from collections.abc import Mapping

_NAMES: Mapping[str, str] = {
    "bool": "bool_",
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


def jax_dtype(dtype: str) -> str:
    """`jnp.float32` for `f32`."""
    return f"jnp.{_NAMES[dtype]}"


def is_float(dtype: str) -> bool:
    """Whether a dtype is one of `f16 bf16 f32 f64`."""
    return dtype in ("f16", "bf16", "f32", "f64")
