"""Arrays of a caller, checked against a signature. The backends check nothing themselves."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError, UsageError, unknown_name
from linnet.signature import Member, Value, dtype_name, show

Array = NDArray[np.generic]

# DLPack's devices whose memory the processor reads: its own, and what a GPU's driver shares.
_HOST_MEMORY = (1, 3, 11, 13)


@runtime_checkable
class _HasArray(Protocol):
    def __array__(self) -> Array: ...


@runtime_checkable
class _HasDlpack(Protocol):
    def __dlpack__(self) -> object: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


def as_array(name: str, value: object) -> Array | None:
    """Return the value as an array, or None for Python numbers and lists, which have no dtype.

    Takes NumPy arrays, and whatever has `__array__` or `__dlpack__`, without a copy if it can.
    """
    # NumPy loads `ma` when it is named; without it there is no masked array.
    if "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray):
        raise ArgumentError(
            f"input `{name}` is a masked array", "fill what is masked: `array.filled(0)`"
        )
    if isinstance(value, np.ndarray):
        return np.asarray(value)  # pyright: ignore
    if isinstance(value, bool | int | float | list | tuple):
        return None
    try:
        if isinstance(value, _HasArray):
            return np.asarray(value)
        if isinstance(value, _HasDlpack):
            if value.__dlpack_device__()[0] not in _HOST_MEMORY:
                raise ValueError("it lies on another device")
            return np.from_dlpack(value)  # pyright: ignore
    except Exception as error:  # Whatever the code of another library raises.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ArgumentError(
            f"input `{name}` gives no array: {reason}", "pass a NumPy array"
        ) from None
    raise ArgumentError(f"input `{name}` is no array: {type(value).__name__}", "pass a NumPy array")


def shape_of(name: str, value: object) -> tuple[int, ...]:
    """Return the shape of an argument. ArgumentError for a ragged list, which has none."""
    array = as_array(name, value)
    if array is None:
        try:
            return np.asarray(value).shape
        except ValueError:
            raise ArgumentError(
                f"input `{name}` is a ragged list", "give rows of one length"
            ) from None
    return array.shape


def plain(name: str, value: object, target: Value | Member) -> Array:
    """Return Python numbers or nested lists as an array of the target's dtype.

    ArgumentError for what that dtype cannot hold: a fraction where an integer is needed, a number
    out of range, a ragged list.
    """

    def refuse(why: str) -> ArgumentError:
        return ArgumentError(f"input `{name}` {why}", f"`{name}` is {target}")

    try:
        given: NDArray[Any] = np.asarray(value)
    except ValueError:
        raise refuse("is a ragged list") from None
    if given.size == 0:
        return np.zeros(given.shape, target.numpy)
    if given.dtype.kind not in "biuf":
        raise refuse("holds something else than numbers")
    is_bool, wants_bool = given.dtype.kind == "b", target.dtype == "bool"
    if is_bool != wants_bool:
        raise refuse("holds " + ("truth values" if is_bool else "numbers"))
    if given.dtype.kind == "f" and target.dtype[0] in "iu":
        raise refuse("holds fractions")
    if target.dtype[0] in "iu":
        limits = np.iinfo(target.numpy.name)
        if int(given.min()) < limits.min or int(given.max()) > limits.max:
            raise refuse("holds a number out of range")
    with np.errstate(over="ignore"):
        array: Array = given.astype(target.numpy)
    if given.dtype.kind == "f" and bool((np.isinf(array) & np.isfinite(given)).any()):
        raise refuse("holds a number out of range")
    return array


def checked(name: str, value: object, target: Value | Member, what: str = "input") -> Array:
    """Return the value as a C-ordered array of exactly the target's dtype and shape."""
    array = as_array(name, value)
    if array is None:
        array = plain(name, value, target)
    found = dtype_name(array.dtype)
    given = show(found or str(array.dtype), array.shape)
    if found != target.dtype:
        raise ArgumentError(
            f"{what} `{name}` has the wrong dtype: needs {target}, found {given}",
            f"convert it to {target.dtype}",
        )
    if array.shape != target.shape:
        raise ArgumentError(
            f"{what} `{name}` has the wrong shape: needs {target}, found {given}",
            "check the shapes and the generics of the entry",
        )
    if not array.dtype.isnative:
        array = array.astype(target.numpy)
    shape = array.shape
    if target.dtype == "bool":
        # A byte that is neither 0 nor 1 means something else to every backend.
        array = np.ascontiguousarray(array).view(np.uint8) != 0
    return np.ascontiguousarray(array).reshape(shape)


def by_name(
    entry: str, names: Sequence[str], positional: Sequence[object], named: Mapping[str, object]
) -> dict[str, object]:
    """Return the arguments of a call by parameter name."""
    if len(positional) > len(names):
        raise ArgumentError(
            f"entry `{entry}` takes {len(names)} inputs, found {len(positional)}",
            f"its inputs: {_listed(names)}",
        )
    given = dict(zip(names, positional, strict=False))
    for name, value in named.items():
        if name in given:
            raise ArgumentError(f"input `{name}` of `{entry}` is given twice", "give it once")
        given[name] = value
    return given


def check_names(entry: str, names: Sequence[str], given: Mapping[str, object]) -> None:
    """Raise for an input that the entry does not have, or one that is missing."""
    for name in given:
        if name not in names:
            raise unknown_name(f"entry `{entry}` has no input", name, names, "its inputs")
    for name in names:
        if name not in given:
            raise UsageError(f"input `{name}` of entry `{entry}` is missing", "give --input")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
