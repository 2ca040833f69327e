"""Writes the tensors of a safetensors file again, some of them narrow, and measures what that cost.

One tensor is in memory at a time, in its narrow form; the file that is read stays mapped. The file
that is written gets its name only when all of it is on the disk.
"""

import json
import os
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import prod, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet._ahead import ALIGNED
from linnet.errors import UsageError, WeightsError
from linnet.signature import numpy_dtype
from linnet.weights._int4 import DEFAULT_GROUP, packed_shape
from linnet.weights._narrow import Narrowed, narrow, part_shapes, widen
from linnet.weights._safetensors import DTYPES, Tensor, forget

Array = NDArray[np.generic]

# Numbers whose error is measured at a time.
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Form:
    """The narrow form of a tensor: `bf16`, `f16`, `int8` with scales along `axis`, or `int4` in
    groups of `group` elements of rows along `axis`."""

    scheme: str
    axis: int = 0
    group: int = DEFAULT_GROUP


@dataclass(frozen=True, slots=True)
class TensorReport:
    """What became of a tensor.

    Errors are of `narrow - original`: the largest, and the root of the mean square over that of
    the original, of all numbers and of the worst row along the scales' axis (the first without
    scales). They are 0 for a tensor that is as it was (`scheme` None), whose `reason` says why.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    scheme: str | None
    axis: int | None
    bytes_before: int
    bytes_after: int
    max_abs_error: float = 0.0
    relative_rms_error: float = 0.0
    worst_row: int | None = None
    worst_row_error: float = 0.0
    reason: str = ""
    group: int | None = None


def quantise(
    tensors: Mapping[str, Tensor],
    forms: Mapping[str, Form],
    reasons: Mapping[str, str],
    output: Path,
    sources: Sequence[Path],
    done: Callable[[int], None] = lambda count: None,
) -> list[TensorReport]:
    """Write `output` with the tensors of `forms` in those forms, and the others as they are.

    The scales of `NAME` are `NAME.scale`, f32, and the zeros of int4 `NAME.zero`: see
    `part_shapes`. `reasons` are for the report. `done` is told the bytes of each tensor that was
    written.

    WeightsError for a tensor of unknown dtype, and for one that holds a NaN or an infinity;
    UsageError where `output` is one of the `sources` or cannot be written: what was there is then
    as it was.
    """
    for source in sources:
        if output.exists() and source.exists() and output.samefile(source):
            raise UsageError(f"{output} is the file that is read", "name another output")
    given = list(tensors)
    askew = partial(_ends_askew, tensors, forms)
    tensors = {name: tensors[name] for name in sorted(tensors, key=askew)}
    header, unknown = _header(tensors, forms)
    if unknown is not None:
        raise WeightsError(
            f"tensor `{unknown}` has dtype {tensors[unknown].dtype}, which cannot be copied",
            "leave it out of the file",
        )
    reports: list[TensorReport] = []

    def parts() -> Iterator[Array]:
        for name, tensor in tensors.items():
            assert tensor.array is not None
            form = forms.get(name)
            if form is None:
                yield tensor.array
                reports.append(_as_it_was(name, tensor, reasons.get(name, "")))
            else:
                narrowed = narrow(name, tensor.array, form.scheme, form.axis, form.group)
                yield narrowed.values
                yield from narrowed.parts.values()
                reports.append(_measure(name, tensor, form, narrowed))
            done(tensor.array.nbytes)
            forget(tensor.array)

    _write(output, header, parts())
    return sorted(reports, key=lambda report: given.index(report.name))


def _ends_askew(tensors: Mapping[str, Tensor], forms: Mapping[str, Form], name: str) -> bool:
    """Whether what is written after a tensor would not lie as it can be used: see `_settle`."""
    tensor, form = tensors[name], forms.get(name)
    if tensor.array is None or form is None:
        return tensor.array is not None and tensor.array.nbytes % ALIGNED > 0
    written = _entries(name, tensor.shape, form)
    return (
        sum(prod(shape) * numpy_dtype(dtype).itemsize for _, dtype, shape in written) % ALIGNED > 0
    )


def _header(
    tensors: Mapping[str, Tensor], forms: Mapping[str, Form]
) -> tuple[dict[str, Any], str | None]:
    """Return the header of the file, and the first tensor that cannot stand in it."""
    names = {linnet: theirs for theirs, linnet in DTYPES.items()}
    header: dict[str, Any] = {"__metadata__": {"written_by": "linnet quantize"}}
    at = 0
    for name, tensor in tensors.items():
        if tensor.array is None:
            return header, name
        form = forms.get(name)
        entries = [(name, tensor.dtype, tensor.shape)]
        if form is not None:
            entries = _entries(name, tensor.shape, form)
        for key, dtype, shape in entries:
            if key in header or (key != name and key in tensors):
                raise WeightsError(
                    f"the {key.rpartition('.')[2]}s of `{name}` need the name `{key}`, which a "
                    "tensor has",
                    "these weights are quantised already, or rename the tensor",
                )
            end = at + prod(shape) * numpy_dtype(dtype).itemsize
            header[key] = {"dtype": names[dtype], "shape": shape, "data_offsets": [at, end]}
            at = end
    return header, None


def _entries(
    name: str, shape: tuple[int, ...], form: Form
) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return the names, dtypes and shapes of what a tensor becomes."""
    match form.scheme:
        case "int8":
            (scale, _) = part_shapes((shape[form.axis],), form.axis)
            return [(name, "i8", shape), (f"{name}.scale", "f32", scale)]
        case "int4":
            packed, each = packed_shape(shape, form.axis, form.group)
            (part,) = part_shapes(each, form.axis)
            parts = [(f"{name}.{role}", "f32", part) for role in ("scale", "zero")]
            return [(name, "u8", packed), *parts]
        case dtype:
            return [(name, dtype, shape)]


