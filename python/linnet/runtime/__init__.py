"""The runtime: models made of compiled entries, weights and state, called with arrays."""

from typing import TYPE_CHECKING

from linnet._late import late
from linnet.runtime._api import BindingsSource, SurplusWeights, compile, load
from linnet.runtime._arguments import as_array, by_name, check_names, checked, shape_of
from linnet.runtime._engine import Chosen, Generics, read_generics
from linnet.runtime._instances import TARGETS
from linnet.runtime._model import Model, StateView
from linnet.runtime._onnx import OnnxExport, export_onnx
from linnet.runtime._recompile import Recompiled

if TYPE_CHECKING:
    from linnet.runtime._build import Built, build_artifact, lower_program
    from linnet.runtime._compare import LogitsReport, compare_logits
    from linnet.runtime._generate import Choice, generate
    from linnet.runtime._storage import (
        WEIGHTS_DTYPES,
        StoragePlan,
        plan_storage,
        read_storage,
    )
    from linnet.runtime._targets import Target, known_targets
else:
    __getattr__ = late(
        __name__,
        {
            "_build": ("Built", "build_artifact", "lower_program"),
            "_compare": ("LogitsReport", "compare_logits"),
            "_generate": ("Choice", "generate"),
            "_storage": ("WEIGHTS_DTYPES", "StoragePlan", "plan_storage", "read_storage"),
            "_targets": ("Target", "known_targets"),
        },
    )

__all__ = [
    "TARGETS",
    "WEIGHTS_DTYPES",
    "BindingsSource",
    "Built",
    "Choice",
    "Chosen",
    "Generics",
    "LogitsReport",
    "Model",
    "OnnxExport",
    "Recompiled",
    "StateView",
    "StoragePlan",
    "SurplusWeights",
    "Target",
    "as_array",
    "build_artifact",
    "by_name",
    "check_names",
    "checked",
    "compare_logits",
    "compile",
    "export_onnx",
    "generate",
    "known_targets",
    "load",
    "lower_program",
    "plan_storage",
    "read_generics",
    "read_storage",
    "shape_of",
]
