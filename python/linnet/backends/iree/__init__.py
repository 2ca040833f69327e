"""IREE on the CPU: all entries in one module, parameters and states as its globals."""

from typing import TYPE_CHECKING

from linnet._late import late
from linnet.backends.iree._device import start
from linnet.backends.iree._instance import IreeInstance

if TYPE_CHECKING:
    from linnet.backends.iree._compile import (
        compile_checked,
        compile_entries,
        options,
        processor,
        versions,
    )
    from linnet.backends.iree._cuda import CUDA_TARGETS, capability, compile_cuda, cuda_options
    from linnet.backends.iree._memory import Plan, plan_memory
else:
    __getattr__ = late(
        __name__,
        {
            "_compile": ("compile_checked", "compile_entries", "options", "processor", "versions"),
            "_cuda": ("CUDA_TARGETS", "capability", "compile_cuda", "cuda_options"),
            "_memory": ("Plan", "plan_memory"),
        },
    )

__all__ = [
    "CUDA_TARGETS",
    "IreeInstance",
    "Plan",
    "capability",
    "compile_checked",
    "compile_cuda",
    "compile_entries",
    "cuda_options",
    "options",
    "plan_memory",
    "processor",
    "start",
    "versions",
]
