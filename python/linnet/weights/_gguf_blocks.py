"""Tensors of GGUF files that are stored in blocks: as f32, and in the group form of `std.quant`.

A row of such a tensor is a run of blocks, each with its numbers in few bits and what makes them
floating again: a scale `d`, perhaps a least value `m`, both f16. The types `*_K` have a second
level: blocks of 256 whose parts of 16 or 32 have scales of a few bits, in units of `d`. Little
endian throughout. Written from the description of the formats in the public documentation of ggml;
tested against the package `gguf`.

| Type | A block of | bytes | A number is |
| --- | --- | --- | --- |
| Q4_0 | 32 | 18 | `(q - 8) d` |
| Q4_1 | 32 | 20 | `q d + m` |
| Q5_0 | 32 | 22 | `(q - 16) d` |
| Q5_1 | 32 | 24 | `q d + m` |
| Q8_0 | 32 | 34 | `q d` |
| Q4_K, Q5_K | 256 | 144, 176 | `q (d s) - (dmin m)`, `s` and `m` of 6 bits for each 32 |
| Q6_K | 256 | 210 | `(q - 32) (d s)`, `s` of 8 bits for each 16 |
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from linnet.errors import CapabilityError, WeightsError

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Blocks made floating at a time, so that what is needed besides the result stays small.
_PIECE = 1 << 13


@dataclass(frozen=True, slots=True)
class BlockForm:
    """A type of GGUF tensors: how many numbers a block holds, and in how many bytes."""

    numbers: int
    bytes: int
    floats: Callable[[Bytes], Floats]


@dataclass(frozen=True, slots=True)
class Groups:
    """A matrix [rows, columns] in groups of `group` columns of a row.

    With `zero`, as `Int4GroupLinear` of `std.quant` has it: `values` u8 [rows, columns / group,
    group / 2], the low half of byte `k` is number `2k` of the group, the high half `2k + 1`;
    `scale` and `zero` f32 [rows, columns / group]; a number is `(q - zero) * scale`.

    Without: `values` i8 [rows, columns], and a number is `q * scale`.
    """

    values: NDArray[np.generic]
    scale: Floats
    zero: Floats | None
    group: int


def dequantise_blocks(name: str, kind: str, data: Bytes, shape: Sequence[int]) -> Floats:
    """Return the tensor `name` of GGUF type `kind` (`Q4_K`, ...) as f32 of a shape.

    `data` are the tensor's bytes, of any shape; `shape` is as NumPy has it (GGUF lists the
    innermost extent first). CapabilityError for a type that is not in `GGUF_BLOCKS`; WeightsError
    where the bytes or the innermost extent do not fit.
    """
    form = _form(name, kind)
    blocks = _blocks(name, kind, form, data, shape)
    wide = np.empty((len(blocks), form.numbers), np.float32)
    for start in range(0, len(blocks), _PIECE):
        piece = slice(start, start + _PIECE)
        wide[piece] = form.floats(blocks[piece])
    return wide.reshape(shape)


def block_groups(name: str, kind: str, data: Bytes, shape: Sequence[int]) -> Groups | None:
    """Return a matrix of type Q4_0, Q4_1 or Q8_0 in the group form, None for other types.

    The integers are those of the file. Q4_0 and Q8_0 stand for the same numbers exactly. Of Q4_1
    the zero is `-m / d`, rounded to f32, so that a number is off by 2^-22 of `|m|` at most.
    Raises as `dequantise_blocks` does, and WeightsError for what is no matrix.
    """
    if kind not in ("Q4_0", "Q4_1", "Q8_0"):
        return None
    form = GGUF_BLOCKS[kind]
    if len(shape) != 2:
        raise WeightsError(
            f"tensor `{name}` has {len(shape)} axes, and only matrices are held in groups",
            "make it floating",
        )
    blocks = _blocks(name, kind, form, data, shape)
    rows, groups = shape[0], shape[1] // form.numbers
    scale = _f16(blocks, 0).reshape(rows, groups)
    if kind == "Q8_0":
        return Groups(blocks[:, 2:].view(np.int8).reshape(shape), scale, None, form.numbers)
    if kind == "Q4_0":
        packed, zero = _adjacent(blocks[:, 2:]), np.full_like(scale, 8)
    else:
        packed, least = _adjacent(blocks[:, 4:]), _f16(blocks, 2).reshape(rows, groups)
        # Blocks of one number: their integers say nothing, and (0 - -1) * m is m.
        flat = scale == 0
        packed[flat.reshape(-1)] = 0
        zero = np.where(flat, np.float32(-1), -least / np.where(flat, np.float32(1), scale))
        scale = np.where(flat, least, scale)
    return Groups(packed.reshape(rows, groups, form.numbers // 2), scale, zero, form.numbers)


def _form(name: str, kind: str) -> BlockForm:
    form = GGUF_BLOCKS.get(kind)
    if form is None:
        raise CapabilityError(
            f"tensor `{name}` has the GGUF type {kind}, which is not read",
            f"there are {', '.join(GGUF_BLOCKS)}, and the floating types",
        )
    return form


def _blocks(name: str, kind: str, form: BlockForm, data: Bytes, shape: Sequence[int]) -> Bytes:
    """Return the bytes as [blocks, bytes of one]."""
    columns = shape[-1] if shape else 1
    if columns % form.numbers:
        raise WeightsError(
            f"tensor `{name}` has rows of {columns}, but {kind} holds {form.numbers} in a block",
            "the file is damaged, or was not written as GGUF asks",
        )
    wanted = prod(shape) // form.numbers * form.bytes
    found = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
    if found.size != wanted:
        raise WeightsError(
            f"tensor `{name}` has {found.size} bytes, but {tuple(shape)} as {kind} takes {wanted}",
            "the file is damaged, or was not written as GGUF asks",
        )
    return found.reshape(-1, form.bytes)


def _f16(blocks: Bytes, at: int) -> Floats:
    """Return the f16 at a byte of each block, as f32 [blocks, 1]."""
    return np.ascontiguousarray(blocks[:, at : at + 2]).view("<f2").astype(np.float32)


def _halves(packed: Bytes) -> Bytes:
    """Return the halves of the last axis: all low ones, then all high ones."""
    low = np.bitwise_and(packed, 15, dtype=np.uint8)
    return np.concatenate([low, np.right_shift(packed, 4, dtype=np.uint8)], -1)


def _adjacent(packed: Bytes) -> Bytes:
    """Return [blocks, 16] bytes with numbers 2k and 2k + 1 together, of such with k and k + 16."""
    numbers = _halves(packed)
    return numbers[:, 0::2] | np.left_shift(numbers[:, 1::2], 4, dtype=np.uint8)


def _bits(packed: Bytes) -> Bytes:
    """Return bit `i` of byte `k` of the last axis at `8 k + i`."""
    return np.unpackbits(np.ascontiguousarray(packed), axis=-1, bitorder="little")


def _q4_0(blocks: Bytes) -> Floats:
    return (_halves(blocks[:, 2:]).astype(np.float32) - 8) * _f16(blocks, 0)


def _q4_1(blocks: Bytes) -> Floats:
    return _f16(blocks, 0) * _halves(blocks[:, 4:]) + _f16(blocks, 2)


def _q5_0(blocks: Bytes) -> Floats:
    numbers = _halves(blocks[:, 6:]) | _bits(blocks[:, 2:6]) << 4
    return (numbers.astype(np.float32) - 16) * _f16(blocks, 0)


def _q5_1(blocks: Bytes) -> Floats:
    numbers = _halves(blocks[:, 8:]) | _bits(blocks[:, 4:8]) << 4
    return _f16(blocks, 0) * numbers + _f16(blocks, 2)


def _q8_0(blocks: Bytes) -> Floats:
    return _f16(blocks, 0) * blocks[:, 2:].view(np.int8)


def _six_bits(blocks: Bytes) -> tuple[Floats, Floats]:
    """Return the scales and least values of the eight parts, [blocks, 8, 1] each, with `d` in.

    The low six bits of the twelve bytes are those of parts 0..3, scales and then least values;
    parts 4..7 have their low halves in the last four bytes and two bits above the others.
    """
    packed = blocks[:, 4:16].reshape(-1, 3, 4)
    first, second, third = packed[:, 0], packed[:, 1], packed[:, 2]
    scale = np.concatenate([first & 63, third & 15 | first >> 6 << 4], -1)
    least = np.concatenate([second & 63, third >> 4 | second >> 6 << 4], -1)
    return (scale * _f16(blocks, 0))[..., None], (least * _f16(blocks, 2))[..., None]


def _q4_k(blocks: Bytes) -> Floats:
    scale, least = _six_bits(blocks)
    numbers = _halves(blocks[:, 16:].reshape(-1, 4, 32)).reshape(-1, 8, 32)
    return (numbers * scale - least).reshape(-1, 256)


def _q5_k(blocks: Bytes) -> Floats:
    scale, least = _six_bits(blocks)
    low = _halves(blocks[:, 48:].reshape(-1, 4, 32)).reshape(-1, 8, 32)
    # Bit `i` of byte `k` belongs to number `k` of part `i`.
    high = _bits(blocks[:, 16:48]).reshape(-1, 32, 8).transpose(0, 2, 1)
    return ((low | high << 4) * scale - least).reshape(-1, 256)


def _q6_k(blocks: Bytes) -> Floats:
    low = _halves(blocks[:, :128].reshape(-1, 2, 64)).reshape(-1, 2, 4, 32)
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32)
    pairs = high >> np.array([0, 2, 4, 6], np.uint8)[:, None] & 3
    numbers: Floats = (low | pairs << 4).astype(np.float32) - np.float32(32)
    scale: Floats = _f16(blocks, 208) * blocks[:, 192:208].view(np.int8)
    return (scale[..., None] * numbers.reshape(-1, 16, 16)).reshape(-1, 256)


# By the names that GGUF gives its types.
GGUF_BLOCKS: Mapping[str, BlockForm] = {
    "Q4_0": BlockForm(32, 18, _q4_0),
    "Q4_1": BlockForm(32, 20, _q4_1),
    "Q5_0": BlockForm(32, 22, _q5_0),
    "Q5_1": BlockForm(32, 24, _q5_1),
    "Q8_0": BlockForm(32, 34, _q8_0),
    "Q4_K": BlockForm(256, 144, _q4_k),
    "Q5_K": BlockForm(256, 176, _q5_k),
    "Q6_K": BlockForm(256, 210, _q6_k),
}
