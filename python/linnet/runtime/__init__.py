"""The runtime: models made of compiled entries, weights and state, called with arrays."""

from linnet.runtime._api import SurplusWeights, compile, load
from linnet.runtime._build import Built, build_artifact, lower_program
from linnet.runtime._instances import TARGETS
from linnet.runtime._model import Model, StateView
from linnet.runtime._recompile import Recompiled

__all__ = [
    "TARGETS",
    "Built",
    "Model",
    "Recompiled",
    "StateView",
    "SurplusWeights",
    "build_artifact",
    "compile",
    "load",
    "lower_program",
]
