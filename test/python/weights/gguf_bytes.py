"""GGUF files byte by byte, sound or not: the writers here check nothing."""

import struct
from typing import Any

import numpy as np

U32, I32, F32, BOOL, STRING, ARRAY, U64 = 4, 5, 6, 7, 8, 9, 10
_CODES = {U32: "<I", I32: "<i", F32: "<f", BOOL: "<B", U64: "<Q"}


def text(value: str | bytes) -> bytes:
    held = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(held)) + held


def number(kind: int, value: Any) -> bytes:
    return text(value) if kind == STRING else struct.pack(_CODES[kind], value)


def pair(key: str | bytes, kind: int, value: Any) -> bytes:
    return text(key) + struct.pack("<I", kind) + number(kind, value)


def listed(key: str, kind: int, values: list[Any]) -> bytes:
    head = text(key) + struct.pack("<IIQ", ARRAY, kind, len(values))
    return head + b"".join(number(kind, value) for value in values)


def info(name: str | bytes, extents: list[int], kind: int, offset: int) -> bytes:
    """A tensor's entry; extents innermost first, as in the file."""
    sizes = struct.pack(f"<I{len(extents)}Q", len(extents), *extents)
    return text(name) + sizes + struct.pack("<IQ", kind, offset)


def whole(
    pairs: list[bytes],
    infos: list[bytes],
    data: bytes = b"",
    *,
    version: int = 3,
    counts: tuple[int, int] | None = None,
    alignment: int = 32,
) -> bytes:
    tensors, held = counts or (len(infos), len(pairs))
    head = b"GGUF" + struct.pack("<IQQ", version, tensors, held) + b"".join([*pairs, *infos])
    return head + b"\0" * (-len(head) % alignment) + data


def floats(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype("<f4")


def small() -> bytes:
    """A sound file with a pair of each form and two tensors."""
    pairs = [
        pair("general.architecture", STRING, "llama"),
        pair("llama.eps", F32, 1e-5),
        pair("llama.block_count", U32, 2),
        pair("flag", BOOL, 1),
        listed("tokens", STRING, ["a", "", "ü"]),
        listed("scores", F32, [0.1, -2.0]),
    ]
    first, second = floats((3, 4)), floats((8,), 1)
    infos = [info("a.weight", [4, 3], 0, 0), info("b.weight", [8], 0, 64)]
    data = first.tobytes().ljust(64, b"\0") + second.tobytes()
    return whole(pairs, infos, data)
