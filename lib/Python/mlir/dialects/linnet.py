"""The linnet dialect: its ops (generated), types, attributes and the prover."""

from .._mlir_libs._linnet import *  # noqa: F403
from ._linnet_ops_gen import *  # noqa: F403
