"""The driver: runs the stages from source text to CORE, and reads their results."""

from linnet.compiler._check import Checked, check_path
from linnet.compiler._core import read_core
from linnet.compiler._declared import Declared, DeclaredInput, choose_root, declared_entries
from linnet.compiler._loop import LOOP_ENTRY
from linnet.compiler._lower import Generics, Request, Storage, lower, members
from linnet.compiler._stages import STAGES, StageReached, Stages

__all__ = [
    "LOOP_ENTRY",
    "STAGES",
    "Checked",
    "Declared",
    "DeclaredInput",
    "Generics",
    "Request",
    "StageReached",
    "Stages",
    "Storage",
    "check_path",
    "choose_root",
    "declared_entries",
    "lower",
    "members",
    "read_core",
]
