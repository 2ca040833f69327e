"""The one PJRT client of the process, and the few calls into jaxlib that need private names.

jaxlib's own modules carry no types and belong to jax; everything that touches them is here.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUntypedBaseClass=false
# pyright: reportAttributeAccessIssue=false, reportMissingImports=false

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import CapabilityError

Array = NDArray[np.generic]
# jaxlib's objects, which have no types: an executable and an array on the device.
Executable = Any
Buffer = Any


@cache
def _jaxlib() -> Any:
    """Import jaxlib's client module."""
    try:
        from jaxlib import xla_client
    except ImportError:
        raise CapabilityError(
            "target xla-cpu needs jaxlib", "pip install 'linnet-mlir[xla]'"
        ) from None
    return xla_client


@cache
def _client() -> Any:
    return _jaxlib().make_cpu_client()


def start() -> None:
    """Make the client, as the first executable would. CapabilityError without jaxlib."""
    _client()


def temporaries(blob: bytes) -> int:
    """Return the bytes that serialized code needs in a call beside its arguments."""
    stats = deserialize(blob).get_compiled_memory_stats()
    own = stats.output_size_in_bytes - stats.alias_size_in_bytes
    return int(stats.temp_size_in_bytes + own)


def _devices() -> Any:
    return _jaxlib().DeviceList(tuple(_client().local_devices()[:1]))


def _options() -> Any:
    options = _jaxlib().CompileOptions()
    # [NUM-1]: each bf16 or f16 operation rounds; XLA would keep f32 between them.
    options.env_option_overrides = [("xla_allow_excess_precision", False)]
    return options


def compile_module(module: bytes | str) -> Executable:
    """Compile StableHLO (text, bytecode or portable) for this machine."""
    return _client().compile_and_load(module, _devices(), _options())


def hlo_text(executable: Executable) -> str:
    """Return the optimised HLO that the executable runs."""
    return executable.hlo_modules()[0].to_string()


def serialize(executable: Executable) -> bytes:
    """Return the executable as bytes for `deserialize` of the same jaxlib."""
    return executable.serialize()


def deserialize(blob: bytes) -> Executable:
    """Load serialized code. It is code: the caller vouches for its origin."""
    return _client().deserialize_executable(blob, _devices(), _options())


class _Aval:
    """What `batched_device_put` reads of an array's type."""

    weak_type = False

    def __init__(self, array: Array) -> None:
        self.shape = array.shape
        self.dtype = array.dtype
        self.ndim = array.ndim


@cache
def _sharding() -> Any:
    """Return a sharding on the one device with the attributes that jax's subclass would add."""
    client = _jaxlib()
    device = _client().local_devices()[0]

    class OneDevice(client.SingleDeviceSharding):
        is_fully_replicated = True
        memory_kind = None
        device_set = frozenset({device})
        _device_assignment = (device,)

        def _to_xla_hlo_sharding(self, rank: int) -> Any:
            return client.HloSharding.replicate()

    return OneDevice(device)


def put(array: Array, copy: bool) -> Buffer:
    """Return the array on the device; without `copy` an aligned one is used where it lies."""
    client = _jaxlib()
    device = _client().local_devices()[0]
    return client.batched_device_put(
        _Aval(array), _sharding(), [array], [device], True, copy, enable_x64=True
    )


def fetch(buffer: Buffer) -> Array:
    """Return a copy: the device's memory may be reused by the next call."""
    array, copied = buffer._single_device_array_to_np_array_did_copy()
    return array if copied else np.array(array, copy=True)


def execute(executable: Executable, arguments: Sequence[Buffer]) -> list[Buffer]:
    """Run the executable. It checks byte sizes only; donated arguments are gone afterwards."""
    results = executable.execute_sharded(list(arguments))
    return [result[0] for result in results.disassemble_into_single_device_arrays()]
