"""A folder of models: `ENTRY.onnx` for each entry, and `weights.bin`, which they share.

It is made under a temporary name and renamed when every byte is on disk, so that a folder at its
place is whole. One that was there is replaced if it holds nothing else.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from linnet.backends.onnx._build import Model, Options, Place, build_model
from linnet.core import CoreModule
from linnet.errors import InternalError, UsageError
from linnet.signature import Member

Array = NDArray[np.generic]
WEIGHTS = "weights.bin"
SUFFIX = ".onnx"
# Tensors begin where a page does, so that they can be mapped.
_PAGE = 4096


@dataclass(frozen=True, slots=True)
class Written:
    """What `write_models` wrote: the models, and the bytes of each file by its name."""

    models: tuple[Model, ...]
    files: Mapping[str, int]


def places_of(members: Sequence[Member]) -> tuple[dict[str, Place], int]:
    """Return where each param lies in the file of weights, and how long that is."""
    places: dict[str, Place] = {}
    end = 0
    for member in members:
        length = member.numpy.itemsize
        for size in member.shape:
            length *= size
        offset = -(-end // _PAGE) * _PAGE
        places[member.path] = Place(offset, length)
        end = offset + length
    return places, end


def check_folder(path: Path) -> None:
    """Raise UsageError where `path` cannot be made, or holds what is no model of ours."""
    if not path.parent.is_dir():
        raise UsageError(f"cannot write {path}: there is no folder {path.parent}", "make it first")
    if not path.exists() and not path.is_symlink():
        return
    names = [] if path.is_symlink() or not path.is_dir() else os.listdir(path)
    others = [name for name in names if name != WEIGHTS and not name.endswith(SUFFIX)]
    if others or not any(name.endswith(SUFFIX) for name in names):
        raise UsageError(f"{path} exists and is no folder of models", "name another output")


def write_models(
    path: Path,
    core: CoreModule,
    options: Options,
    weights: Mapping[str, Array] | None,
) -> Written:
    """Write the models of a module's entries into the folder `path`.

    With `weights`, an array of its exact dtype and shape for each param by path, these lie in
    `weights.bin`; without, params are inputs of the models. Each model passes `onnx`'s checker,
    whose shape inference must agree with the entry's signature. UsageError where the folder cannot
    be written.
    """
    check_folder(path)
    first = next(iter(core.functions.values())).signature
    places, length = places_of(first.params)
    file = None if weights is None else WEIGHTS
    models = tuple(
        build_model(function, options, file, places) for function in core.functions.values()
    )
    work: Path | None = None
    try:
        work = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
        files: dict[str, int] = {}
        if weights is not None:
            _write_weights(work / WEIGHTS, weights, places, length)
            files[WEIGHTS] = length
        for model in models:
            name = f"{model.signature.entry}{SUFFIX}"
            data = model.proto.SerializeToString(deterministic=True)
            _write(work / name, data)
            _check(work / name)
            files[name] = len(data)
        os.chmod(work, 0o755)
        _sync(work)
        _put(work, path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {path}: {reason}", "name another output") from None
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
    return Written(models, files)


def _write_weights(
    path: Path, weights: Mapping[str, Array], places: Mapping[str, Place], length: int
) -> None:
    with open(path, "xb") as out:
        for name, place in places.items():
            out.seek(place.offset)
            array = np.asarray(weights[name], order="C")
            if array.nbytes != place.length:
                raise InternalError(f"`{name}` has {array.nbytes} bytes, not {place.length}")
            out.write(array.reshape(-1).view(np.uint8).data)
        out.truncate(length)
        out.flush()
        os.fsync(out.fileno())
    os.chmod(path, 0o644)


def _write(path: Path, data: bytes) -> None:
    with open(path, "xb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    os.chmod(path, 0o644)


def _check(path: Path) -> None:
    """Let `onnx` check a model of ours; what it refuses is our mistake."""
    try:
        onnx.checker.check_model(str(path), full_check=True)  # pyright: ignore[reportUnknownMemberType]
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        said = " ".join(str(error).split())
        raise InternalError(
            f"the model `{path.name}` does not pass ONNX's checker: {said}"
        ) from None


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _put(work: Path, path: Path) -> None:
    """Rename the folder to its place; one that is there goes first, and comes back on failure."""
    if not path.exists():
        work.rename(path)
    else:
        old = Path(tempfile.mkdtemp(prefix=f".{path.name}-old-", dir=path.parent))
        try:
            path.rename(old / path.name)
            try:
                work.rename(path)
            except OSError:
                (old / path.name).rename(path)
                raise
        finally:
            shutil.rmtree(old, ignore_errors=True)
    with contextlib.suppress(OSError):
        _sync(path.parent)
