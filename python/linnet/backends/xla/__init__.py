"""XLA on the CPU through jaxlib, without jax."""

from linnet.backends.xla._client import start, temporaries
from linnet.backends.xla._compile import compile_checked, compile_entry, versions
from linnet.backends.xla._cuda import (
    compile_cuda,
    cuda_device,
    cuda_targets,
    cuda_versions,
)
from linnet.backends.xla._instance import XlaInstance

__all__ = [
    "XlaInstance",
    "compile_checked",
    "compile_cuda",
    "compile_entry",
    "cuda_device",
    "cuda_targets",
    "cuda_versions",
    "start",
    "temporaries",
    "versions",
]
