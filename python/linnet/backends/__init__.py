"""Code generators: StableHLO to something that runs, one sub-room each (`xla`, `iree`)."""

from typing import TYPE_CHECKING

from linnet._late import late
from linnet.backends._cpu import Cpu, cores, cpu_identity, cpu_name, this_cpu
from linnet.backends._gpu import nvidia_gpu
from linnet.backends._installed import installed
from linnet.backends._instance import Instance, Module

if TYPE_CHECKING:
    from linnet.backends._child import run_child
    from linnet.backends._limits import Limits, compile_limits, machine_memory
    from linnet.backends._states import (
        Checked,
        StateCopy,
        StateProof,
        StateReport,
        Verdict,
        join_reports,
    )
else:
    __getattr__ = late(
        __name__,
        {
            "_child": ("run_child",),
            "_limits": ("Limits", "compile_limits", "machine_memory"),
            "_states": (
                "Checked",
                "StateCopy",
                "StateProof",
                "StateReport",
                "Verdict",
                "join_reports",
            ),
        },
    )

__all__ = [
    "Checked",
    "Cpu",
    "Instance",
    "Limits",
    "Module",
    "StateCopy",
    "StateProof",
    "StateReport",
    "Verdict",
    "compile_limits",
    "cores",
    "cpu_identity",
    "cpu_name",
    "installed",
    "join_reports",
    "machine_memory",
    "nvidia_gpu",
    "run_child",
    "this_cpu",
]
