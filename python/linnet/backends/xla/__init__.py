"""XLA on the CPU through jaxlib, without jax."""

from linnet.backends.xla._client import start, temporaries
from linnet.backends.xla._compile import compile_checked, compile_entry, versions
from linnet.backends.xla._cuda import compile_cuda, cuda_versions
from linnet.backends.xla._cuda_client import (
    check_capability,
    cuda_client,
    live_description,
)
from linnet.backends.xla._gpus import (
    Device,
    cuda_device,
    cuda_targets,
    place_for,
    read_device,
    ships,
)
from linnet.backends.xla._instance import XlaInstance

__all__ = [
    "Device",
    "XlaInstance",
    "check_capability",
    "compile_checked",
    "compile_cuda",
    "compile_entry",
    "cuda_client",
    "cuda_device",
    "cuda_targets",
    "cuda_versions",
    "live_description",
    "place_for",
    "read_device",
    "ships",
    "start",
    "temporaries",
    "versions",
]
