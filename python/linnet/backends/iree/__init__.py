"""IREE on the CPU: all entries in one module, parameters and states as its globals."""

from linnet.backends.iree._compile import (
    compile_checked,
    compile_entries,
    options,
    processor,
    versions,
)
from linnet.backends.iree._device import start
from linnet.backends.iree._instance import IreeInstance
from linnet.backends.iree._memory import Plan, plan_memory

__all__ = [
    "IreeInstance",
    "Plan",
    "compile_checked",
    "compile_entries",
    "options",
    "plan_memory",
    "processor",
    "start",
    "versions",
]
