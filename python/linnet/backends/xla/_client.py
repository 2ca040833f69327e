"""The PJRT clients of the process, and the few calls into jaxlib that need private names.

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
def jaxlib() -> Any:
    """Import jaxlib's client module."""
    try:
        from jaxlib import xla_client
    except ImportError:
        raise CapabilityError(
            "target xla-cpu needs jaxlib", "pip install 'linnet-mlir[xla]'"
        ) from None
    return xla_client


class _Aval:
    """What `batched_device_put` reads of an array's type."""

    weak_type = False

    def __init__(self, array: Array) -> None:
        self.shape = array.shape
        self.dtype = array.dtype
        self.ndim = array.ndim


class Client:
    """A PJRT client, and the one device of it that is used."""

    def __init__(self, pjrt: Any) -> None:
        """Take a client of jaxlib's that has a device."""
        self._pjrt = pjrt
        self.device = pjrt.local_devices()[0]
        self._sharding = _one_device(self.device)

    @property
    def kind(self) -> str:
        """What the device calls itself."""
        return str(self.device.device_kind)

    @property
    def capability(self) -> str | None:
        """The compute capability of a GPU, `9.0`; None for a device without one."""
        found = getattr(self.device, "compute_capability", None)
        return None if found is None else str(found)

    def _devices(self) -> Any:
        return jaxlib().DeviceList((self.device,))

    def compile_module(self, module: bytes | str) -> Executable:
        """Compile StableHLO (text, bytecode or portable) for the device."""
        return self._pjrt.compile_and_load(module, self._devices(), _options())

    def deserialize(self, blob: bytes) -> Executable:
        """Load serialized code. It is code: the caller vouches for its origin."""
        return self._pjrt.deserialize_executable(blob, self._devices(), _options())

    def put(self, array: Array, copy: bool) -> Buffer:
        """Return the array on the device.

        Without `copy` it must stay as it is: where the device reads the processor's memory, an
        aligned array is used where it lies.
        """
        return jaxlib().batched_device_put(
            _Aval(array), self._sharding, [array], [self.device], True, copy, enable_x64=True
        )


def _options() -> Any:
    options = jaxlib().CompileOptions()
    # [NUM-1]: each bf16 or f16 operation rounds; XLA would keep f32 between them.
    options.env_option_overrides = [("xla_allow_excess_precision", False)]
    return options


def _one_device(device: Any) -> Any:
    """Return a sharding on one device with the attributes that jax's subclass would add."""
    client = jaxlib()

    class OneDevice(client.SingleDeviceSharding):
        is_fully_replicated = True
        memory_kind = None
        device_set = frozenset({device})
        _device_assignment = (device,)

        def _to_xla_hlo_sharding(self, rank: int) -> Any:
            return client.HloSharding.replicate()

    return OneDevice(device)


@cache
def cpu() -> Client:
    """Return the client of the processor. CapabilityError without jaxlib."""
    return Client(jaxlib().make_cpu_client())


def start() -> None:
    """Make the client, as the first executable would. CapabilityError without jaxlib."""
    cpu()


def temporaries(blob: bytes) -> int:
    """Return the bytes that serialized code needs in a call beside its arguments."""
    stats = cpu().deserialize(blob).get_compiled_memory_stats()
    own = stats.output_size_in_bytes - stats.alias_size_in_bytes
    return int(stats.temp_size_in_bytes + own)


def compile_module(module: bytes | str) -> Executable:
    """Compile StableHLO (text, bytecode or portable) for this machine's processor."""
    return cpu().compile_module(module)


def put(array: Array, copy: bool) -> Buffer:
    """Return the array as a buffer of the processor's client: see `Client.put`."""
    return cpu().put(array, copy)


def hlo_text(executable: Executable) -> str:
    """Return the optimised HLO that the executable runs."""
    return executable.hlo_modules()[0].to_string()


def serialize(executable: Executable) -> bytes:
    """Return the executable as bytes for `deserialize` of the same jaxlib."""
    return executable.serialize()


def fetch(buffer: Buffer) -> Array:
    """Return a copy: the device's memory may be reused by the next call."""
    array, copied = buffer._single_device_array_to_np_array_did_copy()
    return array if copied else np.array(array, copy=True)


def execute(executable: Executable, arguments: Sequence[Buffer]) -> list[Buffer]:
    """Run the executable. It checks byte sizes only; donated arguments are gone afterwards."""
    results = executable.execute_sharded(list(arguments))
    return [result[0] for result in results.disassemble_into_single_device_arrays()]
