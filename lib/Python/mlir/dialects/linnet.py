"""The linnet dialect: its ops and enumerations (generated), types, attributes and the prover."""

from .._mlir_libs._linnet import *
from ._linnet_enum_gen import *
from ._linnet_ops_gen import *
