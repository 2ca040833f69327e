"""Code generators: StableHLO to something that runs, one sub-room each (`xla`, `iree`)."""

from linnet.backends._child import run_child
from linnet.backends._cpu import Cpu, this_cpu
from linnet.backends._instance import Instance, Module

__all__ = ["Cpu", "Instance", "Module", "run_child", "this_cpu"]