def _write(output: Path, header: Mapping[str, Any], parts: Iterator[Array]) -> None:
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % ALIGNED)
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{output.name}-", dir=output.parent)
        with open(handle, "wb") as out:
            out.write(struct.pack("<Q", len(text)) + text)
            for part in parts:
                out.write(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, output)
        temporary = None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {output}: {reason}", "name another output") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _as_it_was(name: str, tensor: Tensor, reason: str) -> TensorReport:
    size = 0 if tensor.array is None else tensor.array.nbytes
    return TensorReport(name, tensor.shape, tensor.dtype, None, None, size, size, reason=reason)


def _measure(name: str, tensor: Tensor, form: Form, narrowed: Narrowed) -> TensorReport:
    assert tensor.array is not None
    rows = tensor.shape[0] if tensor.shape else 1
    columns = prod(tensor.shape[1:])
    given = tensor.array.reshape(rows, columns)
    values = narrowed.values
    axis = form.axis if narrowed.scale is not None else 0
    if narrowed.zero is not None:
        given = given if axis == 0 else given.T  # as the bytes lie
        axis = 0
    else:
        values = values.reshape(rows, columns)
    count = given.shape[axis]
    errors, squares = np.zeros(count), np.zeros(count)
    largest = 0.0
    step = max(1, _PIECE // max(1, given.shape[1]))
    for start in range(0, len(given), step):
        part = slice(start, start + step)
        scale, zero = narrowed.scale, narrowed.zero
        if scale is not None and axis == 0:
            scale = scale[part]
        if zero is not None:
            zero = zero[part]
        original = given[part].astype(np.float64)
        if not original.size:
            continue
        found = widen(Narrowed(values[part], scale, zero), axis)
        error = found.astype(np.float64) - original
        largest = max(largest, float(np.abs(error).max()))
        where = part if axis == 0 else slice(None)
        errors[where] += np.square(error).sum(1 - axis)
        squares[where] += np.square(original).sum(1 - axis)
    of_rows = np.sqrt(errors / np.where(squares == 0, 1, squares))
    worst = int(of_rows.argmax()) if count else None
    total = float(squares.sum())
    after = narrowed.values.nbytes + sum(part.nbytes for part in narrowed.parts.values())
    return TensorReport(
        name,
        tensor.shape,
        tensor.dtype,
        form.scheme,
        form.axis if narrowed.scale is not None else None,
        tensor.array.nbytes,
        after,
        largest,
        sqrt(float(errors.sum()) / total) if total else 0.0,
        worst,
        0.0 if worst is None else float(of_rows[worst]),
        group=form.group if form.scheme == "int4" else None,
    )
