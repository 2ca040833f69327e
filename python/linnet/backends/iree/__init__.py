"""IREE on the CPU: all entries in one module, parameters and states as its globals."""

from linnet.backends.iree._compile import compile_entries, versions
from linnet.backends.iree._instance import IreeInstance

__all__ = ["IreeInstance", "compile_entries", "versions"]
