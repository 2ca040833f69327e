"""The few calls into IREE's runtime, which has no types, and the one device of the process."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false, reportPrivateUsage=false

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import CapabilityError

Array = NDArray[np.generic]

# IREE's runtime objects, which have no types.
Context = Any
Function = Any

_ELEMENTS = {
    "bool": "SINT_8",
    "i8": "SINT_8",
    "i16": "SINT_16",
    "i32": "SINT_32",
    "i64": "SINT_64",
    "u8": "UINT_8",
    "u16": "UINT_16",
    "u32": "UINT_32",
    "u64": "UINT_64",
    "f16": "FLOAT_16",
    "bf16": "BFLOAT_16",
    "f32": "FLOAT_32",
    "f64": "FLOAT_64",
}


@cache
def _runtime() -> Any:
    try:
        # What `iree.runtime` is a shell of, which takes five times as long to import.
        from iree._runtime.libs import _runtime as runtime
    except ImportError:
        raise CapabilityError("target cpu needs IREE", "pip install 'linnet-mlir[iree]'") from None
    # Data-tiled code for a long prompt needs more than the default 128 KiB, and dies without.
    given = os.environ.get("IREE_PY_RUNTIME_FLAGS", "").split()
    runtime.parse_flags("--task_worker_stack_size=1048576", *given)
    return runtime


@cache
def _device() -> Any:
    return _runtime().get_cached_hal_driver("local-task").create_default_device()


@cache
def _instance() -> tuple[Any, Any]:
    """The virtual machine, and its module that knows the device."""
    instance = _runtime().VmInstance()
    return instance, _runtime().create_hal_module(instance, _device())


def start() -> None:
    """Load the runtime and make the device, as the first module would. CapabilityError without."""
    _instance()


def bytes_of(array: Array) -> NDArray[np.uint8]:
    """Return the array's bytes, where it lies when it is in C order."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


class Loaded:
    """A module with its parameters, ready to call. Each has its own globals."""

    def __init__(self, code: Path | bytes, weights: Mapping[str, Array]) -> None:
        runtime, (instance, devices) = _runtime(), _instance()
        index = runtime.ParameterIndex()
        # The provider reads from this memory while the module initialises.
        self._memory = [bytes_of(array) for array in weights.values()]
        for path, memory in zip(weights, self._memory, strict=True):
            if memory.size:
                index.add_buffer(path, memory)
            else:
                index.add_splat(path, np.zeros(1, np.uint8), 0)
        parameters = runtime.create_io_parameters_module(
            instance, index.create_provider(scope="model")
        )
        if isinstance(code, bytes):
            module = runtime.VmModule.copy_buffer(instance, code)
        else:
            module = runtime.VmModule.mmap(instance, str(code))
        self._module = module
        self._context: Context = runtime.VmContext(instance, [devices, parameters, module])
        self._functions: dict[str, Function] = {}

    def call(
        self,
        name: str,
        arguments: Sequence[tuple[Array, str]],
        results: Sequence[tuple[tuple[int, ...], np.dtype[np.generic]]],
    ) -> list[Array]:
        """Call a function with arrays and their Linnet dtypes; the results are copies."""
        taken = self._invoke(name, [_put(*each) for each in arguments], len(results))
        return [_fetch(taken, index, *type_) for index, type_ in enumerate(results)]

    def store(self, name: str, array: Array, dtype: str) -> None:
        """Call a function that stores its argument, with a copy of an array."""
        self._invoke(name, [_put(array, dtype)], 0)

    def run(self, name: str) -> bool:
        """Call a function that takes and gives nothing; return whether there is one."""
        if self._module.lookup_function(name) is None:
            return False
        self._invoke(name, [], 0)
        return True

    def _invoke(self, name: str, arguments: Sequence[Any], results: int) -> Any:
        runtime = _runtime()
        if name not in self._functions:
            self._functions[name] = self._module.lookup_function(name)
        given = runtime.VmVariantList(len(arguments))
        for each in arguments:
            given.push_ref(each)
        taken = runtime.VmVariantList(results)
        self._context.invoke(self._functions[name], given, taken)
        return taken


def _put(array: Array, dtype: str) -> Any:
    runtime, device = _runtime(), _device()
    raw = np.ascontiguousarray(array).reshape(array.shape)
    if dtype == "bool":
        raw = raw.view(np.int8)
    elif dtype == "bf16":
        raw = raw.view(np.uint16)
    return device.allocator.allocate_buffer_copy(
        memory_type=runtime.MemoryType.DEVICE_LOCAL,
        allowed_usage=runtime.BufferUsage.DEFAULT | runtime.BufferUsage.MAPPING,
        device=device,
        buffer=raw,
        element_type=getattr(runtime.HalElementType, _ELEMENTS[dtype]),
    )


def _fetch(values: Any, index: int, shape: tuple[int, ...], dtype: np.dtype[np.generic]) -> Array:
    if 0 in shape:
        return np.zeros(shape, dtype)
    view = values.get_as_object(index, _runtime().HalBufferView)
    mapped = view.map()
    raw = np.dtype(f"u{dtype.itemsize}")
    return np.array(mapped.asarray(list(shape), raw), copy=True).view(dtype).reshape(shape)
