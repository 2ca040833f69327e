"""Run by MLIR's bindings at start: every new Context knows our dialects."""

from ._linnet_registration import register_dialects as register_dialects
